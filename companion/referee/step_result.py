"""What a referee returns: durable steps of a match, to be presented; and why a match waits."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from companion.core.console import Lamp
from companion.core.event import Event
from companion.core.move import TABLE, Seat


class StepResult(NamedTuple):
    """One step: first its lamps are switched, then its events are told, then the position is shown.

    `made`: the journal has an entry for it. `shows`: the position is new, or shown again after a pause. `reacts`:
    robots decide what to do.
    """

    t_ns: int
    events: tuple[Event, ...] = ()
    lamps: tuple[tuple[Seat, Lamp], ...] = ()
    made: bool = False
    shows: bool = False
    reacts: bool = False


class Reason(StrEnum):
    """Why a match waits."""

    HOUSE = "house"
    UNPLUGGED = "unplugged"
    UNDO = "undo"


class Pause(NamedTuple):
    """A reason to wait; `seat` is the one whose device is unplugged, TABLE for the house."""

    reason: Reason
    seat: Seat = TABLE

    @property
    def about(self) -> Seat | None:
        return None if self.seat == TABLE else self.seat


class Steps:
    """The steps made since the referee last returned some, and the time `now_ns` at which it makes more."""

    def __init__(self) -> None:
        self.now_ns = 0
        self._steps: list[StepResult] = []

    def add(
        self,
        *told: Event,
        lamps: Sequence[tuple[Seat, Lamp]] = (),
        made: bool = False,
        shows: bool = False,
        reacts: bool = False,
    ) -> None:
        """Add one step that is durable."""
        self._steps.append(StepResult(self.now_ns, told, tuple(lamps), made, shows, reacts))

    def take(self) -> list[StepResult]:
        """Return the steps, oldest first, each once."""
        steps, self._steps = self._steps, []
        return steps
