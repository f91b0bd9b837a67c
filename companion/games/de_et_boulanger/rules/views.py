"""Views: everybody sees everything."""

from typing import NamedTuple

from companion.core.move import TABLE, Seat
from companion.core.rules import Outcome
from companion.games.de_et_boulanger.rules.board import Square
from companion.games.de_et_boulanger.rules.components import Box, Phase, Rulings, Setting, State
from companion.games.de_et_boulanger.rules.end import outcome
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products


class View(NamedTuple):
    """A view of a position; `you` is its seat. The fields of State follow `rulings` in order."""

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: Phase
    round: int
    series: int
    order: tuple[Seat, ...]
    rolls: tuple[int, ...]
    sides: tuple[int, ...]
    trips: tuple[bool, ...]
    stayed: tuple[bool, ...]
    loads: tuple[Load, ...]
    cash: tuple[int, ...]
    labs: tuple[Goods, ...]
    products: tuple[Products, ...]
    done: tuple[int, ...]
    bonus: tuple[int, ...]
    tiles: tuple[tuple[int, ...], ...]
    markers: tuple[int, ...]
    places: tuple[Square, ...]
    turn: Seat
    ready: bool
    die: int
    steps: int
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    box, rulings, _ = state.setting
    return View(None if seat == TABLE else seat, box, rulings, *state[1:], outcome(state))


def position(view: View) -> State:
    """Return the position that a view shows."""
    return State(Setting(view.box, view.rulings, len(view.cash)), *view[3:-1])
