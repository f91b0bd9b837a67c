"""Draws the strips at the edges: each seat's name, note and score."""

import unicodedata
from functools import partial
from math import ceil
from typing import Final

from pygame import Rect

from companion.display import cut, scenes, theme
from companion.display.canvas import LEFT, LINE_SHARE, Canvas, lines_height
from companion.display.countdown import is_limited
from companion.display.frame import Frame, Play, Side
from companion.display.layout import Layout, least_cap_px
from companion.display.pages import self_test_edges, tape
from companion.display.self_test_rows import Findings, SelfTest
from companion.display.theme import Colour, Style

NOTE_SHARE: Final = 0.56  # capitals of a note / of a name

NAME_LINE_SHARE, LARGE_NAME_LINE_SHARE, LARGE_ACCENT_LINE_SHARE = 1.6, 1.28, 1.4
"""The line height of a name / its capitals, with room for accents. Large names are set tighter."""

ACCENT_SHARE: Final = 0.85  # top of an accent above the middle of its line / capital

LARGE_TAIL_SHARE: Final = 0.125  # descenders below a large note / a name's capitals

LARGE_SEAM_PX: Final = 2  # the gap around strips with large text


def rects(plan: Layout) -> tuple[Rect, ...]:
    """Return the strips' rectangles, separated by a dark seam."""
    seam_px = LARGE_SEAM_PX if plan.large else ceil(plan.cap_px / 8)
    return tuple(place.rect.inflate(-seam_px, -seam_px) for place in plan.strips)


def draw(canvas: Canvas, frame: Frame, plan: Layout) -> None:
    """Draw all strips, each turned towards its seat."""
    screen = frame.screen
    tested = screen.places if isinstance(screen, SelfTest | Findings) else ()
    for number, (side, place, rect) in enumerate(zip(frame.sides, plan.strips, rects(plan), strict=False)):
        if tested:
            room = self_test_edges.strip_room(place.rect, canvas.rect, plan.unit_px)
            test = partial(self_test_edges.strip, side=side, place=tested[number], cap_px=plan.unit_px)
            canvas.turned(room, place.turn, test, on=self_test_edges.ground(side, tested[number]))
            continue
        room = rect
        if number == 0 and isinstance(screen, Play) and screen.tape:
            room = tape.draw(canvas, screen.tape, rect, place.turn)
        on = _ground(side, limited=is_limited(frame, side.seat))
        canvas.turned(room, place.turn, partial(_paint, frame=frame, side=side, plan=plan), on=on)


def _ground(side: Side, *, limited: bool) -> Colour:
    if side.tone:
        return {"good": theme.GOOD, "bad": theme.CHIP, "nudge": theme.PAPER}[side.tone]
    if side.lit:
        return theme.LIT
    return theme.GLOW if limited else theme.PANEL


def _paint(canvas: Canvas, frame: Frame, side: Side, plan: Layout) -> None:
    bright = bool(side.lit or side.tone)
    ink = theme.LINE if bright else theme.TEXT
    if canvas.look.high_contrast and not bright:
        canvas.edge()
    inside = _inside(canvas.rect, plan)
    said = _note(side, inside.width, plan.cap_px)
    note = _note_room(said, inside, plan)
    head, _ = cut.top(inside, note.top - inside.top)
    rest = head
    if side.picture:
        icon, rest = cut.right(head, head.height)
        canvas.picture(side.picture, icon, theme.INKS["sky"] if side.name else theme.CHIP)
    if isinstance(frame.screen, Play) and side.seat is not None:
        # Numbers keep their usual size: long names need the room more.
        high = min(head.height, _usual_head_px(canvas.rect.height, note, plan)) if plan.large else head.height
        state = Rect(head.left, head.centery - high // 2, head.width, high)
        rest = scenes.draw_strip(canvas, state, frame.screen, side.seat, ink)
        rest = Rect(rest.left, head.top, rest.width, head.height)
    _name(canvas, side, rest, ink, plan)
    faint = ink if bright or is_limited(frame, side.seat) else theme.FAINT
    style = Style(round(plan.cap_px * NOTE_SHARE), faint)
    canvas.lines(said, note, style, align=LEFT, line_share=plan.line_share)


def _inside(strip: Rect, plan: Layout) -> Rect:
    cap_px = plan.cap_px
    left, above, below = cap_px // 4, cap_px // 16, cap_px // 7
    width = strip.width - cap_px // 2
    if plan.large:
        left, above, below = left // 2, 0, ceil(cap_px * LARGE_TAIL_SHARE)
        width = strip.width - 2 * left
    return Rect(left, above, width, strip.height - above - below)


def _name(canvas: Canvas, side: Side, room: Rect, ink: Colour, plan: Layout) -> None:
    cap_px = plan.cap_px
    # Accented capitals are higher.
    accents = any(letter.isupper() and unicodedata.decomposition(letter) for letter in side.name)
    large = LARGE_ACCENT_LINE_SHARE if accents else LARGE_NAME_LINE_SHARE
    share = large if plan.large else NAME_LINE_SHARE
    name_px = min(cap_px, max(cap_px // 2, int(room.height / share)))
    if side.tone == "nudge":
        room = _bell(canvas, room, theme.text_width(side.name, Style(name_px)), cap_px)
    if accents:  # otherwise the strip's edge would cut accents off
        room = room.move(0, max(0, ceil(name_px * ACCENT_SHARE - room.height / 2)))
    style = Style(name_px, ink)
    name, badge = cut.left(room, theme.text_width(f"{side.name} ", style))
    if side.badge and theme.text_width(side.badge, style) <= badge.width:
        canvas.text(side.badge, badge, style, align=LEFT)
        room = name
    canvas.text(side.name, room, style, align=LEFT)


def _bell(canvas: Canvas, rect: Rect, name_width: int, cap_px: int) -> Rect:
    wide = min(rect.height, max(round(cap_px * 0.6), min(cap_px, rect.width - name_width)))
    bell, rest = cut.left(rect, wide, cap_px // 10)
    canvas.picture("bell", bell, theme.CHIP)
    return rest


def _note(side: Side, width: int, cap_px: int) -> str:
    """Return the note, preceded by as many older sentences as fit."""
    said, style = side.note, Style(least_cap_px(cap_px))
    for sentence in reversed(side.older):
        longer = f"{sentence}. {said}"
        if lines_height(longer, width, style) > 2 * lines_height(sentence[:1], width, style):
            break
        said = longer
    return said


def _note_room(note: str, inside: Rect, plan: Layout) -> Rect:
    """Return the note's area: one line, or two lower ones.

    Usual text decides this for large text, too, so that name and numbers keep their size.
    """
    height, bottom = round(plan.cap_px * NOTE_SHARE * plan.line_share) if note else 0, inside.bottom
    if theme.text_width(note, Style(least_cap_px(plan.unit_px))) > inside.width:
        height = 2 * round(least_cap_px(plan.cap_px) * plan.line_share)
        bottom += plan.cap_px // 32 if plan.large else 0  # smaller letters have shorter descenders
    return Rect(inside.left, bottom - height, inside.width, height)


def _usual_head_px(strip_px: int, note: Rect, plan: Layout) -> int:
    """Return the height above the note with usual text."""
    cap_px = plan.unit_px
    lines = round(cap_px * NOTE_SHARE * LINE_SHARE) if note.height else 0
    if note.height > plan.cap_px:
        lines = 2 * round(least_cap_px(cap_px) * LINE_SHARE)
    free = ceil(cap_px / 8) + cap_px // 16 + cap_px // 7 + plan.spare_px - LARGE_SEAM_PX
    return strip_px - free - lines
