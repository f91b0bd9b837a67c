"""The moves of Dé et Boulanger as text, there and back."""

import re

import pytest
from db_table import BOX
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.core.move import TABLE, Move
from companion.games.de_et_boulanger.rules import VERBS

LINES = {
    "1 bakery N": Move(0, "bakery", (0,)),
    "2 bakery E": Move(1, "bakery", (1,)),
    "3 bakery S": Move(2, "bakery", (2,)),
    "4 bakery W": Move(3, "bakery", (3,)),
    "2 tiles 3 1 6 2 5 4": Move(1, "tiles", (2, 0, 5, 1, 4, 3)),
    "T start 5": Move(TABLE, "start", (5,)),
    "1 load 4": Move(0, "load", (4,)),
    "1 unload 3 2 0 1": Move(0, "unload", (3, 2, 0, 1)),
    "4 flour 3": Move(3, "flour", (3,)),
    "4 butter 2": Move(3, "butter", (2,)),
    "4 water 6": Move(3, "water", (6,)),
    "3 ready": Move(2, "ready"),
    "T roll 4": Move(TABLE, "roll", (4,)),
    "2 end": Move(1, "end"),
    "2 home yes": Move(1, "home", (1,)),
    "2 home no": Move(1, "home", (0,)),
    "1 bake 2 1": Move(0, "bake", (2, 1)),
    "1 bake 12 0": Move(0, "bake", (12, 0)),
    "1 validate": Move(0, "validate"),
    "T sale 3": Move(TABLE, "sale", (3,)),
    "T incident 5": Move(TABLE, "incident", (5,)),
}
SQUARES = [f"{row},{column}" for row in range(1, 10) for column in range(1, 10) if not {row, column} <= {4, 5, 6}]


@pytest.mark.parametrize(("text", "move"), LINES.items())
def test_every_move_prints_and_parses_back(text, move):
    assert VERBS.format_move(BOX, move) == text
    assert VERBS.parse_move(BOX, text) == move


def test_every_place_of_a_step_prints_and_parses_back():
    numbers = set()
    for place in [*SQUARES, "fountain", *"NESW"]:
        move = VERBS.parse_move(BOX, f"1 step {place}")
        assert (move.seat, move.verb, len(move.args)) == (0, "step", 1)
        assert VERBS.format_move(BOX, move) == f"1 step {place}"
        numbers.add(move.args)
    assert len(numbers) == len(SQUARES) + 5


def test_a_square_is_its_row_times_the_columns_and_its_column():
    assert VERBS.parse_move(BOX, "1 step 2,4").args == (2 * 11 + 4,)


BAD = [
    *("", "1", "T", "1 lode 4", "5x load 4", "0 load 1", "6 load 1", "1 load", "1 load 0", "1 load 1 2"),
    *("1 load -1", "1 load +1", "1 load 01", "1 load one", "1 load ٣", "1 unload 1 2 3"),
    *("1 unload 1 2 3 4 5", "1 unload", "1 flour", "1 bakery", "1 bakery n", "1 bakery X", "1 bakery N E"),
    *("1 tiles 1 2 3 4 5", "1 tiles 1 2 3 4 5 5", "1 tiles 0 1 2 3 4 5", "1 tiles 1 2 3 4 5 7"),
    *("1 tiles 1 2 3 4 5 6 1", "1 step", "1 step 0,0", "1 step 99,1", "1 step 2", "1 step 2,", "1 step 2, 4"),
    *("1 step 2,4,5", "1 step 02,4", "1 step 5,5", "1 step fontaine", "1 step n", "1 ready now", "1 end 1"),
    *("1 home", "1 home maybe", "1 home 1", "1 bake 1", "1 bake 1 2 3", "1 validate 1", "T roll", "T roll 0"),
    *("T roll 7", "T start seven", "T sale 1 2", "T incident 7"),
]


@pytest.mark.parametrize("text", BAD)
def test_bad_text_is_refused(text):
    with pytest.raises(NotationError) as refused:
        VERBS.parse_move(BOX, text)
    assert str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 lode 4", "did you mean 'load'?"),
        ("T rol 4", "did you mean 'roll'?"),
        ("6 load 4", "'6' is no seat; allowed: 1 to 5, T for the table"),
        ("T roll 7", "'7'; allowed: a whole number from 1 to 6"),
        ("1 ready now", "'now' is too much here"),
        ("1 tiles 1 2 3", "3 tiles; a row has 6"),
        ("1 tiles 1 2 3 4 5 5", "'1 2 3 4 5 5'; allowed: each tile once"),
        ("1 tiles 0 1 2 3 4 5", "'0'; allowed: a whole number from 1 to 6"),
        ("1 unload 1 2", "'1 2'; allowed: numbers, 4 of them"),
        ("1 bake 1", "'1'; allowed: numbers, 2 of them"),
        ("1 load 1000", "'1000'; allowed: a whole number from 1 to 9"),
        ("1 bakery n", "'n' is not understood; allowed: E, N, S, W"),
        (
            "1 step 2, 4",
            "'2, 4' is no square; allowed: row,column on the board of 11 by 11, fountain, N, E, S, W",
        ),
    ],
)
def test_bad_text_is_told_what_is_allowed(text, message):
    with pytest.raises(NotationError, match=re.escape(message)):
        VERBS.parse_move(BOX, text)


words = st.sampled_from([word for line in LINES for word in line.split()] + SQUARES + ["fountain", "step"])


@given(st.lists(words, max_size=8).map(" ".join))
def test_what_is_read_is_printed_the_same(text):
    try:
        move = VERBS.parse_move(BOX, text)
    except NotationError:
        return
    assert VERBS.format_move(BOX, move) == text
    assert VERBS.parse_move(BOX, VERBS.format_move(BOX, move)) == move


@given(st.text(max_size=30))
def test_nonsense_is_refused_and_nothing_else(text):
    try:
        move = VERBS.parse_move(BOX, text)
    except NotationError:
        return
    assert VERBS.parse_move(BOX, VERBS.format_move(BOX, move)) == move
