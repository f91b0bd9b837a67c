"""The two who duel in Büro Crazy: their padlocks, then their bids, then what follows from them."""

from typing import Final

from pygame import Rect

from companion.core.move import Seat
from companion.display import theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.building import NOBODY, PAIRS, STAIRS, office
from companion.games.buro_crazy.components import Phase, Result
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.scene_plan import Plan, label_cap_px, number_cap_px, rows, split, square

_TALL: Final = 1.15
"""A room that is so many times as high as wide has one thing below the other."""


def waiting(canvas: Canvas, plan: Plan, view: View, closed: tuple[Seat, ...]) -> None:
    """Draw the two who bid face to face, with a padlock each; where they fight, and for which place."""
    for side, seat in enumerate(view.duel):
        figure, lock, tag, ties = _waiting_places(plan, view, side)
        pieces.figure(canvas, figure, view, seat)
        shut = seat in closed
        name, colour = ("padlock_closed", theme.LIT) if shut else ("padlock_open", theme.FAINT)
        canvas.picture(name, lock, colour)
        if side == 0:
            _tag(canvas, tag, view.pair, theme.LIT)
            _ties(canvas, ties, view)
        else:
            _target(canvas, tag, view.pair, theme.LIT)
            _zeros(canvas, ties, view)


def padlock_of(plan: Plan, view: View, side: int) -> Rect:
    """Return where the padlock of a side is."""
    return _waiting_places(plan, view, side)[1]


def _waiting_places(plan: Plan, view: View, side: int) -> tuple[Rect, Rect, Rect, Rect]:
    """Return where a duellist stands, the padlock, the name of a place, and the ties (if there are any)."""
    ties = view.attempt > 1 or view.zeros > 0
    inside = plan.sides[side].inflate(-10, -8)
    if inside.height > inside.width * _TALL:
        tag, figure, lock, below = rows(inside, (0.17, 0.45, 0.26, 0.12) if ties else (0.17, 0.48, 0.35, 0))
        return figure, square(lock, 0.92), tag, below
    outer = min(0.55, inside.height / inside.width)
    figure, column = split(inside, outer if side == 0 else 1 - outer, upright=False)
    if side:
        figure, column = column, figure
    tag, lock, below = rows(column.inflate(-6, 0), (0.27, 0.5, 0.23) if ties else (0.27, 0.73, 0))
    return figure, square(lock, 0.92), tag, below


def bids(canvas: Canvas, plan: Plan, view: View, last: Result) -> None:
    """Draw both bids face up, and nothing that follows: neither says yet who won."""
    for side, seat in enumerate(last.seats):
        inside = plan.sides[side].inflate(-10, -8)
        if inside.height > inside.width * _TALL:
            figure, number, cards = rows(inside, (0.4, 0.26, 0.34))
        else:
            head, cards = split(inside, 0.64, upright=True)
            figure, number = split(head, min(0.45, head.height / head.width), upright=False)
        pieces.figure(canvas, figure, view, seat)
        px = min(round(number.height * 0.66), round(number.width * 0.42))
        widgets.number(canvas, number, last.totals[side], Style(px, theme.TEXT, bold=True))
        pieces.hand(canvas, cards, last.bids[side], view.values)


def result(canvas: Canvas, plan: Plan, view: View, last: Result) -> None:
    """Draw both bids with who goes up, and what went to the roof and came from the kitchen."""
    for side in (0, 1):
        _bid(canvas, plan.sides[side], view, last, side)


def _bid(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    """Draw a bid: who bid how much and where the figure is now, the cards, what they cost and brought."""
    seat, won = last.seats[side], last.seats[side] == last.winner
    inside = room.inflate(-10, -8)
    if inside.height > inside.width * _TALL:
        upper, sign, cards, effect = rows(inside, (0.25, 0.11, 0.31, 0.33))
        figure, number = split(upper, 0.45, upright=False)
    else:
        upper, effect = split(inside, 0.69, upright=True)
        figure, rest = split(upper, 0.31, upright=False)
        known = any(map(any, last.bids)) and len(view.values) > 1
        head, cards = split(rest.inflate(-6, 0), 0.53 if known else 1, upright=True)
        number, sign = split(head, 0.54, upright=False)
    pieces.figure(canvas, figure, view, seat)
    px = min(round(number.height * 0.66), round(number.width * 0.42))
    style = Style(px, theme.LIT if won else theme.TEXT, bold=True)
    widgets.number(canvas, number, last.totals[side], style)
    _sign(canvas, sign, view, last, side)
    pieces.hand(canvas, cards, last.bids[side], view.values)
    _effects(canvas, effect, view, last, side)


def _effects(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    """Draw what went to the roof and came from the kitchen, this with its cards where they are known."""
    gained = last.gain > 0 and last.winner not in {NOBODY, last.seats[side]}
    changes = []
    if last.losses[side]:
        changes.append(("roof", f"{pieces.MINUS}{last.losses[side]}", theme.TEXT))
    if gained:
        changes.append(("coffee", f"+{last.gain}", theme.GOOD))
    if not changes:
        _zeros(canvas, room if side else Rect(0, 0, 0, 0), view)
    elif gained and len(view.values) > 1:
        tall = room.height > room.width * 0.4
        share = 0.4 if tall else (0.38, 0.58)[len(changes) - 1]
        signs, gift = split(room, share, upright=tall)
        pieces.effects(canvas, signs, changes)
        pieces.hand(canvas, gift, last.paid, view.values)
    else:
        pieces.effects(canvas, room, changes)


def _sign(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    """Draw where the figure is now: up in the next place, or still there; or that there is a tie, or a coin."""
    if view.phase == Phase.COIN:
        canvas.picture("ducat", square(room, 0.9), theme.LIT)
    elif last.winner == NOBODY:
        _ties(canvas, room, view)
    elif last.seats[side] == last.winner:
        _target(canvas, room, last.pair, theme.LIT)
    else:
        _tag(canvas, room, last.pair, theme.FAINT)


def _tag(canvas: Canvas, room: Rect, name: str, colour: Colour) -> None:
    """Write the name of a place."""
    px = min(round(room.height * 0.6), round(number_cap_px(canvas.cap_px) * 1.4))
    canvas.text(name, room, Style(px, colour, bold=True))


def _target(canvas: Canvas, room: Rect, pair: str, colour: Colour) -> None:
    """Draw an arrow upwards, and the name of the place to which the winner of a pair goes."""
    arrow, name = split(room, 0.45, upright=False)
    canvas.picture("arrow", square(arrow, 0.9), colour, turn=1)
    _tag(canvas, name, office(STAIRS + PAIRS.index(pair)), colour)


def _ties(canvas: Canvas, room: Rect, view: View) -> None:
    """Draw how often this duel was tied."""
    ties = view.attempt - (view.phase != Phase.COIN)  # before a coin falls there is no next attempt
    if not ties:
        return
    icon, number = split(room, 0.5, upright=False)
    canvas.picture("equal", square(icon, 0.9), theme.LIT)
    px = min(round(room.height * 0.6), round(number_cap_px(canvas.cap_px) * 1.4))
    widgets.number(canvas, number, ties, Style(px, theme.LIT, bold=True))


def _zeros(canvas: Canvas, room: Rect, view: View) -> None:
    """Draw how many ties of nothing there were in a row, and after how many a coin decides."""
    limit = view.rulings.zero_tie_limit
    if not view.zeros or not limit or not room.width:
        return
    icon, words = split(room, 0.4, upright=False)
    canvas.picture("ducat", square(icon, 0.8), theme.LIT)
    canvas.text(f"{view.zeros}/{limit}", words, Style(label_cap_px(canvas.cap_px), theme.TEXT, bold=True))
