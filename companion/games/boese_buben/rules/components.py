"""What a match of Böse Buben is made of: the house rules, the box, and a position."""

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
"""What each master of ceremonies beyond the price list costs (BB-A15)."""

LEAVE, BUY, FREE = range(3)
"""What the owner of a penalty card can answer (BB-R18, BB-R29)."""

SEATS: Final = range(2, 5)

PRIVATE: Final = frozenset({"play"})
"""What a player could place tells the hand, although every card is played openly."""


def _handicap(number: int) -> int:
    seat = seat_name(number - 1)
    return handicap(
        msg("ducats that {seat} gets more from the bank at the start", seat=seat),
        label=msg("Handicap, {seat} (ducats)", seat=seat),
        badge=lambda n: msg("+{n} ducat", "+{n} ducats", n=n),
        maximum=10,
        steps=(1, 2, 3, 4, 6, 8, 10),
    )


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/boese_buben.md, "Rulings")."""

    variant: str = option(
        "basic",
        msg("the basic game, or the game with the action texts"),
        choices={"basic": msg("basic"), "action": msg("with the texts")},
        label=msg("Game"),
    )
    monochrome_lane: str = option(
        "three",
        msg("a lane of one colour pays nothing when it has three cards, or with any number"),
        choices={"three": msg("with three cards"), "any": msg("with any number")},
        label=msg("One colour is unpaid"),
    )
    next_start: str = option(
        "after_last_play",
        msg("the next race begins left of whoever placed the last card, or left of whoever began this race"),
        choices={
            "after_last_play": msg("left of the last player"),
            "after_starter": msg("left of the first player"),
        },
        label=msg("Next race begins"),
    )
    kostenlos: str = option(
        "one",
        msg("Kostenlos takes back one card for nothing, or all own cards"),
        choices={"one": msg("one card"), "all": msg("all own cards")},
        label=msg("Kostenlos"),
    )
    rauswurf: str = option(
        "may",
        msg("whoever lays a Rauswurf may throw out a 5 or a 6, or must"),
        choices={"may": msg("may throw out"), "must": msg("must throw out")},
        label=msg("Rauswurf"),
    )
    mud_counts: bool = option(
        False,
        msg("a number in the mud of a lane keeps the same number out of that lane"),
        label=msg("Mud bars its numbers"),
    )
    austausch_mud: bool = option(
        False,
        msg("an Austausch reaches into the mud"),
        label=msg("Austausch in the mud"),
    )
    cannot_pay: str = option(
        "by_debt",
        msg("who cannot pay for MC cards comes last, the smaller debt first, or all of them share the last place"),
        choices={"by_debt": msg("ranked by debt"), "all_last": msg("all last")},
        label=msg("Who cannot pay"),
    )
    cards_left: str = option(
        "hand",
        msg("equal ducats are decided by the cards in hand, or by those in hand and on the tracks"),
        choices={"hand": msg("cards in hand"), "hand_and_track": msg("in hand and lanes")},
        label=msg("Equal ducats"),
    )
    handicap_1: int = _handicap(1)
    handicap_2: int = _handicap(2)
    handicap_3: int = _handicap(3)
    handicap_4: int = _handicap(4)


class Box(NamedTuple):
    """What is in the box; `actions` and `goblins` (the price of a card) are in the order of NAMES.

    `ducats` is all the money there is; `mc_cost` what 0, 1, 2... masters of ceremonies cost at the end.
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
    """What the match waits for."""

    SETUP = "setup"  # who begins
    TURN = "turn"  # a card
    ACTION = "action"  # what the player does with the text of the card just placed
    MC = "mc"  # whether a master of ceremonies goes from one player to another
    BRIBERY = "bribery"  # whether an owner buys a card back
    OVER = "over"


TURN: Final = Phase.TURN
BRIBERY: Final = Phase.BRIBERY
"""The phases of most moves, by names of their own: to look a member up in its class takes time."""


class Terms(NamedTuple):
    """What stays the same through a match; `actions` are those in play, none in the basic game."""

    box: Box
    rulings: Rulings
    seats: int
    actions: tuple[Action, ...]


class Books(NamedTuple):
    """What changes from race to race: money, masters of ceremonies, and what came of the last race.

    `free` is who may take back a card for nothing, `out` what left the game, `unpaid` who could not pay at the end.
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
    """A position. `hands` are sets of indexes as bits, `last` the card placed last in this race.

    `asked` is (lane, place) of the penalty card whose owner is asked, (0, 0) while none is.
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
    """Return what stands on the card placed last."""
    return state.terms.actions[state.last % CARDS]


def mc_cost(box: Box, cards: int) -> int:
    """Return what so many masters of ceremonies cost (BB-R25, BB-A15)."""
    known = len(box.mc_cost) - 1
    return box.mc_cost[min(cards, known)] + FURTHER_MC * max(0, cards - known)


def barring(rulings: Rulings, tracks: Tracks, zones: Tracks) -> Tracks:
    """Return the cards of each lane that keep their values out of it: those on the track (BB-A2)."""
    if not rulings.mud_counts:
        return tracks
    return tuple(track + zone for track, zone in zip(tracks, zones, strict=True))


def tell_card(told: Told, kind: Callable[[str, int], EventFacts], card: Card, lane: int) -> None:
    if told is not None:
        told.append(event(kind(card_text(card), lane), owner(card)))


def asked_card(zones: Tracks, asked: tuple[int, int]) -> Card:
    """Return the penalty card asked for, NO_CARD while none is."""
    lane, place = asked
    return zones[lane - 1][place - 1] if lane else NO_CARD
