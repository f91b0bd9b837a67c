"""Tests of the set-up, DB-R1 to DB-R6."""

from itertools import permutations

import pytest

from companion.core.errors import IllegalMove, OptionError
from companion.core.move import TABLE, Move
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules.board import SIDES
from companion.games.de_et_boulanger.rules.components import Rulings
from companion.games.de_et_boulanger.rules.start import offered_side
from tests.games.contract import kinds
from tests.games.de_et_boulanger.db_table import BOX, Play, cash, laboratory, load, marker, order, place, tiles


def test_db_r1_two_or_four_players_are_allowed():
    assert list(rules.SEATS) == [2, 4]
    for seats in rules.SEATS:
        assert rules.to_act(rules.setup(BOX, Rulings(), seats)) == tuple(range(seats))


@pytest.mark.parametrize("seats", [0, 1, 3, 5])
def test_db_r1_db_a21_other_player_counts_are_refused(seats):
    with pytest.raises(OptionError, match=str(seats)):
        rules.setup(BOX, Rulings(), seats)


@pytest.mark.parametrize(
    ("dice", "due"),
    [
        ((6, 1, 1, 1), [1, 4, 3, 2]),
        ((1, 6, 5, 5), [2, 1, 4, 3]),
        ((2, 3, 4, 1), [3, 2, 1, 4]),
        ((1, 1, 1, 2), [4, 3, 2, 1]),
    ],
)
def test_db_r2_db_r3_highest_roll_starts_then_counter_clockwise(dice, due):
    play = Play(4, until="start")
    play.do(*(f"T start {die}" for die in dice))
    assert order(play) == due
    for who in due:
        assert play.who == who
        play.turn(1)


def test_db_r2_dice_may_precede_the_tiles():
    play = Play(until="setup")
    assert play.legal("T") == set()
    play.do("2 bakery N", "1 tiles 1 2 3 4 5 6")
    assert play.legal("T") == {f"start {die}" for die in range(1, 7)}
    play.do("T start 3", "T start 3", "T start 2")  # DB-A19
    assert rules.to_act(play.state) == (1, TABLE)
    assert kinds(play.do("T start 5")) == ["start_roll", "first"]
    assert order(play) == [2, 1]
    assert play.refused("T start 5") == "DB-R2"
    assert kinds(play.do("2 tiles 1 2 3 4 5 6")) == ["tiles", "round", "turn"]
    assert play.who == 2


def test_db_r5_rolls_before_the_tiles_still_count():
    play = Play(until="setup")
    play.do("1 bakery N", "T start 3", "1 tiles 1 2 3 4 5 6", "2 tiles 1 2 3 4 5 6")
    assert (rules.to_act(play.state), play.view.turn) == ((TABLE,), 1)
    play.do("T start 2")
    assert order(play) == [1, 2]


@pytest.mark.parametrize(
    ("sides", "first", "due"),
    [
        ("NESW", 1, [1, 4, 3, 2]),
        ("WNES", 1, [1, 4, 3, 2]),  # the same, turned
        ("NWSE", 1, [1, 2, 3, 4]),
        ("NSEW", 1, [1, 4, 2, 3]),
        ("NSEW", 3, [3, 1, 4, 2]),
        ("ESWN", 2, [2, 1, 4, 3]),
    ],
)
def test_db_a1_db_e12_play_runs_counter_clockwise_by_bakery(sides, first, due):
    play = Play(4, sides=sides, first=first)
    assert order(play) == due


def test_db_a1_offered_sides_follow_the_seats():
    for turned, sides in (("N", "NESW"), ("W", "WNES")):
        play = Play(4, until="setup")
        play.do(f"1 bakery {turned}")
        for who in (3, 2, 4):
            play.do(f"{who} bakery {SIDES[offered_side(play.state, who - 1)]}")
        assert "".join(SIDES[side] for side in play.view.sides) == sides
    play = Play(4, until="setup")
    assert [SIDES[offered_side(play.state, seat)] for seat in range(4)] == list("SWNE")
    play.do("1 bakery N", "2 bakery S")  # south is taken: the next clockwise
    assert [SIDES[offered_side(play.state, seat)] for seat in (2, 3)] == ["W", "W"]


def test_db_a1_two_players_are_offered_opposite_sides():
    play = Play(until="setup")
    assert [SIDES[offered_side(play.state, seat)] for seat in (0, 1)] == ["S", "N"]


def test_db_r3_order_stays_for_the_whole_match():
    play = Play(4, first=3)
    for _ in range(5):
        for _ in range(5):
            for who in (3, 2, 1, 4):
                assert play.who == who
                play.turn(1)
        play.do(*(f"{who} validate" for who in (1, 2, 3, 4)))
        assert order(play) == [3, 2, 1, 4]
        for who in (3, 2, 1, 4):
            before = len(tiles(play, who))
            play.do("T sale 1")
            if play.legal("T", "incident"):
                play.do("T incident 1")
            assert len(tiles(play, who)) == before - 1
    assert rules.to_act(play.state) == ()


def test_db_a19_highest_ties_roll_again():
    play = Play(4, until="start")
    play.do("T start 5", "T start 2", "T start 5", "T start 5")
    assert play.legal("T") == {f"start {die}" for die in range(1, 7)}
    play.do("T start 1", "T start 4", "T start 4")  # players 1, 3 and 4
    assert rules.to_act(play.state) == (TABLE,)
    play.do("T start 3", "T start 6")  # players 3 and 4
    assert order(play) == [4, 3, 2, 1]


def test_db_a19_lower_ties_do_not_matter():
    play = Play(4, until="start")
    play.do("T start 2", "T start 5", "T start 2", "T start 2")
    assert play.who == 2


@pytest.mark.parametrize(("side", "facing"), ["NS", "SN", "EW", "WE"])
@pytest.mark.parametrize(("chooser", "other"), [(1, 2), (2, 1)])
def test_db_r4_two_players_sit_face_to_face(side, facing, chooser, other):
    play = Play(2, until="setup")
    play.do(f"{chooser} bakery {side}")
    assert play.legal(1, "bakery") == play.legal(2, "bakery") == set()
    play.do("1 tiles 1 2 3 4 5 6", "2 tiles 1 2 3 4 5 6")
    assert (place(play, chooser), place(play, other)) == (side, facing)


def test_db_a20_four_players_choose_any_free_side():
    play = Play(4, until="setup")
    play.do("3 bakery E")
    for who in (1, 2, 4):
        assert play.legal(who, "bakery") == {"bakery N", "bakery S", "bakery W"}
    assert play.refused("1 bakery E") == "DB-R4"
    assert play.refused("3 bakery N") == "DB-R4"
    play.do("1 bakery W", "4 bakery N")
    assert play.legal(2, "bakery") == {"bakery S"}


def test_db_a20_two_players_follow_the_same_rules():
    two, four = Play(2), Play(4)
    assert [cash(two, 1), cash(two, 2)] == [cash(four, 1), cash(four, 4)] == [10, 10]
    assert two.legal(1) == four.legal(1)
    assert tiles(two, 2) == tiles(four, 3)


def test_db_r5_tiles_take_any_order_with_marker_first():
    play = Play(2, until="setup")
    assert play.legal(1, "tiles") == {"tiles " + " ".join(map(str, chosen)) for chosen in permutations(range(1, 7))}
    play.do("2 tiles 6 1 4 2 3 5", "1 tiles 1 2 3 4 5 6")
    assert tiles(play, 2) == ["incident", (5, 1), (2, 4), (4, 2), (3, 3), (1, 5)]
    assert tiles(play, 1) == [(5, 1), (4, 2), (3, 3), (2, 4), (1, 5), "incident"]
    assert marker(play, 1) == marker(play, 2) == 0
    assert play.refused("2 tiles 1 2 3 4 5 6") == "DB-R5"


@pytest.mark.parametrize(
    "args", [(0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 4), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 5), ()]
)
def test_db_r5_each_tile_appears_once(args):
    state = Play(2, until="setup").state
    with pytest.raises(IllegalMove, match="DB-R5"):
        rules.apply(state, Move(0, "tiles", args))


def test_bakeries_and_tiles_are_chosen_in_any_order():
    play = Play(4, until="setup")
    play.do("4 tiles 1 2 3 4 5 6", "2 bakery N", "1 tiles 6 5 4 3 2 1")
    assert rules.to_act(play.state) == (0, 1, 2, 3)
    play.do("4 bakery W", "2 tiles 1 2 3 4 5 6")
    assert rules.to_act(play.state) == (0, 2)
    play.do("1 bakery E", "3 bakery S")
    assert rules.to_act(play.state) == (2, TABLE)  # real dice may come first (DB-R2)
    assert not len(rules.draws(play.state))
    play.do("3 tiles 1 2 3 4 5 6")
    assert rules.to_act(play.state) == (TABLE,)


@pytest.mark.parametrize("seats", rules.SEATS)
def test_db_r6_bakers_start_at_home_with_ten_sous(seats):
    play = Play(seats)
    for who, side in zip(range(1, seats + 1), "NS" if seats == 2 else "NESW", strict=True):
        assert cash(play, who) == 10
        assert sum(laboratory(play, who).values()) == 0
        assert sum(load(play, who).values()) == 0
        assert place(play, who) == side
