"""Draws figures and influence cards."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import LEFT, Canvas, Placed, transparent
from companion.display.frame import Look
from companion.display.theme import Colour, Style
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.change import Cards
from companion.games.buro_crazy.scene_plan import LABEL, NUMBER, label_cap_px, number_cap_px

SPARE: Final = ("sky", "pink", "orange", "purple", "green", "blue", "yellow", "red")
"""Marks and colours for figures outside the palette, in this order."""

OUTSIDE: Final[dict[str, Colour]] = {"black": (0x2A, 0x2A, 0x30), "white": theme.PAPER}
"""Figure colours outside the palette that differ enough from it."""

SMALL_PX: Final = 70
"""Smaller figures have larger badges, so that marks stay visible."""

LINE: Final = 1.3
"""Line height on a card, in capitals."""

LEAST_LINE: Final = 1.25
"""The minimum line height."""

CARD: Final = 0.7
"""Width of a card, in heights."""

COUNT: Final[Colour] = (0x8A, 0x3A, 0x12)

BACK: Final[Colour] = (0x7A, 0x1F, 0x3A)

MINUS: Final = "\N{MINUS SIGN}"


def inks(view: View) -> list[tuple[Colour, str]]:
    names = [view.box.colours[colour] for colour in view.colours]
    spare = iter(name for name in SPARE if name not in names)
    like = [name if name in theme.INKS else next(spare) for name in names]
    return [
        (OUTSIDE.get(name, theme.INKS[other]), theme.MARKS[other]) for name, other in zip(names, like, strict=True)
    ]


# --- Figures ----------------------------------------------------------------------------------------------


def figure(canvas: Canvas, room: Rect, view: View, seat: Seat) -> None:
    ink, mark = inks(view)[seat]
    rect = cut.square(room)
    strong = canvas.look.high_contrast
    dark_rim = strong and theme.contrast(theme.PAPER, canvas.on) < theme.PIECE_CONTRAST
    rim = theme.LINE if dark_rim else theme.PAPER
    canvas.surface.blit(figure_surface(ink, mark, rect.width, rim, strong=strong), rect)
    canvas.placed.append(Placed("figure", rect, room, 0, ink, canvas.on, rim))


@lru_cache(maxsize=128)
def figure_surface(
    ink: Colour, mark: str, size_px: int, rim: Colour = theme.PAPER, *, strong: bool = False
) -> pygame.Surface:
    """Return a figure with a rim that is visible on every wall."""
    rim_px = max(1, size_px // (18 if strong else 30))
    inner = max(8, size_px - 2 * rim_px)
    surface = theme.rimmed(theme.pictogram("figure", ink, inner, strong=strong), rim, rim_px)
    small = size_px < SMALL_PX
    centre = (round(size_px * 0.5), round(size_px * 0.62))
    if small:
        pygame.draw.circle(surface, theme.LINE, centre, size_px * 0.27)
        pygame.draw.circle(surface, theme.PAPER, centre, size_px * 0.24)
    widgets.mark(Canvas(surface), mark, centre, round(size_px * (0.42 if small else 0.28)), ink)
    return surface


# --- Cards ------------------------------------------------------------------------------------------------


def hand(canvas: Canvas, room: Rect, cards: Cards, values: Cards) -> None:
    """Draw cards by value with counts, or nothing if they are unknown."""
    if len(values) == 1 or not any(cards):
        return
    wide = _widths(room.width, cards, values, canvas.cap_px)
    high = min(room.height, round(hand_px(cards, values, canvas.cap_px) * 1.3))
    least_px = least_card_px(canvas.cap_px)
    left = room.centerx - sum(wide) // 2
    for (value, count), wide_px in zip(_shown(cards, values), wide, strict=True):
        cell = Rect(left, room.centery - high // 2, wide_px - max(1, (wide_px - least_px) // 4), high)
        face(canvas, cell, value, count)
        left += wide_px


def hand_px(cards: Cards, values: Cards, cap_px: int) -> int:
    if len(values) == 1 or not any(cards):
        return 0
    number = ceil(number_cap_px(cap_px) * LINE)
    return number + 4 + (ceil(label_cap_px(cap_px) * LINE) if max(cards) > 1 else number // 3)


def least_hand_px(cards: Cards, values: Cards, cap_px: int) -> int:
    return sum(_widths(0, cards, values, cap_px)) if len(values) > 1 else 0


def least_card_px(cap_px: int) -> int:
    return _narrow_px(20, 1, cap_px) + 4


def _shown(cards: Cards, values: Cards) -> list[tuple[int, int]]:
    return [(value, count) for value, count in zip(values, cards, strict=True) if count][::-1]


@lru_cache(maxsize=256)
def _widths(room_px: int, cards: Cards, values: Cards, cap_px: int) -> list[int]:
    shown = _shown(cards, values)
    wide = [_narrow_px(value, count, cap_px) for value, count in shown]
    least_px = least_card_px(cap_px)
    equal_px = min(room_px // len(shown), round(least_px * 1.45)) if shown else 0
    if equal_px >= max([least_px, *wide]):
        return [equal_px] * len(shown)
    squeeze = min(1, room_px / sum(wide)) if room_px else 1
    return [int(one * squeeze) for one in wide]


def _narrow_px(value: int, count: int, cap_px: int) -> int:
    number = theme.text_width(str(value), Style(number_cap_px(cap_px), bold=True))
    below = theme.text_width(f"×{count}", Style(label_cap_px(cap_px))) if count > 1 else 0
    return max(number, below) + 2


def face(canvas: Canvas, rect: Rect, value: int, count: int) -> None:
    """Draw a card and, if it fits, its count. Up to two more show behind it."""
    radius_px = max(3, rect.width // 8)
    for behind in range(min(count, 3) - 1, -1, -1):
        sheet = rect.move(-2 * behind, -2 * behind)
        canvas.panel(sheet, theme.PAPER, radius_px)
        canvas.box(sheet, theme.LINE, radius_px, 1)
    px = number_cap_px(canvas.cap_px)
    counted = count > 1 and rect.height > LEAST_LINE * (px + label_cap_px(canvas.cap_px))
    share = NUMBER / (NUMBER + LABEL) if counted else 1
    upper, lower = cut.split(rect, share, upright=True)
    widgets.number(canvas, upper, value, Style(px, theme.LINE, bold=True), on=theme.PAPER)
    if counted:
        canvas.text(f"×{count}", lower, Style(label_cap_px(canvas.cap_px), COUNT), on=theme.PAPER)


@lru_cache(maxsize=32)
def face_surface(value: int, width_px: int, cap_px: int, look: Look) -> pygame.Surface:
    canvas = transparent((width_px, round(width_px / CARD)), look, cap_px=cap_px)
    face(canvas, canvas.rect, value, 1)
    return canvas.surface


@lru_cache(maxsize=32)
def back_surface(high_px: int, look: Look) -> pygame.Surface:
    canvas = transparent((max(6, round(high_px * CARD)), max(8, high_px)), look)
    rect, radius_px = canvas.rect, max(2, canvas.rect.width // 8)
    canvas.panel(rect, theme.PAPER, radius_px)
    canvas.panel(rect.inflate(-max(2, rect.width // 7), -max(2, rect.width // 7)), BACK, radius_px)
    canvas.picture("influence", cut.square(rect, 0.86), theme.LIT)
    return canvas.surface


def pile(canvas: Canvas, room: Rect, count: int, most: int = 12) -> None:
    """Draw up to `most` overlapping cards face down."""
    if not count:
        return
    drawn = back_surface(room.height, canvas.look)
    count = min(count, most)
    step = min(drawn.get_width() * 0.45, (room.width - drawn.get_width()) / max(1, count - 1))
    left = room.centerx - (drawn.get_width() + step * (count - 1)) / 2
    for number in range(count):
        canvas.surface.blit(drawn, (round(left + step * number), room.top))


def effects(canvas: Canvas, room: Rect, changes: Sequence[tuple[str, str, Colour]]) -> None:
    gap_px = canvas.cap_px // 8
    pxs = (round(number_cap_px(canvas.cap_px) * 1.2), label_cap_px(canvas.cap_px))
    for px in pxs:
        words_px = [theme.text_width(text, Style(px, bold=True)) + gap_px if text else 0 for _, text, _ in changes]
        free_px = (room.width - sum(words_px)) // len(changes) - gap_px
        if free_px > px * 1.6:
            break
    icon_px = min(room.height, free_px, round(canvas.cap_px * 1.4))
    left = room.centerx - (sum(words_px) + len(changes) * icon_px + gap_px * (len(changes) - 1)) // 2
    for (name, text, colour), wide_px in zip(changes, words_px, strict=True):
        icon = Rect(left, room.top, icon_px, room.height)
        canvas.picture(name, icon, colour)
        if text:
            words = Rect(icon.right + gap_px // 2, room.top, wide_px - gap_px // 2, room.height)
            canvas.text(text, words, Style(px, colour, bold=True), align=LEFT)
        left += icon_px + wide_px + gap_px
