"""An evening of each game: a family keys its own box at the table, and plays a whole match with its real pieces.

Hands alone do it: no file is edited, no command typed. Each press is answered by something that can be seen.
"""

from itertools import count
from pathlib import Path
from typing import Final

import pygame
import pytest

from companion.core.tags import BOX_NAME_TAG
from companion.display.canvas import Canvas
from companion.display.screens import draw
from companion.games import all_games
from tests.evenings import FAMILIES, Evening, begin, seen
from tests.host_bench import Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")

SIZE_PX: Final = (800, 480)
DRAWN: Final = 3
"""One in so many frames is drawn: scenes have tests of their own."""


@pytest.mark.parametrize("game", sorted(all_games()))
def test_a_family_plays_with_its_own_box_from_the_shelf_to_the_result(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    family = FAMILIES[game]
    bench = Bench(tmp_path, by_hand=True)
    begin(bench, family)
    canvas, before, unanswered = Canvas(pygame.Surface(SIZE_PX, 0, 32)), seen(bench), list[str]()
    numbers = count()

    def pressed(what: str) -> None:
        nonlocal before
        if next(numbers) % DRAWN == 0:
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
