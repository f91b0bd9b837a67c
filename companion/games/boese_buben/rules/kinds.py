"""The kinds of events that Böse Buben tells, in the order of docs/headless.md, each with its facts."""

from typing import NamedTuple

from companion.core.move import Seat
from companion.core.rules import Ranking


class Ready(NamedTuple):
    """Everybody has so many cards and ducats; there are so many lanes."""

    cards: int
    ducats: int
    lanes: int


class Handicap(NamedTuple):
    """The seat gets so many ducats more from the bank at the start."""

    ducats: int


class Race(NamedTuple):
    """This race begins, with the seat."""

    race: int


class Played(NamedTuple):
    """The seat places a card."""

    card: str
    lane: int


class Falls(NamedTuple):
    """The oldest card of a track, the seat's, falls into the penalty zone."""

    card: str
    lane: int


class Skips(NamedTuple):
    """The seat has no card that could be placed."""


class Exchanged(NamedTuple):
    """Austausch by the seat: two cards change places, each with its owner and the lane it came from.

    `mud` tells of each whether it lay in the penalty zone, where one of them did.
    """

    cards: tuple[str, ...]
    seats: tuple[Seat, ...]
    lanes: tuple[int, ...]
    mud: tuple[bool, ...] | None = None


class Thrown(NamedTuple):
    """Rauswurf: a card of the seat goes to the penalty zone."""

    card: str
    lane: int


class Reward(NamedTuple):
    """The bank pays the seat for a Rauswurf."""

    ducats: int


class Reordered(NamedTuple):
    """Rängelei by the seat: the track now, oldest first, with the owners."""

    lane: int
    cards: tuple[str, ...]
    seats: tuple[Seat, ...]


class Declined(NamedTuple):
    """The seat leaves the action."""


class RaceEnd(NamedTuple):
    """The seat has ended the race."""

    race: int


class EarlyEnd(NamedTuple):
    """Nobody can place a card: the race is over."""

    race: int


class Mc(NamedTuple):
    """The seat takes an MC card; now the seat has so many."""

    cards: int


class FreeRight(NamedTuple):
    """The seat may take back `one` card for nothing, or `all`."""

    cards: str


class McMoved(NamedTuple):
    """Schiebung by the seat: an MC card goes from `source` to the one of `seats`, who now has so many."""

    source: Seat
    seats: tuple[Seat, ...]
    cards: int


class Lane(NamedTuple):
    """What a lane paid to the seat; without one to nobody.

    `why` is `sum`, `cards` (equal sums), `empty`, `zero` (alone), `colour` (only one) or `tie`.
    """

    lane: int
    why: str
    ducats: int


class BankEmpty(NamedTuple):
    """The bank owes from now on."""


class Bought(NamedTuple):
    """The seat buys a penalty card back, for 0 where it is a zero or by a Kostenlos."""

    card: str
    lane: int
    ducats: int


class Left(NamedTuple):
    """The seat did not buy its penalty card back."""

    card: str
    lane: int


class Removed(NamedTuple):
    """So many penalty cards leave the game."""

    cards: int


class McPaid(NamedTuple):
    """The seat pays for its MC cards."""

    cards: int
    ducats: int


class McUnpaid(NamedTuple):
    """The seat cannot pay for them."""

    cards: int
    ducats: int


class Over(NamedTuple):
    """The match is over.

    `reason` is `ducats` (the most), `cards` (equal ducats, more points in hand), `cards_and_tracks`, `shared`,
    `debt`, `shared_debt` or `all_last` (nobody could pay).
    """

    ranking: Ranking
    purses: tuple[int, ...]
    reason: str
