"""From pair to pair, and everything that happens without a duel (BC-R15 to BC-R21)."""

from companion.core.move import Seat
from companion.core.verbs import Told, tell
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
from companion.games.buro_crazy.rules.change import KITCHEN, STOCK, Cards, Paid, minus, no_cards, pay, plus, worth
from companion.games.buro_crazy.rules.components import State, card_values, still_counted
from companion.games.buro_crazy.rules.end import roof_is_due
from companion.games.buro_crazy.rules.paying import lose, makes_change, tell_swap
from companion.games.buro_crazy.rules.refill import best_for, exchange, fill


def next_pair(state: State, told: Told) -> State:
    """Continue until two seats must bid or the building is full."""
    while True:
        if state.step > LAST:
            return roof_is_due(state, told)
        if state.step in FLOORS and state.step:
            state = _floor(state, told)
        left, right = state.duel
        if right == EMPTY:
            state = _alone(state, left, told)
        elif left == right:
            # BC-R20, BC-A15 to BC-A17: one of a seat's two figures moves up, on every floor; nothing is paid.
            tell(told, kinds.OwnPair, left, pair_name(state.step))
            tell_up(state.step, left, told)
            state = step_on(state, 0)
        else:
            tell_duel(state, told)
            return state


def _alone(state: State, seat: Seat, told: Told) -> State:
    pair, box, held = pair_name(state.step), state.terms.box, worth(state.hands[seat], state.terms.values)
    if state.step >= STAIRS // 2:
        # BC-A12: the other figure of this office stayed on the stairs. Only G4 can lack one.
        tell(told, kinds.Alone, seat, pair)
        tell_up(state.step, seat, told)
        return step_on(state, 0)
    if held < box.forfeit and state.terms.rulings.forfeit_short == "stays":
        tell(told, kinds.Stays, seat, pair, box.forfeit)
        return step_on(state, None)
    # BC-R15, BC-A12 to BC-A14: it moves up without a duel, and its seat pays, at most all it has.
    due = min(box.forfeit, held)
    tell(told, kinds.Forfeit, seat, pair, due)
    tell_up(state.step, seat, told)
    state, _ = lose(state, seat, due, state.hands[seat], told)
    return step_on(state, 0)


def step_on(state: State, side: int | None) -> State:
    """Move the figure of a side up, or none, and go to the next pair."""
    board = state.board if side is None else moved(state.board, state.step, side)
    step = state.step + 1
    return state._replace(board=board, step=step, duel=duellists(board, step), attempt=1, zeros=0)


def _floor(state: State, told: Told) -> State:
    # BC-R19, BC-A6: set to the target of the floor, in both directions or only upwards.
    terms, have = state.terms, worth(state.kitchen, state.terms.values)
    target = terms.box.targets[list(FLOORS).index(state.step)]
    if have < target:
        return _filled(state, target, target - have, told)
    if have > target and terms.rulings.kitchen_adjust == "exact":
        return _emptied(state, target, have - target, told)
    _tell_kitchen(state, target, 0, told)
    return state


def _filled(state: State, target: int, due: int, told: Told) -> State:
    # BC-R21, BC-A4, BC-A24.
    rulings, values = state.terms.rulings, state.terms.values
    change, model = makes_change(rulings), state.terms.box.kitchen
    filled = fill(due, state.kitchen, state.stock, state.roof, values, change=change, model=model)
    added, from_roof = filled.from_stock, filled.from_roof
    more = worth(plus(added, from_roof), values)
    if more < due:
        exchanged = _exchanged(state, target, told)
        if exchanged is not None:
            return exchanged
    kitchen = plus(state.kitchen, plus(added, from_roof))
    counted = still_counted(state, filled.roof)
    state = state._replace(kitchen=kitchen, stock=filled.stock, roof=filled.roof, told=counted)
    tell_swap(filled.swap, values, STOCK, None, told)
    _tell_kitchen(state, target, more, told, added=added, from_roof=from_roof)
    return state


def _exchanged(state: State, target: int, told: Told) -> State | None:
    """Swap cards between kitchen and roof. None if `refill` or `change` forbids it, or no cards fit."""
    rulings, values = state.terms.rulings, state.terms.values
    if rulings.refill != "roof" or not makes_change(rulings):
        return None
    exchanged = exchange(target, state.kitchen, state.roof, state.terms.box.kitchen, values)
    if exchanged is None:
        return None
    given, taken = exchanged
    roof = minus(plus(state.roof, given), taken)
    kitchen = minus(plus(state.kitchen, taken), given)
    state = state._replace(kitchen=kitchen, roof=roof, told=still_counted(state, roof))
    back = worth(given, values)
    more = worth(taken, values) - back
    _tell_kitchen(state, target, more, told, from_roof=taken, removed=given, to_roof=back)
    return state


def _emptied(state: State, target: int, surplus: int, told: Told) -> State:
    # The surplus goes where refills come from; with `refill=roof` the stock has left the game.
    rulings, values = state.terms.rulings, state.terms.values
    kept = best_for(target, no_cards(values), state.kitchen, state.terms.box.kitchen, values)
    if kept is not None:
        paid = Paid(minus(state.kitchen, kept), kept, state.stock, state.roof, None)
    else:
        paid = pay(surplus, state.kitchen, state.stock, state.roof, values, change=makes_change(rulings))
    removed, to_roof = paid.cards, rulings.refill == "roof"
    if worth(removed, values) < surplus:
        exchanged = _exchanged(state, target, told)
        if exchanged is not None:
            return exchanged
    roof = plus(paid.roof, removed) if to_roof else paid.roof
    state = state._replace(
        kitchen=paid.left,
        stock=paid.stock if to_roof else plus(paid.stock, removed),
        roof=roof,
        told=still_counted(state, roof),
    )
    tell_swap(paid.swap, values, KITCHEN, None, told)
    points = worth(removed, values)
    _tell_kitchen(state, target, -points, told, removed=removed, to_roof=points if to_roof else 0)
    return state


def _tell_kitchen(
    state: State,
    target: int,
    change: int,
    told: Told,
    *,
    added: Cards = (),
    from_roof: Cards = (),
    removed: Cards = (),
    to_roof: int = 0,
) -> None:
    values = state.terms.values
    tell(
        told,
        kinds.Kitchen,
        floor=FLOORS[state.step],
        points=worth(state.kitchen, values),
        target=target,
        change=change,
        added=card_values(added, values),
        from_roof=card_values(from_roof, values),
        roof_points=worth(from_roof, values) - to_roof,
        removed=card_values(removed, values),
    )


def tell_duel(state: State, told: Told) -> None:
    tell(told, kinds.Duel, None, pair_name(state.step), state.duel, state.attempt)


def tell_up(step: int, seat: Seat, told: Told) -> None:
    tell(told, kinds.Up, seat, pair_name(step), office(STAIRS + ORDER[step]))
