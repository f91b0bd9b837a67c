"""Draws a photo finish: each seat's lane and presses, and the margin."""

from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.core.units import MS
from companion.display import cut, theme, widgets
from companion.display.canvas import LEFT, LINE_SHARE, Canvas
from companion.display.frame import PhotoFinish, PressKind, PressLine
from companion.display.theme import Colour, Style

# Milliseconds between two marks of the scale.
STEPS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)

TIE: Final[Colour] = (0x6B, 0x53, 0x1A)  # where presses tie

FLOOR: Final[Colour] = (0x18, 0x1E, 0x25)  # the ground of the lanes

TEXT_HIGH: Final = 1.65  # height of a line of text / height of its capitals

NARROW: Final = 12  # in heights of capitals; in a narrower room names are above their lanes


class _Scale:
    """Milliseconds on a line of pixels, with a mark at each `step`. A false start may be outside."""

    def __init__(self, photo: PhotoFinish, rect: Rect, label_px: int) -> None:
        counted = [line for line in photo.presses if line.kind != PressKind.EARLY]
        first = min((line.after_ns - line.uncertainty_ns for line in counted), default=0) / MS
        last = max((line.after_ns + line.uncertainty_ns for line in counted), default=0) / MS
        last = max(last, photo.tie_margin_ns / MS, 1.0)
        self._left, self._width = rect.left, rect.width
        self.least = min(0.0, first) - (last - first) * 0.06
        self.most = last + (last - self.least) * 0.04
        labels = max(1, rect.width // label_px)
        self.step = next((step for step in STEPS if (self.most - self.least) / step <= labels), STEPS[-1])

    def at(self, time_ms: float) -> int:
        share = (time_ms - self.least) / (self.most - self.least)
        return self._left + round(share * self._width)


def draw(canvas: Canvas, photo: PhotoFinish, rect: Rect, cap_px: int) -> None:
    """Draw a photo finish. Large text enlarges only what is written."""
    seats = list(dict.fromkeys(line.seat for line in photo.presses))
    narrow = _is_narrow(canvas, rect)
    number_px = ceil(cap_px * 0.5)
    scale_high = _scale_px(canvas, number_px)
    hint_high = scale_high if photo.hint else 0
    head = min(round(canvas.cap_px * (4.6 if narrow else 2.2)), rect.height // 3)
    lanes_high = rect.height - head - scale_high - hint_high
    high = min(round(cap_px * (3.0 if narrow else 1.9)), lanes_high // len(seats))
    spare = (lanes_high - high * len(seats)) // 3
    top = Rect(rect.left, rect.top + spare, rect.width, head)
    lanes = Rect(rect.left, top.bottom + spare, rect.width, high * len(seats))
    (_narrow_head if narrow else _head)(canvas, photo, top, cap_px)
    _lanes(canvas, photo, lanes, seats, cap_px)
    if photo.hint:
        hint = Rect(rect.left, rect.bottom - hint_high - cap_px // 12, rect.width, hint_high)
        canvas.text(photo.hint, hint, Style(round(cap_px * 0.44), theme.FAINT))


def _scale_px(canvas: Canvas, cap_px: int) -> int:
    return round(cap_px * (1.35 if canvas.look.large_text else 1.7))


def _is_narrow(canvas: Canvas, rect: Rect) -> bool:
    return rect.width < NARROW * canvas.cap_px


def _margin(photo: PhotoFinish) -> str:
    return f"{_number(photo, photo.margin_ns / MS, '.1f')} ms"


def _number(photo: PhotoFinish, value: float, form: str) -> str:
    return f"{value:{form}}".replace(".", photo.point).replace("-", "−")


def _head(canvas: Canvas, photo: PhotoFinish, rect: Rect, cap_px: int) -> None:
    camera = cut.left(rect, rect.height)[0].inflate(-rect.height // 6, -rect.height // 6)
    canvas.picture("camera", camera, theme.FAINT)
    style = Style(min(round(canvas.cap_px * 1.25), round(rect.height * 0.62)), theme.LIT, bold=True)
    words = cut.after(rect, camera, cap_px // 4)
    wide = min(theme.text_width(_margin(photo), style), rect.width // 2)
    number, said = cut.left(words, wide, cap_px // 2)
    canvas.text(_margin(photo), number, style, align=LEFT)
    line_share = 1.3 if canvas.look.large_text else LINE_SHARE
    canvas.lines(photo.verdict, said, Style(round(cap_px * 0.56)), align=LEFT, line_share=line_share)


def _narrow_head(canvas: Canvas, photo: PhotoFinish, rect: Rect, cap_px: int) -> None:
    first, said = cut.top(rect, round(rect.height * 0.5))
    camera = cut.left(first, first.height)[0].inflate(-cap_px // 3, -cap_px // 3)
    canvas.picture("camera", camera, theme.FAINT)
    number = cut.after(first, camera, cap_px // 4)
    canvas.text(_margin(photo), number, Style(round(cap_px * 1.2), theme.LIT, bold=True))
    canvas.lines(photo.verdict, said, Style(round(cap_px * 0.56)))


def _lanes(canvas: Canvas, photo: PhotoFinish, rect: Rect, seats: list[Seat], cap_px: int) -> None:
    narrow = _is_narrow(canvas, rect)
    high = rect.height // len(seats)
    label_high = min(high // 2, round(cap_px * 1.3)) if narrow else high
    name_px, widest = _name_px(canvas, photo, rect, label_high, cap_px)
    label_wide = rect.width if narrow else label_high + widest + cap_px // 3
    left = rect.left if narrow else rect.left + label_wide
    lane_high = high - label_high if narrow else high - max(2, high // 16)
    rows = cut.equal(rect, len(seats), upright=True)
    lanes = [cut.bottom(cut.right(row, rect.right - left)[0], lane_high)[0] for row in rows]
    # A false start may be long before all others: it is at the edge, without a number.
    apart = round(lane_high * 1.2) if any(line.kind == PressKind.EARLY for line in photo.presses) else 0
    _, timed = cut.left(lanes[0].inflate(-high // 2, 0), apart)
    digit = Style(ceil(cap_px * 0.5), theme.FAINT)
    scale = _Scale(photo, timed, theme.text_width("0000", digit))
    for seat, lane, row in zip(seats, lanes, rows, strict=True):
        _ground(canvas, photo, lane, scale)
        label = Rect(row.topleft, (label_wide, label_high))
        pressed = [line for line in photo.presses if line.seat == seat]
        won = any(line.first for line in pressed)
        _label(canvas, photo, seat, label, Style(name_px, theme.LIT if won else theme.TEXT, bold=won))
        for line in pressed:
            _Pressed(photo, line, lane, scale).draw(canvas)
    _axis(canvas, photo, lanes[-1], scale, digit)


def _name_px(canvas: Canvas, photo: PhotoFinish, rect: Rect, label_high: int, cap_px: int) -> tuple[int, int]:
    """Return the capitals of names and the width of their column."""
    names = [line.name for line in photo.presses]

    def widest(name_px: int) -> int:
        return max(theme.text_width(name, Style(name_px, bold=True)) for name in names)

    least_px = ceil(canvas.cap_px * 0.5)
    name_px = min(round(cap_px * 0.8), max(least_px, round(label_high * (0.5 if canvas.look.large_text else 0.42))))
    most = rect.width * 0.36
    if not _is_narrow(canvas, rect) and widest(name_px) > most:
        name_px = max(least_px, int(name_px * most / widest(name_px)))
    return name_px, min(widest(name_px), rect.width * 2 // 5)


def _number_style(canvas: Canvas, lane_high: int) -> Style:
    cap_px, share = canvas.cap_px, 0.5 if canvas.look.large_text else 0.46
    px = max(ceil(cap_px * 0.42), min(round(cap_px * 0.66), round(lane_high * share)))
    return Style(px, theme.TEXT, bold=True)


def _ground(canvas: Canvas, photo: PhotoFinish, lane: Rect, scale: _Scale) -> None:
    canvas.box(lane, FLOOR)
    tie = Rect(scale.at(0), lane.top, scale.at(photo.tie_margin_ns / MS) - scale.at(0), lane.height)
    pygame.draw.rect(canvas.surface, TIE, tie)  # high contrast does not darken it, as it does dark grounds
    mark = theme.EDGE if canvas.look.high_contrast else theme.PANEL
    for x in _marks(scale):
        pygame.draw.line(canvas.surface, mark, (scale.at(x), lane.top), (scale.at(x), lane.bottom - 1), 2)
    _line(canvas, lane, scale.at(0), max(3, lane.height // 9))


def _label(canvas: Canvas, photo: PhotoFinish, seat: Seat, rect: Rect, style: Style) -> None:
    badge = cut.left(rect, rect.height)[0].inflate(-rect.height // 4, -rect.height // 4)
    colour = widgets.known_colour(photo.colours[seat], seat)
    canvas.box(badge, theme.PAPER, badge.width // 4)
    widgets.mark(canvas, theme.MARKS[colour], badge.center, round(badge.width * 0.72), theme.INKS[colour])
    name = cut.after(rect, badge, rect.height // 8)
    line = next(line for line in photo.presses if line.seat == seat)
    if line.badge:
        name, style = _badged(canvas, line, name, style)
    canvas.text(line.name, name, style, align=LEFT)


def _badged(canvas: Canvas, line: PressLine, room: Rect, style: Style) -> tuple[Rect, Style]:
    """Write a handicap beside or below a name. Return the name's room and style."""
    said = Style(ceil(canvas.cap_px * 0.5), theme.FAINT)
    wide, high = theme.text_width(line.badge, said) + 2, ceil(said.cap_px * TEXT_HIGH)
    if theme.text_width(line.name, style) + style.cap_px + wide <= room.width:
        badge, name = cut.right(room, wide)
        canvas.text(line.badge, badge, said, align=LEFT)
        return name, style
    name_px = min(style.cap_px, int((room.height - high) / TEXT_HIGH))
    if name_px < said.cap_px:
        return room, style  # the stripes still show it
    badge, name = cut.bottom(room, high)
    canvas.text(line.badge, badge, said, align=LEFT)
    return name, style._replace(cap_px=name_px)


def _marks(scale: _Scale) -> list[float]:
    return [number * scale.step for number in range(int(scale.most / scale.step) + 1)]


def _axis(canvas: Canvas, photo: PhotoFinish, lane: Rect, scale: _Scale, style: Style) -> None:
    foot = _scale_px(canvas, style.cap_px)
    for time_ms in _marks(scale):
        told = _number(photo, time_ms, "g")
        wide = theme.text_width(told, style) + 2
        label = Rect(scale.at(time_ms) - wide // 2, lane.bottom, wide, foot)
        canvas.text(told, label.clamp(Rect(lane.left, label.top, lane.width, foot)), style)


def _line(canvas: Canvas, track: Rect, x: int, wide: int) -> None:
    """Draw the chequered finishing line, which ends at the first press."""
    for row in range(-(-track.height // wide)):
        for column in (0, 1):
            colour = theme.PAPER if (row + column) % 2 else theme.LINE
            cell = Rect(x - 2 * wide + column * wide, track.top + row * wide, wide, wide)
            canvas.box(cell.clip(track), colour)


class _Pressed:
    """A press in its lane: its interval, and its delay after the first."""

    def __init__(self, photo: PhotoFinish, line: PressLine, lane: Rect, scale: _Scale) -> None:
        self.line, self.lane = line, lane
        is_told = line.kind != PressKind.EARLY and not (line.first and not line.after_ns)
        self.told = _number(photo, line.after_ns / MS, "+.1f") if is_told else ""
        self.ink = theme.INKS[widgets.known_colour(photo.colours[line.seat], line.seat)]
        at_ms, half_ms = line.after_ns / MS, line.uncertainty_ns / MS
        high = round(lane.height * 0.62)
        outside = line.kind == PressKind.EARLY  # at the edge
        self.middle = lane.left + high // 2 if outside else scale.at(at_ms)
        half = max(4, high // 6, 0 if outside else scale.at(at_ms + half_ms) - self.middle)
        self.bar = Rect(self.middle - half, lane.centery - high // 2, 2 * half, high).clip(lane)

        made = scale.at(at_ms - line.handicap_ns / MS)
        self.handicap = Rect(made, lane.centery - high // 6, self.middle - made, high // 3).clip(lane)

    def draw(self, canvas: Canvas) -> None:
        bar, radius = self.bar, max(2, min(self.bar.size) // 3)
        if self.line.handicap_ns:
            self._draw_handicap(canvas)
        canvas.box(bar.inflate(4, 4), theme.PAPER, radius)
        canvas.box(bar, self.ink, radius)
        canvas.line((self.middle, bar.top), (self.middle, bar.bottom - 1), theme.PAPER, 2)
        line, lane = self.line, self.lane
        sign = {PressKind.EARLY: "cross", PressKind.LATE: "clock"}.get(line.kind, "flag" if line.first else "")
        told, style = self.told, _number_style(canvas, lane.height)
        sign_px = round(lane.height * 0.7) if sign else 0
        wide = theme.text_width(told, style) if told else 0
        gap = max(5, lane.height // 7)
        left = bar.right + gap
        if left + gap + sign_px + wide > lane.right:
            left = bar.left - gap - sign_px - wide
        if left < lane.left:  # no room at the sides: draw on the lane's start, not on the name
            left = lane.left + gap
            canvas.box(Rect(lane.topleft, (sign_px + wide + 2 * gap, lane.height)), FLOOR)
        if sign:
            room = Rect(left, lane.centery - sign_px // 2, sign_px, sign_px)
            canvas.picture(sign, room, theme.LIT if line.kind == PressKind.CALL else theme.CHIP, on=FLOOR)
        if told:
            label = Rect(left + sign_px, lane.top, wide, lane.height)
            ground = label.inflate(gap, -lane.height // 3)  # the finishing line must not run through it
            canvas.box(ground, FLOOR, gap // 2)
            canvas.text(told, label, style, align=LEFT, on=FLOOR)

    def _draw_handicap(self, canvas: Canvas) -> None:
        """Draw stripes from where the press was made to where it counts."""
        canvas.box(self.handicap, theme.PAPER)
        wide = max(4, self.handicap.height // 2)
        for left in range(self.handicap.left, self.handicap.right, 2 * wide):
            stripe = Rect(left, self.handicap.top, wide, self.handicap.height).clip(self.handicap)
            canvas.box(stripe, self.ink)
