"""Tests of moving and buying, DB-R7 to DB-R18, with squares."""

import pytest

from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules.moving import earns_bonus
from tests.games.de_et_boulanger.db_table import (
    Play,
    box_with,
    cash,
    finish_round,
    laboratory,
    load,
    place,
    rival_at_the_door,
    round_number,
    series_number,
    steps_left,
)

TO_FOUNTAIN = ("step 1,5", "step 2,5", "step 3,5", "step fountain")
TO_MILL = ("step 1,5", "step 1,4", "step 1,3", "step 1,2", "step 2,2")
TO_FARM = ("step 1,5", "step 1,6", "step 1,7", "step 1,8", "step 2,8")


def at(places: tuple[str, ...], *, sous: int = 0, roll: int = 6, **rulings: object) -> Play:
    """Return a match in which player 1 has walked there with some sous."""
    play = Play(**rulings)
    if sous:
        play.do(f"1 load {sous}")
    play.do(f"T roll {roll}", *(f"1 {step}" for step in places))
    return play


def test_db_r7_match_has_five_rounds_of_three_phases():
    play = Play()
    for number in range(1, 6):
        assert round_number(play) == number
        assert play.legal(1, "ready")
        play.rest()
        assert play.legal(1) == {"validate"}
        finish_round(play)
    assert rules.to_act(play.state) == ()
    assert rules.outcome(play.state) is not None


def test_db_r8_bakers_alternate_for_five_rolls_each():
    play = Play(4)
    for number in range(1, 6):
        assert series_number(play) == number
        for who in (1, 4, 3, 2):
            assert play.who == who
            assert all(play.legal(other) == set() for other in {1, 2, 3, 4} - {who})
            play.turn(2)
    assert all(play.legal(who) == {"validate"} for who in (1, 2, 3, 4))


def test_db_r8_turn_has_only_one_roll():
    play = Play()
    play.do("T roll 3")
    assert play.legal("T") == set()
    assert play.refused("T roll 3") == "DB-R8"
    assert play.refused("1 ready") == "DB-A18"


def test_real_die_may_precede_asking_for_it():
    play = Play()
    assert not len(rules.draws(play.state))
    assert play.legal("T") == {f"roll {die}" for die in range(1, 7)}
    play.do("1 ready")
    assert len(rules.draws(play.state)) == 6
    assert rules.to_act(play.state) == (TABLE,)
    assert play.legal(1) == set()
    play.do("T roll 6")
    assert steps_left(play) == 6


def test_db_r9_sous_are_loaded_before_the_roll():
    play = Play()
    assert play.legal(1, "load") == {f"load {n}" for n in range(1, 7)}
    play.do("1 load 2")
    assert (cash(play, 1), load(play, 1)["sous"]) == (8, 2)
    assert play.legal(1, "load") == {f"load {n}" for n in range(1, 5)}


def test_db_r9_cash_box_limits_loading():
    play = Play()
    play.do("1 load 6")
    play.turn(5, *TO_MILL, "flour 6")
    play.turn(1)
    play.turn(5, "step 1,2", "step 1,3", "step 1,4", "step 1,5", "step N", "unload 6 0 0 0")
    play.turn(1)
    assert cash(play, 1) == 4
    assert play.legal(1, "load") == {f"load {n}" for n in range(1, 5)}


def test_db_a18_nothing_is_loaded_after_the_roll():
    play = Play()
    play.do("1 load 1", "T roll 4")
    assert play.legal(1) == {"end", "stay", "step 1,5"}


def test_db_a18_nothing_is_loaded_after_asking_for_die():
    play = Play()
    play.do("1 ready")
    assert play.refused("1 load 1") == "DB-A18"


def test_db_r10_pawn_carries_at_most_six_tokens():
    play = Play()
    play.do("1 load 6")
    assert play.legal(1, "load") == set()
    assert play.refused("1 load 1") == "DB-R10"


def test_db_a2_ingredients_leave_less_room_for_sous():
    play = at(TO_FOUNTAIN)
    play.do("1 water 4", "1 end")
    play.turn(1)
    play.turn(4, "step 3,5", "step 2,5", "step 1,5", "step N")
    play.turn(1)
    assert play.legal(1, "load") == {"load 1", "load 2"}


def test_db_a3_tokens_cannot_be_thrown_away():
    play = at(TO_FOUNTAIN, sous=1)
    play.do("1 water 5")
    assert play.legal(1, "unload") == set()
    assert play.refused("1 unload 0 5 0 0") == "DB-A4"


@pytest.mark.parametrize("steps", range(5))
def test_db_r11_baker_may_stop_before_the_rolled_number(steps):
    play = at(TO_FOUNTAIN[:steps], roll=4)
    assert steps_left(play) == 4 - steps
    assert play.legal(1, "end") == {"end"}
    assert bool(play.legal(1, "step")) == (steps < 4)
    play.do("1 end")
    assert play.who == 2


def test_db_r11_baker_cannot_exceed_the_roll():
    play = at(("step 1,5",), roll=1)
    assert play.refused("1 step 2,5") == "DB-R11"


def test_db_r11_baker_cannot_walk_before_the_roll():
    assert Play().refused("1 step 1,5") == "DB-R11"


def test_db_r12_steps_are_never_diagonal():
    play = at(("step 1,5", "step 2,5"))
    assert play.legal(1, "step") == {"step 1,5", "step 2,4", "step 2,6", "step 3,5"}
    for diagonal in ("1,4", "1,6", "3,4", "3,6"):
        assert play.refused(f"1 step {diagonal}") == "DB-R12"


def test_db_r12_shop_and_entrance_are_one_step_apart():
    play = at(())
    assert play.legal(1, "step") == {"step 1,5"}
    play.do("1 step 1,5")
    assert "step N" in play.legal(1, "step")
    play.do("1 step N")
    assert place(play, 1) == "N"


def test_db_r12_corner_has_two_neighbours():
    play = at(("step 1,5", "step 1,4", "step 1,3", "step 1,2", "step 1,1"))
    assert play.legal(1, "step") == {"step 1,2", "step 2,1"}


def beside_a_rival() -> Play:
    """Return a match with player 2 on 2,5 and player 1 before the own shop."""
    play = Play(first=2)
    play.turn(4, "step 9,5", "step 8,5", "step 7,5", "step fountain")
    play.turn(1)
    play.turn(2, "step 3,5", "step 2,5")
    play.walk(5, "1,5")
    return play


def test_db_r13_occupied_square_blocks_the_way():
    play = beside_a_rival()
    assert play.legal(1, "step") == {"step 1,4", "step 1,6", "step N"}
    assert play.refused("1 step 2,5") == "DB-R13"
    assert play.refused("1 step 3,5") == "DB-R12"


def test_db_r13_fountain_holds_everybody():
    play = Play(4)
    for way in (("1,5", "2,5", "3,5"), ("5,1", "5,2", "5,3"), ("9,5", "8,5", "7,5"), ("5,9", "5,8", "5,7")):
        play.turn(4, *(f"step {place}" for place in (*way, "fountain")))
    assert [place(play, who) for who in (1, 2, 3, 4)] == ["fountain"] * 4


def test_db_r14_baker_buys_in_passing():
    play = at(TO_MILL, sous=2)
    assert play.legal(1) == {"flour 1", "flour 2", "end", "step 1,2", "step 3,2", "step 2,1", "step 2,3"}
    play.do("1 flour 1", "1 step 2,3")
    assert load(play, 1) == {"flour": 1, "water": 0, "butter": 0, "sous": 1}
    assert play.refused("1 flour 1") == "DB-R14"


def test_db_r15_mill_sells_only_flour_for_one_sou():
    play = at(TO_MILL, sous=3)
    assert play.legal(1) >= {"flour 1", "flour 2", "flour 3"}
    assert play.refused("1 flour 4") == "DB-R15"
    assert play.refused("1 butter 1") == play.refused("1 water 1") == "DB-R14"
    play.do("1 flour 2")
    assert load(play, 1) == {"flour": 2, "water": 0, "butter": 0, "sous": 1}
    assert cash(play, 1) == 7


def test_db_r15_farm_sells_only_butter_for_one_sou():
    play = at(TO_FARM, sous=3)
    assert play.legal(1) >= {"butter 1", "butter 2", "butter 3"}
    assert play.refused("1 butter 4") == "DB-R15"
    assert play.refused("1 flour 1") == play.refused("1 water 1") == "DB-R14"
    play.do("1 butter 3")
    assert load(play, 1) == {"flour": 0, "water": 0, "butter": 3, "sous": 0}


def test_db_r15_water_is_free():
    play = at(TO_FOUNTAIN, sous=3)
    assert play.refused("1 flour 1") == play.refused("1 butter 1") == "DB-R14"
    play.do("1 water 3")
    assert load(play, 1) == {"flour": 0, "water": 3, "butter": 0, "sous": 3}
    assert cash(play, 1) == 7


@pytest.mark.parametrize("line", ["load 0", "flour 0", "water 0", "unload 0 0 0 0"])
def test_db_r15_amount_of_zero_is_refused(line):
    play = at(TO_MILL, sous=3) if line == "flour 0" else at(TO_FOUNTAIN) if line == "water 0" else Play()
    verb, *amounts = line.split()
    move = Move(0, verb, tuple(map(int, amounts)))
    assert move not in rules.legal(play.state, 0)
    with pytest.raises(IllegalMove):
        rules.apply(play.state, move)


def test_db_r16_any_part_may_be_unloaded():
    play = at(TO_FOUNTAIN, sous=2, roll=4)
    play.do("1 water 1", "1 end")
    play.turn(1)
    play.walk(4, "3,5", "2,5", "1,5", "N")
    assert play.legal(1, "unload") == {
        f"unload 0 {water} 0 {sous}" for water in (0, 1) for sous in (0, 1, 2) if water + sous
    }
    assert play.refused("1 unload 0 2 0 0") == "DB-R16"


def test_db_a4_loading_needs_own_turn_and_shop():
    play = Play()
    assert play.refused("2 load 1") == "DB-R8"
    play.turn(1, "step 1,5")
    play.turn(1)
    assert play.refused("1 load 1") == "DB-A4"


def test_db_a5_sous_may_be_put_back():
    play = Play()
    play.do("1 load 5", "1 unload 0 0 0 2")
    assert (cash(play, 1), load(play, 1)["sous"]) == (7, 3)


def test_db_a7_step_out_and_back_is_a_trip():
    play = Play(shop_stops_move=False)
    play.turn(2, "step 1,5", "step N")
    play.rest()
    assert (cash(play, 1), cash(play, 2)) == (12, 10)


def test_db_a7_each_round_needs_its_own_trip():
    play = Play()
    play.turn(2, "step 1,5", "step N")
    play.rest()
    finish_round(play)
    play.rest()
    assert cash(play, 1) == 12


def rival_goes(play: Play, square: str) -> None:
    there = rules.VERBS.parse_move(play.box, f"2 step {square}").args[0]
    play.state = play.state._replace(places=(play.state.places[0], there))


def waited(free: int = 0, verb: str = "end", **rulings: object) -> Play:
    """Return a match in which player 1 waited behind a door that was free in one launch."""
    play = Play(**rulings)
    for launch in range(1, 6):
        rival_goes(play, "1,6" if launch == free else "1,5")
        if play.who == 1:
            play.do(*([] if verb == "stay" else ["T roll 6"]), f"1 {verb}")
        play.turn(1)
    return play


@pytest.mark.parametrize("carried_home", ["after_all", "after_own"])
def test_db_a7_locked_in_baker_earns_the_bonus(carried_home):
    assert cash(waited(carried_home=carried_home), 1) == 12


@pytest.mark.parametrize(("free", "verb"), [(1, "end"), (3, "end"), (5, "end"), (1, "stay"), (3, "stay")])
def test_db_a7_one_free_door_counts_as_staying(free, verb):
    assert cash(waited(free, verb), 1) == 10


def test_db_a7_bonus_forecast_follows_the_blocked_door():
    play = Play()
    rival_goes(play, "1,5")
    assert not earns_bonus(play.state, 0)  # before the launch
    play.do("T roll 6")
    assert play.legal(1) - {"stay"} == {"end"}
    assert earns_bonus(play.state, 0)
    play.do("1 end")
    rival_goes(play, "1,6")
    assert earns_bonus(play.state, 0)
    play.turn(1)
    play.do("T roll 6")
    assert not earns_bonus(play.state, 0)


def test_db_r11_staying_baker_gets_no_more_turns():
    play = Play(4)
    told = play.do("1 stay")
    assert [happened.kind for happened in told] == ["stay", "turn"]
    for series in range(1, 6):
        assert series_number(play) == series
        for who in (4, 3, 2):
            assert play.who == who
            play.turn(1)
    assert play.legal(1) == {"validate"}


def test_db_r11_staying_equals_rolling_without_moving():
    for rulings in ({}, {"carried_home": "after_own"}):
        one, other = rival_at_the_door(**rulings), rival_at_the_door(**rulings)
        one.do("1 stay")
        other.turn(6)
        for _ in range(3):
            for play in (one, other):
                play.turn(1, "step 1,6") if play.view.series == 3 else play.turn(1)
            other.turn(1)
        assert one.view == other.view._replace(done=one.view.done)


def test_db_r11_phase_ends_when_all_stay():
    play = Play()
    play.do("1 stay")
    assert [happened.kind for happened in play.do("2 stay")][-1] == "production"


def test_db_r11_staying_needs_home_and_no_due_die():
    play = Play()
    play.walk(6, "1,5")
    assert play.refused("1 stay") == "DB-R11"
    play = Play()
    play.do("1 ready")
    assert play.refused("1 stay") == "DB-A18"


def test_db_a7_door_blocked_later_earns_no_bonus():
    play = Play()
    play.turn(1)  # the door was free
    play.turn(4, "step 9,5", "step 8,5", "step 7,5", "step fountain")
    play.rest()
    assert cash(play, 1) == 10


def test_db_r17_being_home_after_fifth_roll_pays():
    play = Play()
    for _ in range(4):
        play.turn(1)
        play.turn(1)
    play.turn(2, "step 1,5", "step N")
    assert cash(play, 1) == 10  # before the last fifth roll
    play.turn(1)
    assert cash(play, 1) == 12


def test_db_a8_early_return_earns_bonus_unless_leaving_again():
    play = Play()
    play.turn(2, "step 1,5", "step N")
    play.turn(2, "step 9,5", "step S")
    for _ in range(3):
        play.turn(1)
        play.turn(1)
    play.turn(1)
    play.turn(1, "step 9,5")
    assert (cash(play, 1), cash(play, 2)) == (12, 10)


def test_db_r18_stranded_baker_is_carried_home_and_unloads():
    play = at(TO_FOUNTAIN, sous=3, roll=4)
    play.do("1 water 3", "1 end")
    play.rest()
    assert place(play, 1) == "N"
    assert cash(play, 1) == 10
    assert laboratory(play, 1) == {"flour": 0, "water": 3, "butter": 0}
    assert sum(load(play, 1).values()) == 0


def test_db_r18_baker_at_home_also_unloads():
    play = Play()
    play.do("1 load 4")
    play.rest()
    assert (cash(play, 1), sum(load(play, 1).values())) == (10, 0)


def test_db_a9_stranded_bakers_block_until_the_last_turn():
    play = rival_at_the_door()
    for _ in range(5):
        play.turn(1)
    play.turn(1)  # player 2's fifth
    play.do("T roll 6")
    assert place(play, 2) == "1,5"
    assert play.legal(1) == {"end", "stay"}
    play.do("1 end")
    assert place(play, 2) == "S"


def test_db_a11_squares_may_be_visited_twice():
    play = at(("step 1,5", "step 1,4", "step 1,5", "step 1,4"), roll=4)
    assert place(play, 1) == "1,4"
    assert steps_left(play) == 0


def test_db_a12_fountain_is_one_step_from_any_side():
    play = at(TO_FOUNTAIN)
    ring = {f"3,{n}" for n in (4, 5, 6)} | {f"7,{n}" for n in (4, 5, 6)}
    ring |= {f"{n},3" for n in (4, 5, 6)} | {f"{n},7" for n in (4, 5, 6)}
    assert play.legal(1, "step") == {f"step {place}" for place in ring}
    play.do("1 step 7,4")
    assert (place(play, 1), steps_left(play)) == ("7,4", 1)


def test_db_a13_occupied_mill_is_closed():
    play = at(TO_MILL)
    play.do("1 end")
    play.turn(5, "step 9,5", "step 8,5", "step 7,5", "step fountain", "step 4,3")
    play.turn(1)
    play.do("T roll 6", "2 step 3,3", "2 step 3,2")
    assert play.refused("2 step 2,2") == "DB-R13"
    assert "step 2,2" not in play.legal(2)


def test_db_a14_baker_may_block_an_entrance():
    play = Play(first=2)
    play.turn(4, "step 9,5", "step 8,5", "step 7,5", "step fountain")
    play.turn(1, "step 1,5")
    play.turn(2, "step 3,5", "step 2,5")
    play.turn(1, "step 1,4")
    play.turn(1, "step 1,5")
    play.do("T roll 6")
    assert "step N" not in play.legal(1)
    assert play.refused("1 step 1,5") == "DB-R13"
    assert play.refused("1 step N") == "DB-R12"


@pytest.mark.parametrize("seats", rules.SEATS)
def test_db_a15_bakers_enter_only_their_own_shop(seats):
    play = Play(seats)
    play.turn(6, "step 1,5", "step 2,5", "step 3,5", "step 3,4", "step 3,3", "step 4,3")
    for _ in range(seats - 1):
        play.turn(1)
    play.walk(4, "5,3", "5,2", "5,1")
    assert play.legal(1, "step") == {"step 4,1", "step 6,1", "step 5,2"}
    assert play.refused("1 step W") == "DB-A15"


def test_db_a16_baker_in_shop_blocks_nobody():
    play = Play(first=2)
    play.turn(4, "step 9,5", "step 8,5", "step 7,5", "step fountain")
    play.turn(1)
    play.turn(5, "step 3,5", "step 2,5", "step 1,5", "step 1,6", "step 1,7")
    assert (place(play, 1), place(play, 2)) == ("N", "1,7")


def test_db_a17_baker_buys_before_and_after_the_roll():
    play = at(TO_MILL, sous=4)
    play.do("1 end")
    play.turn(1)
    assert play.legal(1) == {"ready", "flour 1", "flour 2", "flour 3", "flour 4"}
    play.do("1 flour 1", "T roll 1")
    assert play.legal(1, "flour") == {"flour 1", "flour 2", "flour 3"}
    play.do("1 flour 1", "1 end")
    assert load(play, 1)["flour"] == 2


def test_db_a17_baker_buys_without_steps_left():
    play = at(TO_FARM, sous=1, roll=5)
    assert play.legal(1) == {"butter 1", "end"}


def test_db_a30_baker_without_sous_earns_the_bonus():
    play = Play(box=box_with(start_sous=0))
    assert play.legal(1) == {"ready", "stay"}
    play.turn(4, "step 1,5", "step 2,5", "step 3,5", "step fountain", "water 6")
    play.turn(1)
    play.turn(4, "step 3,5", "step 2,5", "step 1,5", "step N")
    play.rest()
    assert cash(play, 1) == 2
    assert laboratory(play, 1)["water"] == 6
