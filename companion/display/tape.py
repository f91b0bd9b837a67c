"""Draws how far the replay of a match is, beside the first strip, with its photo finishes marked."""

from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import TABLE
from companion.display import theme
from companion.display.canvas import LEFT, Canvas, Target, turned_rect
from companion.display.frame import Tape
from companion.display.theme import Colour, Style

WIDE_CAPS: Final = 6.4
WIDE_MOST: Final = 0.36
"""How wide it is: in heights of a name's capitals, and at most as a share of the strip beside which it is."""

CAP_SHARE: Final = 0.62
LEAST_SHARE: Final = 0.48
"""The height of its capitals, where there is room and at least."""

TRACK: Final[Colour] = theme.mixed(theme.PANEL, theme.FAINT, 0.35)
"""What of the way is still to go."""

BACK_KEY: Final = "4"
PLAY_KEY: Final = "5"
ON_KEY: Final = "6"
PHOTO_KEY: Final = "8"
"""What a touch of the band presses."""


def draw(canvas: Canvas, tape: Tape, strip: Rect, turn: int) -> Rect:
    """Draw it at the right end of the first strip, whose reader looks at it; return what is left of the strip."""
    size = strip.size if turn % 2 == 0 else strip.size[::-1]
    wide = min(round(canvas.cap_px * WIDE_CAPS), round(size[0] * WIDE_MOST))
    gap = canvas.cap_px // 8
    parts = Rect(0, 0, size[0] - wide - gap, size[1]), Rect(size[0] - wide, 0, wide, size[1])
    rest, box = (turned_rect(part, size, turn).move(strip.topleft) for part in parts)
    canvas.turned(box, turn, lambda inner: _box(inner, tape))
    return rest


def _box(canvas: Canvas, tape: Tape) -> None:
    cap_px = canvas.cap_px
    room = canvas.rect.inflate(-cap_px // 3, -cap_px // 6)
    upper = Rect(room.left, room.top, room.width, round(room.height * 0.55))
    lower = Rect(room.left, upper.bottom, room.width, room.bottom - upper.bottom)
    _count(canvas, tape, upper)
    sign = Rect(lower.left, lower.top, lower.height, lower.height)
    track = Rect(sign.right + cap_px // 4, 0, 0, max(6, cap_px // 5))
    track.width, track.centery = lower.right - track.left - cap_px // 8, lower.centery
    _way(canvas, tape, track)
    _sign(canvas, sign.inflate(-sign.height // 3, -sign.height // 3), plays=tape.plays)
    half = track.width // 2
    for left, wide, key in ((track.left, half, BACK_KEY), (track.left + half, half, ON_KEY)):
        canvas.targets.append(Target(Rect(left, lower.top, wide, lower.height), TABLE, key))
    canvas.targets.append(Target(sign, TABLE, PLAY_KEY))


def _count(canvas: Canvas, tape: Tape, room: Rect) -> None:
    """Write the number of the move, and draw which key shows its photo finish, if it has one."""
    right = room.right
    if tape.move in tape.photos:
        key = Rect(0, 0, room.height * 3 // 4, room.height * 3 // 4)
        key.midright = room.midright
        camera = Rect(key.left - room.height, room.top, room.height, room.height)
        canvas.picture("camera", camera, theme.LIT)
        canvas.panel(key, theme.LIT, 5)
        style = Style(ceil(canvas.cap_px * LEAST_SHARE), theme.LINE, bold=True)
        canvas.text(PHOTO_KEY, key, style, on=theme.LIT)
        canvas.targets.append(Target(camera.union(key), TABLE, PHOTO_KEY))
        right = camera.left
    said = f"{tape.move} / {tape.of}"
    words = Rect(room.left, room.top, right - room.left, room.height)
    style = Style(round(canvas.cap_px * CAP_SHARE), theme.TEXT, bold=True)
    canvas.text(said, words, style, align=LEFT)


def _way(canvas: Canvas, tape: Tape, track: Rect) -> None:
    """Draw how far it is, with a notch for each photo finish."""
    radius = track.height // 2
    canvas.panel(track, TRACK, radius)
    at = _at(tape, track, tape.move)
    canvas.panel(Rect(track.left, track.top, max(track.height, at - track.left), track.height), theme.LIT, radius)
    for move in tape.photos:
        x, tall = _at(tape, track, move), track.height // 2
        colour = theme.LIT if move <= tape.move else theme.FAINT
        notch = Rect(0, 0, max(3, track.height // 4), track.height + 2 * tall)
        notch.center = (x, track.centery)
        canvas.panel(notch, colour, notch.width // 2)
    pygame.draw.circle(canvas.surface, theme.LIT, (at, track.centery), track.height * 9 // 10)


def _at(tape: Tape, track: Rect, move: int) -> int:
    """Return where a move is, a little inside the ends."""
    inside = track.inflate(-track.height, 0)
    return inside.left + inside.width * move // max(1, tape.of)


def _sign(canvas: Canvas, rect: Rect, *, plays: bool) -> None:
    """Draw what the play key does: an arrow head where it begins, two bars where it stops."""
    if plays:
        bar = Rect(rect.left, rect.top, rect.width * 3 // 8, rect.height)
        for left in (rect.left, rect.right - bar.width):
            pygame.draw.rect(canvas.surface, theme.LIT, bar.move(left - bar.left, 0), border_radius=2)
    else:
        corners = [rect.topleft, rect.bottomleft, (rect.right, rect.centery)]
        pygame.draw.polygon(canvas.surface, theme.TEXT, corners)
