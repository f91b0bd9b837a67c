"""The reveal of secrets: the drum, the frame that shows everything, and what waits for that frame.

A reveal is already durable, and delays no press.
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
"""Scales a display time in nanoseconds."""


class Reveal:
    """The newest reveal and everything that waits for it.

    `on` means that `beat` is not CALM. `before` is the position before the reveal. `hidden` is True until its frame
    was visible, at `seen_ns`. `stays` scales the hold.
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
        """Return True if a press at `t_ns` at the latest may be an answer to the newest position."""
        return not self.hidden and t_ns >= self.seen_ns

    def begin(self, match: Match) -> None:
        self._plans.drop()
        self._length = match.length
        self.before, self._entries = match.before(match.length), len(match.entries)
        self.beat, self.on, self.hidden, self.fresh = Beat.DRUM, True, True, True

    def correct(self, match: Match) -> None:
        """Continue if a correction has replaced an unseen reveal by another one."""
        if self.hidden and match.length == self._length and match.releases(match.length):
            self.before, self._entries = match.before(match.length), len(match.entries)

    def shows(self, match: Match) -> bool:
        return len(match.entries) == self._entries

    def roll(self, turn: Callable[[], None]) -> bool:
        """Roll the drum, then call `turn`. Return False without a drum."""
        self.fresh = False
        if self._drum_ns:
            self._plans.after(self._drum_ns, turn)
        return self._drum_ns > 0

    def turn(self) -> None:
        self._plans.drop()
        self.beat, self.on, self.asked_ns = Beat.REVEALED, True, self._clock.now_ns()

    def seen(self, t_ns: int, end: Callable[[], None]) -> None:
        """Release what waits for the frame, which was visible from `t_ns` on. Call `end` after the hold."""
        self._switch(t_ns)
        self._plans.after(t_ns + self._stays(HOLD_NS) - self._clock.now_ns(), end)

    def end(self) -> None:
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
        if self.hidden:
            self._lamps[seat] = act
        else:
            act()

    def sound(self, act: Callable[[], None]) -> None:
        if self.hidden:
            self._sounds.append(act)
        else:
            act()

    def hush(self) -> None:
        self._sounds.clear()

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Plan a robot's action. While a reveal is held, the delay begins at its end."""
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
        self.hidden, self.seen_ns = False, seen_ns
        lamps, self._lamps = self._lamps, {}
        sounds, self._sounds = self._sounds, []
        # Sorted by seat, since the order of the plans could leak a reveal that was undone unseen.
        for act in (*(lamps[seat] for seat in sorted(lamps)), *sounds):
            act()
