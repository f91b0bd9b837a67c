"""A hundred random matches a game are what they were: `pytest tests/games --update-golden` renews them.

A line is the seed, the number of seats and of moves, the digest of all moves as text and of the ranking, and the
house rules that are not the default. A match is played by the house rules of its line, so a new one changes none.
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
    """Draw the house rules of a match: the default in the first half, then some."""
    game = load(name)
    drawn = some_rulings(game, Random(f"{name} {seed}").randrange) if seed >= len(SEEDS) // 2 else game.rulings()
    return [f"{key}={value}".lower() for key, value in options.changed(drawn).items()]


def line(name: str, seed: int, words: list[str]) -> str:
    """Play the match of a seed by some house rules, and return its line."""
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
def test_matches_are_what_they_were(name: str, request: pytest.FixtureRequest) -> None:
    path = RECORDS / f"{name}.digests"
    if request.config.getoption("--update-golden"):
        path.write_text("".join(f"{line(name, seed, some_words(name, seed))}\n" for seed in SEEDS))
    lines = path.read_text().splitlines()
    assert lines == [line(name, seed, lines[seed].split()[4:]) for seed in SEEDS]
