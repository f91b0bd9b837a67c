"""Results of a referee: durable steps to present, and why a match waits."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from companion.core.console import Lamp
from companion.core.event import Event
from companion.core.move import TABLE, Seat


class StepResult(NamedTuple):
    """A step to present: first its lamps, then its events, then its position.

    `made`: it has a journal entry. `shows`: the position is new, or shown again after a pause. `reacts`: robots may
    act.
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
    """The steps since the referee last returned some."""

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
        self._steps.append(StepResult(self.now_ns, told, tuple(lamps), made, shows, reacts))

    def take(self) -> list[StepResult]:
        steps, self._steps = self._steps, []
        return steps
