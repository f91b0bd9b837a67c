"""Views: what each seat and the public may see."""

from typing import NamedTuple

from companion.core.move import TABLE, Move, Seat
from companion.core.rules import Outcome
from companion.games.boese_buben.rules.bribery import price_asked
from companion.games.boese_buben.rules.cards import (
    CARDS,
    Card,
    LaneResult,
    Tracks,
    indexes_of,
)
from companion.games.boese_buben.rules.components import Box, Phase, Rulings, State, asked_card
from companion.games.boese_buben.rules.end import outcome
from companion.games.boese_buben.rules.legality import legal


class View(NamedTuple):
    """A view of a position. `you` is its seat, None for the public view.

    `hand`, `purse` and `moves` are the seat's own. `purses` and `hands` are () until the match is over. `card` is
    the penalty card in question and `price` the price of a yes.
    """

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: Phase
    race: int
    mover: Seat
    starter: Seat
    last: Card
    tracks: Tracks
    zones: Tracks
    counts: tuple[int, ...]
    mc: tuple[int, ...]
    asked: tuple[int, int]
    card: Card
    price: int
    free: Seat
    results: tuple[LaneResult, ...]
    out: int
    unpaid: tuple[Seat, ...]
    hand: tuple[Card, ...]
    purse: int | None
    moves: tuple[Move, ...]
    hands: Tracks
    purses: tuple[int, ...]
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    """Return the view of a seat, or the public view, without secrets of others."""
    seat = None if seat == TABLE else seat
    books, over = state.books, state.phase == Phase.OVER
    hands = tuple(
        tuple(player * CARDS + index for index in indexes_of(hand)) for player, hand in enumerate(state.hands)
    )
    card = asked_card(state.zones, state.asked)
    return View(
        you=seat,
        box=state.terms.box,
        rulings=state.terms.rulings,
        phase=state.phase,
        race=books.race,
        mover=state.mover,
        starter=books.starter,
        last=state.last,
        tracks=state.tracks,
        zones=state.zones,
        counts=tuple(map(len, hands)),
        mc=books.mc,
        asked=state.asked,
        card=card,
        price=price_asked(state),
        free=books.free,
        results=books.results,
        out=len(books.out),
        unpaid=books.unpaid,
        hand=() if seat is None else hands[seat],
        purse=None if seat is None else books.purses[seat],
        moves=() if seat is None else tuple(legal(state, seat)),
        hands=hands if over else (),
        purses=books.purses if over else (),
        outcome=outcome(state),
    )
