"""A table for the tests of any other game, with a box that has rounds of all kinds."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from companion.core.move import TABLE, Move, Seat
from companion.games.any import rules
from companion.games.any.box import AnyBox
from companion.games.any.game import GAME
from companion.games.any.rules import Box, Phase, Rulings, State
from tests.games import kit
from tests.games.contract import Step

QUIZ = """
[[rounds]]
kind = "first"
text = "Which planet has a day longer than its year?"
answer = "Venus"
points = 2
wrong = 1

[[rounds]]
kind = "sealed"
text = "How many bones has a hand?"
show = true
largest = 100
number = 27

[[rounds]]
kind = "sealed"
text = "Which of them is a lake?"
words = ["Garda", "Etna", "Po"]
answer = "Garda"
number = 1

[[rounds]]
kind = "first"
text = "Hands off until it is green"
show = true
opens = "secret"
asks = "nobody"

[[rounds]]
kind = "lots"
names = ["Ann", "Ben", "Cid"]

[[rounds]]
kind = "sealed"
wins = "closest"

[[rounds]]
kind = "sealed"
tokens = true
wins = "highest"

[[rounds]]
kind = "clock"
minutes = 1

[[rounds]]
kind = "points"

[[rounds]]
kind = "lots"
lots = "teams"

[[rounds]]
kind = "lots"
lots = "begins"
"""

BOX = AnyBox.read(QUIZ, "box.toml")


def box_of(*rounds: str) -> Box:
    """Return a box of rounds, each the lines of its table."""
    return AnyBox.read("".join(f"[[rounds]]\n{lines}\n" for lines in rounds), "box.toml")


class Play(kit.Table):
    """A match whose moves are methods; seats count from 0."""

    rules = rules

    def __init__(self, seats: int = 3, *, box: Box = BOX, **rulings: Any) -> None:
        self.state: State = rules.setup(box, Rulings(**rulings), seats)

    def lock(self, *numbers: int) -> None:
        """Lock a number for each seat, from seat 0 on."""
        for seat, number in enumerate(numbers):
            self.make("lock", number, seat=Seat(seat))


some_rulings = partial(kit.some_rulings, GAME)

_SELDOM = {"skip": 0.05, "add": 0.1, "take": 0.1, "early": 0.2, "retract": 0.2, "flag": 0.2}


def wander(state: State, luck: Random) -> Iterator[Step]:
    """Yield the steps of a random match."""
    return kit.wander(rules, state, lambda at: _some_move(at, luck))


def _some_move(state: State, luck: Random) -> Move:
    draws = rules.draws(state)
    if draws and luck.random() < 0.8:
        return luck.choice(draws)
    seat = luck.choice(rules.to_act(state)) if luck.random() < 0.2 else rules.to_act(state)[-1]
    if state.phase == Phase.SEALED and seat != TABLE and luck.random() < 0.8:
        seat = next(one for one in state.seats if state.bids[one] is None)
    legal = rules.legal(state, seat)
    # Long lists lie between short ones.
    some = [*legal[:20], legal[len(legal) - 1], *(legal[luck.randrange(len(legal))] for _ in range(20))]
    if state.phase == Phase.CLOCK:
        some.append(Move(TABLE, "flag", (state.caller,)))
    verbs = sorted({move.verb for move in some})
    verb = luck.choices(verbs, [_SELDOM.get(verb, 1) for verb in verbs])[0]
    return luck.choice([move for move in some if move.verb == verb])
