"""Draws Dé et Boulanger's board."""

from functools import lru_cache, partial
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat, by_seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.de_et_boulanger import scene_plan, scene_signs, walks
from companion.games.de_et_boulanger.rules import View
from companion.games.de_et_boulanger.rules.board import SIDES, Kind, Square, board_of
from companion.games.de_et_boulanger.rules.components import NOWHERE, Phase
from companion.games.de_et_boulanger.scene_plan import Ground

GROUNDS: Final = {Kind.MILL: scene_signs.FIELD, Kind.FARM: scene_signs.MEADOW}

SERVICES: Final = {Kind.MILL: ("mill", theme.PAPER), Kind.FARM: ("farm", theme.CHIP)}

EDGES: Final = ("midtop", "midright", "midbottom", "midleft")

NEAR, FAR = 170, 75
"""Opacity (of 255) of the light on squares one step away, and farther."""

COBBLES: Final = 3
"""Stones along the side of a square."""


def board(canvas: Canvas, room: Rect, view: View) -> None:
    squares = view.box.board
    ground = scene_plan.ground_of(room, squares)
    canvas.ground(_cobbled(view.box.map, ground.cell_px, room.size), room)
    near = reached(view, 1)
    far = reached(view) - near
    labels = _labels(view)
    for square in near | far:
        _light(canvas, ground, view, square, NEAR if square in near else FAR)
    for side in range(len(SIDES)):
        _bakery(canvas, ground, view, side)
    for square, kind in enumerate(squares.kinds):
        if kind in SERVICES and square not in view.places and square not in labels.values():
            name, ink = SERVICES[kind]
            canvas.picture(name, scene_plan.cell(ground, squares, square).inflate(-2, -2), ink, on=GROUNDS[kind])
    _fountain(canvas, ground, view, numbered=squares.fountain in labels.values())
    _ways(canvas, ground, view, near.difference(labels.values()))
    for seat, square in by_seat(view.places):
        rect = scene_plan.stand(ground, view, seat)
        if square != NOWHERE and rect:
            if seat == view.turn and view.phase == Phase.MOVE:
                glow = _glow(rect.width + 2 * max(3, rect.width // 4), canvas.tone(theme.LIT))
                canvas.surface.blit(glow, glow.get_rect(center=rect.center))
            scene_signs.baker(canvas, rect, seat, on=scene_signs.STONE)
    _numbers(canvas, ground, view, labels)
    rounds, rolls = scene_plan.margins(ground, view.box.map)
    pips(canvas, rounds, view.round, view.box.rounds, round_ones=True)
    pips(canvas, rolls, view.series, view.box.rolls_per_round, round_ones=False)


def pips(canvas: Canvas, room: Rect, now: int, of: int, *, round_ones: bool) -> None:
    """Draw a disc per round or a square per roll; `now` is lit, later ones are empty."""
    step = min(room.width // of, room.height)
    size = max(4, round(step * 0.62))
    radius = size // 2 if round_ones else size // 5
    for number in range(1, of + 1):
        pip = cut.square_at((room.centerx + step * (2 * number - of - 1) // 2, room.centery), size)
        canvas.box(pip.inflate(4, 4), scene_signs.SHELF, radius + 2)
        colour, line_px = theme.LIT if number == now else theme.FAINT, 0 if number <= now else max(1, size // 7)
        canvas.box(pip, colour, radius, line_px)


# --- Ground -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _cobbled(map_text: str, cell_px: int, size: tuple[int, int]) -> pygame.Surface:
    squares = board_of(map_text)
    surface = pygame.Surface(size)
    surface.fill(theme.BACKGROUND)
    ground = scene_plan.ground_of(surface.get_rect(), squares)
    radius = cell_px * 3 // 4
    whole = Rect(ground.left, ground.top, cell_px * squares.columns, cell_px * squares.rows)
    pygame.draw.rect(surface, scene_signs.GRASS, whole, border_radius=radius)
    for square, kind in enumerate(squares.kinds):
        rect = scene_plan.cell(ground, squares, square)
        if kind in GROUNDS:
            pygame.draw.rect(surface, scene_signs.JOINT, rect)
            pygame.draw.rect(surface, GROUNDS[kind], rect.inflate(-2, -2), border_radius=cell_px // 6)
        elif kind in {Kind.PLAIN, Kind.SHOP}:
            _stones(surface, rect, square)
    _pool(surface, scene_plan.basin(ground, squares), cell_px)
    return surface


def _stones(surface: pygame.Surface, rect: Rect, square: Square) -> None:
    pygame.draw.rect(surface, scene_signs.JOINT, rect)
    inside = rect.inflate(-2, -2)
    pygame.draw.rect(surface, _shifted(scene_signs.STONE, -12), inside, border_radius=max(2, rect.width // 9))
    for number in range(COBBLES * COBBLES):
        row, column = divmod(number, COBBLES)
        left, right = (inside.left + inside.width * (column + more) // COBBLES for more in (0, 1))
        top, bottom = (inside.top + inside.height * (row + more) // COBBLES for more in (0, 1))
        shift = (square * 31 + number * 17 + square * number * 7) % 13 - 6
        stone = Rect(left, top, right - left - 1, bottom - top - 1)
        pygame.draw.rect(
            surface, _shifted(scene_signs.STONE, shift * 2), stone, border_radius=max(2, stone.width // 4)
        )


def _shifted(colour: Colour, by: int) -> Colour:
    red, green, blue = (max(0, min(255, part + by)) for part in colour)
    return red, green, blue


def _pool(surface: pygame.Surface, pool: Rect, cell_px: int) -> None:
    pygame.draw.rect(surface, scene_signs.JOINT, pool)
    rim = pool.inflate(-2, -2)
    pygame.draw.rect(surface, theme.FAINT, rim, border_radius=cell_px // 2)
    thick = max(2, cell_px // 8)
    inner = rim.inflate(-2 * thick, -2 * thick)
    pygame.draw.rect(surface, scene_signs.WATER, inner, border_radius=cell_px // 2 - thick)
    for share in (0.16, 0.3):
        ripple = inner.inflate(-round(inner.width * share), -round(inner.height * share))
        pygame.draw.rect(
            surface, _shifted(scene_signs.WATER, 14), ripple, max(1, cell_px // 20), ripple.height // 2
        )


# --- Reachable squares -------------------------------------------------------------------------------------


def reached(view: View, most: int | None = None) -> set[Square]:
    """Return the squares in reach of the moving baker, with at most `most` steps."""
    if view.phase != Phase.MOVE or not view.steps:
        return set()
    squares, seat = view.box.board, view.turn
    ways, start = squares.ways[view.sides[seat]], view.places[seat]
    found, edge = {start}, {start}
    for _ in range(view.steps if most is None else min(most, view.steps)):
        near = {to for square in edge for (to,) in ways[square] if to not in view.places or to == squares.fountain}
        edge = near - found
        found |= edge
        if view.rulings.shop_stops_move:
            edge.discard(squares.shops[view.sides[seat]])
    return found - {start}


def _light(canvas: Canvas, ground: Ground, view: View, square: Square, strength: int) -> None:
    squares = view.box.board
    pool = square == squares.fountain
    rect = scene_plan.basin(ground, squares) if pool else scene_plan.cell(ground, squares, square)
    radius = ground.cell_px // (2 if pool else 6)
    canvas.surface.blit(_light_surface(rect.size, radius, canvas.tone(theme.LIT), strength), rect)


@lru_cache(maxsize=16)
def _light_surface(size: tuple[int, int], radius: int, colour: Colour, strength: int) -> pygame.Surface:
    light = pygame.Surface(size, pygame.SRCALPHA)
    inside = light.get_rect().inflate(-2, -2)
    thick = max(2, min(size) // 14)
    pygame.draw.rect(light, (*colour, strength * 3 // 5), inside, border_radius=radius)
    pygame.draw.rect(light, (*colour, strength), inside, thick, border_radius=radius)
    return light


def _ways(canvas: Canvas, ground: Ground, view: View, near: set[Square]) -> None:
    """Draw the step keys: on squares, on the fountain's exits, and on the sides of the pool."""
    squares, seat = view.box.board, view.turn
    side, pool = view.sides[seat], scene_plan.basin(ground, squares)
    free = [square for square in near if squares.kinds[square] in {Kind.PLAIN, Kind.SHOP}]
    keys = {square: walks.step_keys(view, seat, square) for square in free}
    for square, (*first, last) in keys.items():
        # The second key is not lit.
        _step(
            canvas, scene_plan.cell(ground, squares, square), int(last), side, theme.PAPER if first else theme.LIT
        )
    for key in {first for first, *exits in keys.values() if exits}:
        at, size = EDGES[walks.direction_of(key, side) or 0], pool.width // 3
        _step(canvas, cut.sized(size, size, **{at: getattr(pool, at)}), int(key), side, theme.LIT)


def _step(canvas: Canvas, rect: Rect, number: int, side: int, ink: Colour) -> None:
    def draw(inner: Canvas) -> None:
        inner.disc(inner.rect.center, inner.rect.width * 0.46, ink)
        _digit(inner, inner.rect, number, ink)

    canvas.turned(rect, -walks.quarters(side) % 4, draw, on=scene_signs.STONE)


def _labels(view: View) -> dict[str, Square]:
    """Return the cell of each place number: beside a mill or farm, outwards."""
    if view.phase != Phase.MOVE or not view.steps:
        return {}
    squares, seat = view.box.board, view.turn
    taken, labels = {*view.places, *reached(view, 1)}, {}
    for key in walks.walking_keys(view, seat):
        place = walks.places(view.box.map, view.sides[seat])[key]
        beside = scene_plan.outwards(squares, place) if squares.kinds[place] in SERVICES else ()
        labels[key] = next((cell for cell in beside if cell not in taken), place)
        taken.add(labels[key])
    return labels


def _numbers(canvas: Canvas, ground: Ground, view: View, labels: dict[str, Square]) -> None:
    arrives = reached(view)
    for key, label in labels.items():
        side = view.sides[view.turn]
        ink = theme.LIT if walks.places(view.box.map, side)[key] in arrives else theme.PAPER
        cap = scene_plan.numbered(ground, view.box.board, label)
        draw = partial(_keycap, number=int(key), ink=ink)
        canvas.turned(cap, -walks.quarters(side) % 4, draw, on=scene_signs.STONE)


def _keycap(canvas: Canvas, number: int, ink: Colour) -> None:
    canvas.panel(canvas.rect.inflate(-2, -2), ink, canvas.rect.width // 5)
    _digit(canvas, canvas.rect, number, ink)


def _digit(canvas: Canvas, rect: Rect, number: int, on: Colour) -> None:
    style = Style(round(rect.height * (0.74 if canvas.look.large_text else 0.69)), theme.LINE, bold=True)
    widgets.number(canvas, rect, number, style, on=on)


# --- Buildings ---------------------------------------------------------------------------------------------


def _bakery(canvas: Canvas, ground: Ground, view: View, side: int) -> None:
    squares = view.box.board
    shop = scene_plan.cell(ground, squares, squares.shops[side])
    if side in view.sides:
        owner = Seat(view.sides.index(side))
        ink = scene_signs.ink_of(owner)
        rim = shop.inflate(-2, -2)
        canvas.box(rim, ink, shop.width // 6, max(2, shop.width // 9))
        for place, rect in enumerate(scene_plan.plot(ground, squares, side)):
            if place == 0:
                canvas.picture("bakery", rect, ink, on=scene_signs.GRASS)
            else:
                scene_signs.mark(canvas, rect.inflate(-rect.width // 8, -rect.height // 8), owner)
    elif view.phase == Phase.SETUP:
        canvas.panel(shop.inflate(-2, -2), theme.PAPER, shop.width // 6)
        share = 0.78 if canvas.look.large_text else 0.7
        style = Style(round(shop.height * share), theme.LINE, bold=True)
        widgets.number(canvas, shop.move(0, -shop.height // 16), int(walks.STEP_KEYS[side]), style, on=theme.PAPER)
    else:
        canvas.picture("bakery", shop, theme.FAINT, on=scene_signs.STONE)


def _fountain(canvas: Canvas, ground: Ground, view: View, *, numbered: bool) -> None:
    pool = scene_plan.basin(ground, view.box.board)
    short, size = min(pool.size), ground.cell_px
    shared = numbered or view.box.board.fountain in view.places
    wide = short - 2 * min(size, short // 2) if shared else round(short * 0.72)
    if wide > size // 2:
        canvas.picture("fountain", cut.square_at(pool.center, wide), theme.INKS["sky"], on=scene_signs.WATER)


@lru_cache(maxsize=8)
def _glow(size: int, colour: Colour) -> pygame.Surface:
    glow = pygame.Surface((size, size), pygame.SRCALPHA)
    for share, strength in ((1.0, 60), (0.86, 130), (0.74, 255)):
        pygame.draw.circle(glow, (*colour, strength), (size / 2, size / 2), size / 2 * share)
    return glow
