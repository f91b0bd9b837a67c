"""A duel: two bids in secret, then the reveal (BC-R7 to BC-R14, BC-R22)."""

from typing import Final

from companion.core.choices import Args
from companion.core.move import Seat
from companion.core.verbs import Told, tell
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.building import LAST, NOBODY, pair_name
from companion.games.buro_crazy.rules.change import KITCHEN, Cards, minus, pay, plus, worth
from companion.games.buro_crazy.rules.components import NO_BIDS, Phase, Result, State, card_values, still_counted
from companion.games.buro_crazy.rules.floors import next_pair, step_on, tell_duel, tell_up
from companion.games.buro_crazy.rules.paying import lose, makes_change, tell_swap

_BID: Final = Phase.BID


def apply_bid(state: State, seat: Seat, args: Args, told: Told) -> State:
    left, right = state.bids
    if left is not None:
        return _reveal(state, (left, args), told)
    if right is not None:
        return _reveal(state, (args, right), told)
    tell(told, kinds.Locked, seat)
    return state._replace(bids=(args, None) if seat == state.duel[0] else (None, args))


def apply_retract(state: State, seat: Seat, _: Args, told: Told) -> State:
    # BC-A25: allowed until the other seat locks too, so this is the only bid.
    tell(told, kinds.Unlocked, seat)
    return state._replace(bids=NO_BIDS)


def _reveal(state: State, bids: tuple[Cards, Cards], told: Told) -> State:
    # BC-R8: both at once; the events do not depend on who locked last.
    values = state.terms.values
    totals = (worth(bids[0], values), worth(bids[1], values))
    if told is not None:
        shown = (card_values(bids[0], values), card_values(bids[1], values))
        tell(told, kinds.Reveal, None, pair_name(state.step), state.duel, shown, totals)
    if totals[0] != totals[1]:
        return _won(state, bids, totals, told)  # BC-R9
    return _tied(state, bids, totals, told) if totals[0] else _zero_tie(state, bids, told)


def _won(state: State, bids: tuple[Cards, Cards], totals: tuple[int, int], told: Told) -> State:
    terms, step, duel = state.terms, state.step, state.duel
    side = int(totals[1] > totals[0])
    tell_up(step, duel[side], told)
    hands, roof, losses = list(state.hands), state.roof, [0, 0]
    for payer in (0, 1) if step == LAST else (side,):  # BC-R10; BC-R22: in the last duel both
        if totals[payer]:
            seat, bid = duel[payer], bids[payer]
            hands[seat], roof, losses[payer] = minus(hands[seat], bid), plus(roof, bid), totals[payer]
            if told is not None:
                tell(told, kinds.Discard, seat, totals[payer], card_values(bid, terms.values))

    # BC-R11, BC-R12: the loser takes the difference, as far as the kitchen has it.
    loser, due = duel[1 - side], totals[side] - totals[1 - side]
    paid = pay(due, state.kitchen, state.stock, roof, terms.values, change=makes_change(terms.rulings))
    gain = worth(paid.cards, terms.values)
    hands[loser] = plus(hands[loser], paid.cards)
    if told is not None:
        tell_swap(paid.swap, terms.values, KITCHEN, None, told)
        tell(told, kinds.Gain, loser, gain, due, card_values(paid.cards, terms.values))

    state = state._replace(
        kitchen=paid.left,
        stock=paid.stock,
        told=still_counted(state, paid.roof),
        last=Result(pair_name(step), duel, bids, totals, duel[side], tuple(losses), gain, paid.cards),
        hands=tuple(hands),
        roof=paid.roof,
        bids=NO_BIDS,
    )
    return next_pair(step_on(state, side), told)


def _tied(state: State, bids: tuple[Cards, Cards], totals: tuple[int, int], told: Told) -> State:
    # BC-R13, BC-A7, BC-A8: each loses half of the bid and keeps the rest.
    half = (totals[0] + (state.terms.rulings.tie_rounding == "up")) // 2
    tell(told, kinds.Tie, None, state.duel, totals[0], half)
    losses = [0, 0]
    for seat in sorted(state.duel):
        side = state.duel.index(seat)
        state, losses[side] = lose(state, seat, half, bids[side], told)
    last = Result(pair_name(state.step), state.duel, bids, totals, NOBODY, tuple(losses), 0)
    return _again(state._replace(bids=NO_BIDS, zeros=0, last=last), told)


def _zero_tie(state: State, bids: tuple[Cards, Cards], told: Told) -> State:
    zeros, limit = state.zeros + 1, state.terms.rulings.zero_tie_limit
    last = Result(pair_name(state.step), state.duel, bids, (0, 0), NOBODY, (0, 0), 0)
    state = state._replace(bids=NO_BIDS, zeros=zeros, last=last)
    tell(told, kinds.Tie, None, state.duel, 0, 0)
    broke = not any(any(state.hands[seat]) for seat in state.duel)
    if not broke and zeros != limit:
        return _again(state, told)
    tell(told, kinds.Toss, None, state.duel)  # BC-A11, BC-A10
    return state._replace(phase=Phase.COIN)


def _again(state: State, told: Told) -> State:
    state = state._replace(attempt=state.attempt + 1)
    tell_duel(state, told)
    return state


def apply_coin(state: State, _: Seat, args: Args, told: Told) -> State:
    winner, last = Seat(args[0]), state.last
    assert last is not None
    tell(told, kinds.Coin, winner)
    tell_up(state.step, winner, told)
    state = state._replace(phase=_BID, last=last._replace(winner=winner))
    return next_pair(step_on(state, state.duel.index(winner)), told)
