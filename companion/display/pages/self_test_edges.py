"""Draws the self-test at the edges: each place in its strip, and marks along the rim."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect

from companion.core.console import KEYPAD
from companion.display import cut, theme, widgets
from companion.display.canvas import LEFT, LINE_SHARE, Canvas
from companion.display.frame import Side
from companion.display.layout import LARGE, least_cap_px
from companion.display.self_test_rows import PlaceTest, Tried
from companion.display.theme import Colour, Style

RIM_SHARE: Final = 0.22  # width of the marks along the rim / a name's capitals

OFF: Final[Colour] = (0x48, 0x55, 0x61)  # an unlit lamp, or a key that was not pressed

DIM: Final[Colour] = (0x2C, 0x35, 0x3E)  # a missing device

SIGN: Final[dict[Tried, Colour]] = {
    Tried.WORKS: theme.GOOD,
    Tried.WEAK: theme.INKS["orange"],
    Tried.WRONG: theme.CHIP,
    Tried.WAITING: theme.FAINT,
    Tried.ABSENT: OFF,
}


def ground(side: Side, place: PlaceTest) -> Colour:
    """Return a strip's background, dark without a device."""
    if side.tone:
        return theme.CHIP
    if side.lit:
        return theme.LIT
    nothing = {place.buzzer, place.keypad} == {Tried.ABSENT} and not place.lamp
    return theme.BACKGROUND if nothing else theme.PANEL


def strip_room(strip: Rect, display: Rect, cap_px: int) -> Rect:
    seam_px, rim = cap_px // 16, rim_px(cap_px) + 2
    return strip.inflate(-2 * seam_px, -2 * seam_px).clip(display.inflate(-2 * rim, -2 * rim))


def rim_px(cap_px: int) -> int:
    return max(6, round(cap_px * RIM_SHARE))


# --- The strips -------------------------------------------------------------------------------------------


def strip(canvas: Canvas, side: Side, place: PlaceTest, cap_px: int) -> None:
    """Draw a place over the whole canvas: buzzer and lamp, keypad, measurements."""
    bright = side.lit or side.tone
    if canvas.look.high_contrast and not bright:
        canvas.edge()
    gap = round(cap_px * 0.12)
    inside = canvas.rect.inflate(-2 * gap, -2 * gap)
    dome, rest = cut.left(inside, inside.height, gap)
    _buzzer(canvas, dome, side, place)
    if place.keypad != Tried.ABSENT:
        pad, rest = cut.left(rest, inside.height, gap * 3 // 2)
        draw_keypad(canvas, pad, place)
    words = Rect(rest.left, 1, rest.width, canvas.rect.height - 2)
    nothing = {place.buzzer, place.keypad} == {Tried.ABSENT}
    ink = theme.LINE if bright else theme.FAINT if nothing else theme.TEXT
    _lines(canvas, place.lines, words, cap_px, ink)


def _lines(canvas: Canvas, lines: Sequence[str], room: Rect, cap_px: int, ink: Colour) -> None:
    if not any(lines):
        return
    highest = room.height / len(lines) / LINE_SHARE
    size = min(round(cap_px * 0.56), round(highest))
    if canvas.look.large_text:
        size = max(size, min(round(cap_px * 0.56 * LARGE), int(highest * 0.88)))
    widest = max(theme.text_width(line, Style(size)) for line in lines)
    size = max(least_cap_px(cap_px), min(size, size * room.width // max(1, widest)))
    high = min(round(size * LINE_SHARE), room.height // len(lines))
    for line, row in zip(lines, cut.stack(room, len(lines), high), strict=True):
        canvas.text(line, row, Style(size, ink), align=LEFT)


def _buzzer(canvas: Canvas, rect: Rect, side: Side, place: PlaceTest) -> None:
    there = place.buzzer != Tried.ABSENT
    dome = theme.CHIP if there else DIM
    if side.tone:
        dome = theme.PAPER
    ring = theme.PAPER if place.held else OFF if place.lamp else None
    size_px = min(rect.size)
    edge = theme.EDGE if canvas.look.high_contrast else None
    canvas.surface.blit(_dome(size_px, canvas.tone(dome), canvas.tone(ring) if ring else None, edge), rect)
    number = cut.square_at(rect.center, size_px // 2)
    ink = theme.LINE if there or side.tone else theme.FAINT
    canvas.text(side.name, number, Style(round(size_px * 0.32), ink, bold=True), on=dome)
    sign_px = size_px * 2 // 5
    draw_sign(canvas, cut.sized(sign_px, sign_px, bottomright=rect.bottomright), place.buzzer)


@lru_cache(maxsize=32)
def _dome(size_px: int, dome: Colour, ring: Colour | None, edge: Colour | None) -> pygame.Surface:
    """Return a buzzer in the ring of its lamp. `edge` outlines an unlit lamp or a missing buzzer."""
    half = size_px / 2
    line = theme.hexed(theme.LINE)
    shapes = f'<circle cx="{half}" cy="{half}" r="{half * 0.97}" fill="{line}"/>'
    if ring:
        shapes += f'<circle cx="{half}" cy="{half}" r="{half * 0.92}" fill="{theme.hexed(ring)}"/>'
    shapes += f'<circle cx="{half}" cy="{half}" r="{half * 0.72}" fill="{line}"/>'
    shapes += f'<circle cx="{half}" cy="{half}" r="{half * 0.66}" fill="{theme.hexed(dome)}"/>'
    if edge:
        thin = f'fill="none" stroke="{theme.hexed(edge)}" stroke-width="{max(1.5, half / 16)}"'
        shapes += f'<circle cx="{half}" cy="{half}" r="{half * (0.9 if ring else 0.66)}" {thin}/>'
    return widgets.vector((size_px, size_px), shapes)


def draw_keypad(canvas: Canvas, rect: Rect, place: PlaceTest) -> None:
    """Draw a keypad and the keys that were pressed, the newest brightest."""
    step = rect.width / 4
    newest = place.keys[-1:]
    for row, keys in enumerate(KEYPAD):
        for column, key in enumerate(keys):
            centre = round(rect.left + (column + 0.5) * step), round(rect.top + (row + 0.5) * step)
            cap = cut.square_at(centre, round(step * 0.82))
            colour = theme.PAPER if key in newest else theme.GOOD if key in place.keys else OFF
            canvas.box(cap.inflate(2, 2), theme.LINE, 4)
            canvas.box(cap, colour, 3)
            if colour == OFF and canvas.look.high_contrast:
                pygame.draw.rect(canvas.surface, theme.EDGE, cap, max(1, cap.width // 8), border_radius=3)
    if place.keypad == Tried.WORKS:
        size_px = rect.width * 2 // 5
        draw_sign(canvas, cut.sized(size_px, size_px, bottomright=rect.bottomright), place.keypad)


def draw_sign(canvas: Canvas, rect: Rect, tried: Tried) -> None:
    """Draw a tick, a bang or a cross; nothing without a result."""
    if rect.width and tried in {Tried.WORKS, Tried.WEAK, Tried.WRONG}:
        canvas.surface.blit(_sign_drawn(min(rect.size), tried, canvas.tone(SIGN[tried])), rect)


@lru_cache(maxsize=32)
def _sign_drawn(size_px: int, tried: Tried, ink: Colour) -> pygame.Surface:
    half, line = size_px / 2, theme.hexed(theme.LINE)
    path = {
        Tried.WORKS: "M.27 .53L.44 .69L.74 .34",
        Tried.WEAK: "M.5 .25V.56M.5 .74V.75",
        Tried.WRONG: "M.32 .32L.68 .68M.68 .32L.32 .68",
    }[tried]
    disc = f'<circle cx="{half}" cy="{half}" r="{half * 0.94}" fill="{line}"/>'
    disc += f'<circle cx="{half}" cy="{half}" r="{half * 0.84}" fill="{theme.hexed(ink)}"/>'
    stroke = f'fill="none" stroke="{line}" stroke-width=".13" stroke-linecap="round" stroke-linejoin="round"'
    return widgets.vector(
        (size_px, size_px), f'{disc}<g transform="scale({size_px})"><path d="{path}" {stroke}/></g>'
    )


# --- The rim ----------------------------------------------------------------------------------------------


def rim(canvas: Canvas, cap_px: int) -> None:
    """Draw marks up to the last pixel of each edge, so that a bezel over them is noticed."""
    wide, size = rim_px(cap_px), canvas.rect.size
    for along, far in ((0, size[1] - wide), (1, size[0] - wide)):
        _teeth(canvas, along, 0, wide)
        _teeth(canvas, along, far, wide)
    canvas.box(canvas.rect, theme.PAPER, 0, 1)
    long = wide * 4
    for x in (0, size[0] - long):
        for y in (0, size[1] - wide):
            canvas.surface.fill(canvas.tone(theme.LIT), (x, y, long, wide))
    for x in (0, size[0] - wide):
        for y in (0, size[1] - long):
            canvas.surface.fill(canvas.tone(theme.LIT), (x, y, wide, long))


def _teeth(canvas: Canvas, along: int, at: int, wide: int) -> None:
    """Draw light and dark blocks along an edge: across (0) or down (1)."""
    length = canvas.rect.size[along]
    blocks = 2 * (length // (6 * wide)) + 1
    for number, block in enumerate(cut.columns(Rect(0, at, length, wide), blocks)):
        rect = Rect(at, block.left, wide, block.width) if along else block
        canvas.surface.fill(canvas.tone(theme.PAPER if number % 2 == 0 else theme.PANEL), rect)
