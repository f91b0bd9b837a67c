"""The reveal of secrets: the drum, the one frame that shows everything, and what waits until it was seen.

It only shows what is committed already, and delays no press.
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
"""How long a reveal is held before its consequences are shown."""

NEVER_NS: Final = 1 << 62

Stays = Callable[[int], int]
"""Scales a usual time on the screen, in nanoseconds."""


class Reveal:
    """The progress of the newest reveal, and what waits until it was seen.

    It is `on` while its `beat` is not CALM. `before` is the position before it. While `hidden`, nobody can have
    seen the newest position; afterwards `seen_ns` is when it became visible. `stays` scales how long it is held.
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
        """Return True if a press made at `t_ns` at the latest can be meant for the newest position."""
        return not self.hidden and t_ns >= self.seen_ns

    def begin(self, match: Match) -> None:
        """Hold back the last step of a match, which reveals secrets."""
        self._plans.drop()
        self._length = match.length
        self.before, self._entries = match.before(match.length), len(match.entries)
        self.beat, self.on, self.hidden, self.fresh = Beat.DRUM, True, True, True

    def correct(self, match: Match) -> None:
        """Keep holding back if a correction has replaced an unseen reveal by another one."""
        if self.hidden and match.length == self._length and match.releases(match.length):
            self.before, self._entries = match.before(match.length), len(match.entries)

    def shows(self, match: Match) -> bool:
        """Return True if the newest position is still the one that was revealed last."""
        return len(match.entries) == self._entries

    def roll(self, turn: Callable[[], None]) -> bool:
        """Roll the drum, then `turn` the picture over. Return False if the table has no drum."""
        self.fresh = False
        if self._drum_ns:
            self._plans.after(self._drum_ns, turn)
        return self._drum_ns > 0

    def turn(self) -> None:
        """Ask for the one frame that shows everything. It ends a drum that still rolls after a pause."""
        self._plans.drop()
        self.beat, self.on, self.asked_ns = Beat.REVEALED, True, self._clock.now_ns()

    def seen(self, t_ns: int, end: Callable[[], None]) -> None:
        """Release what has waited: the frame was visible from `t_ns` on. Call `end` after the hold."""
        self._switch(t_ns)
        self._plans.after(t_ns + self._stays(HOLD_NS) - self._clock.now_ns(), end)

    def end(self) -> None:
        """End the reveal: it was shown long enough, or another position is shown."""
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
        """Switch a lamp, once its position is visible."""
        if self.hidden:
            self._lamps[seat] = act
        else:
            act()

    def sound(self, act: Callable[[], None]) -> None:
        """Make a sound, once its position is visible."""
        if self.hidden:
            self._sounds.append(act)
        else:
            act()

    def hush(self) -> None:
        self._sounds.clear()

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Plan a robot's action: as long after the end of a reveal as it would be after a move."""
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
        """Do what has waited until the newest position was visible."""
        self.hidden, self.seen_ns = False, seen_ns
        lamps, self._lamps = self._lamps, {}
        sounds, self._sounds = self._sounds, []
        # By seat: the order in which they were held back could give away a reveal that nobody saw.
        for act in (*(lamps[seat] for seat in sorted(lamps)), *sounds):
            act()
