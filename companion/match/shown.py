"""What is read of a session by what tells seats and house what they may do: its parts, and nothing that acts."""

from typing import Protocol

from companion.core.console import Console
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import Place
from companion.core.rules import State
from companion.match.news import News
from companion.match.orders import Orders
from companion.match.rekeying import Rekeying
from companion.match.reveal import Reveal
from companion.referee.referee import Referee


class Shown(Protocol):
    """A match at a table as it is shown now."""

    match: Match
    referee: Referee
    console: Console
    reveal: Reveal
    news: News
    orders: Orders | None
    rekeying: Rekeying | None
    places: tuple[Place, ...]
    people: frozenset[Place]
    left: bool

    @property
    def state(self) -> State:
        """The position that is shown."""

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who may move in it, or has to turn the next card."""
