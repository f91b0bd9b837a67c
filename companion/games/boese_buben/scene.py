"""Böse Buben's scene: the race ground with its lanes, beside it the race and who is asked; the strips.

A card shows its owner's colour and mark, its value, its goblins as ducats, and a drawing for its action text. What
is where says scene_field; scene_cards, scene_lanes and scene_status draw, scene_flights lets the pieces move.
"""

from collections.abc import Sequence
from typing import Final

from pygame import Rect

from companion.core.move import Seat
from companion.display import theme, widgets
from companion.display.canvas import Canvas, square_at
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
"""How high what a strip tells is at most, as a share of its length: the name needs its place too."""

NAME_UNITS, LARGE_SIGN = 5.2, 0.8
"""How long a name needs a strip to be, and how large a sign is that need not be small, in units of the strip."""

_NAMING: Final = {Phase.SETUP, Phase.MC}
"""While keys name seats."""


def centre(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    """Draw what everybody watches, upright for the reader at the bottom edge."""

    def paint(inner: Canvas, room: Rect) -> None:
        aside, field = arranged(room, play.view, plan.cap_px)
        lanes(inner, field, play.view)
        status(inner, aside, play.view)

    if plan.turn:
        canvas.turned(plan.centre, plan.turn, lambda inner: paint(inner, inner.rect))
    else:
        paint(canvas, plan.centre)


def flights(plan: Layout, before: Play[View], after: Play[View], look: Look) -> Sequence[Flight]:
    """Return the pieces that move from one picture to the next."""
    return flights_between(plan, before.view, after.view, look)


private: Final = scene_private.draw


def strip(canvas: Canvas, rect: Rect, play: Play[View], seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's colour, its rights and masters of ceremonies, and one number; return what is left of its strip.

    The number is that of its cards; the key that names the seat while keys name seats; its ducats at the end.
    """
    view = play.view
    unit = min(rect.height, round(rect.width * STRIP_UNIT))
    over = view.phase == Phase.OVER
    shown = view.purses[seat] if over else view.counts[seat]
    wide = unit if view.phase in _NAMING else round(unit * (0.12 + 0.62 * len(str(shown))))
    number = Rect(rect.right - wide, rect.top, wide, rect.height)
    if view.phase in _NAMING:
        key(canvas, square_at(number.center, unit), seat + 1)
    else:
        widgets.number(canvas, number, shown, Style(round(unit * 0.8), ink, bold=True))
    tile = Rect(0, 0, round(unit * 0.66), round(unit * 0.9))
    tile.midright = (number.left - unit // 12, rect.centery)
    if over:
        half = tile.height // 2
        coin = Rect(tile.left, tile.bottom - half, tile.width, half)
        canvas.picture("ducat", coin, theme.LIT)
        if seat in view.unpaid:
            cross_out(canvas, coin)
        tile.height -= half + 2
    back(canvas, tile, seat)
    left = tile.left
    signs = ["present"] * (view.free == seat) + ["hat"] * view.mc[seat]
    left = _signs(canvas, Rect(rect.left, rect.top, left - rect.left - unit // 10, rect.height), signs, unit)
    return Rect(rect.left, rect.top, left - unit // 10 - rect.left, rect.height)


def _signs(canvas: Canvas, room: Rect, signs: Sequence[str], unit: int) -> int:
    """Draw signs at the right of a room, large or else in pairs; return where they begin."""
    large = room.width > unit * (NAME_UNITS + len(signs) * LARGE_SIGN)
    rows, size = (1, round(unit * LARGE_SIGN)) if large else (2, unit // 2)
    right = room.right
    for column in range(0, len(signs), rows):
        together = signs[column : column + rows]
        right -= size
        for row, sign in enumerate(together):
            spot = Rect(right, room.centery - size * len(together) // 2 + row * size, size, size)
            canvas.picture(sign, spot.inflate(-2, -2), theme.PAPER)
    return right
