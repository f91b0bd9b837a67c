"""An evening of each game: a family keys its own box at the table, and plays a whole match with its real pieces.

Hands alone do it: no file is edited, no command typed. Each press is answered by something that can be seen.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pygame
import pytest
from evenings import Evening
from host_bench import Bench

from companion.core.console import BUZZ
from companion.core.move import Seat
from companion.core.tags import BOX_NAME_TAG
from companion.display.canvas import Canvas
from companion.display.frame import BoxPage, Frame
from companion.display.screens import draw
from companion.games import all_games

pytestmark = pytest.mark.usefixtures("fixed_secrets")

SIZE_PX: Final = (800, 480)


class Family(NamedTuple):
    """Who plays what: what is keyed of the box, by section and question, and what is so in it then."""

    title: str
    seats: int
    box: Mapping[str, Mapping[str, str]]
    ours: Callable[[Any], object]
    is_so: object


FAMILIES: Final = {
    "buntherum": Family(
        "Buntherum",
        3,
        {"The hexagon": {"Side 1: which colour": "2", "Side 1: which object": "7"}, "Hands": {"3 players": "8#"}},
        lambda box: (box.names[box.printed[0]], box.hands[1]),
        ("red car", 8),
    ),
    "buro_crazy": Family(
        "Büro Crazy",
        3,
        {"The kitchen": {"How many points has the kitchen on the stairs": "85#", "How many cards of 1 ": "9#"}},
        lambda box: (box.targets[0], box.kitchen[0]),
        (85, 9),
    ),
    "boese_buben": Family(
        "Böse Buben",
        3,
        {"The cards": {"Card 6: how many": "1"}, "The money": {"How many ducats does a lane pay": "5#"}},
        lambda box: (box.goblins[6], box.lane_prize),
        (1, 5),
    ),
    "de_et_boulanger": Family(
        "Dé et Boulanger",
        4,
        {
            "The board": {"What is on each square": "844444961#"},
            "The recipes": {"A bread: how many measures of fl": "4#"},
        },
        lambda box: (box.board.shops[3] // box.board.columns, box.recipes[0].flour),
        (4, 4),
    ),
}


def sit_down(folder: Path, family: Family) -> Bench:
    """Return a table where all sit and have chosen their game."""
    bench = Bench(folder, by_hand=True)
    for place in range(family.seats):
        bench.press(place, BUZZ)
    bench.press(0, "#")
    bench.take(family.title)
    return bench


def key_box(bench: Bench, family: Family) -> None:
    """Answer what is asked of the own box; everything else is as in the companion's."""
    bench.take("Our own box")
    for section, answers in family.box.items():
        bench.take(section)
        while isinstance(bench.screen, BoxPage):
            title = bench.screen.title
            bench.press(0, *next((keys for words, keys in answers.items() if title.startswith(words)), "#"))
    bench.take("Keep it")
    bench.press(0, BUZZ)


def seen(bench: Bench) -> tuple[Frame, list[str]]:
    """Return what the display shows, and what each own screen does: what is typed, held, refused."""
    session = bench.host.session
    assert session
    seats = map(Seat, range(len(session.match.names)))
    own = [(session.typed(seat), session.private(seat), session.refused.get(seat)) for seat in seats]
    return bench.frame, [" ".join(map(str, lines)) for lines in own]


@pytest.mark.parametrize("game", sorted(all_games()))
def test_a_family_plays_with_its_own_box_from_the_shelf_to_the_result(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    family = FAMILIES[game]
    bench = sit_down(tmp_path, family)
    key_box(bench, family)
    bench.take("Cards and dice")
    bench.take("Start")
    canvas, before, unanswered = Canvas(pygame.Surface(SIZE_PX, 0, 32)), seen(bench), list[str]()

    def pressed(what: str) -> None:
        nonlocal before
        draw(canvas, bench.frame)
        before, last = seen(bench), before
        if before == last:
            unanswered.append(what)

    Evening(bench, pressed).play()
    match = bench.match
    assert (match.tags["Deal"], match.tags[BOX_NAME_TAG]) == ("table", "Our box")
    assert family.ours(match.box) == family.is_so
    assert match.outcome
    assert [entry.kind for entry in match.entries] == ["move"] * match.length, "nothing had to be mended"
    assert unanswered == []
