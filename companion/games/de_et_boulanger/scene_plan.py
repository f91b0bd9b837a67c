"""The layout of Dé et Boulanger's centre, shared by drawing and animation.

Coordinates are those of the upright centre: a square board, and beside it a panel for each seat near its right
hand. The panel of the seat across is upside down.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from math import dist
from typing import Final, NamedTuple

from pygame import Rect

from companion.core.move import Seat
from companion.display import cut
from companion.display.canvas import turned_rect
from companion.display.layout import BOTTOM, LEFT, RIGHT, TOP, Layout, Strip
from companion.games.de_et_boulanger.rules import View
from companion.games.de_et_boulanger.rules.board import DIRECTIONS, DOWN, UP, Board, Kind, Square, board_of
from companion.games.de_et_boulanger.rules.components import NOBODY, NOWHERE, Phase

BOARD: Final = 0.62
"""Maximum size of the board, as a share of the centre's longer side."""

LEAST_PANEL: Final = 3.7
"""Minimum height of a panel above or below the board, in a name's capitals."""

GAP: Final = 0.16
"""Gap between board and panels, as a share of a name's capitals."""

HEAD, MARKER, NUMBER, HALF, ROW, SPACE = 1.35, 0.6, 1.3, 1.31, 1.3, 0.07
"""Heights of a panel's parts, in heights of its digits: head, marker, numbers, half a tile, row of goods, gap."""

CARD, SIGN = 0.95, 0.85
"""Minimum widths of a tile and of the icon before the row, in heights of digits."""

SPREAD: Final = 1.7
"""Ratio of width to height above which the tiles are beside the rest."""

STRETCH: Final = 1.5
"""Maximum stretch of a panel's parts."""


class Plan(NamedTuple):
    """Areas of board and panels; `turns` are the quarter turns of each panel."""

    board: Rect
    panels: tuple[Rect, ...]
    turns: tuple[int, ...]


def plan_of(plan: Layout, seats: int) -> Plan:
    width, height = plan.upright.size
    gap = max(4, round(plan.cap_px * GAP))
    upright = height > width
    size = min(width, height, round(max(width, height) * BOARD))
    if upright:
        size = min(size, height - 2 * (gap + round(plan.unit_px * LEAST_PANEL)))
    board = cut.square_at((width // 2, height // 2), size)
    first, last = (cut.above, cut.below) if upright else (cut.before, cut.after)
    ends = first(plan.upright, board, gap), last(plan.upright, board, gap)
    rooms = ends if seats == 2 else [half for end in ends for half in _halves(end, gap, upright=upright)]
    turns = tuple((strip.turn - plan.turn) % 4 for strip in plan.strips[:seats])
    hands = [_right_hand(plan, strip) for strip in plan.strips[:seats]]
    return Plan(board, _nearest(rooms, hands), tuple(2 if turn == TOP else 0 for turn in turns))


def _halves(end: Rect, gap: int, *, upright: bool) -> tuple[Rect, Rect]:
    width, height = ((end.width - gap) // 2, end.height) if upright else (end.width, (end.height - gap) // 2)
    first = Rect(end.topleft, (width, height))
    return first, first.move(width + gap, 0) if upright else first.move(0, height + gap)


def _right_hand(plan: Layout, strip: Strip) -> tuple[int, int]:
    """Return where a strip's reader has the right hand, in the upright centre."""
    beside = strip.rect.move(-plan.centre.left, -plan.centre.top)
    rect = turned_rect(beside, plan.centre.size, -plan.turn)
    ends = {BOTTOM: rect.midright, RIGHT: rect.midtop, TOP: rect.midleft, LEFT: rect.midbottom}
    return ends[(strip.turn - plan.turn) % 4]


def _nearest(rooms: Sequence[Rect], hands: Sequence[tuple[int, int]]) -> tuple[Rect, ...]:
    """Return a room for each hand, with the smallest total distance."""

    def way(found: Sequence[Rect]) -> float:
        return sum(dist(room.center, hand) for room, hand in zip(found, hands, strict=True))

    return min(permutations(rooms, len(hands)), key=way)


# --- Board ------------------------------------------------------------------------------------------------


class Ground(NamedTuple):
    """Pixel position of the first cell, and size of a cell."""

    left: int
    top: int
    cell_px: int


def ground_of(room: Rect, board: Board) -> Ground:
    size = min(room.width // board.columns, room.height // board.rows)
    return Ground(room.centerx - size * board.columns // 2, room.centery - size * board.rows // 2, size)


def cell(ground: Ground, board: Board, square: Square) -> Rect:
    row, column = divmod(square, board.columns)
    size = ground.cell_px
    return Rect(ground.left + column * size, ground.top + row * size, size, size)


def basin(ground: Ground, board: Board) -> Rect:
    first, *others = [cell(ground, board, part) for part in board.cells(board.fountain)]
    return first.unionall(others)


def outwards(board: Board, square: Square) -> list[Square]:
    """Return the plain squares around a square, from the farthest from the board's middle."""
    row, column = divmod(square, board.columns)
    middle = (board.rows - 1) / 2, (board.columns - 1) / 2
    around = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    around.sort(key=lambda at: -abs(at[0] - middle[0]) - abs(at[1] - middle[1]))
    found = [r * board.columns + c for r, c in around if 0 <= r < board.rows and 0 <= c < board.columns]
    return [there for there in found if board.kinds[there] == Kind.PLAIN]


def numbered(ground: Ground, board: Board, square: Square) -> Rect:
    if square != board.fountain:
        return cell(ground, board, square)
    pool = basin(ground, board)
    return cut.sized(ground.cell_px, ground.cell_px, midtop=pool.midtop)


def stand(ground: Ground, view: View, seat: Seat) -> Rect | None:
    """Return a baker's area: a cell, or a corner of the fountain; None before set-up."""
    square, board = view.places[seat], view.box.board
    if square == NOWHERE:
        return None
    if square != board.fountain:
        return cell(ground, board, square)
    pool = basin(ground, board)
    size = min(ground.cell_px, *(side // 2 for side in pool.size))
    corner = Rect(0, 0, size, size)
    corner.left = pool.left if seat in {1, 2} else pool.right - size
    corner.top = pool.top if seat in {2, 3} else pool.bottom - size
    return corner


def plot(ground: Ground, board: Board, side: int) -> tuple[Rect, ...]:
    """Return the free cells beside a shop, for its house and its mark."""
    shop = board.shops[side]
    row, column = divmod(shop, board.columns)
    beside = ((0, -1), (0, 1)) if side in {UP, DOWN} else ((-1, 0), (1, 0))
    found = []
    for down, right in beside:
        there = (row + down) * board.columns + column + right
        inside = 0 <= row + down < board.rows and 0 <= column + right < board.columns
        if inside and board.kinds[there] == Kind.NOTHING:
            found.append(cell(ground, board, there))
    return tuple(found)


@lru_cache(maxsize=8)
def margins(ground: Ground, map_text: str) -> tuple[Rect, Rect]:
    """Return the areas for rounds and rolls: the longest free parts of the upper and lower edge."""
    board = board_of(map_text)
    return _margin(ground, board, UP, 0), _margin(ground, board, DOWN, board.rows - 1)


def _margin(ground: Ground, board: Board, side: int, row: int) -> Rect:
    taken = {cell(ground, board, shop).topleft for shop in board.shops}
    taken |= {rect.topleft for at in DIRECTIONS for rect in plot(ground, board, at)}
    nothing = Rect(0, 0, 0, 0)
    parts, free = [nothing], nothing
    for column in range(board.columns):
        place = cell(ground, board, row * board.columns + column)
        free = nothing if place.topleft in taken else free.union(place) if free else place
        parts.append(free)
    # Among equal parts the first above and the last below, which are not close together.
    return max(parts[:: -1 if side == DOWN else 1], key=lambda part: part.width)


# --- Panels -----------------------------------------------------------------------------------------------


class PanelPlan(NamedTuple):
    """The parts of a panel, in its own pixels.

    `cap_px` is the height of digits, `marker` the area above the tiles. `cards` are the areas of the tiles, `signs`
    the icons before their halves. `rows` are below the tiles, () during set-up.
    """

    cap_px: int
    head: Rect
    marker: Rect
    signs: tuple[Rect, Rect]
    cards: tuple[Rect, ...]
    rows: tuple[Rect, ...]

    @property
    def below(self) -> Rect:
        return self.rows[0].union(self.rows[1])

    @property
    def token_px(self) -> int:
        return round(self.cap_px * ROW)


def panel_plan(size: tuple[int, int], view: View, count: int) -> PanelPlan:
    return _panel_plan(size, len(view.box.tiles), count, choosing=view.phase == Phase.SETUP)


@lru_cache(maxsize=64)
def _panel_plan(size: tuple[int, int], of: int, count: int, *, choosing: bool) -> PanelPlan:
    pad = max(3, min(size) // 40)
    room = Rect((0, 0), size).inflate(-2 * pad, -2 * pad)
    wide = SIGN + CARD * of
    above, goods = (NUMBER, ()) if choosing else (MARKER, (ROW, ROW))
    if goods and room.width > SPREAD * room.height:
        half = room.width // 2 - pad
        cap = min(half / wide, room.height / (HEAD + 2 * ROW + 2 * SPACE), room.height / (above + 2 * HALF + SPACE))
        head, *rows = _below(cut.left(room, half)[0], cap, (HEAD, *goods))
        marker, tiles = _below(cut.right(room, half)[0], cap, (above, 2 * HALF))
    else:
        lines = (HEAD, above, 2 * HALF, *goods)
        cap = min(room.width / wide, room.height / (sum(lines) + SPACE * (len(lines) - 1)))
        head, marker, tiles, *rows = _below(room, cap, lines)
    return PanelPlan(int(cap), head, marker, *_tiles(tiles, cap, count, of), tuple(rows))


def _below(room: Rect, cap: float, heights: tuple[float, ...]) -> list[Rect]:
    needed = cap * sum(heights)
    share = min(STRETCH, (room.height - cap * SPACE * (len(heights) - 1)) / needed)
    gap = (room.height - share * needed) / max(1, len(heights) - 1)
    gap = min(gap, cap / 2)
    top = room.centery - (share * needed + gap * (len(heights) - 1)) / 2
    rows = []
    for height in heights:
        rows.append(Rect(room.left, round(top), room.width, int(share * cap * height)))
        top += share * cap * height + gap
    return rows


def _tiles(room: Rect, cap: float, count: int, of: int) -> tuple[tuple[Rect, Rect], tuple[Rect, ...]]:
    sign = cap * SIGN
    wide = min((room.width - sign) / of, room.height * 0.75)
    left = room.left + (room.width - sign - wide * of) / 2
    upper, lower = cut.equal(Rect(round(left), room.top, round(sign), room.height), 2, upright=True)
    edges = [round(left + sign + wide * place) for place in range(count + 1)]
    gap = max(2, round(wide / 12))
    cards = [Rect(start, room.top, end - start, room.height).inflate(-gap, 0) for start, end in pairwise(edges)]
    return (upper, lower), tuple(cards)


def shows_board(view: View) -> bool:
    """Return True if the centre shows the board, not a stage."""
    if view.phase == Phase.MOVE:
        return view.turn != NOBODY
    return view.phase in {Phase.SETUP, Phase.START}
