"""A lesson that is played at a table of the host by hand: what its tests and pictures share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.console import BUZZ
from companion.core.game import Game
from companion.display.frame import Frame, HelpPage, Menu
from companion.games import all_games
from companion.match.lessons import LEARNER, Tutor
from tests.display.gallery import Table

S = 1_000_000_000

LESSONS = [game for game in all_games().values() if game.lesson]

MOST = 5000
"""A lesson takes some hundred looks."""


def begin(folder: Path, game: Game, place: int = 0) -> Table:
    """Begin a lesson at a table that nobody sits at, from its menu."""
    table = Table(folder / game.name)
    table.press("menu").menu("Learn a game").wait(S)
    return table.press(str(LESSONS.index(game) + 1), place=place)


def tutor_of(table: Table) -> Tutor:
    """Return who teaches at a table."""
    running: Any = table.host.session
    assert running
    assert running.tutor
    return running.tutor


def walk(table: Table, place: int = 0) -> Iterator[Frame]:
    """Do what the lesson asks for, to its end; yield every frame that is looked at before something is done."""
    for _ in range(MOST):
        screen = table.frame.screen
        if isinstance(screen, Menu):
            return
        tutor = tutor_of(table)
        controls = () if tutor.pages else tutor.controls(LEARNER)
        if isinstance(screen, HelpPage):
            yield table.frame
            table.wait(S).press(BUZZ, place=place)
        elif controls:
            yield table.frame
            table.press(*controls, place=place)
        else:
            table.wait(S // 4)
    raise AssertionError(f"the lesson does not end: {tutor.steps} steps")
