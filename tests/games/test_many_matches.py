"""Many random matches end and break no law.

One match in fifty checks the laws, which takes up to twenty times as long.
"""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from companion.core.rules import Rules, State, narrated
from companion.games import all_games, load
from companion.testing.conformance import some_rulings
from companion.testing.playout import random_move
from tests.of_games import beside

MATCHES = 100_000
LAWS_EACH = 50
TOO_LONG = 20_000


def play(rules: Rules, state: State, luck: Random, check: Callable[..., None] | None) -> tuple[State, int]:
    moves = 0
    while rules.to_act(state):
        move = random_move(rules, state, luck.randrange)
        after, events = narrated(rules, state, move)
        if check:
            check(state, move, after, events)
        state = after
        moves += 1
        assert moves < TOO_LONG
    return state, moves


@pytest.mark.soak
@pytest.mark.parametrize("name", all_games())
def test_every_match_ends_and_keeps_the_laws(name: str, soak_count: Callable[..., int]) -> None:
    game, check = load(name), beside(name, "laws").check
    box = game.read_box(game.box_text, "box.toml")
    counts: Counter[str] = Counter()
    for number in range(soak_count(MATCHES, 100)):
        luck = Random(f"many {name} {number}")
        seats = game.rules.SEATS[number % len(game.rules.SEATS)]
        rulings = some_rulings(game, luck.randrange) if number % 2 else game.rulings()
        start = game.rules.setup(box, rulings, seats)
        last, moves = play(game.rules, start, luck, None if number % LAWS_EACH else check)
        outcome = game.rules.outcome(last)
        assert outcome is not None
        assert sorted(sum(outcome.ranking, ())) == list(range(seats))
        counts["moves"] += moves
        counts["shared"] += len(outcome.winners) > 1
    print(name, dict(counts))  # noqa: T201  for docs/evidence.md
