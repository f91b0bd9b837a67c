"""Büro Crazy's scene: the building with all figures, and the two bids beside it.

Bids are padlocks until both are locked, then face up until the next lock. Hands and the worth of the roof are not
drawn.
"""

from typing import Final

from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Beat, Play
from companion.display.layout import Layout
from companion.display.theme import Colour, Style
from companion.games.buro_crazy import scene_duel, scene_end, scene_flights, scene_house, scene_private
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.components import Phase
from companion.games.buro_crazy.scene_plan import Plan, plan_of

STRIP_UNIT: Final = 1 / 6.5
"""Maximum height of a strip's icons, as a share of its length."""


def centre(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    canvas.turned(plan.centre, plan.turn, lambda inner: _paint(inner, play), on=scene_house.SKY)


flights: Final = scene_flights.flights
private: Final = scene_private.draw


def _paint(canvas: Canvas, play: Play[View]) -> None:
    view, plan = play.view, plan_of(canvas.rect, canvas.cap_px, large=canvas.look.large_text)
    if play.beat == Beat.REVEALED and play.before is not None and view.last is not None:
        scene_house.house(canvas, plan, play.before)
        scene_duel.bids(canvas, plan, view, view.last)
        return
    scene_house.house(canvas, plan, filled(view, play.house.keyed) if play.house else view)
    if view.phase == Phase.SETUP:
        scene_end.figures(canvas, plan, view)
    elif view.phase in {Phase.ROOF, Phase.OVER}:
        _ended(canvas, plan, view)
    elif play.beat == Beat.DRUM:
        scene_duel.waiting(canvas, plan, view, view.duel)
    elif view.last is None or view.locked:
        scene_duel.waiting(canvas, plan, view, view.locked)
    else:
        scene_duel.result(canvas, plan, view, view.last)


def filled(view: View, keyed: str) -> View:
    """Return a setup view with the `keyed` figures, given by the digits of their seats."""
    if view.phase != Phase.SETUP:
        return view
    return view._replace(board=(*(Seat(int(digit) - 1) for digit in keyed), *view.board[len(keyed) :]))


def _ended(canvas: Canvas, plan: Plan, view: View) -> None:
    if view.outcome:
        scene_end.ranking(canvas, plan, view)
    else:
        scene_end.piles(canvas, plan, view)
    if view.last:
        scene_end.last_bids(canvas, plan, view, view.last)


def strip(canvas: Canvas, rect: Rect, play: Play[View], seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's figure with a padlock, its key or its points; return the rest of its strip."""
    view = play.view
    unit = min(rect.height, round(rect.width * STRIP_UNIT))
    tile = cut.sized(round(unit * 0.8), round(unit * 0.8), midright=rect.midright)
    pieces.figure(canvas, tile, view, seat)
    points = str(view.points[seat]) if view.points else ""
    points_px = round(unit * (0.72 if len(points) < len("1000") else 0.54))
    wide = round(unit * 0.1 + points_px * 0.77 * len(points)) if points else unit
    sign, _ = cut.right(cut.before(rect, tile, unit // 6), wide)
    square = cut.square_at(sign.center, round(unit * 0.85))
    bidding = view.phase == Phase.BID and seat in view.duel
    if points:
        widgets.number(canvas, sign, view.points[seat], Style(points_px, ink, bold=True))
    elif bidding or view.reporting:
        closed = play.beat == Beat.DRUM or seat in (*view.locked, *view.reported)
        canvas.picture("padlock_closed" if closed else "padlock_open", square, theme.PAPER)
    elif view.phase == Phase.SETUP or (view.phase == Phase.COIN and seat in view.duel):
        style = Style(round(square.height * 0.76), theme.LINE, bold=True)
        radius_px = square.width // 6
        widgets.plate(canvas, square, seat + 1, style, on=theme.PAPER, radius_px=radius_px, outline=theme.LINE)
    else:
        sign = tile
    return cut.before(rect, sign, unit // 8)
