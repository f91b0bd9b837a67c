"""The outside of the guest: a simulated GPIO chip, the world that moves its lines, and load on the processors."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self

CLOCK: Final = Path("/io/clock").read_text()
"""What the rig was told of time: counted, wall or leaping."""

COUNTED: Final = CLOCK == "counted"
"""Whether a nanosecond is an instruction, so that nothing on the host disturbs the times."""

CONFIG: Final = Path("/sys/kernel/config/gpio-sim/table")
PLATFORM: Final = Path("/sys/devices/platform")

LABEL: Final = "pinctrl-bcm2711"
"""The chip of a Raspberry Pi 4: drivers choose it by this label."""

LINES: Final = 28

WORD: Final = {0: b"pull-down", 1: b"pull-up"}

ABOVE_INTERRUPTS: Final = 80
"""A real-time priority: the kernel's interrupt threads have 50, and would else come between two moves."""

BELOW_INTERRUPTS: Final = 40
"""With this they do come between two moves, and nothing else does."""

SLEEP_FROM_NS: Final = 300_000
"""Shorter waits are spun through: a sleeper does not wake to the microsecond."""

WAKE_EARLY_NS: Final = 150_000


class Chip:
    """A chip whose lines are as if pulled up: high until the world pulls them low.

    There is one in a boot, and it stays: to take it away while a program holds a line upsets the kernel. So a
    second object is the same chip.
    """

    def __init__(self) -> None:
        if not CONFIG.exists():
            self._make()
        bank = CONFIG / "bank0"
        name = (bank / "chip_name").read_text().strip()
        self.path: Final = f"/dev/{name}"
        self._lines: Final = PLATFORM / (CONFIG / "dev_name").read_text().strip() / name
        self.release_all()

    def _make(self) -> None:
        bank = CONFIG / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(LINES))
        (bank / "label").write_text(LABEL)
        for line in range(LINES):
            (bank / f"line{line}").mkdir()
            (bank / f"line{line}" / "name").write_text(f"GPIO{line}")
        (CONFIG / "live").write_text("1")

    def pull_file(self, line: int) -> Path:
        """Return the file that moves a line when one of the WORDs is written to it."""
        return self._lines / f"sim_gpio{line}" / "pull"

    def level(self, line: int) -> int:
        """Return what a voltmeter would show: of an output, what its program set; a lamp."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())

    def hang_lamp(self, line: int) -> None:
        """Let a lamp hang at a line until the next test: it is dark while no program drives it."""
        self.pull_file(line).write_bytes(WORD[0])

    def release_all(self) -> None:
        """Let all lines go, so that they are high."""
        for line in range(LINES):
            self.pull_file(line).write_bytes(WORD[1])


class Move(NamedTuple):
    """One move of a line by the world."""

    wait_ns: int
    """Since the previous move began."""

    line: int
    level: int


class Moved(NamedTuple):
    """When a line was moved, on CLOCK_MONOTONIC: not before, not after."""

    before_ns: int
    after_ns: int


class World:
    """A process of its own that moves lines to the microsecond, whatever the process of the test is doing.

    While it spins through a wait, nothing else runs on a single processor: two moves of the SAME line less than
    300 µs apart are then one event to the kernel. `realtime=False` is for shorter pulses, or a `priority`
    BELOW_INTERRUPTS.
    """

    def __init__(self, chip: Chip, *, realtime: bool = True, priority: int = ABOVE_INTERRUPTS) -> None:
        paths = [str(chip.pull_file(line)) for line in range(LINES)]
        # A new program, not a fork: lgpio starts threads, which a fork would tear.
        self._process = subprocess.Popen(
            [sys.executable, "-ISu", __file__, json.dumps([priority if realtime else 0, paths])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready"

    def play(self, moves: Iterable[Move]) -> list[Moved]:
        """Make the moves, wait until the last is done, and return when each was made."""
        self._pipe(self._process.stdin).write(f"{json.dumps(list(moves))}\n")
        self._pipe(self._process.stdin).flush()
        return [Moved(*times) for times in self._read()]

    def _read(self) -> Any:
        line = self._pipe(self._process.stdout).readline()
        if not line:
            raise RuntimeError(f"the world has ended with status {self._process.wait()}; its message stands above")
        return json.loads(line)

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._process:  # closes the pipes, upon which it ends
            pass


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep the processors busy with so many processes of ordinary priority."""
    busy = [subprocess.Popen([sys.executable, "-ISc", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def serve(priority: int, paths: list[str]) -> None:
    """Be the world's process: read moves, make them, tell when."""
    pulls = [os.open(path, os.O_WRONLY) for path in paths]
    # From one processor only: gpio-sim's interrupts can hang when two move lines at once.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if priority:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    print(json.dumps("ready"))
    for line in sys.stdin:
        moves = [Move(*move) for move in json.loads(line)]
        print(json.dumps(_make_moves(moves, pulls)))


def _make_moves(moves: list[Move], pulls: list[int]) -> list[tuple[int, int]]:
    now = time.monotonic_ns
    times = []
    previous_ns = now()
    for move in moves:
        due_ns = previous_ns + move.wait_ns
        if due_ns - now() > SLEEP_FROM_NS:
            time.sleep((due_ns - now() - WAKE_EARLY_NS) / 1e9)
        pull, word = pulls[move.line], WORD[move.level]
        while now() < due_ns:
            pass
        before_ns = previous_ns = now()
        os.pwrite(pull, word, 0)
        times.append((before_ns, now()))
    return times


if __name__ == "__main__":
    serve(*json.loads(sys.argv[1]))
