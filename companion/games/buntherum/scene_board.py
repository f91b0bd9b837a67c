"""Buntherum's board on the display: the hexagon in the middle, six felt mats at its sides, and what goes where."""

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
"""The most from the hexagon's middle to a corner, as a share of the longer side of a wide or a tall room."""

CARD_SHARE: Final = 1.04
"""The open card's side, as a share of the hexagon's reach."""

BADGE_SHARE: Final = 0.165
BADGE_CAPS: Final = 0.5
"""The radius of a number's disc: a share of the hexagon's reach, but at least this share of a name's capitals."""

RIM_SHARE: Final = 0.075
FELT_SHARE: Final = 0.28
"""The share of a side's colour in its felt; the rest is the dark of the table."""

MOST_TALL: Final = 1.3
MOST_WIDE: Final = 1.15
"""The greatest height of a card in a row, in widths, and the greatest width, in heights."""

STRONG_FELT_SHARE: Final = 0.1
SEAM_LIGHT: Final = 0.25
"""In high contrast: the share of a side's colour in its felt, and of white in the seam."""

_CARDBOARD: Final[Colour] = (0x2B, 0x35, 0x3F)


class _Tones(NamedTuple):
    """The colours of a board that are the same for all its sides."""

    background: Colour = theme.BACKGROUND
    cardboard: Colour = _CARDBOARD
    paper: Colour = theme.PAPER
    lit: Colour = theme.LIT
    chip: Colour = theme.CHIP


class Board(NamedTuple):
    """A board in a room; `reach_px` is from the hexagon's middle to a corner.

    In a wide room the hexagon stands on a corner and has three mats at its right and three at its left; in a tall
    one it is turned by a twelfth, and the mats are above and below.
    """

    room: Rect
    tall: bool
    reach_px: int
    badge_px: int
    """The radius of the disc with a side's number."""

    @property
    def middle(self) -> Point:
        return self.room.center

    @property
    def card(self) -> Rect:
        return cut.square_at(self.middle, round(self.reach_px * CARD_SHARE))

    def at(self, twelfths: int, distance_px: float) -> Point:
        """Return a point at a distance from the middle, `twelfths` of a turn clockwise from straight up."""
        angle = math.pi * twelfths / 6
        x, y = self.middle
        return round(x + distance_px * math.sin(angle)), round(y - distance_px * math.cos(angle))

    def badge(self, side: int) -> Rect:
        """Return the square of a side's number: as near to the card as there is room."""
        twelfths = 1 + 2 * side + self.tall
        angle = math.pi * twelfths / 6
        away = self.card.width / 2 + self.badge_px * 1.08
        distance = away / max(abs(math.sin(angle)), abs(math.cos(angle)))
        return cut.square_at(self.at(twelfths, distance), 2 * self.badge_px)

    @property
    def pile(self) -> Rect:
        """The square of the draw pile in the hexagon's corner: the upper one, or the left one."""
        return cut.square_at(self.at(9 if self.tall else 0, self.reach_px * 0.705), round(self.reach_px * 0.34))

    @property
    def zero(self) -> Rect:
        """The square of the sign that no row takes the card, in the corner opposite to the pile."""
        return cut.square_at(self.at(3 if self.tall else 6, self.reach_px * 0.7), 2 * self.badge_px)

    @property
    def notches(self) -> tuple[Rect, ...]:
        """The four squares beside the slanted sides of the hexagon."""
        x, y = self.middle
        near, far = round(self.reach_px * 0.74), round(self.reach_px * 0.85)
        across, down = (far, near) if self.tall else (near, far)
        size_px = round(self.reach_px * 0.27)
        return tuple(
            cut.square_at((x + right * across, y + low * down), size_px) for low in (-1, 1) for right in (1, -1)
        )

    def mats(self) -> list[Rect]:
        """Return the six mats, clockwise from the top right; they reach to the middle, under the hexagon."""
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
        """Return the places of `count` cards in a row, from the hexagon outward, as large as they can be."""
        lanes = [self.lane(one) for one in range(SIDES)]
        room = (min(lane.width for lane in lanes), min(lane.height for lane in lanes))
        lines = max(range(1, count + 1), key=lambda lines: math.prod(self._step(room, lines, count)))
        step = self._step(room, lines, count)
        return [self._cell(lanes[side], step, lines, *divmod(place, lines)) for place in range(count)]

    def _step(self, room: tuple[int, int], lines: int, count: int) -> tuple[int, int]:
        """Return the room of each of `count` cards in `lines` lines, in the proportions of a card."""
        outs = -(-count // lines)
        along, down = (lines, outs) if self.tall else (outs, lines)
        wide, high = room[0] // along, room[1] // down
        return min(wide, round(high * MOST_WIDE)), min(high, round(wide * MOST_TALL))

    def _cell(self, lane: Rect, step: tuple[int, int], lines: int, out: int, line: int) -> Rect:
        """Return the place of a card: its distance `out` from the hexagon in cards, and its line."""
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
    """Return the largest board in a room whose numbers can be read. A name's capitals are `unit_px` high."""
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
    """Return a board that fills `size`, without cards and digits; `inks` are the colours of its sides.

    The hexagon is `lit` while a seat has the call; `said` is the declared number, 0 for "impossible". In `strong`,
    high contrast, the felt is nearly black with bright seams.
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
    """Return the six mats; the declared one has a lit rim."""
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
    """Return the hexagon with its coloured sides, apart from the mats."""
    reach, rim = board.reach_px, board.reach_px * RIM_SHARE
    parts = [_polygon(board, reach, tones.background, tones.background, rim)]
    if lit:
        parts.append(_polygon(board, reach, tones.lit))
    outer = reach - (rim * 0.6 if lit else 0)
    for side, ink in enumerate(inks):
        # One pixel goes below the cardboard, so that nothing shines through between them.
        points = _corners(board, side, outer) + _corners(board, side, outer - rim - 1)[::-1]
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        parts.append(f'<polygon points="{path}" fill="{hexed(ink)}"/>')
    return [*parts, _polygon(board, outer - rim, tones.cardboard)]


def _discs(board: Board, inks: tuple[Colour, ...], said: int | None, tones: _Tones) -> list[str]:
    """Return the discs of the numbers and the sign for "impossible"; the declared one is lit."""
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
    """Return the four corners of a place that waits for a card."""
    wide, high = size
    line = max(2.0, min(size) / 25)
    long, edge = min(size) / 4, line / 2
    paths = []
    for x, way in ((edge, 1), (wide - edge, -1)):
        for y, down in ((edge, 1), (high - edge, -1)):
            paths.append(f"M{x + way * long} {y}H{x}V{y + down * long}")
    style = f'fill="none" stroke="{hexed(ink)}" stroke-width="{line}" stroke-linejoin="round"'
    return vector(size, f'<path d="{"".join(paths)}" {style}/>')
