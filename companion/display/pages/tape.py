"""Draws the progress of a replay beside the first strip."""

from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.core.place import HOUSE
from companion.display import cut, theme
from companion.display.canvas import LEFT, Canvas, Target, turned_rect
from companion.display.frame import Tape
from companion.display.theme import Colour, Style

WIDE_CAPS: Final = 6.4
NARROW_CAPS: Final = 2.75
"""The width of the band in heights of a name's capitals."""

SHORT_CAPS: Final = 13  # a shorter strip gets the narrow band

CAP_SHARE: Final = 0.62
LEAST_SHARE: Final = 0.48
"""The usual and the smallest capitals, relative to a name's."""

TRACK: Final[Colour] = theme.mixed(theme.PANEL, theme.FAINT, 0.35)  # the way still to go

BACK_KEY: Final = "4"
PLAY_KEY: Final = "5"
ON_KEY: Final = "6"
PHOTO_KEY: Final = "8"
"""The keys that touches of the band press."""


def draw(canvas: Canvas, tape: Tape, strip: Rect, turn: int) -> Rect:
    """Draw the band at the right end of the first strip and return the rest of the strip."""
    size = strip.size if turn % 2 == 0 else strip.size[::-1]
    short = size[0] < SHORT_CAPS * canvas.cap_px
    wide = round(canvas.cap_px * (NARROW_CAPS if short else WIDE_CAPS))
    gap = canvas.cap_px // 8
    parts = cut.right(Rect((0, 0), size), wide, gap)
    box, rest = (turned_rect(part, size, turn).move(strip.topleft) for part in parts)
    canvas.turned(box, turn, lambda inner: (_narrow if short else _wide)(inner, tape))
    return rest


def _wide(canvas: Canvas, tape: Tape) -> None:
    cap_px = canvas.cap_px
    room = canvas.rect.inflate(-cap_px // 3, -cap_px // 6)
    upper, lower = cut.top(room, round(room.height * 0.55))
    photo, count = cut.right(upper, upper.height * 7 // 4)
    _photo(canvas, tape, photo)
    _count(canvas, tape, count)
    sign, way = cut.left(lower, lower.height, cap_px // 4)
    _sign(canvas, tape, sign)
    _way(canvas, tape, cut.right(way, cap_px // 8)[1])


def _narrow(canvas: Canvas, tape: Tape) -> None:
    room = canvas.rect.inflate(-canvas.cap_px // 4, 0)
    high = room.height * 2 // 5
    upper, below = cut.top(room, high)
    middle, lower = cut.top(below, high)
    _count(canvas, tape, upper)
    _sign(canvas, tape, cut.left(middle, high)[0])
    _photo(canvas, tape, cut.right(middle, high * 7 // 4)[0])
    _way(canvas, tape, lower)


def _count(canvas: Canvas, tape: Tape, room: Rect) -> None:
    cap_px = min(round(canvas.cap_px * CAP_SHARE), round(room.height * 0.68))
    style = Style(cap_px, theme.TEXT, bold=True)
    canvas.text(f"{tape.move} / {tape.of}", room, style, align=LEFT)


def _photo(canvas: Canvas, tape: Tape, room: Rect) -> None:
    if tape.move not in tape.photos:
        return
    style = Style(ceil(canvas.cap_px * LEAST_SHARE), theme.LINE, bold=True)
    side = min(room.height, max(room.height * 3 // 4, round(style.cap_px * 1.5)))
    key = cut.sized(side, side, midright=room.midright)
    camera = min(room.height, room.width - side)
    canvas.picture("camera", cut.sized(camera, camera, midleft=room.midleft), theme.LIT)
    canvas.panel(key, theme.LIT, 5)
    canvas.text(PHOTO_KEY, key, style, on=theme.LIT)
    canvas.targets.append(Target(room, HOUSE, PHOTO_KEY))


def _way(canvas: Canvas, tape: Tape, room: Rect) -> None:
    """Draw the progress, with a notch for each photo finish."""
    for half, key in zip(cut.equal(room, 2), (BACK_KEY, ON_KEY), strict=True):
        canvas.targets.append(Target(half, HOUSE, key))
    track = Rect(room.left, 0, room.width, max(6, canvas.cap_px // 5))
    track.centery = room.centery
    radius = track.height // 2
    canvas.panel(track, TRACK, radius)
    at = _at(tape, track, tape.move)
    canvas.panel(Rect(track.left, track.top, max(track.height, at - track.left), track.height), theme.LIT, radius)
    for move in tape.photos:
        x, tall = _at(tape, track, move), track.height // 2
        colour = theme.LIT if move <= tape.move else theme.FAINT
        notch = cut.sized(max(3, track.height // 4), track.height + 2 * tall, center=(x, track.centery))
        canvas.panel(notch, colour, notch.width // 2)
    canvas.disc((at, track.centery), track.height * 9 // 10, theme.LIT)


def _at(tape: Tape, track: Rect, move: int) -> int:
    inside = track.inflate(-track.height, 0)
    return inside.left + inside.width * move // max(1, tape.of)


def _sign(canvas: Canvas, tape: Tape, room: Rect) -> None:
    canvas.targets.append(Target(room, HOUSE, PLAY_KEY))
    rect = room.inflate(-room.height // 3, -room.height // 3)
    if tape.plays:
        for cut_off in (cut.left, cut.right):
            canvas.box(cut_off(rect, rect.width * 3 // 8)[0], theme.LIT, 2)
    else:
        corners = [rect.topleft, rect.bottomleft, (rect.right, rect.centery)]
        pygame.draw.polygon(canvas.surface, canvas.tone(theme.TEXT), corners)
