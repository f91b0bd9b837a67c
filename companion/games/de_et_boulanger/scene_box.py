"""Draws a tile, or the board, while a box is edited."""

from typing import Final

from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import Canvas
from companion.display.theme import Colour
from companion.games.de_et_boulanger import scene_signs
from companion.games.de_et_boulanger.box import TileAsked
from companion.games.de_et_boulanger.map import Map
from companion.games.de_et_boulanger.rules.board import NOTHING, SIDES, Kind
from companion.games.de_et_boulanger.scene_board import GROUNDS, SERVICES

TILE: Final = 0.6
"""Width of a tile, as a share of its height."""

_GROUNDS: Final[dict[str, Colour]] = {
    "M": GROUNDS[Kind.MILL],
    "A": GROUNDS[Kind.FARM],
    "F": scene_signs.WATER,
    NOTHING: scene_signs.GRASS,
}

_PICTURES: Final[dict[str, tuple[str, Colour]]] = {
    "M": SERVICES[Kind.MILL],
    "A": SERVICES[Kind.FARM],
    "F": ("fountain", theme.INKS["sky"]),
    **dict.fromkeys(SIDES, ("bakery", theme.INKS["orange"])),
}


def draw(canvas: Canvas, rect: Rect, drawn: Map | TileAsked, spot: tuple[int, int] | None) -> None:
    if isinstance(drawn, Map):
        _map(canvas, rect, drawn.lines, spot)
        return
    high = min(rect.height, canvas.cap_px * 5)
    card = cut.sized(round(high * TILE), high, center=rect.center)
    scene_signs.tile(canvas, card, (drawn.breads, drawn.croissants), round(high * 0.28))


def _map(canvas: Canvas, rect: Rect, lines: tuple[str, ...], spot: tuple[int, int] | None) -> None:
    cells = cut.field(rect, len(lines), len(lines[0]))
    for line, row in zip(lines, cells, strict=True):
        for letter, cell in zip(line, row, strict=True):
            _square(canvas, cell, letter)
    if spot:
        cell = cells[spot[0]][spot[1]]
        canvas.box(cell.inflate(4, 4), theme.LIT, cell.width // 6, max(3, cell.width // 7))


def _square(canvas: Canvas, cell: Rect, letter: str) -> None:
    ground = _GROUNDS.get(letter, scene_signs.STONE)
    canvas.box(cell, scene_signs.JOINT if letter != NOTHING else ground)
    canvas.box(cell.inflate(-2, -2), ground, cell.width // 8)
    if letter in _PICTURES:
        name, ink = _PICTURES[letter]
        canvas.picture(name, cell.inflate(-2, -2), ink, on=ground)
