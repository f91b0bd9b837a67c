"""Reminds people whose turn it is: first by lamp and strip, later by a sound; once in each position."""

from collections.abc import Callable
from typing import Final

from companion.config.sections import PaceOptions
from companion.core.clock import PlanningClock
from companion.core.move import Seat

SECOND_NS: Final = 1_000_000_000


class Reminders:
    """Who is being reminded, and when whom; `waited_for` tells which seats all others wait for now.

    That has to be public: what a seat has typed so far must not be told by when its lamp blinks. `lamps` takes the
    seats that are reminded whenever they change, `changed` is called when nothing else has changed the picture.
    """

    def __init__(
        self,
        clock: PlanningClock,
        *,
        waited_for: Callable[[], frozenset[Seat]],
        sound: Callable[[], None],
        lamps: Callable[[frozenset[Seat]], None],
        changed: Callable[[], None],
    ) -> None:
        self.seats: frozenset[Seat] = frozenset()
        self._clock = clock
        self._waited_for = waited_for
        self._sound = sound
        self._lamps = lamps
        self._changed = changed
        self._awake: set[Seat] = set()
        self._number = 0

    def begin(self, pace: PaceOptions) -> None:
        """Begin to count: a position is shown that may wait for somebody; 0 seconds: never reminded that way."""
        self._number += 1
        if self.seats:
            self._remind(frozenset())
        self._awake.clear()
        self._later(pace.nudge_s, self._nudge)
        self._later(pace.sound_s, self._call)

    def pressed(self, seat: Seat) -> None:
        """Leave a seat alone in this position: it has done something."""
        self._awake.add(seat)
        if seat in self.seats:
            self._remind(self.seats - {seat})

    def end(self) -> None:
        """Remind nobody, until another position is shown."""
        self._number += 1
        self._remind(frozenset())

    def _nudge(self) -> None:
        self._remind(self._waited_for() - self._awake)
        if self.seats:
            self._changed()

    def _call(self) -> None:
        if self._waited_for():
            self._sound()

    def _remind(self, seats: frozenset[Seat]) -> None:
        if seats != self.seats:
            self.seats = seats
            self._lamps(seats)

    def _later(self, after_s: int, action: Callable[[], None]) -> None:
        number = self._number
        if after_s:
            at_ns = self._clock.now_ns() + after_s * SECOND_NS
            self._clock.at(at_ns, lambda: action() if number == self._number else None)
