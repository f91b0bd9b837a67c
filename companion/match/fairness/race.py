"""A minimal game for the real referee: the first call lights a lamp, then the next race opens.

This module is its rules, notation and console.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

from companion.core.console import BUZZ, Call, Keyed, Lamp, Limit, Race, Stage
from companion.core.errors import IllegalMove
from companion.core.event import Event
from companion.core.game import Game
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.rules import Outcome
from companion.core.text import Text

SEATS: Final = range(2, 6)
DRAWS: Final = frozenset[str]()

SECRETS: Final = frozenset[str]()

TIE_MARGIN_MS: Final = 1
LIT_MS: Final = 1
"""How long the lamps stay on, in addition to the time for late reports."""

NEXT: Final = Move(TABLE, "next")


@dataclass(frozen=True)
class RaceRulings:
    """No house rules."""


class RaceState(NamedTuple):
    """`lit` are the winners of race `number`; () while it is open."""

    seats: int
    number: int = 1
    lit: tuple[Seat, ...] = ()


def read_box(text: str, where: str) -> None:
    return None


def setup(box: None, rulings: RaceRulings, seats: int) -> RaceState:
    return RaceState(seats)


def to_act(state: RaceState) -> tuple[Seat, ...]:
    return (TABLE,)


def legal(state: RaceState, seat: Seat) -> Sequence[Move]:
    if seat != TABLE:
        return ()
    if state.lit:
        return (NEXT,)
    seats = range(state.seats)
    ties = [Move(TABLE, "tie", tied) for many in seats[1:] for tied in combinations(seats, many + 1)]
    return (*(Move(TABLE, "call", (winner,)) for winner in seats), *ties)


def draws(state: RaceState) -> Sequence[Move]:
    return ()


def apply(state: RaceState, move: Move, told: list[Event] | None = None) -> RaceState:
    if move not in legal(state, move.seat):
        raise IllegalMove(move.seat, "race", Text("not accepted"))
    if move == NEXT:
        return RaceState(state.seats, state.number + 1)
    return state._replace(lit=tuple(map(Seat, move.args)))


def view(state: RaceState, seat: Seat | None) -> RaceState:
    return state


def outcome(state: RaceState) -> Outcome | None:
    return None


def format_move(box: None, move: Move) -> str:
    return " ".join(["T", move.verb, *map(str, move.args)])


def parse_move(box: None, text: str) -> Move:
    _, verb, *args = text.split()
    return Move(TABLE, verb, tuple(map(int, args)))


def stage(view: RaceState) -> Stage:
    if view.lit:
        return Stage(limit=Limit(LIT_MS, NEXT))
    return Stage(race=Race(view.number, each_seat(view.seats), frozenset({BUZZ}), TIE_MARGIN_MS))


def called(view: RaceState, winners: tuple[Call, ...]) -> Move:
    return Move(TABLE, "tie" if len(winners) > 1 else "call", tuple(sorted(call.seat for call in winners)))


def early(view: RaceState, seat: Seat) -> Move | None:
    return None


def key(view: RaceState, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    return Keyed()


def prompt(view: RaceState) -> Text:
    return Text("First buzzer counts")  # no screen shows it


def lamps(view: RaceState) -> tuple[Lamp, ...]:
    return tuple(Lamp.ON if seat in view.lit else Lamp.OFF for seat in range(view.seats))


_HERE: Final[Any] = sys.modules[__name__]

GAME: Final = Game(
    name="race",
    title=Text("Race"),
    rules=_HERE,
    notation=_HERE,
    rulings=RaceRulings,
    box_text="",
    read_box=read_box,
    console=_HERE,
    teller=_HERE,
    bots={},
)
