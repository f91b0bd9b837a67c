"""Driftwood: each paragraph of its README, and the conformance suite."""

from random import Random

import pytest

from companion.core.console import Keyed
from companion.core.errors import BoxError, IllegalMove, OptionError
from companion.core.match import Match
from companion.core.move import Move
from companion.core.text import msg
from companion.testing.conformance import check, some_rulings

from . import GAME
from .rules import SEATS, Phase

ASKED = msg("0 to {n} stones, then #", n=6)


def match(*moves: str, seats: int = 2) -> Match:
    played = Match(GAME, [f"P{n}" for n in range(1, seats + 1)])
    for move in moves:
        make(played, move)
    return played


def make(played: Match, move: str) -> None:
    played.push(GAME.notation.parse_move(played.box, move))


def refused(played: Match, move: str) -> str:
    with pytest.raises(IllegalMove) as refusal:
        make(played, move)
    return refusal.value.rule


@pytest.mark.parametrize("seats", SEATS)
def test_driftwood_keeps_the_contract(seats: int) -> None:
    luck = Random(seats)
    check(GAME, luck.randrange, seats=seats, rulings=some_rulings(GAME, luck.randrange))


def test_dw_r1_six_stones_each_and_twelve_finds_left() -> None:
    state = match(seats=5).state
    assert (state.points, state.stones, len(state.bag)) == ((0,) * 5, (6,) * 5, 12)
    for seats in (1, 6):
        with pytest.raises(OptionError):
            match(seats=seats)


def test_dw_r2_each_find_washes_up_once_per_copy() -> None:
    played = match()
    assert len(GAME.rules.draws(played.state)) == 12
    make(played, "T wash chest")
    for seat in "12":
        make(played, f"{seat} throw 0")
    assert refused(played, "T wash chest") == "DW-R2"


def test_dw_r3_first_call_takes_find_and_crabs_cost_points() -> None:
    played = match("T wash bottle", "T call 2")
    assert played.state.points == (0, 2)
    make(played, "T wash crab")
    make(played, "T call 2")
    assert played.state.points == (0, 0)
    assert refused(played, "T call 1") == "DW-R3"


@pytest.mark.parametrize("end", ["T tie 1 2", "T ebb"], ids=["dw_r4_a_tie", "dw_r5_nobody_calls"])
def test_dw_r4_dw_r5_tie_or_no_call_loses_the_find(end: str) -> None:
    played = match("T wash shell", end)
    assert played.state.points == (0, 0)
    assert played.state.phase == Phase.SEA


def test_dw_r6_throw_is_secret_and_limited_by_stones_left() -> None:
    played = match("T wash rope", "1 throw 4", "2 throw 6", "T wash plank")
    assert refused(played, "1 throw 3") == refused(played, "2 throw 1") == "DW-R6"
    make(played, "1 throw 2")
    assert played.view().throw is None
    assert played.view(0).throw == 2
    assert played.view(1).throw is None


def test_dw_r7_throw_can_be_retracted_until_all_are_locked() -> None:
    played = match("T wash rope", "1 throw 4", "1 retract", "1 throw 5")
    assert refused(played, "2 retract") == "DW-R7"
    make(played, "2 throw 1")
    assert refused(played, "1 retract") == "DW-R7"


@pytest.mark.parametrize(
    ("throws", "points"),
    [((1, 3, 2), (0, 4, 0)), ((3, 3, 2), (0, 0, 0)), ((0, 0, 0), (0, 0, 0))],
)
def test_dw_r8_stones_are_spent_and_sole_highest_throw_scores(
    throws: tuple[int, ...], points: tuple[int, ...]
) -> None:
    played = match("T wash rope", *(f"{seat} throw {n}" for seat, n in enumerate(throws, 1)), seats=3)
    assert played.state.shown == throws
    assert played.state.stones == tuple(6 - n for n in throws)
    assert played.state.points == points


def test_dw_r9_most_points_win_then_most_stones() -> None:
    box = 'stones = 2\n[finds]\nshell = { worth = 1, place = "rocks", count = 1 }\n'
    for throws, ranking in (((2, 1), ((0,), (1,))), ((1, 1), ((0, 1),)), ((0, 0), ((0, 1),))):
        played = Match(GAME, ("P1", "P2"), box_text=box)
        for move in ("T wash shell", *(f"{seat} throw {n}" for seat, n in enumerate(throws, 1))):
            make(played, move)
        assert played.outcome
        assert played.outcome.ranking == ranking
    sunk = Match(GAME, ("P1", "P2", "P3"), box_text=box)
    for move in ("T wash shell", "1 throw 2", "2 throw 2", "3 throw 0"):
        make(sunk, move)
    assert sunk.outcome
    assert sunk.outcome.ranking == ((2,), (0, 1))


@pytest.mark.parametrize(
    ("entry", "key", "keyed"),
    [
        ("", "4", Keyed("4")),
        ("4", "2", Keyed("2")),
        ("4", "7", Keyed("4", why=ASKED)),
        ("4", "*", Keyed()),
        ("", "*", Keyed(why=ASKED)),
        ("", "#", Keyed(why=ASKED)),
        ("4", "#", Keyed(move=Move(0, "throw", (4,)))),
    ],
)
def test_hash_locks_the_last_digit_typed(entry: str, key: str, keyed: Keyed) -> None:
    view = match("T wash rope").view(0)
    assert GAME.console.key(view, 0, key, {0: entry} if entry else {}) == keyed


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("stones = 6", "stones = 10", "box.toml: stones: 10; allowed: a whole number from 1 to 9"),
        ('"beach", count = 2', '"dunes", count = 2', "box.toml: finds.crab.place: 'dunes' is not allowed here"),
        ("worth = 6", "wroth = 6", "box.toml: finds.chest: unknown key 'wroth'; did you mean 'worth'"),
    ],
)
def test_bad_box_error_names_file_and_key(old: str, new: str, said: str) -> None:
    with pytest.raises(BoxError) as refusal:
        GAME.read_box(GAME.box_text.replace(old, new, 1), "box.toml")
    assert str(refusal.value).startswith(said)
