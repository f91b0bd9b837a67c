"""Small drawings that several screens share: marks, card faces, chips, badges."""

import math
from typing import Final

import pygame
from pygame import Rect

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style

_OTHER_INKS: Final = tuple(theme.INKS)


def known_colour(name: str, place: int) -> str:
    """Return a colour of the palette: that of the name, else by its place in the box's legend."""
    return name if name in theme.INKS else _OTHER_INKS[place % len(_OTHER_INKS)]


def mark(canvas: Canvas, name: str, centre: tuple[int, int], size_px: int, colour: Colour) -> None:
    """Draw a colour's mark, `size_px` wide and high, dark-rimmed so that light colours show on paper."""
    surface, half = canvas.surface, size_px / 2
    x, y = centre
    line = max(1, size_px // 8)
    if name in {"disc", "ring", "target"}:
        pygame.draw.circle(surface, theme.LINE, centre, half)
        pygame.draw.circle(surface, colour, centre, half - line)
        if name == "ring":
            pygame.draw.circle(surface, theme.LINE, centre, half * 0.62)
            pygame.draw.circle(surface, theme.PAPER, centre, half * 0.62 - line)
        if name == "target":
            pygame.draw.circle(surface, theme.LINE, centre, half * 0.45)
        return
    if name == "two_dots":
        for side in (-1, 1):
            dot = (x + side * half * 0.55, y)
            pygame.draw.circle(surface, theme.LINE, dot, half * 0.48)
            pygame.draw.circle(surface, colour, dot, half * 0.48 - line)
        return
    points = [(x + half * px, y + half * py) for px, py in _SHAPES[name]]
    pygame.draw.polygon(surface, colour, points)
    pygame.draw.polygon(surface, theme.LINE, points, line)


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


def card(canvas: Canvas, rect: Rect, thing: str, colour: str, *, printed: bool = False, turn: int = 0) -> None:
    """Draw a card: the object in its colour, the colour's mark in two corners.

    A `printed` one belongs to the hexagon's side and has a dark face.
    """
    face = (0xC9, 0xC4, 0xB4) if printed else theme.PAPER
    ink = theme.INKS[colour]
    radius_px = max(3, rect.width // 10)
    canvas.panel(rect, face, radius_px)
    mark_px = max(6, round(rect.width * 0.22))
    inside = rect.inflate(-round(rect.width * 0.34), -round(rect.height * 0.34))
    canvas.picture(thing, inside, ink, on=face, turn=turn)
    away = round(mark_px * 0.6)
    for corner in ((rect.left + away, rect.top + away), (rect.right - away - 1, rect.bottom - away - 1)):
        mark(canvas, theme.MARKS[colour], corner, mark_px, ink)


def back(canvas: Canvas, rect: Rect) -> None:
    """Draw the back of a card."""
    radius_px = max(3, rect.width // 10)
    canvas.panel(rect, theme.PANEL, radius_px, theme.FAINT)
    inner = rect.inflate(-rect.width // 3, -rect.height // 3)
    pygame.draw.rect(canvas.surface, theme.FAINT, inner, 2, border_radius=radius_px)


def chips(canvas: Canvas, rect: Rect, count: int, most: int) -> None:
    """Draw how many of the chips that put a player out were taken: filled discs and empty rings."""
    size_px = min(rect.height, rect.width // most)
    for number in range(most):
        centre = (rect.left + size_px // 2 + number * size_px, rect.centery)
        if number < count:
            pygame.draw.circle(canvas.surface, theme.CHIP, centre, size_px * 0.4)
            pygame.draw.circle(canvas.surface, theme.PAPER, centre, size_px * 0.4, 2)
        else:
            pygame.draw.circle(canvas.surface, theme.FAINT, centre, size_px * 0.4, 2)


def number(canvas: Canvas, rect: Rect, value: int, style: Style, *, on: Colour | None = None) -> None:
    """Write a number that is read from all sides: what is another one upside down is underlined, as 6 and 9."""
    drawn = canvas.text(str(value), rect, style, on=on)
    if _another_upside_down(str(value)):
        thick = max(2, style.cap_px // 10)
        below = rect.centery + round(style.cap_px * 0.62)
        pygame.draw.line(canvas.surface, style.colour, (drawn.left, below), (drawn.right, below), thick)


def _another_upside_down(digits: str) -> bool:
    """Tell whether digits are another number upside down: 6, 66, 68. No number begins with 0."""
    turned = digits[::-1].translate(str.maketrans("69", "96"))
    return set(digits) <= set("0689") and turned not in {digits, "0"} and not turned.startswith("0")
