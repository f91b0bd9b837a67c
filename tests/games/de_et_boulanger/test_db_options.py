"""Tests of each house rule of Dé et Boulanger."""

import pytest

from companion.core.handicaps import badge_of
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules.components import Rulings
from companion.games.de_et_boulanger.rules.moving import earns_bonus
from tests.games.de_et_boulanger.db_table import BOX, Play, cash, laboratory, load, place, steps_left


def test_movement_full_takes_turns():
    play = Play(movement="full")
    assert play.legal(2) == set()
    assert play.legal(1) == {"ready", "stay", *(f"load {n}" for n in range(1, 7))}


def test_movement_trust_lets_everybody_act():
    play = Play(4, movement="trust")
    assert rules.to_act(play.state) == (0, 1, 2, 3)
    for who in (1, 2, 3, 4):
        assert play.legal(who) == {
            "home yes",
            "home no",
            *(f"load {n}" for n in range(1, 7)),
            *(f"water {n}" for n in range(1, 7)),
        }
    assert not len(rules.draws(play.state))
    refused = {line: play.refused(f"1 {line}") for line in ("ready", "end", "step 1,5", "flour 1", "butter 1")}
    assert list(refused.values()) == ["DB-A18", "DB-R11", "DB-R11", "DB-R15", "DB-R15"]
    assert play.refused("T roll 3") == "DB-R8"


def test_movement_trust_checks_money_and_load():
    play = Play(movement="trust")
    play.do("2 load 3", "2 water 2")
    assert play.legal(2, "load") == {"load 1"}
    assert play.legal(2, "water") == {"water 1"}
    assert play.legal(2, "flour") == {"flour 1", "flour 2", "flour 3"}
    assert play.legal(2, "butter") == {"butter 1", "butter 2", "butter 3"}
    play.do("2 flour 2", "2 butter 1")
    assert load(play, 2) == {"flour": 2, "water": 2, "butter": 1, "sous": 0}
    assert play.legal(2, "flour") == play.legal(2, "butter") == set()
    play.do("2 unload 2 1 0 0")
    assert laboratory(play, 2) == {"flour": 2, "water": 1, "butter": 0}
    assert cash(play, 2) == 7


def test_movement_trust_ends_when_everybody_answers():
    play = Play(4, movement="trust")
    play.do("2 load 2", "2 water 1", "2 home yes")
    assert play.legal(2) == set()
    assert play.refused("2 home no") == "DB-R17"
    assert rules.to_act(play.state) == (0, 2, 3)
    play.do("1 home no", "4 home yes", "3 home no")
    assert [cash(play, who) for who in (1, 2, 3, 4)] == [10, 12, 10, 12]
    assert laboratory(play, 2)["water"] == 1
    assert sum(load(play, 2).values()) == 0
    assert play.legal(2) == {"validate"}


def test_movement_full_refuses_the_home_move():
    assert Play().refused("1 home yes") == "DB-R17"


def coming_home(**rulings: bool) -> Play:
    play = Play(**rulings)
    play.walk(5, "1,5", "N")
    return play


def test_db_a6_shop_stops_move_true_ends_the_move():
    play = coming_home(shop_stops_move=True)
    assert steps_left(play) == 0
    assert play.legal(1) == {"end", "stay", *(f"load {n}" for n in range(1, 7))}


def test_db_a6_db_e10_shop_stops_move_false_keeps_the_steps():
    play = coming_home(shop_stops_move=False)
    assert steps_left(play) == 3
    assert play.legal(1) == {"end", "stay", "step 1,5", *(f"load {n}" for n in range(1, 7))}
    play.do("1 step 1,5", "1 step 1,4", "1 step 1,3")
    assert (place(play, 1), steps_left(play)) == ("1,3", 0)
    assert play.legal(1) == {"end"}


@pytest.mark.parametrize(("needs", "sous"), [(True, 10), (False, 12)])
def test_db_a7_db_e7_bonus_needs_trip_decides_the_bonus(needs, sous):
    play = Play(bonus_needs_trip=needs)
    play.rest()
    assert [cash(play, 1), cash(play, 2)] == [sous, sous]


@pytest.mark.parametrize(("when", "place_before", "sous"), [("after_all", "9,4", 10), ("after_own", "S", 12)])
def test_db_a9_db_e11_carried_home_decides_when(when, place_before, sous):
    play = Play(first=2, carried_home=when)
    play.do("2 load 2")
    play.turn(2, "step 9,5", "step 9,4")
    play.turn(2, "step 1,5", "step N")
    for _ in range(3):
        play.turn(1)
        play.turn(1)
    told = [happened.kind for happened in play.turn(1)]  # player 2's fifth, not home
    assert told == (["carried", "unload", "turn"] if when == "after_own" else ["turn"])
    assert (place(play, 2), cash(play, 2)) == (place_before, 8 if when == "after_all" else 10)
    told = [happened.kind for happened in play.turn(1)]  # player 1's fifth, home
    assert told == ([] if when == "after_own" else ["carried", "unload"]) + ["bonus", "production"]
    assert [place(play, 1), place(play, 2)] == ["N", "S"]
    assert [cash(play, 1), cash(play, 2)] == [12, 10]


def test_db_a9_after_own_pays_each_baker_at_once():
    play = Play(carried_home="after_own")
    play.turn(2, "step 1,5", "step N")
    for _ in range(3):
        play.turn(1)
        play.turn(1)
    play.turn(1)
    assert earns_bonus(play.state, 0)
    assert [happened.kind for happened in play.turn(1)] == ["bonus", "turn"]
    assert not earns_bonus(play.state, 0)  # already paid
    assert [happened.kind for happened in play.turn(1)] == ["production"]
    assert cash(play, 1) == 12


@pytest.mark.parametrize("needs", [True, False])
def test_bonus_needs_trip_ignores_travelled_and_stranded_bakers(needs):
    play = Play(bonus_needs_trip=needs)
    play.turn(2, "step 1,5", "step N")
    play.turn(1, "step 9,5")
    play.rest()
    assert [cash(play, 1), cash(play, 2)] == [12, 10]


def test_db_a32_handicap_adds_sous_to_the_cash_box():
    assert rules.setup(BOX, Rulings(), 2).cash == (10, 10)
    assert rules.setup(BOX, Rulings(handicap_1=15, handicap_3=50), 2).cash == (25, 10)  # nobody sits at seat 3
    assert [str(badge_of(Rulings(handicap_1=more), 0)) for more in (1, 15)] == ["+1 sou", "+15 sous"]
