"""What a referee returns: steps of a match that are durable, to be presented; and why a match waits."""

from enum import StrEnum
from typing import NamedTuple

from companion.core.console import Lamp
from companion.core.event import Event
from companion.core.move import TABLE, Seat


class Happened(NamedTuple):
    """One step: first its lamps are switched, then its events are told, then the position is shown.

    `made` says that the journal has an entry of it. It `shows` when the position is new, or shown again after a
    pause; who plays by itself `reacts` to it once that was asked for.
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
    """A reason to wait; `seat` is whose device is unplugged, TABLE for what is the house's."""

    reason: Reason
    seat: Seat = TABLE

    @property
    def about(self) -> Seat | None:
        """The seat it is about; None when it is about none."""
        return None if self.seat == TABLE else self.seat
