"""Simultaneous moves have the same result in either order (docs/fairness.md)."""

import random
from collections import Counter
from itertools import permutations

import pytest

from companion.core.errors import IllegalMove
from companion.core.game import Game
from companion.core.move import TABLE, Move
from companion.core.rules import State
from companion.games import all_games, load
from companion.testing.playout import random_move
from tests.running import sampled_rulings

MATCHES = 2_000
MOVES = 300

AT_ONE_TIME = {
    "any": {("lock", "retract")},
    "buro_crazy": {("commit", "retract"), ("retract", "total")},
    "de_et_boulanger": set(),
}
"""Games with simultaneous moves, and the verbs whose order matters: a retraction must precede the last lock."""


def after(game: Game, state: State, moves: tuple[Move, ...]) -> State | None:
    """Return the position after moves, None if one is illegal."""
    try:
        for move in moves:
            state = game.rules.apply(state, move)
    except IllegalMove:
        return None
    return state


@pytest.mark.soak
@pytest.mark.parametrize("name", all_games())
def test_order_of_simultaneous_moves_does_not_matter(name, soak_count):
    game, seen, differ = load(name), Counter(), set()
    box = game.read_box(game.box_text, name)
    for number in range(soak_count(MATCHES)):
        luck = random.Random(f"{name} {number}")
        state = game.rules.setup(box, sampled_rulings(game, luck), luck.choice(game.rules.SEATS))
        for _ in range(MOVES):
            seats = [seat for seat in game.rules.to_act(state) if seat != TABLE and game.rules.legal(state, seat)]
            if len(seats) > 1:
                both = tuple(luck.choice(game.rules.legal(state, seat)) for seat in luck.sample(seats, 2))
                verbs = tuple(sorted(move.verb for move in both))
                seen[verbs] += 1
                one, other = (after(game, state, order) for order in permutations(both))
                if one != other:
                    differ.add(verbs)
            if not game.rules.to_act(state):
                break
            state = game.rules.apply(state, random_move(game.rules, state, luck.randrange))
    assert bool(seen) is (name in AT_ONE_TIME)
    assert differ == AT_ONE_TIME.get(name, set()), seen
