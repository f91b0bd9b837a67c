"""Draws the list of past matches."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from pygame import Rect

from companion.core.place import HOUSE
from companion.display import cut, theme
from companion.display.canvas import LEFT, RIGHT, Canvas, Target, if_it_fits
from companion.display.frame import PastMatch, PastMatches
from companion.display.layout import Layout
from companion.display.theme import Style

LEAST_SHARE: Final = 0.42  # capitals of dates and hints / of a strip's name

CAP_SHARE: Final = 0.5  # the capitals of names, if there is room

NARROW_CAPS: Final = 15  # in heights of capitals; in a narrower room other players are below the winner

OLDER_KEY: Final = "8"
NEWER_KEY: Final = "9"


def draw(canvas: Canvas, page: PastMatches, rect: Rect, plan: Layout) -> None:
    unit_px = plan.unit_px
    title, room = cut.top(rect, round(unit_px * (1.2 if plan.large else 1.06)))
    style = Style(round(min(plan.cap_px * 0.62, unit_px * 0.7)), theme.TEXT, bold=True)
    canvas.text(page.title, title, if_it_fits(page.title, title.width, style, round(unit_px * 0.62)))
    foot, room = cut.bottom(room, round(unit_px * (0.95 if rect.width > NARROW_CAPS * unit_px else 1.6)))
    _foot(canvas, page, foot, plan)
    high, gap = min(round(unit_px * 1.9), room.height // 7), max(3, unit_px // 12)
    for number, line in enumerate(page.lines, 1):
        cell, room = cut.top(room, high - gap, gap)
        _Line(canvas, line, cell, plan, chosen=str(number) == page.selected).draw(number)


def _foot(canvas: Canvas, page: PastMatches, rect: Rect, plan: Layout) -> None:
    style = Style(ceil(plan.cap_px * LEAST_SHARE), theme.TEXT, bold=True)
    gap = plan.unit_px // 3
    for words, key, cut_off in ((page.older, OLDER_KEY, cut.left), (page.newer, NEWER_KEY, cut.right)):
        if not words:
            continue
        box, rect = cut_off(rect, theme.text_width(words, style) + gap, gap)
        box = box.inflate(0, -rect.height // 4)
        ink, on = (theme.LINE, theme.LIT) if key == page.selected else (theme.TEXT, theme.PANEL)
        box = box.inflate(0, min(0, round(style.cap_px * 1.9) - box.height))
        canvas.panel(box, on)
        canvas.text(words, box, style._replace(colour=ink), on=on)
        canvas.targets.append(Target(box, HOUSE, key))
    canvas.lines(page.hint, rect, style._replace(colour=theme.FAINT, bold=False))


class _Line:
    """A line: number, drawing, names, signs and date."""

    def __init__(self, canvas: Canvas, line: PastMatch, cell: Rect, plan: Layout, *, chosen: bool) -> None:
        self.canvas, self.line, self.cell = canvas, line, cell
        self.cap_px, self.unit_px = plan.cap_px, plan.unit_px
        self.ink, self.on = (theme.LINE, theme.LIT) if chosen else (theme.TEXT, theme.PANEL)
        self.faint = self.ink if chosen else theme.FAINT
        self.gold = self.ink if chosen else theme.LIT
        self.two_rows = cell.width < NARROW_CAPS * self.unit_px and cell.height >= round(self.unit_px * 1.2)

    def draw(self, number: int) -> None:
        canvas, cell, unit_px = self.canvas, self.cell, self.unit_px
        canvas.panel(cell, self.on)
        canvas.targets.append(Target(cell, HOUSE, str(number)))
        digit, _ = cut.left(cell, round(unit_px * 0.8))
        canvas.text(str(number), digit, Style(ceil(self.cap_px * 0.48), self.ink, bold=True), on=self.on)
        side = min(cell.height - 4, round(unit_px * 1.3))
        left = digit.right
        if self.line.emblem:
            icon = Rect(left, cell.centery - side // 2, side, side)
            canvas.picture(self.line.emblem, icon, theme.INKS["sky"], on=self.on)
        left += side + unit_px // 5
        right = self._signs(cell.right - unit_px // 5, min(side, round(unit_px * 0.8)))
        rows = Rect(left, cell.top, right - left, cell.height)
        if self.two_rows and self.line.winners:
            upper = Rect(left, cell.top + cell.height // 16, rows.width, cell.height * 7 // 16)
            self._names(self._date(upper), self.line._replace(others=()))
            self._names(upper.move(0, upper.height), self.line._replace(winners=()))
        else:
            self._names(self._date(rows), self.line)

    def _date(self, room: Rect) -> Rect:
        style = Style(ceil((self.unit_px if self.two_rows else self.cap_px) * LEAST_SHARE), self.faint)
        place, rest = cut.right(room, theme.text_width(self.line.when, style), self.unit_px // 4)
        self.canvas.text(self.line.when, place, style, align=RIGHT, on=self.on)
        return rest

    def _signs(self, right: int, side: int) -> int:
        for sign in self.line.signs:
            room = Rect(right - side, self.cell.centery - side // 2, side, side)
            colour = theme.CHIP if sign == "wrench" else self.faint
            self.canvas.picture(sign, room, colour, on=self.on)
            right = room.left - self.unit_px // 6
        return right

    def _names(self, room: Rect, line: PastMatch) -> None:
        """Write the winners with the trophy, then as many others as fit."""
        canvas = self.canvas
        usual, size = (
            max(min(round(cap_px * CAP_SHARE), round(room.height * 0.62)), ceil(self.unit_px * LEAST_SHARE))
            for cap_px in (self.unit_px, self.cap_px)
        )
        plain = Style(size, self.ink)
        if line.note:
            faint = if_it_fits(line.note, room.width, Style(size, self.faint), usual)
            canvas.text(line.note, room, faint, align=LEFT, on=self.on)
            return
        if line.winners:
            cup, room = cut.left(room, min(room.height, round(usual * 1.7)), 4)
            canvas.picture("cup_trophy", cup, self.gold, on=self.on)
            bold = Style(usual, self.gold, bold=True)
            said = _as_many(line.winners, room.width, bold)
            # Larger names must not leave out a winner.
            bold = if_it_fits(said, room.width, bold._replace(cap_px=size), usual)
            drawn = canvas.text(said, room, bold, align=LEFT, on=self.on)
            _, room = cut.left(room, drawn.width, size)
        canvas.text(_as_many(line.others, room.width, plain), room, plain, align=LEFT, on=self.on)


def _as_many(names: Sequence[str], width: int, style: Style) -> str:
    for count in range(len(names), 0, -1):
        more = len(names) - count
        said = ", ".join(names[:count]) + (f" +{more}" if more else "")
        if theme.text_width(said, style) <= width:
            return said
    return f"+{len(names)}" if names else ""
