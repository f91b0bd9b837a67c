"""Draws a result: winner and reason, ranking, and a chart if there is room."""

from math import ceil

from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import LEFT, RIGHT, Canvas, if_it_fits, lines_height
from companion.display.frame import Result
from companion.display.layout import Layout, least_cap_px
from companion.display.pages import chart
from companion.display.theme import Style


def draw(canvas: Canvas, result: Result, rect: Rect, plan: Layout) -> None:
    cap_px = plan.cap_px
    wide = rect.width >= rect.height
    if not _has_room(result, rect.width, plan, wide=wide):
        result = result._replace(moment="")
    rest = _winner(canvas, result, rect, plan, wide=wide)
    style = Style(round(cap_px * 0.5), theme.FAINT)
    style = _on_as_few_lines(result.hint, rect.width, style, plan)
    _, rest = cut.bottom(rest, plan.unit_px // 8)
    hint, room = cut.bottom(rest, lines_height(result.hint, rect.width, style))
    canvas.lines(result.hint, hint, style)
    gap = plan.unit_px // (8 if plan.large or _is_tight(result) else 4)
    room = room.inflate(0, -2 * gap)
    listed, paper = _list_and_paper(result, room, gap, plan, wide=wide)
    _standings(canvas, result, listed, plan)
    if result.chart and paper:
        chart.draw(canvas, result.chart, paper, least_cap_px(cap_px))


def _list_and_paper(result: Result, room: Rect, gap: int, plan: Layout, *, wide: bool) -> tuple[Rect, Rect | None]:
    """Return the areas of the ranking and the chart, None without one."""
    if result.chart is None:
        return room, None
    if wide:
        paper, listed = cut.left(room, round(room.width * (0.28 if plan.large else 0.38)), gap)
        return listed, paper
    list_high = len(result.standings) * _row_high(plan.cap_px)
    paper_high = min(round(room.height * 0.42), room.height - list_high - gap)
    if paper_high < 3 * plan.cap_px:
        return room, None
    paper, listed = cut.top(room, paper_high, gap)
    return listed, paper


def _winner(canvas: Canvas, result: Result, rect: Rect, plan: Layout, *, wide: bool) -> Rect:
    """Draw winner, reason and best moment. Return the room below."""
    cap_px, cup_px = plan.cap_px, round(plan.unit_px * (1.6 if wide else 2.6 - 0.25 * plan.large))
    if _is_tight(result):
        cup_px = round(plan.unit_px * 1.25)
    cup = Rect(rect.left, rect.top, cup_px if wide else rect.width, cup_px)
    canvas.picture("cup_trophy", cup, theme.LIT)
    # Descenders and accents stay on its line.
    style = Style(min(cap_px, round(cup_px * (0.63 if wide else 0.75))), theme.LIT, bold=True)
    if wide:
        title = Rect(cup.right, rect.top, rect.width - 2 * cup_px, cup_px)
        canvas.text(result.title, title, style)
    else:
        title = Rect(rect.left, cup.bottom, rect.width, 0)
        title.height = min(lines_height(result.title, rect.width, style), rect.height // 6)
        canvas.lines(result.title, title, style)
    faint = _on_as_few_lines(result.reason, rect.width, Style(round(cap_px * 0.5), theme.FAINT), plan)
    reason, below = cut.top(cut.below(rect, title), lines_height(result.reason, rect.width, faint))
    canvas.lines(result.reason, reason, faint)
    if not result.moment:
        return below
    best = _on_as_few_lines(result.moment, rect.width, Style(round(cap_px * 0.5), theme.GOOD, bold=True), plan)
    if wide:
        best = if_it_fits(result.moment, rect.width, best, least_cap_px(cap_px))
    moment, below = cut.top(below, lines_height(result.moment, rect.width, best))
    canvas.lines(result.moment, moment, best)
    return below


def _has_room(result: Result, width: int, plan: Layout, *, wide: bool) -> bool:
    """Return True if the best moment leaves room for the ranking."""
    if plan.large:
        return len(result.standings) <= 3
    low = Style(least_cap_px(plan.cap_px), bold=True)
    return not wide or len(result.standings) <= 4 or theme.text_width(result.moment, low) <= width


def _is_tight(result: Result) -> bool:
    return bool(result.moment) and len(result.standings) > 3


def _on_as_few_lines(text: str, width: int, style: Style, plan: Layout) -> Style:
    """Return a style in which a text needs no more lines than in its usual size."""
    usual = style._replace(cap_px=style.cap_px * plan.unit_px // plan.cap_px)
    fewest = lines_height(text, width, usual) // lines_height("", width, usual)
    while style.cap_px > usual.cap_px and lines_height(text, width, style) > fewest * lines_height(
        "", width, style
    ):
        style = style._replace(cap_px=style.cap_px - 1)
    return style


def _row_high(cap_px: int) -> int:
    return round(cap_px * 1.36)


def _standings(canvas: Canvas, result: Result, room: Rect, plan: Layout) -> None:
    rows, cap_px = result.standings, plan.unit_px
    marks = {curve.seat: curve for curve in result.chart.curves} if result.chart else {}
    least_px = least_cap_px(plan.cap_px)
    high = min(round(cap_px * 2.4), room.height // len(rows))
    below = room.width < 13 * cap_px and high >= _row_high(cap_px)  # `how` is below the name
    name_high = round(high * 0.54) if below else high
    share = 0.55 if plan.large else 0.46
    size = min(plan.cap_px, max(round(name_high * share), ceil(cap_px * 0.48)))
    style = Style(least_px, theme.FAINT)
    how_wide = max(theme.text_width(row.how, style) for row in rows)
    side = min(round(high * 0.8), round(cap_px * 1.1))
    left = room.left + round(cap_px * 0.9) + side
    for row, line in zip(rows, cut.stack(room, len(rows), high), strict=True):
        ink = theme.LIT if row.place == 1 else theme.TEXT
        place, _ = cut.left(line, round(cap_px * 0.8))
        rank_px = min(size, cap_px * 5 // 6) if plan.large else size  # clear of its neighbours
        canvas.text(str(row.place), place, Style(rank_px, ink, bold=True))
        if row.seat in marks:
            chart.mark(canvas, marks[row.seat], Rect(place.right, line.centery - side // 2, side, side))
        _, words = cut.left(line, left - line.left + cap_px // 4)
        if below:
            name, how = cut.top(words, name_high)
        else:
            how, name = cut.right(words, how_wide, cap_px // 4)
        canvas.text(row.name, name, Style(size, ink, bold=row.place == 1), align=LEFT)
        canvas.text(row.how, how, style, align=LEFT if below else RIGHT)
