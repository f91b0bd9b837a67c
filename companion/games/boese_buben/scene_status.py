"""Draws Böse Buben's status: race, open question, discarded cards, winners."""

from typing import Final

from pygame import Rect

from companion.core.move import by_seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Style
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import CARDS, NOBODY
from companion.games.boese_buben.scene_cards import SIGNS, card, cross_out, goblin, ink_of
from companion.games.boese_buben.scene_field import like_a_card
from companion.games.boese_buben.scene_lanes import cells

_SHARES: Final = (0.27, 0.56, 0.17)
"""Shares of the race, the open question, and the discarded cards."""

_SHARES_OVER: Final = (0.21, 0.64, 0.15)
"""The same after the match: the purses need more room."""


def status(canvas: Canvas, rect: Rect, view: View) -> None:
    upright, rest = rect.height > rect.width, rect
    gap = max(3, min(rect.size) // 30)
    shares = _SHARES_OVER if view.phase == Phase.OVER else _SHARES
    for share, draw in zip(shares, (_race, _due, _out), strict=True):
        length = round((max(rect.size) + gap) * share) - gap
        part, rest = cut.first(rest, length, gap, upright=upright)
        part = part.clip(rect)
        canvas.panel(part, theme.PANEL, min(rect.size) // 10)
        draw(canvas, part.inflate(-gap * 3, -gap * 3), view)


def _race(canvas: Canvas, room: Rect, view: View) -> None:
    laps, top = cut.bottom(room, room.height // 4, 2)
    parts = cut.equal(top, 2 if view.starter == NOBODY else 3)
    shown = str(view.race) if view.race else "?"
    style = Style(round(min(top.height * 0.7, parts[0].width * 1.2)), theme.TEXT, bold=True)
    canvas.text(shown, parts[0], style, on=theme.PANEL)
    canvas.picture("flag", parts[1], theme.PAPER, on=theme.PANEL)
    if view.starter != NOBODY:
        goblin(canvas, parts[2].inflate(-2, -2), view.starter)
    _laps(canvas, laps, view)


def _laps(canvas: Canvas, room: Rect, view: View) -> None:
    step = min(room.width // view.box.races, room.height * 5 // 4)
    left = room.centerx - step * view.box.races // 2
    for race in range(1, view.box.races + 1):
        spot = (left + step // 2 + (race - 1) * step, room.centery)
        if race > view.race:
            canvas.disc(spot, step * 0.36, theme.FAINT, 2)
            continue
        now = race == view.race and view.phase != Phase.OVER
        canvas.disc(spot, step * 0.36, theme.LIT if now else theme.TEXT)


def _due(canvas: Canvas, room: Rect, view: View) -> None:
    if view.phase == Phase.OVER:
        _purses(canvas, room, view)
    elif view.phase == Phase.SETUP:
        _who_begins(canvas, room, view)
    else:
        who, what = _who_and_what(room)
        goblin(canvas, who.inflate(-4, -4), view.mover)
        room = what.inflate(-4, -4)
        if view.phase == Phase.TURN:
            canvas.picture("hand_cards", room, ink_of(view.mover), on=theme.PANEL)
        else:
            (_bribery if view.phase == Phase.BRIBERY else _acting)(canvas, room, view)


def _who_and_what(room: Rect) -> tuple[Rect, Rect]:
    if room.height > room.width:
        return cut.top(room, max(room.height // 2, min(room.width, room.height * 3 // 5)))
    return cut.left(room, room.width * 2 // 5)


def _who_begins(canvas: Canvas, room: Rect, view: View) -> None:
    head, rest = cut.equal(room, 2, upright=True)
    canvas.text("?", head, Style(round(min(head.size) * 0.7), theme.LIT, bold=True), on=theme.PANEL)
    for seat, cell in by_seat(cells(rest, len(view.counts))):
        goblin(canvas, cell, seat)


def _acting(canvas: Canvas, room: Rect, view: View) -> None:
    action = view.box.actions[view.last % CARDS]
    placed, sign = _card_and_more(room)
    card(canvas, placed, view, view.last)
    canvas.picture(SIGNS[action], sign, theme.LIT, on=theme.PANEL)


def _bribery(canvas: Canvas, room: Rect, view: View) -> None:
    asked, offer = _card_and_more(room)
    card(canvas, asked, view, view.card)
    bag, price = cut.equal(offer, 2, upright=offer.height > offer.width)
    gift = view.free == view.mover and view.box.goblins[view.card % CARDS]
    canvas.picture("present" if gift else "bag", bag.inflate(-2, -2), theme.LIT, on=theme.PANEL)
    style = Style(round(min(price.height * 0.75, price.width)), theme.LIT, bold=True)
    widgets.number(canvas, price, view.price, style, on=theme.PANEL)


def _card_and_more(room: Rect) -> tuple[Rect, Rect]:
    card, more = cut.left(room, round(room.width * 0.46) - 4, 4)
    return like_a_card(card), more


def _purses(canvas: Canvas, room: Rect, view: View) -> None:
    assert view.outcome is not None
    order = [seat for place in view.outcome.ranking for seat in place]
    cup, *lines = cut.equal(room, len(order) + 1, upright=room.height > room.width)
    canvas.picture("cup_trophy", cup, theme.LIT, on=theme.PANEL)
    for line, seat in zip(lines, order, strict=True):
        who, purse = cut.equal(line.inflate(-4, -4), 2, upright=line.height > line.width)
        goblin(canvas, who, seat)
        if seat in view.unpaid:
            size = min(who.size) // 2
            cross_out(canvas, cut.sized(size, size, bottomright=who.center))
        colour = theme.LIT if seat in view.outcome.winners else theme.TEXT
        cap = round(min(purse.height * 0.66, purse.width * 0.62))
        widgets.number(canvas, purse, view.purses[seat], Style(cap, colour, bold=True), on=theme.PANEL)


def _out(canvas: Canvas, room: Rect, view: View) -> None:
    icon, number = cut.equal(room, 2, upright=room.height > room.width * 1.2)
    canvas.picture("cards", icon, theme.FAINT, on=theme.PANEL)
    size = min(icon.size) * 3 // 5
    cross_out(canvas, cut.sized(size, size, topleft=icon.center))
    share = 0.8 if canvas.look.large_text else 0.7
    style = Style(round(min(number.height * 0.7, number.width * share)), theme.TEXT, bold=True)
    widgets.number(canvas, number, view.out, style, on=theme.PANEL)
