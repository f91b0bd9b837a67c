"""Output lines that act like push buttons: closed they are driven, open they float.

A closed contact has the level that the button's own contact makes, so a line is never driven against a button. A
separate process moves the lines, so moves do not wait for the program that reads them. It ends when its input ends,
and opens all contacts first.
"""

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self

from companion.devices.chips import Chip, explain

# From the kernel's include/uapi/linux/gpio.h: the requests, their structures and flags.
_GET_LINE: Final = 0xC250B407
_REQUEST: Final = struct.Struct("I252x32sQ264xI24xi")
_SET_CONFIG: Final = 0xC110B40D
_CONFIG: Final = struct.Struct("Q264x")
_GET_VALUES: Final = 0xC010B40E
_VALUES: Final = struct.Struct("QQ")
_ACTIVE_LOW: Final = 1 << 1
_INPUT: Final = 1 << 2
_OUTPUT: Final = 1 << 3
PULLS: Final = {"up": 1 << 8, "down": 1 << 9, "none": 1 << 10}

CONSUMER: Final = "companion fairness"

PRIORITY: Final = 40
"""A real-time priority below the kernel's interrupt threads, which have 50."""

SLEEP_FROM_NS: Final = 300_000
"""Shorter waits are busy: sleeping is not exact to the microsecond."""

WAKE_EARLY_NS: Final = 150_000


class ContactMove(NamedTuple):
    """A change of a contact, `wait_ns` after the previous move began."""

    wait_ns: int
    contact: int
    closed: bool


class DrivenLine:
    """A requested line. It floats until it is driven."""

    def __init__(self, path: Path, pin: int, pull: str = "none") -> None:
        """Request a line as input. Raise OSError, also if another program has it."""
        request = _REQUEST.pack(pin, CONSUMER.encode(), _INPUT | PULLS[pull], 1, 0)
        with path.open("rb") as chip:
            *_, self._fd = _REQUEST.unpack(fcntl.ioctl(chip, _GET_LINE, request))

    def pull(self, pull: str) -> None:
        fcntl.ioctl(self._fd, _SET_CONFIG, _CONFIG.pack(_INPUT | PULLS[pull]))

    def drive(self, *, high: bool) -> None:
        fcntl.ioctl(self._fd, _SET_CONFIG, _DRIVE[high])

    def let_go(self) -> None:
        fcntl.ioctl(self._fd, _SET_CONFIG, _LET_GO)

    def is_high(self) -> bool:
        bits, _mask = _VALUES.unpack(fcntl.ioctl(self._fd, _GET_VALUES, _VALUES.pack(0, 1)))
        return bool(bits)

    def close(self) -> None:
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_DRIVE: Final = {high: _CONFIG.pack(_OUTPUT | (_ACTIVE_LOW if high else 0)) for high in (False, True)}
"""An output begins with 0, which is high on a line that is active low."""

_LET_GO: Final = _CONFIG.pack(_INPUT)


def open_line(chip: Chip, pin: int, pull: str = "none") -> DrivenLine:
    """Request a line as input. Raise DeviceError."""
    try:
        return DrivenLine(chip.path, pin, pull)
    except OSError as error:
        raise explain(error, f"{chip.path}, line {pin}") from error


class DrivenContacts:
    """Contacts on `pins`, moved by a separate process."""

    def __init__(self, chip: Chip, pins: Sequence[int], *, closed_high: bool) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(chip.path), json.dumps([list(pins), closed_high])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            self.is_realtime: bool = self._read()
        except BaseException:
            self.close()
            raise

    def play(self, moves: Iterable[ContactMove]) -> list[tuple[int, int]]:
        """Make the moves, wait for the last, and return CLOCK_MONOTONIC before and after each."""
        self._pipe(self._process.stdin).write(f"{json.dumps(list(moves))}\n")
        self._pipe(self._process.stdin).flush()
        return [(before_ns, after_ns) for before_ns, after_ns in self._read()]

    def close(self) -> None:
        """Open all contacts and release the lines."""
        self._process.communicate()  # closes its input, which ends it after the moves that it makes now

    def _read(self) -> Any:
        line = self._pipe(self._process.stdout).readline()
        if not line:
            raise RuntimeError(f"the process that moves the lines ended with status {self._process.wait()}")
        return json.loads(line)

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_moves(
    moves: Iterable[ContactMove],
    write: Callable[[int, bool], None],
    now_ns: Callable[[], int] = time.monotonic_ns,
    sleep: Callable[[float], None] = time.sleep,
) -> list[tuple[int, int]]:
    """Make each move on time. Return the time before and after each."""
    times = []
    previous_ns = now_ns()
    for wait_ns, contact, closed in moves:
        due_ns = previous_ns + wait_ns
        if due_ns - now_ns() > SLEEP_FROM_NS:
            sleep((due_ns - now_ns() - WAKE_EARLY_NS) / 1e9)
        while now_ns() < due_ns:
            pass
        before_ns = previous_ns = now_ns()
        write(contact, closed)
        times.append((before_ns, now_ns()))
    return times


def _serve(path: str, pins: Sequence[int], closed_high: bool) -> None:
    """Read moves, make them, print their times."""
    for ending in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ending, signal.SIG_IGN)  # they end the program, and with it the input
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with ExitStack() as opened:
        lines = [opened.enter_context(DrivenLine(Path(path), pin)) for pin in pins]
        for line in lines:
            # Some kernels keep driving an output that was released.
            opened.callback(line.let_go)

        def write(contact: int, closed: bool) -> None:
            if closed:
                lines[contact].drive(high=closed_high)
            else:
                lines[contact].let_go()

        _tell(_be_quick())
        for words in sys.stdin:
            _tell(make_moves((ContactMove(*move) for move in json.loads(words)), write))


def _tell(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


def _be_quick() -> bool:
    """Ask for a real-time priority. Return False if this user may not have one."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False
    return True


if __name__ == "__main__":
    _serve(sys.argv[1], *json.loads(sys.argv[2]))
