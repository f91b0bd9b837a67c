"""Tests of production, sale and end, DB-R19 to DB-R27."""

import pytest

from companion.core.move import TABLE
from companion.games.de_et_boulanger import rules
from tests.games.de_et_boulanger.db_table import (
    Play,
    box_with,
    cash,
    finish_round,
    laboratory,
    marker,
    produced,
    products,
    ranking,
    round_number,
    sell,
    stocked,
    tiles,
)


def baking(flour: int, water: int, butter: int) -> Play:
    play = stocked(flour, water, butter)
    play.do("1 home no", "2 home no")
    return play


def test_db_r19_bread_takes_three_flour_and_two_water():
    play = baking(3, 2, 0)
    assert play.legal(1, "bake") == {"bake 1 0"}
    assert baking(2, 2, 0).legal(1, "bake") == set()
    assert baking(3, 1, 0).legal(1, "bake") == set()


def test_db_r19_croissant_takes_flour_water_and_two_butter():
    assert baking(1, 1, 2).legal(1, "bake") == {"bake 0 1"}
    assert baking(0, 1, 2).legal(1, "bake") == set()
    assert baking(1, 0, 2).legal(1, "bake") == set()
    assert baking(1, 1, 1).legal(1, "bake") == set()


def test_db_r19_ingredients_limit_the_mix():
    play = baking(13, 11, 9)
    assert play.legal(1, "bake") == {
        f"bake {bread} {croissants}"
        for bread in range(5)
        for croissants in range(5)
        if bread + croissants > 0 and 3 * bread + croissants <= 13
    }
    assert play.refused("1 bake 0 5") == "DB-R19"
    assert play.refused("1 bake 5 0") == "DB-R19"


def test_mix_may_change_until_validated():
    play = baking(7, 5, 2)
    play.do("1 bake 2 0")
    assert play.legal(1) == {"validate", "bake 0 0", "bake 1 0", "bake 0 1", "bake 1 1", "bake 2 1"}
    play.do("1 bake 1 1", "1 bake 0 0", "1 bake 0 1", "1 validate")
    assert play.legal(1) == set()
    assert play.refused("1 bake 1 0") == "DB-R19"
    assert play.refused("1 validate") == "DB-R20"
    play.do("2 validate")
    assert products(play, 1) == (0, 1)
    assert laboratory(play, 1) == {"flour": 6, "water": 4, "butter": 0}


def test_db_r20_leftover_ingredients_stay():
    play = produced(stocked(5, 4, 3), 1, 1)
    sell(play, 1, 1)
    assert round_number(play) == 2
    assert laboratory(play, 1) == {"flour": 1, "water": 1, "butter": 1}


def test_db_a22_sale_waits_until_everybody_has_baked():
    play = Play(4)
    play.rest()
    assert rules.to_act(play.state) == (0, 1, 2, 3)
    play.do("3 validate", "1 validate")
    assert rules.to_act(play.state) == (1, 3)
    assert not len(rules.draws(play.state))
    play.do("2 validate", "4 validate")
    assert rules.to_act(play.state) == (TABLE,)


@pytest.mark.parametrize("die", range(1, 7))
def test_db_r21_marker_moves_by_the_roll_and_wraps(die):
    play = produced(stocked(0, 0, 0, tiles="6 5 4 3 2 1"), 0, 0)
    row = tiles(play, 1)
    play.do(f"T sale {die}")
    if die == 6:
        assert play.legal("T") == {f"incident {n}" for n in range(1, 7)}
        play.do("T incident 6")
    assert [tile for tile in row if tile not in tiles(play, 1)] == [row[die % 6]]


@pytest.mark.parametrize(
    ("bread", "croissants", "die", "sous"),
    [(5, 0, 6, 50), (5, 0, 1, 40), (0, 5, 4, 40), (0, 5, 3, 32), (2, 2, 6, 28), (3, 3, 2, 54), (0, 0, 1, 0)],
)
def test_db_r22_tile_limits_the_sale(bread, croissants, die, sous):
    play = produced(stocked(20, 20, 20), bread, croissants)
    play.do(f"T sale {die}")
    assert cash(play, 1) == sous


def test_db_a23_baker_sells_as_much_as_possible():
    play = produced(stocked(20, 20, 20), 2, 1)
    play.do("T sale 2")
    assert play.legal(1) == set()
    assert cash(play, 1) == 28


def test_db_r23_db_e5_unsold_products_are_lost():
    play = produced(stocked(20, 20, 20), 5, 2)
    play.do("T sale 4")
    assert cash(play, 1) == 10 + 16
    assert products(play, 1) == (0, 0)
    play.do("T sale 1")
    assert laboratory(play, 1) == {"flour": 3, "water": 8, "butter": 16}
    play.do("1 home no", "2 home no", "1 validate", "2 validate", "T sale 1")
    assert cash(play, 1) == 26


INCIDENT = "1 6 2 3 4 5"


@pytest.mark.parametrize(
    ("die", "kept", "sous"),
    [
        (1, (2, 1, 5), 7),
        (2, (2, 1, 5), 7),
        (3, (0, 0, 0), 7),
        (4, (0, 0, 0), 7),
        (5, (2, 1, 5), 4),
        (6, (2, 1, 5), 4),
    ],
)
def test_db_r24_db_a27_db_e6_incidents_take_goods_or_sous(die, kept, sous):
    play = produced(stocked(6, 4, 7, sous=7, tiles=INCIDENT), 1, 1)
    play.do("T sale 1")
    assert products(play, 1) == (1, 1)
    play.do(f"T incident {die}")
    assert tuple(laboratory(play, 1).values()) == kept
    assert cash(play, 1) == sous
    assert products(play, 1) == (0, 0)


def test_db_a26_gift_comes_from_the_cash_box():
    play = Play(tiles=INCIDENT)
    play.do("1 load 6")
    play.rest()
    play.do("1 validate", "2 validate", "T sale 1", "T incident 5")
    assert cash(play, 1) == 5


def test_incident_harms_nobody_else():
    play = stocked(3, 2, 0, sous=3, tiles=INCIDENT)
    before = cash(play, 2)
    produced(play, 1, 0)
    play.do("T sale 1", "T incident 5")
    assert cash(play, 2) == before
    assert len(tiles(play, 2)) == 6


def test_db_r25_used_tile_leaves_and_marker_advances():
    play = produced(stocked(0, 0, 0), 0, 0)
    play.do("T sale 2")
    assert tiles(play, 1) == [(5, 1), (4, 2), (2, 4), (1, 5), "incident"]
    assert tiles(play, 1)[marker(play, 1)] == (2, 4)


def test_db_r25_used_incident_leaves_the_row():
    play = produced(stocked(0, 0, 0), 0, 0)
    play.do("T sale 5")
    assert "incident" in tiles(play, 1)
    play.do("T incident 3")
    assert tiles(play, 1) == [(5, 1), (4, 2), (3, 3), (2, 4), (1, 5)]


def test_db_a25_roll_of_remaining_count_returns_to_tile():
    play = Play(movement="trust")
    produced(play, 0, 0)
    sell(play, 2, 2)  # from 4/2 past the used 3/3 to 2/4
    produced(play, 0, 0)
    play.do("T sale 5")
    assert tiles(play, 1) == [(5, 1), (4, 2), (1, 5), "incident"]


@pytest.mark.parametrize("seats", rules.SEATS)
def test_db_r26_one_tile_is_left_after_five_rounds(seats):
    play = Play(seats, movement="trust")
    for number in range(1, 6):
        play.do(*(f"{who} home no" for who in range(1, seats + 1)))
        finish_round(play)
        assert [len(tiles(play, who)) for who in range(1, seats + 1)] == [6 - number] * seats
    assert rules.to_act(play.state) == ()


def test_db_a31_baker_without_products_still_rolls():
    play = produced(stocked(0, 0, 0, sous=9, tiles=INCIDENT), 0, 0)
    assert play.legal("T") == {f"sale {die}" for die in range(1, 7)}
    play.do("T sale 1", "T incident 5")
    assert cash(play, 1) == 5
    assert len(tiles(play, 1)) == 5


def after_the_last_round(yes: list[list[int]]) -> Play:
    """Return a finished trust match; `yes` lists who gets the bonus each round."""
    play = Play(4, movement="trust", tiles="1 2 3 4 5 6")
    for home in yes:
        play.do(*(f"{who} home {'yes' if who in home else 'no'}" for who in range(1, 5)))
        finish_round(play)
    assert rules.to_act(play.state) == ()
    return play


def test_db_r27_most_sous_win():
    play = after_the_last_round([[2], [2, 3], [2, 3, 1], [2, 3], [2]])
    assert [cash(play, who) for who in (1, 2, 3, 4)] == [12, 20, 16, 10]
    assert ranking(play) == [[2], [3], [1], [4]]


def test_db_a28_equal_sous_share_the_place():
    play = after_the_last_round([[1, 4], [2], [], [], []])
    assert ranking(play) == [[1, 2, 4], [3]]
    assert rules.outcome(play.state).winners == (0, 1, 3)


def test_db_a28_ingredients_do_not_break_a_tie():
    play = Play(movement="trust", box=box_with(start_sous=1))
    play.do("1 water 5")
    for _ in range(5):
        play.do("1 home no", "2 home no")
        finish_round(play)
    assert ranking(play) == [[1, 2]]


def test_db_a29_tokens_never_run_out():
    play = stocked(300, 300, 300)
    play.do("1 home no", "2 home no")
    play.do("1 bake 50 150", "1 validate", "2 validate")
    assert products(play, 1) == (50, 150)
