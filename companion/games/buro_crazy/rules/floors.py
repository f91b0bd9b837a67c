"""From pair to pair and floor to floor, and what happens there without a duel (BC-R15 to BC-R21)."""

from functools import cache, lru_cache

from companion.core.event import Event, event
from companion.core.move import Seat
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.building import (
    EMPTY,
    FLOORS,
    LAST,
    ORDER,
    STAIRS,
    duellists,
    moved,
    office,
    pair_name,
)
from companion.games.buro_crazy.rules.change import fill, pay, plus, worth
from companion.games.buro_crazy.rules.components import (
    State,
    card_values,
)
from companion.games.buro_crazy.rules.end import roof_is_due
from companion.games.buro_crazy.rules.paying import lose, makes_change, swap_event


def next_pair(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    """Do what happens by itself until two seats have to bid, or the building is full."""
    while True:
        if state.step > LAST:
            return roof_is_due(state, events)
        if state.step in FLOORS and state.step:
            state = _floor(state, events)
        left, right = state.duel
        if right == EMPTY:
            # BC-R15, BC-A12 to BC-A14: it goes up without a duel and pays, with less if that is all there is.
            due = min(state.terms.box.forfeit, worth(state.hands[left], state.terms.values))
            events.append(event(kinds.Forfeit(pair=pair_name(state.step), points=due), left))
            events.append(up_event(state.step, left))
            state, _, told = lose(state, left, due, state.hands[left])
            events += told
            state = step_on(state, 0)
        elif left == right:
            # BC-R20, BC-A15 to BC-A17: one of two own figures goes up, on every floor; nothing is paid.
            events.append(event(kinds.OwnPair(pair=pair_name(state.step)), left))
            events.append(up_event(state.step, left))
            state = step_on(state, 0)
        else:
            events.append(duel_event(state))
            return state, events


def step_on(state: State, side: int) -> State:
    """Move the figure of a side up, with no cards, and go to the next pair."""
    board = moved(state.board, state.step, side)
    step = state.step + 1
    return state._replace(board=board, step=step, duel=duellists(board, step), attempt=1, zeros=0)


def _floor(state: State, events: list[Event]) -> State:
    # BC-R19, BC-A6: set to the target of the floor, in both directions or only upwards.
    terms, values = state.terms, state.terms.values
    floor = FLOORS[state.step]
    target, have = terms.box.targets[list(FLOORS).index(state.step)], worth(state.kitchen, values)
    kitchen, stock, roof = state.kitchen, state.stock, state.roof
    change, swap = makes_change(terms.rulings), None
    added = from_roof = removed = (0,) * len(values)
    if have < target:
        # BC-R21, BC-A24
        filled = fill(target - have, stock, roof, values, change=change)
        swap, stock, roof = filled.swap, filled.stock, filled.roof
        added, from_roof = filled.from_stock, filled.from_roof
        kitchen = plus(kitchen, plus(added, from_roof))
    elif have > target and terms.rulings.kitchen_adjust == "exact":
        paid = pay(have - target, kitchen, stock, roof, values, change=change)
        swap, kitchen, stock, roof, removed = paid.swap, paid.left, paid.stock, paid.roof, paid.cards
        stock = plus(stock, removed)
    if swap:
        events.append(swap_event(swap, values, "kitchen" if have > target else "stock"))
    events.append(
        event(
            kinds.Kitchen(
                floor=floor,
                points=worth(kitchen, values),
                target=target,
                change=worth(kitchen, values) - have,
                added=card_values(added, values),
                from_roof=card_values(from_roof, values),
                roof_points=worth(from_roof, values),
                removed=card_values(removed, values),
            )
        )
    )
    return state._replace(kitchen=kitchen, stock=stock, roof=roof)


def duel_event(state: State) -> Event:
    return _duel_told(state.step, state.duel, state.attempt)


@lru_cache(maxsize=512)
def _duel_told(step: int, duel: tuple[Seat, ...], attempt: int) -> Event:
    return event(kinds.Duel(pair=pair_name(step), seats=duel, attempt=attempt))


@cache
def up_event(step: int, seat: Seat) -> Event:
    return event(kinds.Up(pair=pair_name(step), to=office(STAIRS + ORDER[step])), seat)
