"""The pieces of Büro Crazy as they are drawn: figures with the colour and mark of their seat, influence cards."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import theme, widgets
from companion.display.canvas import Canvas, Placed
from companion.display.theme import Colour, Style
from companion.games.buro_crazy.change import Cards
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.scene_plan import columns, label_cap_px, number_cap_px, rows, square

SPARE: Final = ("sky", "pink", "orange", "purple", "green", "blue", "yellow", "red")
"""The marks and colours for figures whose colour is none of the palette, in this order."""

OUTSIDE: Final[dict[str, Colour]] = {"black": (0x2A, 0x2A, 0x30), "white": theme.PAPER}
"""Colours of figures that the palette does not have, but that can be told apart from it."""

SMALL_PX: Final = 70
"""A figure that is smaller has a larger badge: its mark has to be seen too."""

CARD: Final = 0.7
"""The width of a card, as a share of its height."""

COUNT: Final[Colour] = (0x8A, 0x3A, 0x12)
"""How many there are of a card, on its face."""

BACK: Final[Colour] = (0x7A, 0x1F, 0x3A)
"""The back of the influence cards."""

MINUS: Final = "\N{MINUS SIGN}"


def inks(view: View) -> list[tuple[Colour, str]]:
    """Return the colour and the mark of each seat's figures: those of the palette where it has the colour."""
    names = [view.box.colours[colour] for colour in view.colours]
    spare = iter(name for name in SPARE if name not in names)
    like = [name if name in theme.INKS else next(spare) for name in names]
    return [
        (OUTSIDE.get(name, theme.INKS[other]), theme.MARKS[other]) for name, other in zip(names, like, strict=True)
    ]


# --- Figures ----------------------------------------------------------------------------------------------


def figure(canvas: Canvas, room: Rect, view: View, seat: Seat) -> None:
    """Draw a seat's figure as large as a room allows."""
    ink, mark = inks(view)[seat]
    size_px = min(room.size)
    rect = Rect(0, 0, size_px, size_px)
    rect.center = room.center
    canvas.surface.blit(figure_surface(ink, mark, size_px), rect)
    canvas.placed.append(Placed("figure", rect, room, 0, ink, canvas.on))


@lru_cache(maxsize=128)
def figure_surface(ink: Colour, mark: str, size_px: int) -> pygame.Surface:
    """Return a figure with its badge, cut out with a light rim that shows it on every wall."""
    rim_px = max(1, size_px // 30)
    inner = max(8, size_px - 2 * rim_px)
    drawn = theme.pictogram("figure", ink, inner)
    surface = pygame.Surface((size_px, size_px), pygame.SRCALPHA)
    shadow = pygame.mask.from_surface(drawn).to_surface(setcolor=theme.PAPER, unsetcolor=(0, 0, 0, 0))
    for x_px in (0, rim_px, 2 * rim_px):
        for y_px in (0, rim_px, 2 * rim_px):
            surface.blit(shadow, (x_px, y_px))
    surface.blit(drawn, (rim_px, rim_px))
    small = size_px < SMALL_PX
    centre = (round(size_px * 0.5), round(size_px * (0.66 if small else 0.62)))
    if small:
        pygame.draw.circle(surface, theme.LINE, centre, size_px * 0.29)
        pygame.draw.circle(surface, theme.PAPER, centre, size_px * 0.26)
    widgets.mark(Canvas(surface), mark, centre, round(size_px * (0.4 if small else 0.28)), ink)
    return surface


# --- Cards ------------------------------------------------------------------------------------------------


def hand(canvas: Canvas, room: Rect, cards: Cards, values: Cards) -> None:
    """Draw cards by value, the highest first, each with how many there are; nothing where they are unknown."""
    shown = [(value, count) for value, count in zip(values, cards, strict=False) if count][::-1]
    if len(values) == 1 or not shown:
        return
    wide = least_card_px(canvas.cap_px)
    across = len(shown) if room.width >= wide * len(shown) else ceil(len(shown) / 2)
    down = ceil(len(shown) / across)
    high = min(room.height // down, round(wide * 1.9))
    block = Rect(0, 0, min(room.width, round(high * CARD * 1.25) * across, round(wide * 1.6) * across), high * down)
    block.center = room.center
    places = [cell for row in rows(block, (1 / down,) * down) for cell in columns(row, across)]
    for cell, (value, count) in zip(places, shown, strict=False):
        _face(canvas, cell.inflate(-max(2, wide // 9), -max(2, wide // 12)), value, count)


def least_card_px(cap_px: int) -> int:
    """Return how wide a card has to be for its number."""
    return theme.text_width("20", Style(number_cap_px(cap_px), bold=True)) + 3


def _face(canvas: Canvas, rect: Rect, value: int, count: int) -> None:
    """Draw the face of a card, and below its value how many there are of it, with the next ones behind it."""
    radius_px = max(3, rect.width // 8)
    for behind in range(min(count, 3) - 1, -1, -1):
        sheet = rect.move(-2 * behind, -2 * behind)
        canvas.panel(sheet, theme.PAPER, radius_px)
        pygame.draw.rect(canvas.surface, theme.LINE, sheet, 1, border_radius=radius_px)
    px = number_cap_px(canvas.cap_px)
    upper = Rect(rect.left, rect.top, rect.width, round(rect.height * 0.56)) if count > 1 else rect
    widgets.number(canvas, upper, value, Style(px, theme.LINE, bold=True), on=theme.PAPER)
    if count > 1:
        lower = Rect(rect.left, upper.bottom, rect.width, rect.bottom - upper.bottom)
        canvas.text(f"×{count}", lower, Style(label_cap_px(canvas.cap_px), COUNT), on=theme.PAPER)


@lru_cache(maxsize=32)
def face_surface(value: int, width_px: int, cap_px: int) -> pygame.Surface:
    """Return the face of a card."""
    canvas = Canvas(pygame.Surface((width_px, round(width_px / CARD)), pygame.SRCALPHA), cap_px=cap_px)
    _face(canvas, canvas.rect, value, 1)
    return canvas.surface


@lru_cache(maxsize=32)
def back_surface(high_px: int) -> pygame.Surface:
    """Return the back of an influence card."""
    rect = Rect(0, 0, max(6, round(high_px * CARD)), max(8, high_px))
    canvas = Canvas(pygame.Surface(rect.size, pygame.SRCALPHA))
    radius_px = max(2, rect.width // 8)
    canvas.panel(rect, theme.PAPER, radius_px)
    canvas.panel(rect.inflate(-max(2, rect.width // 7), -max(2, rect.width // 7)), BACK, radius_px)
    canvas.picture("influence", square(rect, 0.86), theme.LIT)
    return canvas.surface


def pile(canvas: Canvas, room: Rect, count: int, most: int = 12) -> None:
    """Draw so many cards face down, each a little to the right of the one below, `most` at most."""
    if not count:
        return
    drawn = back_surface(room.height)
    count = min(count, most)
    step = min(drawn.get_width() * 0.45, (room.width - drawn.get_width()) / max(1, count - 1))
    left = room.centerx - (drawn.get_width() + step * (count - 1)) / 2
    for number in range(count):
        canvas.surface.blit(drawn, (round(left + step * number), room.top))


def effects(canvas: Canvas, room: Rect, changes: Sequence[tuple[str, str, Colour]]) -> None:
    """Draw what a bid brought, one beside the other: a picture, and by how many points."""
    px = label_cap_px(canvas.cap_px)
    for cell, (name, text, colour) in zip(columns(room, max(1, len(changes))), changes, strict=False):
        style = Style(px, colour, bold=True)
        icon_px = min(cell.height, cell.width - theme.text_width(text, style) - px // 2)
        wide = icon_px + px // 2 + theme.text_width(text, style)
        icon = Rect(cell.centerx - wide // 2, cell.top, icon_px, cell.height)
        canvas.picture(name, icon, colour)
        canvas.text(
            text,
            Rect(icon.right + px // 4, cell.top, cell.right - icon.right - px // 4, cell.height),
            style,
            align="left",
        )
