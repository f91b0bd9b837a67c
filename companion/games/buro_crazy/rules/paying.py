"""Points that a player puts on the roof, and the change that is made for them (BC-R13, BC-A7, BC-A14)."""

from companion.core.event import Event, event
from companion.core.move import Seat
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.change import Cards, Swap, minus, pay, plus, worth
from companion.games.buro_crazy.rules.components import (
    Rulings,
    State,
    card_values,
    with_item,
)

# --- A duel (BC-R7 to BC-R14) ---------------------------------------------------------------------------


def lose(state: State, seat: Seat, due: int, cards: Cards) -> tuple[State, int, list[Event]]:
    """Put points worth `due` of some cards of a hand on the roof; which cards is told to their owner only."""
    values = state.terms.values
    paid = pay(due, cards, state.stock, state.roof, values, change=makes_change(state.terms.rulings), up=True)
    lost, number = worth(paid.cards, values), sum(paid.cards) if state.terms.by_cards else 0
    own = card_values(paid.cards, values)
    events = [swap_event(paid.swap, values, "hand", seat)] if paid.swap else []
    events.append(event(kinds.Loss(points=lost, due=due, n=number), seat))
    if own:
        events.append(event(kinds.LostCards(cards=own), seat, seen_by=(seat,)))
    hand = plus(minus(state.hands[seat], cards), paid.left)
    state = state._replace(
        hands=with_item(state.hands, seat, hand), stock=paid.stock, roof=plus(paid.roof, paid.cards)
    )
    return state, lost, events


# --- Floors, single figure, own figures (BC-R15 to BC-R21) ----------------------------------------------


def makes_change(rulings: Rulings) -> bool:
    return rulings.change == "stock_and_roof"


def swap_event(swap: Swap, values: Cards, payer: str, seat: Seat | None = None) -> Event:
    """Tell of change that the kitchen or the stock made; of a player's, only to himself."""
    return event(
        kinds.Swap(
            payer=payer,
            given=card_values(swap.given, values),
            taken=card_values(swap.taken, values),
            pile=swap.pile,
        ),
        seat,
        seen_by=None if seat is None else (seat,),
    )
