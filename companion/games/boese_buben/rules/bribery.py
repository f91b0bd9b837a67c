"""Bribery: owners buy their penalty cards back (BB-R18 to BB-R22)."""

from collections.abc import Sequence
from functools import cache

from companion.core.choices import Args
from companion.core.event import event
from companion.core.move import Move, Seat, SecretMove
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NOBODY,
    card_text,
)
from companion.games.boese_buben.rules.components import (
    BUY,
    FREE,
    LEAVE,
    State,
    Told,
    asked_card,
    card_event,
    with_added,
    with_nth,
)
from companion.games.boese_buben.rules.race import ask_owner


@cache
def _answers_of(seat: Seat, free: bool) -> Sequence[Move]:
    return tuple(SecretMove(seat, "answer", (said,)) for said in (BUY, LEAVE, FREE)[: 2 + free])


def answers(state: State) -> Sequence[Move]:
    return _answers_of(state.mover, state.books.free == state.mover)


def released(state: State, move: Move) -> int | None:
    """Return what everybody sees of an answer: left, bought or for nothing. Without money it is left (BB-A13)."""
    if move.verb != "answer":
        return None
    said = move.args[0]
    price = state.terms.box.goblins[asked_card(state.zones, state.asked) % CARDS]
    return LEAVE if said == BUY and state.books.purses[move.seat] < price else said


def apply_answer(state: State, args: Args) -> Told:
    (lane, place), seat, books = state.asked, state.mover, state.books
    said = released(state, Move(seat, "answer", args))
    zone = state.zones[lane - 1]
    card = zone[place - 1]
    if said == LEAVE:
        return ask_owner(state, lane, place + 1, [card_event(kinds.Left, card, lane)])
    price = 0 if said == FREE else state.terms.box.goblins[card % CARDS]
    spent = said == FREE and state.terms.rulings.kostenlos == "one"  # BB-A25
    state = state._replace(
        books=books._replace(
            purses=with_added(books.purses, seat, -price),
            bank=books.bank + price,
            free=NOBODY if spent else books.free,
        ),
        zones=with_nth(state.zones, lane, (*zone[: place - 1], *zone[place:])),
        hands=with_added(state.hands, seat, 1 << card % CARDS),
    )
    bought = event(kinds.Bought(card=card_text(card), lane=lane, ducats=price), seat)
    return ask_owner(state, lane, place, [bought])  # the next card has moved up to this place
