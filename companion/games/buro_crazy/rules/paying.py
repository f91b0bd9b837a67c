"""Points that a player puts on the roof (BC-R13, BC-A7, BC-A14)."""

from companion.core.event import event
from companion.core.move import Seat, with_item
from companion.core.verbs import Told, tell
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.change import HAND, Cards, Swap, minus, pay, plus, worth
from companion.games.buro_crazy.rules.components import (
    Rulings,
    State,
    card_values,
    still_counted,
)


def lose(state: State, seat: Seat, due: int, cards: Cards, told: Told) -> tuple[State, int]:
    """Put `due` points on the roof, from `cards` first, then from the rest of the hand (BC-A8).

    Only their owner learns which cards.
    """
    rulings, values, hand = state.terms.rulings, state.terms.values, state.hands[seat]
    rest = minus(hand, cards)
    up = rulings.tie_rounding == "up"
    paid = pay(due, cards, state.stock, state.roof, values, change=makes_change(rulings), up=up, rest=rest)
    lost = worth(paid.cards, values)
    tell_swap(paid.swap, values, HAND, seat, told)
    tell(told, kinds.Loss, seat, lost, due, sum(paid.cards) if state.terms.by_cards else 0)
    if told is not None and (own := card_values(paid.cards, values)):
        told.append(event(kinds.LostCards(own), seat, seen_by=(seat,)))
    hands = with_item(state.hands, seat, paid.left)
    roof = plus(paid.roof, paid.cards)
    counted = still_counted(state, roof)
    return state._replace(hands=hands, stock=paid.stock, roof=roof, told=counted), lost


def makes_change(rulings: Rulings) -> bool:
    return rulings.change == "stock_and_roof"


def tell_swap(swap: Swap | None, values: Cards, payer: str, seat: Seat | None, told: Told) -> None:
    """Report a swap, if any; that of a player only to that player."""
    if swap is None or told is None:
        return
    given, taken = card_values(swap.given, values), card_values(swap.taken, values)
    seen_by = None if seat is None else (seat,)
    told.append(event(kinds.Swap(payer, given, taken, swap.pile), seat, seen_by=seen_by))
