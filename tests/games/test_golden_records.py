"""A hundred random matches a game are what they were: `pytest tests/games --update-golden` renews them.

A line is the seed, the number of seats and of moves, and the digest of all moves as text and of the ranking.
"""

import hashlib
from pathlib import Path
from random import Random

import pytest

from companion.core.dealer import Dealer
from companion.games import all_games, load
from companion.testing.conformance import some_rulings
from companion.testing.playout import random_move

SEEDS = range(100)
RECORDS = Path(__file__).parents[1] / "records"


def line(name: str, seed: int) -> str:
    """Play the match of a seed, by default rulings first, then by some, and return its line."""
    game, luck = load(name), Random(f"{name} {seed}")
    seats = game.rules.SEATS[seed % len(game.rules.SEATS)]
    rulings = some_rulings(game, luck.randrange) if seed >= len(SEEDS) // 2 else game.rulings()
    box = game.read_box(game.box_text, "box.toml")
    state, dealer, drawn = game.rules.setup(box, rulings, seats), Dealer(str(seed)), 0
    written = []
    while game.rules.to_act(state):
        draws = game.rules.draws(state)
        move = dealer.choose(drawn, draws) if draws else random_move(game.rules, state, luck.randrange)
        drawn += bool(draws)
        written.append(game.notation.format_move(box, move))
        state = game.rules.apply(state, move)
    outcome = game.rules.outcome(state)
    assert outcome
    digest = hashlib.sha256("\n".join([*written, str(outcome.ranking)]).encode()).hexdigest()
    return f"{seed} {seats} {len(written)} {digest[:32]}"


@pytest.mark.parametrize("name", all_games())
def test_matches_are_what_they_were(name: str, request: pytest.FixtureRequest) -> None:
    path = RECORDS / f"{name}.digests"
    lines = [line(name, seed) for seed in SEEDS]
    if request.config.getoption("--update-golden"):
        path.write_text("\n".join(lines) + "\n")
    assert path.read_text().splitlines() == lines
