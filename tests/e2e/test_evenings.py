"""A family creates a custom box at the table and plays a whole match of each game with real pieces.

They only use controls, no files or commands, and every press has a visible effect.
"""

from itertools import count
from pathlib import Path
from typing import Final

import pygame
import pytest

from companion.core.tags import BOX_NAME_TAG
from companion.display.canvas import Canvas
from companion.display.screens import draw
from tests.evenings import FAMILIES, Evening, begin, seen
from tests.host_bench import Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")

SIZE_PX: Final = (800, 480)
DRAWN: Final = 3
"""Every third frame is drawn; scenes have separate tests."""


@pytest.mark.parametrize("game", sorted(FAMILIES))
def test_family_plays_a_match_with_its_custom_box(
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
