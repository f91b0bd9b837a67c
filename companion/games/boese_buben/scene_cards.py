"""Pictures of Böse Buben's pieces: cards, goblins and keys."""

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas, transparent
from companion.display.frame import Look
from companion.display.theme import Colour, Style
from companion.games.boese_buben.own import Own, copies_differ
from companion.games.boese_buben.rules import View
from companion.games.boese_buben.rules.cards import CARDS, Action, Card, owner, value
from companion.games.boese_buben.scene_field import MUD
from companion.games.boese_buben.text import COLOURS

RIDER: Final = "goblin_on_pig"

SIGNS: Final[dict[str, str]] = {
    Action.KOSTENLOS: "present",
    Action.SCHIEBUNG: "hat_moves",
    Action.AUSTAUSCH: "swap",
    Action.RAUSWURF: "kick_out",
    Action.RAENGELEI: "scramble",
}

LYING: Final = 1.02
"""Ratio of width to height above which a card has its value beside the picture, not below."""

LIGHT_ENOUGH: Final = 4.0
"""Minimum contrast of a light mark on a colour."""

COMPACT_CAPS, COMPACT_ON_TRACK_CAPS = 1.3, 0.95
"""Size in capitals below which a card is compact; smaller on the track."""

SMALL_CAPS: Final = 1.2
"""Size in capitals below which a goblin has a larger mark."""

_SHADOW, _STRONG_SHADOW = 125, 70
"""Opacity (of 255) of the shadow on a card that lost its lane, normally and in high contrast."""


class CardLook(StrEnum):
    """The state of a card on the table."""

    PLAIN = "plain"
    MUDDY = "muddy"
    LIT = "lit"
    BEATEN = "beaten"


class Face(NamedTuple):
    """A card's content. `text` marks the copy with a text if the basic game distinguishes copies."""

    seat: Seat
    value: int
    coins: int
    picture: str
    text: bool


def face_of(view: View | Own, card: Card) -> Face:
    action = view.box.actions[card % CARDS]
    acting = action != Action.NONE and view.rulings.variant == "action"
    picture = SIGNS[action] if acting else RIDER
    text = action != Action.NONE and not acting and copies_differ(view.box, view.rulings, card)
    return Face(owner(card), value(card), view.box.goblins[card % CARDS], picture, text)


def ink_of(seat: Seat) -> Colour:
    return theme.INKS[COLOURS[seat]]


def seat_mark(canvas: Canvas, seat: Seat, centre: tuple[int, int], size_px: int, colour: Colour) -> None:
    widgets.mark(canvas, theme.MARKS[COLOURS[seat]], centre, size_px, colour)


def on_colour(ink: Colour) -> Colour:
    return theme.PAPER if theme.contrast(theme.PAPER, ink) > LIGHT_ENOUGH else theme.LINE


def cross_out(canvas: Canvas, room: Rect) -> None:
    strong = canvas.look.high_contrast
    rim = theme.WHITE if strong else None
    drawn = theme.pictogram("cross", canvas.tone(theme.CHIP), min(room.size), strong=strong, rim=rim)
    canvas.surface.blit(drawn, drawn.get_rect(center=room.center))


# --- Cards ------------------------------------------------------------------------------------------------


def card(
    canvas: Canvas,
    rect: Rect,
    view: View | Own,
    shown: Card,
    look: CardLook = CardLook.PLAIN,
    *,
    on_track: bool = False,
) -> None:
    """Draw a card; a lit one has a golden rim around `rect`."""
    if look == CardLook.LIT:
        rim = max(3, min(rect.size) // 14)
        canvas.panel(rect.inflate(2 * rim, 2 * rim), theme.LIT, min(rect.size) // 7 + rim)
    compact = is_compact(rect, canvas.cap_px, on_track=on_track)
    strong = canvas.look.high_contrast
    drawn = card_picture(rect.size, face_of(view, shown), look, compact=compact, strong=strong)
    canvas.stamp(drawn, rect)


def is_compact(rect: Rect, cap_px: int, *, on_track: bool) -> bool:
    return min(rect.size) < cap_px * (COMPACT_ON_TRACK_CAPS if on_track else COMPACT_CAPS)


@lru_cache(maxsize=256)
def card_picture(
    size: tuple[int, int], face: Face, look: CardLook, *, compact: bool, strong: bool = False
) -> Canvas:
    """Return a card on a transparent canvas."""
    canvas = transparent(size, Look(high_contrast=strong), theme.PAPER)
    rect, ink = canvas.rect, ink_of(face.seat)
    radius = max(3, min(size) // 7)
    rim = max(2, round(min(size) * 0.07))
    canvas.panel(rect, theme.LINE, radius)
    canvas.panel(rect.inflate(-2, -2), ink, radius - 1)
    inside = rect.inflate(-2 * rim, -2 * rim)
    canvas.panel(inside, theme.PAPER, max(2, radius - rim))
    if look == CardLook.MUDDY:
        _splashes(canvas, rect)
    if compact:
        _compact(canvas, inside, face)
    elif size[0] > size[1] * LYING:
        _lying(canvas, inside, face)
    else:
        _upright(canvas, inside, face)
    if look == CardLook.BEATEN:
        shadow = pygame.Surface(size, pygame.SRCALPHA)
        pygame.draw.rect(shadow, (*theme.LINE, _STRONG_SHADOW if strong else _SHADOW), rect, border_radius=radius)
        canvas.surface.blit(shadow, (0, 0))
    return canvas


def _lying(canvas: Canvas, inside: Rect, face: Face) -> None:
    left, right = cut.split(inside, 0.52)
    foot = round(inside.height * 0.3)
    corner, picture = cut.bottom(left, foot)
    coins, digits = cut.bottom(right, foot)
    canvas.picture(face.picture, picture, ink_of(face.seat))
    _corner(canvas, corner, face)
    _value(canvas, digits, face)
    _coins(canvas, coins, face)


def _upright(canvas: Canvas, inside: Rect, face: Face) -> None:
    above, below = cut.split(inside, 0.515, upright=True)
    side = round(inside.width * 0.26)
    corner, picture = cut.right(above, side)
    coins, digits = cut.right(below, side)
    canvas.picture(face.picture, picture, ink_of(face.seat))
    _corner(canvas, corner, face)
    _value(canvas, digits, face)
    _coins(canvas, coins, face)


def _compact(canvas: Canvas, inside: Rect, face: Face) -> None:
    side = round(inside.width * 0.4)
    coins, above = cut.bottom(inside, round(inside.height * 0.28))
    left, digits = cut.left(above, side)
    seat_mark(canvas, face.seat, (left.centerx, inside.top + side // 2), round(side * 0.9), ink_of(face.seat))
    _, sign = cut.top(left, side)
    if face.text:
        _text_lines(canvas, sign.inflate(-4, -6))
    elif face.picture != RIDER:
        canvas.picture(face.picture, sign, ink_of(face.seat))
    _value(canvas, digits, face)
    _coins(canvas, coins, face)


def _corner(canvas: Canvas, room: Rect, face: Face) -> None:
    size = round(min(room.size) * 0.9)
    lying = room.width > room.height
    near = size // 2 + 1
    spot = (room.left + near, room.centery) if lying else (room.centerx, room.top + near)
    seat_mark(canvas, face.seat, spot, size, ink_of(face.seat))
    if face.text and lying:
        _text_lines(canvas, Rect(room.left + size + 3, room.top, (room.width - size) * 2 // 3, room.height))
    elif face.text:
        _text_lines(canvas, Rect(room.left + 1, room.top + size + 3, room.width - 3, room.height - size - 5))


def _text_lines(canvas: Canvas, room: Rect) -> None:
    step = max(2, min(room.height // 3, room.width // 4))
    for number in range(3):
        y = room.centery + (number - 1) * step
        end = room.right - (room.width // 3 if number == 2 else 0)
        canvas.line((room.left, y), (end, y), theme.LINE, max(1, step // 3))


def _value(canvas: Canvas, room: Rect, face: Face) -> None:
    cap = round(min(room.width * 1.02, room.height * 0.77))
    widgets.number(canvas, room, face.value, Style(cap, theme.LINE, bold=True))


def _coins(canvas: Canvas, room: Rect, face: Face) -> None:
    upright = room.height > room.width
    length, width = (room.height, room.width) if upright else room.size
    size = min(width, length // 3)
    for number in range(face.coins):
        along = round((number - (face.coins - 1) / 2) * size)
        centre = (room.centerx, room.centery + along) if upright else (room.centerx + along, room.centery)
        canvas.picture("ducat", cut.square_at(centre, size).inflate(-1, -1), theme.LIT)


def _splashes(canvas: Canvas, rect: Rect) -> None:
    high = max(3, rect.height // 12)
    for share, size in ((0.08, 1.0), (0.3, 1.3), (0.52, 0.9), (0.74, 1.4), (0.95, 1.0)):
        canvas.disc((rect.left + rect.width * share, rect.bottom), high * size, MUD)


# --- Goblins, backs and keys ------------------------------------------------------------------------------


def goblin(canvas: Canvas, room: Rect, seat: Seat) -> None:
    tile = cut.square(room)
    small, strong = tile.width < canvas.cap_px * SMALL_CAPS, canvas.look.high_contrast
    canvas.stamp(goblin_tile(tile.width, seat, small=small, strong=strong), tile)


@lru_cache(maxsize=64)
def goblin_tile(size: int, seat: Seat, *, small: bool, strong: bool = False) -> Canvas:
    """Return a goblin's tile on a transparent canvas; `small` enlarges its mark."""
    canvas = transparent((size, size), Look(high_contrast=strong), theme.PAPER)
    tile, ink = canvas.rect, ink_of(seat)
    canvas.panel(tile, ink, size // 4)
    canvas.panel(tile.inflate(-size // 8, -size // 8), theme.PAPER, size // 5)
    canvas.picture("goblin", tile.inflate(-size // 6, -size // 6), ink)
    badge = max(8, round(size * (0.5 if small else 0.36)))
    spot = (size - badge // 2, size - badge // 2)
    canvas.disc(spot, badge / 2, theme.LINE)
    canvas.disc(spot, badge / 2 - 1, theme.PAPER)
    seat_mark(canvas, seat, spot, round(badge * 0.7), ink)
    return canvas


def back(canvas: Canvas, rect: Rect, seat: Seat) -> None:
    ink, radius = ink_of(seat), max(3, min(rect.size) // 6)
    canvas.panel(rect.inflate(2, 2), theme.LINE, radius + 1)
    canvas.panel(rect, theme.PAPER, radius)
    canvas.panel(rect.inflate(-4, -4), ink, radius - 1)
    seat_mark(canvas, seat, rect.center, round(min(rect.size) * 0.66), on_colour(ink))


def key(canvas: Canvas, rect: Rect, number: int) -> None:
    cap = rect.inflate(-rect.width // 12, -rect.height // 12)
    canvas.panel(cap, theme.PAPER, cap.width // 6, theme.LINE)
    widgets.number(canvas, rect, number, Style(round(rect.height * 0.77), theme.LINE, bold=True), on=theme.PAPER)
