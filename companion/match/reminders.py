"""Reminds people whose turn it is, once per position: first by lamp and strip, later by a sound."""

from collections.abc import Callable

from companion.config.sections import PaceOptions
from companion.core.clock import Later, PlanningClock
from companion.core.move import Seat
from companion.core.units import SECOND


class Reminders:
    """The seats that are being reminded.

    `waited_for` must be public: the time at which a lamp blinks must not reveal what a seat has typed.
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
        """Start counting for a new position. 0 seconds switches a reminder off."""
        self._plans.drop()
        if self.seats:
            self._remind(frozenset())
        self._awake.clear()
        for after_s, action in ((pace.nudge_s, self._nudge), (pace.sound_s, self._call)):
            if after_s:
                self._plans.after(after_s * SECOND, action)

    def pressed(self, seat: Seat) -> None:
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
