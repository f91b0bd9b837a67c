"""The geometry and drawing of Buntherum's board."""

import math
from functools import lru_cache
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.display import cut, theme
from companion.display.theme import Colour, hexed
from companion.display.widgets import vector
from companion.games.buntherum.rules import SIDES

Point = tuple[int, int]

REACH_SHARES: Final = {False: 0.245, True: 0.22}
"""Maximum `reach_px` as a share of the room's longer side, by `Board.tall`."""

CARD_SHARE: Final = 1.04
"""Size of the open card, as a share of `reach_px`."""

BADGE_SHARE: Final = 0.165
BADGE_CAPS: Final = 0.5
"""Radius of a number's disc, as shares of `reach_px` and of a name's capitals. The larger one counts."""

RIM_SHARE: Final = 0.075
FELT_SHARE: Final = 0.28
"""Share of a side's colour in its felt."""

MOST_TALL: Final = 1.3
MOST_WIDE: Final = 1.15
"""Maximum height of a card in its widths, and width in its heights."""

STRONG_FELT_SHARE: Final = 0.1
SEAM_LIGHT: Final = 0.25
"""For high contrast: shares of a side's colour in its felt, and of white in the seam."""

_CARDBOARD: Final[Colour] = (0x2B, 0x35, 0x3F)


class _Tones(NamedTuple):
    """The colours that all sides share."""

    background: Colour = theme.BACKGROUND
    cardboard: Colour = _CARDBOARD
    paper: Colour = theme.PAPER
    lit: Colour = theme.LIT
    chip: Colour = theme.CHIP


class Board(NamedTuple):
    """A board; `reach_px` is the distance from the hexagon's middle to a corner.

    In a wide room the hexagon has a corner at the top and three mats on each side. In a tall one it is turned by 30
    degrees, with the mats above and below.
    """

    room: Rect
    tall: bool
    reach_px: int
    badge_px: int

    @property
    def middle(self) -> Point:
        return self.room.center

    @property
    def card(self) -> Rect:
        return cut.square_at(self.middle, round(self.reach_px * CARD_SHARE))

    def at(self, twelfths: int, distance_px: float) -> Point:
        """Return the point `twelfths` of a turn clockwise from the top."""
        angle = math.pi * twelfths / 6
        x, y = self.middle
        return round(x + distance_px * math.sin(angle)), round(y - distance_px * math.cos(angle))

    def badge(self, side: int) -> Rect:
        twelfths = 1 + 2 * side + self.tall
        angle = math.pi * twelfths / 6
        away = self.card.width / 2 + self.badge_px * 1.08
        distance = away / max(abs(math.sin(angle)), abs(math.cos(angle)))
        return cut.square_at(self.at(twelfths, distance), 2 * self.badge_px)

    @property
    def pile(self) -> Rect:
        return cut.square_at(self.at(9 if self.tall else 0, self.reach_px * 0.705), round(self.reach_px * 0.34))

    @property
    def zero(self) -> Rect:
        """The square of the disc for "impossible"."""
        return cut.square_at(self.at(3 if self.tall else 6, self.reach_px * 0.7), 2 * self.badge_px)

    @property
    def notches(self) -> tuple[Rect, ...]:
        """The squares beside the hexagon's slanted sides."""
        x, y = self.middle
        near, far = round(self.reach_px * 0.74), round(self.reach_px * 0.85)
        across, down = (far, near) if self.tall else (near, far)
        size_px = round(self.reach_px * 0.27)
        return tuple(
            cut.square_at((x + right * across, y + low * down), size_px) for low in (-1, 1) for right in (1, -1)
        )

    def mats(self) -> list[Rect]:
        """Return the six mats, clockwise from the top right, reaching under the hexagon."""
        gap = max(3, self.reach_px // 40)
        room, (x, y) = self.room, self.middle
        if self.tall:
            top = cut.equal(cut.top(room, room.height // 2)[0], 3)
            low = cut.equal(cut.bottom(room, room.bottom - y)[0], 3)
            places = [top[2], *low[::-1], *top[:2]]
        else:
            right = cut.equal(cut.right(room, room.right - x)[0], 3, upright=True)
            left = cut.equal(cut.left(room, room.width // 2)[0], 3, upright=True)
            places = right + left[::-1]
        return [place.inflate(-gap, -gap) for place in places]

    def lane(self, side: int) -> Rect:
        """Return the part of a mat that is free for cards."""
        lane = self.mats()[side]
        away = round(self.reach_px * math.sqrt(3) / 2) + max(4, self.reach_px // 20)
        x, y = self.middle
        if self.tall:
            low = lane.centery > y
            lane.height = min(lane.height, abs((lane.bottom if low else lane.top) - y) - away)
            lane.top = y + away if low else lane.top
        else:
            right = lane.centerx > x
            lane.width = min(lane.width, abs((lane.right if right else lane.left) - x) - away)
            lane.left = x + away if right else lane.left
        margin = max(2, self.reach_px // 50)
        return lane.inflate(-2 * margin, -2 * margin)

    def cells(self, side: int, count: int) -> list[Rect]:
        """Return the largest possible places of `count` cards in a row, from the hexagon outward."""
        lanes = [self.lane(one) for one in range(SIDES)]
        room = (min(lane.width for lane in lanes), min(lane.height for lane in lanes))
        lines = max(range(1, count + 1), key=lambda lines: math.prod(self._step(room, lines, count)))
        step = self._step(room, lines, count)
        return [self._cell(lanes[side], step, lines, *divmod(place, lines)) for place in range(count)]

    def _step(self, room: tuple[int, int], lines: int, count: int) -> tuple[int, int]:
        outs = -(-count // lines)
        along, down = (lines, outs) if self.tall else (outs, lines)
        wide, high = room[0] // along, room[1] // down
        return min(wide, round(high * MOST_WIDE)), min(high, round(wide * MOST_TALL))

    def _cell(self, lane: Rect, step: tuple[int, int], lines: int, out: int, line: int) -> Rect:
        wide, high = step
        x, y = self.middle
        if self.tall:
            left = lane.centerx - wide * lines // 2 + line * wide
            top = lane.top + out * high if lane.centery > y else lane.bottom - (out + 1) * high
        else:
            left = lane.left + out * wide if lane.centerx > x else lane.right - (out + 1) * wide
            top = lane.centery - high * lines // 2 + line * high
        gap = max(2, self.reach_px // 40)
        return Rect(left, top, wide, high).inflate(-gap, -gap)


def board_in(room: Rect, unit_px: int = 0) -> Board:
    """Return the largest board with readable numbers. A name's capitals are `unit_px` high."""
    tall = room.height > room.width
    long, short = max(room.size), min(room.size)
    reach_px = min(short // 2 - max(3, short // 80), round(long * REACH_SHARES[tall]))
    badge_px = max(round(reach_px * BADGE_SHARE), math.ceil(unit_px * BADGE_CAPS))
    return Board(room, tall, reach_px, badge_px)


# --- Drawings ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def drawn(
    size: tuple[int, int],
    inks: tuple[Colour, ...],
    *,
    lit: bool,
    said: int | None,
    strong: bool = False,
    unit_px: int = 0,
) -> pygame.Surface:
    """Return a board without cards and digits. `inks` are the colours of its sides.

    The hexagon is `lit` while a seat has the call. `said` is the declared row. `strong` means high contrast.
    """
    board = board_in(Rect((0, 0), size), unit_px)
    surface = pygame.Surface(size, 0, 32)
    tones = _Tones(*(theme.toned(colour, strong=strong) for colour in _Tones()))
    surface.fill(tones.background)
    shapes = (
        _felt(board, inks, said, tones, strong=strong)
        + _hexagon(board, inks, lit, tones)
        + _discs(board, inks, said, tones)
    )
    surface.blit(vector(size, "".join(shapes)), (0, 0))
    return surface


def _felt(board: Board, inks: tuple[Colour, ...], said: int | None, tones: _Tones, *, strong: bool) -> list[str]:
    parts = []
    inset = max(2.0, board.reach_px / 50)
    for number, (mat, ink) in enumerate(zip(board.mats(), inks, strict=True), 1):
        cloth = theme.mixed(tones.background, ink, STRONG_FELT_SHARE if strong else FELT_SHARE)
        seam, width = theme.mixed(cloth, ink, 0.5), inset / 2
        if strong:
            seam, width = theme.mixed(ink, theme.WHITE, SEAM_LIGHT), inset
        if number == said:
            seam, width = tones.lit, 1.5 * inset
        parts.append(_mat(mat, 0, board.reach_px / 10, f'fill="{hexed(cloth)}"'))
        style = f'fill="none" stroke="{hexed(seam)}" stroke-width="{width}"'
        parts.append(_mat(mat, 0.75 * inset, board.reach_px / 10 - inset, style))
    return parts


def _mat(mat: Rect, inset: float, radius: float, style: str) -> str:
    x, y, wide, high = mat.left + inset, mat.top + inset, mat.width - 2 * inset, mat.height - 2 * inset
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="{radius}" {style}/>'


def _hexagon(board: Board, inks: tuple[Colour, ...], lit: bool, tones: _Tones) -> list[str]:
    reach, rim = board.reach_px, board.reach_px * RIM_SHARE
    parts = [_polygon(board, reach, tones.background, tones.background, rim)]
    if lit:
        parts.append(_polygon(board, reach, tones.lit))
    outer = reach - (rim * 0.6 if lit else 0)
    for side, ink in enumerate(inks):
        # Overlap the cardboard by a pixel, so that nothing shines through between them.
        points = _corners(board, side, outer) + _corners(board, side, outer - rim - 1)[::-1]
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        parts.append(f'<polygon points="{path}" fill="{hexed(ink)}"/>')
    return [*parts, _polygon(board, outer - rim, tones.cardboard)]


def _discs(board: Board, inks: tuple[Colour, ...], said: int | None, tones: _Tones) -> list[str]:
    places = [(board.zero, tones.chip), *((board.badge(side), ink) for side, ink in enumerate(inks))]
    return [
        _disc(board, place, tones.lit if said == number else tones.paper, ink)
        for number, (place, ink) in enumerate(places)
    ]


def _corners(board: Board, side: int, reach: float) -> list[tuple[float, float]]:
    x, y = board.middle
    angles = [math.pi * (2 * corner + board.tall) / 6 for corner in (side, side + 1)]
    return [(x + reach * math.sin(angle), y - reach * math.cos(angle)) for angle in angles]


def _polygon(board: Board, reach: float, fill: Colour, stroke: Colour | None = None, width: float = 0) -> str:
    path = " ".join(f"{x:.2f},{y:.2f}" for side in range(SIDES) for x, y in _corners(board, side, reach)[:1])
    line = f'stroke="{hexed(stroke)}" stroke-width="{width}" stroke-linejoin="round"' if stroke else ""
    return f'<polygon points="{path}" fill="{hexed(fill)}" {line}/>'


def _disc(board: Board, place: Rect, face: Colour, ring: Colour) -> str:
    x, y, radius = place.centerx, place.centery, board.badge_px
    width = radius * 0.2
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{hexed(theme.LINE)}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius - width:.2f}" fill="{hexed(face)}" '
        f'stroke="{hexed(ring)}" stroke-width="{width:.2f}"/>'
    )


@lru_cache(maxsize=32)
def slot(size: tuple[int, int], ink: Colour) -> pygame.Surface:
    wide, high = size
    line = max(2.0, min(size) / 25)
    long, edge = min(size) / 4, line / 2
    paths = []
    for x, way in ((edge, 1), (wide - edge, -1)):
        for y, down in ((edge, 1), (high - edge, -1)):
            paths.append(f"M{x + way * long} {y}H{x}V{y + down * long}")
    style = f'fill="none" stroke="{hexed(ink)}" stroke-width="{line}" stroke-linejoin="round"'
    return vector(size, f'<path d="{"".join(paths)}" {style}/>')
