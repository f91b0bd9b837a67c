"""Makes the pictures of the virtual table in docs/pictures/.

`.venv/bin/python docs/make_pictures.py`. It plays in virtual time, so the result is always the same. Check the
pictures that changed before a commit.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pygame

from companion.core.console import BUZZ, TURN
from companion.display import screens, virtual_seats
from companion.display.canvas import Canvas
from companion.display.frame import Frame
from companion.display.table_plan import table_plan
from companion.table.match_menus import VERDICT_NS
from tests import pictures
from tests.display import gallery, show_bb, show_bc, show_db, show_moments, shows
from tests.display.gallery import Table, answer, fill, new

PICTURES = Path(__file__).parent / "pictures"
QUIZ = re.findall(r"```toml\n(.*?)```", Path(__file__).with_name("quiz-night.md").read_text("utf-8"), re.DOTALL)[0]
WINDOW, SIZE = (1280, 720), (1000, 563)
SECOND_NS = 1_000_000_000

SEED = "5eed" * 8  # deals the match of the lobby

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva")  # replace the gallery's names, the longest that fit

OF_GAMES = {
    "buro_crazy": (show_bc, "locked", 3),
    "boese_buben": (show_bb, "turn", 3),
    "de_et_boulanger": (show_db, "rolled", 4),
}
"""Pictures of the gallery: show, frame and number of players."""


def in_the_lobby(folder: Path) -> Iterator[tuple[str, Frame]]:
    """Yield frames from before a match, and from when it begins and is resumed."""
    table = Table(folder)
    yield "attract", table.frame
    yield "join", table.press(BUZZ, "C", "C", place=0).frame
    yield "game", table.press("#", place=0).frame
    yield "rulings", table.menu("Buntherum").press("4", place=0).frame
    with patch("secrets.token_hex", lambda size: SEED[: 2 * size]):
        table.press("4", "1", place=0)
    turned(table)
    yield "first_match", table.press(BUZZ, place=0).frame
    table.host.close()
    yield "resume", Table(folder).frame


def turned(table: Table) -> None:
    """Turn the next card, as the player whose turn it is."""
    session = table.host.session
    table.wait(SECOND_NS).press(TURN, place=session.places[session.match.state.flipper])


def called(table: Table, seat: int, *, right: bool) -> Table:
    """Turn, call and answer the next card."""
    turned(table)
    said = str(answer(table.host.session.match, right=right))
    return table.press(BUZZ, place=seat).press(said, place=seat).wait(SECOND_NS)


def in_a_match(folder: Path) -> Iterator[tuple[str, Frame]]:
    table = called(called(Table(folder / "match", fill(new(3), 3, 6)), 0, right=True), 1, right=False)
    turned(table)
    yield "open", table.frame
    yield "locked", table.press(BUZZ, place=2).wait(SECOND_NS // 10).frame
    wrong = str(answer(table.host.session.match, right=False))
    yield "verdict", table.press(wrong, place=2).wait(SECOND_NS // 10).frame
    table = called(Table(folder / "undo", fill(new(3), 3, 8)), 0, right=True).press("pause")
    yield "pause", table.frame
    yield "undo", table.press("pause").wait(SECOND_NS).press("undo").frame
    table = called(Table(folder / "unplugged", fill(new(3), 3, 6)), 2, right=True)
    yield "unplugged", table.press("fault unplug", place=1).wait(SECOND_NS // 10).frame
    yield "result", Table(folder / "result", show_moments.whole("buntherum", 3)).wait(2 * VERDICT_NS).frame


def at_a_quiz(folder: Path) -> Iterator[tuple[str, Frame]]:
    """Yield frames of the quiz on its page, with the box of a user."""
    box = folder / "companion" / "boxes" / "any" / "quiz.toml"
    box.parent.mkdir(parents=True)
    box.write_text(QUIZ, "utf-8")
    with patch.dict(os.environ, {"XDG_DATA_HOME": str(folder)}):
        table = Table(folder / "matches")
        for place in range(3):
            table.press(BUZZ, place=place)
        yield "quiz_box", table.press("#", place=0).menu("Any other").menu("Box").frame
        yield "quiz_open", table.menu("Start").wait(SECOND_NS).press("ok").wait(SECOND_NS).frame
        yield "quiz_word", table.press(BUZZ, place=1).wait(SECOND_NS).frame
        table.press("right").wait(6 * SECOND_NS)
        for place, number in enumerate(("27", "34", "30")):
            table.press(*number, "#", place=place)
        yield "quiz_shown", table.wait(2 * SECOND_NS).frame


def all_frames(folder: Path) -> Iterator[tuple[str, Frame]]:
    with shows.in_language("en"):
        yield from in_the_lobby(folder / "lobby")
        yield from in_a_match(folder)
        yield from at_a_quiz(folder / "quiz")
        for name, (show, frame, seats) in OF_GAMES.items():
            yield name, show.frames(folder / name, seats)[frame]


def drawn(frame: Frame, size: tuple[int, int]) -> pygame.Surface:
    """Return a virtual table as its window shows it."""
    surface = pygame.Surface(size, 0, 32)
    virtual_seats.draw(Canvas(surface, noted=False), virtual_seats.around(frame))
    screens.draw(Canvas(surface.subsurface(table_plan(size).display), noted=False), frame)
    return surface


def main() -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()  # knows the names of keys
    for module in (gallery, show_bb, show_db, show_moments):
        module.NAMES = NAMES
    with tempfile.TemporaryDirectory() as folder:
        for name, frame in all_frames(Path(folder)):
            table = drawn(frame if name == "first_match" else frame._replace(hint=None), WINDOW)
            pictures.write(PICTURES / f"{name}.png", pygame.transform.smoothscale(table, SIZE))
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
