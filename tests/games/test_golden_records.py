"""A hundred random matches of each game are unchanged; `pytest tests/games --update-golden` renews them.

A line has seed, seats, number of moves, digest of moves and ranking, and changed house rules.
"""

import hashlib
from pathlib import Path
from random import Random

import pytest

from companion.core import options
from companion.core.dealer import Dealer
from companion.games import all_games, load
from companion.testing.conformance import some_rulings
from companion.testing.playout import random_move

SEEDS = range(100)
RECORDS = Path(__file__).parents[1] / "records"


def some_words(name: str, seed: int) -> list[str]:
    """Return the house rules of a seed: the default in the first half, random in the second."""
    game = load(name)
    drawn = some_rulings(game, Random(f"{name} {seed}").randrange) if seed >= len(SEEDS) // 2 else game.rulings()
    return [f"{key}={value}".lower() for key, value in options.changed(drawn).items()]


def line(name: str, seed: int, words: list[str]) -> str:
    """Return the line of a match with these house rules."""
    game, luck = load(name), Random(f"{name} {seed}")
    seats = game.rules.SEATS[seed % len(game.rules.SEATS)]
    rulings = options.read(game.rulings, options.words(words, "digests"), "digests")
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
    return " ".join([f"{seed} {seats} {len(written)} {digest[:32]}", *words])


@pytest.mark.parametrize("name", all_games())
def test_seeded_matches_are_unchanged(name: str, request: pytest.FixtureRequest) -> None:
    path = RECORDS / f"{name}.digests"
    if request.config.getoption("--update-golden"):
        path.write_text("".join(f"{line(name, seed, some_words(name, seed))}\n" for seed in SEEDS))
    lines = path.read_text().splitlines()
    assert lines == [line(name, seed, lines[seed].split()[4:]) for seed in SEEDS]
