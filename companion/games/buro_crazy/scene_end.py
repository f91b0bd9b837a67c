"""Draws placing figures, the piles of the roof, and the ranking."""

from math import ceil
from typing import Final

from pygame import Rect

from companion.core.move import Seat, by_seat
from companion.core.rules import places
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Style
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.building import NOBODY, STAIRS, owners
from companion.games.buro_crazy.rules.components import Result, by_cards, figures_each
from companion.games.buro_crazy.scene_plan import WALL_PX, Plan, cells, number_cap_px

_FIGURE: Final = 0.35
"""Minimum width of a figure in the ranking, as a share of figure and points."""

_PILE_SHAPE: Final = 1.5
"""Width of a pile with its owner, in heights."""


def figures(canvas: Canvas, plan: Plan, view: View) -> None:
    first, second = (room.inflate(-10, -8) for room in plan.sides)
    for seat, cell in by_seat(cells(first, view.seats)):
        pieces.figure(canvas, cell.inflate(-6, -6), view, seat)
    tall = second.height > second.width
    number, rest = cut.split(second, 0.4, upright=tall)
    arrow, stairs = cut.split(rest, 0.4, upright=tall)
    each = figures_each(view.box, view.seats)
    px = round(min(number.width * 0.36, number.height * 0.5))
    canvas.text(f"×{each}", number, Style(px, theme.LIT, bold=True))
    canvas.picture("arrow", cut.square(arrow, 0.8), theme.FAINT, turn=3 if tall else 0)
    canvas.picture("stairs", cut.square(stairs, 0.9), theme.FAINT)


def piles(canvas: Canvas, plan: Plan, view: View) -> None:
    owned = [seat for seat, count in owners(view.board, view.box.shares) for _ in range(count)]
    seats = [*owned, *(NOBODY,) * (view.box.piles - len(owned))]
    places = cells(_halves(plan)[0].inflate(-8, -8), len(seats), _PILE_SHAPE)
    for place, (seat, cell) in enumerate(zip(seats, places, strict=True)):
        there = min(view.pile_size, max(0, view.dealt - place * view.pile_size))
        _pile(canvas, cell.inflate(-2, -6), view, seat, there)


def _pile(canvas: Canvas, rect: Rect, view: View, seat: Seat, there: int) -> None:
    card, owner = cut.split(rect, 0.54)
    least_px = theme.text_width("20", Style(number_cap_px(canvas.cap_px), bold=True)) + 2
    face = cut.sized(min(card.width, max(round(card.height * 0.8), least_px)), card.height, center=card.center)
    done = view.dealt and there == view.pile_size
    if view.pile_size:
        style = Style(number_cap_px(canvas.cap_px), theme.LIT if done else theme.TEXT, bold=True)
        rim = theme.LIT if done else theme.PAPER
        widgets.plate(canvas, face, view.pile_size, style, on=pieces.BACK, radius_px=4, outline=rim)
    elif not view.roof_counted:  # uncounted real cards make piles too
        pieces.pile(canvas, face, 1)
    if seat == NOBODY:
        canvas.picture("cross", cut.square(owner, 0.7), theme.FAINT)
    else:
        pieces.figure(canvas, owner, view, seat)


def ranking(canvas: Canvas, plan: Plan, view: View) -> None:
    """Draw the ranking. Seats outside the building are pale (BC-R27)."""
    assert view.outcome is not None
    for (seat, place), cell in zip(places(view.outcome.ranking).items(), lines_of(plan, view.seats), strict=True):
        _line(canvas, cell.inflate(-4, -2), view, place, seat)


def lines_of(plan: Plan, count: int) -> list[Rect]:
    room = _halves(plan)[0].inflate(-6, -6)
    down = ceil(count / 2) if count > 3 and room.width > room.height else count
    columns = cut.equal(room, ceil(count / down))
    return [line for column in columns for line in cut.shares(column, (1,) * down, upright=True)][:count]


def _halves(plan: Plan) -> tuple[Rect, Rect]:
    first, second = plan.sides
    if first.right + 2 * WALL_PX < second.left:
        return first, second
    return cut.split(first.union(second), 0.42)


def _line(canvas: Canvas, row: Rect, view: View, place: int, seat: Seat) -> None:
    inside = seat in view.board[STAIRS:]
    first = place == 1
    colour = theme.LIT if first else theme.TEXT if inside else theme.FAINT
    if first:
        canvas.box(row, theme.LIT, 6, 2)
    number, rest = cut.split(row.inflate(-4, -4), 0.2)
    least_px = number_cap_px(canvas.cap_px)
    px = max(min(round(row.height * 0.45), round(least_px * 1.3)), least_px)
    # Points of four digits leave less room, but the figure must stay visible.
    while px > least_px and _widest(view, px) > rest.width * (1 - _FIGURE):
        px -= 1
    style = Style(px, colour, bold=True)
    points_px = max(_widest(view, px), rest.width - rest.height)
    figure, points = cut.split(rest, 1 - points_px / rest.width)
    canvas.text(f"{place}.", number, Style(px, colour))
    pieces.figure(canvas, figure, view, seat)
    widgets.number(canvas, points, view.points[seat], style)


def _widest(view: View, px: int) -> int:
    return max(theme.text_width(str(points), Style(px, bold=True)) for points in view.points) + 4


def last_bids(canvas: Canvas, plan: Plan, view: View, last: Result) -> None:
    room = _halves(plan)[1].inflate(-4, -8)
    known = by_cards(view.rulings)
    for row, side in zip(cut.shares(room, (1, 1), upright=True), (0, 1), strict=True):
        inside = row.inflate(0, -6)
        upper = inside.height > inside.width * 0.5
        head, cards = cut.split(inside, 0.34 if upper else 0.24 if known else 1, upright=upper)
        figure, number = cut.split(head, 0.45 if upper or not known else 0.58, upright=not upper and known)
        pieces.figure(canvas, figure, view, last.seats[side])
        px = min(round(number.height * 0.8), round(number_cap_px(canvas.cap_px) * 1.3), round(number.width * 0.4))
        px = max(px, number_cap_px(canvas.cap_px))
        ink = theme.LIT if last.seats[side] == last.winner else theme.TEXT
        widgets.number(canvas, number, last.totals[side], Style(px, ink, bold=True))
        pieces.hand(canvas, cards, last.bids[side], view.values)
