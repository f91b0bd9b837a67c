"""Driftwood's rules, in the order of README.md.

A find is a number: its place in the box's list. Those in the bag are a sorted heap, so no order can leak from it.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple, TypeVar

from companion.core.choices import ONE, Args, Choices, Moves, Singles
from companion.core.errors import IllegalMove, OptionError
from companion.core.event import Event, event
from companion.core.move import TABLE, Move, Seat, by_seat, each_seat
from companion.core.options import option
from companion.core.rules import Outcome
from companion.core.text import msg

from . import kinds

T = TypeVar("T")

SEATS: Final = range(2, 6)
DRAWS: Final = frozenset({"wash"})
SECRETS: Final = frozenset({"throw"})

NOTHING: Final = -1
"""No find lies there."""


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match."""

    ebb_s: int = option(
        4,
        msg("seconds until the sea takes a find back"),
        minimum=1,
        maximum=60,
        steps=(2, 4, 8),
        label=msg("Seconds to call"),
    )
    tie_margin_ms: int = option(
        1,
        msg("calls this close to the earliest are a tie, in milliseconds"),
        minimum=0,
        maximum=50,
        steps=(0, 1, 5),
        label=msg("Tie within, ms"),
    )


class Find(NamedTuple):
    """Something that the sea brings; `rocks` is whether it gets stuck there."""

    name: str
    worth: int
    rocks: bool


class Box(NamedTuple):
    """What is in the box: the kinds of finds, the `bag` of them by number, and each player's stones."""

    finds: tuple[Find, ...]
    bag: tuple[int, ...]
    stones: int


class Phase(StrEnum):
    """What is going on."""

    SEA = "sea"  # the next find is about to come
    BEACH = "beach"  # one lies there, calls count
    ROCKS = "rocks"  # one is stuck, everybody throws
    OVER = "over"


class State(NamedTuple):
    """A position: `turn` counts finds, `find` is the one that lies there.

    `throws` are secret, None where one is owed; `shown` are the last ones, until the next find.
    """

    box: Box
    rulings: Rulings
    turn: int
    bag: tuple[int, ...]
    find: int
    points: tuple[int, ...]
    stones: tuple[int, ...]
    throws: tuple[int | None, ...]
    shown: tuple[int, ...]

    @property
    def phase(self) -> Phase:
        """What is going on."""
        if self.find != NOTHING:
            return Phase.ROCKS if self.box.finds[self.find].rocks else Phase.BEACH
        return Phase.SEA if self.bag else Phase.OVER


class View(NamedTuple):
    """What an audience may see: of the throws whose are locked, and the reader's own."""

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: Phase
    turn: int
    left: int
    find: Find | None
    points: tuple[int, ...]
    stones: tuple[int, ...]
    locked: tuple[bool, ...]
    throw: int | None
    shown: tuple[int, ...]
    outcome: Outcome | None


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the first find (DW-R1). Raise OptionError for a wrong number of seats."""
    if seats not in SEATS:
        raise OptionError(msg("Driftwood is for 2 to 5 players, not {n}", n=seats))
    return State(
        box=box,
        rulings=rulings,
        turn=0,
        bag=box.bag,
        find=NOTHING,
        points=(0,) * seats,
        stones=(box.stones,) * seats,
        throws=(None,) * seats,
        shown=(),
    )


# --- Who may do what --------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: the TABLE, or at the rocks everybody."""
    if state.phase == Phase.OVER:
        return ()
    return each_seat(len(state.points)) if state.phase == Phase.ROCKS else (TABLE,)


def _choices(state: State, seat: Seat) -> Mapping[str, Choices]:
    """Return what a seat may do, by verb: the only place that says so."""
    if seat not in to_act(state):
        return {}
    if state.phase == Phase.SEA:
        return {"wash": Singles(state.bag)}
    if state.phase == Phase.ROCKS:
        owes = state.throws[seat] is None
        return {"throw": Singles(range(state.stones[seat] + 1))} if owes else {"retract": ONE}
    seats = each_seat(len(state.points))
    ties = [group for size in range(2, len(seats) + 1) for group in combinations(seats, size)]
    return {"call": Singles(seats), "tie": ties, "ebb": ONE}


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of a seat, or of the TABLE."""
    return Moves(seat, *_choices(state, seat).items(), secret=SECRETS)


def draws(state: State) -> Sequence[Move]:
    """Return the finds in the bag, each as likely as the other (DW-R2)."""
    return legal(state, TABLE) if state.phase == Phase.SEA else ()


# --- Moves ------------------------------------------------------------------------------------------------

Told = tuple[State, tuple[Event, ...]]
"""The position after a move, and what to tell of it."""


def _wash(state: State, _: Seat, args: Args) -> Told:
    (find,) = args
    place, kind = state.bag.index(find), state.box.finds[find]
    bag = state.bag[:place] + state.bag[place + 1 :]
    told = event(kinds.Wash(kind.name, kind.worth, kind.rocks))
    return state._replace(turn=state.turn + 1, bag=bag, find=find, shown=()), (told,)


def _call(state: State, _: Seat, args: Args) -> Told:
    (first,) = args
    return _found(state, Seat(first))


def _tie(state: State, _: Seat, args: Args) -> Told:
    return state._replace(find=NOTHING), (event(kinds.Tie(tuple(map(Seat, args)))),)


def _ebb(state: State, _: Seat, __: Args) -> Told:
    return state._replace(find=NOTHING), (event(kinds.Ebb()),)


def _throw(state: State, seat: Seat, args: Args) -> Told:
    (stones,) = args
    throws, told = _with(state.throws, seat, stones), event(kinds.Throw(), seat)
    shown = tuple(throw for throw in throws if throw is not None)
    if len(shown) < len(throws):
        return state._replace(throws=throws), (told,)
    state, revealed = _reveal(state, shown)
    return state, (told, *revealed)


def _retract(state: State, seat: Seat, _: Args) -> Told:
    return state._replace(throws=_with(state.throws, seat, None)), (event(kinds.Retract(), seat),)


def _reveal(state: State, throws: tuple[int, ...]) -> Told:
    # DW-R8
    left = tuple(has - thrown for has, thrown in zip(state.stones, throws, strict=True))
    state = state._replace(stones=left, throws=(None,) * len(throws), shown=throws)
    revealed, most = event(kinds.Reveal(throws)), max(throws)
    if most and throws.count(most) == 1:
        state, found = _found(state, Seat(throws.index(most)))
        return state, (revealed, *found)
    return state._replace(find=NOTHING), (revealed, event(kinds.Sunk()))


def _found(state: State, seat: Seat) -> Told:
    kind = state.box.finds[state.find]
    points = _with(state.points, seat, state.points[seat] + kind.worth)
    call = kinds.Found if kind.worth > 0 else kinds.Pinched
    told = event(call(kind.name, points[seat]), seat)
    return state._replace(find=NOTHING, points=points), (told,)


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, and what it does."""

    rule: str
    apply: Callable[[State, Seat, Args], Told]


_VERBS: Final = {
    "wash": _Verb("DW-R2", _wash),
    "call": _Verb("DW-R3", _call),
    "tie": _Verb("DW-R4", _tie),
    "ebb": _Verb("DW-R5", _ebb),
    "throw": _Verb("DW-R6", _throw),
    "retract": _Verb("DW-R7", _retract),
}


def apply(state: State, move: Move) -> Told:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    seat, name, args = move
    if args not in _choices(state, seat).get(name, ()):
        # In the same words whatever is wrong with it: the reason could tell a secret.
        raise IllegalMove(seat, _VERBS[name].rule if name in _VERBS else "DW-R2", msg("not accepted now"))
    state, told = _VERBS[name].apply(state, seat, args)
    result = outcome(state)
    if result:
        told += (event(kinds.Over(result.ranking)),)
    return state, told


# --- The end, and who sees what ---------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    """Return the ranking, by points, then by stones left (DW-R9)."""
    if state.phase != Phase.OVER:
        return None
    stands = list(zip(state.points, state.stones, strict=True))
    places = sorted(set(stands), reverse=True)
    ranking = tuple(tuple(seat for seat, one in by_seat(stands) if one == place) for place in places)
    return Outcome(ranking, msg("the bag is empty: the most points win, then the most stones"))


def released(state: State, move: Move) -> Hashable:
    """Return what a move makes public: with the last throw all of them, else nothing."""
    if move.verb != "throw" or state.throws.count(None) > 1:
        return None
    return _with(state.throws, move.seat, move.args[0])


def view(state: State, seat: Seat | None) -> View:
    """Return what a seat, or everybody, may see."""
    return View(
        you=seat,
        box=state.box,
        rulings=state.rulings,
        phase=state.phase,
        turn=state.turn,
        left=len(state.bag),
        find=None if state.find == NOTHING else state.box.finds[state.find],
        points=state.points,
        stones=state.stones,
        locked=tuple(throw is not None for throw in state.throws),
        throw=None if seat is None else state.throws[seat],
        shown=state.shown,
        outcome=outcome(state),
    )


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
