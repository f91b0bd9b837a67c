"""Draws a frame: the screens that are no game's, and the strips at the four edges."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from math import ceil
from typing import Any, Final, Protocol, cast

import pygame
from pygame import Rect

from companion.core.console import BUZZ
from companion.core.move import TABLE, Seat
from companion.display import (
    chart,
    generic_scene,
    help_page,
    paragraphs,
    past,
    photo_finish,
    self_test,
    stats_page,
    tape,
    theme,
)
from companion.display.canvas import LEFT, LINE_SHARE, RIGHT, Canvas, Target, lines_height
from companion.display.countdown import Countdown, is_limited
from companion.display.frame import (
    Beat,
    Findings,
    Frame,
    HelpPage,
    Look,
    Menu,
    PastMatches,
    Play,
    Poster,
    Result,
    SelfTest,
    Side,
)
from companion.display.layout import Glass, Layout, layout
from companion.display.motion import Flight
from companion.display.rows import StatsPage
from companion.display.theme import Colour, Style
from companion.games import load

LEAST_SHARE: Final = 0.4
"""No text's capitals are lower than this share of a name's: 8 minutes of arc, of which good eyes need 5."""

NOTE_SHARE: Final = 0.56
"""The capitals of a strip's note, as a share of those of a name."""

NAME_LINE_SHARE, LARGE_NAME_LINE_SHARE = 1.6, 1.28
"""The height of a name's line, as a share of its capitals: they may carry accents. Large ones stand closer."""

LARGE_SEAM_PX: Final = 2
"""How far strips with large text are from each other and from the edge of the display."""

LARGE_NOTE_LINE_SHARE: Final = 1.28
"""The height of a large note's lines, as a share of their capitals."""


class Scene(Protocol):
    """One game's scene module: functions of values, onto a canvas."""

    def centre(self, canvas: Canvas, plan: Layout, play: Play) -> None:
        """Draw what everybody watches into `plan.centre`."""

    def strip(self, canvas: Canvas, rect: Rect, play: Play, seat: Seat, ink: Colour) -> Rect:
        """Draw how a seat stands at the right of its strip; return what is left of it."""

    def flights(self, plan: Layout, before: Play, after: Play, look: Look) -> Sequence[Flight]:
        """Return the pieces that move from one picture of the centre to the next, in a look; () for none."""


@cache
def scene_of(game: str) -> Scene:
    """Return the scene of a game by its name; for a game that has none, the one that suits any."""
    name = load(game).scene
    return cast(Scene, import_module(name)) if name else generic_scene


def plan_of(size: tuple[int, int], frame: Frame, glass: Glass) -> Layout:
    """Return where everything of a frame goes; the centre keeps a little distance from the strips."""
    # The self-test tells in its strips as much as has room there.
    large = frame.look.large_text and not isinstance(frame.screen, SelfTest | Findings)
    plan = layout(size, max(1, len(frame.sides)), glass, large=large)
    plan = plan._replace(centre=plan.centre.inflate(-plan.unit_px // 6, -plan.unit_px // 6))
    return plan.thicker_strips if large else plan


def draw(canvas: Canvas, frame: Frame, glass: Glass = Glass()) -> None:  # noqa: B008  a value
    """Draw a whole frame."""
    canvas.look = frame.look
    canvas.fill(theme.BACKGROUND)
    plan = plan_of(canvas.rect.size, frame, glass)
    canvas.cap_px = plan.unit_px
    _draw_strips(canvas, frame, plan)
    screen = frame.screen
    if isinstance(screen, Poster | HelpPage | Result):
        canvas.targets.append(Target(plan.centre, TABLE, "ok"))
        canvas.targets += [Target(strip.rect, place, BUZZ) for place, strip in enumerate(plan.strips)]
    if isinstance(screen, Play):
        if screen.beat == Beat.FINISH and screen.finish:
            photo = screen.finish
            canvas.turned(
                plan.centre,
                plan.turn,
                lambda inner: photo_finish.draw(inner, photo, _page(inner, plan), plan.cap_px),
            )
        else:
            scene_of(screen.game).centre(canvas, plan.of_scene, screen)
    else:
        draw_centre = _PAINTERS[type(screen)]
        canvas.turned(plan.centre, plan.turn, lambda inner: draw_centre(inner, screen, plan))
    if isinstance(screen, SelfTest | Findings):
        self_test.rim(canvas, plan.unit_px)


def countdown_of(frame: Frame, size: tuple[int, int], glass: Glass, dark: pygame.Surface) -> Countdown | None:
    """Return the countdown of a frame on a display, and draw on `dark` what it needs; None without a time limit."""
    if frame.limit is None:
        return None
    plan = plan_of(size, frame, glass)
    unlit = tuple(side._replace(lit=False, tone="") for side in frame.sides)
    canvas = Canvas(dark, cap_px=plan.unit_px, look=frame.look)
    _draw_strips(canvas, frame._replace(sides=unlit, limit=None), plan)
    return Countdown.of(frame, _strip_rects(plan), dark)


def _strip_rects(plan: Layout) -> tuple[Rect, ...]:
    """Return the strips with a dark seam round each: it tells neighbours apart at one edge."""
    seam_px = LARGE_SEAM_PX if plan.large else ceil(plan.cap_px / 8)
    return tuple(place.rect.inflate(-seam_px, -seam_px) for place in plan.strips)


def _draw_strips(canvas: Canvas, frame: Frame, plan: Layout) -> None:
    screen = frame.screen
    tested = screen.places if isinstance(screen, SelfTest | Findings) else ()
    for number, (side, place, room) in enumerate(zip(frame.sides, plan.strips, _strip_rects(plan), strict=False)):
        rect, painter = room, _strip_painter(frame, side, plan)
        on = _strip_colour(side, limited=is_limited(frame, side.seat))
        if tested:
            rect = self_test.strip_room(plan.strips[number].rect, canvas.rect, plan.unit_px)
            painter = self_test.strip(side, tested[number], plan.unit_px, _least_px(plan.unit_px))
            on = self_test.ground(side, tested[number])
        elif number == 0 and isinstance(screen, Play) and screen.tape:
            rect = tape.draw(canvas, screen.tape, rect, place.turn)
        canvas.turned(rect, place.turn, painter, on=on)


def _strip_colour(side: Side, *, limited: bool) -> Colour:
    if side.tone:
        return {"good": theme.GOOD, "bad": theme.CHIP, "nudge": theme.PAPER}[side.tone]
    if side.lit:
        return theme.LIT
    return theme.GLOW if limited else theme.PANEL


def _strip_painter(frame: Frame, side: Side, plan: Layout) -> Callable[[Canvas], None]:
    cap_px, large = plan.cap_px, frame.look.large_text

    def paint(canvas: Canvas) -> None:
        ink = theme.LINE if side.lit or side.tone else theme.TEXT
        if canvas.look.high_contrast and not (side.lit or side.tone):
            canvas.edge()
        width, height = canvas.rect.size
        left, above, below = cap_px // 4, cap_px // 16, cap_px // 7
        if large:
            left, above, below = left // 2, 0, above
        inside = Rect(left, above, width - (left * 2 if large else cap_px // 2), height - above - below)
        said = _note(side, inside.width, cap_px)
        note = _note_room(said, inside, plan)
        head = Rect(inside.topleft, (inside.width, inside.height - note.height))
        play = frame.screen if isinstance(frame.screen, Play) else None
        rest = head
        if side.picture:
            icon = Rect(head.right - head.height, head.top, head.height, head.height)
            canvas.picture(side.picture, icon, theme.INKS["sky"] if side.name else theme.CHIP)
            rest = Rect(head.left, head.top, head.width - head.height, head.height)
        if play and side.seat is not None:
            # A long name needs the room more than numbers that are large already.
            high = min(head.height, _usual_head_px(canvas.rect.height, note, plan)) if large else head.height
            state = Rect(head.left, head.centery - high // 2, head.width, high)
            rest = scene_of(play.game).strip(canvas, state, play, side.seat, ink)
            rest = Rect(rest.left, head.top, rest.width, head.height)
        share = LARGE_NAME_LINE_SHARE if large else NAME_LINE_SHARE
        name_px = min(cap_px, max(cap_px // 2, int(head.height / share)))
        if side.tone == "nudge":
            rest = _bell(canvas, rest, theme.text_width(side.name, Style(name_px)), cap_px)
        bright = side.lit or side.tone or is_limited(frame, side.seat)
        faint = ink if bright else theme.FAINT
        canvas.text(side.name, rest, Style(name_px, ink), align=LEFT)
        line_share = LARGE_NOTE_LINE_SHARE if large else LINE_SHARE
        canvas.lines(said, note, Style(round(cap_px * NOTE_SHARE), faint), align=LEFT, line_share=line_share)

    return paint


def _bell(canvas: Canvas, rect: Rect, name_width: int, cap_px: int) -> Rect:
    """Draw a bell before a name, as large as that leaves room for; return what is left."""
    wide = min(rect.height, max(round(cap_px * 0.6), min(cap_px, rect.width - name_width)))
    canvas.picture("bell", Rect(rect.left, rect.top, wide, rect.height), theme.CHIP)
    taken = wide + cap_px // 10
    return Rect(rect.left + taken, rect.top, rect.width - taken, rect.height)


def _note(side: Side, width: int, cap_px: int) -> str:
    """Return what the foot of a strip says: the note, and as many sentences before it as fit."""
    said, style = side.note, Style(_least_px(cap_px))
    for sentence in reversed(side.older):
        longer = f"{sentence}. {said}"
        if lines_height(longer, width, style) > 2 * lines_height(sentence[:1], width, style):
            break
        said = longer
    return said


def _note_room(note: str, inside: Rect, plan: Layout) -> Rect:
    """Return the foot of a strip: as high as the note needs, one line or two lower ones.

    A large note has two lines only where any has: else the name and the numbers above it would be smaller.
    """
    line_share = LARGE_NOTE_LINE_SHARE if plan.large else LINE_SHARE
    height = round(plan.cap_px * NOTE_SHARE * line_share) if note else 0
    if theme.text_width(note, Style(_least_px(plan.unit_px))) > inside.width:
        height = 2 * round(_least_px(plan.cap_px) * line_share)
    return Rect(inside.left, inside.bottom - height, inside.width, height)


def _usual_head_px(strip_px: int, note: Rect, plan: Layout) -> int:
    """Return how high a strip is above its note where texts are not large."""
    cap_px = plan.unit_px
    lines = round(cap_px * NOTE_SHARE * LINE_SHARE) if note.height else 0
    if note.height > plan.cap_px:
        lines = 2 * round(_least_px(cap_px) * LINE_SHARE)
    free = ceil(cap_px / 8) + cap_px // 16 + cap_px // 7 + plan.spare_px - LARGE_SEAM_PX
    return strip_px - free - lines


def _least_px(cap_px: int) -> int:
    """Return the lowest capitals of a display whose names have capitals of `cap_px`."""
    return ceil(cap_px * LEAST_SHARE)


def _page(canvas: Canvas, plan: Layout) -> Rect:
    """Return the part of the centre that texts may fill."""
    return canvas.rect.inflate(-plan.unit_px // 2, 0)


def _poster(canvas: Canvas, poster: Poster, plan: Layout) -> None:
    rect, cap_px = _page(canvas, plan), plan.cap_px
    colour = theme.LIT if poster.trouble else theme.TEXT
    title_style = Style(round(cap_px * 1.15), colour, bold=True)
    words, parts = rect, [(" ".join(poster.lines), Style(round(cap_px * 0.64)))]
    parts.append((poster.hint, Style(round(cap_px * 0.54), theme.FAINT)))
    if len(poster.pictures) > 1:
        words = _row_of_pictures(canvas, poster.pictures[1:], words, plan)
    one_line = title_style._replace(cap_px=round(plan.unit_px * 0.95))
    if rect.width > rect.height and theme.text_width(poster.title, one_line) <= rect.width:
        title = Rect(words.left, words.top, words.width, round(plan.unit_px * 1.5))
        canvas.text(poster.title, title, one_line)
        words = Rect(words.left, title.bottom, words.width, words.bottom - title.bottom)
    else:
        parts.insert(0, (poster.title, title_style))
    if poster.pictures:
        words = _large_picture(canvas, poster, words, plan)
    paragraphs.draw(canvas, parts, words, cap_px, _least_px(cap_px))


def _row_of_pictures(canvas: Canvas, names: Sequence[str], rect: Rect, plan: Layout) -> Rect:
    """Draw a poster's small pictures at its foot; return the room above them, more for large text."""
    cap_px = plan.unit_px
    high = min(round(cap_px * 1.9 * cap_px / plan.cap_px), rect.width // len(names), rect.height // 4)
    step = min(rect.width // len(names), high * 2)
    left = rect.centerx - step * len(names) // 2
    for place, (name, colour) in enumerate(zip(names, ("yellow", "sky", "green", "orange"), strict=False)):
        cell = Rect(left + place * step, rect.bottom - high, step, high)
        canvas.picture(name, cell, theme.INKS[colour])
    return Rect(rect.left, rect.top, rect.width, rect.height - high - cap_px // 6)


def _large_picture(canvas: Canvas, poster: Poster, rect: Rect, plan: Layout) -> Rect:
    """Draw what a poster is about, at its left or, where it is narrow, on top; return the room for its words.

    Large text needs more of it.
    """
    gap = plan.unit_px // 3
    beside, above = (0.19, 0.28) if plan.large else (0.34, 0.38)
    ink = theme.CHIP if poster.trouble or poster.pictures[0] == "buzzer" else theme.INKS["sky"]
    if rect.width > rect.height:
        room = Rect(rect.left, rect.top, min(round(rect.width * beside), rect.height), rect.height)
        words = Rect(room.right + gap, rect.top, rect.right - room.right - gap, rect.height)
    else:
        room = Rect(rect.left, rect.top, rect.width, round(rect.height * above))
        words = Rect(rect.left, room.bottom + gap, rect.width, rect.bottom - room.bottom - gap)
    canvas.picture(poster.pictures[0], room.inflate(-gap, -gap), ink)
    return words


def _menu(canvas: Canvas, menu: Menu, plan: Layout) -> None:
    rect = _page(canvas, plan)
    usual = plan._replace(cap_px=plan.unit_px, large=False)
    usual_px = _item_px(menu, rect, usual)
    if plan.large and (_item_px(menu, rect, plan) < usual_px or _is_crossed(menu, rect, usual_px, plan)):
        plan = usual  # a larger title and foot leave less room between them
    title, room, foot = _menu_rooms(menu, rect, plan)
    canvas.lines(menu.title, title, _menu_title(plan))
    share = LARGE_NOTE_LINE_SHARE if plan.large else LINE_SHARE
    canvas.lines(menu.detail or menu.hint, foot, Style(round(plan.cap_px * 0.54), theme.FAINT), line_share=share)
    _items(canvas, menu, room, _item_px(menu, rect, plan), plan)


def _menu_title(plan: Layout) -> Style:
    return Style(round(plan.cap_px * 0.7), theme.TEXT, bold=True)


def _menu_rooms(menu: Menu, rect: Rect, plan: Layout) -> tuple[Rect, Rect, Rect]:
    """Return where a menu's title, its lines and what is said about them stand."""
    title = Rect(rect.left, rect.top, rect.width, lines_height(menu.title, rect.width, _menu_title(plan)))
    # A narrow display has the height for more lines than a wide one.
    said = lines_height(menu.detail or menu.hint, rect.width, Style(_least_px(plan.cap_px)))
    needed = min(said, rect.height // 4)
    foot_height = max(round(plan.unit_px * (1.9 if plan.large else 1.75)), needed)
    foot = Rect(rect.left, rect.bottom - foot_height, rect.width, foot_height)
    top = title.bottom + plan.unit_px // 6  # below the line are the tails of letters
    return title, Rect(rect.left, top, rect.width, foot.top - top), foot


def _item_px(menu: Menu, rect: Rect, plan: Layout) -> int:
    """Return the height of capitals in which all lines of a menu are written, so that each can be read."""
    cap_px, cells = plan.unit_px, _cells(len(menu.items), _menu_rooms(menu, rect, plan)[1], plan)
    high = cells[0].height + cap_px // 18
    labels = [_label_room(cell, plan, bool(menu.pictures)) for cell in cells]
    size = _fitting_px(menu.items, labels, min(round(cap_px * 0.7), round(high * 0.47)))
    if plan.large:
        size = max(size, _fitting_px(menu.items, labels, min(round(plan.cap_px * 0.7), round(high * 0.56))))
    return max(_least_px(plan.cap_px), size)


def _is_crossed(menu: Menu, rect: Rect, least_px: int, plan: Layout) -> bool:
    """Tell whether a rim would cross the words of a menu's line in two rows, even with capitals of `least_px`."""
    style = Style(least_px)
    cells = _cells(len(menu.items), _menu_rooms(menu, rect, plan)[1], plan)
    labels = [_label_room(cell, plan, bool(menu.pictures)) for cell in cells]
    return any(
        theme.text_width(item, style) > label.width and lines_height(item, label.width, style) > cell.height
        for item, cell, label in zip(menu.items, cells, labels, strict=True)
    )


def _cells(count: int, room: Rect, plan: Layout) -> list[Rect]:
    """Return a room for each line of a menu, in two columns when one would be too tight."""
    cap_px = plan.unit_px
    # A narrow display has no room for two columns of words, however tight one is.
    columns = 1 if count * cap_px * (1.25 if room.width > room.height else 0.9) <= room.height else 2
    rows = -(-count // columns)
    high = min(round(cap_px * 2), room.height // rows)
    wide = room.width // columns
    return [
        Rect(room.left + place // rows * wide, room.top + place % rows * high, wide, high).inflate(
            -cap_px // 5, -cap_px // 18
        )
        for place in range(count)
    ]


def _items(canvas: Canvas, menu: Menu, room: Rect, size: int, plan: Layout) -> None:
    """Draw the lines of a menu."""
    cap_px, cells = plan.unit_px, _cells(len(menu.items), room, plan)
    labels = [_label_room(cell, plan, bool(menu.pictures)) for cell in cells]
    for place, (item, cell, label) in enumerate(zip(menu.items, cells, labels, strict=True)):
        chosen = place == menu.selected
        ink, on = (theme.LINE, theme.LIT) if chosen else (theme.TEXT, theme.PANEL)
        canvas.panel(cell, on)
        canvas.targets.append(Target(cell, TABLE, str(place + 1)))
        number = Rect(cell.left, cell.top, label.left - cell.left, cell.height)
        canvas.text(str(place + 1), number, Style(max(size, ceil(cap_px * 0.48)), ink, bold=True), on=on)
        one_line = theme.text_width(item, Style(size)) <= label.width
        inside = label.clip(cell) if plan.large and not one_line else label
        (canvas.text if one_line else canvas.lines)(item, inside, Style(size, ink), align=LEFT, on=on)
        if menu.pictures:
            side = min(cell.height - cap_px // 8, round(cap_px * (0.8 if _is_tight(cell, plan) else 1.3)))
            icon = Rect(cell.right - side - cap_px // 8, cell.centery - side // 2, side, side)
            canvas.picture(menu.pictures[place], icon, theme.INKS["sky"], on=on)


def _fitting_px(items: Sequence[str], labels: Sequence[Rect], size: int) -> int:
    """Return the size in which all lines of a menu are written, equally large, so that each can be read."""
    fitting = (
        size * label.width // max(1, theme.text_width(item, Style(size)))
        for item, label in zip(items, labels, strict=True)
    )
    return min(size, *fitting)


def _is_tight(cell: Rect, plan: Layout) -> bool:
    """Tell whether a menu's line has no room to spare for large words."""
    return plan.large and cell.width < 10 * plan.unit_px


def _label_room(cell: Rect, plan: Layout, picture: bool) -> Rect:
    """Return the part of a menu's line in which its words stand; if it is tight they get some of the picture's."""
    cap_px, (before, behind) = plan.unit_px, (0.9, 1.0) if _is_tight(cell, plan) else (1.3, 1.4)
    side = min(cell.height, round(cap_px * behind))
    left = cell.left + min(cell.height, round(cap_px * before))
    right = cell.right - (side if picture else cap_px // 8)
    # What letters leave free of their lines may reach over the edge.
    return Rect(left, cell.top - 2, right - left, cell.height + 4)


def _result(canvas: Canvas, result: Result, plan: Layout) -> None:
    rect, cap_px = _page(canvas, plan), plan.cap_px
    wide = rect.width >= rect.height
    rest = _winner(canvas, result, rect, plan, wide=wide)
    style = Style(round(cap_px * 0.5), theme.FAINT)
    style = _on_as_few_lines(result.hint, rect.width, style, plan)
    foot_height = lines_height(result.hint, rect.width, style)
    hint = Rect(rect.left, rest.bottom - foot_height - plan.unit_px // 8, rect.width, foot_height)
    canvas.lines(result.hint, hint, style)
    gap = plan.unit_px // (8 if plan.large else 4)
    room = Rect(rect.left, rest.top + gap, rect.width, hint.top - rest.top - 2 * gap)
    if result.chart is None:
        _standings(canvas, result, room, plan)
    elif wide:
        share = 0.28 if plan.large else 0.38
        paper = Rect(room.left, room.top, round(room.width * share), room.height)
        listed = Rect(paper.right + gap, room.top, room.right - paper.right - gap, room.height)
        _standings(canvas, result, listed, plan)
        chart.draw(canvas, result.chart, paper, _least_px(cap_px))
    else:
        list_high = len(result.standings) * _row_high(cap_px)
        paper_high = min(round(room.height * 0.42), room.height - list_high - gap)
        if paper_high < 3 * cap_px:
            _standings(canvas, result, room, plan)
            return
        paper = Rect(room.left, room.top, room.width, paper_high)
        listed = Rect(room.left, paper.bottom + gap, room.width, room.bottom - paper.bottom - gap)
        _standings(canvas, result, listed, plan)
        chart.draw(canvas, result.chart, paper, _least_px(cap_px))


def _winner(canvas: Canvas, result: Result, rect: Rect, plan: Layout, *, wide: bool) -> Rect:
    """Draw who has won, with the trophy, and why; return the room below."""
    large_cup = 1.6 if wide else 2.6
    cap_px, cup_px = plan.cap_px, round(plan.unit_px * (large_cup - 0.25 * plan.large))
    cup = Rect(rect.left, rect.top, cup_px if wide else rect.width, cup_px)
    canvas.picture("cup_trophy", cup, theme.LIT)
    style = Style(min(cap_px, round(cup_px * 0.75)), theme.LIT, bold=True)
    if wide:
        title = Rect(cup.right, rect.top, rect.width - 2 * cup_px, cup_px)
        canvas.text(result.title, title, style)
    else:
        title = Rect(rect.left, cup.bottom, rect.width, 0)
        title.height = min(lines_height(result.title, rect.width, style), rect.height // 6)
        canvas.lines(result.title, title, style)
    faint = _on_as_few_lines(result.reason, rect.width, Style(round(cap_px * 0.5), theme.FAINT), plan)
    reason = Rect(rect.left, title.bottom, rect.width, lines_height(result.reason, rect.width, faint))
    canvas.lines(result.reason, reason, faint)
    return Rect(rect.left, reason.bottom, rect.width, rect.bottom - reason.bottom)


def _on_as_few_lines(text: str, width: int, style: Style, plan: Layout) -> Style:
    """Return a style in which a text needs no more lines than one that is not enlarged."""
    usual_px = style.cap_px * plan.unit_px // plan.cap_px
    fewest = lines_height(text, width, style._replace(cap_px=usual_px)) // lines_height(
        "", width, style._replace(cap_px=usual_px)
    )
    while style.cap_px > usual_px and lines_height(text, width, style) > fewest * lines_height("", width, style):
        style = style._replace(cap_px=style.cap_px - 1)
    return style


def _row_high(cap_px: int) -> int:
    """Return how high a line of the ranking is that has how somebody stood below the name."""
    return round(cap_px * 1.36)


def _standings(canvas: Canvas, result: Result, room: Rect, plan: Layout) -> None:
    """Draw the ranking."""
    rows, cap_px = result.standings, plan.unit_px
    marks = {curve.seat: curve for curve in result.chart.curves} if result.chart else {}
    least_px = _least_px(plan.cap_px)
    high = min(round(cap_px * 2.4), room.height // len(rows))
    top = room.centery - high * len(rows) // 2
    below = room.width < 13 * cap_px and high >= _row_high(cap_px)  # how it stood goes below the name
    name_high = round(high * 0.54) if below else high
    share = 0.55 if plan.large else 0.46
    size = min(plan.cap_px, max(round(name_high * share), ceil(cap_px * 0.48)))
    style = Style(least_px, theme.FAINT)
    how_wide = max(theme.text_width(row.how, style) for row in rows)
    side = min(round(high * 0.8), round(cap_px * 1.1))
    left = room.left + round(cap_px * 0.9) + side
    for number, row in enumerate(rows):
        line = Rect(room.left, top + number * high, room.width, high)
        ink = theme.LIT if row.place == 1 else theme.TEXT
        place = Rect(line.left, line.top, round(cap_px * 0.8), high)
        canvas.text(str(row.place), place, Style(size, ink, bold=True))
        if row.seat in marks:
            chart.mark(canvas, marks[row.seat], Rect(place.right, line.centery - side // 2, side, side))
        name = Rect(left + cap_px // 4, line.top, line.right - left - cap_px // 4, name_high)
        how = Rect(line.right - how_wide, line.top, how_wide, high)
        if below:
            how = Rect(name.left, name.bottom, name.width, line.bottom - name.bottom)
        else:
            name.width -= how_wide + cap_px // 4
        canvas.text(row.name, name, Style(size, ink, bold=row.place == 1), align=LEFT)
        canvas.text(row.how, how, style, align=LEFT if below else RIGHT)


def _help_page(canvas: Canvas, page: HelpPage, plan: Layout) -> None:
    help_page.draw(canvas, page, _page(canvas, plan), (plan.cap_px, plan.unit_px), _least_px(plan.unit_px))


def _self_test(canvas: Canvas, test: SelfTest, plan: Layout) -> None:
    self_test.board(canvas, test, _page(canvas, plan), plan.unit_px, _least_px(plan.unit_px))


def _findings(canvas: Canvas, page: Findings, plan: Layout) -> None:
    self_test.findings(canvas, page, _page(canvas, plan), plan.unit_px, _least_px(plan.unit_px))


_PAINTERS: Final[dict[type, Callable[[Canvas, Any, Layout], None]]] = {
    Poster: _poster,
    Menu: _menu,
    HelpPage: _help_page,
    Result: _result,
    PastMatches: lambda canvas, page, plan: past.draw(canvas, page, _page(canvas, plan), plan),
    StatsPage: lambda canvas, page, plan: stats_page.draw(canvas, page, _page(canvas, plan), plan),
    SelfTest: _self_test,
    Findings: _findings,
}
