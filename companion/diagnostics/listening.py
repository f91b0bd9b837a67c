"""Waits for signals during a walk: presses with their bounce, keys, levels."""

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
"""A line without an edge for this long is at rest. No source reports later."""

HELD_NS: Final = 8_000_000_000
"""Maximum length of a press."""

LONG_BOUNCE_NS: Final = 10_000_000
"""A contact that bounces longer is weak. A bounce three times as long counts as two presses."""

TERMINAL: Final = "terminal"
HOUSE_BUTTONS: Final = "house"
"""Signal sources: Enter in the terminal, and the house's buttons."""

SKIPS: Final = frozenset({"ok", "skip"})


class Unheard(Enum):
    """Why no press was heard."""

    SKIPPED = auto()
    SILENT = auto()
    HELD = auto()
    BROKEN = auto()


class Burst(NamedTuple):
    """The edges when a contact closes: their number and duration."""

    edges: int
    bounce_ns: int


Pressed = dict[Place, Burst]
"""Places pressed together."""

T = TypeVar("T")
Waiting = Generator[int, Signal | None, T]
"""A step of the walk. It yields a deadline and receives a signal, or None at the deadline."""


class Listening:
    """Waits for signals of `devices`. `now_ns` is the latest time.

    Places that do not come to rest are passed to `give_up`, which adds them to `useless`.
    """

    def __init__(self, devices: Device, give_up: Callable[[Sequence[Place]], None]) -> None:
        self.now_ns = 0
        self.useless: set[Place] = set()
        self._devices = devices
        self._give_up = give_up
        self._down: dict[Place, bool] = {}

    def hear(self, until_ns: int, asked: Place | None = None) -> Waiting[Pressed | Unheard]:
        """Wait for a press, then until all contacts are at rest."""
        edges: dict[Place, list[Signal]] = defaultdict(list)
        while self.now_ns < until_ns:
            signal = yield until_ns
            if skips(signal):
                return Unheard.SKIPPED
            # An old UNPLUG may arrive after the pod has responded, so check its trouble, too.
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
        """Collect edges until all contacts are open and quiet. Return False after HELD_NS."""
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
        while self.now_ns < until_ns:
            signal = yield until_ns
            if signal and signal.source == HOUSE_BUTTONS:
                return signal.control
            if skips(signal):
                return Unheard.SKIPPED
        return Unheard.SILENT

    def key(self, until_ns: int) -> Waiting[Signal | Unheard]:
        while self.now_ns < until_ns:
            signal = yield until_ns
            if skips(signal):
                return Unheard.SKIPPED
            if signal and signal.control in KEYS and signal.source != PC:
                return signal
        return Unheard.SILENT

    def is_edge(self, signal: Signal | None) -> TypeGuard[Signal]:
        """Return True for an edge of a wired buzzer, not a touch."""
        return bool(signal and signal.control == BUZZ and signal.source != PC and signal.place not in self.useless)

    def level(self, place: Place) -> list[Signal]:
        """Return a place's level after an edge, whose polarity may have been read late."""
        signals = self._devices.flush(self.now_ns)
        return [signal for signal in signals if LEVEL in signal.flags and signal.place == place]

    def look(self) -> bool:
        """Read all levels. Return True if edges are waiting, which arrive as signals."""
        signals = list(self._devices.flush(self.now_ns))
        self._down.update({signal.place: signal.pressed for signal in signals if LEVEL in signal.flags})
        return any(self.is_edge(signal) for signal in signals if LEVEL not in signal.flags)

    def pressed(self) -> list[Place]:
        return [place for place, down in sorted(self._down.items()) if down and place not in self.useless]


def skips(signal: Signal | None) -> bool:
    return signal is not None and signal.place == HOUSE and signal.control in SKIPS


# --- One press --------------------------------------------------------------------------------------------


def spikes_of(heard: Sequence[Signal]) -> int:
    """Return the number of touches too short for a press."""
    return len(_line(heard).spikes())


def burst_of(heard: Sequence[Signal]) -> Burst | None:
    """Return the first burst that is a press, if any."""
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
