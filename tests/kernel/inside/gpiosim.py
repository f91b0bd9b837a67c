"""A simulated GPIO chip, the world that moves its lines, and load."""

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
"""The guest's clock: counted, wall or leaping."""

COUNTED: Final = CLOCK == "counted"
"""Whether a nanosecond is an instruction, so the host's load does not matter."""

CONFIG: Final = Path("/sys/kernel/config/gpio-sim/table")
PLATFORM: Final = Path("/sys/devices/platform")

LABEL: Final = "pinctrl-bcm2711"
"""The label of a Raspberry Pi 4's chip."""

LINES: Final = 28

WORD: Final = {0: b"pull-down", 1: b"pull-up"}

ABOVE_INTERRUPTS: Final = 80
"""A real-time priority. Interrupt threads have 50 and would otherwise run between two moves."""

BELOW_INTERRUPTS: Final = 40
"""With this priority, interrupts run between two moves, and nothing else does."""

SLEEP_FROM_NS: Final = 300_000
"""Shorter waits are busy: sleeping is not exact to the microsecond."""

WAKE_EARLY_NS: Final = 150_000


class Chip:
    """A chip whose lines are pulled up until the world pulls them low.

    It stays for the whole boot: removing it while a program holds a line upsets the kernel.
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
        """Return the file that moves a line when a WORD is written to it."""
        return self._lines / f"sim_gpio{line}" / "pull"

    def level(self, line: int) -> int:
        """Return the level of a line or output."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())

    def hang_lamp(self, line: int) -> None:
        """Let a line rest low until the next test."""
        self.pull_file(line).write_bytes(WORD[0])

    def release_all(self) -> None:
        """Let all lines rest high."""
        for line in range(LINES):
            self.pull_file(line).write_bytes(WORD[1])


class Move(NamedTuple):
    wait_ns: int
    """Since the previous move began."""

    line: int
    level: int


class Moved(NamedTuple):
    """CLOCK_MONOTONIC before and after a move."""

    before_ns: int
    after_ns: int


class World:
    """A separate process that moves lines to the microsecond.

    On a single processor nothing else runs while it waits: the kernel merges two moves of the SAME line less than
    300 µs apart. For shorter pulses use `realtime=False` or BELOW_INTERRUPTS.
    """

    def __init__(self, chip: Chip, *, realtime: bool = True, priority: int = ABOVE_INTERRUPTS) -> None:
        paths = [str(chip.pull_file(line)) for line in range(LINES)]
        # A new program, not a fork: lgpio's threads do not survive a fork.
        self._process = subprocess.Popen(
            [sys.executable, "-ISu", __file__, json.dumps([priority if realtime else 0, paths])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready"

    def play(self, moves: Iterable[Move]) -> list[Moved]:
        """Make the moves, wait for the last, and return their times."""
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
        with self._process:  # closing the pipes ends it
            pass


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep the processors busy."""
    busy = [subprocess.Popen([sys.executable, "-ISc", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def serve(priority: int, paths: list[str]) -> None:
    """Read moves, make them, print their times."""
    pulls = [os.open(path, os.O_WRONLY) for path in paths]
    # On one processor only: gpio-sim's interrupts can hang when two move lines at once.
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
