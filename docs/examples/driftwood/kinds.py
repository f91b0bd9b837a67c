"""The kinds of events that Driftwood tells, each with its facts."""

from typing import NamedTuple

from companion.core.move import Seat
from companion.core.rules import Ranking


class Wash(NamedTuple):
    """The sea brings a find."""

    find: str
    worth: int
    rocks: bool


class Tie(NamedTuple):
    """These seats called at the same time."""

    seats: tuple[Seat, ...]


class Ebb(NamedTuple):
    """Nobody called."""


class Throw(NamedTuple):
    """The seat has locked a throw."""


class Retract(NamedTuple):
    """The seat takes its throw back."""


class Reveal(NamedTuple):
    """What each seat has thrown."""

    throws: tuple[int, ...]


class Sunk(NamedTuple):
    """Nobody threw the most stones alone: the find is lost."""


class Found(NamedTuple):
    """The seat has a find that is worth something, and now so many points."""

    find: str
    points: int


class Pinched(NamedTuple):
    """The seat has called something that costs points, and now has so many."""

    find: str
    points: int


class Over(NamedTuple):
    """The bag is empty."""

    ranking: Ranking
