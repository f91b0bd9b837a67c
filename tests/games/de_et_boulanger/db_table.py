"""A table of Dé et Boulanger for tests; moves are lines of text."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.core.seats import parse_seat
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.box import DeEtBoulangerBox
from companion.games.de_et_boulanger.game import GAME
from companion.games.de_et_boulanger.rules import VERBS
from companion.games.de_et_boulanger.rules.components import Box, Rulings, State
from tests.games import kit
from tests.games.contract import Step
from tests.games.de_et_boulanger.db_naive import BOARD as MAP
from tests.games.de_et_boulanger.db_naive import TILES, NaiveBoard

BOX_TEXT = GAME.box_text
BOX = DeEtBoulangerBox.read(BOX_TEXT, "box.toml")
BOARD = NaiveBoard()
SIDES = {2: "NS", 4: "NESW"}
"""The bakeries of seats 1, 2, ..."""


def box_with(**changes: object) -> Box:
    """Return the box with other numbers in box.toml."""
    text = BOX_TEXT
    for key, value in changes.items():
        text, found = re.subn(rf"(?m)^{key} = [^#\n]*", f"{key} = {value} ", text)
        assert found == 1, key
    return DeEtBoulangerBox.read(text, "box.toml")


SMALL_MAP = """\
##N##
#M.A#
W.F.E
#A.M#
##S##
"""
SMALL = DeEtBoulangerBox.read(BOX_TEXT.replace(MAP, SMALL_MAP), "box.toml")
"""A board of nine squares."""

DEAR = DeEtBoulangerBox.read(
    BOX_TEXT.replace("flour = 1\nbutter = 1\nwater = 0", "flour = 2\nbutter = 3\nwater = 1"), "box.toml"
)
"""A box without free ingredients."""


class Play(kit.Table):
    """A match with moves as text; players count from 1, and player 1 has the north."""

    rules = rules

    def __init__(
        self,
        seats: int = 2,
        *,
        first: int = 1,
        tiles: str = "1 2 3 4 5 6",
        box: Box = BOX,
        until: str = "move",
        sides: str = "",
        **rulings: Any,
    ) -> None:
        self.box = box
        self.state: State = rules.setup(box, Rulings(**rulings), seats)
        if until == "setup":
            return
        chosen = SIDES[seats][:1] if seats == 2 else sides or SIDES[seats]
        self.do(*(f"{n} bakery {side}" for n, side in enumerate(chosen, 1)))
        self.do(*(f"{n} tiles {tiles}" for n in range(1, seats + 1)))
        if until == "move":
            self.do(*(f"T start {6 if n == first else 1}" for n in range(1, seats + 1)))

    @property
    def seats(self) -> int:
        return len(self.view.cash)

    def do(self, *lines: str) -> tuple[Event, ...]:
        for line in lines:
            self.push(VERBS.parse_move(self.box, line))
        return self.told if lines else ()

    def turn(self, roll: int, *lines: str) -> tuple[Event, ...]:
        """Let the player on turn roll, act and end."""
        who = self.who
        return self.do(f"T roll {roll}", *(f"{who} {line}" for line in lines), f"{who} end")

    def walk(self, roll: int, *places: str) -> None:
        """Let the player on turn roll and walk."""
        self.do(f"T roll {roll}", *(f"{self.who} step {place}" for place in places))

    @property
    def who(self) -> int:
        (seat,) = [seat for seat in rules.to_act(self.state) if seat != TABLE]
        return seat + 1

    def legal(self, who: int | str, verb: str = "") -> set[str]:
        """Return the legal lines of a player or `T`, without the player."""
        lines = {
            VERBS.format_move(self.box, move).partition(" ")[2]
            for move in rules.legal(self.state, parse_seat(str(who)))
        }
        return {line for line in lines if not verb or line.split()[0] == verb}

    def refused(self, line: str) -> str:
        return self.refuses(VERBS.parse_move(self.box, line))

    def rest(self, die: int = 1) -> None:
        """Let everybody stay until the moving phase ends."""
        while self.legal("T", "roll"):
            self.turn(die)


# The public position


def cash(play: Play, who: int) -> int:
    return play.view.cash[who - 1]


def laboratory(play: Play, who: int) -> dict[str, int]:
    return play.view.labs[who - 1]._asdict()


def load(play: Play, who: int) -> dict[str, int]:
    return play.view.loads[who - 1]._asdict()


def products(play: Play, who: int) -> tuple[int, int]:
    return tuple(play.view.products[who - 1])


def place_text(box: Box, square: int) -> str:
    return VERBS.format_move(box, Move(0, "step", (square,))).split()[2]


def place(play: Play, who: int) -> str:
    return place_text(play.box, play.view.places[who - 1])


def tiles(play: Play, who: int) -> list[Any]:
    """Return the tiles left, as (breads, croissants) or `incident`."""
    return [TILES[tile + 1] for tile in play.view.tiles[who - 1]]


def marker(play: Play, who: int) -> int:
    return play.view.markers[who - 1]


def steps_left(play: Play) -> int:
    return play.view.steps


def order(play: Play) -> list[int]:
    return [seat + 1 for seat in play.view.order]


def round_number(play: Play) -> int:
    return play.view.round


def series_number(play: Play) -> int:
    return play.view.series


def ranking(play: Play) -> list[list[int]]:
    return [[seat + 1 for seat in shared] for shared in rules.outcome(play.state).ranking]


# Positions


def rival_at_the_door(**rulings: Any) -> Play:
    """Return a match in which player 2 blocks player 1's door before the roll."""
    play = Play(first=2, **rulings)
    play.turn(4, "step 9,5", "step 8,5", "step 7,5", "step fountain")
    play.turn(1)
    play.turn(3, "step 3,5", "step 2,5", "step 1,5")
    return play


def stocked(flour: int, water: int, butter: int, *, sous: int = 0, **setup: Any) -> Play:
    """Return a trust match in which player 1's laboratory holds these goods."""
    play = Play(movement="trust", box=box_with(start_sous=sous + flour + butter), **setup)
    for _ in range(flour):
        play.do("1 load 1", "1 flour 1", "1 unload 1 0 0 0")
    for _ in range(water):
        play.do("1 water 1", "1 unload 0 1 0 0")
    for _ in range(butter):
        play.do("1 load 1", "1 butter 1", "1 unload 0 0 1 0")
    assert laboratory(play, 1) == {"flour": flour, "water": water, "butter": butter}
    assert cash(play, 1) == sous
    return play


def produced(play: Play, bread: int, croissants: int) -> Play:
    """Let everybody go home and bake; player 1 bakes these products."""
    play.do("1 home no", "2 home no")
    if bread or croissants:
        play.do(f"1 bake {bread} {croissants}")
    play.do("1 validate", "2 validate")
    return play


def sell(play: Play, *dice: int) -> None:
    """Make these sale rolls; an incident rolls a 1."""
    for die in dice:
        play.do(f"T sale {die}")
        if play.legal("T", "incident"):
            play.do("T incident 1")


def finish_round(play: Play) -> None:
    play.do(*(f"{n} validate" for n in range(1, play.seats + 1)))
    sell(play, *[1] * play.seats)


class Walker:
    """Chooses moves for bakers who walk to random goals and trade there."""

    def __init__(self, luck: Random) -> None:
        self.luck = luck
        self.goals: dict[Seat, str] = {}

    def choose(self, state: State) -> Move:
        """Return a legal move; the table rolls when asked, and sometimes before."""
        able = [seat for seat in rules.to_act(state) if len(rules.legal(state, seat))]
        if TABLE in able and len(able) > 1 and self.luck.random() < 0.9:
            able.remove(TABLE)
        seat = self.luck.choice(able)
        moves = rules.legal(state, seat)
        if len(moves) > 200:
            return self.luck.choice(moves)
        by_verb: dict[str, list[Move]] = {}
        for move in moves:
            by_verb.setdefault(move.verb, []).append(move)
        verb = self.verb(list(by_verb))
        if verb == "step" and self.luck.random() < 0.9:
            return self.step(state, seat, by_verb[verb])
        if self.luck.random() < 0.5:
            return max(by_verb[verb], key=lambda move: (min(move.args, default=0), move.args))
        return self.luck.choice(by_verb[verb])

    def verb(self, verbs: Sequence[str]) -> str:
        weights = {
            "ready": 8,
            "end": 2,
            "stay": 1,
            "step": 24,
            "unload": 1,
            "load": 12,
            "water": 8,
            "flour": 12,
            "butter": 12,
            "home": 1,
        }
        return self.luck.choices(verbs, [weights.get(verb, 4) for verb in verbs])[0]

    def step(self, state: State, seat: Seat, moves: list[Move]) -> Move:
        """Return a step towards the seat's goal; choose another goal on arrival."""
        places = {VERBS.format_move(BOX, move).split()[2]: move for move in moves}
        goal = self.goals.setdefault(seat, "fountain")
        place = min(places, key=lambda there: (BOARD.distance(there, goal), there))
        if place == goal or self.luck.random() < 0.05:  # rivals' shops are never reached
            self.goals[seat] = self.luck.choice(GOALS)
        return places[place]


GOALS = (*("fountain", "2,2", "8,8", "2,8", "8,2") * 3, "N", "E", "S", "W")
"""Rivals' shops lead bakers to their entrances."""


some_rulings = partial(kit.some_rulings, GAME, even=True)


def wander(state: State, luck: Random) -> Iterator[Step]:
    """Yield the steps of a match of Walkers."""
    return kit.wander(rules, state, Walker(luck).choose)
