"""Tests of the board's distances, in the drawing and in the engine."""

from itertools import pairwise

import pytest

from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules.components import State
from tests.games.de_et_boulanger.db_table import BOARD, Play, steps_left

MILLS = ("2,2", "8,8")
FARMS = ("2,8", "8,2")


@pytest.mark.parametrize("shop", "NESW")
@pytest.mark.parametrize("services", [MILLS, FARMS])
def test_db_a1_shops_have_equal_distances(shop, services):
    assert BOARD.distance(shop, "fountain") == 4
    assert sorted(BOARD.distance(shop, place) for place in services) == [5, 8]


@pytest.mark.parametrize("mill", MILLS)
@pytest.mark.parametrize("farm", FARMS)
def test_db_a1_mills_and_farms_have_equal_distances(mill, farm):
    assert BOARD.distance("fountain", mill) == BOARD.distance("fountain", farm) == 4
    assert BOARD.distance(mill, farm) == 6


def test_db_a1_full_loop_takes_18_steps():
    loop = ("N", "2,2", "fountain", "2,8", "N")
    assert sum(BOARD.distance(start, goal) for start, goal in pairwise(loop)) == 18


def rolled_again(state: State, seats: int) -> State:
    """Return the position after the others stayed and player 1 rolled a 6."""
    play = Play(seats)
    play.state = state
    play.do("1 end")
    for _ in range(seats - 1):
        play.turn(1)
    play.do("T roll 6")
    return play.state


@pytest.mark.parametrize("seats", rules.SEATS)
@pytest.mark.parametrize("shop", "NESW")
def test_engine_distances_match_the_naive_board(seats, shop):
    play = Play(seats, until="setup")
    play.do(f"1 bakery {shop}")
    others = [side for side in "NESW" if side != shop]
    play.do(*(f"{who} bakery {side}" for who, side in enumerate(others[: (seats - 2) * 3], 2)))
    play.do(
        *(f"{who} tiles 1 2 3 4 5 6" for who in range(1, seats + 1)), *["T start 6"], *["T start 1"] * (seats - 1)
    )
    play.do("T roll 6")
    reached, frontier, distance = {shop: 0}, [play.state], 0
    while frontier:
        distance += 1
        following = []
        for stood in frontier:
            play.state = stood
            start = stood if steps_left(play) else rolled_again(stood, seats)
            play.state = start
            for line in play.legal(1, "step"):
                there = line.split()[1]
                if there not in reached:
                    reached[there] = distance
                    play.state = start
                    play.do(f"1 {line}")
                    following.append(play.state)
        frontier = following
    assert reached == {
        place: BOARD.distance(shop, place)
        for place, kind in BOARD.kind.items()
        if kind not in "NESW" or place == shop
    }
