"""The reports of each place in a self-test: presses, bounces and keys. Pure."""

from dataclasses import dataclass, field
from typing import Final

from companion.core.console import KEYS
from companion.core.place import HOUSE, Place
from companion.core.signal import LEVEL, Signal
from companion.core.text import Render, Text, decimal, msg, seat_name
from companion.core.units import MS
from companion.diagnostics.listening import LONG_BOUNCE_NS, Burst, burst_of, spikes_of
from companion.display.self_test_rows import PlaceTest, Tried
from companion.referee.debounce import QUIET_NS

MOST_EDGES: Final = 400
"""Maximum stored edges of a press, since a loose wire makes endless ones."""

LAST_KEYS: Final = 3


@dataclass
class Station:
    """One place: its devices, and what they reported.

    `held` is True while its buzzer is down, `stuck` if that lasts too long. `first` is the edge that gave the last
    press its timestamp, `burst` the bounces of that press. `spikes` were too short for a press.
    """

    place: Place
    buzzer: bool = False
    keypad: bool = False
    lamp: bool = False
    held: bool = False
    stuck: bool = False
    presses: int = 0
    spikes: int = 0
    first: Signal | None = None
    burst: Burst | None = None
    keys: list[str] = field(default_factory=list)
    last_keys: list[str] = field(default_factory=list)
    _edges: list[Signal] = field(default_factory=list)
    _arrived_ns: int = 0

    def edge(self, signal: Signal) -> None:
        if not self.held and signal.pressed:
            self.held = True
            if LEVEL not in signal.flags:
                self.first, self.burst = signal, None
        self._arrived_ns = max(self._arrived_ns, signal.received_ns)
        self._edges = [*self._edges[:MOST_EDGES], signal]

    def rest(self, now_ns: int) -> bool:
        """Evaluate the edges once the contact rests. Return False until then."""
        if not self._edges or now_ns - self._arrived_ns < QUIET_NS:
            return False
        self.held = max(self._edges, key=lambda signal: signal.t_ns).pressed
        self.burst = burst_of(self._edges) or self.burst
        if not self.held:
            # Kept while it is held, since a release also bounces, which is not a press.
            self.stuck = False
            self.spikes += spikes_of(self._edges)
            self._edges.clear()
        return True

    def key(self, key: str) -> None:
        self.last_keys = [*self.last_keys[1 - LAST_KEYS :], key]
        self.keys = [*(known for known in self.keys if known != key), key]

    def told(self, read: Render, *, trouble: bool) -> PlaceTest:
        """Return the row for the display. `trouble` is True if a device of the place does not work."""
        return PlaceTest(
            self._buzzer_tried(trouble=trouble),
            self._keypad_tried(),
            self.lamp,
            self.held,
            tuple(self.keys),
            tuple(map(read, self._lines(trouble=trouble))),
        )

    def newest(self) -> Text:
        if self.first is None:
            return msg("{who}: the buzzer is pressed", who=seat_name(self.place))
        late_ms = (self.first.received_ns - self.first.t_ns) / MS
        said = msg(
            "{who}: ±{ms} ms, reported after {late} ms",
            who=seat_name(self.place),
            ms=exactness(self.first.uncertainty_ns),
            late=decimal(late_ms),
        )
        return msg("{said}, {bounce}", said=said, bounce=bounce_text(self.burst)) if self.burst else said

    def _buzzer_tried(self, *, trouble: bool) -> Tried:
        if trouble or self.stuck:
            return Tried.WRONG
        if not self.presses:
            return Tried.WAITING if self.buzzer else Tried.ABSENT
        return Tried.WEAK if self.spikes or (self.burst and self.burst.bounce_ns > LONG_BOUNCE_NS) else Tried.WORKS

    def _keypad_tried(self) -> Tried:
        if len(self.keys) == len(KEYS):
            return Tried.WORKS
        return Tried.WAITING if self.keypad or self.keys else Tried.ABSENT

    def _lines(self, *, trouble: bool) -> list[Text]:
        if trouble:
            return [msg("does not work")]
        if self.stuck:
            return [msg("stays pressed")]
        lines = []
        if self.spikes:
            lines.append(msg("{n} × too short", n=self.spikes))
        if self.presses and self.first:
            lines += [msg("{n} ×, ±{ms} ms", n=self.presses, ms=exactness(self.first.uncertainty_ns))]
            lines += [bounce_text(self.burst)] if self.burst else []
        elif self.buzzer:
            lines.append(msg("press it"))
        if self.last_keys:
            lines.append(msg("keys {keys}", keys=" ".join(self.last_keys)))
        return lines or [Text("") if self.place == HOUSE else msg("nothing here")]


def key_text(signal: Signal) -> Text:
    who = msg("The house") if signal.place == HOUSE else seat_name(signal.place)
    return msg("{who}: key {key}, ±{ms} ms", who=who, key=signal.control, ms=exactness(signal.uncertainty_ns))


def bounce_text(burst: Burst) -> Text:
    if burst.edges == 1:
        return msg("no bounce")
    return msg("{n} edges, {ms} ms", n=burst.edges, ms=decimal(burst.bounce_ns / MS))


def exactness(uncertainty_ns: int) -> Text:
    """Return an uncertainty in milliseconds, with about two digits."""
    ms = uncertainty_ns / MS
    if not uncertainty_ns or ms >= 10:
        return Text(f"{ms:.0f}")
    return decimal(ms, 1 if ms >= 1 else 2)
