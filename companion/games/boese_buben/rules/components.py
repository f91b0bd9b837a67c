"""The house rules, the box and the position of Böse Buben."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from companion.core.event import EventFacts, event
from companion.core.handicaps import handicap
from companion.core.move import Seat
from companion.core.options import option
from companion.core.text import msg, seat_name
from companion.core.verbs import Told
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NO_CARD,
    Action,
    Card,
    LaneResult,
    Tracks,
    card_text,
    owner,
)

FURTHER_MC: Final = 3
"""Cost of each MC card beyond the price list (BB-A15)."""

LEAVE, BUY, FREE = range(3)
"""Answers to the question about a penalty card (BB-R18, BB-R29)."""

SEATS: Final = range(2, 5)

PRIVATE: Final = frozenset({"play"})
"""Verbs whose legal moves would reveal the hand, although each move is public."""


def _handicap(number: int) -> int:
    seat = seat_name(number - 1)
    return handicap(
        msg("extra ducats for {seat} from the bank at the start", seat=seat),
        label=msg("Handicap, {seat} (ducats)", seat=seat),
        badge=lambda n: msg("+{n} ducat", "+{n} ducats", n=n),
        maximum=10,
        steps=(1, 2, 3, 4, 6, 8, 10),
    )


@dataclass(frozen=True)
class Rulings:
    """The house rules of a match (docs/rules/boese_buben.md, "Rulings")."""

    variant: str = option(
        "basic",
        msg("the basic game, or the game with action cards"),
        choices={"basic": msg("basic"), "action": msg("with actions")},
        label=msg("Game"),
    )
    monochrome_lane: str = option(
        "three",
        msg("a lane of one colour pays nothing with three cards, or with any number of cards"),
        choices={"three": msg("with three cards"), "any": msg("with any number")},
        label=msg("One colour unpaid"),
    )
    next_start: str = option(
        "after_last_play",
        msg("the next race begins left of the player who played the last card, or of the one who began this race"),
        choices={
            "after_last_play": msg("left of the last player"),
            "after_starter": msg("left of the first player"),
        },
        label=msg("Next race begins"),
    )
    kostenlos: str = option(
        "one",
        msg("Kostenlos takes back one card for free, or all your cards"),
        choices={"one": msg("one card"), "all": msg("all your cards")},
        label=msg("Kostenlos"),
    )
    rauswurf: str = option(
        "may",
        msg("Rauswurf lets you throw out a 5 or a 6, or forces you to"),
        choices={"may": msg("may throw out"), "must": msg("must throw out")},
        label=msg("Rauswurf"),
    )
    mud_counts: bool = option(
        False,
        msg("a number in the mud of a lane keeps the same number out of that lane"),
        label=msg("Mud blocks its numbers"),
    )
    austausch_mud: bool = option(
        False,
        msg("Austausch can also swap cards in the mud"),
        label=msg("Austausch in the mud"),
    )
    cannot_pay: str = option(
        "by_debt",
        msg("players who cannot pay for MC cards come last, smaller debts first, or all share last place"),
        choices={"by_debt": msg("ranked by debt"), "all_last": msg("all last")},
        label=msg("Unpaid MC cards"),
    )
    cards_left: str = option(
        "hand",
        msg("ties in ducats are decided by the cards in hand, or by those in hand and in the lanes"),
        choices={"hand": msg("cards in hand"), "hand_and_track": msg("in hand and lanes")},
        label=msg("Ties in ducats"),
    )
    handicap_1: int = _handicap(1)
    handicap_2: int = _handicap(2)
    handicap_3: int = _handicap(3)
    handicap_4: int = _handicap(4)


class Box(NamedTuple):
    """The contents of the box. `actions` and `goblins` (prices) follow NAMES.

    `ducats` is all the money; `mc_cost[n]` is the cost of n MC (master of ceremonies) cards.
    """

    actions: tuple[Action, ...]
    goblins: tuple[int, ...]
    ducats: int
    start_ducats: int
    races: int
    lane_prize: int
    mc_cards: int
    mc_cost: tuple[int, ...]
    track_limit: int
    penalty_limit: int


class Phase(StrEnum):
    """The phase of a match: the decision it is waiting for."""

    SETUP = "setup"  # the starting player
    TURN = "turn"  # a card
    ACTION = "action"  # the use of the action text just placed
    MC = "mc"  # whether to move an MC card between players
    BRIBERY = "bribery"  # whether an owner buys a card back
    OVER = "over"


TURN: Final = Phase.TURN
BRIBERY: Final = Phase.BRIBERY
"""Aliases of frequent phases: attribute lookup on the enum is slow."""


class Terms(NamedTuple):
    """The constants of a match. `actions` are all NONE in the basic game."""

    box: Box
    rulings: Rulings
    seats: int
    actions: tuple[Action, ...]


class Books(NamedTuple):
    """Values that change between races.

    `free` may take a card back for free; `out` are cards that left the game; `unpaid` could not pay at the end.
    """

    race: int
    starter: Seat
    purses: tuple[int, ...]
    bank: int
    mc: tuple[int, ...]
    free: Seat
    results: tuple[LaneResult, ...]
    out: tuple[Card, ...]
    unpaid: tuple[Seat, ...]


class State(NamedTuple):
    """A position.

    `hands` are bit sets of indexes. `last` is the latest card of this race. `asked` is the (lane, place) of the
    penalty card in question, or NOT_ASKED.
    """

    terms: Terms
    books: Books
    phase: Phase
    mover: Seat
    last: Card
    tracks: Tracks
    zones: Tracks
    hands: tuple[int, ...]
    asked: tuple[int, int]


NOT_ASKED: Final = (0, 0)


def is_mover(state: State, seat: Seat) -> bool:
    return seat == state.mover


def action_of(state: State) -> Action:
    return state.terms.actions[state.last % CARDS]


def mc_cost(box: Box, cards: int) -> int:
    """Return the cost of a number of MC cards (BB-R25, BB-A15)."""
    known = len(box.mc_cost) - 1
    return box.mc_cost[min(cards, known)] + FURTHER_MC * max(0, cards - known)


def barring(rulings: Rulings, tracks: Tracks, zones: Tracks) -> Tracks:
    """Return the cards whose values are barred from each lane (BB-A2)."""
    if not rulings.mud_counts:
        return tracks
    return tuple(track + zone for track, zone in zip(tracks, zones, strict=True))


def tell_card(told: Told, kind: Callable[[str, int], EventFacts], card: Card, lane: int) -> None:
    if told is not None:
        told.append(event(kind(card_text(card), lane), owner(card)))


def asked_card(zones: Tracks, asked: tuple[int, int]) -> Card:
    lane, place = asked
    return zones[lane - 1][place - 1] if lane else NO_CARD
