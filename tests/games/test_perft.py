"""The number of lines of moves from named positions is as in perft.txt."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from companion.core.dealer import Dealer
from companion.core.rules import State
from companion.games import load
from companion.testing.playout import perft
from tests.of_games import LETTERS, beside

COUNTS = [
    (game, *line.split())
    for game in LETTERS
    for line in (Path(__file__).parent / game / "perft.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


def positions(game: str) -> Mapping[str, Callable[[int], State]]:
    """Return functions from a number of seats to a position."""
    found: Mapping[str, Callable[[int], State]] = beside(game, "starts").POSITIONS
    return found


@pytest.mark.parametrize("game", LETTERS)
def test_counts_cover_every_position_and_seat_number(game: str) -> None:
    counts = [count for count in COUNTS if count[0] == game]
    assert {(name, int(seats)) for _, name, seats, *_ in counts} == {
        (name, seats) for name in positions(game) for seats in load(game).rules.SEATS
    }
    assert len({count[:4] for count in counts}) == len(counts)


@pytest.mark.parametrize(("game", "name", "seats", "depth", "seed", "count"), COUNTS)
def test_perft(game: str, name: str, seats: str, depth: str, seed: str, count: str) -> None:
    state = positions(game)[name](int(seats))
    assert perft(load(game).rules, state, int(depth), Dealer(seed)) == int(count)
