"""Buzzers through the kernel's GPIO device: one request for all lines, stamped in the interrupt."""

import os
import select
import threading
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.place import Place, by_place
from companion.core.signal import MERGED
from companion.devices.buzzers.source import Edge, Failed, OnEdge, Source
from companion.devices.chips import Chip
from companion.devices.lines import BuzzerWiring

if TYPE_CHECKING:
    import gpiod

SETTLE_NS: Final = 5_000_000
"""Maximum delay until an edge is read."""

UNCERTAINTY_NS: Final = 150_000
"""Interrupt latency of a busy Pi, for tables that are not calibrated."""

GAP_MOST_NS: Final = 5_000_000
"""Maximum uncertainty of an edge after lost ones."""

BUFFER: Final = 1024
"""Edges that the kernel buffers. The oldest are dropped."""

CONSUMER: Final = "companion buzzers"


def request(chip: Chip, wiring: BuzzerWiring) -> "gpiod.LineRequest":
    """Request all lines, without the kernel's debounce. Raise OSError."""
    import gpiod  # noqa: PLC0415  an extra: a PC has none

    settings = _settings(wiring, frozenset())
    return gpiod.request_lines(str(chip.path), settings, consumer=CONSUMER, event_buffer_size=BUFFER)


def _settings(wiring: BuzzerWiring, deaf: frozenset[int]) -> "dict[tuple[int, ...], gpiod.LineSettings]":
    import gpiod  # noqa: PLC0415
    from gpiod import line  # noqa: PLC0415

    bias = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "none": line.Bias.DISABLED}[wiring.pull]
    settings = partial(
        gpiod.LineSettings,
        direction=line.Direction.INPUT,
        bias=bias,
        active_low=wiring.pressed_low,
        event_clock=line.Clock.MONOTONIC,
    )
    heard = tuple(pin for pin in wiring.pins if pin not in deaf)
    found = {heard: settings(edge_detection=line.Edge.BOTH), tuple(deaf): settings(edge_detection=line.Edge.NONE)}
    return {pins: how for pins, how in found.items() if pins}


def configure(lines: Any, wiring: BuzzerWiring, deaf: frozenset[int]) -> None:
    """Read edges of all lines that are not `deaf`. Raise OSError."""
    lines.reconfigure_lines(_settings(wiring, deaf))


class GpiodLines(Source):
    """One request for all lines, and one thread that sleeps until an edge comes.

    When `drain` returns, everything stamped before it has been reported.
    """

    def __init__(self, lines: Any, wiring: BuzzerWiring, report: OnEdge, failed: Failed) -> None:
        self.settle_ns = SETTLE_NS
        self._heartbeat = Heartbeat("buzzers")
        self.heartbeats = (self._heartbeat,)
        self._lines = lines
        self._wiring = wiring
        self._places = {pin: place for place, pin in by_place(wiring.pins)}
        self._deaf: frozenset[int] = frozenset()
        self._report = report
        self._failed = failed
        self._last: dict[int, tuple[int, int]] = {}  # by pin: number and timestamp of its last edge
        self._reading = threading.Lock()
        self._closed = False
        self._wake = os.eventfd(0)
        self._thread = threading.Thread(target=self._run, name="buzzers", daemon=True)
        self._thread.start()

    def drain(self) -> None:
        with self._reading:
            # Once: that reads the whole buffer, and a flood cannot block the caller.
            if not self._closed and self._lines.wait_edge_events(0):
                self._read()

    def levels(self) -> Mapping[Place, bool]:
        values = self._lines.get_values(list(self._places))
        return {place: bool(value.value) for place, value in zip(self._places.values(), values, strict=True)}

    def deafen(self, place: Place) -> None:
        self._configure(self._deaf | {self._wiring.pins[place]})

    def listen(self, place: Place) -> None:
        self._configure(self._deaf - {self._wiring.pins[place]})

    def close(self) -> None:
        """Release the lines. May be called from `failed`, but not from `report`."""
        with self._reading:
            if self._closed:
                return
            self._closed = True
        os.eventfd_write(self._wake, 1)
        if self._thread is not threading.current_thread():
            self._thread.join()
        self._lines.release()
        os.close(self._wake)

    def _configure(self, deaf: frozenset[int]) -> None:
        with self._reading:
            if not self._closed:
                configure(self._lines, self._wiring, deaf)
                self._deaf = deaf

    def _run(self) -> None:
        waiting = select.poll()
        waiting.register(self._lines.fd, select.POLLIN)
        waiting.register(self._wake, select.POLLIN)
        try:
            while not self._closed:
                self._heartbeat.beat()
                waiting.poll(BEAT_S * 1000)
                self.drain()
                if not self._closed:
                    self._broken(waiting)
        except Exception as error:  # noqa: BLE001  whatever ends this thread would end all buzzers without a word
            self._failed(error)

    def _broken(self, waiting: select.poll) -> None:
        """Raise OSError for an error of the descriptor, which would wake the thread forever."""
        for _, event in waiting.poll(0):
            if event & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                self._lines.get_values(list(self._places))

    def _read(self) -> None:
        for event in self._lines.read_edge_events(BUFFER):
            pressed = event.event_type is event.Type.RISING_EDGE
            last, self._last[event.line_offset] = (
                self._last.get(event.line_offset),
                (event.line_seqno, event.timestamp_ns),
            )
            self._report(edge(self._places[event.line_offset], pressed, event.line_seqno, event.timestamp_ns, last))


def edge(place: Place, pressed: bool, number: int, stamp_ns: int, last: tuple[int, int] | None) -> Edge:
    """Return an edge; `last` is the line's previous (number, timestamp).

    A gap in the numbers means lost edges: the contact changed at some time since `last`.
    """
    last_number, last_ns = last or (0, stamp_ns - 2 * GAP_MOST_NS)
    if number == last_number + 1:
        return Edge(place, stamp_ns, UNCERTAINTY_NS, pressed)
    half_ns = min((stamp_ns - last_ns) // 2, GAP_MOST_NS)
    return Edge(place, stamp_ns - half_ns, half_ns + UNCERTAINTY_NS, pressed, (MERGED,))
