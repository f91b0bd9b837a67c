"""What is to be seen of a position: all see everything."""

from typing import NamedTuple

from companion.core.move import Seat
from companion.core.rules import Outcome
from companion.games.de_et_boulanger.rules.board import Square
from companion.games.de_et_boulanger.rules.components import (
    Box,
    Phase,
    Rulings,
    Setting,
    State,
)
from companion.games.de_et_boulanger.rules.end import outcome
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products


class View(NamedTuple):
    """What an audience may see; here all see everything. `you` is the reader, the rest is as in State."""

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
    """Return what a seat, or everybody, may see: all of it."""
    return View(
        you=seat,
        box=state.setting.box,
        rulings=state.setting.rulings,
        phase=state.phase,
        round=state.round,
        series=state.series,
        order=state.order,
        turn=state.turn,
        ready=state.ready,
        die=state.die,
        steps=state.steps,
        rolls=state.rolls,
        sides=state.sides,
        places=state.places,
        trips=state.trips,
        loads=state.loads,
        cash=state.cash,
        labs=state.labs,
        products=state.products,
        done=state.done,
        bonus=state.bonus,
        tiles=state.tiles,
        markers=state.markers,
        outcome=outcome(state),
    )


def position(view: View) -> State:
    """Return the position that a view shows, for those who think ahead from it."""
    # A view has the fields of a state in the same order, between its reader, box and rulings and its outcome.
    return State(Setting(view.box, view.rulings, len(view.cash)), *view[3:-1])
