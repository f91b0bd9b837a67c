"""The words of a move: read exactly, or refused with what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.core.reading import nothing, number, one_seat, word_of


@given(st.integers(0, 999))
def test_a_number_is_read_as_it_is_printed(n: int) -> None:
    assert number(str(n)) == n


@pytest.mark.parametrize("word", ["", "-1", "+1", "01", "1.0", "1000", "x", "²", "٣", "1 ", "9" * 5000])
def test_another_word_is_no_number(word: str) -> None:
    with pytest.raises(NotationError, match="allowed: a whole number from 0 to 999"):
        number(word)


@given(st.text(max_size=4), st.integers(0, 20), st.integers(0, 20))
def test_a_number_is_within_its_bounds(word: str, least: int, most: int) -> None:
    try:
        found = number(word, least, most)
    except NotationError:
        return
    assert least <= found <= most
    assert str(found) == word


def test_a_bound_may_have_any_number_of_digits() -> None:
    assert number("12000", 0, 20000) == 12000
    with pytest.raises(NotationError, match="allowed: a whole number from 0 to 20000"):
        number("20001", 0, 20000)


def test_the_nearest_word_is_named() -> None:
    assert word_of("right", ("wrong", "right")) == 1
    with pytest.raises(NotationError, match=r"'rigth' is not understood; did you mean 'right'\?"):
        word_of("rigth", ("wrong", "right"))


def test_too_many_words_are_refused() -> None:
    assert nothing([]) == ()
    with pytest.raises(NotationError, match="'a b' is too much here"):
        nothing(["a", "b"])
    assert one_seat(["3"]) == 2
    with pytest.raises(NotationError, match="'3 4' is no seat"):
        one_seat(["3", "4"])
