"""Questions of a form about a box."""

import pytest

from companion.core.form import Grid, Question
from companion.core.text import msg

GRID = Grid(2, 3, lambda key, spot: [(spot, key)], lambda spot: msg("{row}", row=spot[0]))


@pytest.mark.parametrize(
    ("spot", "key", "stepped"),
    [
        ((0, 0), "8", (0, 0)), ((1, 0), "8", (0, 0)),
        ((0, 0), "2", (1, 0)), ((1, 0), "2", (1, 0)),
        ((0, 0), "4", (0, 0)), ((0, 2), "4", (0, 1)),
        ((0, 1), "6", (0, 2)), ((0, 2), "6", (0, 2)),
    ],
)  # fmt: skip
def test_step_follows_keypad_and_stops_at_the_edge(spot, key, stepped) -> None:
    assert GRID.stepped(spot, key) == stepped


def test_mistake_names_a_value_by_path_or_key() -> None:
    assert Question(msg("how many?"), ("cards", 7, "goblins")).name == "cards[8].goblins"
    assert Question(msg("how many?"), ("deck",)).name == "deck"
    assert Question(msg("how many?"), ("deck",), key="the deck").name == "the deck"


def test_answer_changes_its_path_unless_question_redirects_it() -> None:
    question = Question(msg("how many?"), ("cards", 1, "goblins"))
    assert question.changes(5) == [(("cards", 1, "goblins"), 5)]
    assert question._replace(write=lambda answer: [(("deck",), answer + 1)]).changes(5) == [(("deck",), 6)]
