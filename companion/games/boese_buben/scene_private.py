"""What a seat of Böse Buben sees in its own hand: its ducats, its cards, and what it is asked to buy back."""

from collections.abc import Sequence
from typing import Final

from pygame import Rect

from companion.display import theme
from companion.display.canvas import Canvas, square_at
from companion.display.theme import Style
from companion.games.boese_buben.own import Own
from companion.games.boese_buben.rules.cards import Card
from companion.games.boese_buben.scene_cards import CardLook, card, cross_out

CARD: Final = 0.74
"""The width of a card, as a share of its height."""

LYING: Final = 1.7
"""A screen that is so many times as wide as high has its ducats at the left, others above."""

OFFERED: Final = 0.46
"""What is offered takes such a share of the room above the hand, or beside it."""


def draw(canvas: Canvas, own: Own) -> None:
    """Draw it over the whole canvas."""
    gap = max(4, min(canvas.rect.size) // 40)
    room = canvas.rect.inflate(-2 * gap, -2 * gap)
    if room.width > room.height * LYING:
        wide = min(room.width // 7, room.height // 2)
        purse = Rect(room.topleft, (wide, room.height))
        cards = Rect(purse.right + gap, room.top, room.right - purse.right - gap, room.height)
    else:
        purse = Rect(room.topleft, (room.width, room.height // 6))
        cards = Rect(room.left, purse.bottom + gap, room.width, room.bottom - purse.bottom - gap)
    _purse(canvas, purse, own)
    if own.offered:
        offered, cards = _shared(cards, gap)
        _offered(canvas, offered, own, gap)
    _hand(canvas, cards, own, gap)


def _shared(room: Rect, gap: int) -> tuple[Rect, Rect]:
    """Return the place of what is offered and that of the hand: beside each other, or below."""
    if room.width > room.height * LYING:
        offered = Rect(room.topleft, (round(room.width * OFFERED), room.height))
        return offered, Rect(offered.right + gap, room.top, room.right - offered.right - gap, room.height)
    offered = Rect(room.topleft, (room.width, round(room.height * OFFERED)))
    return offered, Rect(room.left, offered.bottom + gap, room.width, room.bottom - offered.bottom - gap)


def _purse(canvas: Canvas, room: Rect, own: Own) -> None:
    """Draw how many ducats there are; crossed out where that is not enough for what is asked."""
    upright = room.height > room.width
    size = min(room.width, room.height // 2) if upright else min(room.height, room.width // 4)
    coin = square_at(room.center, size)
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
    """Draw the cards as large as they go; what is typed is lit."""
    if not own.hand:
        canvas.picture("hand_cards", room.inflate(-room.width // 4, -room.height // 4), theme.FAINT)
        return
    for place, shown in zip(_grid(room, len(own.hand), gap), own.hand, strict=True):
        card(canvas, place, own, shown, CardLook.LIT if shown in own.typed else CardLook.PLAIN)


def _offered(canvas: Canvas, room: Rect, own: Own, gap: int) -> None:
    """Draw the cards that are asked for, each with its price below; the first is lit."""
    canvas.panel(room, theme.PANEL, min(room.size) // 12)
    canvas.stands_on(theme.PANEL)
    cards: Sequence[tuple[Card, int]] = own.offered
    cells = _grid(room.inflate(-2 * gap, -2 * gap), len(cards), gap, CARD * 0.72)
    for number, (cell, (shown, price)) in enumerate(zip(cells, cards, strict=True)):
        face = Rect(cell.left, cell.top, cell.width, round(cell.height * 0.74))
        card(canvas, face, own, shown, CardLook.PLAIN if number else CardLook.LIT)
        below = Rect(cell.left, face.bottom, cell.width, cell.bottom - face.bottom)
        coin = square_at(below.center, round(min(below.height, below.width / 2) * 0.94))
        coin.right = below.centerx
        digits = Rect(below.centerx, below.top, below.right - below.centerx, below.height)
        canvas.picture("ducat", coin, theme.LIT)
        style = Style(round(coin.height * 0.72), theme.FAINT if number else theme.TEXT, bold=True)
        canvas.text(str(price), digits, style)
    canvas.stands_on(theme.BACKGROUND)


def _grid(room: Rect, count: int, gap: int, ratio: float = CARD) -> list[Rect]:
    """Return the places of so many cards, row by row, in the rows in which they are largest."""

    def high(rows: int) -> int:
        across = -(-count // rows)
        return int(min((room.height - gap * (rows - 1)) / rows, (room.width - gap * (across - 1)) / across / ratio))

    rows = max(range(1, count + 1), key=high)
    tall, across = high(rows), -(-count // rows)
    wide = int(tall * ratio)
    places = []
    top = room.centery - (rows * (tall + gap) - gap) // 2
    for row in range(rows):
        cards = min(across, count - row * across)
        left = room.centerx - (cards * (wide + gap) - gap) // 2
        places += [
            Rect(left + place * (wide + gap), top + row * (tall + gap), wide, tall) for place in range(cards)
        ]
    return places
