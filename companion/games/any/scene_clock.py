"""Draws the clocks of any other game: each beside its seat's strip, the running one in the middle."""

from functools import partial
from typing import Final

from pygame import Rect

from companion.core.move import Seat, each_seat
from companion.display import cut, theme
from companion.display.canvas import Canvas
from companion.display.frame import Play
from companion.display.layout import BOTTOM, LEFT, RIGHT, TOP, Layout
from companion.display.theme import Style
from companion.games.any.rules import Phase, View
from companion.games.any.rules.components import SECOND_MS
from companion.games.any.scene_pieces import badge
from companion.games.any.text import clock_text

EDGE: Final = 0.28
"""The height of a row of clocks, as a share of the shorter side. Two opposite seats share everything."""

WIDEST: Final = "88:88"
"""Figures keep their size while they run."""

Place = tuple[Rect, int]
"""A clock's place and its turn, both upright."""


def draw(canvas: Canvas, plan: Layout, view: View) -> None:
    clocks, middle = _places(plan)
    for seat in each_seat(len(view.points)):
        place, turn = clocks[seat]
        s = None if middle and seat == view.caller else view.rest[seat].s
        draw_one = partial(_clock, view=view, seat=seat, s=s)
        canvas.turned(plan.on_display(place), turn + plan.turn, draw_one)
    if middle:
        _draw_running(canvas, plan, view, view.rest[view.caller].s)


def running(canvas: Canvas, plan: Layout, play: Play[View], left: float) -> None:
    """Draw the running clock again. `left` is the share of its time that is left."""
    view = play.view
    if view.phase == Phase.CLOCK:
        _draw_running(canvas, plan, view, int(view.rest[view.caller].all_ms * left) // SECOND_MS)


def _draw_running(canvas: Canvas, plan: Layout, view: View, s: int) -> None:
    clocks, middle = _places(plan)
    place, turn = clocks[view.caller]
    if middle:
        ways = (LEFT, RIGHT) if middle.height > middle.width else (BOTTOM, TOP)
        place, turn = middle, turn if turn in ways else ways[0]
    draw_one = partial(_clock, view=view, seat=view.caller, s=s)
    canvas.turned(plan.on_display(place), turn + plan.turn, draw_one)


def _clock(canvas: Canvas, view: View, seat: Seat, s: int | None) -> None:
    """Draw a clock over the canvas: mark, and figures, a fallen flag, or a sign for the one in the middle."""
    rect, gap = canvas.rect, canvas.cap_px // 6
    due = seat == view.caller
    ground, ink = (theme.LIT, theme.LINE) if due and view.phase == Phase.CLOCK else (theme.PANEL, theme.TEXT)
    canvas.panel(rect, ground, canvas.cap_px // 4, theme.LIT if due else None)
    canvas.stands_on(ground)
    inside = rect.inflate(-2 * gap, -2 * gap)
    mark, room = cut.left(inside, min(inside.height, inside.width // 4, canvas.cap_px * 2), gap)
    badge(canvas, mark, view, seat)
    if seat in view.locked:
        canvas.picture("flag", room, theme.CHIP)
    elif s is None:
        canvas.picture("clock", room, ink)
    else:
        text, high = clock_text(s), round(room.height * 0.7)
        wide = theme.text_width(max(WIDEST, text, key=len), Style(100, bold=True))
        canvas.text(text, room, Style(min(high, room.width * 100 // wide), ink, bold=True))


def _places(plan: Layout) -> tuple[list[Place], Rect | None]:
    """Return each seat's clock, and the middle; None if two opposite seats have half of the room each."""
    gap = plan.cap_px // 6
    room, thick = plan.upright, round(min(plan.upright.size) * EDGE)
    edges = [(strip.turn - plan.turn) % 4 for strip in plan.strips]
    middle: Rect | None = room
    if sorted(edges) == [BOTTOM, TOP]:
        top, bottom = cut.equal(room, 2, upright=True)
        bands, middle = {TOP: top, BOTTOM: bottom}, None
    else:
        bands = {}
        for edge, cut_off in ((TOP, cut.top), (BOTTOM, cut.bottom), (LEFT, cut.left), (RIGHT, cut.right)):
            if edge in edges:
                bands[edge], room = cut_off(room, thick)
        middle = room.inflate(-gap, -gap)
    parts: dict[int, list[Rect]] = {}
    for edge, band in bands.items():
        found = cut.equal(band, edges.count(edge), upright=edge in {LEFT, RIGHT})
        # Seats sit clockwise, as their strips lie.
        parts[edge] = found if edge in {BOTTOM, LEFT} else found[::-1]
    return [(parts[edge].pop().inflate(-gap, -gap), edge) for edge in edges], middle
