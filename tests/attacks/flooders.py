"""One device of each kind that reports 10,000 times a second from a thread, through a real queue or port."""

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from benchmarks.floods import PLACE, Opened, of_others, pod
from companion.devices.buzzers import gpiod_lines
from companion.devices.buzzers.gpiod_lines import BUFFER, GpiodLines
from companion.devices.buzzers.watch import Buzzers
from companion.devices.driver import Deliver, Device
from companion.devices.keypads.matrix import MatrixKeypad
from companion.devices.keypads.usb_pads import UsbPads
from companion.devices.lines import BuzzerWiring, MatrixWiring
from tests.devices.pad_fakes import KEY, Event, WiredFactory, here
from tests.gpio_fakes import FakeEvent, FakeLines, Value

PINS = (2, 3, 4, 5, 6)
ROWS, COLUMNS = (14, 15, 16, 17), (9, 10, 11, 12)
KP_5 = 76


class Queue:
    """The kernel's event queue, which keeps the last events and has a pollable descriptor."""

    def __init__(self, most: int) -> None:
        self.fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.events: deque[Any] = deque(maxlen=most)
        self._lock = threading.Lock()

    def put(self, event: Any) -> None:
        with self._lock:
            self.events.append(event)
            os.eventfd_write(self.fd, 1)

    def take(self, most: int) -> list[Any]:
        with self._lock:
            taken = [self.events.popleft() for _ in range(min(most, len(self.events)))]
            if not self.events:
                with suppress(BlockingIOError):
                    os.eventfd_read(self.fd)
            return taken


class KernelLines(FakeLines):
    """Lines with a kernel queue of edges, except the deaf ones."""

    def __init__(self) -> None:
        self._queue = Queue(BUFFER)
        self.fd = self._queue.fd
        self.levels: dict[int, bool] = {}
        self.deaf: frozenset[int] = frozenset()
        self._seqno: dict[int, int] = {}

    def change(self, pin: int, pressed: bool, t_ns: int) -> None:
        self.levels[pin] = pressed
        if pin not in self.deaf:
            self._seqno[pin] = self._seqno.get(pin, 0) + 1
            kind = FakeEvent.Type.RISING_EDGE if pressed else FakeEvent.Type.FALLING_EDGE
            self._queue.put(FakeEvent(kind, t_ns, pin, 0, self._seqno[pin]))

    def wait_edge_events(self, timeout: float) -> bool:
        return bool(self._queue.events)

    def read_edge_events(self, most: int) -> list[FakeEvent]:
        return self._queue.take(most)

    def get_values(self, pins: list[int]) -> list[Value]:
        return [Value(int(self.levels.get(pin, False))) for pin in pins]

    def release(self) -> None:
        os.close(self.fd)


class KernelPad:
    """A number pad with a kernel queue."""

    def __init__(self) -> None:
        self._queue = Queue(64)

    def event(self, code: int, value: int, t_ns: int) -> None:
        self._queue.put(Event(t_ns // 10**9, t_ns % 10**9 // 1000, KEY, code, value))

    def fileno(self) -> int:
        return self._queue.fd

    def read(self) -> list[Event]:
        events = self._queue.take(64)
        if not events:
            raise BlockingIOError(errno.EAGAIN, "nothing waits")
        return events

    def active_keys(self) -> list[int]:
        return []

    def grab(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        os.close(self._queue.fd)


# --- One of each kind -----------------------------------------------------------------------------------------


@contextmanager
def lines() -> Opened:
    request = KernelLines()
    was, gpiod_lines.configure = gpiod_lines.configure, lambda lines, wiring, deaf: setattr(lines, "deaf", deaf)
    wiring = BuzzerWiring(pins=PINS)

    def open_(deliver: Deliver, clock: Any) -> Iterator[Device]:
        yield Buzzers("gpiod", 5, lambda *told: GpiodLines(request, wiring, *told), deliver, clock)

    def report(count: int) -> None:
        for number in range(count):
            request.change(PINS[PLACE], number % 2 == 0, time.monotonic_ns())

    try:
        yield open_, report
    finally:
        gpiod_lines.configure = was


@contextmanager
def pad() -> Opened:
    device = KernelPad()

    def open_(deliver: Deliver, clock: Any) -> Iterator[Device]:
        yield UsbPads(
            {PLACE: "usb-1"}, deliver, clock, list_inputs=lambda: [here(1, "usb-1")], open_device=lambda _: device
        )

    def report(count: int) -> None:
        for number in range(count):
            device.event(KP_5, number % 2, time.monotonic_ns())

    yield open_, report


@contextmanager
def matrix() -> Opened:
    factory = WiredFactory(ROWS, COLUMNS)

    def open_(deliver: Deliver, clock: Any) -> Iterator[Device]:
        yield MatrixKeypad(MatrixWiring(PLACE + 1, ROWS, COLUMNS), factory, deliver, clock)

    def report(count: int) -> None:
        pin = factory.pin(COLUMNS[0])
        for _ in range(count):
            if pin.when_changed:
                pin.when_changed(time.monotonic(), 0)

    yield open_, report
    factory.reset()


KINDS = {"lines": lines, "pad": pad, "matrix": matrix, "pod": pod, "of others": of_others}
