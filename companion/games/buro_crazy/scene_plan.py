"""Where everything of Büro Crazy's scene is: the rooms of the house, the places of its figures, the two bids."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from pygame import Rect

from companion.display import theme
from companion.display.canvas import columns, square_at
from companion.display.theme import Style
from companion.games.buro_crazy.rules.building import BOSS, PAIRS, STAIRS, office

LABEL: Final = 0.42
"""The capitals of a label, as a share of those of a name."""

LARGE_LABEL: Final = 0.5
"""The same of a room's name where texts are large."""

NUMBER: Final = 0.5
"""The capitals of the smallest numbers, as a share of those of a name."""

LEAST_FIGURE: Final = 0.75
"""So high is a figure on the stairs, as a share of a name's capitals, else its place has no name."""

WALL_PX: Final = 2
"""Half of what is left between two rooms."""

DESK: Final = 0.9
"""The size of a desk between two figures, as a share of theirs."""

MUCH: Final = 1.1
"""So many times as large are figures whose room has its name beside them, else it stands below."""

_WIDE: Final = (0.145, 0.155, 0.155, 0.18, 0.165, 0.2)
_TALL: Final = (0.085, 0.085, 0.1, 0.14, 0.105, 0.135)
"""The heights of roof, boss suite, top office, first floor, ground floor and stairs, as shares of the room."""


class RoomPlan(NamedTuple):
    """A room of the house: where it is, where its name stands, where its figures stand and its furniture."""

    rect: Rect
    label: Rect | None
    spots: tuple[Rect, ...]
    desk: Rect | None


class Plan(NamedTuple):
    """Where everything is: `places` by the number of their pair, BOSS for the suite; the two `sides` of a duel."""

    roof: Rect
    places: dict[int, RoomPlan]
    kitchen: Rect
    stock: Rect
    sides: tuple[Rect, Rect]

    def spot(self, space: int) -> Rect:
        """Return where the figure of a space stands."""
        return self.places[BOSS].spots[0] if space == BOSS else self.places[space // 2].spots[space % 2]

    @property
    def floors(self) -> list[Rect]:
        """The floors of the house, the highest first, each with all its rooms."""
        by_top: dict[int, list[Rect]] = {}
        for room in [*(place.rect for place in self.places.values()), self.kitchen]:
            by_top.setdefault(room.top, []).append(room)
        return [rooms[0].unionall(rooms[1:]) for _, rooms in sorted(by_top.items())]


def plan_of(rect: Rect, cap_px: int, *, large: bool = False) -> Plan:
    """Return the plan for a room: with the bids beside the tower, or below the house."""
    return _plan(rect.left, rect.top, rect.width, rect.height, cap_px, large=large)


@lru_cache(maxsize=16)
def _plan(x_px: int, y_px: int, width_px: int, height_px: int, cap_px: int, *, large: bool) -> Plan:
    rect = Rect(x_px, y_px, width_px, height_px)
    wide = rect.width >= rect.height
    roof, suite, top, first, ground, stairs = rows(rect, _WIDE if wide else _TALL)
    tower = round(rect.width * (0.25 if wide else 0.6))
    left, right = rect.centerx - tower // 2, rect.centerx + tower // 2
    quarters = columns(first, 4)
    kitchen = quarters[1].union(quarters[2])
    beside = (
        Rect(rect.left, rect.top, left - rect.left, first.top - rect.top),
        Rect(right, rect.top, rect.right - right, first.top - rect.top),
    )
    if wide:
        sides = beside
        kitchen, stock = split(kitchen, 0.82, upright=False)
    else:
        below = Rect(rect.left, stairs.bottom, rect.width, rect.bottom - stairs.bottom)
        sides = (columns(below, 2)[0], columns(below, 2)[1])
        stock = Rect(right, suite.top, rect.right - right, first.top - suite.top)
    rooms = {
        BOSS: Rect(left, suite.top, right - left, suite.height),
        14: Rect(left, top.top, right - left, top.height),
        12: quarters[0],
        13: quarters[3],
    }
    rooms |= {8 + number: cell for number, cell in enumerate(columns(ground, 4))}
    rooms |= dict(enumerate(columns(stairs, 8)))
    return Plan(
        roof=Rect(left, roof.top, right - left, roof.height),
        places={number: _place(number, _within(room), cap_px, large) for number, room in rooms.items()},
        kitchen=_within(kitchen),
        stock=_within(stock),
        sides=(_within(sides[0]), _within(sides[1])),
    )


def name_of(number: int) -> str:
    """Return the name of a room."""
    return office(BOSS) if number == BOSS else PAIRS[number]


def _within(rect: Rect) -> Rect:
    return rect.inflate(-2 * WALL_PX, -2 * WALL_PX)


def _place(number: int, rect: Rect, cap_px: int, large: bool) -> RoomPlan:
    """Furnish a room: its name beside or below its figures, as it makes them largest."""
    label_px = room_cap_px(cap_px, large=large)
    inside = rect.inflate(-4, -4)
    wide = theme.text_width("G4", Style(label_px, bold=True)) + 2
    beside, right = split(inside, wide / inside.width, upright=False)
    above, below = split(inside, 1 - label_px * 1.25 / inside.height, upright=True)
    furnish = _on_the_stairs if number < STAIRS // 2 else _in_the_house
    narrow, low = furnish(number, right), furnish(number, above)
    if narrow.spots[0].width > MUCH * low.spots[0].width:
        return narrow._replace(rect=rect, label=beside)
    if low.spots[0].width < cap_px * LEAST_FIGURE and number < STAIRS // 2:
        return furnish(number, inside)._replace(rect=rect)
    return low._replace(rect=rect, label=below)


def _on_the_stairs(_: int, room: Rect) -> RoomPlan:
    """Return the places of two figures beside or below each other, as it makes them largest."""
    ways = (columns(room, 2), rows(room, (0.5, 0.5)))
    cells = max(ways, key=lambda cells: min(cells[0].size))
    return RoomPlan(room, None, tuple(square(cell) for cell in cells), None)


def _in_the_house(number: int, room: Rect) -> RoomPlan:
    """Return the places of two figures with a desk between, partly behind them; the boss has a chair instead."""
    size_px = min(room.height, room.width // 2)
    desk_px = round(size_px * DESK)
    gap_px = min(desk_px, room.width - 2 * size_px)
    first, last = (Rect(0, room.centery - size_px // 2, size_px, size_px) for _ in range(2))
    first.right = room.centerx - gap_px // 2
    last.left = first.right + gap_px
    if number == BOSS:
        return RoomPlan(room, None, (last,), first)
    desk = Rect(room.centerx - desk_px // 2, first.bottom - desk_px, desk_px, desk_px)
    return RoomPlan(room, None, (first, last), desk)


# --- Parts of a room --------------------------------------------------------------------------------------


def label_cap_px(cap_px: int) -> int:
    """Return the capitals of a label, where those of a name are `cap_px` high."""
    return ceil(cap_px * LABEL)


def room_cap_px(cap_px: int, *, large: bool) -> int:
    """Return the capitals of a room's name."""
    return ceil(cap_px * LARGE_LABEL) if large else label_cap_px(cap_px)


def number_cap_px(cap_px: int) -> int:
    """Return the capitals of the smallest numbers."""
    return ceil(cap_px * NUMBER)


def rows(rect: Rect, shares: Sequence[float]) -> list[Rect]:
    """Return rows of these shares of a height, from the top."""
    ends = [rect.top + round(rect.height * sum(shares[:place])) for place in range(len(shares) + 1)]
    return [Rect(rect.left, top, rect.width, end - top) for top, end in pairwise(ends)]


def square(room: Rect, share: float = 1.0) -> Rect:
    """Return the square in the middle of a room that fills this share of it."""
    return square_at(room.center, round(min(room.size) * share))


def split(room: Rect, share: float, *, upright: bool) -> tuple[Rect, Rect]:
    """Return the two parts of a room, the first with this share: upper and lower, or left and right."""
    if upright:
        high = round(room.height * share)
        first = Rect(room.left, room.top, room.width, high)
        return first, Rect(room.left, first.bottom, room.width, room.height - high)
    wide = round(room.width * share)
    first = Rect(room.left, room.top, wide, room.height)
    return first, Rect(first.right, room.top, room.width - wide, room.height)


def cells(room: Rect, count: int, shape: float = 1.0) -> list[Rect]:
    """Return `count` cells of a room, as near as they can be to a shape: so many times as wide as high."""
    grids = [(across, ceil(count / across)) for across in range(1, count + 1)]
    across, down = max(grids, key=lambda grid: min(room.width / grid[0], room.height / grid[1] * shape))
    return [cell for row in rows(room, (1 / down,) * down) for cell in columns(row, across)][:count]
