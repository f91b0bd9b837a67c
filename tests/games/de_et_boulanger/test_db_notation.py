"""Tests of Dé et Boulanger's notation."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.de_et_boulanger.rules import VERBS
from tests.games.de_et_boulanger.db_lines import LINES
from tests.games.de_et_boulanger.db_table import BOX

SQUARES = [f"{row},{column}" for row in range(1, 10) for column in range(1, 10) if not {row, column} <= {4, 5, 6}]


def test_step_places_round_trip():
    numbers = set()
    for place in [*SQUARES, "fountain", *"NESW"]:
        move = VERBS.parse_move(BOX, f"1 step {place}")
        assert (move.seat, move.verb, len(move.args)) == (0, "step", 1)
        assert VERBS.format_move(BOX, move) == f"1 step {place}"
        numbers.add(move.args)
    assert len(numbers) == len(SQUARES) + 5


def test_square_number_is_row_times_columns_plus_column():
    assert VERBS.parse_move(BOX, "1 step 2,4").args == (2 * 11 + 4,)


words = st.sampled_from([word for line in LINES for word in line.split()] + SQUARES + ["fountain", "step"])


@given(st.lists(words, max_size=8).map(" ".join))
def test_parsed_moves_print_the_same(text):
    try:
        move = VERBS.parse_move(BOX, text)
    except NotationError:
        return
    assert VERBS.format_move(BOX, move) == text
    assert VERBS.parse_move(BOX, VERBS.format_move(BOX, move)) == move


@given(st.text(max_size=30))
def test_random_text_parses_or_is_refused(text):
    try:
        move = VERBS.parse_move(BOX, text)
    except NotationError:
        return
    assert VERBS.parse_move(BOX, VERBS.format_move(BOX, move)) == move
