"""Tests of Dé et Boulanger's keys, buzzers, lamps and prompts."""

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from companion.core.console import BUZZ, KEYS, Keyed, Lamp
from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move
from companion.games.de_et_boulanger import console, rules, walks
from companion.games.de_et_boulanger.rules import VERBS
from tests.games.de_et_boulanger.db_table import (
    BOARD,
    BOX,
    Play,
    place_text,
    rival_at_the_door,
    some_rulings,
    stocked,
    wander,
)
from tests.running import for_each

TO_FOUNTAIN = ("1,5", "2,5", "3,5", "fountain")
TO_MILL = ("1,5", "1,4", "1,3", "1,2", "2,2")
TO_FARM = ("1,5", "1,6", "1,7", "1,8", "2,8")
DICE = "123456"


def press(
    play: Play, who: int | str, keys: str | tuple[str, ...], entries: Mapping[int, str] | None = None
) -> Keyed:
    """Press keys in turn; only the last may make a move."""
    seat = TABLE if who == "T" else int(who) - 1
    typed, keyed = dict(entries or {}), Keyed()
    for key in keys:
        assert keyed.move is None, f"a move before {key}"
        keyed = console.key(rules.view(play.state, None if seat == TABLE else seat), seat, key, typed)
        typed[seat] = keyed.entry
    return keyed


def made(play: Play, who: int | str, keys: str | tuple[str, ...]) -> str:
    """Return the line of the move that keys make, without its seat."""
    keyed = press(play, who, keys)
    assert keyed.accepted
    assert keyed.move is not None, f"{keys} make no move: {keyed}"
    rules.apply(play.state, keyed.move)
    line = VERBS.format_move(play.box, keyed.move)
    assert line.split()[0] == str(who)
    return line.partition(" ")[2]


def wrong(play: Play, who: int | str, keys: str) -> bool:
    """Return True if the last key is refused and the entry stays."""
    before = press(play, who, keys[:-1]).entry if len(keys) > 1 else ""
    return is_refused(press(play, who, keys), before)


def is_refused(keyed: Keyed, entry: str = "") -> bool:
    return keyed.why is not None and keyed == Keyed(entry, None, keyed.why)


def why(play: Play, who: int | str, keys: str | tuple[str, ...]) -> str:
    return str(press(play, who, keys).why)


def told(play: Play, who: int | str, keys: str) -> str:
    """Return the paragraph by which the rules refuse the keys' move."""
    move = press(play, who, keys).move
    assert move is not None
    with pytest.raises(IllegalMove) as refusal:
        rules.apply(play.state, move)
    return refusal.value.rule


def out(places: tuple[str, ...], *, sous: int = 0, roll: int = 6, **setup: object) -> Play:
    """Return a match in which player 1 has walked there and has steps left."""
    play = Play(**setup)
    if sous:
        play.do(f"1 load {sous}")
    play.walk(roll, *places)
    return play


def prompt(play: Play, who: int | None) -> str:
    return str(console.prompt(rules.view(play.state, None if who is None else who - 1)))


# Set-up


@pytest.mark.parametrize(("key", "side"), ["8N", "6E", "2S", "4W"])
def test_direction_keys_choose_a_bakery(key, side):
    assert made(Play(4, until="setup"), 3, key) == f"bakery {side}"


def test_taken_side_is_refused():
    play = Play(4, until="setup")
    play.do("1 bakery N")
    assert wrong(play, 2, "8")
    assert made(play, 2, "6") == "bakery E"


@pytest.mark.parametrize("key", "13579*ABCD")
def test_other_keys_choose_no_side(key):
    assert press(Play(4, until="setup"), 1, (key,)).move is None


@pytest.mark.parametrize("control", ["#", BUZZ])
def test_enter_accepts_offered_shop_and_tiles(control):
    play = Play(4, until="setup")
    for who, key in enumerate("2486", 1):
        assert f"# takes {key}" in prompt(play, who)
        assert go(play, who, (control,)) == [f"bakery {'NESW'['8624'.index(key)]}", "tiles 1 2 3 4 5 6"]
    assert play.view.sides == (2, 3, 0, 1)


def test_enter_accepts_only_what_is_missing():
    play = Play(4, until="setup")
    play.do("1 bakery W", "2 tiles 6 5 4 3 2 1")
    assert go(play, 1, "#") == ["tiles 1 2 3 4 5 6"]
    assert go(play, 2, "#") == ["bakery N"]
    play.do("3 bakery E", "4 bakery S")
    assert go(play, 3, "#") == ["tiles 1 2 3 4 5 6"]


def test_key_a_and_six_digits_order_the_tiles():
    play = Play(2, until="setup")
    play.do("1 bakery S")
    assert made(play, 1, "A316254") == "tiles 3 1 6 2 5 4"
    assert made(play, 2, "A123456") == "tiles 1 2 3 4 5 6"


def test_key_for_a_decided_side_is_refused():
    play = Play(2, until="setup")
    play.do("1 bakery N")
    assert wrong(play, 2, "2")


@pytest.mark.parametrize("keys", ["A33", "A1231", "A7", "A0", "A8", "A12A", "A1234D", "3"])
def test_repeated_and_unknown_tiles_are_refused(keys):
    play = Play(2, until="setup")
    play.do("1 bakery S")
    assert wrong(play, 1, keys)


@pytest.mark.parametrize(("keys", "row"), [("A#", "1 2 3 4 5 6"), ("A3#", "3 1 2 4 5 6"), ("A41#", "4 1 2 3 5 6")])
def test_enter_adds_the_other_tiles_in_order(keys, row):
    assert made(Play(2, until="setup"), 1, keys) == f"tiles {row}"


def test_tile_orders_have_keys_at_any_time():
    play = Play(2, until="setup")
    for bakery in ("", "1 bakery W"):
        if bakery:
            play.do(bakery)
        for move in (rules.legal(play.state, 0)[-1], Move(0, "tiles", (5, 0, 4, 1, 3, 2))):
            keys = console.keys_for(rules.view(play.state, 0), move)
            assert press(play, 1, keys).move == move


def test_choosing_keeps_what_others_typed():
    play = Play(4, until="setup")
    stage = console.stage(play.view)
    play.do("1 bakery N", "3 tiles 1 2 3 4 5 6")
    assert console.stage(play.view).keying == stage.keying is not None


def test_finished_seat_cannot_type_in_setup():
    play = Play(4, until="setup")
    play.do("1 bakery N", "1 tiles 1 2 3 4 5 6")
    assert not any(press(play, 1, (key,)).accepted for key in "123456789*#A")


# A turn


@pytest.mark.parametrize("control", ["#", BUZZ])
def test_enter_or_buzzer_asks_for_the_die(control):
    assert made(Play(), 1, (control,)) == "ready"


@pytest.mark.parametrize("n", range(1, 7))
def test_key_c_and_a_digit_load_sous(n):
    assert made(Play(), 1, f"C{n}") == f"load {n}"


def test_key_a_loads_all_sous_that_fit():
    assert made(Play(), 1, "A") == "load 6"
    play = Play()
    play.do("1 load 2")
    assert made(play, 1, "A") == "load 4"
    play.state = play.state._replace(cash=(1, play.state.cash[1]))
    assert made(play, 1, "A") == "load 1"


@pytest.mark.parametrize("keys", ["C0", "CC", "C#", "B", "0"])
def test_impossible_shop_keys_are_refused(keys):
    assert wrong(Play(), 1, keys)


def test_shop_refusals_name_their_paragraphs():
    assert told(Play(), 1, "C7") == "DB-R10"
    assert told(Play(), 1, "8") == "DB-R11"  # before the roll


def test_key_8_leaves_the_northern_shop():
    play = Play()
    play.do("T roll 6")
    assert made(play, 1, "8") == "step 1,5"
    assert all(wrong(play, 1, key) for key in "2460A")


@pytest.mark.parametrize(
    ("sides", "there"),
    [("S", "1,5 2,6 3,5 2,4"), ("N", "3,5 2,4 1,5 2,6"), ("W", "2,6 3,5 2,4 1,5"), ("E", "2,4 1,5 2,6 3,5")],
)
def test_direction_keys_follow_the_bakers_side(sides, there):
    assert [made(standing(sides), 1, key) for key in "8624"] == [f"step {square}" for square in there.split()]
    assert all(wrong(standing(sides), 1, key) for key in "ABCD")


def standing(side: str) -> Play:
    """Return a match in which the player of a side is on 2,5."""
    play = Play(2)
    play.state = play.state._replace(
        sides=("NESW".index(side), ("NESW".index(side) + 2) % 4), places=(27, play.state.places[1])
    )
    play.do("T roll 6")
    return play


def test_direction_keys_enter_shop_and_fountain():
    assert made(out(("1,5",)), 1, "2") == "step N"
    assert made(out(TO_FOUNTAIN[:3]), 1, "8") == "step fountain"


def test_keys_cannot_leave_board_or_enter_rivals():
    corner = out(("1,5", "1,4", "1,3", "1,2", "1,1"))
    assert all(wrong(corner, 1, key) for key in "26")
    play = rival_at_the_door()
    play.do("T roll 6")
    assert told(play, 1, "8") == "DB-R13"


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        *((f"2{n}", f"3,{n + 3}") for n in (1, 2, 3)),
        *((f"8{n}", f"7,{n + 3}") for n in (1, 2, 3)),
        *((f"6{n}", f"{n + 3},3") for n in (1, 2, 3)),
        *((f"4{n}", f"{n + 3},7") for n in (1, 2, 3)),
    ],
)
def test_fountain_exit_follows_the_direction_key(keys, there):
    play = out(TO_FOUNTAIN)
    assert press(play, 1, keys[0]) == Keyed(keys[0])
    assert made(play, 1, keys) == f"step {there}"


@pytest.mark.parametrize("keys", ["80", "84", "8A", "8#", "88", "5"])
def test_wrong_fountain_exits_are_refused(keys):
    assert wrong(out(TO_FOUNTAIN), 1, keys)


def test_occupied_fountain_exit_is_refused():
    play = Play(first=2)
    play.turn(5, "step 9,5", "step 8,5", "step 7,5", "step fountain", "step 3,5")
    play.walk(6, "1,5", "1,4", "2,4", "3,4", "fountain")
    assert told(play, 1, "22") == "DB-R13"
    assert made(play, 1, "23") == "step 3,6"


@pytest.mark.parametrize(("places", "verb"), [(TO_MILL, "flour"), (TO_FARM, "butter"), (TO_FOUNTAIN, "water")])
def test_key_a_takes_all_and_c_a_number(places, verb):
    play = out(places, sous=3)
    assert made(play, 1, "A") == f"{verb} 3"
    assert press(play, 1, "C") == Keyed("C")
    assert [made(play, 1, f"C{n}") for n in (1, 2, 3)] == [f"{verb} {n}" for n in (1, 2, 3)]
    assert all(wrong(play, 1, f"C{key}") for key in "0A#")
    due = "DB-R15" if verb != "water" else "DB-R10"  # not enough sous or room
    assert {told(play, 1, f"C{n}") for n in (4, 9)} == {due}


def back_home() -> Play:
    """Return a match in which player 1 is back with 2 water and 3 sous."""
    play = out(TO_FOUNTAIN, sous=3)
    play.do("1 water 2", "1 end")
    play.turn(1)
    play.walk(6, "3,5", "2,5", "1,5", "N")
    return play


def test_key_b_unloads_everything():
    assert made(back_home(), 1, "B") == "unload 0 2 0 3"


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("C021", "unload 0 1 0 0"),
        ("C022", "unload 0 2 0 0"),
        ("C041", "unload 0 0 0 1"),
        ("C043", "unload 0 0 0 3"),
    ],
)
def test_keys_c_0_kind_and_digit_unload_part(keys, line):
    assert made(back_home(), 1, keys) == line


@pytest.mark.parametrize("keys", ["C01", "C03", "C00", "C05", "C0C", "C0#", "C023", "C020", "C044", "C04A", "5"])
def test_unloading_missing_goods_is_refused(keys):
    assert wrong(back_home(), 1, keys)


def test_kind_digits_unload_each_kind():
    play = Play(movement="trust")
    play.do("1 load 5", "1 flour 2", "1 butter 2", "1 water 1")
    assert [made(play, 1, f"C{kind}1") for kind in (1, 2, 3, 4)] == [
        "unload 1 0 0 0",
        "unload 0 1 0 0",
        "unload 0 0 1 0",
        "unload 0 0 0 1",
    ]


def test_unloading_part_of_several_kinds_has_no_keys():
    view = rules.view(back_home().state, 0)
    assert console.keys_for(view, Move(0, "unload", (0, 1, 0, 3))) == ()
    assert console.keys_for(view, Move(0, "unload", (0, 2, 0, 3))) == ("B",)
    assert console.keys_for(view, Move(0, "unload", (0, 2, 0, 0))) == ("C", "0", "2", "2")


def test_enter_ends_the_turn_but_buzzer_does_not():
    play = out(("1,5",))
    assert made(play, 1, "#") == "end"
    assert is_refused(press(play, 1, (BUZZ,)))


def test_waiting_seats_cannot_type():
    play = Play(4)
    for who in (2, 3, 4):
        assert not any(press(play, who, (key,)).accepted for key in (*KEYS, BUZZ))


def test_only_the_die_is_entered_while_due():
    play = Play()
    play.do("1 ready")
    assert [key for key in (*KEYS, BUZZ) if press(play, 1, (key,)).accepted] == list(DICE)
    assert not any(press(play, 2, (key,)).accepted for key in (*KEYS, BUZZ))


# Walking


def go(play: Play, who: int, keys: str) -> list[str]:
    """Make the moves of keys; return their lines without the seat."""
    keyed = press(play, who, keys)
    assert keyed.accepted, keyed.why
    lines = [VERBS.format_move(play.box, move) for move in keyed.moves]
    play.do(*lines)
    return [line.partition(" ")[2] for line in lines]


def rolled(roll: int, *lines: str) -> Play:
    play = Play()
    play.do(*lines, f"T roll {roll}")
    return play


def test_place_number_walks_there():
    way = go(rolled(5, "1 load 1"), 1, "3")
    assert (len(way), way[-1]) == (5, "step 2,2")


def test_place_number_walks_as_near_as_possible():
    way = go(rolled(5, "1 load 1"), 1, "3")
    assert go(rolled(3, "1 load 1"), 1, "3") == [*way[:3], "end"]


def test_place_numbers_follow_the_bakers_side():
    there = {"S": "2,2 2,8 8,2 8,8", "N": "8,8 8,2 2,8 2,2", "W": "2,8 8,8 2,2 8,2", "E": "8,2 2,2 8,8 2,8"}
    for side, squares in there.items():
        found = [walks.places(BOX.map, "NESW".index(side))[key] for key in "7913"]
        assert [place_text(BOX, square) for square in found] == squares.split()
        assert BOX.board.names[walks.places(BOX.map, "NESW".index(side))["0"]] == side


def test_key_0_walks_home_unloads_and_ends_turn():
    play = out(TO_FOUNTAIN, sous=3)
    play.do("1 water 2", "1 end")
    play.turn(1)
    play.do("T roll 6")
    assert go(play, 1, "0") == ["step 3,5", "step 2,5", "step 1,5", "step N", "unload 0 2 0 0", "end"]


def test_key_0_keeps_turn_without_shop_stops_move():
    play = out(("1,5",), shop_stops_move=False)
    assert go(play, 1, "0") == ["step N"]


def test_place_number_stops_before_a_rival():
    play = Play(first=2, sides="NS")
    play.walk(6, "9,5", "9,6", "9,7", "9,8", "8,8")
    play.do("2 end")
    play.do("T roll 6")
    assert go(play, 1, "7")[-1] == "end"
    play.turn(1)
    play.do("T roll 6")
    way = go(play, 1, "7")
    assert "step 8,8" not in way
    assert "7" not in walks.walking_keys(play.view, 0)


def test_place_number_approaches_a_blocked_place():
    play = out(TO_FOUNTAIN, sous=3)
    play.do("1 water 2", "1 end")
    play.turn(1)
    play.do("T roll 6")
    door, beyond = (BOX.board.names.index(name) for name in ("1,5", "2,5"))
    play.state = play.state._replace(places=(play.state.places[0], door))
    assert "0" in walks.walking_keys(play.view, 0)
    assert go(play, 1, "0") == ["step 3,5", "step 2,5"]
    play.state = play.state._replace(places=(beyond, door))
    assert "0" not in walks.walking_keys(play.view, 0)
    assert why(play, 1, "0") == "the way there is blocked"


def test_walk_passes_one_rival_towards_another():
    play = Play(4, sides="NWSE")
    play.do("1 ready", "T roll 6", "1 step 1,5")
    beside, rival, door = (BOX.board.names.index(name) for name in ("1,3", "1,4", "1,5"))
    play.state = play.state._replace(places=(beside, rival, play.state.places[2], door), steps=4)
    assert go(play, 1, "0") == ["step 2,3", "step 2,4", "step 2,5"]


def test_turn_ends_when_nothing_is_left_to_do():
    assert go(out(("1,5",), roll=2), 1, "8") == ["step 2,5", "end"]
    assert go(out(TO_MILL, sous=3, roll=5), 1, "A") == ["flour 3", "end"]
    assert go(out(TO_MILL, sous=3, roll=5), 1, "C2") == ["flour 2"]
    assert go(out(TO_MILL, sous=3, roll=6), 1, "A") == ["flour 3"]


def test_key_d_stays_home_before_and_after_roll():
    assert made(Play(), 1, "D") == "stay"
    assert made(rolled(3), 1, "D") == "stay"
    assert why(out(("1,5",)), 1, "D") == "you can only stay at home in your own shop"


@pytest.mark.parametrize("seats", rules.SEATS)
def test_walks_are_short_and_legal(seats):
    """The walking keys in the prompt are those that make steps."""
    luck, walked = Random(f"walks {seats}"), 0
    for movement in ("full", "trust", "full"):
        for state, *_ in wander(rules.setup(BOX, some_rulings(luck, movement=movement), seats), luck):
            if not state.steps:
                continue
            seat, view = state.turn, rules.view(state, state.turn)
            for key, goal in walks.places(BOX.map, state.sides[seat]).items():
                moves = console.key(view, seat, key, {}).moves
                assert bool(moves) == (key in walks.walking_keys(view, seat))
                steps = [move for move in moves if move.verb == "step"]
                after = state
                for move in moves:
                    assert move in rules.legal(after, seat)
                    after = rules.apply(after, move)
                if steps:
                    walked += 1
                    free = [place for place in state.places if place not in {state.places[seat], goal}]
                    assert len(steps) <= state.steps
                    there = BOARD.distance(*(place_text(BOX, s) for s in (state.places[seat], goal)))
                    last = place_text(BOX, steps[-1].args[0])
                    closed = any(BOARD.distance(last, place_text(BOX, rival)) == 1 for rival in free)
                    assert len(set(steps)) == len(steps)
                    assert closed or len(steps) >= min(there, state.steps) - (goal in state.places)
                    assert not {move.args[0] for move in steps} & ({*free} - {BOX.board.fountain})
    assert walked > 500


def test_star_deletes_the_entry():
    play = back_home()
    assert press(play, 1, "C*") == Keyed("")
    assert made(play, 1, "#") == "end"


def test_enter_and_buzzer_refuse_unfinished_numbers():
    play = back_home()
    assert is_refused(press(play, 1, ("C", "#")), "C")
    assert is_refused(press(play, 1, ("C", BUZZ)), "C")


# Trust mode


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("13", "flour 3"),
        ("21", "water 1"),
        ("32", "butter 2"),
        ("42", "load 2"),
        ("B", "unload 0 0 0 3"),
        ("C42", "unload 0 0 0 2"),
        ("D1", "home yes"),
        ("D0", "home no"),
    ],
)
def test_trust_takes_kind_before_number(keys, line):
    play = Play(movement="trust")
    play.do("1 load 3")
    assert made(play, 1, keys) == line


@pytest.mark.parametrize("keys", ["#", "8", "A", "0", "20", "D2", "DD", "D#", "C1", "5", "10", "1A"])
def test_trust_refuses_other_keys(keys):
    play = Play(movement="trust")
    play.do("1 load 3")
    assert wrong(play, 1, keys)


@pytest.mark.parametrize(("keys", "paragraph"), [("14", "DB-R15"), ("24", "DB-R10"), ("44", "DB-R10")])
def test_trust_refuses_taking_too_much(keys, paragraph):
    play = Play(movement="trust")
    play.do("1 load 3")
    assert told(play, 1, keys) == paragraph


def test_trust_lets_everybody_type_at_once():
    play = Play(4, movement="trust")
    keying = console.stage(play.view).keying
    assert keying is not None
    play.do("2 load 3", "4 home no")
    assert console.stage(play.view).keying == keying
    assert press(play, 3, "4", {0: "4", 3: "D"}) == Keyed("4")


def test_full_movement_moves_clear_entries():
    assert console.stage(Play().view).keying is None


def test_trust_refuses_keys_after_coming_home():
    play = Play(movement="trust")
    play.do("1 home yes")
    assert not any(press(play, 1, (key,)).accepted for key in (*KEYS, BUZZ))


# Production


def ovens(flour: int = 7, water: int = 6, butter: int = 4, **setup: object) -> Play:
    play = stocked(flour, water, butter, **setup)
    play.do("1 home no", "2 home no")
    return play


@pytest.mark.parametrize(("keys", "line"), [("112#", "bake 2 1"), ("2#", "bake 0 1"), ("1#", "bake 1 0")])
def test_key_1_adds_bread_and_2_a_croissant(keys, line):
    assert go(ovens(), 1, keys) == [line, "validate"]


def test_key_0_cancels_what_was_baked():
    play = ovens()
    assert wrong(play, 1, "0")
    play.do("1 bake 2 1")
    assert go(play, 1, "0#") == ["bake 0 0", "validate"]


@pytest.mark.parametrize("control", ["#", BUZZ])
def test_enter_or_buzzer_validates(control):
    play = ovens()
    play.do("1 bake 2 1")
    assert made(play, 1, (control,)) == "validate"


@pytest.mark.parametrize("control", ["#", BUZZ])
def test_baking_nothing_needs_confirmation(control):
    play = ovens()
    assert press(play, 1, (control,)) == Keyed("#")
    assert str(console.typed(rules.view(play.state, 0), "#")) == "Bake nothing? Press # again"
    assert made(play, 1, (control, control)) == "validate"
    assert made(play, 1, (control, *"112#")) == "bake 2 1"
    assert made(ovens(0, 0, 0), 1, (control,)) == "validate", "nobody is asked who has nothing to bake"


@pytest.mark.parametrize("keys", ["A", "D", "C", "3", "2D", "2B", "13"])
def test_other_keys_bake_nothing(keys):
    assert wrong(ovens(), 1, keys)


def test_key_b_bakes_the_most_valuable_mix():
    assert made(ovens(), 1, "B") == "bake 2 1"
    play = ovens()
    play.do("1 bake 2 1")
    assert wrong(play, 1, "B")
    assert made(ovens(3, 3, 4), 1, "B") == "bake 0 2"


@pytest.mark.parametrize(
    ("left", "line"), [([(1, 5)], "bake 1 3"), ([(5, 1), ()], "bake 4 0"), ([(2, 4), (1, 5)], "bake 2 3")]
)
def test_key_b_bakes_within_the_remaining_tiles(left, line):
    play = ovens(12, 9, 6)
    rows = (tuple(map(BOX.tiles.index, left)), play.state.tiles[1])
    play.state = play.state._replace(tiles=rows)
    assert made(play, 1, "B") == line
    play.do("1 bake 3 3")
    assert made(play, 1, "B") == line, "what was baked before is no reason to bake more"


def test_key_b_bakes_nothing_without_customer_tiles():
    play = ovens()
    play.state = play.state._replace(tiles=((BOX.tiles.index(()),), play.state.tiles[1]))
    assert wrong(play, 1, "B")
    assert press(play, 1, "#") == Keyed("#"), "that there is something to bake stays"


def test_repeated_mix_only_validates():
    play = ovens()
    play.do("1 bake 2 1")
    assert go(play, 1, "112#") == ["validate"]


def test_star_deletes_a_typed_mix():
    play = ovens()
    assert press(play, 1, "112*") == Keyed("")
    assert made(play, 1, "11#") == "bake 2 0"


def test_baking_keeps_what_others_typed():
    play = ovens()
    keying = console.stage(play.view).keying
    assert keying is not None
    play.do("1 bake 1 0", "1 validate")
    assert console.stage(play.view).keying == keying
    assert not any(press(play, 1, (key,)).accepted for key in (*KEYS, BUZZ))


def test_each_phase_clears_earlier_entries():
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
def test_only_house_and_roller_enter_the_die(verb, die):
    play = DUE[verb]()
    assert made(play, "T", die) == f"{verb} {die}"
    roller, other = play.view.turn, 1 - play.view.turn
    assert press(play, roller + 1, die).move == Move(TABLE, verb, (int(die),))
    assert not press(play, other + 1, die).accepted


@for_each(*product(DUE, sorted(set(KEYS) - set(DICE))))
def test_other_house_keys_are_refused(verb, key):
    assert is_refused(press(DUE[verb](), "T", (key,)))


NOT_DUE = {
    "the steps": lambda: out(("1,5",)),
    "set-up": lambda: Play(until="setup"),
    "trust": lambda: Play(movement="trust"),
    "production": ovens,
}


@pytest.mark.parametrize("when", NOT_DUE)
def test_house_cannot_enter_a_die_not_due(when):
    play = NOT_DUE[when]()
    assert not any(press(play, "T", (die,)).accepted for die in DICE)


def test_die_is_dealt_when_due():
    play = Play()
    assert console.stage(play.view).deal is None
    play.do("1 ready")
    assert console.stage(play.view).deal.pause_ms > 0
    play.do("T roll 3")
    assert console.stage(play.view).deal is None
    assert console.stage(DUE["start"]().view).deal.together
    for verb in ("sale", "incident"):
        assert console.stage(DUE[verb]().view).deal.pause_ms > 0


# Reasons


def chosen(*lines: str) -> Play:
    play = Play(4, until="setup")
    play.do(*lines)
    return play


def laden() -> Play:
    play = Play(movement="trust")
    play.do("1 load 3")
    return play


REASONS = {
    "taken": (lambda: chosen("1 bakery N"), 2, "8", "that bakery is taken; free: E, S, W"),
    "no side": (chosen, 1, "5", "press 8, 6, 2 or 4 for your shop, A for your tiles"),
    "no tile": (chosen, 1, "A7", "7 is not a tile: your tiles are 1 to 6"),
    "twice": (chosen, 1, "A33", "tile 3 is already in your row"),
    "all chosen": (
        lambda: chosen("1 bakery N", "1 tiles 1 2 3 4 5 6"),
        1,
        "A",
        "seat 1 has already laid out tiles",
    ),
    "not on turn": (Play, 2, "#", "it's Seat 1's turn"),
    "an odd key": (Play, 1, "9", "walk on your own turn, after the roll"),
    "off the board": (lambda: out(("1,5", "1,4", "1,3", "1,2", "1,1")), 1, "2", "the board ends there"),
    "no exit": (lambda: out(TO_FOUNTAIN), 1, "84", "4 is not an exit: that side has exits 1 to 3"),
    "no steps": (lambda: out(TO_FOUNTAIN, roll=4), 1, "8", "no steps are left"),
    "nothing here": (lambda: out(("1,5",), sous=3), 1, "A", "there is nothing to buy or take here"),
    "no sou": (lambda: out(TO_MILL), 1, "A", "not enough sous: only 0"),
    "how many": (Play, 1, "CA", "A: press 1 to 9 for how many"),
    "nothing carried": (Play, 1, "B", "the baker carries nothing"),
    "no kind": (laden, 1, "C5", "5: 1 is flour, 2 water, 3 butter, 4 sous"),
    "no flour": (laden, 1, "C1", "the baker carries only 0 flour, 0 water, 0 butter and 3 sous"),
    "the buzzer": (lambda: out(("1,5",)), 1, (BUZZ,), "the buzzer does nothing here: use the keypad"),
    "unfinished": (Play, 1, ("C", BUZZ), "C is not complete; * deletes it"),
    "home": (lambda: Play(movement="trust"), 1, "D2", "2: press 1 if you are home, 0 if not"),
    "trust": (lambda: Play(movement="trust"), 1, "#", "press 1 to 4 to take, B or C to put back, D to finish"),
    "baking": (ovens, 1, "1A", "1 adds a bread, 2 a croissant, # bakes"),
    "too many": (ovens, 1, "111", "there is enough for 2 breads at most"),
    "the same": (ovens, 1, "0", "that is already baked"),
    "start": (lambda: Play(until="start"), 1, "#", "wait for the dice"),
    "no die": (ovens, "T", "3", "no roll is due now"),
    "no face": (Play, "T", "9", "a die shows 1 to 6, not 9"),
}


@pytest.mark.parametrize("case", REASONS)
def test_refused_key_says_why(case):
    play, who, keys, due = REASONS[case]
    assert why(play(), who, keys) == due


# Prompts and lamps


def test_prompts_read_as_expected():
    assert prompt(Play(), 1) == "# rolls. Coins: A all, C some. D stays home"
    assert prompt(out(("1,5",)), 1) == "Walk up to 5: a number on the board. # stops"
    assert prompt(out(TO_MILL, sous=3), 1) == "Flour: A all, C some. Or a number on the board. #: end"
    assert prompt(rolled(3), 1) == "Walk up to 3: a number on the board. D: stay. # ends"
    assert prompt(ovens(), 1) == "B: bake the best mix. Or 1: bread, 2: croissant. #: done"
    assert prompt(Play(movement="trust"), 1) == "What do you take? 2/4, and how many. D: done"


@pytest.mark.parametrize(
    ("play", "entry", "line"),
    [
        (ovens, "112", "2 breads, 1 croissant: # bakes them"),
        (ovens, "#", "Bake nothing? Press # again"),
        (lambda: out(TO_MILL, sous=3), "C", "Flour: how many? 1-3"),
        (lambda: out(TO_FOUNTAIN), "8", "Which exit? 1 to 3"),
        (laden, "D", "Are you home? 1: yes, 0: no"),
        (laden, "1", "Flour: how many? 1 to 9"),
        (chosen, "A31", "Your tiles: 3 1. # adds the others in order"),
    ],
)
def test_typed_line_asks_for_the_next_key(play, entry, line):
    view = rules.view(play().state, 0)
    assert str(console.typed(view, entry)) == line
    assert console.private(view, entry) == console.private(view, "")


def test_lamp_is_on_for_the_mover():
    play = Play(4, first=3)
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.OFF, Lamp.ON, Lamp.OFF)
    play.turn(1)
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.ON, Lamp.OFF, Lamp.OFF)


def test_lamps_blink_for_unfinished_seats():
    play = Play(4, until="setup")
    play.do("2 bakery N", "2 tiles 1 2 3 4 5 6")
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.OFF, Lamp.BLINK, Lamp.BLINK)
    play = Play(4, movement="trust")
    play.do("1 home no")
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.BLINK, Lamp.BLINK, Lamp.BLINK)
    play.do("2 home no", "3 home no", "4 home no", "3 validate")
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.BLINK, Lamp.OFF, Lamp.BLINK)
