"""Fakes of the GPIO libraries' requests and sources, and a stopped clock."""

import errno
import os
import threading
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.signal import Signal
from companion.devices.buzzers.source import Edge, Failed, OnEdge

MS = 1_000_000
S = 1_000_000_000

PATIENCE_S = 30


class FakeClock:
    def __init__(self, t_ns: int = 1000 * S) -> None:
        self.t_ns = t_ns

    def now_ns(self) -> int:
        return self.t_ns


def make_process(proc: Path, pid: int, name: str, *files: str) -> None:
    """Create the /proc entries of a process with open `files`."""
    folder = proc / str(pid)
    (folder / "fd").mkdir(parents=True)
    (folder / "comm").write_text(f"{name}\n")
    for number, target in enumerate(files):
        (folder / "fd" / str(number)).symlink_to(target)


class Value(Enum):
    INACTIVE = 0
    ACTIVE = 1


class FakeEvent(NamedTuple):
    class Type(Enum):
        RISING_EDGE = 1
        FALLING_EDGE = 2

    event_type: Type
    timestamp_ns: int
    line_offset: int
    global_seqno: int
    line_seqno: int


class FakeLines:
    """A fake gpiod request with a pollable descriptor and the lines' levels."""

    def __init__(self) -> None:
        self.fd, self._end = os.pipe()
        self.levels: dict[int, bool] = {}
        self.released = False
        self.gone = False
        self._waiting: list[FakeEvent] = []
        self._numbers: dict[int, int] = {}
        self._lock = threading.Lock()

    def move(self, pin: int, pressed: bool, t_ns: int, *, lost: int = 0, wakes: bool = True) -> None:
        """Change a line's level after `lost` unreported edges."""
        self.levels[pin] = pressed
        with self._lock:
            number = self._numbers[pin] = self._numbers.get(pin, 0) + lost + 1
            kind = FakeEvent.Type.RISING_EDGE if pressed else FakeEvent.Type.FALLING_EDGE
            self._waiting.append(FakeEvent(kind, t_ns, pin, 0, number))
        if wakes:
            os.write(self._end, b".")

    def unplug(self) -> None:
        self.gone = True
        os.close(self._end)

    def wait_edge_events(self, timeout: float) -> bool:
        assert timeout == 0
        return bool(self._waiting)

    def read_edge_events(self, most: int) -> list[FakeEvent]:
        self._check()
        with self._lock:
            events, self._waiting = self._waiting[:most], self._waiting[most:]
        os.set_blocking(self.fd, False)
        with suppress(BlockingIOError):
            os.read(self.fd, len(events))
        return events

    def get_values(self, pins: list[int]) -> list[Value]:
        self._check()
        return [Value(int(self.levels.get(pin, False))) for pin in pins]

    def reconfigure_lines(self, settings: dict[tuple[int, ...], Any]) -> None:
        self._check()
        self.settings = settings

    def release(self) -> None:
        assert not self.released
        self.released = True
        os.close(self.fd)
        if not self.gone:
            os.close(self._end)

    def _check(self) -> None:
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")


class FakeSource:
    """A source whose edges and failures come from the test."""

    settle_ns = 7 * MS

    def __init__(self, report: OnEdge, failed: Failed, places: int) -> None:
        self.report, self.failed = report, failed
        self.down = dict.fromkeys(range(places), False)
        self.waiting: list[Edge] = []
        self.error: Exception | None = None
        self.deaf_at: set[int] = set()
        self.closed = 0

    def drain(self) -> None:
        self._check()
        while self.waiting:
            self.report(self.waiting.pop(0))

    def levels(self) -> dict[int, bool]:
        self._check()
        return dict(self.down)

    def deafen(self, place: int) -> None:
        self._check()
        self.deaf_at.add(place)

    def listen(self, place: int) -> None:
        self._check()
        self.deaf_at.discard(place)

    def check(self) -> None:
        self._check()

    def close(self) -> None:
        self.closed += 1

    def _check(self) -> None:
        assert not self.closed, "nobody may ask a source that is closed"
        if self.error:
            raise self.error


class Reports:
    """Collects reports from any thread, and waits for them."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._changed = threading.Condition()

    def __call__(self, report: Any) -> None:
        with self._changed:
            self.all.append(report)
            self._changed.notify_all()

    def wait(self, count: int) -> list[Any]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.all) >= count, PATIENCE_S), self.all
            return list(self.all)

    @property
    def told(self) -> list[tuple[int, str]]:
        return [(signal.place, signal.control) for signal in self.all if isinstance(signal, Signal)]


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
