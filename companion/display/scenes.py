"""Finds and calls the scene of a game."""

import logging
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from pygame import Rect

from companion.core.move import Seat
from companion.display import generic_scene, theme
from companion.display.canvas import Canvas
from companion.display.frame import Look, Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Colour

log = logging.getLogger(__name__)


class Scene(Protocol):
    """A game's scene: a module of functions that draw values.

    If the game's console has `own`, the scene has `private(canvas, own)`, which draws it over a canvas of any size.
    A scene with clocks has `running(canvas, plan, play, left)`, which draws over a finished picture what changes
    while a time limit runs; `left` is the share that is left.
    """

    def centre(self, canvas: Canvas, plan: Layout, play: Play) -> None:
        """Draw what everybody watches into `plan.centre`."""

    def strip(self, canvas: Canvas, rect: Rect, play: Play, seat: Seat, ink: Colour) -> Rect:
        """Draw a seat's standing at the right of its strip and return the remaining room."""

    def flights(self, plan: Layout, before: Play, after: Play, look: Look) -> Sequence[Flight]:
        """Return the pieces that move between two pictures of the centre."""


class BoxScene(Protocol):
    """Draws parts of one game's box."""

    def draw(self, canvas: Canvas, rect: Rect, drawn: Any, spot: tuple[int, int] | None) -> None:
        """Draw what a question is about, and point at the square `spot`."""


@cache
def box_scene_of(name: str) -> BoxScene:
    """Return the box's module beside the scene `name`."""
    return cast(BoxScene, import_module(f"{name}_box"))


@cache
def scene_of(name: str) -> Scene:
    """Return the scene module `name`, or the generic one if empty."""
    return cast(Scene, import_module(name)) if name else generic_scene


def draw_centre(canvas: Canvas, plan: Layout, play: Play) -> None:
    """Draw a match. If its scene fails, log the error and draw a wrench: the match continues."""
    try:
        scene_of(play.scene).centre(canvas, plan, play)
    except Exception:
        log.exception("the scene %s", play.scene)
        canvas.panel(plan.centre, theme.PANEL)
        canvas.picture("wrench", plan.centre, theme.LIT, on=theme.PANEL)


def has_figures(play: Play) -> bool:
    """Return True if the scene draws how a time limit runs."""
    return hasattr(scene_of(play.scene), "running")


def draw_running(canvas: Canvas, plan: Layout, play: Play, left: float) -> None:
    """Draw what changes while a time limit runs, if the scene can."""
    try:
        scene: Any = scene_of(play.scene)
        scene.running(canvas, plan, play, left)
    except Exception:
        log.exception("the clocks of the scene %s", play.scene)


def draw_strip(canvas: Canvas, rect: Rect, play: Play, seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's standing and return the remaining room: all of it if the scene fails."""
    try:
        return scene_of(play.scene).strip(canvas, rect, play, seat, ink)
    except Exception:
        log.exception("how seat %d stands, by the scene %s", seat + 1, play.scene)
        return rect
