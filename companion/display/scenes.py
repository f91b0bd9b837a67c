"""Finds what draws a game: its own scene, or the one that suits any."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from pygame import Rect

from companion.core.move import Seat
from companion.display import generic_scene
from companion.display.canvas import Canvas
from companion.display.frame import Look, Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Colour


class Scene(Protocol):
    """One game's scene module: functions of values, onto a canvas.

    Where the game's console has `own`, it has `private(canvas, own)`, which draws that over the whole canvas: the
    screen in somebody's hand, of any size.
    """

    def centre(self, canvas: Canvas, plan: Layout, play: Play) -> None:
        """Draw what everybody watches into `plan.centre`."""

    def strip(self, canvas: Canvas, rect: Rect, play: Play, seat: Seat, ink: Colour) -> Rect:
        """Draw how a seat stands at the right of its strip; return what is left of it."""

    def flights(self, plan: Layout, before: Play, after: Play, look: Look) -> Sequence[Flight]:
        """Return the pieces that move from one picture of the centre to the next, in a look; () for none."""


class BoxScene(Protocol):
    """What draws parts of one game's box, before there is a match."""

    def draw(self, canvas: Canvas, rect: Rect, drawn: Any, spot: tuple[int, int] | None) -> None:
        """Draw what a question is about, as large as it goes; `spot` is the square that is pointed at."""


@cache
def box_scene_of(name: str) -> BoxScene:
    """Return what draws the box of a game, beside its scene, by the name of that."""
    return cast(BoxScene, import_module(f"{name}_box"))


@cache
def scene_of(name: str) -> Scene:
    """Return a game's scene by the name of its module; for "", where a game has none, the one that suits any."""
    return cast(Scene, import_module(name)) if name else generic_scene
