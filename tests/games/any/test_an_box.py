"""The box of any other game: lists of rounds, and mistakes with their lines."""

import pytest

from companion.core.errors import BoxError
from companion.games.any.box import AnyBox
from companion.games.any.game import GAME
from companion.games.any.rules import Kind, Rulings, setup
from tests.games.any.an_table import QUIZ


def mistakes(text: str) -> list[str]:
    with pytest.raises(BoxError) as refused:
        AnyBox.read(text, "quiz.toml")
    return [str(each) for each in refused.value.mistakes]


def test_round_of_ten_times_is_ten_rounds():
    assert AnyBox.read(GAME.box_text, "box.toml").rounds == ((("kind", Kind.FIRST),),) * 10


def test_box_gives_only_what_it_says():
    rounds = setup(AnyBox.read(QUIZ, ""), Rulings(), 2).rounds
    assert (rounds[0].text, rounds[0].answer, rounds[0].show) == (
        "Which planet has a day longer than its year?",
        "Venus",
        False,
    )
    assert (rounds[1].number, rounds[1].wins) == (27, "closest")
    assert rounds[4].lots == "names"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[[rounds]]\nkind = "frist"\n',
            "quiz.toml: line 2, rounds[1].kind: 'frist' is not allowed here; did you mean 'first'? "
            "Allowed: clock, first, lots, points, sealed",
        ),
        (
            '[[rounds]]\nkind = "first"\n\n[[rounds]]\n# ours\nkind = "first"\npoints = 1000\n',
            "quiz.toml: line 7, rounds[2].points: 1000; allowed: a whole number from 0 to 999",
        ),
        ('[[rounds]]\nkind = "clock"\n\nminuets = 5\n', "quiz.toml: line 4, rounds[1]: unknown key 'minuets'"),
        ('[[rounds]]\ntext = "no kind"\n', "quiz.toml: line 1, rounds[1].kind: None is not allowed here"),
        ('[[rounds]]\nkind = "first"\nshow = 1\n', "quiz.toml: line 3, rounds[1].show: 1; allowed: true or false"),
        (
            '[[rounds]]\nkind = "sealed"\nwords = ["red", "red"]\n',
            "quiz.toml: line 3, rounds[1].words: 2 words; allowed: 2 to 9 different ones",
        ),
        (
            '[[rounds]]\nkind = "sealed"\nwords = ["red", "blue"]\nnumber = 3\n',
            "quiz.toml: line 4, rounds[1].number: 3; allowed: 1 to 2, the number of a word",
        ),
        (
            '[[rounds]]\nkind = "sealed"\nnumber = 30\nlargest = 20\n',
            "quiz.toml: line 3, rounds[1].number: 30; allowed: 0 to 20, the largest",
        ),
        ('[[rounds]]\nkind = "lots"\nlots = "names"\n', "quiz.toml: line 3, rounds[1].lots: a list needs names"),
        (
            '[[rounds]]\nkind = "first"\ntext = "two\\nlines"\n',
            "quiz.toml: line 3, rounds[1].text: 'two\\nlines'; allowed: one line of up to 200 characters",
        ),
        ('[[rounds]]\nkind = "first"\ntext = \n', "quiz.toml: not valid TOML: Invalid value (at line 3, column 8)"),
        ("rounds = []\n", "quiz.toml: rounds: 0 rounds; allowed: 1 to 100"),
        ("", "quiz.toml: box: 'rounds' is missing"),
    ],
)
def test_mistake_is_named_with_file_line_and_key(text, said):
    first, *others = mistakes(text)
    assert first.startswith(said)
    assert others == []


def test_every_mistake_is_named_in_one_go():
    text = (
        QUIZ.replace("points = 2", "points = true")
        .replace('"Po"]', '"Po", 4]')
        .replace("minutes = 1", "minutes = 0")
    )
    lines = [line.partition(",")[0] for line in mistakes(text)]
    assert lines == ["quiz.toml: line 6", "quiz.toml: line 19", "quiz.toml: line 45"]
