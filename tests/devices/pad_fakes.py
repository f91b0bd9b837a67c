"""Fakes of number pads, key matrices and sysfs."""

import errno
import os
import threading
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from gpiozero.pins.mock import MockFactory, MockPin

from companion.core.signal import Signal
from companion.devices.inputs.found import Here
from tests import gpio_fakes

MS = 1_000_000
KEY, SYN = 1, 0
SYN_DROPPED = 3

FakeClock = partial(gpio_fakes.FakeClock, 5_000 * MS)


class Heard(list[Signal]):
    @property
    def controls(self) -> list[tuple[int, str]]:
        return [(signal.place, signal.control) for signal in self]


# --- USB --------------------------------------------------------------------------------------------------


class Event(NamedTuple):
    sec: int
    usec: int
    type: int
    code: int
    value: int


class FakeDevice:
    """An `evdev.InputDevice`; its pipe is readable while events wait."""

    def __init__(self, down: tuple[int, ...] = ()) -> None:
        self.down = set(down)
        self.grabbed = False
        self.gone: OSError | None = None
        self.closed = False
        self._events: list[Event] = []
        self._readable, self._writable = os.pipe()

    def event(self, type_: int, code: int, value: int, t_ns: int) -> None:
        self._events.append(Event(t_ns // 10**9, t_ns % 10**9 // 1000, type_, code, value))
        os.write(self._writable, b"x")

    def press(self, code: int, t_ns: int = 4_000 * MS) -> None:
        self.down.add(code)
        self.event(KEY, code, 1, t_ns)

    def release(self, code: int, t_ns: int = 4_000 * MS) -> None:
        self.down.discard(code)
        self.event(KEY, code, 0, t_ns)

    def unplug(self) -> None:
        self.gone = OSError(errno.ENODEV, "No such device")
        os.write(self._writable, b"x")

    def fileno(self) -> int:
        return self._readable

    def read(self) -> list[Event]:
        if self.gone:
            raise self.gone
        if not self._events:
            raise BlockingIOError
        os.read(self._readable, len(self._events))
        events, self._events = self._events, []
        return events

    def active_keys(self) -> list[int]:
        if self.gone:
            raise self.gone
        return sorted(self.down)

    def grab(self) -> None:
        self.grabbed = True

    def close(self) -> None:
        if not self.closed:
            os.close(self._readable)
            os.close(self._writable)
        self.closed = True


def plug_in(sysfs: Path, number: int, **said: Any) -> Path:
    """Create the files of an input device; `codes` are its keys."""
    said = {"name": "Pad", "phys": f"usb-0000:01:00.0-1.{number}/input0", "uniq": "", **said}
    mask = sum(1 << code for code in said.pop("codes"))
    words = []
    while mask:
        words.append(f"{mask & (1 << 64) - 1:x}")
        mask >>= 64
    folder = sysfs / f"event{number}" / "device"
    (folder / "capabilities").mkdir(parents=True)
    (folder / "capabilities" / "key").write_text(f"{' '.join(reversed(words)) or '0'}\n")
    (folder / "id").mkdir()
    for name, text in {"id/vendor": "0001", "id/product": "0001", **said}.items():
        (folder / name).write_text(f"{text}\n")
    return folder


def here(number: int, phys: str, interval_ns: int = 8 * MS) -> Here:
    return Here(Path(f"/dev/input/event{number}"), "Pad", phys, "", interval_ns)


# --- Matrix -----------------------------------------------------------------------------------------------


class WiredPin(MockPin):  # type: ignore[misc]
    """A mock pin connected to others through pressed keys."""

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self.factory.keys.settle()

    def _set_state(self, value: int) -> None:
        if self.factory.broken:
            raise self.factory.broken
        super()._set_state(value)
        self.factory.keys.settle()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.factory.keys.settle()


class WiredFactory(MockFactory):  # type: ignore[misc]
    def __init__(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        self.broken: Exception | None = None
        self.keys = Keys(self, rows, columns)
        super().__init__(pin_class=WiredPin)


class Keys:
    """Switches without diodes; columns are pulled up."""

    def __init__(self, factory: WiredFactory, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        self._factory = factory
        self._numbers = (rows, columns)
        self._pressed: set[tuple[int, int]] = set()
        self._lock = threading.RLock()

    def press(self, *spots: tuple[int, int]) -> None:
        with self._lock:
            self._pressed |= set(spots)
            self.settle()

    def release(self, *spots: tuple[int, int]) -> None:
        with self._lock:
            self._pressed -= set(spots)
            self.settle()

    def settle(self) -> None:
        with self._lock:
            pins = {pin.info.name: pin for pin in self._factory.pins.values()}
            rows, columns = ([pins.get(f"GPIO{number}") for number in numbers] for numbers in self._numbers)
            for number, pin in enumerate(columns):
                if pin is None or pin.function != "input":
                    continue
                levels = {rows[row].state for row in self._joined(number) if self._drives(rows[row])}
                assert len(levels) < 2, "a row that is high is joined with one that is low: a short circuit"
                (pin.drive_low if levels == {0} else pin.drive_high)()

    def _drives(self, pin: Any) -> bool:
        return pin is not None and pin.function == "output"

    def _joined(self, column: int) -> set[int]:
        """Return the rows that pressed keys connect with a column, also indirectly."""
        rows: set[int] = set()
        columns = {column}
        while True:
            more = {row for row, other in self._pressed if other in columns}
            wider = columns | {other for row, other in self._pressed if row in more}
            if more == rows and wider == columns:
                return rows
            rows, columns = more, wider
