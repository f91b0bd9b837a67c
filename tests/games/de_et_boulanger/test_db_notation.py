"""The moves of Dé et Boulanger as text, there and back."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.de_et_boulanger.rules import VERBS
from tests.games.de_et_boulanger.db_lines import LINES
from tests.games.de_et_boulanger.db_table import BOX

SQUARES = [f"{row},{column}" for row in range(1, 10) for column in range(1, 10) if not {row, column} <= {4, 5, 6}]


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
