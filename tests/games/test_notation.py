"""Each game's moves as text, and the errors of bad text."""

import re

import pytest

from companion.core.errors import NotationError
from companion.core.move import Move
from companion.games import load
from tests.of_games import LETTERS, beside

LINES = [(name, *line) for name in LETTERS for line in beside(name, "lines").LINES.items()]
BAD = [(name, *line) for name in LETTERS for line in beside(name, "lines").BAD]


@pytest.mark.parametrize(("name", "text", "move"), LINES)
def test_move_prints_and_parses_back(name: str, text: str, move: Move) -> None:
    notation, box = load(name).notation, beside(name, "table").BOX
    assert notation.format_move(box, move) == text
    found = notation.parse_move(box, text)
    assert (found, type(found)) == (move, type(move))


@pytest.mark.parametrize("name", LETTERS)
def test_every_verb_has_a_sample_line(name: str) -> None:
    with pytest.raises(NotationError) as refused:
        load(name).notation.parse_move(beside(name, "table").BOX, "T ???")
    known = str(refused.value).partition("llowed: ")[2].split(", ")
    assert sorted({move.verb for game, _, move in LINES if game == name}) == known


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_bad_text_error_says_what_is_allowed(name: str, text: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message) or None) as refused:
        load(name).notation.parse_move(beside(name, "table").BOX, text)
    assert str(refused.value)
