"""Draws a Böse Buben player's own screen: ducats, hand and cards to buy back."""

from collections.abc import Sequence
from typing import Final

from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import Canvas
from companion.display.theme import Style
from companion.games.boese_buben.own import Own
from companion.games.boese_buben.rules.cards import Card, card_text
from companion.games.boese_buben.scene_cards import CardLook, card, cross_out

CARD: Final = 0.74
"""Width of a card, as a share of its height."""

LYING: Final = 1.7
"""Ratio of width to height above which the ducats are at the left, not above."""

OFFERED: Final = 0.46
"""The offered cards' share of the room."""


def draw(canvas: Canvas, own: Own) -> None:
    gap = max(4, min(canvas.rect.size) // 40)
    room = canvas.rect.inflate(-2 * gap, -2 * gap)
    lying = room.width > room.height * LYING
    length = min(room.width // 7, room.height // 2) if lying else room.height // 6
    purse, cards = cut.first(room, length, gap, upright=not lying)
    _purse(canvas, purse, own)
    if own.offered:
        offered, cards = cut.split(cards, OFFERED, gap, upright=cards.width <= cards.height * LYING)
        _offered(canvas, offered, own, gap)
    _hand(canvas, cards, own, gap)


def _purse(canvas: Canvas, room: Rect, own: Own) -> None:
    upright = room.height > room.width
    size = min(room.width, room.height // 2) if upright else min(room.height, room.width // 4)
    coin = cut.square_at(room.center, size)
    number = Rect(0, 0, size * 2, size)
    if upright:
        coin.midbottom, number.midtop = room.center, room.center
    else:
        coin.midright, number.midleft = room.center, room.center
    canvas.picture("ducat", coin, theme.LIT)
    if own.offered and own.offered[0][1] > own.purse:
        cross_out(canvas, coin)
    canvas.text(str(own.purse), number.clip(room), Style(round(size * 0.72), theme.TEXT, bold=True))


def _hand(canvas: Canvas, room: Rect, own: Own, gap: int) -> None:
    if not own.hand:
        canvas.picture("hand_cards", room.inflate(-room.width // 4, -room.height // 4), theme.FAINT)
        return
    for place, shown in zip(_grid(room, len(own.hand), gap), own.hand, strict=True):
        card(canvas, place, own, shown, CardLook.LIT if shown in own.typed else CardLook.PLAIN)
        canvas.things[f"card {card_text(shown)}"] = place


def _offered(canvas: Canvas, room: Rect, own: Own, gap: int) -> None:
    canvas.panel(room, theme.PANEL, min(room.size) // 12)
    canvas.stands_on(theme.PANEL)
    cards: Sequence[tuple[Card, int]] = own.offered
    cells = _grid(room.inflate(-2 * gap, -2 * gap), len(cards), gap, CARD * 0.72)
    for number, (cell, (shown, price)) in enumerate(zip(cells, cards, strict=True)):
        face, below = cut.split(cell, 0.74, upright=True)
        card(canvas, face, own, shown, CardLook.PLAIN if number else CardLook.LIT)
        coin = cut.square_at(below.center, round(min(below.height, below.width / 2) * 0.94))
        coin.right = below.centerx
        _, digits = cut.left(below, below.width // 2)
        canvas.picture("ducat", coin, theme.LIT)
        style = Style(round(coin.height * 0.72), theme.FAINT if number else theme.TEXT, bold=True)
        canvas.text(str(price), digits, style)
    canvas.stands_on(theme.BACKGROUND)


def _grid(room: Rect, count: int, gap: int, ratio: float = CARD) -> list[Rect]:
    def high(rows: int) -> int:
        across = -(-count // rows)
        return int(min((room.height - gap * (rows - 1)) / rows, (room.width - gap * (across - 1)) / across / ratio))

    rows = max(range(1, count + 1), key=high)
    tall, across = high(rows), -(-count // rows)
    wide, places = int(tall * ratio), []
    for row in range(rows):
        cards = min(across, count - row * across)
        left = room.centerx - (cards * (wide + gap) - gap) // 2
        top = room.centery - (rows * (tall + gap) - gap) // 2 + row * (tall + gap)
        places += [Rect(left + place * (wide + gap), top, wide, tall) for place in range(cards)]
    return places
