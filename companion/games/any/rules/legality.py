"""Decides who may do what, and why anything else is refused."""

from collections.abc import Sequence
from typing import Final

from companion.core.choices import ONE, Args, Choices, Computed, Singles, ties
from companion.core.move import TABLE, Move, Seat
from companion.core.seats import seat_text
from companion.core.text import Text, msg
from companion.core.verbs import (
    NOT_SO_MANY,
    ONE_SEAT,
    TIED,
    Guard,
    Reason,
    Spelling,
    Verb,
    Verbs,
    always,
    by_table,
    during,
    number,
    one_seat,
    takes,
)
from companion.games.any.rules import kinds, rounds
from companion.games.any.rules.components import (
    NUMBER_MOST,
    TICKS_MOST,
    Box,
    Kind,
    Phase,
    State,
    bid_most,
    callers,
    changes_most,
    lots_left,
)

TICKS: Final = 4
"""The draws of one step of a secret delay; one of them opens the buzzers."""

AMOUNT_MOST: Final = 999

_AMOUNTS: Final = range(1, AMOUNT_MOST + 1)

_CHANGING: Final = frozenset(Phase) - {Phase.OPEN, Phase.SEALED, Phase.OVER}
_GOING_ON: Final = frozenset(Phase) - {Phase.OVER}


class SeatNumbers(Computed[Args]):
    """A seat and a number each."""

    __slots__ = ("_numbers", "_seats")

    def __init__(self, seats: Sequence[Seat], numbers: Sequence[int]) -> None:
        self._seats = seats
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._seats) * len(self._numbers)

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, tuple) or len(args) != 2:
            return False
        return args[0] in self._seats and args[1] in self._numbers

    def item(self, place: int) -> Args:
        seat, number = divmod(place, len(self._numbers))
        return self._seats[seat], self._numbers[number]


# --- Which numbers are legal --------------------------------------------------------------------------------


def _ticks(state: State, _: Seat) -> Choices:
    if state.round.kind != Kind.FIRST or state.round.opens == "ok":
        return ()
    # At once, and after the longest delay, it opens.
    opens = state.round.opens == "at_once" or len(state.ticks) == TICKS_MOST
    return Singles(range(1 if opens else TICKS))


def _callers(state: State, _: Seat) -> Choices:
    return Singles(callers(state)) if state.round.kind == Kind.FIRST else ()


def _ties(state: State, _: Seat) -> Choices:
    return ties(callers(state))


def _bids(state: State, seat: Seat) -> Choices:
    if state.bids[seat] is not None:
        return ()
    return Singles(range(state.round.least, bid_most(state.round, state.points[seat]) + 1))


def _locked(state: State, seat: Seat) -> Choices:
    return () if state.bids[seat] is None else ONE


def _numbers(state: State, _: Seat) -> Choices:
    this = state.round
    return Singles(range(this.least, (len(this.words) or this.largest) + 1))


def _uses(state: State, _: Seat) -> Choices:
    return SeatNumbers((state.caller,), range(state.rest_ms[state.caller]))


def _on_clock(state: State, _: Seat) -> Choices:
    return Singles((state.caller,))


def _lots(state: State, _: Seat) -> Choices:
    return Singles(lots_left(state))


def _changes(state: State, _: Seat) -> Choices:
    return SeatNumbers(state.seats, _AMOUNTS) if state.changes < changes_most(state.round) else ()


def _by_player(state: State, seat: Seat) -> bool:
    return seat in state.seats


# --- Why a move is refused ----------------------------------------------------------------------------------


def _not_now(state: State, seat: Seat, _: Args) -> Reason:
    if seat != TABLE and state.phase != Phase.SEALED:
        return msg("that seat cannot make this move")
    return {
        Phase.READY: msg("the round has not begun"),
        Phase.OPEN: msg("the buzzers are open and nobody has pressed"),
        Phase.ANSWER: msg("seat {n} has the word: right or wrong?", n=state.caller + 1),
        Phase.SEALED: msg("players key their numbers"),
        Phase.NUMBER: msg("the house keys the right number"),
        Phase.CLOCK: msg("the clock of seat {n} runs", n=state.caller + 1),
        Phase.LOTS: msg("dice fall or lots are drawn"),
        Phase.POINTS: msg("the house keys points, or skip ends the round"),
    }[state.phase]


@takes(1)
def _no_tick(state: State, _: Seat, args: Args) -> Reason:
    if state.round.kind != Kind.FIRST or state.round.opens == "ok":
        return msg("this round opens at ok")
    return msg("a step of the delay is 0 to {most}", most=len(_ticks(state, TABLE)) - 1)


@takes(1)
def _no_caller(state: State, _: Seat, args: Args) -> Reason:
    if state.round.kind != Kind.FIRST:
        return msg("nobody calls in this round")
    if args[0] in state.seats:
        return msg("seat {n} may not press in this round", n=args[0] + 1)
    return _no_seat(state)


def _no_tie(state: State, _: Seat, args: Args) -> Reason:
    return msg("a tie needs two or more different seats that may press")


def _no_seat(state: State) -> Text:
    return msg("the seats are 1 to {seats}", seats=len(state.points))


def _no_bid(state: State, seat: Seat, args: Args) -> Reason:
    if state.bids[seat] is not None:
        return msg("your number is locked; * takes it back")
    if len(args) != 1:
        return NOT_SO_MANY
    return msg(
        "allowed: {least} to {most}", least=state.round.least, most=bid_most(state.round, state.points[seat])
    )


@takes(1)
def _no_number(state: State, _: Seat, args: Args) -> Reason:
    this = state.round
    return msg("allowed: {least} to {most}", least=this.least, most=len(this.words) or this.largest)


@takes(2)
def _no_pass(state: State, _: Seat, args: Args) -> Reason:
    if args[0] != state.caller:
        return msg("the clock of seat {n} runs", n=state.caller + 1)
    return msg("seat {n} has {rest} ms left", n=state.caller + 1, rest=state.rest_ms[state.caller])


@takes(1)
def _no_flag(state: State, _: Seat, args: Args) -> Reason:
    return msg("the clock of seat {n} runs", n=state.caller + 1)


@takes(1)
def _no_lot(state: State, _: Seat, args: Args) -> Reason:
    if args[0] in state.drawn and state.round.lots != "dice":
        return msg("{n} is drawn already", n=args[0])
    return msg("allowed: {least} to {most}", least=lots_left(state)[0], most=lots_left(state)[-1])


@takes(2)
def _no_change(state: State, _: Seat, args: Args) -> Reason:
    if state.changes >= changes_most(state.round):
        return "AN-A6", msg("points have changed {n} times in this round: end it first", n=state.changes)
    if args[0] not in state.seats:
        return _no_seat(state)
    return msg("allowed: {least} to {most}", least=1, most=AMOUNT_MOST)


_NOTHING_LOCKED: Final = msg("you have not locked a number")


# --- Notation -----------------------------------------------------------------------------------------------

_MOST_MS: Final = 99_999_999

_NUMBER: Final[Spelling[Box]] = Spelling(
    lambda _, args: str(args[0]), lambda _, words: (number(" ".join(words), most=NUMBER_MOST),)
)


def _seat_and_number(most: int) -> Spelling[Box]:
    return Spelling(
        lambda _, args: f"{seat_text(Seat(args[0]))} {args[1]}",
        lambda _, words: (one_seat(words[:1]), number(" ".join(words[1:]), most=most)),
    )


# --- The verbs ----------------------------------------------------------------------------------------------


def _table(*phases: Phase) -> tuple[Guard[State]]:
    return during(set(phases), by_table, _not_now)


_SEALED: Final = during({Phase.SEALED}, _by_player, _not_now)
_CHANGE: Final = during(_CHANGING, by_table, _not_now)

VERBS: Final[Verbs[State, Box]] = Verbs(
    "any other game",
    {
        "open": Verb("AN-R6", _table(Phase.READY), always, rounds.apply_open),
        "tick": Verb("AN-R7", _table(Phase.READY), _ticks, rounds.apply_tick, _NUMBER, _no_tick, draw=True),
        "early": Verb("AN-R9", _table(Phase.READY, Phase.OPEN), _callers, rounds.apply_early, ONE_SEAT, _no_caller),
        "call": Verb("AN-R8", _table(Phase.OPEN), _callers, rounds.apply_call, ONE_SEAT, _no_caller),
        "tie": Verb("AN-R10", _table(Phase.OPEN), _ties, rounds.apply_tie, TIED, _no_tie),
        "right": Verb("AN-R11", _table(Phase.ANSWER), always, rounds.apply_right),
        "wrong": Verb("AN-R11", _table(Phase.ANSWER), always, rounds.misses(kinds.Wrong)),
        "late": Verb("AN-R12", _table(Phase.ANSWER), always, rounds.misses(kinds.Late)),
        "lock": Verb("AN-R13", _SEALED, _bids, rounds.apply_lock, _NUMBER, _no_bid, secret=True),
        "retract": Verb("AN-R14", _SEALED, _locked, rounds.apply_retract, refused=_NOTHING_LOCKED),
        "number": Verb("AN-R16", _table(Phase.NUMBER), _numbers, rounds.apply_number, _NUMBER, _no_number),
        "pass": Verb("AN-R18", _table(Phase.CLOCK), _uses, rounds.apply_pass, _seat_and_number(_MOST_MS), _no_pass),
        "flag": Verb("AN-R19", _table(Phase.CLOCK), _on_clock, rounds.apply_flag, ONE_SEAT, _no_flag),
        "draw": Verb("AN-R21", _table(Phase.LOTS), _lots, rounds.apply_draw, _NUMBER, _no_lot, draw=True),
        "add": Verb("AN-R5", _CHANGE, _changes, rounds.changes(1), _seat_and_number(AMOUNT_MOST), _no_change),
        "take": Verb("AN-R5", _CHANGE, _changes, rounds.changes(-1), _seat_and_number(AMOUNT_MOST), _no_change),
        "skip": Verb("AN-R3", during(_GOING_ON, by_table, _not_now), always, rounds.apply_skip),
    },
    over=("AN-R4", Phase.OVER),
)

_TABLE_ALONE: Final = (TABLE,)


def to_act(state: State) -> tuple[Seat, ...]:
    if state.phase == Phase.OVER:
        return ()
    return (TABLE, *state.seats) if state.phase == Phase.SEALED else _TABLE_ALONE


def draws(state: State) -> Sequence[Move]:
    """Return the steps of a delay, or the dice and lots that may fall next (AN-R7, AN-R21)."""
    if state.phase == Phase.READY:
        return [Move(TABLE, "tick", args) for args in _ticks(state, TABLE)]
    return [Move(TABLE, "draw", args) for args in _lots(state, TABLE)] if state.phase == Phase.LOTS else ()
