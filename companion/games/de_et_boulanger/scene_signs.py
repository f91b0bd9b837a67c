"""Draws the pieces of Dé et Boulanger: bakers, dice, tiles and goods."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas, piece, transparent
from companion.display.frame import Look
from companion.display.theme import Colour, Style
from companion.games.de_et_boulanger.rules.components import INCIDENT
from companion.games.de_et_boulanger.text import COLOURS

BREAD: Final[Colour] = (0xD9, 0x9A, 0x4E)
CROISSANT: Final[Colour] = (0xF8, 0xD0, 0x7C)
WATER: Final[Colour] = (0x17, 0x53, 0x78)
STONE: Final[Colour] = (0x4C, 0x47, 0x42)
JOINT: Final[Colour] = (0x2A, 0x28, 0x27)
GRASS: Final[Colour] = (0x1E, 0x33, 0x29)
FIELD: Final[Colour] = (0x5C, 0x50, 0x2A)
MEADOW: Final[Colour] = (0x35, 0x58, 0x33)
SHELF: Final[Colour] = (0x16, 0x1B, 0x20)

INKS: Final[dict[str, Colour]] = {
    "flour": theme.PAPER,
    "water": theme.INKS["sky"],
    "butter": theme.INKS["yellow"],
    "sous": theme.LIT,
    "bread": BREAD,
    "croissant": CROISSANT,
}

PICTURES: Final = {"sous": "sou"}

MARK: Final = 0.44
"""Size of the mark on a baker, as a share of the baker."""

SIGN_LEAST, SIGN_MOST = 0.75, 1.5
"""Minimum and maximum size of the icon beside a number, in heights of its digits."""


def ink_of(seat: Seat) -> Colour:
    return theme.INKS[COLOURS[seat]]


def mark(canvas: Canvas, rect: Rect, seat: Seat) -> None:
    canvas.disc(rect.center, rect.width / 2, theme.LINE)
    canvas.disc(rect.center, rect.width / 2 - max(1, rect.width // 16), theme.PAPER)
    widgets.mark(canvas, theme.MARKS[COLOURS[seat]], rect.center, round(rect.width * 0.66), ink_of(seat))


def baker(canvas: Canvas, rect: Rect, seat: Seat, *, on: Colour | None = None) -> None:
    canvas.picture("baker", rect, ink_of(seat), on=on)
    size = min(rect.size)
    at = (rect.centerx, rect.centery + round(size * 0.17))
    canvas.disc(at, size * 0.31, theme.LINE)
    canvas.disc(at, size * 0.31 - max(1, size / 24), theme.PAPER)
    widgets.mark(canvas, theme.MARKS[COLOURS[seat]], at, round(size * MARK), ink_of(seat))


@lru_cache(maxsize=32)
def baker_surface(seat: Seat, size_px: int, look: Look) -> pygame.Surface:
    canvas = transparent((size_px, size_px), look)
    baker(canvas, canvas.rect, seat)
    return canvas.surface


def token(canvas: Canvas, rect: Rect, kind: str, *, on: Colour | None = None) -> None:
    canvas.picture(PICTURES.get(kind, kind), rect, INKS[kind], on=on)


def token_surface(kind: str, size_px: int, look: Look) -> pygame.Surface:
    return piece(PICTURES.get(kind, kind), INKS[kind], size_px, look)


def die(canvas: Canvas, rect: Rect, face: int, *, lit: bool, on: Colour | None = None) -> None:
    """Draw a die; face 0 is the place of a die to roll."""
    size = min(rect.size)
    if face:
        canvas.picture(f"die_{face}", rect, theme.PAPER, on=on)
        return
    place = cut.square_at(rect.center, round(size * 0.84))
    colour = theme.LIT if lit else theme.FAINT
    canvas.box(place, theme.BACKGROUND, size // 5)
    canvas.box(place, colour, size // 5, max(2, size // 12))


def tile(canvas: Canvas, card: Rect, limits: Sequence[int], cap_px: int) -> None:
    canvas.stamp(_tile(card.size, tuple(limits), cap_px, canvas.look), card)


@lru_cache(maxsize=64)
def _tile(size: tuple[int, int], limits: tuple[int, ...], cap_px: int, look: Look) -> Canvas:
    canvas = transparent(size, look)
    card = canvas.rect
    radius = max(3, card.width // 7)
    if limits == INCIDENT:
        canvas.panel(card, theme.PAPER, radius)
        canvas.picture("incident", card.inflate(-2, -2), theme.CHIP, on=theme.PAPER)
        return canvas
    halves = cut.first(card, card.height // 2, upright=True)
    canvas.panel(card, CROISSANT, radius)
    pygame.draw.rect(
        canvas.surface, canvas.tone(BREAD), halves[0], border_top_left_radius=radius, border_top_right_radius=radius
    )
    for half, colour, limit in zip(halves, (BREAD, CROISSANT), limits, strict=True):
        widgets.number(canvas, half, limit, Style(cap_px, theme.LINE, bold=True), on=colour)
    return canvas


def frame(canvas: Canvas, card: Rect, thick: int) -> None:
    rim = card.inflate(2 * thick, 2 * thick)
    canvas.box(rim, theme.LIT, max(3, rim.width // 6), thick)


def tile_surface(size: tuple[int, int], limits: tuple[int, ...], cap_px: int, look: Look) -> pygame.Surface:
    return _tile(size, limits, cap_px, look).surface


def counted(
    canvas: Canvas, row: Rect, counts: Mapping[str, int], style: Style, *, on: Colour | None = None
) -> None:
    """Draw the number of each kind. Long numbers shrink the icons first, then the digits."""
    for kind, (sign, number) in signs(row, counts, style.cap_px).items():
        token(canvas, sign, kind, on=on)
        colour = style.colour if counts[kind] else theme.FAINT
        widgets.number(canvas, number, counts[kind], style._replace(colour=colour), on=on)


def signs(row: Rect, counts: Mapping[str, int], cap_px: int) -> dict[str, tuple[Rect, Rect]]:
    """Return the areas of icon and number of each kind."""
    style = Style(cap_px, bold=True)
    widths = [theme.text_width(str(count), style) + 2 for count in counts.values()]
    spare = row.width - sum(widths)
    size = min(row.height - 2, round(cap_px * SIGN_MOST), max(round(cap_px * SIGN_LEAST), spare // len(widths) - 2))
    share = min(1.0, (row.width - size * len(widths)) / sum(widths))
    gap = (row.width - size * len(widths) - share * sum(widths)) / len(widths)
    left, found = row.left + gap / 2, {}
    for (kind, _), width in zip(counts.items(), widths, strict=True):
        sign = Rect(round(left), row.centery - size // 2, size, size)
        found[kind] = sign, Rect(sign.right, row.top, int(share * width), row.height)
        left += size + share * width + gap
    return found
