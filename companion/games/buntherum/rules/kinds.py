"""The kinds of events that Buntherum tells, in the order of docs/headless.md, each with its facts."""

from typing import NamedTuple

from companion.core.move import Seat
from companion.core.rules import Ranking


class Youngest(NamedTuple):
    """The seat is the youngest and turns the first card."""


class First(NamedTuple):
    """The people say that the seat is the youngest: it turns the first card."""


class Lot(NamedTuple):
    """The lot fell on the seat: it turns the first card."""


class Starter(NamedTuple):
    """The first card of a row."""

    row: int
    card: str


class Laid(NamedTuple):
    """The six starters lie there, unread."""


class Dealt(NamedTuple):
    """Everybody has so many cards, so many are on the draw pile."""

    each: int
    draw_pile: int


class Next(NamedTuple):
    """The seat turns the next card, of the pile of `source`; `seats` may call it."""

    source: Seat
    seats: tuple[Seat, ...]


class Flip(NamedTuple):
    """The seat turns a card, of the pile of `source`; `seats` may call it."""

    card: str
    source: Seat
    seats: tuple[Seat, ...]


class Early(NamedTuple):
    """The seat pressed before the card, and that costs a chip."""


class Call(NamedTuple):
    """The seat has the call and owes a row."""


class Tie(NamedTuple):
    """These seats play the tie off."""

    seats: tuple[Seat, ...]


class Nobody(NamedTuple):
    """The card was called by nobody."""


class Declare(NamedTuple):
    """The seat says that the card fits into this row; 0 says impossible."""

    row: int


class Late(NamedTuple):
    """The seat named no row in time."""


class Reopen(NamedTuple):
    """The card that was called without a row is open again, for these seats."""

    seats: tuple[Seat, ...]


class Card(NamedTuple):
    """The house named the card that lies open."""

    card: str


class Read(NamedTuple):
    """The house named a card that lay unread in the row."""

    row: int
    card: str


class Right(NamedTuple):
    """What the seat has declared is true."""


class Wrong(NamedTuple):
    """What the seat has declared is not true, or came too late."""


class Placed(NamedTuple):
    """The card of the seat lies in the row now."""

    card: str
    row: int


class Under(NamedTuple):
    """The card went under the draw pile."""

    card: str


class Chip(NamedTuple):
    """The seat takes a red chip and now has so many."""

    chips: int


class Eliminated(NamedTuple):
    """The seat is out of the match; so many cards are set aside, and its chips go back."""

    cards: int


class Over(NamedTuple):
    """The match is over.

    `reason` is `last_card` (may turn the own last card), `last_placed` (placed it), `last_standing` (all others are
    out) or `empty_pile` (the draw pile is).
    """

    ranking: Ranking
    reason: str
