"""Dé et Boulanger's frames: every phase, reached by robots."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.display.frame import Frame
from companion.games import load
from companion.games.de_et_boulanger.bots import Planner
from companion.games.de_et_boulanger.rules.board import Kind
from companion.games.de_et_boulanger.rules.components import INCIDENT, Phase, State, in_shop, under_marker
from companion.match.new_match import new_match
from companion.table.match_menus import VERDICT_NS
from tests.display.gallery import NAMES, Frames, Table

SEATS: Final = (2, 4)

CAPTIONS: Final = {
    "setup": "Players choose a side of the board and order six sale tiles.",
    "tiles": "Players who are ready have a bakery; the others still order their tiles.",
    "start": "The highest die begins.",
    "ready": "A baker has loaded sous and is about to roll.",
    "rolled": "Squares within reach are lit, those of the next step with arrows.",
    "mill": "Flour for sale at a mill; the tray shows what the baker carries.",
    "fountain": "The fountain has room for all; the numbers are its exits.",
    "home": "Bakers at home after the fifth roll get two sous.",
    "baking": "The recipes of bread and croissant, and their prices.",
    "baked": "All have baked; the last baker still has to validate.",
    "sale": "Above each tile its rolls, below it what it would earn.",
    "sold": "The tile is gone, the marker has moved, the money is in the cash box.",
    "incident": "The marker is at the incident; a second die chooses which one.",
    "struck": "The incident has happened.",
    "last_sale": "Two tiles are left in the last round.",
    "over": "The ranking by cash boxes.",
    "result": "The result.",
    "errands": "Bakers move on the real board: they key only what they buy.",
}

Wanted = Callable[[State], bool]


def new(seats: int, seed: int, **rulings: object) -> Match:
    """Return a new match with a real die, so that each roll can be chosen."""
    game = load("de_et_boulanger")
    return new_match(game, NAMES[:seats], rulings=game.rulings(**rulings), deal="table", seed=str(seed))


@cache
def _line(seats: int, seed: int, **rulings: object) -> tuple[Move, ...]:
    match, luck, bot = new(seats, seed, **rulings), Random(seed), Planner()
    while match.to_act:
        seat = next(iter(match.to_act))
        move = None if seat == TABLE else bot.decide(match.view(seat), seat, luck)
        match.push(move or luck.choice(match.game.rules.draws(match.state)))
    return match.moves


def come_to(seats: int, wanted: Wanted, **rulings: object) -> Match:
    for seed in range(60):
        match = new(seats, seed, **rulings)
        for move in _line(seats, seed, **rulings):
            match.push(move)
            if wanted(match.state):
                return match
    raise LookupError("no match comes to such a position")


def _moves(state: State) -> bool:
    return state.phase == Phase.MOVE and state.die > 0


def _at(state: State, kind: Kind) -> bool:
    return _moves(state) and state.setting.box.board.kinds[state.places[state.turn]] == kind


def _several_in_the_fountain(state: State) -> bool:
    fountain = state.setting.box.board.fountain
    return _at(state, Kind.FOUNTAIN) and state.steps > 1 and state.places.count(fountain) > 1


def _sells(state: State, left: int = 0) -> bool:
    """Return whether a seller has many goods, and `left` tiles if given."""
    if state.phase != Phase.SALE or state.die:
        return False
    return sum(state.products[state.turn]) > 2 and left in {0, len(state.tiles[state.turn])}


def _incident_comes(state: State) -> bool:
    return state.phase == Phase.SALE and state.die > 0 and sum(state.products[state.turn]) > 1


def _calm(seats: int) -> Iterator[tuple[str, Match]]:
    yield "setup", new(seats, 0)
    yield "tiles", come_to(seats, lambda state: any(state.tiles))
    yield (
        "start",
        come_to(seats, lambda state: state.phase == Phase.START and state.rolls[-1] == 0 < state.rolls[-2]),
    )
    yield "ready", come_to(seats, lambda state: state.ready and state.loads[state.turn].sous > 2)
    yield "rolled", come_to(seats, lambda state: _at(state, Kind.PLAIN) and state.steps > 2 and state.round > 1)
    yield "mill", come_to(seats, lambda state: _at(state, Kind.MILL) and state.loads[state.turn].flour > 1)
    yield "fountain", come_to(seats, _several_in_the_fountain)
    yield (
        "home",
        come_to(seats, lambda state: _at(state, Kind.SHOP) and in_shop(state, state.turn) and state.series > 3),
    )
    yield "baking", come_to(seats, lambda state: state.phase == Phase.PRODUCE and sum(map(sum, state.labs)) > 9)
    yield "baked", come_to(seats, lambda state: state.phase == Phase.PRODUCE and sum(state.done) == seats - 1)
    yield "sale", come_to(seats, _sells)
    yield "incident", come_to(seats, _incident_comes)
    yield "last_sale", come_to(seats, lambda state: _sells(state, 2))
    yield (
        "errands",
        come_to(
            seats,
            lambda state: state.phase == Phase.MOVE and sum(map(sum, state.loads)) > 4 and any(state.done),
            movement="trust",
        ),
    )


def _told(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    """Yield the results of keyed rolls."""
    match = come_to(seats, _sells)
    state = match.state
    row, tiles = state.tiles[state.turn], state.setting.box.tiles
    roll = next(roll for roll in range(1, 7) if tiles[row[under_marker(state, state.turn, roll)]] != INCIDENT)
    table = Table(folder / "sold", match).press(str(roll))
    yield "sold", next(frame for frame in table.frames if any(side.tone for side in frame.sides))
    table = Table(folder / "struck", come_to(seats, _incident_comes)).press("6")
    yield "struck", next(frame for frame in table.frames if any(side.tone for side in frame.sides))
    table = Table(folder / "over", come_to(seats, _last_roll)).press("1", "1")
    yield "over", table.plays[-1]
    yield "result", table.press("ok").wait(VERDICT_NS).frame


def _last_roll(state: State) -> bool:
    rounds = state.setting.box.rounds
    return state.phase == Phase.SALE and state.round == rounds and state.turn == state.order[-1]


def frames(folder: Path, seats: int) -> Frames:
    found = {name: Table(folder / str(seats) / name, match).frame for name, match in _calm(seats)}
    return found | dict(_told(folder / str(seats), seats))
