"""The geometry of Büro Crazy's scene."""

from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple

from pygame import Rect

from companion.display import cut, theme
from companion.display.theme import Style
from companion.games.buro_crazy.rules.building import BOSS, PAIRS, STAIRS, office

LABEL: Final = 0.42
"""Capitals of a label, as a share of a name's."""

LARGE_LABEL: Final = 0.5
"""The same for rooms in large text."""

NUMBER: Final = 0.5
"""Capitals of the smallest numbers, as a share of a name's."""

LEAST_FIGURE: Final = 0.75
"""Spaces on the stairs are labelled only if figures have this height, as a share of a name's capitals."""

WALL_PX: Final = 2
"""Half of the gap between two rooms."""

DESK: Final = 0.9
"""Size of a desk between two figures, as a share of theirs."""

MUCH: Final = 1.1
"""A room's name is beside its figures if that enlarges them by this factor."""

_WIDE: Final = (0.145, 0.155, 0.155, 0.18, 0.165, 0.2, 0)
_TALL: Final = (0.085, 0.085, 0.1, 0.14, 0.105, 0.135, 0.35)
"""Heights of roof, boss suite, second, first and ground floor, stairs, and the bids below, as shares."""


class RoomPlan(NamedTuple):
    """The places of a room's name, figures and furniture."""

    rect: Rect
    label: Rect | None
    spots: tuple[Rect, ...]
    desk: Rect | None


class Plan(NamedTuple):
    """The places of everything.

    `places` maps pairs, and BOSS, to rooms. `sides` are those of a duel.
    """

    roof: Rect
    places: dict[int, RoomPlan]
    kitchen: Rect
    stock: Rect
    sides: tuple[Rect, Rect]

    def spot(self, space: int) -> Rect:
        return self.places[BOSS].spots[0] if space == BOSS else self.places[space // 2].spots[space % 2]

    @property
    def floors(self) -> list[Rect]:
        """The floors, highest first."""
        by_top: dict[int, list[Rect]] = {}
        for room in [*(place.rect for place in self.places.values()), self.kitchen]:
            by_top.setdefault(room.top, []).append(room)
        return [rooms[0].unionall(rooms[1:]) for _, rooms in sorted(by_top.items())]


def plan_of(rect: Rect, cap_px: int, *, large: bool = False) -> Plan:
    return _plan(rect.left, rect.top, rect.width, rect.height, cap_px, large=large)


@lru_cache(maxsize=16)
def _plan(x_px: int, y_px: int, width_px: int, height_px: int, cap_px: int, *, large: bool) -> Plan:
    rect = Rect(x_px, y_px, width_px, height_px)
    wide = rect.width >= rect.height
    floors = cut.shares(rect, _WIDE if wide else _TALL, upright=True)
    tower_px = round(rect.width * (0.25 if wide else 0.6)) // 2 * 2  # even, to be exactly in the middle
    tower = cut.sized(tower_px, rect.height, center=rect.center)
    roof, suite, top = (floor.clip(tower) for floor in floors[:3])
    first, ground, stairs, below = floors[3:]
    quarters = cut.columns(first, 4)
    kitchen = quarters[1].union(quarters[2])
    if wide:
        beside = cut.above(rect, first)
        sides = cut.before(beside, tower), cut.after(beside, tower)
        kitchen, stock = cut.split(kitchen, 0.82)
    else:
        sides = (cut.columns(below, 2)[0], cut.columns(below, 2)[1])
        stock = cut.after(floors[1].union(floors[2]), tower)
    rooms = {BOSS: suite, 14: top, 12: quarters[0], 13: quarters[3]}
    rooms |= {8 + number: cell for number, cell in enumerate(cut.columns(ground, 4))}
    rooms |= dict(enumerate(cut.columns(stairs, 8)))
    return Plan(
        roof=roof,
        places={number: _place(number, _within(room), cap_px, large) for number, room in rooms.items()},
        kitchen=_within(kitchen),
        stock=_within(stock),
        sides=(_within(sides[0]), _within(sides[1])),
    )


def name_of(number: int) -> str:
    return office(BOSS) if number == BOSS else PAIRS[number]


def _within(rect: Rect) -> Rect:
    return rect.inflate(-2 * WALL_PX, -2 * WALL_PX)


def _place(number: int, rect: Rect, cap_px: int, large: bool) -> RoomPlan:
    """Furnish a room. Its name is where it leaves the figures largest."""
    label_px = room_cap_px(cap_px, large=large)
    inside = rect.inflate(-4, -4)
    wide = theme.text_width("G4", Style(label_px, bold=True)) + 2
    beside, right = cut.left(inside, wide)
    above, below = cut.split(inside, 1 - label_px * 1.25 / inside.height, upright=True)
    furnish = _on_the_stairs if number < STAIRS // 2 else _in_the_house
    narrow, low = furnish(number, right), furnish(number, above)
    if narrow.spots[0].width > MUCH * low.spots[0].width:
        return narrow._replace(rect=rect, label=beside)
    if low.spots[0].width < cap_px * LEAST_FIGURE and number < STAIRS // 2:
        return furnish(number, inside)._replace(rect=rect)
    return low._replace(rect=rect, label=below)


def _on_the_stairs(_: int, room: Rect) -> RoomPlan:
    ways = (cut.columns(room, 2), cut.shares(room, (1, 1), upright=True))
    cells = max(ways, key=lambda cells: min(cells[0].size))
    return RoomPlan(room, None, tuple(cut.square(cell) for cell in cells), None)


def _in_the_house(number: int, room: Rect) -> RoomPlan:
    size_px = min(room.height, room.width // 2)
    desk_px = round(size_px * DESK)
    gap_px = min(desk_px, room.width - 2 * size_px)
    first = cut.sized(size_px, size_px, midright=(room.centerx - gap_px // 2, room.centery))
    last = cut.sized(size_px, size_px, midleft=(first.right + gap_px, room.centery))
    if number == BOSS:
        return RoomPlan(room, None, (last,), first)
    desk = cut.sized(desk_px, desk_px, midbottom=(room.centerx, first.bottom))
    return RoomPlan(room, None, (first, last), desk)


# --- Parts of a room --------------------------------------------------------------------------------------


def label_cap_px(cap_px: int) -> int:
    """Return the capitals of a label. `cap_px` is always that of a name."""
    return ceil(cap_px * LABEL)


def room_cap_px(cap_px: int, *, large: bool) -> int:
    return ceil(cap_px * LARGE_LABEL) if large else label_cap_px(cap_px)


def number_cap_px(cap_px: int) -> int:
    return ceil(cap_px * NUMBER)


def cells(room: Rect, count: int, shape: float = 1.0) -> list[Rect]:
    """Return `count` cells as close as possible to `shape`, a width in heights."""
    grids = [(across, ceil(count / across)) for across in range(1, count + 1)]
    across, down = max(grids, key=lambda grid: min(room.width / grid[0], room.height / grid[1] * shape))
    lines = cut.shares(room, (1,) * down, upright=True)
    return [cell for line in lines for cell in cut.columns(line, across)][:count]
