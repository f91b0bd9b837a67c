"""A keypad of four rows and four columns on GPIO lines, through gpiozero; keys join a row and a column."""

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
"""The time between two scans, while a key is down."""

STEADY_SCANS: Final = 2
"""How many scans in a row must agree that a key has changed: contacts bounce for some milliseconds."""

LATE_NS: Final = 40_000_000
"""How long before a scan saw it a contact closed, at most: 30 ms until a library wakes us, 10 of bounce."""

SETTLE_NS: Final = 60_000_000
"""How long after its contact closed a key is reported: until the first scan, and then `STEADY_SCANS`."""

LOOK_S: Final = 1.0
"""How often a matrix whose lines failed is tried again."""

Spot = tuple[int, int]
"""A row and a column, from 0."""

log = logging.getLogger(__name__)


class SpotPress(NamedTuple):
    """A key was pressed: when it was first seen down, and since when that is sure."""

    spot: Spot
    first_ns: int
    sure_ns: int


@dataclass
class _Change:
    first_ns: int
    sure_ns: int = 0
    scans: int = 0


def ghosts(closed: Iterable[Spot]) -> set[Spot]:
    """Return the spots of which nobody can tell whether they are pressed.

    Three pressed corners of a rectangle join its two rows and its two columns: the fourth looks pressed too.
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
    """Presses from scans: without bounce, and without guesses. Keys that are `down` at first were not pressed."""

    def __init__(self, down: Iterable[Spot] = ()) -> None:
        self._down = set(down)
        self._changes: dict[Spot, _Change] = {}

    @property
    def resting(self) -> bool:
        """Whether no key is down, for all that is known."""
        return not self._down and not self._changes

    def scanned(self, closed: Iterable[Spot], now_ns: int) -> list[SpotPress]:
        """Return what is pressed since the last scan; `closed` is what this one saw."""
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
    """The keypad of one place. Its keys go to `deliver`, from a thread.

    At rest all rows are low and the thread sleeps: a key pulls its column low, which wakes it. Then it scans, until
    all keys are up. When the lines fail the place is told as unplugged, with the reason in `troubles`, and they are
    tried again each second.
    """

    source = SOURCE

    def __init__(self, wiring: MatrixWiring, factory: Any, deliver: Callable[[Signal], None], clock: Clock) -> None:
        """Take the lines. Raise DeviceError naming the line."""
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
        """How late a key may be reported, where it can call; the house calls nothing."""
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
        """Look at the keys again; what is held then was not pressed."""
        self._deaf = False
        self._awake.set()

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._run, name="matrix keypad", daemon=True)
        self._thread.start()

    def scan(self) -> bool:
        """Look once at all keys, and deliver what was pressed; return whether there is more to look at.

        Raise DeviceError when the lines fail.
        """
        for press in self._contacts.scanned(self._closed(), self._clock.now_ns()):
            self._report(press)
        if not self._contacts.resting:
            return True
        self._awake.clear()
        self._rest()
        with told_as("[matrix]"):
            # A chip can lose an edge: a key that closed meanwhile must not be left waiting for the next one.
            return any(not column.state for column in self._columns)

    def close(self) -> None:
        """Release the lines. Raise DeviceError."""
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
        """Set the lines up; a key that is held now is not pressed."""
        with told_as("[matrix]"):
            for column in self._columns:
                column.input_with_pull("up")
                column.edges = "falling"
                column.when_changed = self._woken
            self._contacts = Contacts(self._closed())
            self._rest()
        self._awake.set()

    def _closed(self) -> set[Spot]:
        """Return which keys join their row with their column now."""
        closed = set()
        with told_as("[matrix]"):
            self._let_go()
            for row, line in enumerate(self._rows):
                line.output_with_state(0)
                closed |= {(row, column) for column, other in enumerate(self._columns) if not other.state}
                line.input_with_pull("up")
        return closed

    def _let_go(self) -> None:
        """Release all rows; none is ever high, since two keys of one column would join it with one that is low."""
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
                # An error of a handler would end lgpio's only thread, and with it all buzzers.
                log.exception("the matrix")
        self._awake.set()

    def _rest_deaf(self) -> None:
        """Sleep until it is to listen again, woken by no line."""
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
