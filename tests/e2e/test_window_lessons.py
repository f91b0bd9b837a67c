"""A lesson under Xvfb, from the table's menu to its end and back, by real key events."""

import time
from pathlib import Path

import pygame

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE
from companion.core.place import Place
from companion.core.tags import is_lesson
from companion.core.text import reader
from companion.display import screens
from companion.display.canvas import Canvas
from companion.display.frame import Frame
from companion.display.table_plan import table_plan
from companion.games import all_games, load
from companion.match.lessons import LEARNER, Tutor
from companion.records.history import records
from companion.screens.lesson_pages import MEANT_NS, LessonPages
from tests.e2e.pc import PERSON, SIZE, Screen, Table, eventually, needs_a_screen, soon

pytestmark = needs_a_screen

GAME = load("buro_crazy")
"""Its reveals make players wait; tests/match covers all lessons."""

DISPLAY = table_plan(SIZE).display

LONGEST_S = 120
"""Several times the length of a lesson, for busy machines."""

BUZZER = "z"


def begin(table: Table, game: Game) -> None:
    table.and_see(lambda: table.key("0"))
    table.and_see(lambda: table.key("3"))  # Learn a game
    line = [each.name for each in all_games().values() if each.lesson].index(game.name) + 1
    table.and_see(lambda: table.key(str(line)))
    eventually(lambda: records(table.folder), "a record")


def follow(tutor: Tutor, match: Match) -> None:
    """Apply new moves of the journal to the tutor's match."""
    for move in match.moves[tutor.match.length :]:
        tutor.match.push(move)


def test_lesson_is_played_by_keys(screen: Screen, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[display]\ndrum_ms = 0\nmotion = false\n", "utf-8")
    with Table(screen, tmp_path, "--table", str(config)) as table:
        table.ready()
        begin(table, GAME)
        tutor = Tutor(GAME, table.match.names)
        end_s = time.monotonic() + LONGEST_S
        while time.monotonic() < end_s and not tutor.over:
            assert table.process.poll() is None, table.said()
            act(table, tutor)
            follow(tutor, table.match)
        assert tutor.over, tutor.steps
        assert is_lesson(table.match)
        assert table.match.moves == tutor.match.moves
        read(table, tutor)
        screen.still()
        table.and_see(lambda: table.key("1"))  # play the game now
        assert len(records(table.folder)) == 1
        assert table.said() == ""


def act(table: Table, tutor: Tutor) -> None:
    controls = tutor.controls(LEARNER)
    if tutor.pages:
        read(table, tutor)
    elif controls:
        by = TABLE if tutor.due(LEARNER) is None else LEARNER
        made = [move.seat for move in tutor.match.moves].count(by)

        def taken() -> bool:
            return [move.seat for move in table.match.moves].count(by) > made

        def pressed() -> bool:
            """Press, and return whether it was accepted; presses before a reveal is seen are not."""
            table.key(BUZZER) if controls == (BUZZ,) else table.type(PERSON, controls)
            return soon(taken)

        eventually(pressed, f"{controls}")
    else:
        time.sleep(0.02)


def read(table: Table, tutor: Tutor) -> None:
    """Wait for each page and turn it; early presses are ignored."""
    ended: list[bool] = []
    sitters = [(name, Place(seat)) for seat, name in enumerate(tutor.match.names)]
    reading = LessonPages(tutor.pages, sitters, MonotonicClock(), reader("en"), ended.append)
    if tutor.match.length:
        table.key("F5", "F5")  # ok: skips a photo finish and the last events
    while not ended:
        page = picture(reading)

        eventually(lambda page=page: table.screen.part(DISPLAY) == page, str(reading.screen()))

        time.sleep(1.1 * MEANT_NS / 1e9)

        def turned_over(page: bytes = page) -> bool:
            table.key(BUZZER)
            return soon(lambda: table.screen.part(DISPLAY) != page)

        eventually(turned_over, "the next page")
        reading.press(PERSON, BUZZ)
    tutor.turn_over()


def picture(reading: LessonPages) -> bytes:
    canvas = Canvas(pygame.Surface(DISPLAY.size, 0, 32))
    screens.draw(canvas, Frame(0, reading.screen(), reading.sides()))
    return pygame.image.tobytes(canvas.surface, "RGB")
