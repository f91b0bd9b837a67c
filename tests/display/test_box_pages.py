"""The questions about a custom box as pictures in each language."""

from collections.abc import Iterator

import pytest

from companion.config.box_drafts import Draft
from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.place import HOUSE
from companion.core.text import LANGUAGES
from companion.display.frame import Frame
from companion.games import all_games
from companion.screens.box_questions import BoxQuestions
from tests.display import gallery, laws, shows

GAMES = [game for game in all_games().values() if game.form]

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
every_language = pytest.mark.parametrize("language", LANGUAGES)


def nothing(*_: object) -> None:
    """Save nothing."""


def drafts(game: Game) -> Iterator[Draft]:
    """Yield a game's box, and its variants with more questions."""
    usual = Draft(game, "Our own old box at home!", game.box_text)
    yield usual
    for section in usual.form:
        for question in section.questions:
            if question.key == "" and question.path == ("deck", "rule"):
                counted = usual.answered(question, question.options[1].value)
                yield counted


def pages(game: Game) -> Iterator[Frame]:
    """Yield each question unanswered, during an entry, and after a refusal."""
    for draft in drafts(game):
        for number, section in enumerate(draft.form):
            asked = BoxQuestions(draft, number, str, nothing, nothing)
            for question in section.questions:
                yield Frame(0, asked.screen(), asked.sides())
                if not question.options:
                    for key in "876":
                        asked.press(HOUSE, key)
                    yield Frame(0, asked.screen(), asked.sides())
                    for _ in range(3):
                        asked.press(HOUSE, "*")
                asked.press(HOUSE, BUZZ)


@every_game
@every_language
def test_every_question_can_be_read(language: str, game: Game) -> None:
    with shows.in_language(language):
        frames = list(pages(game))
    named = [(f"{number} {frame.screen.title}", frame) for number, frame in enumerate(frames)]
    faults = laws.faults_by_turns(named, LANGUAGES.index(language), laws.LAWS, gallery.LYING)
    assert not faults, "\n".join(faults)


@every_game
def test_every_question_has_a_picture(game: Game) -> None:
    for screen in (frame.screen for frame in pages(game)):
        assert screen.sign or screen.drawn is not None, screen
        assert len({answer.key for answer in screen.answers}) == len(screen.answers)


@every_game
def test_no_question_is_repeated(game: Game) -> None:
    asked = [question for section in Draft(game, "usual", game.box_text).form for question in section.questions]
    assert len({(question.name, question.text) for question in asked}) == len(asked)
