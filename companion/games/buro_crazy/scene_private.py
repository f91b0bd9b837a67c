"""Draws a player's own screen: the hand and the bid or points being keyed."""

from typing import Final

from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.own import Own
from companion.games.buro_crazy.rules.change import Cards, worth
from companion.games.buro_crazy.scene_plan import NUMBER

LYING: Final = 1.7
"""A screen wider than this, in heights, has the bid beside the hand."""

HEAD: Final = 0.3
"""Share of a pile's room for its icon and points."""

KEYCAP: Final = 0.24
"""Height of the key below a card, as a share of card and key."""


def draw(canvas: Canvas, own: Own) -> None:
    gap = max(4, min(canvas.rect.size) // 40)
    room = canvas.rect.inflate(-2 * gap, -2 * gap)
    if not own.due:
        _hand(canvas, room, own)
        return
    lying = room.width > room.height * LYING
    length = (room.width - gap) // 2 if lying else (room.height - gap) * 5 // 11
    bid, hand = cut.first(room, length, gap, upright=not lying)
    canvas.panel(bid, theme.PANEL, min(bid.size) // 12)
    canvas.stands_on(theme.PANEL)
    _bid(canvas, bid.inflate(-gap, -gap), own)
    canvas.stands_on(theme.BACKGROUND)
    _hand(canvas, hand, own)


def _bid(canvas: Canvas, room: Rect, own: Own) -> None:
    head, cards = _parts(room, own)
    sign, ink = ("padlock_closed", theme.LIT) if own.locked else ("padlock_open", theme.PAPER)
    _sum(canvas, head, sign, ink, own.number)
    _cards(canvas, cards, own, own.bid)


def _hand(canvas: Canvas, room: Rect, own: Own) -> None:
    head, cards = _parts(room, own)
    _sum(canvas, head, "hand_cards", theme.INKS["sky"], str(worth(own.hand, own.values)))
    _cards(canvas, cards, own, own.hand, keys=own.keys)


def _parts(room: Rect, own: Own) -> tuple[Rect, Rect]:
    if len(own.values) == 1:
        return room, Rect(room.bottomleft, (room.width, 0))
    if room.width > room.height * LYING:
        gap = room.width // 40
        return cut.left(room, round(room.width * HEAD) - gap, gap)
    return cut.split(room, HEAD, upright=True)


def _sum(canvas: Canvas, room: Rect, sign: str, ink: Colour, points: str) -> None:
    size = min(room.height, room.width * 2 // 5)
    wide = min(room.width - size, size * 3 // 2)
    icon = cut.sized(size, size, midleft=(room.centerx - (size + wide) // 2, room.centery))
    number = cut.sized(wide, size, midleft=icon.midright)
    canvas.picture(sign, icon.inflate(-size // 8, -size // 8), ink)
    canvas.text(points, number, Style(round(size * 0.66), theme.TEXT, bold=True))


def _cards(canvas: Canvas, room: Rect, own: Own, cards: Cards, *, keys: bool = False) -> None:
    values = own.values
    if not room.height:
        return
    high = round(min(room.height, room.width / len(values) / pieces.CARD / (1 - KEYCAP)))
    columns = cut.columns(room, len(values))
    for number, (cell, value, count) in enumerate(zip(columns, values, cards, strict=True), 1):
        place = Rect(cell.left, room.centery - high // 2, cell.width, high).inflate(-room.width // 60, 0)
        cap_px = round(place.height * KEYCAP) if keys else 0
        face = cut.bottom(place, cap_px)[1].inflate(0, -room.width // 50)
        if count:
            small = min(face.height / 2.1, face.width / 1.35)
            inner = Canvas(canvas.surface, canvas.on, cap_px=round(small / NUMBER / 1.4), look=canvas.look)
            pieces.face(inner, face, value, count)
            canvas.placed += inner.placed
        if keys and count:
            canvas.things[f"card {number}"] = place
            cap = cut.sized(min(cap_px * 5 // 4, place.width), cap_px, midbottom=place.midbottom)
            canvas.panel(cap, theme.PAPER, cap_px // 5, theme.LINE)
            style = Style(round(cap_px * 0.66), theme.LINE, bold=True)
            canvas.text(str(number), cap, style, on=theme.PAPER)
