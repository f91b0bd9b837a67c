"""A duel: two bids in secret, then the reveal (BC-R7 to BC-R14, BC-R22)."""

from functools import cache

from companion.core.event import Event, event
from companion.core.move import Seat
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.building import (
    LAST,
    NOBODY,
    duellists,
    moved,
    pair_name,
)
from companion.games.buro_crazy.rules.change import Cards, minus, pay, plus, worth
from companion.games.buro_crazy.rules.components import (
    NO_BIDS,
    Phase,
    Result,
    State,
    card_values,
)
from companion.games.buro_crazy.rules.floors import duel_event, next_pair, step_on, up_event
from companion.games.buro_crazy.rules.paying import lose, makes_change, swap_event


def apply_bid(state: State, seat: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    left, right = state.bids
    if left is not None:
        return _reveal(state, (left, args))
    if right is not None:
        return _reveal(state, (args, right))
    bids = (args, None) if seat == state.duel[0] else (None, args)
    return state._replace(bids=bids), [_locked(seat)]


def apply_retract(state: State, seat: Seat, _: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BC-A25: until the other has locked too. Only one bid can be there, or both would be revealed.
    return state._replace(bids=NO_BIDS), [_unlocked(seat)]


@cache
def _locked(seat: Seat) -> Event:
    return event(kinds.Locked(), seat)


@cache
def _unlocked(seat: Seat) -> Event:
    return event(kinds.Unlocked(), seat)


def _reveal(state: State, bids: tuple[Cards, Cards]) -> tuple[State, list[Event]]:
    # BC-R8: both at once; what is told is the same whoever locked last.
    values = state.terms.values
    totals = (worth(bids[0], values), worth(bids[1], values))
    shown = (card_values(bids[0], values), card_values(bids[1], values))
    events = [event(kinds.Reveal(pair=pair_name(state.step), seats=state.duel, bids=shown, totals=totals))]
    if totals[0] != totals[1]:
        return _won(state, bids, totals, shown, events)  # BC-R9
    if totals[0]:
        return _tied(state, bids, totals, events)
    return _zero_tie(state, bids, events)


def _won(
    state: State,
    bids: tuple[Cards, Cards],
    totals: tuple[int, int],
    shown: tuple[Cards, Cards],
    events: list[Event],
) -> tuple[State, list[Event]]:
    terms, values, step, duel = state.terms, state.terms.values, state.step, state.duel
    side = int(totals[1] > totals[0])
    hands, roof, losses = list(state.hands), state.roof, [0, 0]
    events.append(up_event(step, duel[side]))
    for payer in (0, 1) if step == LAST else (side,):  # BC-R10; BC-R22: in the last duel both
        if not totals[payer]:
            continue
        seat, bid = duel[payer], bids[payer]
        hands[seat], roof, losses[payer] = minus(hands[seat], bid), plus(roof, bid), totals[payer]
        events.append(event(kinds.Discard(points=totals[payer], cards=shown[payer]), seat))

    # BC-R11, BC-R12: the loser takes the difference, as far as the kitchen has it.
    loser, due = duel[1 - side], totals[side] - totals[1 - side]
    paid = pay(due, state.kitchen, state.stock, roof, values, change=makes_change(terms.rulings))
    gain = worth(paid.cards, values)
    hands[loser] = plus(hands[loser], paid.cards)
    if paid.swap:
        events.append(swap_event(paid.swap, values, "kitchen"))
    events.append(event(kinds.Gain(points=gain, due=due, cards=card_values(paid.cards, values)), loser))

    # Written out, since nearly all of it changes and this is quicker than _replace.
    board = moved(state.board, step, side)
    following = State(
        terms=terms,
        phase=Phase.BID,
        colours=state.colours,
        board=board,
        step=step + 1,
        duel=duellists(board, step + 1),
        bids=NO_BIDS,
        attempt=1,
        zeros=0,
        hands=tuple(hands),
        kitchen=paid.left,
        stock=paid.stock,
        roof=paid.roof,
        told=state.told,
        last=Result(pair_name(step), duel, bids, totals, duel[side], tuple(losses), gain, paid.cards),
        due=(),
        dealt=0,
        reports=state.reports,
    )
    return next_pair(following, events)


def _tied(
    state: State, bids: tuple[Cards, Cards], totals: tuple[int, int], events: list[Event]
) -> tuple[State, list[Event]]:
    # BC-R13, BC-A7, BC-A8: each loses half of what he bid, and keeps the rest.
    terms = state.terms
    half = (totals[0] + (terms.rulings.tie_rounding == "up")) // 2
    events.append(event(kinds.Tie(seats=state.duel, points=totals[0], half=half)))
    losses = [0, 0]
    for seat in sorted(state.duel):
        side = state.duel.index(seat)
        state, losses[side], told = lose(state, seat, half, bids[side])
        events += told
    last = Result(pair_name(state.step), state.duel, bids, totals, NOBODY, tuple(losses), 0)
    state = state._replace(bids=NO_BIDS, attempt=state.attempt + 1, zeros=0, last=last)
    return state, [*events, duel_event(state)]


def _zero_tie(state: State, bids: tuple[Cards, Cards], events: list[Event]) -> tuple[State, list[Event]]:
    zeros, limit = state.zeros + 1, state.terms.rulings.zero_tie_limit
    state = state._replace(
        bids=NO_BIDS,
        zeros=zeros,
        last=Result(pair_name(state.step), state.duel, bids, (0, 0), NOBODY, (0, 0), 0),
    )
    events.append(event(kinds.Tie(seats=state.duel, points=0, half=0)))
    broke = not any(any(state.hands[seat]) for seat in state.duel)
    if broke or zeros == limit:  # BC-A11, BC-A10
        return state._replace(phase=Phase.COIN), [*events, event(kinds.Toss(seats=state.duel))]
    state = state._replace(attempt=state.attempt + 1)
    return state, [*events, duel_event(state)]


def apply_coin(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    winner, last = Seat(args[0]), state.last
    assert last is not None
    events = [event(kinds.Coin(), winner), up_event(state.step, winner)]
    state = state._replace(phase=Phase.BID, last=last._replace(winner=winner))
    return next_pair(step_on(state, state.duel.index(winner)), events)
