"""Böse Buben's frames: every phase of both variants, reached by real moves."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.display.frame import Frame, Play
from companion.games import load
from companion.games.boese_buben import console
from companion.games.boese_buben.bots import Planner
from companion.games.boese_buben.bots import Random as Careless
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import NO_CARD, Action, value
from companion.match.new_match import new_match
from companion.referee.input_gate import READ_NS
from tests.display.gallery import NAMES, Frames, Table

SEATS: tuple[int, ...] = (2, 4)

CAPTIONS: Final = {
    "setup": "Before the first race: one more lane than players.",
    "turn": "Goblins run in the lanes; the newest is lit.",
    "late": "A later race: cards of earlier races lie in the mud.",
    "bribery": "Owners may buy cards back from the mud. A lane of one colour paid nothing.",
    "bribery_equal_sums": "Two sums were equal: more cards in the lane decided.",
    "bribery_zero": "A card of value 0 comes back for nothing.",
    "next_race": "The next race begins.",
    "over": "The end: all purses.",
    "action_turn": "With action texts: each such card shows its sign.",
    "action_austausch": "Swap: cards of two lanes change places.",
    "action_rauswurf": "Kick out: a card leaves its lane.",
    "action_raengelei": "Scramble: the cards of a lane in a new order.",
    "action_mc": "A master of ceremonies may be moved.",
    "action_free": "Buying a card back for ducats, or taking it for nothing.",
    "action_over": "The end of a match with action texts.",
    "falls": "A full lane: a card falls into the mud.",
    "race_end": "The end of a race: who gets each lane's ducats, and why.",
}

SEEDS = 60

ROBOTS = (Planner(), Careless())
"""The Careless robot reaches positions that good players avoid."""

Wanted = Callable[[View], bool]


def new(seats: int, variant: str) -> Match:
    game = load("boese_buben")
    chosen = game.rulings(variant=variant)
    return new_match(game, NAMES[:seats], rulings=chosen, deal="table", seed="gallery")


def played(seats: int, variant: str, wanted: Wanted, name: str) -> Match:
    """Return a match of robots at a `wanted` view. Raise LookupError."""
    for seed in range(SEEDS):
        match, luck = new(seats, variant), Random(seed)
        robot = ROBOTS[seed % len(ROBOTS)]
        match.push(Move(TABLE, "first", (seed % seats,)))
        while True:
            if wanted(match.view()):
                return match
            if not match.to_act:
                break
            (seat,) = match.to_act
            move = robot.decide(match.view(seat), seat, luck)
            assert move is not None
            match.push(move)
    raise LookupError(f"no match of {seats} comes to {name}")


def _laid(view: View) -> int:
    return sum(map(len, view.tracks))


def _why(view: View) -> set[str]:
    return {why for _, why in view.results}


def _in_basic(seats: int) -> dict[str, Wanted]:
    return {
        "turn": lambda view: view.race == 1 and _laid(view) == 2 * seats,
        "late": lambda view: view.race > 1 and view.last >= 0 and max(map(len, view.zones)) == 3,
        "bribery": lambda view: view.phase == Phase.BRIBERY and view.price > 1 and "colour" in _why(view),
        "bribery_equal_sums": lambda view: view.phase == Phase.BRIBERY and "cards" in _why(view),
        "bribery_zero": lambda view: view.phase == Phase.BRIBERY and value(view.card) == 0,
        "next_race": lambda view: view.race > 1 and view.phase == Phase.TURN and view.last == NO_CARD,
        "over": lambda view: view.phase == Phase.OVER,
    }


def _in_action(seats: int) -> dict[str, Wanted]:
    return {
        "action_turn": lambda view: view.race == 2 and view.phase == Phase.TURN and view.last >= 0,
        "action_austausch": lambda view: _acts(view, Action.AUSTAUSCH) and _laid(view) > 2 * seats,
        "action_rauswurf": lambda view: _acts(view, Action.RAUSWURF) and _laid(view) > 2 * seats,
        "action_raengelei": lambda view: _acts(view, Action.RAENGELEI) and _laid(view) > 2 * seats,
        "action_mc": lambda view: view.phase == Phase.MC and sum(view.mc) > 1,
        "action_free": lambda view: view.phase == Phase.BRIBERY and view.free == view.mover,
        "action_over": lambda view: view.phase == Phase.OVER,
    }


def _acts(view: View, action: Action) -> bool:
    return view.phase == Phase.ACTION and console.action_of(view) == action


def _moments(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    """Yield frames whose strips report a falling card and the end of a race."""
    moments: dict[str, Wanted] = {
        "falls": lambda view: sum(map(len, view.zones)) == 3,
        "race_end": lambda view: view.phase == Phase.BRIBERY,
    }
    for name, wanted in moments.items():
        match = played(seats, "basic", wanted, name)
        move = match.moves[-1]
        match.undo()
        keys = console.keys_for(match.view(move.seat), move)
        table = Table(folder / name, match).wait(READ_NS).press(*keys, place=move.seat)
        told = [frame for frame in table.plays if any(side.tone for side in frame.sides)]
        yield name, told[-1] if told else table.frame


def frames(folder: Path, seats: int) -> Frames:
    matches = {"setup": new(seats, "basic")}
    matches |= {name: played(seats, "basic", wanted, name) for name, wanted in _in_basic(seats).items()}
    matches |= {name: played(seats, "action", wanted, name) for name, wanted in _in_action(seats).items()}
    found = {name: _shown(Table(folder / str(seats) / name, match)) for name, match in matches.items()}
    return {**found, **dict(_moments(folder / str(seats), seats))}


def _shown(table: Table) -> Frame:
    return next(frame for frame in reversed(table.frames) if isinstance(frame.screen, Play))
