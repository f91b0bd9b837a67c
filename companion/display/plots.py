"""Draws statistics on paper, for image files and for pages on the display."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from pygame import Rect

from companion.display import cut, theme, widgets
from companion.display.canvas import CENTRE, LEFT, RIGHT, Canvas
from companion.display.rows import CloseCall, Label, Share, Signs, Times
from companion.display.theme import Colour, Style

FAINT: Final[Colour] = (0x5A, 0x62, 0x6A)  # secondary text on paper

RULE: Final[Colour] = (0xD8, 0xD2, 0xC2)  # thin lines

SHADE: Final[Colour] = (0xE6, 0xE0, 0xD0)  # the middle half of times

USUAL: Final = 0.98  # an axis of times ends at this quantile

# The ends of axes, and the number of parts for each.
_STEPS: Final = {1: 4, 1.5: 3, 2: 4, 2.5: 5, 3: 3, 4: 4, 5: 5, 6: 3, 8: 4}

_LEAST_REACH_MS: Final = 0.1  # the shortest axis


class Pen(NamedTuple):
    """Sizes in pixels. With `head_px`, names and values are above their rows, in a line of that height."""

    word_px: int
    small_px: int
    label_px: int
    value_px: int
    row_px: int
    mark_px: int = 26
    bin_px: int = 6
    dot_px: int = 6
    head_px: int = 0
    signs: Signs = Signs()


class Axis(NamedTuple):
    """A linear or logarithmic scale of values between two pixels."""

    left_px: int
    right_px: int
    least: float
    most: float
    log: bool = False

    def at(self, value: float) -> int:
        """Return the pixel of a value, limited to the axis."""
        value = min(max(value, self.least), self.most)
        scale = math.log10 if self.log else float
        share = (scale(value) - scale(self.least)) / (scale(self.most) - scale(self.least))
        return round(self.left_px + share * (self.right_px - self.left_px))


# --- Shares -----------------------------------------------------------------------------------------------


def shares(canvas: Canvas, rows: Sequence[Share], room: Rect, pen: Pen) -> Rect:
    """Draw shares on one percent axis and return the area of the rows."""
    area = _area(room, len(rows), pen)
    axis = _axis(area, max(row.high for row in rows), most=1)
    _grid(canvas, axis, area, pen, percent=True)
    for row, cell in zip(rows, cut.cells(area, len(rows)), strict=True):
        _share(canvas, row, axis, _said(canvas, row.label, row.told, cell, pen), pen)
    return area


def _share(canvas: Canvas, row: Share, axis: Axis, room: Rect, pen: Pen) -> None:
    luck, centre = axis.at(row.luck), (axis.at(row.share), room.centery)
    reach, thick = min(pen.dot_px * 5 // 2, room.height // 2 - 3), pen.dot_px + 1
    canvas.line((luck, room.centery - reach), (luck, room.centery + reach), FAINT, pen.dot_px - 1)
    colour = theme.INKS[row.label.colour or "sky"]
    left, right = axis.at(row.low), axis.at(row.high)
    bar = Rect(left, room.centery - thick // 2, max(2, right - left), thick)
    canvas.box(bar, colour, thick // 2)
    canvas.box(bar, theme.LINE, thick // 2, 1)
    canvas.disc(centre, pen.dot_px + 4, theme.LINE)
    canvas.disc(centre, pen.dot_px + 2, colour)


# --- Times ------------------------------------------------------------------------------------------------


def times(canvas: Canvas, rows: Sequence[Times], room: Rect, pen: Pen, unit: str = "") -> Rect:
    """Draw each row's times as a histogram, with middle half and median. Return the area of the rows."""
    area = _area(room, len(rows), pen)
    every = sorted(time_s for row in rows for time_s in row.times_s)
    axis = _axis(area, every[math.ceil(USUAL * (len(every) - 1))])
    _grid(canvas, axis, area, pen, unit)
    peak = max(max(_bins(row, axis, pen)) for row in rows)
    for row, cell in zip(rows, cut.cells(area, len(rows)), strict=True):
        _columns(canvas, row, axis, _said(canvas, row.label, row.told, cell, pen), pen, peak=peak)
    return area


def _columns(canvas: Canvas, row: Times, axis: Axis, room: Rect, pen: Pen, *, peak: int) -> None:
    left, right = axis.at(row.low_s), axis.at(row.high_s)
    inside = room.inflate(0, -min(10, room.height // 6))
    canvas.panel(Rect(left, inside.top, max(2, right - left), inside.height), SHADE, 4)
    tall = min(2.0 * pen.bin_px, inside.height / peak)
    bars = []
    for place, count in enumerate(_bins(row, axis, pen)):
        if count:
            height = max(4, round(count * tall))
            bars.append(Rect(room.left + place * pen.bin_px, room.centery - height // 2, pen.bin_px, height))
    colour = theme.INKS[row.label.colour or "sky"]
    for bar in bars:  # one outline around all bars
        canvas.box(bar.inflate(4, 4), theme.LINE)
    for bar in bars:
        canvas.box(bar, colour)
    middle = axis.at(row.median_s)
    canvas.line((middle, inside.top), (middle, inside.bottom), theme.LINE, 4)


def _bins(row: Times, axis: Axis, pen: Pen) -> list[int]:
    counts = [0] * ((axis.right_px - axis.left_px) // pen.bin_px)
    for time_s in row.times_s:
        place = (axis.at(time_s) - axis.left_px) // pen.bin_px
        counts[min(place, len(counts) - 1)] += 1
    return counts


# --- Close finishes ---------------------------------------------------------------------------------------


def close(canvas: Canvas, rows: Sequence[CloseCall], room: Rect, pen: Pen, unit: str = "") -> Rect:
    """Draw pairs of presses on one axis of milliseconds and return the area of the rows."""
    area = _area(room, len(rows), pen)
    widest = max(row.after_ms + row.uncertain_ms[1] for row in rows)
    before = max(row.uncertain_ms[0] for row in rows)
    axis = _axis(area.inflate(-2 * pen.mark_px, 0), max(widest, _LEAST_REACH_MS))._replace(least=-before)
    _grid(canvas, axis, area, pen, unit)
    for row, cell in zip(rows, cut.cells(area, len(rows)), strict=True):
        _pair(canvas, row, axis, cell, pen)
        if not row.where:
            _value(canvas, f"{row.told} {row.judged}".strip(), cell, pen)
    return area


def _pair(canvas: Canvas, row: CloseCall, axis: Axis, room: Rect, pen: Pen) -> None:
    canvas.line(room.bottomleft, room.bottomright, RULE, 1)
    half, tick = room.height // 2, max(3, pen.mark_px // 4)
    upper = Rect(room.left, room.centery - half + 1, room.width, half - 1)
    for place, line in enumerate((upper, upper.move(0, half - 2))):
        label, at = row.labels[place], row.after_ms * place
        name = Rect(line.left - pen.label_px, line.top, pen.label_px - pen.small_px, line.height)
        ink = theme.LINE if row.won[place] else FAINT
        canvas.text(label.name, name, Style(pen.small_px + 1, ink, bold=row.won[place]), align=LEFT)
        low, high = (axis.at(at + sign * row.uncertain_ms[place]) for sign in (-1, 1))
        canvas.line((low, line.centery), (high, line.centery), FAINT, 3)
        for end in (low, high):
            canvas.line((end, line.centery - tick), (end, line.centery + tick - 1), FAINT, 3)
        size = min(line.height - 2, pen.mark_px * 4 // 5)
        mark(canvas, label.colour, (axis.at(at), line.centery), size)


# --- What all rows share ----------------------------------------------------------------------------------


def mark(canvas: Canvas, colour: str, centre: tuple[int, int], size_px: int) -> None:
    """Draw a player's mark, or a plain dot for a player without a colour."""
    if colour:
        widgets.mark(canvas, theme.MARKS[colour], centre, size_px, theme.INKS[colour])
    else:
        canvas.disc(centre, size_px // 4, FAINT)


def _area(room: Rect, count: int, pen: Pen) -> Rect:
    high = min(pen.row_px, (room.height - foot_px(pen)) // count)
    wide = room.width - pen.label_px - pen.value_px
    return Rect(room.left + pen.label_px, room.top, wide, high * count)


def foot_px(pen: Pen) -> int:
    """Return the height of the labels below an axis."""
    return 2 * pen.small_px + 4


def _said(canvas: Canvas, label: Label, told: str, cell: Rect, pen: Pen) -> Rect:
    """Write a row's label and value, beside or above it, and return the remaining room."""
    if not pen.head_px:
        beside = Rect(cell.left - pen.label_px, cell.top, pen.label_px - pen.small_px, cell.height)
        _label(canvas, label, beside, pen)
        _value(canvas, told, cell, pen)
        return cell
    style = Style(pen.word_px, theme.LINE, bold=True)
    head = Rect(cell.left - pen.label_px, cell.top, cell.width + pen.label_px + pen.value_px, pen.head_px)
    value, name = cut.right(head, theme.text_width(told, style), pen.word_px)
    canvas.text(told, value, style, align=RIGHT)
    _label(canvas, label, name, pen)
    return cut.top(cell, pen.head_px)[1]


def _label(canvas: Canvas, label: Label, room: Rect, pen: Pen) -> None:
    if label.colour:
        place, room = cut.left(room, pen.mark_px, pen.small_px)
        mark(canvas, label.colour, place.center, pen.mark_px)
    name_high, detail_high = 2 * pen.word_px, 2 * pen.small_px
    style = Style(pen.word_px, theme.LINE, bold=bool(label.colour))
    if not label.detail or name_high + detail_high > room.height:
        canvas.text(label.name, room, style, align=LEFT)
        return
    upper = Rect(room.left, room.centery - (name_high + detail_high) // 2, room.width, name_high)
    canvas.text(label.name, upper, style, align=LEFT)
    below = Rect(room.left, upper.bottom, room.width, detail_high)
    canvas.text(label.detail, below, Style(pen.small_px, FAINT), align=LEFT)


def _value(canvas: Canvas, told: str, cell: Rect, pen: Pen) -> None:
    room = Rect(cell.right + pen.small_px, cell.top, pen.value_px - pen.small_px, cell.height)
    canvas.text(told, room, Style(pen.word_px, theme.LINE, bold=True), align=RIGHT)


def _axis(area: Rect, reach: float, most: float = math.inf) -> Axis:
    """Return an axis from 0 to the next round number after `reach`, at most `most`."""
    power = 10.0 ** math.floor(math.log10(max(reach, 1e-3)))
    end = next(step * power for step in (*_STEPS, 10) if step * power >= reach * 0.999)
    return Axis(area.left, area.right, 0, min(end, most))


def _grid(canvas: Canvas, axis: Axis, area: Rect, pen: Pen, unit: str = "", *, percent: bool = False) -> None:
    power = 10.0 ** math.floor(math.log10(axis.most) + 1e-9)
    parts = _STEPS.get(round(axis.most / power, 1), 5)
    style, high = Style(pen.small_px, FAINT), 2 * pen.small_px
    right = 0
    for number in range(parts + 1):
        value = axis.most * number / parts
        x = axis.at(value)
        canvas.line((x, area.top), (x, area.bottom), RULE, 1)
        words = f"{100 * value:.0f}{pen.signs.percent}" if percent else f"{value:.3g}".replace(".", pen.signs.point)
        wide = theme.text_width(words, style) + 2
        if x - wide // 2 > right:
            canvas.text(words, Rect(x - wide // 2, area.bottom + 4, wide, high), style, align=CENTRE)
            right = x + wide // 2 + pen.small_px // 2
    room = Rect(area.right + 2 * pen.small_px, area.bottom + 4, 8 * pen.small_px, high)
    canvas.text(unit, room, style, align=LEFT)
