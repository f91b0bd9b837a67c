"""Points that a player puts on the roof, and the change that is made for them (BC-R13, BC-A7, BC-A14)."""

from companion.core.event import Event, event
from companion.core.move import Seat, with_item
from companion.core.verbs import Told
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.change import HAND, Cards, Swap, minus, pay, plus, worth
from companion.games.buro_crazy.rules.components import (
    Rulings,
    State,
    card_values,
    still_counted,
)


def lose(state: State, seat: Seat, due: int, cards: Cards, told: Told) -> tuple[State, int]:
    """Put points worth `due` on the roof: of some cards of a hand, then of the rest of it (BC-A8).

    Which cards is told to their owner only.
    """
    rulings, values, hand = state.terms.rulings, state.terms.values, state.hands[seat]
    rest = minus(hand, cards)
    up = rulings.tie_rounding == "up"
    paid = pay(due, cards, state.stock, state.roof, values, change=makes_change(rulings), up=up, rest=rest)
    lost = worth(paid.cards, values)
    if told is not None:
        if paid.swap:
            tell_swap(paid.swap, values, HAND, seat, told)
        number = sum(paid.cards) if state.terms.by_cards else 0
        told.append(event(kinds.Loss(lost, due, number), seat))
        own = card_values(paid.cards, values)
        if own:
            told.append(event(kinds.LostCards(own), seat, seen_by=(seat,)))
    hands = with_item(state.hands, seat, paid.left)
    roof = plus(paid.roof, paid.cards)
    counted = still_counted(state, roof)
    return state._replace(hands=hands, stock=paid.stock, roof=roof, told=counted), lost


def makes_change(rulings: Rulings) -> bool:
    return rulings.change == "stock_and_roof"


def tell_swap(swap: Swap, values: Cards, payer: str, seat: Seat | None, told: list[Event]) -> None:
    """Tell of change that the kitchen or the stock made; of a player's, only to himself."""
    given, taken = card_values(swap.given, values), card_values(swap.taken, values)
    seen_by = None if seat is None else (seat,)
    told.append(event(kinds.Swap(payer, given, taken, swap.pile), seat, seen_by=seen_by))
