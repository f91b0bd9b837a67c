"""Driftwood's rules, in the order of README.md.

A find is its index in the box's list. The bag is sorted, so that no order can leak from it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from companion.core.choices import ONE, Args, Choices, Singles, ties
from companion.core.errors import OptionError
from companion.core.move import TABLE, Move, Seat, by_seat, each_seat, with_added, with_item
from companion.core.options import option
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.core.verbs import (
    ONE_SEAT,
    TIED,
    Reason,
    Spelling,
    Told,
    Verb,
    Verbs,
    always,
    by_table,
    during,
    number,
    tell,
    word_of,
)

from . import kinds

SEATS: Final = range(2, 6)

NOTHING: Final = -1  # the find while there is none


@dataclass(frozen=True)
class Rulings:
    """The house rules of a match."""

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
    """A kind of find. `rocks` says whether it gets stuck there."""

    name: str
    worth: int
    rocks: bool


class Box(NamedTuple):
    """The box: kinds of finds, the `bag` by their indices, stones per player."""

    finds: tuple[Find, ...]
    bag: tuple[int, ...]
    stones: int


class Phase(StrEnum):
    """The phases of the game."""

    SEA = "sea"  # the next find is about to come
    BEACH = "beach"  # a find lies there, calls count
    ROCKS = "rocks"  # a find is stuck, everybody throws
    OVER = "over"


class State(NamedTuple):
    """A position. `turn` counts finds; `throws` are secret, None until thrown.

    `shown` are the last throws, until the next find.
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
        if self.find != NOTHING:
            return Phase.ROCKS if self.box.finds[self.find].rocks else Phase.BEACH
        return Phase.SEA if self.bag else Phase.OVER


class View(NamedTuple):
    """The view of a seat or of everybody: whose throws are locked, and the reader's own."""

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
    """Return the initial position (DW-R1). Raises OptionError for a wrong number of seats."""
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
    """Return who may move: the TABLE, or everybody at the rocks."""
    if state.phase == Phase.OVER:
        return ()
    return _seats(state) if state.phase == Phase.ROCKS else (TABLE,)


def _seats(state: State) -> tuple[Seat, ...]:
    return each_seat(len(state.points))


def _by_player(state: State, seat: Seat) -> bool:
    return seat in _seats(state)


def _finds(state: State, _: Seat) -> Choices:
    return Singles(state.bag)


def _callers(state: State, _: Seat) -> Choices:
    return Singles(_seats(state))


def _ties(state: State, _: Seat) -> Choices:
    return ties(_seats(state))


def _stones(state: State, seat: Seat) -> Choices:
    return Singles(range(state.stones[seat] + 1)) if state.throws[seat] is None else ()


def _thrown(state: State, seat: Seat) -> Choices:
    return () if state.throws[seat] is None else ONE


# --- Reasons for refusals ---------------------------------------------------------------------------------


def _not_now(state: State, _: Seat, __: Args) -> Reason:
    return {
        Phase.SEA: msg("nothing lies there: the sea brings the next find"),
        Phase.BEACH: msg("a find lies on the beach: it is called, or the sea takes it back"),
        Phase.ROCKS: msg("a find is between the rocks: everybody throws"),
    }[state.phase]


def _no_find(state: State, _: Seat, args: Args) -> Reason:
    known = len(args) == 1 and 0 <= args[0] < len(state.box.finds)
    return msg("no {find} is left in the bag", find=state.box.finds[args[0]].name) if known else _NO_SUCH_FIND


def _no_seat(state: State, _: Seat, __: Args) -> Reason:
    return msg("the seats are 1 to {seats}, each named once", seats=len(state.points))


def _no_throw(state: State, seat: Seat, _: Args) -> Reason:
    if state.throws[seat] is not None:
        return msg("your throw is locked: * takes it back")
    return msg("you have {n} stone left", "you have {n} stones left", n=state.stones[seat])


_NO_SUCH_FIND: Final = msg("there is no such find in the box")
_NOTHING_THROWN: Final = "DW-R7", msg("you have not locked a throw that could be taken back")


# --- Moves ------------------------------------------------------------------------------------------------


def _wash(state: State, _: Seat, args: Args, told: Told) -> State:
    (find,) = args
    place, kind = state.bag.index(find), state.box.finds[find]
    tell(told, kinds.Wash, None, kind.name, kind.worth, kind.rocks)
    bag = state.bag[:place] + state.bag[place + 1 :]
    return state._replace(turn=state.turn + 1, bag=bag, find=find, shown=())


def _call(state: State, _: Seat, args: Args, told: Told) -> State:
    (first,) = args
    return _found(state, Seat(first), told)


def _tie(state: State, _: Seat, args: Args, told: Told) -> State:
    tell(told, kinds.Tie, None, tuple(map(Seat, args)))
    return _gone(state, told)


def _ebb(state: State, _: Seat, __: Args, told: Told) -> State:
    tell(told, kinds.Ebb)
    return _gone(state, told)


def _throw(state: State, seat: Seat, args: Args, told: Told) -> State:
    (stones,) = args
    throws = with_item(state.throws, seat, stones)
    tell(told, kinds.Throw, seat)
    shown = tuple(throw for throw in throws if throw is not None)
    return _reveal(state, shown, told) if len(shown) == len(throws) else state._replace(throws=throws)


def _retract(state: State, seat: Seat, _: Args, told: Told) -> State:
    tell(told, kinds.Retract, seat)
    return state._replace(throws=with_item(state.throws, seat, None))


def _reveal(state: State, throws: tuple[int, ...], told: Told) -> State:
    # DW-R8
    left = tuple(has - thrown for has, thrown in zip(state.stones, throws, strict=True))
    state = state._replace(stones=left, throws=(None,) * len(throws), shown=throws)
    tell(told, kinds.Reveal, None, throws)
    most = max(throws)
    if most and throws.count(most) == 1:
        return _found(state, Seat(throws.index(most)), told)
    tell(told, kinds.Sunk)
    return _gone(state, told)


def _found(state: State, seat: Seat, told: Told) -> State:
    kind = state.box.finds[state.find]
    points = with_added(state.points, seat, kind.worth)
    tell(told, kinds.Found if kind.worth > 0 else kinds.Pinched, seat, kind.name, points[seat])
    return _gone(state._replace(points=points), told)


def _gone(state: State, told: Told) -> State:
    """Remove the find, and report the end after the last one."""
    state = state._replace(find=NOTHING)
    result = outcome(state)
    if result:
        tell(told, kinds.Over, None, result.ranking)
    return state


# --- Verbs: paragraph, phase and seat, choices, effect, spelling, refusal ---------------------------------

_FIND: Final[Spelling[Box]] = Spelling(
    lambda box, args: box.finds[args[0]].name,
    lambda box, words: (word_of(" ".join(words), [find.name for find in box.finds]),),
)
_COUNT: Final[Spelling[Box]] = Spelling(
    lambda _, args: str(args[0]), lambda _, words: (number(" ".join(words), most=9),)
)

VERBS: Final[Verbs[State, Box]] = Verbs(
    "Driftwood",
    {
        "wash": Verb("DW-R2", during({Phase.SEA}, by_table, _not_now), _finds, _wash, _FIND, _no_find, draw=True),
        "call": Verb("DW-R3", during({Phase.BEACH}, by_table, _not_now), _callers, _call, ONE_SEAT, _no_seat),
        "tie": Verb("DW-R4", during({Phase.BEACH}, by_table, _not_now), _ties, _tie, TIED, _no_seat),
        "ebb": Verb("DW-R5", during({Phase.BEACH}, by_table, _not_now), always, _ebb),
        "throw": Verb(
            "DW-R6", during({Phase.ROCKS}, _by_player, _not_now), _stones, _throw, _COUNT, _no_throw, secret=True
        ),
        "retract": Verb(
            "DW-R7", during({Phase.ROCKS}, _by_player, _not_now), _thrown, _retract, refused=_NOTHING_THROWN
        ),
    },
    over=("DW-R9", Phase.OVER),
)

DRAWS: Final = VERBS.draws
SECRETS: Final = VERBS.secrets
legal: Final = VERBS.legal
apply: Final = VERBS.apply


def draws(state: State) -> Sequence[Move]:
    """Return the finds in the bag, all equally likely (DW-R2)."""
    return legal(state, TABLE) if state.phase == Phase.SEA else ()


# --- Result and views -------------------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    """Return the ranking by points, then by stones left (DW-R9)."""
    if state.phase != Phase.OVER:
        return None
    stands = list(zip(state.points, state.stones, strict=True))
    places = sorted(set(stands), reverse=True)
    ranking = tuple(tuple(seat for seat, one in by_seat(stands) if one == place) for place in places)
    return Outcome(ranking, msg("the bag is empty: the most points win, then the most stones"))


def released(state: State, move: Move) -> Hashable:
    """Return what a move makes public: all throws with the last one, else None."""
    if move.verb != "throw" or state.throws.count(None) > 1:
        return None
    return with_item(state.throws, move.seat, move.args[0])


def view(state: State, seat: Seat | None) -> View:
    seat = None if seat == TABLE else seat  # nothing is for the house's eyes only
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
