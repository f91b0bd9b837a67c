"""Dé et Boulanger's scene: the board or a stage, and a shop front for each seat."""

from collections.abc import Sequence
from functools import partial

from pygame import Rect

from companion.core.move import Seat, by_seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Look, Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Colour, Style
from companion.games.de_et_boulanger import (
    scene_board,
    scene_flights,
    scene_panel,
    scene_plan,
    scene_signs,
    scene_stage,
)
from companion.games.de_et_boulanger.prompts import Own
from companion.games.de_et_boulanger.rules import View


def centre(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    view = play.view
    parts = scene_plan.plan_of(plan, len(view.cash))

    def paint(inner: Canvas) -> None:
        for seat, (rect, turn) in by_seat(zip(parts.panels, parts.turns, strict=True)):
            inner.turned(rect, turn, partial(scene_panel.panel, view=view, seat=seat))
        middle = scene_board.board if scene_plan.shows_board(view) else scene_stage.stage
        middle(inner, parts.board, view)

    canvas.turned(plan.centre, plan.turn, paint)


def strip(canvas: Canvas, rect: Rect, play: Play[View], seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's mark and cash box; return the rest of its strip."""
    view = play.view
    sous = str(view.cash[seat])
    size = min(rect.height, rect.width // (6 + len(sous)))  # the name needs room
    style = Style(round(size * 0.8), ink, bold=True)
    wide = theme.text_width(sous, style) + 2
    count, rest = cut.right(rect, wide, size // 12)
    coin = cut.sized(round(size * 0.8), round(size * 0.8), midright=rest.midright)
    free = cut.before(rect, coin, size // 8)
    disc = cut.sized(round(size * 0.86), round(size * 0.86), midright=free.midright)
    widgets.number(canvas, count, view.cash[seat], style)
    scene_signs.token(canvas, coin, "sous")
    scene_signs.mark(canvas, disc, seat)
    return cut.before(rect, disc, size // 8)


def private(canvas: Canvas, own: Own) -> None:
    rect = canvas.rect
    for (kind, number), cell in zip(own, cut.equal(rect, len(own), upright=rect.height > rect.width), strict=True):
        cap_px = round(min(cell.height * 0.4, cell.width * 0.3))
        scene_signs.counted(canvas, cell, {kind: number}, Style(cap_px, bold=True))


def flights(plan: Layout, before: Play[View], after: Play[View], look: Look) -> Sequence[Flight]:
    return scene_flights.flights(plan, before.view, after.view, look)
