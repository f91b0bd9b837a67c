"""Reminds people whose turn it is: first by lamp and strip, later by a sound; once in each position."""

from collections.abc import Callable

from companion.config.sections import PaceOptions
from companion.core.clock import Later, PlanningClock
from companion.core.move import Seat
from companion.core.units import SECOND


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
        self._plans = Later(clock)
        self._waited_for = waited_for
        self._sound = sound
        self._lamps = lamps
        self._changed = changed
        self._awake: set[Seat] = set()

    def begin(self, pace: PaceOptions) -> None:
        """Begin to count: a position is shown that may wait for somebody; 0 seconds: never reminded that way."""
        self._plans.drop()
        if self.seats:
            self._remind(frozenset())
        self._awake.clear()
        for after_s, action in ((pace.nudge_s, self._nudge), (pace.sound_s, self._call)):
            if after_s:
                self._plans.after(after_s * SECOND, action)

    def pressed(self, seat: Seat) -> None:
        """Leave a seat alone in this position: it has done something."""
        self._awake.add(seat)
        if seat in self.seats:
            self._remind(self.seats - {seat})

    def end(self) -> None:
        self._plans.drop()
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
