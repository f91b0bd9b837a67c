"""Draws a page of statistics: measurements on paper, or a list of the games played."""

from collections.abc import Sequence
from math import ceil
from typing import Final, cast

from pygame import Rect

from companion.core.place import HOUSE
from companion.display import cut, plots, theme
from companion.display.canvas import LEFT, RIGHT, Canvas, Target, if_it_fits, lines_height
from companion.display.layout import Layout
from companion.display.plots import Pen
from companion.display.rows import CloseCall, GamePlayed, Label, Share, StatsPage, Times
from companion.display.theme import Style

LEAST_SHARE: Final = 0.42  # capitals of small text / of a strip's name

WORD_SHARE: Final = 0.48  # the same for names and values

LABEL_MOST: Final = 0.4  # largest share of a row for its name

PLOT_LEAST: Final = 0.4
"""Names and values are large only if this share of a row remains between them."""

NARROW_CAPS: Final = 15  # in heights of capitals; in a narrower room names are above their rows

BACK_KEY: Final = "4"
ON_KEY: Final = "6"


def draw(canvas: Canvas, page: StatsPage, rect: Rect, plan: Layout) -> None:
    """Draw the page. A touch of its left or right half turns the page."""
    for half, key in zip(cut.equal(rect, 2), (BACK_KEY, ON_KEY), strict=True):
        canvas.targets.append(Target(half, HOUSE, key))
    title, room = cut.top(rect, round(plan.unit_px * (1.32 if plan.large else 1.05)))
    _title(canvas, page, title, plan)
    faint = Style(ceil(plan.cap_px * LEAST_SHARE), theme.FAINT)
    gap = plan.unit_px // 8
    note_high = lines_height(page.note, rect.width, faint) + gap if page.note else 0
    _, room = cut.bottom(room, note_high, gap)
    if isinstance(page.rows[0], GamePlayed):
        drawn = _games(canvas, cast(Sequence[GamePlayed], page.rows), room, plan)
    else:
        drawn = _paper(canvas, page, room, plan)
    # Descenders reach below its lines.
    canvas.lines(page.note, Rect(rect.left, drawn.bottom + gap, rect.width, note_high - gap // 2), faint)


def _title(canvas: Canvas, page: StatsPage, rect: Rect, plan: Layout) -> None:
    dot = max(4, plan.unit_px // 8)
    step = 3 * dot
    dots, words = cut.right(rect, page.of * step, step)
    for number in range(page.of):
        centre = (dots.left + number * step + step // 2, rect.centery)
        now = number == page.page - 1
        canvas.disc(centre, dot + 1 if now else dot - 1, theme.LIT if now else theme.FAINT)
    style = Style(round(plan.cap_px * 0.62), theme.TEXT, bold=True)
    style = if_it_fits(page.title, words.width, style, round(plan.unit_px * 0.62))
    canvas.text(page.title, words, style, align=LEFT)


# --- Paper ------------------------------------------------------------------------------------------------


def _paper(canvas: Canvas, page: StatsPage, room: Rect, plan: Layout) -> Rect:
    """Draw the rows on paper and return the paper's area."""
    padding = round(plan.unit_px * 0.4)
    wide = room.width - 2 * padding
    pen = _pen(page, wide, plan)
    if wide - pen.label_px - pen.value_px < PLOT_LEAST * wide:
        pen = _pen(page, wide, plan.usual)
    wanted = len(page.rows) * pen.row_px + plots.foot_px(pen) + padding
    paper = Rect(room.left, room.top, room.width, min(room.height, wanted))
    canvas.panel(paper, theme.PAPER, plan.unit_px // 3)
    inside = paper.inflate(-2 * padding, -padding)
    outside = canvas.on
    canvas.stands_on(theme.PAPER)
    first = page.rows[0]
    if isinstance(first, Share):
        plots.shares(canvas, cast(Sequence[Share], page.rows), inside, pen)
    elif isinstance(first, Times):
        plots.times(canvas, cast(Sequence[Times], page.rows), inside, pen)
    else:
        plots.close(canvas, cast(Sequence[CloseCall], page.rows), inside, pen)
    canvas.on = outside
    return paper


def _pen(page: StatsPage, width: int, plan: Layout) -> Pen:
    unit_px = plan.unit_px
    word, small = ceil(plan.cap_px * WORD_SHARE), ceil(plan.cap_px * LEAST_SHARE)
    mark = round(unit_px * 0.7)
    pen = Pen(
        word, small, 0, 0, round(unit_px * 2.6), mark, max(5, unit_px // 8), max(6, unit_px // 7), signs=page.signs
    )
    labels = [label for row in page.rows for label in _labels(row)]
    bold = Style(word, bold=True)
    value = max(theme.text_width(_told(row), bold) for row in page.rows) + 2 * small
    if isinstance(page.rows[0], CloseCall):
        name = max(theme.text_width(label.name, Style(small + 1, bold=True)) for label in labels) + small + 2
        return pen._replace(label_px=min(round(width * LABEL_MOST), name), value_px=value)
    if width < NARROW_CAPS * unit_px:
        return pen._replace(label_px=2 * small, value_px=2 * small, head_px=2 * word)
    name = max(theme.text_width(label.name, bold) for label in labels)
    detail = max(theme.text_width(label.detail, Style(small)) for label in labels)
    marked = mark + small if labels[0].colour else 0
    return pen._replace(
        label_px=min(round(width * LABEL_MOST), max(name, detail) + marked + small + 2), value_px=value
    )


def _labels(row: GamePlayed | Share | Times | CloseCall) -> tuple[Label, ...]:
    if isinstance(row, CloseCall):
        return row.labels
    assert isinstance(row, Share | Times)
    return (row.label,)


def _told(row: GamePlayed | Share | Times | CloseCall) -> str:
    assert isinstance(row, Share | Times | CloseCall)
    return f"{row.told} {row.judged}".strip() if isinstance(row, CloseCall) else row.told


# --- What was played --------------------------------------------------------------------------------------


def _fit(rows: Sequence[GamePlayed], width: int, cap_px: int) -> bool:
    name, small = Style(round(cap_px * 0.55), bold=True), Style(ceil(cap_px * LEAST_SHARE))
    said = [(name, row.title, row.matches) for row in rows] + [(small, row.time, row.each) for row in rows]
    return all(theme.text_width(one, style) + theme.text_width(other, style) <= width for style, one, other in said)


def _games(canvas: Canvas, rows: Sequence[GamePlayed], room: Rect, plan: Layout) -> Rect:
    """Draw a line for each game and return the area."""
    inner_px = room.width - round(plan.unit_px * 2.5)
    unit_px, cap_px = plan.unit_px, plan.cap_px if _fit(rows, inner_px, plan.cap_px) else plan.unit_px
    high = min(round(unit_px * 2.4), room.height // len(rows))
    listed, _ = cut.top(room, high * len(rows))
    for row, line in zip(rows, cut.equal(listed, len(rows), upright=True), strict=True):
        cell = line.inflate(0, -unit_px // 8)
        canvas.panel(cell, theme.PANEL)
        side = min(cell.height - unit_px // 8, round(unit_px * 1.5))
        icon = cut.sized(side, side, midleft=(cell.left + unit_px // 6, cell.centery))
        if row.emblem:
            canvas.picture(row.emblem, icon, theme.INKS["sky"], on=theme.PANEL)
        inside = Rect(icon.right + unit_px // 4, cell.top, cell.right - icon.right - unit_px // 2, cell.height)
        upper = Rect(inside.left, inside.centery - round(unit_px * 0.85), inside.width, round(unit_px * 0.9))
        below = Rect(inside.left, upper.bottom, inside.width, round(unit_px * 0.8))
        small = Style(ceil(cap_px * LEAST_SHARE), theme.FAINT)
        many = Style(round(cap_px * 0.55), theme.LIT, bold=True)
        count, name = cut.right(upper, theme.text_width(row.matches, many), unit_px // 4)
        canvas.text(row.title, name, Style(round(cap_px * 0.55), theme.TEXT, bold=True), align=LEFT, on=theme.PANEL)
        canvas.text(row.matches, count, many, align=RIGHT, on=theme.PANEL)
        each, time = cut.right(below, theme.text_width(row.each, small), unit_px // 4)
        canvas.text(row.time, time, small, align=LEFT, on=theme.PANEL)
        canvas.text(row.each, each, small, align=RIGHT, on=theme.PANEL)
    return listed
