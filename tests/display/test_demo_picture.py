"""docs/make_demo.py: what it asks of the display is still there, though nobody makes the animation each day."""

import runpy
from itertools import pairwise
from pathlib import Path

import show_bb
import shows

from companion.display import screens
from companion.display.geometry import ScreenGeometry

SCRIPT = Path(__file__).parents[2] / "docs" / "make_demo.py"


def test_pieces_move_in_the_animation_as_in_the_window(tmp_path: Path) -> None:
    flights_of = runpy.run_path(str(SCRIPT))["_flights"]
    frames = list(show_bb.frames(tmp_path, 2).values())
    plan = screens.plan_of(shows.WIDE, frames[0], ScreenGeometry())
    assert any(flights_of(plan, before, after) for before, after in pairwise(frames))
