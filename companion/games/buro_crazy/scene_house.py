"""Draws the building like an open doll's house."""

from functools import lru_cache
from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.building import BOSS, EMPTY, STAIRS
from companion.games.buro_crazy.rules.components import Phase, by_cards
from companion.games.buro_crazy.scene_plan import (
    Plan,
    RoomPlan,
    name_of,
    number_cap_px,
    plan_of,
    room_cap_px,
)

Area = tuple[int, int, int, int]

SKY: Final[Colour] = (0x14, 0x1B, 0x2C)
STARS: Final[Colour] = (0x6C, 0x7A, 0x96)
WALLS: Final[Colour] = (0x6F, 0x78, 0x84)
TILES: Final[Colour] = (0x7E, 0x33, 0x2C)
KITCHEN: Final[Colour] = (0x5A, 0x3A, 0x1C)
PANTRY: Final[Colour] = (0x40, 0x35, 0x2C)
LAMP: Final[Colour] = (0x6E, 0x4C, 0x0C)
"""Wall of the current duel's room."""

_STEPS: Final[Colour] = (0x3A, 0x44, 0x50)
_ROOMS: Final[dict[int, Colour]] = {
    **dict.fromkeys(range(8), _STEPS),
    **dict.fromkeys(range(8, 12), (0x2B, 0x4A, 0x4C)),
    **dict.fromkeys((12, 13), (0x33, 0x43, 0x66)),
    14: (0x4B, 0x39, 0x62),
    BOSS: (0x66, 0x2B, 0x3C),
}

_DARK: Final = 0.55
"""Darkness of a room after its duel."""

EARNING: Final = (BOSS, 14, 12, 13)
"""Rooms whose figures earn piles of the roof."""

RIDGE: Final = 0.56
"""Width of the roof's top, as a share of its bottom."""


def house(canvas: Canvas, plan: Plan, view: View) -> None:
    canvas.surface.blit(_shell(canvas.rect.size, canvas.cap_px, canvas.tone(SKY)), (0, 0))
    _roof(canvas, plan.roof, view)
    for number, place in plan.places.items():
        _room(canvas, number, place, view)
    _kitchen(canvas, plan.kitchen, view)
    _stock(canvas, plan.stock, view.stock_points)


@lru_cache(maxsize=4)
def _shell(size: tuple[int, int], cap_px: int, sky: Colour) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(sky)
    plan = plan_of(surface.get_rect(), cap_px)
    for number in range(40):
        x_px, y_px = number * 7919 % 997 * size[0] // 997, number * 104729 % 991 * size[1] // 991
        surface.set_at((x_px, y_px), STARS)
    for floor in plan.floors:
        pygame.draw.rect(surface, WALLS, floor.inflate(4, 4), border_radius=3)
    return surface


def _roof(canvas: Canvas, rect: Rect, view: View) -> None:
    eaves = rect.inflate(rect.height // 3, 0)
    ridge = round(rect.width * (1 - RIDGE) / 2)
    corners = [(rect.left + ridge, rect.top), (rect.right - ridge, rect.top), eaves.bottomright, eaves.bottomleft]
    pygame.draw.polygon(canvas.surface, canvas.tone(TILES), corners)
    pygame.draw.polygon(canvas.surface, canvas.tone(WALLS), corners, 2)
    size = round(rect.width * RIDGE * 1.4), round(rect.height * 0.86)
    flat = cut.sized(*size, midbottom=(rect.centerx, rect.bottom - 2))
    least_px = number_cap_px(canvas.cap_px)
    px = min(max(round(flat.height * 0.7), least_px), round(least_px * 1.5))
    if not view.roof_counted:
        pieces.pile(canvas, flat.inflate(-flat.width // 2, -flat.height // 6), 1)
        return
    if not view.roof_cards:
        widgets.number(canvas, flat, 0, Style(px, theme.TEXT, bold=True), on=TILES)
        return
    cards, number = cut.split(flat, 0.48)
    pieces.pile(canvas, cards.inflate(-2, -cards.height // 6), view.roof_cards)
    widgets.number(canvas, number, view.roof_cards, Style(px, theme.TEXT, bold=True), on=TILES)


def _room(canvas: Canvas, number: int, place: RoomPlan, view: View) -> None:
    name = name_of(number)
    dueling = view.phase in {Phase.BID, Phase.COIN}
    now = (name == view.pair and dueling) or (number in EARNING and view.phase == Phase.ROOF)
    filling = view.phase == Phase.SETUP and number < STAIRS // 2
    over = dueling and not now and name not in view.to_come and number != BOSS
    wall = LAMP if now else theme.mixed(_ROOMS[number], SKY, _DARK) if over else _ROOMS[number]
    rect = place.rect
    spots = tuple(_inside(spot, rect) for spot in place.spots)
    desk = _inside(place.desk, rect) if place.desk else None
    canvas.ground(_interior(number, rect.size, spots, desk, wall), rect)
    if now or filling:
        canvas.box(rect.inflate(4, 4), theme.LIT, 3, 3)
    colour = theme.LIT if now else theme.FAINT if over else theme.TEXT
    if place.label:
        style = Style(room_cap_px(canvas.cap_px, large=canvas.look.large_text), colour, bold=True)
        canvas.text(name, place.label, style, on=wall)
    spaces = (BOSS,) if number == BOSS else (2 * number, 2 * number + 1)
    for space, spot in zip(spaces, place.spots, strict=True):
        if view.board[space] != EMPTY:
            pieces.figure(canvas, spot, view, view.board[space])


def _inside(rect: Rect, room: Rect) -> Area:
    return (rect.left - room.left, rect.top - room.top, rect.width, rect.height)


@lru_cache(maxsize=128)
def _interior(
    number: int, size: tuple[int, int], spots: tuple[Area, ...], desk: Area | None, wall: Colour
) -> pygame.Surface:
    canvas = Canvas(pygame.Surface(size))
    canvas.surface.fill(wall)
    floor = max(top + high for _, top, _, high in spots) - 5  # figures and desks are on it
    ground = Rect(0, floor, size[0], size[1] - floor)
    if number < STAIRS // 2:
        for step in range(3):
            tread = Rect(0, floor + step * max(4, ground.height // 3), size[0], 2)
            canvas.surface.fill(theme.mixed(wall, theme.PAPER, 0.3), tread)
    else:
        canvas.surface.fill(theme.mixed(wall, theme.LINE, 0.35), ground)
        for left, top, wide, high in spots:
            _window(canvas.surface, Rect(left + wide // 4, top + high // 8, wide // 2, high // 2), wall)
    for left, top, wide, high in spots:
        mat = Rect(left + wide * 3 // 20, top + high - max(4, high // 7), wide * 7 // 10, max(4, high // 7))
        pygame.draw.ellipse(canvas.surface, canvas.tone(theme.mixed(wall, theme.LINE, 0.55)), mat)
    if desk:
        name = "boss_chair" if number == BOSS else "desk"
        left, top, wide, high = desk
        size_px = min(wide, high)
        standing = Rect(left + (wide - size_px) // 2, floor + 5 - size_px, size_px, size_px)
        canvas.picture(name, standing, theme.CHIP if number == BOSS else theme.FAINT)
    return canvas.surface


def _window(surface: pygame.Surface, rect: Rect, wall: Colour) -> None:
    frame = theme.mixed(wall, theme.PAPER, 0.35)
    surface.fill(frame, rect.inflate(4, 4))
    surface.fill(SKY, rect)
    surface.fill(frame, Rect(rect.centerx - 1, rect.top, 2, rect.height))
    surface.fill(frame, Rect(rect.left, rect.centery - 1, rect.width, 2))


def _kitchen(canvas: Canvas, rect: Rect, view: View) -> None:
    canvas.panel(rect, KITCHEN, 2)
    inside = rect.inflate(-4, -2)
    flat = inside.width > 3 * inside.height
    least_px = number_cap_px(canvas.cap_px)
    cards_px = pieces.hand_px(view.kitchen, view.values, canvas.cap_px) + 4
    cards_px = min(cards_px, inside.height - ceil(least_px * pieces.LINE))
    wide_px = max(pieces.least_hand_px(view.kitchen, view.values, canvas.cap_px) + 6, round(inside.width * 0.64))
    share = 1 - (wide_px / inside.width if flat else cards_px / inside.height)
    points, cards = cut.split(inside, share, upright=not flat)
    if not by_cards(view.rulings):
        points = inside.inflate(-inside.width * 2 // 5 if flat else 0, 0)
    pot, number = cut.split(points, min(0.45, points.height / points.width))
    canvas.picture("coffee", cut.square(pot), theme.LIT, on=KITCHEN)
    px = min(max(round(points.height * 0.62), least_px), round(least_px * 1.5))
    widgets.number(canvas, number, view.kitchen_points, Style(px, theme.LIT, bold=True), on=KITCHEN)
    pieces.hand(canvas, cards, view.kitchen, view.values)


def _stock(canvas: Canvas, rect: Rect, points: int) -> None:
    canvas.panel(rect, PANTRY, 2)
    inside = rect.inflate(-4, -6)
    px = number_cap_px(canvas.cap_px)
    icon, number = cut.split(inside, 1 - px * 1.3 / inside.height, upright=True)
    pieces.pile(canvas, icon.inflate(-4, -2) if icon.height < icon.width * 1.2 else cut.square(icon, 0.7), 3)
    widgets.number(canvas, number, points, Style(px, theme.TEXT, bold=True), on=PANTRY)
