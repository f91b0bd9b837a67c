"""The house rules, box and position of Büro Crazy."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import mul
from typing import Final, NamedTuple

from companion.core.handicaps import handicap
from companion.core.move import Seat
from companion.core.options import option
from companion.core.text import msg, seat_name
from companion.games.buro_crazy.rules.change import Cards

SEATS: Final = range(3, 6)  # BC-R1


def _handicap(number: int) -> int:
    seat = seat_name(number - 1)
    return handicap(
        msg("extra points for {seat} at the start, in cards from the stock", seat=seat),
        label=msg("Handicap, {seat} (points)", seat=seat),
        badge=lambda n: msg("+{n} point", "+{n} points", n=n),
        maximum=30,
        steps=(5, 10, 15, 20, 30),
    )


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/buro_crazy.md, "House rules")."""

    tracking: str = option(
        "cards",
        msg("the companion tracks every card, or only points, and people make change themselves"),
        choices={"cards": msg("every card"), "points": msg("only points")},
        label=msg("Tracked"),
        ours=True,
    )
    kitchen_adjust: str = option(
        "exact",
        msg("before each floor the kitchen is set to its target, or only topped up to it"),
        choices={"exact": msg("set to its target"), "top_up": msg("topped up to it")},
        label=msg("Kitchen"),
    )
    tie_rounding: str = option(
        "up",
        msg("half of an odd bid that is lost in a tie is rounded up or down"),
        choices={"up": msg("rounded up"), "down": msg("rounded down")},
        label=msg("Odd half"),
    )
    change: str = option(
        "stock_and_roof",
        msg("if no cards fit an amount, change comes from the stock, then the roof, or the amount is rounded"),
        choices={"stock_and_roof": msg("stock, then roof"), "none": msg("none")},
        label=msg("Change"),
    )
    zero_tie_limit: int = option(
        0,
        msg("how many ties at 0 in a row before a coin decides; 0: never"),
        minimum=0,
        maximum=99,
        steps=(0, 1, 2, 3, 5),
        label=msg("Coin after ties at 0"),
        words={0: msg("never")},
    )
    bid_entry: str = option(
        "cards",
        msg("a bid is entered card by card, or as a total of points"),
        choices={"cards": msg("card by card"), "total": msg("as a number")},
        label=msg("Bids"),
        ours=True,
    )
    refill: str = option(
        "stock",
        msg("the kitchen is filled from the stock, or from the roof, and the stock leaves the game"),
        choices={"stock": msg("from the stock"), "roof": msg("from the roof")},
        label=msg("Refill"),
    )
    forfeit_short: str = option(
        "climbs",
        msg("a figure alone on the stairs whose owner cannot pay 10 climbs for all they have, or stays for free"),
        choices={"climbs": msg("climbs"), "stays": msg("stays")},
        label=msg("Too poor to pay 10"),
    )
    equal_end: str = option(
        "figures",
        msg("with equal points and equally high figures, more figures high up decide, or the place is shared"),
        choices={"figures": msg("figures"), "shared": msg("shared")},
        label=msg("Equal points"),
    )
    handicap_1: int = _handicap(1)
    handicap_2: int = _handicap(2)
    handicap_3: int = _handicap(3)
    handicap_4: int = _handicap(4)
    handicap_5: int = _handicap(5)


class Box(NamedTuple):
    """The contents of the box: cards by value, figures by colour.

    `per_player` are the figures of each with 3, 4 and 5 players, `targets` the points of the kitchen by floor,
    `shares` the piles of the boss, the challenger and a semi-finalist.
    """

    values: Cards
    deck: Cards
    hand: Cards
    kitchen: Cards
    targets: tuple[int, ...]
    colours: tuple[str, ...]
    figures: tuple[int, ...]
    per_player: tuple[int, ...]
    piles: int
    shares: tuple[int, ...]
    forfeit: int

    def fits(self, colour: int, seats: int) -> bool:
        """Return True if a colour has enough figures for a match of `seats` (BC-A29)."""
        return self.figures[colour] >= figures_each(self, seats)


class Phase(StrEnum):
    """The phases of a match."""

    SETUP = "setup"  # colours are chosen, figures are placed
    BID = "bid"  # two seats bid
    COIN = "coin"  # a coin must decide a pair
    ROOF = "roof"  # the roof is dealt, or final totals are reported
    OVER = "over"


class Terms(NamedTuple):
    """The parts of a position that never change.

    `by_cards` is True if every card is tracked, not only points; `values` are those of the tracked cards.
    """

    box: Box
    rulings: Rulings
    seats: int
    by_cards: bool
    values: Cards


class Result(NamedTuple):
    """The last comparison of two bids.

    `winner` is NOBODY after a tie, until a coin decides. `losses` went to the roof; `gain` came from the kitchen,
    as the cards `paid`.
    """

    pair: str
    seats: tuple[Seat, ...]
    bids: tuple[Cards, ...]
    totals: tuple[int, ...]
    winner: Seat
    losses: tuple[int, ...]
    gain: int
    paid: Cards = ()


class State(NamedTuple):
    """A position.

    * `board`: the seat on each space; `step`: the index in ORDER.
    * `duel`: the seats of the current pair; `bids`: what they have locked.
    * `attempt`: counts the bids of a duel from 1; `zeros`: its zero ties in a row.
    * `told`: the house's count of the roof if only points are tracked, else 0.
    * `due`: owners of the roof cards in dealing order; `dealt`: how many are dealt.
    * `reports`: keyed final points.
    """

    terms: Terms
    phase: Phase
    colours: tuple[int, ...]
    board: tuple[Seat, ...]
    step: int
    duel: tuple[Seat, ...]
    attempt: int
    zeros: int
    kitchen: Cards
    stock: Cards
    told: int
    last: Result | None
    reports: tuple[int | None, ...]
    due: tuple[Seat, ...]
    hands: tuple[Cards, ...]
    roof: Cards
    dealt: int
    bids: tuple[Cards | None, ...]


NO_BIDS: Final[tuple[Cards | None, ...]] = (None, None)


def by_cards(rulings: Rulings) -> bool:
    return rulings.tracking == "cards"


def by_total(rulings: Rulings) -> bool:
    """Return True if bids are keyed as points."""
    return rulings.bid_entry == "total" or not by_cards(rulings)


def figures_each(box: Box, seats: int) -> int:
    """Return the number of figures per player (BC-R1)."""
    return box.per_player[seats - SEATS[0]]


def bid_verb(rulings: Rulings) -> str:
    return "commit" if by_cards(rulings) else "total"


def roof_cards(state: State) -> int:
    """Return the number of cards on the roof, as counted by the house if only points are tracked."""
    return sum(state.roof) if state.terms.by_cards else state.told


def roof_counted(state: State) -> bool:
    """Return True if the number of cards on the roof is known. It must not depend on their worth, a secret."""
    return state.terms.by_cards or state.told > 0 or state.last is None


def still_counted(state: State, roof: Cards) -> int:
    """Return the house's count of the roof; 0 if the roof has changed."""
    return state.told if roof == state.roof else 0


def card_values(cards: Cards, values: Cards) -> tuple[int, ...]:
    """Return the cards' values, highest first; () if only points are tracked."""
    if len(values) == 1:
        return ()
    return sum(map(mul, _singles(values), reversed(cards)), ())


@cache
def _singles(values: Cards) -> tuple[tuple[int, ...], ...]:
    return tuple((value,) for value in reversed(values))


def bid_of(state: State, seat: Seat) -> Cards | None:
    return state.bids[state.duel.index(seat)]
