"""What keys, buzzers, lamps and the prompt mean in each phase of Dé et Boulanger."""

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest
from db_table import Play, box_with, some_rulings, stocked, wander
from hypothesis import given
from hypothesis import strategies as st
from running import for_each

from companion.core.console import BUZZ, KEYS, Keyed, Lamp
from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move
from companion.games.de_et_boulanger import console, rules
from companion.games.de_et_boulanger.notation import format_move

TO_FOUNTAIN = ("1,5", "2,5", "3,5", "fountain")
TO_MILL = ("1,5", "1,4", "1,3", "1,2", "2,2")
TO_FARM = ("1,5", "1,6", "1,7", "1,8", "2,8")
DICE = "123456"


def press(
    play: Play, who: int | str, keys: str | tuple[str, ...], entries: Mapping[int, str] | None = None
) -> Keyed:
    """Press keys one after the other, all but the last of which make no move; return what the last one did."""
    seat = TABLE if who == "T" else int(who) - 1
    typed, keyed = dict(entries or {}), Keyed()
    for key in keys:
        assert keyed.move is None, f"a move before {key}"
        keyed = console.key(rules.view(play.state, None if seat == TABLE else seat), seat, key, typed)
        typed[seat] = keyed.entry
    return keyed


def made(play: Play, who: int | str, keys: str | tuple[str, ...]) -> str:
    """Return the line of the move that keys make, without its seat; fail when they make none."""
    keyed = press(play, who, keys)
    assert keyed.accepted
    assert keyed.move is not None, f"{keys} make no move: {keyed}"
    rules.apply(play.state, keyed.move)
    line = format_move(play.box, keyed.move)
    assert line.split()[0] == str(who)
    return line.partition(" ")[2]


def wrong(play: Play, who: int | str, keys: str) -> bool:
    """Tell whether the last key is refused and leaves what was typed before."""
    before = press(play, who, keys[:-1]).entry if len(keys) > 1 else ""
    return press(play, who, keys) == Keyed(before, None, accepted=False)


def told(play: Play, who: int | str, keys: str) -> str:
    """Return the paragraph by which the rules refuse what whole keys make; they say why, in private."""
    move = press(play, who, keys).move
    assert move is not None
    with pytest.raises(IllegalMove) as refusal:
        rules.apply(play.state, move)
    return refusal.value.rule


def out(places: tuple[str, ...], *, sous: int = 0, roll: int = 6, **setup: object) -> Play:
    """Return a match where player 1 has gone there and may go on."""
    play = Play(**setup)
    if sous:
        play.do(f"1 load {sous}")
    play.walk(roll, *places)
    return play


def prompt(play: Play, who: int | None) -> str:
    return str(console.prompt(rules.view(play.state, None if who is None else who - 1)))


# Set-up


@pytest.mark.parametrize(("key", "side"), ["8N", "6E", "2S", "4W"])
def test_a_side_is_a_direction(key, side):
    assert made(Play(4, until="setup"), 3, key) == f"bakery {side}"


def test_a_side_that_is_taken_is_no_move():
    play = Play(4, until="setup")
    play.do("1 bakery N")
    assert wrong(play, 2, "8")
    assert made(play, 2, "6") == "bakery E"


@pytest.mark.parametrize("key", "13579*#ABCD")
def test_other_keys_choose_no_side(key):
    assert press(Play(4, until="setup"), 1, (key,)).move is None


def test_tiles_are_six_digits_after_a():
    play = Play(2, until="setup")
    play.do("1 bakery S")
    assert made(play, 1, "A316254") == "tiles 3 1 6 2 5 4"
    assert made(play, 2, "A123456") == "tiles 1 2 3 4 5 6"


def test_a_side_that_the_other_has_decided_meanwhile_is_no_tile():
    play = Play(2, until="setup")
    play.do("1 bakery N")
    assert wrong(play, 2, "2")


@pytest.mark.parametrize("keys", ["A33", "A1231", "A7", "A0", "A8", "A12A", "A12#", "A1234D", "3"])
def test_no_tile_is_keyed_twice_and_none_that_is_not_there(keys):
    play = Play(2, until="setup")
    play.do("1 bakery S")
    assert wrong(play, 1, keys)


def test_every_order_of_tiles_has_keys_before_and_after_the_side_is_chosen():
    play = Play(2, until="setup")
    for bakery in ("", "1 bakery W"):
        if bakery:
            play.do(bakery)
        for move in (rules.legal(play.state, 0)[-1], Move(0, "tiles", (5, 0, 4, 1, 3, 2))):
            keys = console.keys_for(rules.view(play.state, 0), move)
            assert press(play, 1, keys).move == move


def test_the_first_to_choose_does_not_clear_what_others_type():
    play = Play(4, until="setup")
    stage = console.stage(play.view)
    play.do("1 bakery N", "3 tiles 1 2 3 4 5 6")
    assert console.stage(play.view).keying == stage.keying is not None


def test_who_has_chosen_all_types_nothing():
    play = Play(4, until="setup")
    play.do("1 bakery N", "1 tiles 1 2 3 4 5 6")
    assert not any(press(play, 1, (key,)).accepted for key in "123456789*#A")


# A turn


@pytest.mark.parametrize("control", ["#", BUZZ])
def test_ready_is_enter_or_the_buzzer(control):
    assert made(Play(), 1, (control,)) == "ready"


@pytest.mark.parametrize("n", range(1, 7))
def test_sous_are_loaded_by_a_and_a_digit(n):
    assert made(Play(), 1, f"A{n}") == f"load {n}"


@pytest.mark.parametrize("keys", ["A0", "AA", "A#", "8", "1", "C", "B", "D", "0"])
def test_what_cannot_be_done_in_the_shop_is_refused(keys):
    assert wrong(Play(), 1, keys)


def test_who_does_too_much_in_the_shop_is_told_why():
    assert told(Play(), 1, "A7") == "DB-R10"
    assert told(Play(), 1, "2") == "DB-R11"  # the die was not rolled


def test_a_step_down_leaves_the_northern_shop():
    play = Play()
    play.do("T roll 6")
    assert made(play, 1, "2") == "step 1,5"
    assert all(wrong(play, 1, key) for key in "46813579A")


def test_the_digits_are_the_directions_of_a_number_pad():
    play = out(("1,5", "2,5"))
    assert {key: made(play, 1, key) for key in "8624"} == {
        "8": "step 1,5",
        "6": "step 2,6",
        "2": "step 3,5",
        "4": "step 2,4",
    }
    assert all(wrong(play, 1, key) for key in "013579ABCD")


def test_a_step_into_the_own_shop_and_into_the_fountain_is_a_direction_too():
    assert made(out(("1,5",)), 1, "8") == "step N"
    assert made(out(TO_FOUNTAIN[:3]), 1, "2") == "step fountain"


def test_no_key_leads_off_the_board_or_onto_a_rival():
    corner = out(("1,5", "1,4", "1,3", "1,2", "1,1"))
    assert all(wrong(corner, 1, key) for key in "84")
    play = Play(first=2)
    play.turn(4, "step 9,5", "step 8,5", "step 7,5", "step fountain")
    play.turn(1)
    play.turn(3, "step 3,5", "step 2,5", "step 1,5")
    play.do("T roll 6")
    assert told(play, 1, "2") == "DB-R13"


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        *((f"8{n}", f"3,{n + 3}") for n in (1, 2, 3)),
        *((f"2{n}", f"7,{n + 3}") for n in (1, 2, 3)),
        *((f"4{n}", f"{n + 3},3") for n in (1, 2, 3)),
        *((f"6{n}", f"{n + 3},7") for n in (1, 2, 3)),
    ],
)
def test_out_of_the_fountain_the_exit_follows_the_direction(keys, there):
    play = out(TO_FOUNTAIN)
    assert press(play, 1, keys[0]) == Keyed(keys[0])
    assert made(play, 1, keys) == f"step {there}"


@pytest.mark.parametrize("keys", ["80", "84", "8A", "8#", "88", "1", "5"])
def test_there_are_three_exits_on_each_side(keys):
    assert wrong(out(TO_FOUNTAIN), 1, keys)


def test_an_exit_where_somebody_stands_is_refused():
    play = Play(first=2)
    play.turn(5, "step 9,5", "step 8,5", "step 7,5", "step fountain", "step 3,5")
    play.walk(6, "1,5", "1,4", "2,4", "3,4", "fountain")
    assert told(play, 1, "82") == "DB-R13"
    assert made(play, 1, "83") == "step 3,6"


def test_in_the_fountain_without_steps_no_direction_begins_anything():
    assert wrong(out(TO_FOUNTAIN, roll=4), 1, "8")


@pytest.mark.parametrize(("places", "verb"), [(TO_MILL, "flour"), (TO_FARM, "butter"), (TO_FOUNTAIN, "water")])
def test_a_and_a_digit_trade_where_the_baker_stands(places, verb):
    play = out(places, sous=3)
    assert press(play, 1, "A") == Keyed("A")
    assert [made(play, 1, f"A{n}") for n in (1, 2, 3)] == [f"{verb} {n}" for n in (1, 2, 3)]
    assert all(wrong(play, 1, f"A{key}") for key in "0A#")
    due = "DB-R15" if verb != "water" else "DB-R10"  # not enough sous, or no room
    assert {told(play, 1, f"A{n}") for n in (4, 9)} == {due}


def test_on_a_plain_square_there_is_nothing_to_trade():
    assert wrong(out(("1,5",), sous=3), 1, "A")


def test_without_a_sou_nothing_begins_at_the_mill():
    assert wrong(out(TO_MILL), 1, "A")


def back_home() -> Play:
    """Return a match where player 1 is back with 2 water and 3 sous."""
    play = out(TO_FOUNTAIN, sous=3)
    play.do("1 water 2", "1 end")
    play.turn(1)
    play.walk(6, "3,5", "2,5", "1,5", "N")
    return play


def test_b_puts_everything_back():
    assert made(back_home(), 1, "B") == "unload 0 2 0 3"


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("C21", "unload 0 1 0 0"),
        ("C22", "unload 0 2 0 0"),
        ("C41", "unload 0 0 0 1"),
        ("C43", "unload 0 0 0 3"),
    ],
)
def test_c_a_kind_and_a_digit_put_a_part_back(keys, line):
    assert made(back_home(), 1, keys) == line


@pytest.mark.parametrize("keys", ["C1", "C3", "C0", "C5", "CC", "C#", "C23", "C20", "C44", "C4A", "D", "8", "5"])
def test_nothing_is_put_back_that_is_not_there(keys):
    assert wrong(back_home(), 1, keys)


def test_of_each_kind_the_digit_of_the_bakery():
    play = Play(movement="trust")
    play.do("1 load 5", "1 flour 2", "1 butter 2", "1 water 1")
    assert [made(play, 1, f"C{kind}1") for kind in (1, 2, 3, 4)] == [
        "unload 1 0 0 0",
        "unload 0 1 0 0",
        "unload 0 0 1 0",
        "unload 0 0 0 1",
    ]


def test_a_part_of_several_kinds_has_no_keys():
    view = rules.view(back_home().state, 0)
    assert console.keys_for(view, Move(0, "unload", (0, 1, 0, 3))) == ()
    assert console.keys_for(view, Move(0, "unload", (0, 2, 0, 3))) == ("B",)
    assert console.keys_for(view, Move(0, "unload", (0, 2, 0, 0))) == ("C", "2", "2")


def test_enter_ends_the_turn_after_the_roll_and_the_buzzer_does_not():
    play = out(("1,5",))
    assert made(play, 1, "#") == "end"
    assert press(play, 1, (BUZZ,)) == Keyed(accepted=False)


def test_who_is_not_on_turn_types_nothing():
    play = Play(4)
    for who in (2, 3, 4):
        assert not any(press(play, who, (key,)).accepted for key in (*KEYS, BUZZ))


def test_nobody_types_while_the_die_is_due():
    play = Play()
    play.do("1 ready")
    assert not any(press(play, 1, (key,)).accepted for key in (*KEYS, BUZZ))


@pytest.mark.parametrize("typed", ["A", "C", "C2", "C4"])
def test_star_takes_back_what_was_typed(typed):
    play = back_home()
    assert press(play, 1, typed + "*") == Keyed("")
    assert made(play, 1, "#") == "end"


@pytest.mark.parametrize("typed", ["A", "C", "C2"])
def test_enter_and_the_buzzer_do_nothing_in_the_middle_of_a_number(typed):
    play = back_home()
    assert press(play, 1, (*typed, "#")) == Keyed(typed, accepted=False)
    assert press(play, 1, (*typed, BUZZ)) == Keyed(typed, accepted=False)


# By trust


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("A13", "flour 3"),
        ("A21", "water 1"),
        ("A32", "butter 2"),
        ("A42", "load 2"),
        ("B", "unload 0 0 0 3"),
        ("C42", "unload 0 0 0 2"),
        ("D1", "home yes"),
        ("D0", "home no"),
    ],
)
def test_by_trust_a_kind_goes_before_the_number(keys, line):
    play = Play(movement="trust")
    play.do("1 load 3")
    assert made(play, 1, keys) == line


@pytest.mark.parametrize("keys", ["#", "8", "A0", "A5", "A20", "D2", "DD", "D#", "C1", "AA"])
def test_by_trust_other_keys_are_refused(keys):
    play = Play(movement="trust")
    play.do("1 load 3")
    assert wrong(play, 1, keys)


@pytest.mark.parametrize(("keys", "paragraph"), [("A14", "DB-R15"), ("A24", "DB-R10"), ("A44", "DB-R10")])
def test_by_trust_who_takes_too_much_is_told_why(keys, paragraph):
    play = Play(movement="trust")
    play.do("1 load 3")
    assert told(play, 1, keys) == paragraph


def test_by_trust_everybody_types_at_the_same_time():
    play = Play(4, movement="trust")
    keying = console.stage(play.view).keying
    assert keying is not None
    play.do("2 load 3", "4 home no")
    assert console.stage(play.view).keying == keying
    assert press(play, 3, "4", {0: "A", 2: "A", 3: "D"}) == Keyed("A4")


def test_with_the_squares_a_move_clears_what_was_typed():
    assert console.stage(Play().view).keying is None


def test_after_the_word_home_nothing_more_is_typed():
    play = Play(movement="trust")
    play.do("1 home yes")
    assert not any(press(play, 1, (key,)).accepted for key in (*KEYS, BUZZ))


# Production


def ovens(flour: int = 7, water: int = 6, butter: int = 4, **setup: object) -> Play:
    play = stocked(flour, water, butter, **setup)
    play.do("1 home no", "2 home no")
    return play


@pytest.mark.parametrize(("keys", "line"), [("2A1D", "bake 2 1"), ("0A1D", "bake 0 1"), ("1A0D", "bake 1 0")])
def test_breads_a_croissants_d_bake(keys, line):
    assert made(ovens(), 1, keys) == line


def test_more_than_nine_are_two_digits():
    assert made(ovens(60, 40, 60), 1, "10A12D") == "bake 10 12"


@pytest.mark.parametrize("control", ["#", BUZZ])
def test_enter_or_the_buzzer_validate(control):
    assert made(ovens(), 1, (control,)) == "validate"


@pytest.mark.parametrize("keys", ["A", "D", "B", "C", "2D", "2AA", "2AD", "2A1A", "2A1#", "2#", "01", "2A01"])
def test_other_keys_bake_nothing(keys):
    assert wrong(ovens(), 1, keys)


@pytest.mark.parametrize("keys", ["3A0D", "0A0D"])
def test_what_cannot_be_baked_is_typed_anew(keys):
    assert press(ovens(), 1, keys) == Keyed("", None, accepted=False)


def test_star_takes_a_mistyped_number_back():
    play = ovens()
    assert press(play, 1, "2A1*") == Keyed("")
    assert made(play, 1, "2A0D") == "bake 2 0"


def test_who_bakes_does_not_clear_what_others_type():
    play = ovens()
    keying = console.stage(play.view).keying
    assert keying is not None
    play.do("1 bake 1 0", "1 validate")
    assert console.stage(play.view).keying == keying
    assert not any(press(play, 1, (key,)).accepted for key in (*KEYS, BUZZ))


def test_each_phase_clears_what_was_typed_in_the_one_before():
    play = Play(movement="trust", until="setup")
    stages = [console.stage(play.view).keying]
    play.do("1 bakery N", "1 tiles 1 2 3 4 5 6", "2 tiles 1 2 3 4 5 6", "T start 2", "T start 1")
    for _ in range(2):
        stages.append(console.stage(play.view).keying)
        play.do("1 home no", "2 home no")
        stages.append(console.stage(play.view).keying)
        play.do("1 validate", "2 validate", "T sale 1", "T sale 1")
    assert len(set(stages)) == len(stages) == 5


# The table's dice


DUE = {
    "start": lambda: Play(until="start"),
    "roll": Play,
    "sale": lambda: _sale(ovens()),
    "incident": lambda: _incident(ovens(tiles="1 6 2 3 4 5")),
}


def _sale(play: Play) -> Play:
    play.do("1 validate", "2 validate")
    return play


def _incident(play: Play) -> Play:
    _sale(play).do("T sale 1")
    return play


@pytest.mark.parametrize("verb", DUE)
@pytest.mark.parametrize("die", DICE)
def test_the_house_keys_a_real_die_by_its_face(verb, die):
    assert made(DUE[verb](), "T", die) == f"{verb} {die}"


@for_each(*product(DUE, sorted(set(KEYS) - set(DICE))))
def test_other_keys_of_the_house_are_no_die(verb, key):
    assert press(DUE[verb](), "T", (key,)) == Keyed(accepted=False)


NOT_DUE = {
    "the steps": lambda: out(("1,5",)),
    "set-up": lambda: Play(until="setup"),
    "trust": lambda: Play(movement="trust"),
    "production": ovens,
}


@pytest.mark.parametrize("when", NOT_DUE)
def test_the_house_keys_no_die_that_is_not_due(when):
    play = NOT_DUE[when]()
    assert not any(press(play, "T", (die,)).accepted for die in DICE)


def test_the_die_is_dealt_when_it_is_due():
    play = Play()
    assert console.stage(play.view).deal is None
    play.do("1 ready")
    assert console.stage(play.view).deal.pause_ms > 0
    play.do("T roll 3")
    assert console.stage(play.view).deal is None
    assert console.stage(DUE["start"]().view).deal.together
    for verb in ("sale", "incident"):
        assert console.stage(DUE[verb]().view).deal.pause_ms > 0


@pytest.mark.parametrize("control", ["ok", "skip", "right", "wrong"])
@pytest.mark.parametrize("verb", DUE)
def test_the_controls_of_the_house_mean_nothing(verb, control):
    assert console.house(DUE[verb]().view, control) is None


def test_there_is_no_race():
    assert console.early(Play().view, 0) is None
    assert console.stage(Play().view).race is None


# Prompts and lamps


def test_the_prompts_name_the_keys():
    assert "#" in prompt(Play(), 1)
    assert "A" in prompt(Play(), 1)
    walking = prompt(out(("1,5",)), 1)
    assert "2468" in walking
    assert "#" in walking
    assert "5" in walking  # the steps left
    assert all(key in prompt(ovens(), 1) for key in "AD#")
    assert all(key in prompt(Play(movement="trust"), 1) for key in ("A", "B", "D1", "D0"))
    assert all(key in prompt(Play(4, until="setup"), 2) for key in "8624")


@pytest.mark.parametrize("seats", rules.SEATS)
def test_no_prompt_is_long_or_empty(seats):
    luck = Random(f"prompts {seats}")
    for _ in range(4):
        start = rules.setup(box_with(), some_rulings(luck), seats)
        for *_, state, _ in wander(start, luck):
            for seat in (None, *range(seats)):
                assert 0 < len(str(console.prompt(rules.view(state, seat)))) <= 50


def test_the_second_line_shows_what_was_typed():
    view = rules.view(ovens().state, 0)
    assert "2A1" in str(console.private(view, "2A1"))


def test_the_lamp_is_on_for_whose_turn_it_is():
    play = Play(4, first=3)
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.OFF, Lamp.ON, Lamp.OFF)
    play.turn(1)
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.ON, Lamp.OFF, Lamp.OFF)


def test_the_lamps_blink_for_those_who_are_waited_for():
    play = Play(4, until="setup")
    play.do("2 bakery N", "2 tiles 1 2 3 4 5 6")
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.OFF, Lamp.BLINK, Lamp.BLINK)
    play = Play(4, movement="trust")
    play.do("1 home no")
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.BLINK, Lamp.BLINK, Lamp.BLINK)
    play.do("2 home no", "3 home no", "4 home no", "3 validate")
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.BLINK, Lamp.OFF, Lamp.BLINK)


# Every move


@given(st.sampled_from(rules.SEATS), st.integers(0, 10_000))
def test_every_move_of_a_seat_has_keys_and_they_make_it(seats, seed):
    luck = Random(seed)
    play = Play(seats)
    visited = list(wander(rules.setup(play.box, some_rulings(luck), seats), luck))
    for state, *_ in luck.sample(visited, 12):
        play.state = state
        for seat in range(seats):
            for move in list(rules.legal(state, seat))[-40:]:
                keys = console.keys_for(rules.view(state, seat), move)
                if keys:
                    assert press(play, seat + 1, keys).move == move
                else:
                    assert move.verb == "unload"
                    assert sum(map(bool, move.args)) > 1
                    assert move.args != state.loads[seat]
