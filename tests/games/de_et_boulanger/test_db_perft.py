"""Exact counts of the lines of moves from named positions, as perft.txt has them."""

from pathlib import Path

import pytest
from db_table import BOX

from companion.core.dealer import Dealer
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import VERBS
from companion.games.de_et_boulanger.rules.components import Rulings
from companion.testing.playout import perft

SETUP = {
    2: ("1 bakery N", "1 tiles 1 2 3 4 5 6", "2 tiles 6 5 4 3 2 1", "T start 6", "T start 1"),
    4: (
        *("1 bakery N", "2 bakery E", "3 bakery S", "4 bakery W"),
        *("1 tiles 1 2 3 4 5 6", "2 tiles 6 5 4 3 2 1", "3 tiles 1 6 2 5 3 4", "4 tiles 3 4 2 5 1 6"),
        *("T start 6", "T start 1", "T start 5", "T start 6", "T start 2", "T start 1"),
    ),
}
OTHERS_STAY = {2: ("T roll 1", "2 end"), 4: ("T roll 1", "4 end", "T roll 1", "3 end", "T roll 1", "2 end")}
LOAD = ("1 load 2",)
TO_FOUNTAIN = ("T roll 6", *(f"1 step {place}" for place in ("1,5", "2,5", "3,5", "fountain")))
TO_MILL = ("1 load 5", "T roll 6", *(f"1 step {place}" for place in ("1,5", "1,4", "1,3", "1,2", "2,2")))
SHOPPING = (
    *("1 load 4", "1 flour 4", "1 water 2", "1 unload 4 2 0 0", "1 load 3", "1 butter 3", "1 water 3"),
    *("1 unload 0 3 3 0", "2 load 5", "2 flour 3", "2 butter 2", "2 water 1"),
)
BACK = {
    seats: (
        *("1 water 2", "1 end", *others),
        *("T roll 6", "1 step 3,5", "1 step 2,5", "1 step 1,5", "1 step N"),
    )
    for seats, others in OTHERS_STAY.items()
}


def positions(seats: int) -> dict[str, tuple[dict[str, object], tuple[str, ...]]]:
    """Return the house rules and the moves of each named position."""
    start = SETUP[seats]
    everybody = range(1, seats + 1)
    home = tuple(f"{who} home no" for who in everybody)
    return {
        "set-up": ({}, ()),
        "door": ({}, start),
        "door-stay": ({"edition": 3}, start),
        "mill": ({}, (*start, *TO_MILL)),
        "fountain": ({}, (*start, *LOAD, *TO_FOUNTAIN)),
        "back": ({}, (*start, *LOAD, *TO_FOUNTAIN, *BACK[seats])),
        "loose": ({"shop_stops_move": False}, (*start, *LOAD, *TO_FOUNTAIN, *BACK[seats])),
        "trust": ({"movement": "trust"}, (*start, "1 load 3", "2 load 6")),
        "ovens": ({"movement": "trust"}, (*start, *SHOPPING, *home)),
    }


COUNTS = [
    (int(seats), name, int(depth), seed, int(count))
    for line in Path(__file__).with_name("perft.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for seats, name, depth, seed, count in [line.split()]
]


def test_the_counts_cover_every_position():
    assert {(seats, name) for seats, name, *_ in COUNTS} == {
        (seats, name) for seats in rules.SEATS for name in positions(seats)
    }


@pytest.mark.parametrize(("seats", "name", "depth", "seed", "count"), COUNTS)
def test_perft(seats, name, depth, seed, count):
    rulings, lines = positions(seats)[name]
    state = rules.setup(BOX, Rulings(**{"edition": 2, **rulings}), seats)
    for line in lines:
        state = rules.apply(state, VERBS.parse_move(BOX, line))
    assert perft(rules, state, depth, Dealer(seed)) == count
