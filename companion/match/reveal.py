"""The reveal of secrets: the drum, the one frame that shows all of it, and what waits until that was seen.

It only shows what is committed already, and does not delay what anybody presses.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.core.clock import Later, PlanningClock
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.rules import State
from companion.display.frame import Beat

HOLD_NS: Final = 3_000_000_000
"""How long what was revealed is held before what follows from it is shown."""

NEVER_NS: Final = 1 << 62

Stays = Callable[[int], int]
"""How long something is shown at a table that usually is shown so long, both in nanoseconds."""


class Reveal:
    """How far the showing of the newest reveal is, and what waits until it was seen.

    It is `on` while its `beat` is not that of a calm match; `stays` says how long it is held. `before` is the
    position before it. While `hidden`, nobody can have seen the newest position; then `seen_ns` is since when it
    could be seen.
    """

    def __init__(self, clock: PlanningClock, drum_ns: int, stays: Stays = int) -> None:
        self.beat, self.on = Beat.CALM, False
        self.before: State | None = None
        self.hidden = False
        self.seen_ns = -1
        self.asked_ns = 0
        self.fresh = False
        self._entries = self._length = 0
        self._clock = clock
        self._drum_ns = drum_ns
        self._stays = stays
        self._plans = Later(clock)
        self._lamps: dict[Seat, Callable[[], None]] = {}
        self._sounds: list[Callable[[], None]] = []
        self._robots: list[tuple[int, Callable[[], None]]] = []

    def meant(self, t_ns: int) -> bool:
        """Tell whether what was pressed at a moment, at the latest, can be meant for the newest position."""
        return not self.hidden and t_ns >= self.seen_ns

    def begin(self, match: Match) -> None:
        """Hold back the last step of a match, which reveals something."""
        self._plans.drop()
        self._length = match.length
        self.before, self._entries = match.before(match.length), len(match.entries)
        self.beat, self.on, self.hidden, self.fresh = Beat.DRUM, True, True, True

    def correct(self, match: Match) -> None:
        """Go on holding back a reveal that nobody has seen, where a correction has left one in its place."""
        if self.hidden and match.length == self._length and match.releases(match.length):
            self.before, self._entries = match.before(match.length), len(match.entries)

    def shows(self, match: Match) -> bool:
        """Tell whether the newest position is still the one that was revealed last."""
        return len(match.entries) == self._entries

    def roll(self, turn: Callable[[], None]) -> bool:
        """Roll the drum, then `turn` the picture over; tell whether there is a drum."""
        self.fresh = False
        if self._drum_ns:
            self._plans.after(self._drum_ns, turn)
        return self._drum_ns > 0

    def turn(self) -> None:
        """Ask for the one frame that shows it all; a drum that still rolls after a pause ends with that."""
        self._plans.drop()
        self.beat, self.on, self.asked_ns = Beat.REVEALED, True, self._clock.now_ns()

    def seen(self, t_ns: int, end: Callable[[], None]) -> None:
        """Switch what has waited: the frame could be seen since `t_ns`; `end` it when it was held long enough."""
        self._switch(t_ns)
        self._plans.after(t_ns + self._stays(HOLD_NS) - self._clock.now_ns(), end)

    def end(self) -> None:
        """Go on: its position is shown long enough, or another one is."""
        if not self.on:
            return
        self._plans.drop()
        self.beat, self.on, self.fresh, self.before = Beat.CALM, False, False, None
        if self.hidden:
            self._switch(self._clock.now_ns())
        waiting, self._robots = self._robots, []
        for after_ns, action in waiting:
            self._clock.at(self._clock.now_ns() + after_ns, action)

    def light(self, seat: Seat, act: Callable[[], None]) -> None:
        """Switch a lamp, once the position that it belongs to can be seen."""
        if self.hidden:
            self._lamps[seat] = act
        else:
            act()

    def sound(self, act: Callable[[], None]) -> None:
        """Sound something, once what it belongs to can be seen."""
        if self.hidden:
            self._sounds.append(act)
        else:
            act()

    def hush(self) -> None:
        self._sounds.clear()

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Plan what a robot does: as long after the end of a reveal as it would have been after a move."""
        if self.on:
            self._robots.append((max(0, t_ns - self._clock.now_ns()), action))
        else:
            self._clock.at(t_ns, partial(self._act, action))

    def _act(self, action: Callable[[], None]) -> None:
        if self.on:
            self._robots.append((0, action))
        else:
            action()

    def _switch(self, seen_ns: int) -> None:
        """Do what has waited until the newest position could be seen."""
        self.hidden, self.seen_ns = False, seen_ns
        lamps, self._lamps = self._lamps, {}
        sounds, self._sounds = self._sounds, []
        # Seat by seat: the order in which they were held back could tell of a reveal that nobody saw.
        for act in (*(lamps[seat] for seat in sorted(lamps)), *sounds):
            act()
