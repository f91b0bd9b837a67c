"""A 4 x 4 key matrix on GPIO lines, through gpiozero."""

import logging
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from companion.core.clock import Clock
from companion.core.console import KEYPAD
from companion.core.errors import CompanionError
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.limits import EDGES_A_SECOND
from companion.core.place import HOUSE, Place
from companion.core.signal import FLOOD, MERGED, USER_CLOCK, Signal
from companion.core.text import Text, msg
from companion.devices.driver import Device, too_much
from companion.devices.floods import Rate
from companion.devices.keypads import keypad_of
from companion.devices.lines import MatrixWiring
from companion.devices.pins import told_as
from companion.devices.plugs import Troubles

SOURCE: Final = "matrix"

SCAN_S: Final = 0.01

STEADY_SCANS: Final = 2
"""Scans that must agree, since contacts bounce."""

LATE_NS: Final = 40_000_000
"""The longest time from contact to first scan: 30 ms for the library, 10 ms of bounce."""

SETTLE_NS: Final = 60_000_000
"""The longest time from contact to report."""

LOOK_S: Final = 1.0
"""Retry interval of failed lines."""

Spot = tuple[int, int]
"""Row and column, from 0."""

log = logging.getLogger(__name__)


class SpotPress(NamedTuple):
    """A pressed key: when it was first seen, and when it was unambiguous."""

    spot: Spot
    first_ns: int
    sure_ns: int


@dataclass
class _Change:
    first_ns: int
    sure_ns: int = 0
    scans: int = 0


def ghosts(closed: Iterable[Spot]) -> set[Spot]:
    """Return the ambiguous spots.

    Three pressed corners of a rectangle connect its rows and columns, so the fourth looks pressed too.
    """
    spots = set(closed)
    return {
        corner
        for row, column in spots
        for other_row, other_column in spots
        if row != other_row and column != other_column
        for corner in ((row, column), (other_row, other_column), (row, other_column), (other_row, column))
        if {(row, other_column), (other_row, column)} <= spots
    }


class Contacts:
    """Debounces scans and leaves out ambiguous keys. Keys that are `down` at first are not presses."""

    def __init__(self, down: Iterable[Spot] = ()) -> None:
        self._down = set(down)
        self._changes: dict[Spot, _Change] = {}

    @property
    def resting(self) -> bool:
        return not self._down and not self._changes

    def scanned(self, closed: Iterable[Spot], now_ns: int) -> list[SpotPress]:
        """Return new presses."""
        spots = set(closed)
        unsure = ghosts(spots)
        for spot in self._down | spots | set(self._changes):
            if (spot in spots) == (spot in self._down):
                self._changes.pop(spot, None)
                continue
            change = self._changes.setdefault(spot, _Change(now_ns))
            if spot not in unsure:
                change.sure_ns = change.sure_ns or now_ns
                change.scans += 1
        return [press for spot in sorted(self._changes) if (press := self._settled(spot))]

    def _settled(self, spot: Spot) -> SpotPress | None:
        change = self._changes[spot]
        if change.scans < STEADY_SCANS:
            return None
        del self._changes[spot]
        self._down ^= {spot}
        return SpotPress(spot, change.first_ns, change.sure_ns) if spot in self._down else None


class MatrixKeypad(Device):
    """The keypad of one place.

    At rest all rows are low and its thread sleeps until a key pulls a column low. Then it scans until all keys are
    up. Failed lines unplug the place and are retried every second.
    """

    source = SOURCE

    def __init__(self, wiring: MatrixWiring, factory: Any, deliver: Callable[[Signal], None], clock: Clock) -> None:
        """Open the lines. Raise DeviceError naming the line."""
        self.place = wiring.place
        self._deliver = deliver
        self._clock = clock
        self._troubles = Troubles(SOURCE, deliver, clock)
        self._heartbeat = Heartbeat("matrix keypad")
        self._contacts = Contacts()
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._stop = threading.Event()
        self._awake = threading.Event()
        self._wakes = Rate(EDGES_A_SECOND)
        self._deaf = False
        self._thread: threading.Thread | None = None
        try:
            self._rows = [_pin(factory, "row", pin) for pin in wiring.rows]
            self._columns = [_pin(factory, "column", pin) for pin in wiring.columns]
            self._begin()
        except Exception:
            self.close()
            raise

    @property
    def settle_ns(self) -> int:
        return 0 if self.place == HOUSE else SETTLE_NS

    @property
    def troubles(self) -> dict[Place, Text]:
        return self._troubles.texts

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat]

    def flooded(self, place: Place) -> Text:
        return too_much(keypad_of(place))

    def deafen(self, place: Place) -> None:
        self._deaf = True
        self._awake.set()

    def listen(self, place: Place) -> None:
        self._deaf = False
        self._awake.set()

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._run, name="matrix keypad", daemon=True)
        self._thread.start()

    def scan(self) -> bool:
        """Scan once and deliver presses. Return False if the thread may sleep. Raise DeviceError."""
        for press in self._contacts.scanned(self._closed(), self._clock.now_ns()):
            self._report(press)
        if not self._contacts.resting:
            return True
        self._awake.clear()
        self._rest()
        with told_as("[matrix]"):
            # A chip can lose an edge, so a key may have closed since the scan.
            return any(not column.state for column in self._columns)

    def close(self) -> None:
        self._stop.set()
        self._awake.set()
        if self._thread:
            self._thread.join()
        with told_as("[matrix]"), ExitStack() as closing:
            for pin in (*self._rows, *self._columns):
                closing.callback(pin.close)
            for column in self._columns:
                closing.callback(setattr, column, "when_changed", None)

    def _begin(self) -> None:
        with told_as("[matrix]"):
            for column in self._columns:
                column.input_with_pull("up")
                column.edges = "falling"
                column.when_changed = self._woken
            self._contacts = Contacts(self._closed())
            self._rest()
        self._awake.set()

    def _closed(self) -> set[Spot]:
        closed = set()
        with told_as("[matrix]"):
            self._let_go()
            for row, line in enumerate(self._rows):
                line.output_with_state(0)
                closed |= {(row, column) for column, other in enumerate(self._columns) if not other.state}
                line.input_with_pull("up")
        return closed

    def _let_go(self) -> None:
        """Release all rows. None is ever high: two keys of a column would connect it with a low one."""
        for line in self._rows:
            line.input_with_pull("up")

    def _rest(self) -> None:
        with told_as("[matrix]"):
            for line in self._rows:
                line.output_with_state(0)

    def _woken(self, ticks: float, state: int) -> None:
        now_ns = self._clock.now_ns()
        if self._wakes.exceeds(now_ns):
            try:
                self._deliver(Signal(SOURCE, self.place, FLOOD, now_ns, 0, now_ns))
            except Exception:
                # An error in a callback would end lgpio's only thread, and with it all buzzers.
                log.exception("the matrix")
        self._awake.set()

    def _rest_deaf(self) -> None:
        with told_as("[matrix]"):
            for column in self._columns:
                column.when_changed = None
        while self._deaf and not self._stop.is_set():
            self._heartbeat.beat()
            self._awake.clear()
            if self._deaf:
                self._awake.wait(BEAT_S)
        if not self._stop.is_set():
            self._begin()

    def _report(self, press: SpotPress) -> None:
        row, column = press.spot
        half_ns = (press.sure_ns - press.first_ns + LATE_NS) // 2
        flags = (USER_CLOCK,) if press.sure_ns == press.first_ns else (USER_CLOCK, MERGED)
        t_ns, now_ns = press.sure_ns - half_ns, self._clock.now_ns()
        self._deliver(Signal(SOURCE, self.place, KEYPAD[row][column], t_ns, half_ns, now_ns, True, flags))

    def _run(self) -> None:
        while not self._stop.is_set():
            self._heartbeat.beat()
            try:
                if self._troubles.texts:
                    self._begin()
                    self._troubles.back(self.place)
                if not self._awake.wait(BEAT_S):
                    continue
                while not (self._stop.is_set() or self._deaf) and self.scan():
                    self._heartbeat.beat()
                    self._stop.wait(SCAN_S)
                if self._deaf:
                    self._rest_deaf()
            except Exception as error:  # noqa: BLE001  whatever ends this thread would end the keypad without a word
                self._troubles.lost(self.place, _explained(error, keypad_of(self.place)))
                self._stop.wait(LOOK_S)


def _pin(factory: Any, kind: str, pin: int) -> Any:
    with told_as(f"[matrix] {kind}, line {pin}"):
        return factory.pin(pin)


def _explained(error: Exception, what: Text) -> Text:
    if isinstance(error, CompanionError):
        log.warning("%s", error)
        return error.text
    log.error("%s", what, exc_info=error)
    return msg("{what}: an internal error; the details are in the log", what=what)
