"""Everything that docs/make_demo.py and make_pictures.py use still exists."""

import re
import runpy
from itertools import pairwise
from pathlib import Path

from companion.core.console import Lamp
from companion.display import screens
from companion.display.frame import Result
from companion.display.geometry import ScreenGeometry
from tests.display import show_bb, shows

DOCS = Path(__file__).parents[2] / "docs"


def test_demo_animation_moves_pieces_like_the_window(tmp_path: Path) -> None:
    flights_of = runpy.run_path(str(DOCS / "make_demo.py"))["_flights"]
    frames = list(show_bb.frames(tmp_path, 2).values())
    plan = screens.plan_of(shows.WIDE, frames[0], ScreenGeometry())
    assert any(flights_of(plan, before, after) for before, after in pairwise(frames))


def test_every_picture_of_play_md_can_be_made(tmp_path: Path) -> None:
    frames = dict(runpy.run_path(str(DOCS / "make_pictures.py"))["all_frames"](tmp_path))
    assert set(re.findall(r"pictures/(\w+)\.png", (DOCS / "play.md").read_text("utf-8"))) <= frames.keys()
    assert isinstance(frames["result"].screen, Result)
    assert [panel.place for panel in frames["locked"].panels if panel.lamp == Lamp.ON] == [2]
    assert "says: row" in str(frames["undo"].screen)
