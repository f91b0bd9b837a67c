"""Random answers to the questions about a box: none is lost, and every file is covered."""

import random
from pathlib import Path

import pytest

from companion.config import box_drafts, boxes
from companion.config.box_drafts import Draft
from companion.core.console import BUZZ, KEYS
from companion.core.errors import BoxError, CompanionError
from companion.core.form import at
from companion.core.game import Game
from companion.core.place import HOUSE
from companion.core.toml import parse_toml
from companion.games import all_games
from companion.screens.box_questions import BoxQuestions

GAMES = [game for game in all_games().values() if game.form]

PRESSES = 250

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def pressed(game: Game, seed: int) -> Draft:
    """Return the draft after many presses; each must be answered."""
    luck = random.Random(seed)
    draft = box_drafts.new(game, "Our box")
    kept = [draft]

    def written(changed: Draft) -> None:
        changed.write()
        kept.append(changed)

    ended = [True]
    asked = None
    for _ in range(PRESSES):
        if ended:
            ended.clear()
            section = luck.randrange(len(kept[-1].form))
            asked = BoxQuestions(kept[-1], section, str, written, lambda: ended.append(True))
        assert asked
        if not asked.press(HOUSE, luck.choice((*KEYS, *KEYS, "#", "#", "#", BUZZ, "skip", "right"))):
            ended.append(True)
        else:
            assert asked.screen().title
            assert asked.screen().typed or asked.screen().answers or asked.screen().value.isdecimal()
    return kept[-1]


@every_game
@pytest.mark.parametrize("seed", range(2))
def test_random_presses_leave_a_draft_to_resume(game: Game, seed: int) -> None:
    draft = pressed(game, seed)
    assert box_drafts.begun(game) == [draft]
    if not draft.mistakes:
        box = draft.keep()
        assert boxes.named(game, "Our box") == box
        assert box_drafts.begun(game) == []


@every_game
def test_accepting_every_value_changes_nothing(game: Game) -> None:
    draft = box_drafts.new(game, "Our box")
    for section in range(len(draft.form)):
        asked = BoxQuestions(draft, section, str, pytest.fail, lambda: None)
        while asked.press(HOUSE, "#"):
            pass
    assert draft.keep().text == game.box_text


@every_game
def test_each_question_has_the_value_of_its_path(game: Game) -> None:
    found = parse_toml(game.box_text)
    for section in box_drafts.new(game, "Our box").form:
        for question in section.questions:
            if question.write is None and question.grid is None:
                assert at(found, question.path) == question.value


@every_game
def test_changed_numbers_are_saved_with_all_comments(game: Game) -> None:
    draft = box_drafts.new(game, "Our box")
    for number, section in enumerate(draft.form):
        for place, question in enumerate(section.questions):
            if question.options or question.write or not isinstance(question.value, int):
                continue
            changed = draft.answered(question, question.value + 1)
            if isinstance(changed, Draft):
                draft = changed
                assert draft.form[number].questions[place].value == question.value + 1
    comments = [line for line in game.box_text.splitlines() if line.startswith("#")]
    assert [line for line in draft.text.splitlines() if line.startswith("#")] == comments


def test_box_with_mistakes_is_not_saved() -> None:
    game = all_games()["boese_buben"]
    draft = box_drafts.new(game, "Our box")
    races = draft.form[1].questions[0]
    changed = draft.answered(races, 6)
    assert isinstance(changed, Draft)
    with pytest.raises(BoxError, match="mc_cards: 4; allowed: a whole number from 6"):
        changed.keep()
    assert boxes.on_shelf(game) == []


def test_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "companion").write_text("no folder")
    draft = box_drafts.Draft(all_games()["buntherum"], "Our box", all_games()["buntherum"].box_text)
    with pytest.raises(CompanionError, match="Not a directory"):
        draft.write()
