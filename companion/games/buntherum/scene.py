"""Buntherum's scene: the card in the hexagon, its six rows around it, no hint where the card fits."""

import math
from collections.abc import Sequence
from typing import Final

import pygame
from pygame import Rect

from companion.display import theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Style
from companion.games.buntherum.rules import NO_CARD, SIDES, UNKNOWN, Box, Card, Phase, View

LEAST_ROOM: Final = 4
"""Cards that a row always has room for, the printed one among them; longer rows make all cards smaller."""


def centre(canvas: Canvas, plan: Layout, play: Play) -> None:
    """Draw what everybody watches."""
    rect, view = plan.centre, play.view
    middle, blocks = _places(rect)
    for side, block in enumerate(blocks):
        _row(canvas, block, view, side)
    _hexagon(canvas, middle, view)


def flights(plan: Layout, before: Play, after: Play) -> Sequence[Flight]:
    """Return the pieces that move from one picture to the next: none yet."""
    return ()


def strip(canvas: Canvas, rect: Rect, view: View, seat: int, ink: theme.Colour) -> Rect:
    """Draw how a seat stands, its cards and its chips; return what is left of its strip."""
    height = rect.height
    chips = Rect(rect.right - round(height * 1.6), rect.top, round(height * 1.6), height)
    canvas.panel(chips, theme.PANEL, height // 4)  # red chips show on a red strip, grey rings on a light one
    widgets.chips(canvas, chips.inflate(-height // 8, 0), view.chips[seat], view.box.chips_out)
    if seat in view.gone:
        return Rect(rect.left, rect.top, chips.left - rect.left, height)
    wide = round(height * (0.2 + 0.53 * len(str(view.piles[seat]))))
    count = Rect(chips.left - wide - height // 10, rect.top, wide, height)
    widgets.number(canvas, count, view.piles[seat], Style(round(height * 0.8), ink, bold=True))
    icon = Rect(0, 0, round(height * 0.5), round(height * 0.7))
    icon.midright = (count.left - height // 20, rect.centery)
    widgets.back(canvas, icon)
    return Rect(rect.left, rect.top, icon.left - height // 8 - rect.left, height)


def _places(rect: Rect) -> tuple[Rect, list[Rect]]:
    """Return the place of the hexagon and those of the six rows, clockwise from the top right."""
    gap = max(4, min(rect.size) // 60)
    if rect.width >= rect.height:
        size = min(rect.height, round(rect.width * 0.34))
        wide, high = (rect.width - size) // 2, rect.height // 3
        right = [Rect(rect.right - wide, rect.top + place * high, wide, high) for place in range(3)]
        left = [Rect(rect.left, rect.top + place * high, wide, high) for place in (2, 1, 0)]
        blocks = right + left
    else:
        size = min(rect.width, round(rect.height * 0.3))
        wide, high = rect.width // 3, (rect.height - size) // 2
        low = [Rect(rect.left + place * wide, rect.bottom - high, wide, high) for place in (2, 1, 0)]
        top = [Rect(rect.left + place * wide, rect.top, wide, high) for place in range(3)]
        blocks = [top[2], *low, top[0], top[1]]
    middle = Rect(0, 0, size, size)
    middle.center = rect.center
    return middle, [block.inflate(-gap, -gap) for block in blocks]


def _row(canvas: Canvas, block: Rect, view: View, side: int) -> None:
    """Draw one row: its number, the printed pair, the cards; the declared row is outlined."""
    said = view.said == side + 1
    canvas.panel(block, theme.PANEL, outline=theme.LIT if said else None)
    inside = block.inflate(-8, -8)
    number_px = min(inside.size) // 3
    upright = block.height > block.width
    label = Rect(inside.topleft, (inside.width, number_px) if upright else (number_px, inside.height))
    cards = Rect(inside)
    if upright:
        cards.top, cards.height = label.bottom, inside.bottom - label.bottom
    else:
        cards.left, cards.width = label.right, inside.right - label.right
    ink = theme.LIT if said else theme.TEXT
    widgets.number(canvas, label, side + 1, Style(round(number_px * 0.62), ink, bold=True), on=theme.PANEL)
    shown = [(view.box.printed[side], True), *((card, False) for card in view.rows[side])]
    for cell, (card, printed) in zip(_cells(cards, _longest(view)), shown, strict=False):
        _card(canvas, cell, view.box, card, printed=printed)


def _longest(view: View) -> int:
    """Return for how many cards every row has room now; the same for all rows, and never too few to be calm."""
    return max(LEAST_ROOM, *(len(row) + 1 for row in view.rows))


def _cells(room: Rect, count: int) -> list[Rect]:
    """Return `count` square cells in the middle of `room`, as large as they can be."""
    grids = [(columns, -(-count // columns)) for columns in range(1, count + 1)]
    columns, rows = max(grids, key=lambda grid: min(room.width // grid[0], room.height // grid[1]))
    size = min(room.width // columns, room.height // rows)
    left = room.left + (room.width - size * columns) // 2
    top = room.top + (room.height - size * rows) // 2
    places = [divmod(place, columns) for place in range(count)]
    return [Rect(left + along * size, top + down * size, size, size).inflate(-4, -4) for down, along in places]


def _hexagon(canvas: Canvas, middle: Rect, view: View) -> None:
    """Draw the hexagon with the open card in it, or whose call it is."""
    reach = middle.width / 2 - 2
    points = [
        (
            middle.centerx + reach * math.cos(math.pi * corner / 3),
            middle.centery + reach * math.sin(math.pi * corner / 3),
        )
        for corner in range(SIDES)
    ]
    ours = {Phase.LOCKED, Phase.JUDGE}
    rim = theme.LIT if view.phase in ours else theme.FAINT
    pygame.draw.polygon(canvas.surface, theme.PANEL, points)
    pygame.draw.polygon(canvas.surface, rim, points, 4)
    size = round(middle.width * 0.56)
    face = Rect(0, 0, size, size)
    face.center = middle.center
    if view.card != NO_CARD:
        # The card lies in another quarter turn each time, so that no side always reads it first.
        _card(canvas, face, view.box, view.card, turn=view.turn * 7 // 3 % 4)
        return
    pile = Rect(0, 0, round(size * 0.55), round(size * 0.75))
    pile.center = (middle.centerx, middle.centery - size // 8)
    widgets.back(canvas, pile)
    count = Rect(middle.left, pile.bottom, middle.width, round(size * 0.3))
    style = Style(round(size * 0.17), theme.TEXT, bold=True)
    widgets.number(canvas, count, view.draw_pile, style, on=theme.PANEL)


def _card(canvas: Canvas, rect: Rect, box: Box, card: Card, *, printed: bool = False, turn: int = 0) -> None:
    if card == UNKNOWN:
        canvas.panel(rect, theme.PAPER, max(3, rect.width // 10))
        canvas.text("?", rect, Style(round(rect.height * 0.4), theme.LINE, bold=True), on=theme.PAPER)
        return
    place, thing = divmod(card, len(box.objects))
    colour = widgets.known_colour(box.colours[place], place)
    widgets.card(canvas, rect, box.objects[thing], colour, printed=printed, turn=turn)
