"""Draws the score of a match: a line for each seat, or a column if only the end is known."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.display import theme, widgets
from companion.display.canvas import LEFT, RIGHT, Canvas, lines_height
from companion.display.frame import Chart, Curve
from companion.display.theme import Colour, Style

GRID: Final[Colour] = (0xD9, 0xD2, 0xBF)

MARK: Final = 6  # the mark at the end of a line, in thicknesses of the line


class _Axis(NamedTuple):
    """The area of the lines, with the scores at its bottom and top."""

    area: Rect
    low: int
    high: int

    def y(self, value: int) -> int:
        return self.area.bottom - round(self.area.height * (value - self.low) / max(1, self.high - self.low))


def draw(canvas: Canvas, chart: Chart, rect: Rect, cap_px: int) -> None:
    """Draw a chart on paper."""
    canvas.panel(rect, theme.PAPER, cap_px // 2)
    inside = rect.inflate(-cap_px, -cap_px)
    style = Style(cap_px, theme.LINE, bold=True)
    rows = lines_height(chart.what, inside.width, style)
    title = Rect(inside.left, inside.top, inside.width, max(rows, round(cap_px * 1.5)))
    canvas.lines(chart.what, title, style, align=LEFT, on=theme.PAPER)
    values = [value for curve in chart.curves for value in curve.values if value is not None]
    low, high = min(0, *values), max(values)
    style = Style(round(cap_px * 1.2), theme.LINE)
    digits = max(theme.text_width(str(value), style) for value in (low, high))
    thick = max(3, cap_px // 4)
    area = Rect(inside.left + digits + cap_px // 2, title.bottom + cap_px, 0, 0)
    area.width = inside.right - area.left - MARK * thick * 3 // 2
    area.height = inside.bottom - area.top - cap_px // 2
    axis = _Axis(area, low, high)
    shown = (low, high) if area.height > 2 * style.cap_px else (high,)
    for value in dict.fromkeys(shown):
        y = axis.y(value)
        canvas.line((area.left, y), (inside.right, y), GRID, 2)
        label = Rect(inside.left, y - cap_px, digits, 2 * cap_px)
        canvas.text(str(value), label, style, align=RIGHT, on=theme.PAPER)
    if any(len(_points(curve, axis)) > 1 for curve in chart.curves):
        _lines(canvas, chart, axis, thick)
    else:
        _columns(canvas, chart, axis, cap_px)


def mark(canvas: Canvas, curve: Curve, rect: Rect) -> None:
    canvas.box(rect, theme.PAPER, rect.width // 4)
    _mark(canvas, curve, rect.center, round(rect.width * 0.74))


def _mark(canvas: Canvas, curve: Curve, at: tuple[int, int], size_px: int) -> None:
    colour = widgets.known_colour(curve.colour, curve.seat)
    widgets.mark(canvas, theme.MARKS[colour], at, size_px, theme.INKS[colour])


def _ink(curve: Curve) -> Colour:
    return theme.INKS[widgets.known_colour(curve.colour, curve.seat)]


def _points(curve: Curve, axis: _Axis) -> list[tuple[int, int]]:
    step = axis.area.width / max(1, len(curve.values) - 1)
    return [
        (axis.area.left + round(place * step), axis.y(value))
        for place, value in enumerate(curve.values)
        if value is not None
    ]


def _lines(canvas: Canvas, chart: Chart, axis: _Axis, thick: int) -> None:
    """Draw the lines as steps. The marks at their ends do not overlap."""
    curves = {curve: _points(curve, axis) for curve in chart.curves if _points(curve, axis)}
    size = MARK * thick
    ordered = sorted(curves, key=lambda curve: curves[curve][-1][1])
    heights = _apart([curves[curve][-1][1] for curve in ordered], size, axis.area.bottom)
    x = axis.area.right + size
    for curve, y in zip(ordered, heights, strict=True):
        points = curves[curve]
        steps = points[:1]
        for point in points[1:]:
            steps += [(point[0], steps[-1][1]), point]
        steps.append((x, y))
        pygame.draw.lines(canvas.surface, canvas.tone(theme.LINE), False, steps, thick + 2)
        pygame.draw.lines(canvas.surface, canvas.tone(_ink(curve)), False, steps, thick)
    for curve, y in zip(ordered, heights, strict=True):
        _mark(canvas, curve, (x, y), size)


def _apart(heights: Sequence[int], size_px: int, lowest: int) -> list[int]:
    """Move sorted heights as little as possible to be `size_px` apart and not below `lowest`."""
    moved: list[int] = []
    for height in heights:
        moved.append(max(height, moved[-1] + size_px) if moved else height)
    limit = lowest
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], limit)
        limit = moved[place] - size_px
    return moved


def _columns(canvas: Canvas, chart: Chart, axis: _Axis, cap_px: int) -> None:
    wide = axis.area.width // len(chart.curves)
    for place, curve in enumerate(chart.curves):
        points = _points(curve, axis)
        if not points:
            continue
        bar = Rect(axis.area.left + place * wide, points[-1][1], wide, axis.area.bottom - points[-1][1])
        bar = bar.inflate(-wide // 3, 0)
        for colour, line_px in ((_ink(curve), 0), (theme.LINE, 2)):
            top = {"border_top_left_radius": 4, "border_top_right_radius": 4}
            pygame.draw.rect(canvas.surface, canvas.tone(colour), bar, line_px, **top)
        size = round(min(bar.width * 0.9, cap_px * 1.6))
        _mark(canvas, curve, (bar.centerx, bar.bottom - size * 3 // 4), size)
