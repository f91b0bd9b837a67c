"""Exact counts of the lines of moves from the start, as perft.txt has them."""

from pathlib import Path

import pytest
from bh_table import BOX

from companion.core.dealer import Dealer
from companion.games.buntherum import rules
from companion.games.buntherum.rules import Rulings
from companion.testing.playout import perft

COUNTS = [
    line.split()
    for line in Path(__file__).with_name("perft.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


def test_the_counts_cover_every_number_of_players():
    assert {int(seats) for seats, *_ in COUNTS} == set(rules.SEATS)


@pytest.mark.parametrize(("seats", "depth", "seed", "count"), COUNTS)
def test_perft(seats, depth, seed, count):
    start = rules.setup(BOX, Rulings(), int(seats))
    assert perft(rules, start, int(depth), Dealer(seed)) == int(count)
