"""Bribery: owners buy their penalty cards back (BB-R18 to BB-R22)."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from companion.core.choices import Args, Choices, Singles
from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move, Seat, SecretMove, with_added, with_item
from companion.core.text import msg
from companion.core.verbs import Told, tell
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NOBODY,
    Card,
    card_text,
)
from companion.games.boese_buben.rules.components import (
    BRIBERY,
    BUY,
    FREE,
    LEAVE,
    NOT_ASKED,
    State,
    asked_card,
    tell_card,
)
from companion.games.boese_buben.rules.race import ask_owner

_USUAL: Final = Singles((BUY, LEAVE))
_BROKE: Final = Singles((LEAVE,))
_FREE_ONE: Final = Singles((BUY, LEAVE, FREE))
_FREE: Final = Singles((FREE, LEAVE))


def answers(state: State, seat: Seat) -> Choices:
    """Return the owner's possible answers. BUY needs the money (BB-A13); FREE may replace it (BB-A25)."""
    price = goblins_asked(state)
    can_pay = state.books.purses[seat] >= price
    if state.books.free != seat or not price:
        return _USUAL if can_pay else _BROKE
    return _FREE_ONE if can_pay and state.terms.rulings.kostenlos == "one" else _FREE


@cache
def answer_moves(seat: Seat, said: Choices) -> tuple[Move, ...]:
    return tuple(SecretMove(seat, "answer", args) for args in said)


def goblins_asked(state: State) -> int:
    return state.terms.box.goblins[asked_card(state.zones, state.asked) % CARDS]


def price_asked(state: State) -> int:
    """Return the price of a yes; 0 if no card is in question."""
    if state.asked == NOT_ASKED:
        return 0
    free = state.books.free == state.mover and state.terms.rulings.kostenlos == "all"
    return 0 if free else goblins_asked(state)


def released(state: State, move: Move) -> int | None:
    """Return the public part of an answer."""
    return move.args[0] if move.verb == "answer" else None


def lookalikes(state: State, seat: Seat) -> Sequence[State]:
    """Return the position with the seat's purse empty and full, which only that seat may notice (BB-R3, BB-A13)."""
    if seat == TABLE:
        return ()
    books = state.books
    return tuple(
        state._replace(books=books._replace(purses=with_item(books.purses, seat, ducats)))
        for ducats in (0, state.terms.box.ducats)
    )


def belongs(was: State, now: State, move: Move) -> None:
    """Raise IllegalMove if an answer given in `was` would answer another question in `now`.

    A purchase with less money than before is asked again even if the money suffices: the question must not reveal
    the purse (BB-A13).
    """
    if move.verb != "answer" or now.phase != BRIBERY:
        return
    seat = move.seat
    is_poorer = move.args == (BUY,) and now.books.purses[seat] < was.books.purses[seat]
    if is_poorer or _question(was) != _question(now):
        raise IllegalMove(seat, "BB-A12", msg("this was the answer to another question"))


def _question(state: State) -> tuple[int, Card, bool]:
    return state.asked[0], asked_card(state.zones, state.asked), state.books.free == state.mover


def apply_answer(state: State, seat: Seat, args: Args, told: Told) -> State:
    terms, books, said = state.terms, state.books, args[0]
    lane, place = state.asked
    zone = state.zones[lane - 1]
    card = zone[place - 1]
    if said == LEAVE:
        place += 1
        tell_card(told, kinds.Left, card, lane)
    else:
        price = 0 if said == FREE else terms.box.goblins[card % CARDS]
        spent = said == FREE and terms.rulings.kostenlos == "one"  # BB-A25
        left = (*zone[: place - 1], *zone[place:])  # the next card moves to this place
        state = state._replace(
            books=books._replace(
                purses=with_added(books.purses, seat, -price),
                bank=books.bank + price,
                free=NOBODY if spent else books.free,
            ),
            zones=with_item(state.zones, lane - 1, left),
            hands=with_added(state.hands, seat, 1 << card % CARDS),
        )
        tell(told, kinds.Bought, seat, card=card_text(card), lane=lane, ducats=price)
    return ask_owner(state, (lane, place), told)
