"""Small drawings for several screens: marks, cards, chips, numbers."""

import math
from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import Canvas
from companion.display.frame import Look
from companion.display.theme import Colour, Style

STRONG_MARK: Final = 1.15  # enlarges marks in high contrast

_OTHER_INKS: Final = tuple(theme.INKS)


def known_colour(name: str, place: int) -> str:
    """Return `name` if it is in the palette, else the colour with number `place`."""
    return name if name in theme.INKS else _OTHER_INKS[place % len(_OTHER_INKS)]


def vector(size: tuple[int, int], shapes: str) -> pygame.Surface:
    """Return SVG shapes, in pixels, on a transparent surface. It is slow: cache the result."""
    width, height = size
    source = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{shapes}</svg>'
    return theme.svg(source.encode(), size)


# --- Marks ------------------------------------------------------------------------------------------------


def mark(canvas: Canvas, name: str, centre: tuple[int, int], size_px: int, colour: Colour) -> None:
    """Draw a colour's mark, `size_px` wide and high. A dark rim shows light colours on paper."""
    size_px = round(size_px * STRONG_MARK) if canvas.look.high_contrast else size_px
    drawn = _mark(name, size_px, colour)
    canvas.surface.blit(drawn, drawn.get_rect(center=centre))


@lru_cache(maxsize=128)
def _mark(name: str, size_px: int, colour: Colour) -> pygame.Surface:
    line = max(1.0, size_px / 8)
    half = size_px / 2
    reach = half - line / 2
    style = f'stroke="{theme.hexed(theme.LINE)}" stroke-width="{line}" stroke-linejoin="round"'
    ink = f'fill="{theme.hexed(colour)}" {style}'
    if name in _SHAPES:
        points = " ".join(f"{half + reach * x:.2f},{half + reach * y:.2f}" for x, y in _SHAPES[name])
        return vector((size_px, size_px), f'<polygon points="{points}" {ink}/>')
    if name == "two_dots":
        away = half * 0.44
        dots = [_circle(half + way * away, half + way * away, half * 0.56 - line / 2, ink) for way in (-1, 1)]
        return vector((size_px, size_px), "".join(dots))
    shapes = _circle(half, half, reach, ink)
    if name == "ring":
        shapes += _circle(half, half, half * 0.36, f'fill="{theme.hexed(theme.PAPER)}" {style}')
    if name == "target":
        shapes += _circle(half, half, half * 0.36, f'fill="{theme.hexed(theme.LINE)}"')
    return vector((size_px, size_px), shapes)


def _circle(x: float, y: float, radius: float, style: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius:.2f}" {style}/>'


def _star() -> list[tuple[float, float]]:
    points = []
    for corner in range(10):
        reach = 1.0 if corner % 2 == 0 else 0.45
        angle = math.pi * corner / 5
        points.append((reach * math.sin(angle), -reach * math.cos(angle)))
    return points


_ARM: Final = 0.36
_SHAPES: Final[dict[str, list[tuple[float, float]]]] = {
    "triangle": [(0, -1), (1, 0.85), (-1, 0.85)],
    "square": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
    "plus": [
        (-_ARM, -1), (_ARM, -1), (_ARM, -_ARM), (1, -_ARM), (1, _ARM), (_ARM, _ARM),
        (_ARM, 1), (-_ARM, 1), (-_ARM, _ARM), (-1, _ARM), (-1, -_ARM), (-_ARM, -_ARM),
    ],
    "star": _star(),
}  # fmt: skip


# --- Cards and chips --------------------------------------------------------------------------------------

PRINTED: Final[Colour] = (0xC9, 0xC4, 0xB4)  # the face of a card that is printed on a board

_WOVEN: Final[Colour] = (0x48, 0x55, 0x61)  # the corners of a card's back


def card(canvas: Canvas, rect: Rect, thing: str, colour: str, *, printed: bool = False, turn: int = 0) -> None:
    """Draw a card: a thing in its colour, and the colour's mark in two corners.

    `turn` counts counter-clockwise quarters. A `printed` card is part of a board.
    """
    canvas.stamp(_card(rect.size, thing, colour, printed, turn, strong=canvas.look.high_contrast), rect)


@lru_cache(maxsize=256)
def _card(size: tuple[int, int], thing: str, colour: str, printed: bool, turn: int, *, strong: bool) -> Canvas:
    least, ink = min(size), theme.INKS[colour]
    canvas = Canvas(_face(size, colour, printed, strong), look=Look(high_contrast=strong))
    inside = cut.square_at(canvas.rect.center, round(least * 0.7))
    canvas.picture(thing, inside, ink, on=PRINTED if printed else theme.PAPER, turn=turn)
    mark_px = max(6, round(least * 0.26))
    away = round(least * 0.035) + mark_px // 2
    x, y = size[0] - 1 - away, size[1] - 1 - away
    for corner in ((away, y), (x, away)) if turn % 2 else ((away, away), (x, y)):
        mark(canvas, theme.MARKS[colour], corner, mark_px, ink)
    return canvas


def _face(size: tuple[int, int], colour: str, printed: bool, strong: bool) -> pygame.Surface:
    """Return a card without its thing. Only real cards have a coloured frame."""
    least = min(size)
    paper = theme.WHITE if strong else theme.PAPER
    shapes = _box(size, 0, least / 9, f'fill="{theme.hexed(PRINTED if printed else paper)}"')
    if not printed:
        # On whole pixels the frame is sharp; between two, processors differ.
        line, inset = max(1, round(least / (18 if strong else 32))), max(2, round(least * 0.05))
        style = f'fill="none" stroke="{theme.hexed(theme.INKS[colour])}" stroke-width="{line}"'
        shapes += _box(size, inset + line / 2, least / 14, style)
    return vector(size, shapes)


def blank(canvas: Canvas, rect: Rect) -> None:
    canvas.surface.blit(_blank(rect.size, canvas.tone(theme.PAPER)), rect)


@lru_cache(maxsize=8)
def _blank(size: tuple[int, int], paper: Colour) -> pygame.Surface:
    return vector(size, _box(size, 0, min(size) / 9, f'fill="{theme.hexed(paper)}"'))


def _box(size: tuple[int, int], inset: float, radius: float, style: str) -> str:
    wide, high = size[0] - 2 * inset, size[1] - 2 * inset
    return f'<rect x="{inset}" y="{inset}" width="{wide}" height="{high}" rx="{radius}" {style}/>'


def back(canvas: Canvas, rect: Rect) -> None:
    canvas.surface.blit(_back(rect.size, canvas.look.high_contrast), rect)


@lru_cache(maxsize=32)
def _back(size: tuple[int, int], strong: bool) -> pygame.Surface:
    least = min(size)
    line = max(1.0, least / 24)
    edge, inner = theme.hexed(theme.toned(theme.FAINT, strong=strong)), least * 0.16
    panel = theme.hexed(theme.toned(theme.PANEL, strong=strong))
    face = f'fill="{panel}" stroke="{edge}" stroke-width="{line}"'
    thin = f'fill="{theme.hexed(_WOVEN)}" stroke="{edge}" stroke-width="{line * 0.75}"'
    (x, y), (wide, high) = (size[0] / 2, size[1] / 2), (size[0] / 2 - inner, size[1] / 2 - inner)
    points = f"{x},{y - high} {x + wide},{y} {x},{y + high} {x - wide},{y}"
    lozenge = f'<polygon points="{points}" fill="{panel}"/>'
    return vector(size, _box(size, line / 2, least / 9, face) + _box(size, inner, least / 20, thin) + lozenge)


def chips(canvas: Canvas, rect: Rect, count: int, most: int) -> None:
    """Draw the `count` chips of a seat, and rings for those it can still get."""
    size_px = min(rect.height, rect.width // most)
    for number in range(most):
        place = Rect(rect.left + number * size_px, rect.centery - size_px // 2, size_px, size_px)
        if number < count:
            canvas.picture("chip", place, theme.CHIP)
        else:
            canvas.surface.blit(_ring(size_px, canvas.tone(theme.FAINT)), place)


@lru_cache(maxsize=16)
def _ring(size_px: int, colour: Colour) -> pygame.Surface:
    line = max(1.0, size_px / 14)
    style = f'fill="none" stroke="{theme.hexed(colour)}" stroke-width="{line}"'
    return vector((size_px, size_px), _circle(size_px / 2, size_px / 2, size_px * 0.36, style))


# --- Numbers ----------------------------------------------------------------------------------------------


def number(canvas: Canvas, rect: Rect, value: int, style: Style, *, on: Colour | None = None) -> None:
    """Write a number that is read from all sides. If it is another one upside down, underline it."""
    digits = str(value)
    drawn = canvas.text(digits, rect, style, on=on)
    turned = digits[::-1].translate(str.maketrans("69", "96"))
    if set(digits) <= set("0689") and turned not in {digits, "0"} and not turned.startswith("0"):
        thick = max(2, style.cap_px // 10)
        below = rect.centery + round(style.cap_px * 0.62)
        canvas.line((drawn.left, below), (drawn.right, below), style.colour, thick)


def plate(
    canvas: Canvas,
    rect: Rect,
    value: int,
    style: Style,
    *,
    on: Colour,
    radius_px: int,
    outline: Colour | None = None,
) -> None:
    canvas.panel(rect, on, radius_px, outline)
    number(canvas, rect, value, style, on=on)
