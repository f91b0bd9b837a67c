"""Tests of the worked examples DB-E1 to DB-E10; places are `row,column`."""

import pytest

from tests.games.de_et_boulanger.db_table import (
    Play,
    cash,
    laboratory,
    load,
    marker,
    place,
    produced,
    products,
    rival_at_the_door,
    steps_left,
    stocked,
    tiles,
)


def test_db_e1_round_of_the_northern_baker():
    play = Play()
    play.do("1 load 4")
    assert cash(play, 1) == 6
    play.walk(5, "1,5", "1,4", "1,3", "1,2", "2,2")
    assert steps_left(play) == 0
    play.do("1 flour 3")
    assert load(play, 1) == {"flour": 3, "water": 0, "butter": 0, "sous": 1}
    play.do("1 end")
    play.turn(1)
    play.walk(4, "2,3", "2,4", "3,4", "fountain")
    assert steps_left(play) == 0
    play.do("1 water 2")
    assert sum(load(play, 1).values()) == 6
    assert play.legal(1, "water") == set()
    play.do("1 end")
    play.turn(1)
    play.walk(4, "3,5", "2,5", "1,5", "N")
    play.do("1 unload 3 2 0 1", "1 end")
    assert cash(play, 1) == 7
    assert laboratory(play, 1) == {"flour": 3, "water": 2, "butter": 0}
    for roll in (1, 4, 1, 5, 1):
        play.turn(roll)
    assert cash(play, 1) == 9
    play.do("1 bake 1 0", "1 validate", "2 validate")
    assert laboratory(play, 1) == {"flour": 0, "water": 0, "butter": 0}
    play.do("T sale 3")
    assert cash(play, 1) == 19
    assert tiles(play, 1) == [(5, 1), (4, 2), (3, 3), (1, 5), "incident"]
    assert tiles(play, 1)[marker(play, 1)] == (1, 5)


def test_db_e2_six_flour_leave_no_room_for_water():
    play = Play()
    play.do("1 load 6")
    play.walk(5, "1,5", "1,4", "1,3", "1,2", "2,2")
    play.do("1 flour 6")
    assert load(play, 1) == {"flour": 6, "water": 0, "butter": 0, "sous": 0}
    play.do("1 end")
    play.turn(1)
    play.walk(4, "2,3", "2,4", "3,4", "fountain")
    assert play.refused("1 water 1") == "DB-R10"


def test_db_a2_db_e2_five_sous_leave_room_for_one_water():
    play = Play()
    play.do("1 load 5")
    play.walk(4, "1,5", "2,5", "3,5", "fountain")
    assert play.legal(1, "water") == {"water 1"}
    assert play.refused("1 water 2") == "DB-R10"
    play.do("1 water 1")
    assert sum(load(play, 1).values()) == 6


def test_db_e3_walk_continues_after_buying_at_mill():
    play = Play()
    play.do("1 load 2")
    play.walk(2, "1,5", "2,5")
    play.do("1 end")
    play.turn(1)
    play.walk(5, "2,4", "2,3", "2,2")
    play.do("1 flour 2", "1 step 3,2", "1 step 4,2")
    assert place(play, 1) == "4,2"
    assert steps_left(play) == 0
    assert play.legal(1) == {"end"}


def test_db_a24_db_e4_marker_cycles_through_remaining_tiles():
    play = Play(movement="trust")
    a, b, c, d, e, i = (5, 1), (4, 2), (3, 3), (2, 4), (1, 5), "incident"
    due = [
        (6, [b, c, d, e, i], b),
        (5, [c, d, e, i], c),
        (3, [c, d, e], c),
        (4, [c, e], e),
        (1, [e], e),
    ]
    for roll, left, marked in due:
        used = len(left)
        produced(play, 0, 0)
        play.do(f"T sale {roll}")
        if used == 3:
            assert tiles(play, 1) == [*left, i]  # stays until its die is rolled
            play.do("T incident 1")
        assert tiles(play, 1) == left
        assert tiles(play, 1)[marker(play, 1)] == marked
        play.do("T sale 1")  # player 2 uses b, d, i, c, a
        if play.legal("T", "incident"):
            play.do("T incident 1")
    assert a not in tiles(play, 1)
    assert tiles(play, 2) == [e]


BEFORE_THE_INCIDENT = "1 6 2 3 4 5"


@pytest.mark.parametrize(("sous", "kept"), [(13, 7), (14, 7), (1, 1), (27, 14), (0, 0)])
@pytest.mark.parametrize("die", [5, 6])
def test_db_a26_db_e6_gift_takes_half_rounded_down(sous, kept, die):
    play = produced(stocked(4, 2, 0, sous=sous, tiles=BEFORE_THE_INCIDENT), 1, 0)
    play.do("T sale 1", f"T incident {die}")
    assert cash(play, 1) == kept
    assert products(play, 1) == (0, 0)
    assert laboratory(play, 1) == {"flour": 1, "water": 0, "butter": 0}


def test_db_e7_returning_and_staying_earns_the_bonus():
    play = Play()
    play.turn(1, "step 1,5")
    play.turn(1)
    play.turn(1)
    play.turn(1)
    play.turn(1, "step N")
    play.rest()
    assert (cash(play, 1), cash(play, 2)) == (12, 10)


def test_db_a10_db_e7_stranded_baker_keeps_goods_without_bonus():
    play = Play()
    play.do("1 load 5")
    play.turn(5, "step 1,5", "step 1,4", "step 1,3", "step 1,2", "step 2,2", "flour 3")
    play.rest()
    assert place(play, 1) == "N"
    assert cash(play, 1) == 5 + 2
    assert laboratory(play, 1) == {"flour": 3, "water": 0, "butter": 0}
    assert sum(load(play, 1).values()) == 0


def test_db_e8_blocked_door_leaves_only_ending_or_staying():
    play = rival_at_the_door()
    play.do("T roll 6")
    assert play.legal(1) == {"end", "stay"}
    assert play.refused("1 step 1,5") == "DB-R13"


def test_db_e9_bread_and_croissant_use_up_everything():
    play = stocked(4, 3, 2)
    play.do("1 home no", "2 home no")
    assert play.legal(1, "bake") == {"bake 1 0", "bake 0 1", "bake 1 1"}
    assert play.refused("1 bake 2 0") == "DB-R19"
    play.do("1 bake 1 1", "1 validate", "2 validate")
    assert products(play, 1) == (1, 1)
    assert laboratory(play, 1) == {"flour": 0, "water": 0, "butter": 0}


def test_db_r16_db_e10_coming_home_still_allows_unloading():
    play = Play()
    play.do("1 load 2")
    play.turn(4, "step 1,5", "step 2,5", "step 3,5", "step fountain", "water 1")
    play.turn(1)
    play.walk(6, "3,5", "2,5", "1,5", "N")
    assert steps_left(play) == 0
    assert play.refused("1 step 1,5") == "DB-R11"
    play.do("1 unload 0 1 0 1", "1 load 4")
    assert laboratory(play, 1) == {"flour": 0, "water": 1, "butter": 0}
    assert (cash(play, 1), load(play, 1)["sous"]) == (5, 5)
