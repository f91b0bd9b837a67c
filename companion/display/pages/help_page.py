"""Draws a page of help: keys and drawings, each with its meaning."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from math import ceil
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.console import KEYS
from companion.display import cut, theme, widgets
from companion.display.canvas import LEFT, RIGHT, Canvas, lines_height
from companion.display.frame import HelpPage
from companion.display.layout import Layout, least_cap_px
from companion.display.theme import Colour, Style

DASH: Final = "-"  # between the first and the last key of a range

_SPACE: Final = " "

MOST_SHARE: Final = 0.74  # largest sentences / a name

CROSS: Final = ("8", "6", "2", "4")  # the four directions, drawn as on the keypad

_CROSS_PLACES: Final = ((1, 0), (2, 1), (1, 2), (0, 1))

_EDGE: Final[Colour] = (0x6C, 0x76, 0x80)  # the side of a key cap


def marks_of(sign: str) -> tuple[str, ...]:
    """Return the parts of a sign: keys, dashes, names of drawings."""
    return tuple(mark for word in sign.split() for mark in _marks(word))


@cache
def _marks(word: str) -> tuple[str, ...]:
    ends = re.fullmatch(r"(.)-(.)", word)
    return (ends[1], DASH, ends[2]) if ends else (word,)


_INKS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("buzzer", "chip", "boss_chair", "cross", "incident", "oven", "mill", "farm"), theme.CHIP),
    **dict.fromkeys(("star", "ducat", "sou", "influence", "coffee", "marker", "crown", "equal"), theme.LIT),
    **dict.fromkeys(
        ("flag", "hat", "person", "die_3", "die_5", "padlock_closed", "scramble", "kick_out", "flour"), theme.PAPER
    ),
    **dict.fromkeys(("swap", "hat_moves", "arrow", "clock", "stairs", "desk"), theme.FAINT),
    **dict.fromkeys(("bread", "croissant", "door", "bag"), theme.INKS["orange"]),
    **dict.fromkeys(("icecream", "present"), theme.INKS["pink"]),
    "butter": theme.INKS["yellow"],
    **dict.fromkeys(("goblin", "goblin_on_pig"), theme.GOOD),
}  # others are sky blue


class _Sizes(NamedTuple):
    """The sizes of a page. If `stacked`, signs are above their sentences, not beside them."""

    cap_px: int
    key_px: int
    signs_px: int
    pad_px: int
    stacked: bool = False

    @property
    def line_px(self) -> int:
        return self.key_px + 3

    @property
    def gap_px(self) -> int:
        return max(self.pad_px, self.key_px // 4)


def draw(canvas: Canvas, page: HelpPage, rect: Rect, plan: Layout) -> None:
    """Draw a page. A larger title must not make its rows smaller."""
    least_px = least_cap_px(plan.unit_px)
    faint = Style(least_px, theme.FAINT)
    settings = [
        (_set(page.rows, _rooms(page, rect, cap_px, faint)[3], cap_px, least_px), cap_px)
        for cap_px in {plan.cap_px, plan.unit_px}
    ]
    sizes, cap_px = max(settings, key=lambda setting: (setting[0].cap_px, setting[1]))
    title, foot, picture, room = _rooms(page, rect, cap_px, faint)
    _head(canvas, page, title, cap_px, faint)
    canvas.lines(page.hint, foot, faint)
    if picture:
        canvas.picture(page.picture, picture, ink_of(page.picture))
    _rows(canvas, page.rows, room, sizes)


def _rooms(page: HelpPage, rect: Rect, cap_px: int, faint: Style) -> tuple[Rect, Rect, Rect, Rect]:
    """Return the areas of title, hint, large picture (empty without one) and rows."""
    title, room = cut.top(rect, _title_px(page, rect.width, cap_px, faint))
    foot, room = cut.bottom(cut.bottom(room, cap_px // 10)[1], lines_height(page.hint, rect.width, faint))
    room = room.inflate(0, -cap_px // 3)
    if page.picture and not _has_signs(page):
        wide = min(round(room.width * 0.27), room.height)
        return title, foot, *cut.picture(room, wide, round(room.height * 0.3), cap_px // 3)
    return title, foot, Rect(0, 0, 0, 0), room


def _has_signs(page: HelpPage) -> bool:
    return any(sign for sign, _ in page.rows)


def _count_px(page: HelpPage, cap_px: int, faint: Style) -> int:
    return theme.text_width(f"{page.number}/{page.of}", faint) + cap_px // 4 if page.of > 1 else 0


def _title_rooms(page: HelpPage, head: Rect, cap_px: int, faint: Style) -> tuple[Rect, Rect, bool]:
    """Return the areas of drawing and title, and whether the title needs several lines."""
    _, title = cut.right(head, _count_px(page, cap_px, faint))
    icon = Rect(title.left, title.top, 0, 0)
    if page.picture and _has_signs(page):
        icon.size = (round(cap_px * 1.2), round(cap_px * 1.2))
        _, title = cut.left(title, icon.width, cap_px // 4)
    least = Style(round(cap_px * 0.62), theme.TEXT, bold=True)
    return icon, title, theme.text_width(page.title, least) > title.width


def _title_px(page: HelpPage, width_px: int, cap_px: int, faint: Style) -> int:
    one_line_px = round(cap_px * 1.2)
    _, title, narrow = _title_rooms(page, Rect(0, 0, width_px, one_line_px), cap_px, faint)
    lines_px = lines_height(page.title, title.width, faint._replace(bold=True)) if narrow else 0
    return max(one_line_px, lines_px)


def _head(canvas: Canvas, page: HelpPage, head: Rect, cap_px: int, faint: Style) -> None:
    icon, title, narrow = _title_rooms(page, head, cap_px, faint)
    if icon:
        canvas.picture(page.picture, icon, ink_of(page.picture))
    style = Style(round(cap_px * 0.8), theme.TEXT, bold=True)
    (canvas.lines if narrow else canvas.text)(page.title, title, style, align=LEFT)
    count, _ = cut.right(head, _count_px(page, cap_px, faint))
    if count:
        canvas.text(f"{page.number}/{page.of}", count, faint, align=RIGHT)


def _set(rows: Sequence[tuple[str, str]], room: Rect, cap_px: int, least_px: int) -> _Sizes:
    found = [_largest(rows, room, cap_px, least_px, stacked=stacked) for stacked in (False, True)]
    tight = _sizes(rows, room, least_px, cap_px // 8, least_px, stacked=False)
    return max((one for one in found if one), key=lambda one: one.cap_px, default=tight)


def _rows(canvas: Canvas, rows: Sequence[tuple[str, str]], room: Rect, sizes: _Sizes) -> None:
    heights = [_row_height(row, room.width, sizes) for row in rows]
    spare = max(0, room.height - sum(heights) - _gaps_px(rows, sizes))
    grow = min(sizes.pad_px * 2, spare // len(rows))
    top = room.centery - (sum(heights) + grow * len(rows) + _gaps_px(rows, sizes)) // 2
    for row, height in zip(rows, heights, strict=True):
        place = Rect(room.left, top, room.width, height + grow)
        top = place.bottom + sizes.pad_px // 2
        _row(canvas, row, place, sizes, panel=any(sign for sign, _ in rows))


def _row(canvas: Canvas, row: tuple[str, str], place: Rect, sizes: _Sizes, *, panel: bool) -> None:
    sign, text = row
    on = canvas.on
    words = place
    if panel:
        on = theme.PANEL
        canvas.panel(place, on, sizes.pad_px)
        words = place.inflate(-2 * sizes.pad_px, -sizes.pad_px)
    if sign and sizes.stacked:
        signs, words = cut.top(words, _sign_height(sign, sizes))
        _sign(canvas, sign, signs, sizes, on)
    elif sizes.signs_px and not sizes.stacked:
        signs, words = cut.left(words, sizes.signs_px, sizes.gap_px)
        _sign(canvas, sign, signs, sizes, on)
    canvas.lines(text, words, Style(sizes.cap_px), align=LEFT, on=on)


def _largest(
    rows: Sequence[tuple[str, str]], room: Rect, cap_px: int, least_px: int, *, stacked: bool
) -> _Sizes | None:
    """Return the largest sizes at which all rows fit, or None. The smallest rows are closer."""
    largest_px = max(least_px, round(cap_px * MOST_SHARE))
    wanted = [(size, cap_px // 4) for size in range(largest_px, least_px - 1, -1)]
    wanted.append((least_px, cap_px // 8))

    def sizes(place: int) -> _Sizes:
        return _sizes(rows, room, *wanted[place], least_px, stacked=stacked)

    def fits(sizes: _Sizes) -> bool:
        heights = sum(_row_height(row, room.width, sizes) for row in rows)
        return heights + _gaps_px(rows, sizes) <= room.height

    place = bisect_left(range(len(wanted)), True, key=lambda place: fits(sizes(place)))
    return sizes(place) if place < len(wanted) else None


def _sizes(
    rows: Sequence[tuple[str, str]], room: Rect, cap_px: int, pad_px: int, least_px: int, *, stacked: bool
) -> _Sizes:
    key_px = max(round(cap_px * 1.9), least_px * 2)
    most_px = room.width if stacked else round(room.width * 0.34)
    signs_px = max((_column_width(sign, key_px, most_px) for sign, _ in rows if sign), default=0)
    return _Sizes(cap_px, key_px, signs_px, pad_px, stacked)


def _gaps_px(rows: Sequence[tuple[str, str]], sizes: _Sizes) -> int:
    return sizes.pad_px // 2 * (len(rows) - 1)


def _row_height(row: tuple[str, str], width: int, sizes: _Sizes) -> int:
    sign, text = row
    words_px = width - 2 * sizes.pad_px
    if sizes.signs_px and not sizes.stacked:
        words_px -= sizes.signs_px + sizes.gap_px
    lines_px = lines_height(text, words_px, Style(sizes.cap_px))
    signs_px = _sign_height(sign, sizes) if sign else 0
    return (lines_px + signs_px if sizes.stacked else max(lines_px, signs_px)) + sizes.pad_px


# --- Signs ------------------------------------------------------------------------------------------------


def _sign(canvas: Canvas, sign: str, room: Rect, sizes: _Sizes, on: Colour) -> None:
    if marks_of(sign) == CROSS:
        _cross(canvas, room, sizes)
        return
    lines = _lines_of(sign, sizes)
    top = room.centery - sizes.line_px * len(lines) // 2
    for number, marks in enumerate(lines):
        widths = [_width(mark, sizes.key_px) for mark in marks]
        left = room.left if sizes.stacked else room.centerx - sum(widths) // 2
        for mark, width in zip(marks, widths, strict=True):
            place = Rect(left, top + number * sizes.line_px, width, sizes.line_px)
            left = place.right
            _mark(canvas, mark, place, sizes.key_px, on)


def _mark(canvas: Canvas, mark: str, place: Rect, key_px: int, on: Colour) -> None:
    if mark in KEYS:
        key_cap(canvas, cut.square_at(place.center, key_px - 2), mark)
    elif mark == DASH:
        canvas.box(cut.sized(place.width // 2, max(2, key_px // 14), center=place.center), theme.FAINT)
    elif mark != _SPACE:
        name, _, colour = mark.partition(":")
        canvas.picture(name, place, theme.INKS[colour] if colour else ink_of(name), on=on)


def _lines_of(sign: str, sizes: _Sizes) -> list[list[str]]:
    """Break a sign into lines that fit, but never within a range."""
    lines: list[list[str]] = [[]]
    for word in sign.split():
        marks = _marks(word)
        longer = [*lines[-1], *([_SPACE] if lines[-1] else []), *marks]
        if lines[-1] and _wide(longer, sizes.key_px) > sizes.signs_px:
            lines.append([*marks])
        else:
            lines[-1] = longer
    return lines


def _sign_height(sign: str, sizes: _Sizes) -> int:
    if marks_of(sign) == CROSS:
        return 3 * sizes.key_px
    return len(_lines_of(sign, sizes)) * sizes.line_px


def _column_width(sign: str, key_px: int, most_px: int) -> int:
    if marks_of(sign) == CROSS:
        return 3 * key_px
    spaces = [_SPACE] * (len(sign.split()) - 1)
    return min(most_px, _wide([*marks_of(sign), *spaces], key_px))


def _wide(marks: Sequence[str], key_px: int) -> int:
    return sum(_width(mark, key_px) for mark in marks)


def _width(mark: str, key_px: int) -> int:
    if mark in KEYS:
        return key_px
    return {DASH: key_px // 2, _SPACE: key_px // 4}.get(mark, round(key_px * 1.2))


def _cross(canvas: Canvas, room: Rect, sizes: _Sizes) -> None:
    side = 3 * sizes.key_px
    at = {"midleft": room.midleft} if sizes.stacked else {"center": room.center}
    keys = cut.cells(cut.sized(side, side, **at), 9, across=3)
    for mark, (column, row) in zip(("", *CROSS), ((1, 1), *_CROSS_PLACES), strict=True):
        key = keys[3 * row + column].inflate(-2, -2)
        if mark:
            key_cap(canvas, key, mark)
        else:
            canvas.panel(key, canvas.on, sizes.key_px // 5)


def key_cap(canvas: Canvas, rect: Rect, letter: str) -> None:
    canvas.surface.blit(_cap(rect.width, canvas.tone(theme.PAPER), canvas.tone(_EDGE)), rect)
    face = Rect(rect.left, rect.top, rect.width, round(rect.height * 0.86))
    canvas.text(letter, face, Style(ceil(rect.height * 0.54), theme.LINE, bold=True), on=theme.PAPER)


@lru_cache(maxsize=16)
def _cap(size_px: int, paper: Colour, edge: Colour) -> pygame.Surface:
    round_px, deep_px = size_px * 0.2, size_px * 0.14
    side = f'<rect width="{size_px}" height="{size_px}" rx="{round_px}" fill="{theme.hexed(edge)}"/>'
    face = f'<rect width="{size_px}" height="{size_px - deep_px}" rx="{round_px}"'
    return widgets.vector((size_px, size_px), f'{side}{face} fill="{theme.hexed(paper)}"/>')


def ink_of(name: str) -> Colour:
    return _INKS.get(name, theme.INKS["sky"])
