"""The kinds of events that Büro Crazy tells, in the order of docs/headless.md, each with its facts."""

from typing import NamedTuple

from companion.core.move import Seat
from companion.core.rules import Ranking
from companion.games.buro_crazy.rules.change import Cards


class Colour(NamedTuple):
    """The seat plays figures of this colour."""

    colour: str


class Placed(NamedTuple):
    """The figures of `seats` stand on the stairs, from the left."""

    seats: tuple[Seat, ...]


class Dealt(NamedTuple):
    """Everybody has so many cards, worth so much."""

    cards: int
    points: int


class Handicap(NamedTuple):
    """The seat gets cards worth so many points more from the stock at the start."""

    points: int
    cards: Cards


class Kitchen(NamedTuple):
    """A floor begins, and the kitchen has `points`, `change` more than before.

    Where it was set: the cards `added` from the stock, those from the roof and their points, those `removed`. These
    go to the stock; with less than no points from the roof, or beside cards from it, they go there.
    """

    floor: str
    points: int
    target: int
    change: int
    added: Cards | None = None
    from_roof: Cards | None = None
    roof_points: int | None = None
    removed: Cards | None = None


class Duel(NamedTuple):
    """These two bid, the left one first; after ties again."""

    pair: str
    seats: tuple[Seat, ...]
    attempt: int


class Locked(NamedTuple):
    """The seat has locked a bid."""


class Unlocked(NamedTuple):
    """The seat has opened it again."""


class Reveal(NamedTuple):
    """Both bids, their cards and their points."""

    pair: str
    seats: tuple[Seat, ...]
    bids: tuple[Cards, Cards]
    totals: tuple[int, int]


class Up(NamedTuple):
    """A figure of the seat goes up to another pair's place, or to `B`, the boss suite."""

    pair: str
    to: str


class Discard(NamedTuple):
    """The bid of the seat goes to the roof."""

    points: int
    cards: Cards


class Gain(NamedTuple):
    """The kitchen pays the seat so much of what is due."""

    points: int
    due: int
    cards: Cards


class Swap(NamedTuple):
    """Cards are changed with the `stock` or the `roof`, by the `kitchen`, the `stock` or a `hand`.

    A hand is the seat's, and only that seat is told.
    """

    payer: str
    given: Cards
    taken: Cards
    pile: str


class Tie(NamedTuple):
    """Both bid so much, and each owes half of it."""

    seats: tuple[Seat, ...]
    points: int
    half: int


class Loss(NamedTuple):
    """The seat puts so much of what is due, in `n` cards, on the roof; more only where it does not fit."""

    points: int
    due: int
    n: int


class LostCards(NamedTuple):
    """The seat has lost these cards; only that seat is told."""

    cards: Cards


class Toss(NamedTuple):
    """A coin has to decide."""

    seats: tuple[Seat, ...]


class Coin(NamedTuple):
    """The coin falls for the seat."""


class Forfeit(NamedTuple):
    """Nobody is there to fight the seat, and this is due of what it has; its loss tells what was paid."""

    pair: str
    points: int


class Stays(NamedTuple):
    """Nobody is there to fight the seat, which cannot pay what is due and stays."""

    pair: str
    due: int


class Alone(NamedTuple):
    """The other figure of this pair stayed on the stairs, and the seat's goes up for nothing."""

    pair: str


class OwnPair(NamedTuple):
    """Both figures belong to the seat, and one goes up."""

    pair: str


class Piles(NamedTuple):
    """The roof has so many cards, each pile gets `each`; these seats get so many piles.

    They come in the order in which the piles are dealt, a seat perhaps twice.
    """

    seats: tuple[Seat, ...]
    piles: tuple[int, ...]
    cards: int
    each: int


class Counted(NamedTuple):
    """The house has counted the roof."""

    cards: int


class Reported(NamedTuple):
    """The seat has keyed all points."""


class Outside(NamedTuple):
    """The seat has no figure inside and cannot win."""


class Over(NamedTuple):
    """The match is over; `points` are those of each seat."""

    ranking: Ranking
    points: tuple[int, ...]
