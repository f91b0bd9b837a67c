"""Who may do what, and doing it: every legal move is listed here and nowhere else."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from companion.core.choices import ONE, Choices, Moves, Singles
from companion.core.errors import IllegalMove
from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.core.text import msg
from companion.games.buntherum.rules.components import NOBODY, SIDES, UNKNOWN, Phase, State, all_marks, callers
from companion.games.buntherum.rules.start import apply_starter, apply_youngest, sides_laid
from companion.games.buntherum.rules.turn import (
    apply_call,
    apply_card,
    apply_declare,
    apply_early,
    apply_flip,
    apply_judge,
    apply_late,
    apply_nobody,
    apply_tie,
    top_known,
)


def _youngest_choices(state: State) -> Choices:
    return Singles(tuple(range(state.seats))) if state.flipper == NOBODY else ()


def _starter_choices(state: State) -> Choices:
    if state.flipper == NOBODY:
        return ()
    side = sides_laid(state.rows)
    shown, marks = state.marks[side], all_marks(len(state.box.objects), len(state.box.colours))
    return [(side + 1, card) for card in state.unseen if not marks[card] & shown]


def _flip_choices(state: State) -> Choices:
    top = top_known(state)
    return Singles((*(state.unseen if top == UNKNOWN else (top,)), UNKNOWN))


def _early_choices(state: State) -> Choices:
    if state.rulings.early_buzz != "chip":
        return ()
    return Singles(tuple(seat for seat in callers(state) if seat not in state.early))


@cache
def _declarations(seats: tuple[Seat, ...]) -> Choices:
    return tuple((seat, said) for seat in seats for said in range(SIDES + 1))


@cache
def _groups(seats: tuple[Seat, ...]) -> Choices:
    return tuple(group for size in range(2, len(seats) + 1) for group in combinations(seats, size))


def _call_choices(state: State) -> Choices:
    return _declarations(callers(state)) if state.rulings.call_input == "direct" else Singles(callers(state))


def _tie_choices(state: State) -> Choices:
    return _groups(callers(state))


def _card_choices(state: State) -> Choices:
    return Singles(state.unseen) if state.card == UNKNOWN else ()


def _always(_: State) -> Choices:
    return ONE


def _declare_choices(_: State) -> Choices:
    return Singles(tuple(range(SIDES + 1)))


def _judge_choices(_: State) -> Choices:
    return Singles((1, 0))


Apply = Callable[[State, tuple[int, ...]], tuple[State, list[Event]]]


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, its legal arguments (the only place), what it does."""

    rule: str
    choices: Callable[[State], Choices]
    apply: Apply


_VERBS: Final = {
    "youngest": _Verb("BH-R5", _youngest_choices, apply_youngest),
    "starter": _Verb("BH-R3", _starter_choices, apply_starter),
    "flip": _Verb("BH-R6", _flip_choices, apply_flip),
    "early": _Verb("BH-A14", _early_choices, apply_early),
    "call": _Verb("BH-R8", _call_choices, apply_call),
    "tie": _Verb("BH-R15", _tie_choices, apply_tie),
    "nobody": _Verb("BH-A11", _always, apply_nobody),
    "declare": _Verb("BH-R7", _declare_choices, apply_declare),
    "late": _Verb("BH-A20", _always, apply_late),
    "card": _Verb("BH-R2", _card_choices, apply_card),
    "judge": _Verb("BH-R9", _judge_choices, apply_judge),
}

_TABLE_VERBS: Final = {
    Phase.SETUP: ("youngest", "starter"),
    Phase.READY: ("flip", "early"),
    Phase.OPEN: ("call", "tie", "nobody", "early"),
    Phase.LOCKED: ("late", "card"),
    Phase.JUDGE: ("card", "judge"),
    Phase.OVER: (),
}


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: the TABLE, and the caller who owes a declaration."""
    if state.phase == Phase.OVER:
        return ()
    return (TABLE, state.caller) if state.phase == Phase.LOCKED else (TABLE,)


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    return Moves(seat, *((verb, _VERBS[verb].choices(state)) for verb in _verbs_of(state, seat)))


def draws(state: State) -> Sequence[Move]:
    """Return the draws of a dealer: each possible next card, fitting starter or youngest."""
    if state.phase == Phase.READY:
        top = top_known(state)
        return Moves(TABLE, ("flip", Singles(state.unseen if top == UNKNOWN else (top,))))
    return legal(state, TABLE) if state.phase == Phase.SETUP else ()


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    seat, name, args = move
    if name not in _verbs_of(state, seat) or args not in _VERBS[name].choices(state):
        raise _refusal(state, move)
    state, events = _VERBS[name].apply(state, args)
    return state, tuple(events)


def _verbs_of(state: State, seat: Seat) -> tuple[str, ...]:
    if seat == TABLE:
        return _TABLE_VERBS[state.phase]
    return ("declare",) if state.phase == Phase.LOCKED and seat == state.caller else ()


def _refusal(state: State, move: Move) -> IllegalMove:
    """Say which paragraph refuses a move."""
    seat, name, args = move
    if state.phase == Phase.OVER:
        return IllegalMove(seat, "BH-R16", msg("the match is over"))
    if name not in _VERBS:
        return IllegalMove(seat, "BH-R7", msg("Buntherum knows no move {name!r}", name=name))
    rule = _VERBS[name].rule
    if name == "call" and state.phase == Phase.READY:
        return IllegalMove(seat, "BH-A14", msg("the card is not visible yet"))
    if (seat == TABLE) == (name == "declare"):  # that is the seats' only verb, and theirs alone
        return IllegalMove(seat, rule, msg("this is not a move of that seat"))
    if name == "declare" and state.phase == Phase.LOCKED:
        if seat != state.caller:
            return IllegalMove(seat, "BH-R8", msg("only the first call counts"))
        return IllegalMove(seat, rule, msg("a declaration is 1 to 6, or 0 for impossible"))
    if name in {"call", "tie", "early"} and state.phase == Phase.OPEN and args:
        for called in args if name == "tie" else args[:1]:
            if called in state.gone:
                return IllegalMove(seat, "BH-R11", msg("seat {n} is eliminated", n=called + 1))
            if called not in callers(state) and 0 <= called < state.seats:
                return IllegalMove(seat, "BH-A24", msg("seat {n} is not in the tie", n=called + 1))
    return IllegalMove(seat, rule, _REFUSALS.get(name, msg("this move is not due now")))


_REFUSALS: Final = {
    "starter": msg("this starter is not due, was seen already, or shares object or colour with its side"),
    "flip": msg("no card is due, or this card cannot be the next one"),
    "card": msg("no card has to be named, or this one was seen already"),
    "early": msg("a press before the card costs nothing here"),
}
