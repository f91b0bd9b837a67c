"""How rounds begin and end, and what each move does."""

from collections.abc import Callable
from typing import Final

from companion.core.choices import Args
from companion.core.errors import OptionError
from companion.core.event import EventFacts
from companion.core.move import Seat, by_seat, with_item
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.core.verbs import Told, tell
from companion.games.any.rules import kinds
from companion.games.any.rules.components import (
    LIST,
    NOBODY,
    PASSES_MOST,
    POINTS_MOST,
    SEATS,
    SECOND_MS,
    UNKNOWN,
    Box,
    Kind,
    Phase,
    Round,
    Rulings,
    State,
    callers,
    leader,
    lots_due,
)

Apply = Callable[[State, Seat, Args, Told], State]

_FIRST_PHASE: Final = {Kind.SEALED: Phase.SEALED, Kind.POINTS: Phase.POINTS}


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the first round (AN-R1). Raise OptionError for a wrong number of seats."""
    if seats not in SEATS:
        raise OptionError(msg("any other game is for 2 to 5 players or teams, not {n}", n=seats))
    return _begin(State(rulings, programme(box, rulings), (0,) * seats), None)


def programme(box: Box, rulings: Rulings) -> tuple[Round, ...]:
    """Return the rounds of a match (AN-R1, AN-R2)."""
    usual = {name: value for name, value in vars(rulings).items() if name in Round._fields}
    if rulings.play == LIST:
        return tuple(Round(**(usual | dict(given))) for given in box.rounds)
    kind = Kind(rulings.play)
    return (Round(kind, **usual),) * (1 if kind == Kind.CLOCK else rulings.rounds)


# --- Rounds -------------------------------------------------------------------------------------------------


def _begin(state: State, told: Told) -> State:
    """Begin the round of this number, or end the match after the last one."""
    if state.number == len(state.rounds):
        return _over(state, told, "rounds")
    this = state.rounds[state.number]
    tell(told, kinds.NextRound, None, state.number + 1, this.kind.value)
    on_clock = this.kind == Kind.CLOCK
    return _cleared(state)._replace(
        phase=_FIRST_PHASE.get(this.kind, Phase.READY),
        turn=state.turn + 1,
        caller=leader(state) if on_clock else NOBODY,
        rest_ms=(this.minutes * 60 * SECOND_MS,) * len(state.points) if on_clock else (),
    )


def _cleared(state: State) -> State:
    """Return the position without what belongs to one round."""
    kept = State(state.rulings, state.rounds, state.points, state.number, state.phase, state.turn)
    return kept._replace(bids=(None,) * len(state.points))


def _finish(state: State, told: Told) -> State:
    """End the round, and the match if somebody has reached the target (AN-R4)."""
    this = state.round
    if this.answer:
        tell(told, kinds.Answer, None, this.answer)
    state = state._replace(number=state.number + 1)
    return _over(state, told, "target") if _is_reached(state, this) else _begin(state, told)


def _is_reached(state: State, this: Round) -> bool:
    return 0 < this.target <= max(state.points)


def _over(state: State, told: Told, reason: str) -> State:
    state = _cleared(state)._replace(phase=Phase.OVER)
    result = outcome(state)
    assert result
    tell(told, kinds.Over, None, result.ranking, reason)
    return state


def outcome(state: State) -> Outcome | None:
    """Return the ranking by points (AN-R4)."""
    if state.phase != Phase.OVER:
        return None
    ranking = tuple(
        tuple(seat for seat, points in by_seat(state.points) if points == place)
        for place in sorted(set(state.points), reverse=True)
    )
    if _is_reached(state, state.round):
        return Outcome(ranking, msg("the target is reached"))
    return Outcome(ranking, msg("the last round is over: the most points win"))


def _nobody(state: State, told: Told) -> State:
    tell(told, kinds.Nobody)
    return _finish(state, told)


def _scored(state: State, seat: Seat, change: int) -> State:
    points = max(-POINTS_MOST, min(POINTS_MOST, state.points[seat] + change))
    return state._replace(points=with_item(state.points, seat, points))


def _win(state: State, seat: Seat, told: Told) -> State:
    state = _scored(state, seat, state.round.points)
    tell(told, kinds.Won, seat, state.points[seat])
    return state


def apply_skip(state: State, _: Seat, __: Args, told: Told) -> State:
    if state.round.kind in {Kind.LOTS, Kind.POINTS} or state.round.wins == "shown":
        return _finish(state, told)
    return _nobody(state, told)


def apply_open(state: State, _: Seat, __: Args, told: Told) -> State:
    kind = state.round.kind
    if kind == Kind.LOTS:
        return state._replace(phase=Phase.LOTS, drawn=())
    if kind == Kind.CLOCK:
        tell(told, kinds.Running, state.caller)
        return state._replace(phase=Phase.CLOCK, turn=state.turn + 1)
    return _open_race(state, told)


# --- First! -------------------------------------------------------------------------------------------------


def _open_race(state: State, told: Told) -> State:
    tell(told, kinds.Open, None, callers(state))
    return state._replace(phase=Phase.OPEN, turn=state.turn + 1, caller=NOBODY, ticks=())


def apply_tick(state: State, _: Seat, args: Args, told: Told) -> State:
    (tick,) = args
    return state._replace(ticks=(*state.ticks, tick)) if tick else _open_race(state, told)


def apply_early(state: State, _: Seat, args: Args, told: Told) -> State:
    seat = Seat(args[0])
    tell(told, kinds.Early, seat)
    state = state._replace(locked=(*state.locked, seat))
    return state if callers(state) else _nobody(state, told)


def apply_call(state: State, _: Seat, args: Args, told: Told) -> State:
    seat = Seat(args[0])
    if state.round.asks == "nobody":
        return _finish(_win(state, seat, told), told)
    tell(told, kinds.Call, seat)
    return state._replace(phase=Phase.ANSWER, turn=state.turn + 1, caller=seat)


def apply_tie(state: State, _: Seat, args: Args, told: Told) -> State:
    seats = tuple(map(Seat, args))
    tell(told, kinds.Tie, None, seats)
    again = Phase.READY if state.round.opens == "secret" else Phase.OPEN
    return state._replace(phase=again, turn=state.turn + 1, tied=seats)


def apply_right(state: State, _: Seat, __: Args, told: Told) -> State:
    state = _scored(state, state.caller, state.round.points)
    tell(told, kinds.Right, state.caller, state.points[state.caller])
    return _finish(state, told)


def misses(kind: Callable[[int], EventFacts]) -> Apply:
    """Return what a wrong or missing answer does: the seat is locked out, and others go on (AN-R11)."""

    def apply(state: State, _: Seat, __: Args, told: Told) -> State:
        seat = state.caller
        state = _scored(state, seat, -state.round.wrong)
        tell(told, kind, seat, state.points[seat])
        state = state._replace(locked=(*state.locked, seat), tied=())
        return _open_race(state, told) if state.round.go_on and callers(state) else _nobody(state, told)

    return apply


# --- Sealed -------------------------------------------------------------------------------------------------


def apply_lock(state: State, seat: Seat, args: Args, told: Told) -> State:
    bids = with_item(state.bids, seat, args[0])
    tell(told, kinds.Lock, seat)
    shown = tuple(bid for bid in bids if bid is not None)
    return _reveal(state, shown, told) if len(shown) == len(bids) else state._replace(bids=bids)


def apply_retract(state: State, seat: Seat, _: Args, told: Told) -> State:
    tell(told, kinds.Retract, seat)
    return state._replace(bids=with_item(state.bids, seat, None))


def _reveal(state: State, shown: tuple[int, ...], told: Told) -> State:
    this = state.round
    upwards = this.wins == "lowest"
    order = sorted(state.seats, key=lambda seat: shown[seat] if upwards else -shown[seat])
    tell(told, kinds.Reveal, None, tuple(order), tuple(shown[seat] for seat in order))
    state = state._replace(bids=(None,) * len(shown), shown=shown)
    if this.asked and this.number == UNKNOWN:
        return state._replace(phase=Phase.NUMBER, turn=state.turn + 1)
    return _settle(state, this.number, told)


def apply_number(state: State, _: Seat, args: Args, told: Told) -> State:
    return _settle(state, args[0], told)


def _settle(state: State, number: int, told: Told) -> State:
    """Give the points for the shown numbers. The next round shows them until they change (AN-R15)."""
    this, shown = state.round, state.shown
    right = number if this.asked else UNKNOWN
    if this.asked:
        tell(told, kinds.Number, None, right)
    won = winners(this, shown, right)
    for seat in won:
        if this.tokens:
            tell(told, kinds.Paid, seat, shown[seat])
            state = _scored(state, seat, -shown[seat])
        state = _win(state, seat, told)
    if not won and this.wins != "shown":
        tell(told, kinds.Nobody)
    return _finish(state, told)._replace(shown=shown, won=won, right=right)


def winners(this: Round, shown: tuple[int, ...], number: int) -> tuple[Seat, ...]:
    """Return the seats whose numbers win a round with this right number (AN-R15, AN-R16)."""
    if this.wins == "shown":
        return ()
    far = tuple(abs(bid - number) if this.asked else bid for bid in shown)
    best = 0 if this.wins == "exact" else max(far) if this.wins == "highest" else min(far)
    won = tuple(seat for seat, off in by_seat(far) if off == best)
    return () if this.tokens and len(won) > 1 else won


# --- Clock --------------------------------------------------------------------------------------------------


def apply_pass(state: State, _: Seat, args: Args, told: Told) -> State:
    seat, used_ms = Seat(args[0]), args[1]
    this, rest_ms = state.round, state.rest_ms[seat] - used_ms
    if this.clock == "increment":
        rest_ms += this.increment_s * SECOND_MS
    tell(told, kinds.Pass, seat, used_ms, rest_ms)
    state = state._replace(rest_ms=with_item(state.rest_ms, seat, rest_ms), passes=state.passes + 1)
    return _nobody(state, told) if state.passes == PASSES_MOST else _turn_over(state, used_ms)


def apply_flag(state: State, _: Seat, __: Args, told: Told) -> State:
    seat, used_ms = state.caller, state.rest_ms[state.caller]
    tell(told, kinds.Flag, seat)
    state = state._replace(rest_ms=with_item(state.rest_ms, seat, 0), locked=(*state.locked, seat))
    left = [one for one in state.seats if one not in state.locked]
    return _finish(_win(state, left[0], told), told) if len(left) == 1 else _turn_over(state, used_ms)


def _turn_over(state: State, used_ms: int) -> State:
    """Start the next seat's clock; an hourglass runs into it (AN-R20)."""
    seats, seat = len(state.points), state.caller
    order = (Seat((seat + step) % seats) for step in range(1, seats))
    following = next(one for one in order if one not in state.locked)
    if state.round.clock == "hourglass":
        rest_ms = with_item(state.rest_ms, following, state.rest_ms[following] + used_ms)
        state = state._replace(rest_ms=rest_ms)
    return state._replace(caller=following, turn=state.turn + 1)


# --- Dice, lots and points ----------------------------------------------------------------------------------


def apply_draw(state: State, _: Seat, args: Args, told: Told) -> State:
    this, lot, place = state.round, args[0], len(state.drawn)
    if this.lots == "dice":
        tell(told, kinds.Throw, None, lot)
    elif this.lots == "names":
        tell(told, kinds.Drawn, None, this.names[lot - 1])
    elif this.lots == "begins":
        tell(told, kinds.Begins, Seat(lot - 1))
    else:
        tell(told, kinds.Team, Seat(lot - 1), place % 2 + 1)
    state = state._replace(drawn=(*state.drawn, lot))
    if place + 1 < lots_due(state):
        return state
    state = state._replace(phase=Phase.READY, turn=state.turn + 1, passes=state.passes + 1)
    return _finish(state, told) if state.passes == PASSES_MOST else state


def changes(sign: int) -> Apply:
    """Return what adding (1) or subtracting (-1) points does (AN-R5)."""
    return lambda state, _, args, told: _changed(state, Seat(args[0]), sign * args[1], told)


def _changed(state: State, seat: Seat, change: int, told: Told) -> State:
    state = _scored(state, seat, change)._replace(changes=state.changes + 1)
    kind = kinds.Add if change > 0 else kinds.Take
    tell(told, kind, seat, state.points[seat], abs(change))
    return _finish(state, told) if _is_reached(state, state.round) else state
