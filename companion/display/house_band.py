"""Draws the house's band at the foot of the centre."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from pygame import Rect

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.display import cut, theme, widgets
from companion.display.canvas import LEFT, RIGHT, Canvas, lines_height
from companion.display.frame import HouseCode, HousePlace
from companion.display.layout import Layout, least_cap_px
from companion.display.pages import help_page
from companion.display.theme import Style

CELL_CAPS: Final = 1.0  # height of a row of codes, in heights of a name's capitals

KEY_CAPS: Final = 0.92  # width of a key, in the same unit

WORDS_SHARE: Final = 0.48  # capitals of a code's text / of a name

REFUSED: Final = theme.CHIP  # behind the reason of a refusal

INK: Final = theme.mixed(theme.LINE, theme.PAPER, 0.2)  # drawings without a colour

KEYED_SHARE: Final = 0.45  # largest share of the width for the input


def make_room(plan: Layout, house: HousePlace | None) -> tuple[Layout, Rect | None]:
    """Split the house's band off the centre. Return the new layout and the band, None without a house."""
    if house is None:
        return plan, None
    whole = plan.upright
    band, scene = cut.bottom(whole, _high(house, whole.width, plan.unit_px), plan.unit_px // 8)
    return plan._replace(centre=plan.on_display(scene)), plan.on_display(band)


def draw(canvas: Canvas, house: HousePlace, unit_px: int) -> None:
    """Draw the band over the whole canvas: sentence and input, with the codes below."""
    canvas.panel(canvas.rect, theme.PANEL, unit_px // 5)
    canvas.stands_on(theme.PANEL)
    room = _inside(canvas.rect, unit_px)
    head, below = cut.top(room, _head_px(house, room.width, unit_px))
    _head(canvas, house, head, unit_px)
    rows = _rows(house.codes, room.width, unit_px)
    free_px = [(room.width - sum(_width(code, unit_px) for code in row)) // len(row) for row in rows]
    for row in rows:
        line, below = cut.top(below, _cell_px(unit_px))
        for code in row:
            cell, line = cut.left(line, _width(code, unit_px), min(unit_px, *free_px))
            _code(canvas, code, cell, unit_px)


def _inside(rect: Rect, unit_px: int) -> Rect:
    return rect.inflate(-unit_px // 3, -unit_px // 8)


def _high(house: HousePlace, width: int, unit_px: int) -> int:
    empty = _inside(Rect(0, 0, width, 0), unit_px)
    rows = len(_rows(house.codes, empty.width, unit_px))
    return _head_px(house, empty.width, unit_px) + rows * _cell_px(unit_px) - empty.height


# --- Sentences --------------------------------------------------------------------------------------------


def _said(house: HousePlace) -> str:
    """Return the text at the left. The reason of a refusal comes first."""
    return house.refused or house.lent or house.task


def _keyed(house: HousePlace) -> str:
    """Return the text at the right: the input and its meaning, or else the hint."""
    return " · ".join(part for part in (house.keyed, house.meaning) if part) or house.hint


def _style(unit_px: int) -> Style:
    return Style(least_cap_px(unit_px))


def _keyed_px(house: HousePlace, width: int, unit_px: int) -> int:
    keyed = _keyed(house)
    wide = theme.text_width(keyed, _style(unit_px)._replace(bold=True)) if keyed else 0
    return min(wide + unit_px // 2, round(width * KEYED_SHARE)) if keyed else 0


def _head_px(house: HousePlace, width: int, unit_px: int) -> int:
    room, style = width - _keyed_px(house, width, unit_px), _style(unit_px)
    said = lines_height(_said(house), room, style)
    wide = _keyed_px(house, width, unit_px)
    keyed = lines_height(_keyed(house), wide, style._replace(bold=True)) if wide else 0
    return max(said, keyed)


def _head(canvas: Canvas, house: HousePlace, head: Rect, unit_px: int) -> None:
    style = _style(unit_px)
    keyed, room = cut.right(head, _keyed_px(house, head.width, unit_px))
    if house.refused:
        canvas.panel(room.inflate(unit_px // 6, 0), REFUSED, unit_px // 8)
        canvas.lines(house.refused, room, style._replace(colour=theme.LINE), align=LEFT, on=REFUSED)
    else:
        ink = theme.LIT if house.lent else theme.TEXT
        canvas.lines(_said(house), room, style._replace(colour=ink), align=LEFT)
    is_keyed = bool(house.keyed or house.meaning)
    ink = theme.LIT if is_keyed else theme.FAINT
    canvas.lines(_keyed(house), keyed, style._replace(colour=ink, bold=is_keyed), align=RIGHT)


# --- Codes ------------------------------------------------------------------------------------------------


def _rows(codes: Sequence[HouseCode], width: int, unit_px: int) -> list[Sequence[HouseCode]]:
    """Spread codes over as few rows as possible. In several rows drawings replace text."""
    if not codes:
        return []
    if _rows_needed(codes, width, unit_px) > 1:
        codes = [code._replace(text="" if code.picture else code.text) for code in codes]
    each = -(-len(codes) // _rows_needed(codes, width, unit_px))
    return [codes[first : first + each] for first in range(0, len(codes), each)]


def _rows_needed(codes: Sequence[HouseCode], width: int, unit_px: int) -> int:
    widths = [_width(code, unit_px) for code in codes]
    return 1 if sum(widths) <= width else -(-len(codes) // max(1, width // max(widths)))


def _width(code: HouseCode, unit_px: int) -> int:
    words = theme.text_width(code.text, _words_style(unit_px)) + unit_px // 4 if code.text else 0
    picture = _picture_px(unit_px) if code.picture else 0
    return _keys_px(code.keys, unit_px) + picture + words + unit_px // 8


def _words_style(unit_px: int) -> Style:
    return Style(ceil(unit_px * WORDS_SHARE))


def _cell_px(unit_px: int) -> int:
    return ceil(unit_px * CELL_CAPS)


def _picture_px(unit_px: int) -> int:
    return _cell_px(unit_px) - unit_px // 12


def _is_word(keys: str) -> bool:
    return keys in HOUSE_CONTROLS


def _keys_px(keys: str, unit_px: int) -> int:
    if _is_word(keys):
        return theme.text_width(keys, _words_style(unit_px)._replace(bold=True)) + unit_px // 3
    return sum(_mark_px(mark, unit_px) for mark in help_page.marks_of(keys))


def _mark_px(mark: str, unit_px: int) -> int:
    key_px = ceil(unit_px * KEY_CAPS)
    return key_px if mark in KEYS else key_px // 3


def _code(canvas: Canvas, code: HouseCode, room: Rect, unit_px: int) -> None:
    keys, room = cut.left(room, _keys_px(code.keys, unit_px))
    (_control if _is_word(code.keys) else _keys)(canvas, code.keys, keys, unit_px)
    if code.picture:
        picture, room = cut.left(room, _picture_px(unit_px))
        _picture(canvas, code, cut.square_at(picture.center, picture.width - 2))
    _, words = cut.left(room, unit_px // 8)
    canvas.text(code.text, words, _words_style(unit_px), align=LEFT)


def _picture(canvas: Canvas, code: HouseCode, place: Rect) -> None:
    if code.colour in theme.INKS:
        widgets.card(canvas, place, code.picture, code.colour)
        return
    widgets.blank(canvas, place)
    canvas.picture(code.picture, place.inflate(-place.width // 6, -place.height // 6), INK, on=theme.PAPER)


def _keys(canvas: Canvas, keys: str, room: Rect, unit_px: int) -> None:
    for mark in help_page.marks_of(keys):
        place, room = cut.left(room, _mark_px(mark, unit_px))
        if mark in KEYS:
            help_page.key_cap(canvas, cut.square_at(place.center, place.width - 2), mark)
        else:
            dash = place.inflate(-place.width // 3, -place.height)
            canvas.panel(dash.inflate(0, max(2, unit_px // 12)), theme.FAINT, 0)


def _control(canvas: Canvas, control: str, room: Rect, unit_px: int) -> None:
    plate = room.inflate(0, -unit_px // 4)
    canvas.panel(plate, theme.PAPER, unit_px // 6)
    style = _words_style(unit_px)._replace(colour=theme.LINE, bold=True)
    canvas.text(control, plate, style, on=theme.PAPER)
