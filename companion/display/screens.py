"""Draws a frame: the screens that are no game's, and the strips at the four edges."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from math import ceil
from typing import Any, Final, Protocol, cast

from pygame import Rect

from companion.core.console import BUZZ
from companion.core.move import TABLE
from companion.core.rules import View
from companion.display import theme
from companion.display.canvas import LEFT, LINE_SHARE, Canvas, Target, lines_height
from companion.display.frame import Frame, Menu, Play, Poster, Result, Side
from companion.display.layout import Glass, Layout, layout
from companion.display.motion import Flight
from companion.display.theme import Colour, Style

LEAST_SHARE: Final = 0.4
"""No text's capitals are lower than this share of a name's: 8 minutes of arc, of which good eyes need 5."""

NOTE_SHARE: Final = 0.56
"""The capitals of a strip's note, as a share of those of a name."""

NAME_LINE_SHARE: Final = 1.6
"""The height of a name's line, as a share of its capitals: they may carry accents."""


class Scene(Protocol):
    """One game's scene module: functions of values, onto a canvas."""

    def centre(self, canvas: Canvas, plan: Layout, play: Play) -> None:
        """Draw what everybody watches into `plan.centre`."""

    def strip(self, canvas: Canvas, rect: Rect, view: View, seat: int, ink: Colour) -> Rect:
        """Draw how a seat stands at the right of its strip; return what is left of it."""

    def flights(self, plan: Layout, before: Play, after: Play) -> Sequence[Flight]:
        """Return the pieces that move from one picture of the centre to the next; () for none."""


@cache
def scene_of(game: str) -> Scene:
    """Return the scene of a game by its name."""
    return cast(Scene, import_module(f"companion.games.{game}.scene"))


def plan_of(size: tuple[int, int], frame: Frame, glass: Glass) -> Layout:
    """Return where everything of a frame goes; the centre keeps a little distance from the strips."""
    plan = layout(size, max(1, len(frame.sides)), glass)
    return plan._replace(centre=plan.centre.inflate(-plan.cap_px // 6, -plan.cap_px // 6))


def draw(canvas: Canvas, frame: Frame, glass: Glass = Glass()) -> None:  # noqa: B008  a value
    """Draw a whole frame."""
    canvas.fill(theme.BACKGROUND)
    plan = plan_of(canvas.rect.size, frame, glass)
    canvas.cap_px = plan.cap_px
    for side, place in zip(frame.sides, plan.strips, strict=False):
        # A dark seam tells neighbours apart at one edge.
        rect = place.rect.inflate(-plan.cap_px // 8, -plan.cap_px // 8)
        canvas.turned(rect, place.turn, _strip_painter(frame, side, plan.cap_px), on=_strip_colour(side))
    screen = frame.screen
    if isinstance(screen, Poster | Result):
        canvas.targets.append(Target(plan.centre, TABLE, "ok"))
        canvas.targets += [Target(strip.rect, place, BUZZ) for place, strip in enumerate(plan.strips)]
    if isinstance(screen, Play):
        scene_of(screen.game).centre(canvas, plan, screen)
    else:
        painter = _PAINTERS[type(screen)]
        canvas.turned(plan.centre, plan.turn, lambda inner: painter(inner, screen, plan))


def _strip_colour(side: Side) -> Colour:
    if side.tone:
        return {"good": theme.GOOD, "bad": theme.CHIP}[side.tone]
    return theme.LIT if side.lit else theme.PANEL


def _strip_painter(frame: Frame, side: Side, cap_px: int) -> Callable[[Canvas], None]:
    def paint(canvas: Canvas) -> None:
        ink = theme.LINE if side.lit or side.tone else theme.TEXT
        width, height = canvas.rect.size
        inside = Rect(cap_px // 4, cap_px // 16, width - cap_px // 2, height - cap_px // 16 - cap_px // 7)
        note = _note_room(side.note, inside, cap_px)
        head = Rect(inside.topleft, (inside.width, inside.height - note.height))
        play = frame.screen if isinstance(frame.screen, Play) else None
        rest = head
        if play and side.seat is not None:
            rest = scene_of(play.game).strip(canvas, head, play.view, side.seat, ink)
        name_px = min(cap_px, max(cap_px // 2, int(head.height / NAME_LINE_SHARE)))
        faint = ink if side.lit or side.tone else theme.FAINT
        canvas.text(side.name, rest, Style(name_px, ink), align=LEFT)
        canvas.lines(side.note, note, Style(round(cap_px * NOTE_SHARE), faint), align=LEFT)

    return paint


def _note_room(note: str, inside: Rect, cap_px: int) -> Rect:
    """Return the foot of a strip: as high as the note needs, one line or two lower ones."""
    least_px = _least_px(cap_px)
    height = round(cap_px * NOTE_SHARE * LINE_SHARE) if note else 0
    if theme.text_width(note, Style(least_px)) > inside.width:
        height = 2 * round(least_px * LINE_SHARE)
    return Rect(inside.left, inside.bottom - height, inside.width, height)


def _least_px(cap_px: int) -> int:
    """Return the lowest capitals of a display whose names have capitals of `cap_px`."""
    return ceil(cap_px * LEAST_SHARE)


def _page(canvas: Canvas, plan: Layout) -> Rect:
    """Return the part of the centre that texts may fill."""
    return canvas.rect.inflate(-plan.cap_px // 2, 0)


def _poster(canvas: Canvas, poster: Poster, plan: Layout) -> None:
    rect, cap_px = _page(canvas, plan), plan.cap_px
    colour = theme.LIT if poster.trouble else theme.TEXT
    title = Rect(rect.left, rect.top, rect.width, round(cap_px * 3.4))
    canvas.lines(poster.title, title, Style(round(cap_px * 1.3), colour, bold=True))
    hint = Rect(rect.left, rect.bottom - round(cap_px * 1.9), rect.width, round(cap_px * 1.9))
    _hint(canvas, hint, poster.hint, cap_px)
    room = Rect(rect.left, title.bottom, rect.width, hint.top - title.bottom)
    canvas.lines(" ".join(poster.lines), room, Style(round(cap_px * 0.75)))


def _menu(canvas: Canvas, menu: Menu, plan: Layout) -> None:
    rect, cap_px = _page(canvas, plan), plan.cap_px
    title = Rect(rect.left, rect.top, rect.width, round(cap_px * 1.15))
    canvas.text(menu.title, title, Style(round(cap_px * 0.7), theme.TEXT, bold=True))
    foot_height = round(cap_px * 1.9)
    foot = Rect(rect.left, rect.bottom - foot_height, rect.width, foot_height)
    canvas.lines(menu.detail or menu.hint, foot, Style(round(cap_px * 0.54), theme.FAINT))
    _items(canvas, menu, Rect(rect.left, title.bottom, rect.width, foot.top - title.bottom), cap_px)


def _items(canvas: Canvas, menu: Menu, room: Rect, cap_px: int) -> None:
    """Draw the lines of a menu, in two columns when one would be too tight."""
    count = len(menu.items)
    columns = 1 if count * cap_px * 1.25 <= room.height else 2
    rows = -(-count // columns)
    high = min(round(cap_px * 2), room.height // rows)
    wide = room.width // columns
    for place, item in enumerate(menu.items):
        column, row = divmod(place, rows)
        cell = Rect(room.left + column * wide, room.top + row * high, wide, high).inflate(
            -cap_px // 5, -cap_px // 10
        )
        chosen = place == menu.selected
        ink, on = (theme.LINE, theme.LIT) if chosen else (theme.TEXT, theme.PANEL)
        canvas.panel(cell, on)
        canvas.targets.append(Target(cell, TABLE, str(place + 1)))
        number = Rect(cell.left, cell.top, cell.height, cell.height)
        size = min(round(cap_px * 0.7), round(high * 0.47))
        canvas.text(str(place + 1), number, Style(size, ink, bold=True), on=on)
        label = Rect(number.right, cell.top, cell.right - number.right - cap_px // 4, cell.height)
        one_line = theme.text_width(item, Style(_least_px(cap_px))) <= label.width
        (canvas.text if one_line else canvas.lines)(item, label, Style(size, ink), align=LEFT, on=on)


def _result(canvas: Canvas, result: Result, plan: Layout) -> None:
    rect, cap_px = _page(canvas, plan), plan.cap_px
    title = Rect(rect.left, rect.top, rect.width, round(cap_px * 1.6))
    canvas.text(result.title, title, Style(cap_px, theme.LIT, bold=True))
    style = Style(round(cap_px * 0.54), theme.FAINT)
    reason = Rect(rect.left, title.bottom, rect.width, lines_height(result.reason, rect.width, style))
    canvas.lines(result.reason, reason, style)
    foot_height = max(round(cap_px * 0.95), lines_height(result.hint, rect.width, style))
    hint = Rect(rect.left, rect.bottom - foot_height, rect.width, foot_height)
    _hint(canvas, hint, result.hint, cap_px)
    room = Rect(rect.left, reason.bottom, rect.width, hint.top - reason.bottom)
    high = min(round(cap_px * 2.2), room.height // len(result.standings))
    for row, standing in enumerate(result.standings):
        line = Rect(room.left + room.width // 12, room.top + row * high, room.width * 11 // 12, high)
        place = Rect(line.left, line.top, round(cap_px * 1.6), high)
        size = min(cap_px, round(high * 0.5))
        canvas.text(str(standing.place), place, Style(size, theme.FAINT, bold=True))
        names = Rect(place.right, line.top, line.right - place.right, high)
        canvas.lines(standing.names, names, Style(size), align=LEFT)


def _hint(canvas: Canvas, room: Rect, hint: str, cap_px: int) -> None:
    canvas.lines(hint, room, Style(round(cap_px * 0.54), theme.FAINT))


_PAINTERS: Final[dict[type, Callable[[Canvas, Any, Layout], None]]] = {
    Poster: _poster,
    Menu: _menu,
    Result: _result,
}
