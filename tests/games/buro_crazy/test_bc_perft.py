"""Exact counts of the lines of moves from named positions, as perft.txt has them."""

from pathlib import Path

import pytest
from bc_table import BOX, Play

from companion.core.dealer import Dealer
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Rulings, State
from companion.testing.playout import perft

POOR = {0: [2, 1], 1: [2, 1], 2: [5, 1], 3: [1, 1], 4: [2]}
"""Hands of a few cards, so that positions have few bids."""

SMALL = [1] * 6 + [2] * 6 + [5] * 3 + [10] * 2


def poor(play: Play, **piles) -> State:
    hands = {seat: cards for seat, cards in POOR.items() if seat < play.state.terms.seats}
    play.put(hands, **{"stock": SMALL, "kitchen": [5, 2, 2, 1], "roof": [1] * 6, **piles})
    return play.state


def richer(play: Play) -> State:
    """Duellists with three cards each, of which some are equal."""
    left, right = play.duel
    poor(play, roof=[1, 2] * 5)
    play.put({left: [5, 2, 1], right: [2, 2, 1]})
    return play.state


def empty(seats: int) -> State:
    play = Play(seats, edition=1).to("G4")
    poor(play)
    play.put({seat: [] for seat in play.duel})
    return play.state


def totals(seats: int) -> State:
    play = Play(seats, edition=1, tracking="points").to("T")
    play.state = play.state._replace(hands=((2,), (1,), (2,), (1,), (0,))[:seats])
    return play.state


POSITIONS = {
    "start": lambda seats: rules.setup(BOX, Rulings(edition=1), seats),
    "p7": lambda seats: poor(Play(seats, edition=1).to("P7")),
    "g4-top-up": lambda seats: poor(Play(seats, edition=1, kitchen_adjust="top_up").to("P7"), kitchen=[20] * 4),
    "coins": lambda seats: poor(Play(seats, edition=1, zero_tie_limit=1, tie_rounding="down").to("G1")),
    "empty": empty,
    "no-change": lambda seats: richer(Play(seats, edition=1, change="none").to("F2")),
    "last": lambda seats: richer(Play(seats, edition=1).to("T")),
    "totals": totals,
    "reports": lambda seats: Play(seats, edition=1, tracking="points").to("roof").state,
}

COUNTS = [
    line.split()
    for line in Path(__file__).with_name("perft.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


def test_the_counts_cover_every_position_with_every_number_of_players():
    assert {(name, int(seats)) for name, seats, *_ in COUNTS} == {
        (name, seats) for name in POSITIONS for seats in rules.SEATS
    }
    assert len({tuple(line[:3]) for line in COUNTS}) == len(COUNTS)


@pytest.mark.parametrize(("name", "seats", "depth", "seed", "count"), COUNTS)
def test_perft(name, seats, depth, seed, count):
    assert perft(rules, POSITIONS[name](int(seats)), int(depth), Dealer(seed)) == int(count)
