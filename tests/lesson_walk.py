"""Plays a lesson by hand at a host's table, for tests and pictures."""

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


def begin(folder: Path, game: Game, place: int = 0) -> Table:
    table = Table(folder / game.name)
    table.press("menu").menu("Learn a game").wait(S)
    return table.press(str(LESSONS.index(game) + 1), place=place)


def tutor_of(table: Table) -> Tutor:
    running: Any = table.host.session
    assert running
    assert running.tutor
    return running.tutor


def walk(table: Table, place: int = 0) -> Iterator[Frame]:
    """Follow the lesson to its end; yield each frame seen before an action."""
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
