"""Draws a duel: two padlocks, then both bids, then their result."""

from typing import Final

from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.building import NOBODY, PAIRS, STAIRS, office
from companion.games.buro_crazy.rules.change import Cards
from companion.games.buro_crazy.rules.components import Phase, Result, by_cards
from companion.games.buro_crazy.scene_plan import Plan, number_cap_px

_TALL: Final = 1.15
"""Rooms taller than this, in widths, stack their contents."""


def waiting(canvas: Canvas, plan: Plan, view: View, closed: tuple[Seat, ...]) -> None:
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
    return _waiting_places(plan, view, side)[1]


def _waiting_places(plan: Plan, view: View, side: int) -> tuple[Rect, Rect, Rect, Rect]:
    ties = view.attempt > 1 or view.zeros > 0
    inside = plan.sides[side].inflate(-10, -8)
    if inside.height > inside.width * _TALL:
        shares = (0.16, 0.43, 0.25, 0.16) if ties else (0.17, 0.48, 0.35, 0)
        tag, figure, lock, below = cut.shares(inside, shares, upright=True)
        return figure, cut.square(lock, 0.92), tag, below
    outer = min(0.55, inside.height / inside.width)
    figure, column = cut.split(inside, outer if side == 0 else 1 - outer)
    if side:
        figure, column = column, figure
    column_shares = (0.27, 0.46, 0.27) if ties else (0.27, 0.73, 0)
    tag, lock, below = cut.shares(column.inflate(-6, 0), column_shares, upright=True)
    return figure, cut.square(lock, 0.92), tag, below


def bids(canvas: Canvas, plan: Plan, view: View, last: Result) -> None:
    for side, seat in enumerate(last.seats):
        inside = plan.sides[side].inflate(-4, -8)
        cards_px = max(pieces.hand_px(cards, view.values, canvas.cap_px) for cards in last.bids)
        share = max(cards_px / inside.height, 0.34 if cards_px else 0)
        head, cards = cut.split(inside, 1 - share, upright=True)
        if inside.height > inside.width * _TALL:
            figure, number = cut.split(head, 0.6, upright=True)
        else:
            figure, number = cut.split(head, min(0.45, head.height / head.width))
        pieces.figure(canvas, figure, view, seat)
        px = min(round(number.height * 0.66), round(number.width * 0.42))
        widgets.number(canvas, number, last.totals[side], Style(px, theme.TEXT, bold=True))
        pieces.hand(canvas, cards, last.bids[side], view.values)


def result(canvas: Canvas, plan: Plan, view: View, last: Result) -> None:
    for side in (0, 1):
        _bid(canvas, plan.sides[side], view, last, side)


def _bid(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    seat, won = last.seats[side], last.seats[side] == last.winner
    upper, effect, cards_px = _result_places(room.inflate(-4, -4), view, last, canvas.cap_px)
    if upper.height > upper.width * 0.75:
        head, cards = cut.split(upper, 1 - cards_px / upper.height, upright=True)
        figure, rest = cut.split(head, 0.46)
        number, sign = cut.split(rest, 0.56, upright=True)
    else:
        figure, rest = cut.split(upper, 0.31)
        head, cards = cut.split(rest.inflate(-2, 0), 1 - cards_px / upper.height, upright=True)
        number, sign = cut.split(head, 0.54)
    pieces.figure(canvas, figure, view, seat)
    px = min(round(number.height * 0.68), round(number.width * 0.4))
    style = Style(px, theme.LIT if won else theme.TEXT, bold=True)
    widgets.number(canvas, number, last.totals[side], style)
    _sign(canvas, sign, view, last, side)
    pieces.hand(canvas, cards, last.bids[side], view.values)
    _effects(canvas, effect, view, last, side)


def _result_places(inside: Rect, view: View, last: Result, cap_px: int) -> tuple[Rect, Rect, int]:
    cards_px = max(pieces.hand_px(cards, view.values, cap_px) for cards in last.bids)
    gift_px = pieces.hand_px(last.paid, view.values, cap_px)
    signs_px = round(cap_px * 0.9)
    tall = inside.height > inside.width * _TALL
    effect_px = signs_px + gift_px if tall else max(signs_px, gift_px)
    spare = inside.height - cards_px - effect_px - round(cap_px * 1.2)
    if spare > 0:
        effect_px += spare // 5
        cards_px += spare // 5 if cards_px else 0
    upper, effect = cut.split(inside, 1 - effect_px / inside.height, upright=True)
    return upper, effect, cards_px


def _effects(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    gained = last.gain > 0 and last.winner not in {NOBODY, last.seats[side]}
    gift = last.paid if gained and by_cards(view.rulings) else ()
    changes = []
    if last.losses[side]:
        # A loser loses the bid only in the last duel. Their cards and total already show how much.
        lost = "" if gift else f"{pieces.MINUS}{last.losses[side]}"
        changes.append(("roof", lost, theme.TEXT))
    if gained:
        changes.append(("coffee", f"+{last.gain}", theme.GOOD))
    if changes:
        signs, cards = _gift_places(room, gift, view, len(changes), canvas.cap_px)
        pieces.effects(canvas, signs, changes)
        pieces.hand(canvas, cards, gift, view.values)
    elif side:
        _zeros(canvas, room, view)


def _gift_places(room: Rect, gift: Cards, view: View, signs: int, cap_px: int) -> tuple[Rect, Rect]:
    if not gift:
        return room, Rect(room.topright, (0, 0))
    high_px = pieces.hand_px(gift, view.values, cap_px)
    if room.height > high_px + cap_px * 0.75:
        return cut.split(room, 1 - high_px / room.height, upright=True)
    wide_px = max(pieces.least_hand_px(gift, view.values, cap_px), round(room.width * (0.62 - 0.14 * (signs - 1))))
    return cut.split(room, 1 - wide_px / room.width)


def _sign(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    if view.phase == Phase.COIN:
        canvas.picture("ducat", cut.square(room, 0.9), theme.LIT)
    elif last.winner == NOBODY:
        _ties(canvas, room, view)
    elif last.seats[side] == last.winner:
        _target(canvas, room, last.pair, theme.LIT)
    else:
        _tag(canvas, room, last.pair, theme.FAINT)


def _tag(canvas: Canvas, room: Rect, name: str, colour: Colour) -> None:
    px = min(round(room.height * 0.6), round(number_cap_px(canvas.cap_px) * 1.4))
    canvas.text(name, room, Style(px, colour, bold=True))


def _target(canvas: Canvas, room: Rect, pair: str, colour: Colour) -> None:
    arrow, name = cut.split(room, min(0.45, room.height / room.width))
    canvas.picture("arrow", cut.square(arrow, 0.9), colour, turn=1)
    _tag(canvas, name, office(STAIRS + PAIRS.index(pair)), colour)


def _ties(canvas: Canvas, room: Rect, view: View) -> None:
    ties = view.attempt - (view.phase != Phase.COIN)  # the next attempt begins after the coin
    if not ties:
        return
    icon, number = cut.split(room, 0.5)
    canvas.picture("equal", cut.square(icon, 0.9), theme.LIT)
    px = min(round(room.height * 0.7), round(number_cap_px(canvas.cap_px) * 1.4))
    px = max(px, number_cap_px(canvas.cap_px))
    widgets.number(canvas, number, ties, Style(px, theme.LIT, bold=True))


def _zeros(canvas: Canvas, room: Rect, view: View) -> None:
    limit = view.rulings.zero_tie_limit
    if not view.zeros or not limit:
        return
    pieces.effects(canvas, room, [("ducat", f"{view.zeros}/{limit}", theme.TEXT)])
