"""Listens on a walk round a table: to presses with their bounce, keys and levels; each wait is a generator."""

from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple, TypeGuard, TypeVar

from companion.core.console import BUZZ, KEYS
from companion.core.place import HOUSE, Place
from companion.core.signal import LEVEL, PC, UNPLUG, Signal
from companion.devices.driver import Device
from companion.referee.debounce import QUIET_NS, Line

REST_NS: Final = 100_000_000
"""A line at rest had no edge for this long: longer than any source reports late."""

HELD_NS: Final = 8_000_000_000
"""A press that was asked for does not last longer."""

LONG_BOUNCE_NS: Final = 10_000_000
"""A contact that bounces longer is weak: at three times this, one press counts as two."""

TERMINAL: Final = "terminal"
HOUSE_BUTTONS: Final = "house"
"""Sources of signals: Enter in the terminal, which skips, and the house's own buttons."""

SKIPS: Final = frozenset({"ok", "skip"})
"""The controls that skip a step."""


class Unheard(Enum):
    """Why no press was heard."""

    SKIPPED = auto()
    SILENT = auto()
    HELD = auto()
    BROKEN = auto()


class Burst(NamedTuple):
    """The edges of one contact that closes: how many, and how long from the first to the last."""

    edges: int
    bounce_ns: int


Pressed = dict[Place, Burst]
"""The places that were pressed at one go."""

T = TypeVar("T")
Waiting = Generator[int, Signal | None, T]
"""A part of the walk: it yields until when it waits, and is sent a signal, or None when that time has come."""


class Listening:
    """Waits for what devices report; `now_ns` is the time of the last that was heard.

    Places whose lines do not come to rest are given to `give_up`, and are `useless` from then on.
    """

    def __init__(self, devices: Device, give_up: Callable[[Sequence[Place]], None]) -> None:
        self.now_ns = 0
        self.useless: set[Place] = set()
        self._devices = devices
        self._give_up = give_up
        self._down: dict[Place, bool] = {}

    def hear(self, until_ns: int, asked: Place | None = None) -> Waiting[Pressed | Unheard]:
        """Wait for a press, and then until every contact is at rest again; the place that is asked must do so."""
        edges: dict[Place, list[Signal]] = defaultdict(list)
        while self.now_ns < until_ns:
            signal = yield until_ns
            if skips(signal):
                return Unheard.SKIPPED
            # What was reported while a pod was looked for may be read after it has answered: is it lost now?
            if signal and signal.control == UNPLUG and asked in self._devices.troubles:
                return Unheard.BROKEN
            if self.is_edge(signal):
                edges[signal.place] += [signal, *self.level(signal.place)]
                if not (yield from self.rest(edges)):
                    self._give_up(self.pressed() or [signal.place])
                    if asked in self.useless:
                        return Unheard.HELD
                    edges.clear()
                if asked in self._devices.troubles:
                    return Unheard.BROKEN
                heard = {place: burst for place, each in edges.items() if (burst := burst_of(each))}
                if heard:
                    return heard
        return Unheard.SILENT

    def rest(self, edges: dict[Place, list[Signal]]) -> Waiting[bool]:
        """Gather edges until all contacts are open and quiet; return False when they are not in time."""
        until_ns = self.now_ns + HELD_NS
        while self.now_ns < until_ns:
            signal = yield self.now_ns + REST_NS
            if self.is_edge(signal):
                edges[signal.place].append(signal)
            elif signal is None and not self.look() and not self.pressed():
                return True
        self.look()
        return False

    def house_press(self, until_ns: int) -> Waiting[str | Unheard]:
        """Wait for a button of the house; return its control."""
        while self.now_ns < until_ns:
            signal = yield until_ns
            if signal and signal.source == HOUSE_BUTTONS:
                return signal.control
            if skips(signal):
                return Unheard.SKIPPED
        return Unheard.SILENT

    def key(self, until_ns: int) -> Waiting[Signal | Unheard]:
        """Wait for a key of any keypad."""
        while self.now_ns < until_ns:
            signal = yield until_ns
            if skips(signal):
                return Unheard.SKIPPED
            if signal and signal.control in KEYS and signal.source != PC:
                return signal
        return Unheard.SILENT

    def is_edge(self, signal: Signal | None) -> TypeGuard[Signal]:
        """Tell whether a signal is an edge of a wired buzzer, not a touch of the display."""
        return bool(signal and signal.control == BUZZ and signal.source != PC and signal.place not in self.useless)

    def level(self, place: Place) -> list[Signal]:
        """Read the level of a place that reported an edge: its polarity may have been read too late."""
        signals = self._devices.flush(self.now_ns)
        return [signal for signal in signals if LEVEL in signal.flags and signal.place == place]

    def look(self) -> bool:
        """Read all levels; tell whether edges wait to be heard, which come by themselves."""
        signals = list(self._devices.flush(self.now_ns))
        self._down.update({signal.place: signal.pressed for signal in signals if LEVEL in signal.flags})
        return any(self.is_edge(signal) for signal in signals if LEVEL not in signal.flags)

    def pressed(self) -> list[Place]:
        """Return the places whose buzzers were down when their levels were last read."""
        return [place for place, down in sorted(self._down.items()) if down and place not in self.useless]


def skips(signal: Signal | None) -> bool:
    return signal is not None and signal.place == HOUSE and signal.control in SKIPS


# --- What one press looks like ----------------------------------------------------------------------------


def spikes_of(heard: Sequence[Signal]) -> int:
    """Return how often a contact was touched too shortly for a press."""
    return len(_line(heard).spikes())


def burst_of(heard: Sequence[Signal]) -> Burst | None:
    """Return the first burst of a contact's edges that is a press; None without one."""
    presses = _line(heard).presses()
    if not presses:
        return None
    stamps = sorted({signal.t_ns for signal in heard if LEVEL not in signal.flags})
    first = stamps.index(presses[0].t_ns)
    last = next(
        (place for place in range(first, len(stamps) - 1) if stamps[place + 1] - stamps[place] >= QUIET_NS),
        len(stamps) - 1,
    )
    return Burst(last - first + 1, stamps[last] - stamps[first])


def _line(heard: Sequence[Signal]) -> Line:
    line = Line()
    for signal in heard:
        line.hear(signal)
    return line
