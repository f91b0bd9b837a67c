"""The kinds of events that Dé et Boulanger tells, in the order of docs/headless.md, each with its facts."""

from typing import NamedTuple

from companion.core.move import Seat
from companion.core.rules import Ranking


class Bakery(NamedTuple):
    """The seat has the bakery on this side."""

    side: str


class Tiles(NamedTuple):
    """The seat has laid out this row."""

    tiles: tuple[str, ...]


class StartRolls(NamedTuple):
    """The set-up is over: all roll for the first turn."""


class Handicap(NamedTuple):
    """The seat has so many sous more in the cash box at the start."""

    sous: int


class StartRoll(NamedTuple):
    """The seat rolled this."""

    die: int


class StartAgain(NamedTuple):
    """These rolled the highest and roll again."""

    seats: tuple[Seat, ...]


class First(NamedTuple):
    """The seat has the first turn; the order of play."""

    seats: tuple[Seat, ...]


class Round(NamedTuple):
    """This round of so many begins."""

    round: int
    of: int


class Errands(NamedTuple):
    """Everybody moves at the same time, where only trades are keyed."""


class Turn(NamedTuple):
    """The seat is next, for this one of so many rolls of the round."""

    series: int
    of: int


class Load(NamedTuple):
    """The seat puts sous onto its pawn, and has so many left."""

    sous: int
    cash: int


class Unload(NamedTuple):
    """The seat puts these into laboratory and cash box, also after the last roll."""

    flour: int
    water: int
    butter: int
    sous: int


class Flour(NamedTuple):
    """The seat buys so many at a mill."""

    n: int
    sous: int


class Butter(NamedTuple):
    """The seat buys so many at a farm."""

    n: int
    sous: int


class Water(NamedTuple):
    """The seat takes so many at the fountain."""

    n: int
    sous: int


class Roll(NamedTuple):
    """The seat may take so many steps."""

    die: int


class Step(NamedTuple):
    """The seat came to this square; so many steps are left.

    `at` is `plain`, `mill`, `farm`, `fountain` or `shop`.
    """

    to: str
    at: str
    steps: int


class Home(NamedTuple):
    """The seat ends its day, 1 when back in the shop, else 0; where only trades are keyed."""

    home: int


class Stay(NamedTuple):
    """The seat stays at home, and rolls no more in this round's walks."""


class Bonus(NamedTuple):
    """The seat is paid for being home."""

    sous: int
    cash: int


class Carried(NamedTuple):
    """The seat is not home and is carried there."""


class Production(NamedTuple):
    """All pawns are at home: everybody bakes."""


class Bake(NamedTuple):
    """The seat has baked this, and has so much left in the laboratory."""

    bread: int
    croissant: int
    flour: int
    water: int
    butter: int


class Validate(NamedTuple):
    """The seat has finished baking."""


class Selling(NamedTuple):
    """All have finished baking: the sales begin."""


class Sale(NamedTuple):
    """The marker of the seat goes to this tile."""

    die: int
    tile: str


class Sold(NamedTuple):
    """The seat sells this."""

    bread: int
    croissant: int
    sous: int
    cash: int


class Incident(NamedTuple):
    """The incident of the seat is a `flood`, an `earthquake` or a `gift`."""

    die: int
    effect: str


class Ruined(NamedTuple):
    """This is lost from the laboratory of the seat."""

    flour: int
    water: int
    butter: int


class Gift(NamedTuple):
    """The seat gives away so many."""

    sous: int
    cash: int


class Lost(NamedTuple):
    """These products of the seat are lost, sold by nobody."""

    bread: int
    croissant: int


class TileUsed(NamedTuple):
    """The tile of the seat is taken away, the marker stands on the next."""

    tile: str
    marker: str


class Over(NamedTuple):
    """The match is over, with so many sous in each cash box."""

    ranking: Ranking
    cash: tuple[int, ...]
