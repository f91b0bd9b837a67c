"""Who may do what, and doing it: every legal move is listed here and nowhere else."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from companion.core.choices import Args
from companion.core.errors import IllegalMove
from companion.core.event import Event
from companion.core.move import Move, Seat
from companion.core.text import Text, msg
from companion.games.boese_buben.rules.bribery import answers, apply_answer
from companion.games.boese_buben.rules.cards import (
    CARDS,
    VALUES,
    value,
)
from companion.games.boese_buben.rules.choices import is_pair
from companion.games.boese_buben.rules.components import Phase, State, Told
from companion.games.boese_buben.rules.race import apply_move_mc, mc_moves
from companion.games.boese_buben.rules.start import apply_first, firsts
from companion.games.boese_buben.rules.turn import (
    actions,
    apply_decline,
    apply_eject,
    apply_exchange,
    apply_play,
    apply_reorder,
    plays,
)


def _nothing(_: State) -> Sequence[Move]:
    return ()


_CHOICES: Final[dict[str, Callable[[State], Sequence[Move]]]] = {
    Phase.SETUP: firsts,
    Phase.TURN: plays,
    Phase.ACTION: actions,
    Phase.MC: mc_moves,
    Phase.BRIBERY: answers,
    Phase.OVER: _nothing,
}
"""The moves of whoever has to move: the only place where legality is decided."""


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, why it may be refused, what it does."""

    rule: str
    refusal: Text
    apply: Callable[[State, Args], Told]


_VERBS: Final = {
    "first": _Verb("BB-R4", msg("who begins is one of the seats, named once"), apply_first),
    "play": _Verb("BB-R5", msg("no card is due now"), apply_play),
    "exchange": _Verb(
        "BB-R31", msg("an Austausch swaps equal values of two players on the tracks"), apply_exchange
    ),
    "eject": _Verb("BB-R32", msg("a Rauswurf throws a 5 or 6 off a track"), apply_eject),
    "reorder": _Verb("BB-R33", msg("a Rängelei puts all cards of one track into another order"), apply_reorder),
    "decline": _Verb("BB-R28", msg("there is no action to decline"), apply_decline),
    "move_mc": _Verb("BB-R30", msg("an MC card goes from a player who has one to another player"), apply_move_mc),
    "answer": _Verb("BB-A13", msg("not accepted"), apply_answer),
}


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: always one seat, or the TABLE before the first race."""
    return () if state.phase == Phase.OVER else (state.mover,)


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    return _CHOICES[state.phase](state) if seat == state.mover else ()


def draws(state: State) -> Sequence[Move]:
    """Return the draws of a dealer: any seat may begin (BB-A17)."""
    return firsts(state) if state.phase == Phase.SETUP else ()


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    if move not in legal(state, move.seat):
        raise _refusal(state, move)
    state, events = _VERBS[move.verb].apply(state, move.args)
    return state, tuple(events)


def _refusal(state: State, move: Move) -> IllegalMove:
    """Say which paragraph refuses a move; an answer is refused in the same words whatever the reason (BB-A13)."""
    seat, name, args = move
    if name not in _VERBS:
        return IllegalMove(seat, "BB-R5", msg("Böse Buben knows no move {name!r}", name=name))
    rule, refusal, _ = _VERBS[name]
    if name == "answer":
        return IllegalMove(seat, rule, refusal)
    if state.phase == Phase.OVER:
        return IllegalMove(seat, "BB-R27", msg("the match is over"))
    if seat != state.mover:
        return IllegalMove(seat, "BB-R4", msg("it is not the turn of that seat"))
    if state.phase == Phase.BRIBERY:
        return IllegalMove(seat, "BB-R18", msg("first answer whether you buy your card back"))
    if state.phase == Phase.TURN and name == "play" and is_pair(args):
        return _refused_play(state, seat, *args)
    return IllegalMove(seat, rule, refusal)


def _refused_play(state: State, seat: Seat, index: int, lane: int) -> IllegalMove:
    if not 1 <= lane <= len(state.tracks):
        return IllegalMove(seat, "BB-R2", msg("the lanes are 1 to {lanes}", lanes=len(state.tracks)))
    if not (0 <= index < CARDS and state.hands[seat] >> index & 1):
        return IllegalMove(seat, "BB-R5", msg("you do not hold this card"))
    track = state.tracks[lane - 1]
    falling = len(track) == state.terms.box.track_limit and value(track[0]) == VALUES[index]
    shown = msg("lane {lane} shows a {value} already", lane=lane, value=VALUES[index])
    return IllegalMove(seat, "BB-R7" if falling else "BB-R6", shown)
