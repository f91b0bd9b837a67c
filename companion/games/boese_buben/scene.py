"""Böse Buben's scene: the lanes, the status and the strips.

scene_field has the layout and the ground, scene_cards, scene_lanes and scene_status draw, scene_flights animates.
"""

from collections.abc import Sequence
from typing import Final

from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Look, Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Colour, Style
from companion.games.boese_buben import scene_private
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.scene_cards import back, cross_out, key
from companion.games.boese_buben.scene_field import arranged
from companion.games.boese_buben.scene_flights import flights_between
from companion.games.boese_buben.scene_lanes import lanes
from companion.games.boese_buben.scene_status import status

STRIP_UNIT: Final = 1 / 8
"""Maximum height of a strip's icons, as a share of its length."""

NAME_UNITS, LARGE_SIGN = 5.2, 0.8
"""Length of a name and size of a large icon, in strip units."""

_NAMING: Final = {Phase.SETUP, Phase.MC}


def centre(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    def paint(inner: Canvas, room: Rect) -> None:
        aside, field = arranged(room, play.view, plan.cap_px)
        lanes(inner, field, play.view)
        status(inner, aside, play.view)

    if plan.turn:
        canvas.turned(plan.centre, plan.turn, lambda inner: paint(inner, inner.rect))
    else:
        paint(canvas, plan.centre)


def flights(plan: Layout, before: Play[View], after: Play[View], look: Look) -> Sequence[Flight]:
    return flights_between(plan, before.view, after.view, look)


private: Final = scene_private.draw


def strip(canvas: Canvas, rect: Rect, play: Play[View], seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's colour, rights, MC hats and number; return the rest of its strip.

    The number counts cards, after the end ducats. While keys name seats, it is the seat's key.
    """
    view = play.view
    unit = min(rect.height, round(rect.width * STRIP_UNIT))
    over = view.phase == Phase.OVER
    shown = view.purses[seat] if over else view.counts[seat]
    wide = unit if view.phase in _NAMING else round(unit * (0.12 + 0.62 * len(str(shown))))
    number, rest = cut.right(rect, wide, unit // 12)
    if view.phase in _NAMING:
        key(canvas, cut.square_at(number.center, unit), seat + 1)
    else:
        widgets.number(canvas, number, shown, Style(round(unit * 0.8), ink, bold=True))
    tile = cut.sized(round(unit * 0.66), round(unit * 0.9), midright=rest.midright)
    if over:
        coin, tile = cut.bottom(tile, tile.height // 2, 2)
        canvas.picture("ducat", coin, theme.LIT)
        if seat in view.unpaid:
            cross_out(canvas, coin)
    back(canvas, tile, seat)
    signs = ["present"] * (view.free == seat) + ["hat"] * view.mc[seat]
    free = _signs(canvas, cut.before(rect, tile, unit // 10), signs, unit)
    return cut.right(free, unit // 10)[1]


def _signs(canvas: Canvas, room: Rect, signs: Sequence[str], unit: int) -> Rect:
    large = room.width > unit * (NAME_UNITS + len(signs) * LARGE_SIGN)
    rows, size = (1, round(unit * LARGE_SIGN)) if large else (2, unit // 2)
    for column in range(0, len(signs), rows):
        together = signs[column : column + rows]
        place, room = cut.right(room, size)
        for sign, spot in zip(together, cut.stack(place, len(together), size), strict=True):
            canvas.picture(sign, spot.inflate(-2, -2), theme.PAPER)
    return room
