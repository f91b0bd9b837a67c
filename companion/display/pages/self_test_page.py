"""Draws the self-test in the centre, and the doctor's findings."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from pygame import Rect

from companion.core.place import HOUSE
from companion.display import cut, theme
from companion.display.canvas import LEFT, LINE_SHARE, Canvas, Target, lines_height
from companion.display.layout import LARGE, Layout, least_cap_px
from companion.display.pages.self_test_edges import DIM, OFF, draw_keypad, draw_sign
from companion.display.self_test_rows import Findings, Found, SelfTest, Tried
from companion.display.theme import Colour, Style

DONE: Final[Colour] = (0x1C, 0x4A, 0x33)  # a device that works

LEADING: Final = ("menu", "skip")  # the house controls that a hint's two sentences are about

GREYS: Final = tuple((level, level, level) for level in (0, 12, 24, 48, 80, 112, 144, 176, 208, 232, 244, 255))
"""From black to white: a badly adjusted screen shows neighbours alike."""


class _Sizes(NamedTuple):
    """The sizes of a page. `grown` is the size of all texts in percent."""

    cap_px: int
    wide: bool
    grown: int

    @property
    def small(self) -> Style:
        return Style(least_cap_px(self.cap_px) * self.grown // 100)

    @property
    def loud(self) -> Style:
        return Style(round(self.cap_px * 0.54 * self.grown / 100), theme.LIT, bold=True)


def _grown(canvas: Canvas) -> range:
    return range(round(100 * LARGE) if canvas.look.large_text else 100, 99, -5)


_Part = tuple[int, Callable[[Rect, _Sizes], None]]  # the height of a part and its painter


def board(canvas: Canvas, test: SelfTest, room: Rect, plan: Layout) -> None:
    for grown in _grown(canvas):
        sizes = _Sizes(plan.unit_px, room.width > room.height, grown)
        parts = _parts(canvas, test, room, sizes)
        if sum(high for high, _ in parts) <= room.height:
            break
    spare = room.height - sum(high for high, _ in parts)
    gap = max(0, min(spare // len(parts), plan.unit_px))
    top = room.top + max(0, spare - gap * (len(parts) - 1)) // 2
    for high, draw in parts:
        draw(Rect(room.left, top, room.width, high), sizes)
        top += high + gap


def _parts(canvas: Canvas, test: SelfTest, room: Rect, sizes: _Sizes) -> Sequence[_Part]:
    return (
        (_heard_high(test, room.width, sizes), partial(_heard, canvas, test)),
        (round(sizes.cap_px * (1.15 if sizes.wide else 3.2)), partial(_house, canvas, test)),
        (_instrument_rooms(test, room, sizes)[1].bottom - room.top, partial(_instruments, canvas, test)),
        (_glass_high(test, room.width, sizes), partial(_glass, canvas, test)),
        (_hint_high(test.hint, room.width, sizes), partial(_hint, canvas, test.hint)),
    )


def _hint_high(hint: Sequence[str], width: int, sizes: _Sizes) -> int:
    return sum(lines_height(row, width, sizes.small) for row in _hint_rows(hint, sizes))


def _hint_rows(hint: Sequence[str], sizes: _Sizes) -> Sequence[str]:
    return (" · ".join(hint),) if sizes.wide else hint


def _hint(canvas: Canvas, hint: Sequence[str], room: Rect, sizes: _Sizes) -> None:
    rows, left = _hint_rows(hint, sizes), room
    for row in rows:
        line, left = cut.top(left, lines_height(row, room.width, sizes.small))
        canvas.lines(row, line, sizes.small._replace(colour=theme.FAINT))
    touched = cut.equal(room, len(hint), upright=len(rows) > 1)
    for control, cell in zip(LEADING, touched, strict=True):
        canvas.targets.append(Target(cell, HOUSE, control))


def _heard_high(test: SelfTest, width: int, sizes: _Sizes) -> int:
    """Return room for the longest sentence, so that nothing moves at the next signal."""
    rows = 2 if sizes.wide else 4
    loud = round(rows * sizes.loud.cap_px * LINE_SHARE)
    if not test.troubles:
        return loud
    heard = lines_height(test.heard, width, sizes.small)
    wide = width - _sign_px(sizes)
    longest = max(lines_height(f"{trouble} +9", wide, sizes.small) for trouble in test.troubles)
    return max(loud, heard + longest)


def _sign_px(sizes: _Sizes) -> int:
    return sizes.cap_px if sizes.wide else 0


def _heard(canvas: Canvas, test: SelfTest, room: Rect, sizes: _Sizes) -> None:
    if not test.troubles:
        canvas.lines(test.heard, room, sizes.loud)
        return
    heard, below = cut.top(room, lines_height(test.heard, room.width, sizes.small))
    canvas.lines(test.heard, heard, sizes.small)
    aside = _sign_px(sizes)
    _, words = cut.left(below, aside)
    text = _fitting(test.troubles, words.width, words.height, sizes.small)
    draw_sign(canvas, Rect(room.left, words.centery - aside * 2 // 5, aside * 4 // 5, aside * 4 // 5), Tried.WRONG)
    canvas.lines(text, words, sizes.small._replace(colour=theme.LIT), align=LEFT)


def _fitting(sentences: Sequence[str], width: int, height: int, style: Style) -> str:
    for count in range(len(sentences), 1, -1):
        more = f" +{len(sentences) - count}" if count < len(sentences) else ""
        text = " · ".join(sentences[:count]) + more
        if lines_height(text, width, style) <= height:
            return text
    return sentences[0] + (f" +{len(sentences) - 1}" if sentences[1:] else "")


def _house(canvas: Canvas, test: SelfTest, room: Rect, sizes: _Sizes) -> None:
    has_pad = test.pad.keypad != Tried.ABSENT
    _, controls = cut.right(room, room.height if has_pad and sizes.wide else 0)
    places = cut.cells(controls, len(test.house), across=len(test.house) if sizes.wide else 3)
    gap = max(2, sizes.cap_px // 10)
    for cell, (control, tried) in zip(places, test.house, strict=True):
        _control(canvas, cell.inflate(-gap, -gap), control, tried, sizes)
    if has_pad:
        side = places[0].height - gap
        pad = Rect(room.right - side - gap, room.bottom - side - gap // 2, side, side)
        draw_keypad(canvas, pad, test.pad)


def _control(canvas: Canvas, cell: Rect, control: str, tried: Tried, sizes: _Sizes) -> None:
    there = tried != Tried.ABSENT
    on = DONE if tried == Tried.WORKS else theme.PANEL if there else theme.BACKGROUND
    canvas.panel(cell, on, outline=None if there else DIM)
    canvas.text(
        control, cell.inflate(-4, 0), sizes.small._replace(colour=theme.TEXT if there else theme.FAINT), on=on
    )
    size_px = round(sizes.cap_px * 0.5)
    sign = Rect(cell.right - size_px * 2 // 3, cell.top - size_px // 3, size_px, size_px)
    draw_sign(canvas, sign, tried)


def _columns(room: Rect, sizes: _Sizes) -> tuple[Rect, Rect]:
    """Split a room in two. The right part is wider."""
    gap = sizes.cap_px // 4
    return cut.left(room, round((room.width - gap) * 0.44), gap)


def _instrument_rooms(test: SelfTest, room: Rect, sizes: _Sizes) -> tuple[Rect, Rect]:
    sound, clock = _columns(room, sizes) if sizes.wide else (room.copy(), room.copy())
    least = round(sizes.cap_px * 1.4)
    sound.height = max(least, lines_height(test.sound[1], _words(sound, sizes).width, sizes.small))
    said = lines_height(test.stamps[1], _words(clock, sizes).width, sizes.small)
    clock.height = max(least, said + _head_px(sizes))
    if sizes.wide:
        sound.height = clock.height = max(sound.height, clock.height)
    else:
        clock.top = sound.bottom + sizes.cap_px // 8
    return sound, clock


def _head_px(sizes: _Sizes) -> int:
    return round(sizes.cap_px * 0.72)


def _words(room: Rect, sizes: _Sizes) -> Rect:
    return cut.left(room, round(sizes.cap_px * 1.6))[1]


def _instruments(canvas: Canvas, test: SelfTest, room: Rect, sizes: _Sizes) -> None:
    sound, clock = _instrument_rooms(test, room, sizes)
    _instrument(canvas, "loudspeaker", test.sound[0], sound, sizes)
    _said(canvas, test.sound, _words(sound, sizes), sizes)
    _instrument(canvas, "clock", test.stamps[0], clock, sizes)
    head, rest = cut.top(_words(clock, sizes), _head_px(sizes))
    canvas.text(test.wall, head, Style(round(sizes.cap_px * 0.5), theme.TEXT, bold=True), align=LEFT)
    _said(canvas, test.stamps, rest, sizes)


def _instrument(canvas: Canvas, picture: str, tried: Tried, room: Rect, sizes: _Sizes) -> None:
    side = round(sizes.cap_px * 1.4)
    icon = cut.sized(side, side, midleft=room.midleft)
    canvas.picture(picture, icon, OFF if tried == Tried.ABSENT else theme.INKS["sky"])
    size_px = side * 2 // 5
    draw_sign(canvas, cut.sized(size_px, size_px, bottomright=icon.bottomright), tried)


def _said(canvas: Canvas, state: tuple[Tried, str], room: Rect, sizes: _Sizes) -> None:
    tried, text = state
    colour = theme.LIT if tried in {Tried.WRONG, Tried.WEAK} else theme.TEXT
    canvas.lines(text, room, sizes.small._replace(colour=colour), align=LEFT)


def _glass_high(test: SelfTest, width: int, sizes: _Sizes) -> int:
    if sizes.wide:
        look, _ = _columns(Rect(0, 0, width, 0), sizes)
        return max(sizes.cap_px, lines_height(test.look, look.width, sizes.small))
    return sizes.cap_px + lines_height(test.look, width, sizes.small)


def _glass(canvas: Canvas, test: SelfTest, room: Rect, sizes: _Sizes) -> None:
    """Draw the smallest text, all greys and all colours."""
    look, bars = _columns(room, sizes)
    bars = bars.inflate(0, -sizes.cap_px // 8)
    if not sizes.wide:
        bars, look = cut.bottom(room, round(sizes.cap_px * 0.8))
    canvas.lines(test.look, look, sizes.small, align=LEFT)
    for line, colours in zip(cut.cells(bars, 2), (GREYS, tuple(theme.INKS.values())), strict=True):
        for colour, cell in zip(colours, cut.columns(line, len(colours)), strict=True):
            canvas.surface.fill(canvas.tone(colour), cell)


# --- What the doctor finds --------------------------------------------------------------------------------


def findings(canvas: Canvas, page: Findings, room: Rect, plan: Layout) -> None:
    """Draw one page of findings. With large text fewer fit."""
    cap_px = plan.unit_px
    for grown in _grown(canvas):
        sizes = _Sizes(cap_px, room.width > room.height, grown)
        gap = cap_px // 8
        title, below = cut.top(room, round(cap_px * 0.9), gap)
        _, below = cut.bottom(below, gap)
        foot, listed = cut.bottom(below, _hint_high(page.hint, room.width, sizes), gap)
        if all(_finding_high(row, room.width, sizes) <= listed.height for row in page.rows):
            break
    _hint(canvas, page.hint, foot, sizes)
    pages = _pages(page.rows, listed, sizes)
    number = page.page % len(pages) if pages else 0
    count = f"  {number + 1} / {len(pages)}" if len(pages) > 1 else ""
    canvas.text(f"{page.title}{count}", title, Style(round(cap_px * 0.62), theme.TEXT, bold=True))
    for row in pages[number] if pages else ():
        cell, listed = cut.top(listed, _finding_high(row, room.width, sizes))
        _finding(canvas, row, cell, sizes)


def _pages(rows: Sequence[Found], room: Rect, sizes: _Sizes) -> list[list[Found]]:
    pages: list[list[Found]] = []
    left = 0
    for row in rows:
        high = _finding_high(row, room.width, sizes)
        if not pages or high > left:
            pages.append([])
            left = room.height
        pages[-1].append(row)
        left -= high
    return pages


def _texts(row: Found) -> list[tuple[str, Colour]]:
    said = (row.said, theme.FAINT if row.tried == Tried.ABSENT else theme.TEXT)
    return [said, (row.remedy, theme.LIT)] if row.remedy else [said]


def _finding_high(row: Found, width: int, sizes: _Sizes) -> int:
    wide = width - sizes.cap_px
    return sum(lines_height(text, wide, sizes.small) for text, _ in _texts(row)) + sizes.cap_px // 4


def _finding(canvas: Canvas, row: Found, room: Rect, sizes: _Sizes) -> None:
    size_px = round(sizes.cap_px * 0.6)
    draw_sign(canvas, Rect(room.left, room.top, size_px, size_px), row.tried)
    _, words = cut.left(room, sizes.cap_px)
    for text, colour in _texts(row):
        said, words = cut.top(words, lines_height(text, words.width, sizes.small))
        canvas.lines(text, said, sizes.small._replace(colour=colour), align=LEFT)
