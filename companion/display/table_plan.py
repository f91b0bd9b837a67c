"""The layout of a virtual table in a window of any size."""

from functools import lru_cache
from typing import Final, NamedTuple

from pygame import Rect

from companion.core.console import HOUSE_CONTROLS, KEYPAD
from companion.core.place import Place, by_place
from companion.display import cut

LEAST_SIZE: Final = (480, 400)  # a smaller window shows only a part of the table

FAULTS: Final = ("unplug", "bounce", "stuck", "late")

_LEAST_CAP_PX: Final = 8  # legible on a PC's screen

_CAP_PX: Final = 9  # height of capitals in a window of _USUAL_PX; grows with the window

_USUAL_PX: Final = (1280, 720)

_TALL_SHARE: Final = 0.8  # below this width / height, all seats are below the display

_COLUMN_SHARE: Final = 0.2  # largest width of a side's seats / of a wide window

_ROW_SHARE: Final = 0.19  # largest height of a row of seats / of a tall window

# The height of story and house, relative to the shorter side. It is less if that is below _SHORT_PX.
_BAND_SHARES: Final = {False: 0.22, True: 0.28}

_SHORT_PX: Final = 600

_STORY_SHARE: Final = 0.6  # width of the story / of story and house

_FAULTS_CAPS = 23  # least width of a seat with fault switches, in capitals

_LEGEND_CAPS: Final = (31, 18)  # least width and height of a house with a legend, in capitals


class SeatPlan(NamedTuple):
    """The parts of a seat. `keys` are by control; `faults` is empty without room for them."""

    unit: Rect
    badge: Rect
    name: Rect
    faults: tuple[Rect, ...]
    screen: Rect
    buzzer: Rect
    tag: Rect
    keys: dict[str, Rect]


class HousePlan(NamedTuple):
    """The parts of the house. Without room, the height of `legend` is 0."""

    unit: Rect
    title: Rect
    screen: Rect
    controls: dict[str, Rect]
    legend: Rect


class TablePlan(NamedTuple):
    """The layout of a virtual table. All sizes follow from `cap_px`, the height of small capitals."""

    size: tuple[int, int]
    cap_px: int
    bezel: Rect
    display: Rect
    seats: dict[Place, SeatPlan]
    house: HousePlan
    story: Rect
    help: Rect


@lru_cache(maxsize=4)
def table_plan(size: tuple[int, int]) -> TablePlan:
    wide, high = (max(each, least) for each, least in zip(size, LEAST_SIZE, strict=True))
    tall = wide < _TALL_SHARE * high
    usual = _USUAL_PX[::-1] if tall else _USUAL_PX
    cap_px = max(_LEAST_CAP_PX, round(_CAP_PX * min(wide / usual[0], high / usual[1])))
    gap = round(cap_px * 0.55)
    cells, middle = _tall(wide, high) if tall else _wide(wide, high)
    *units, help_rect = (cell.inflate(-gap, -gap) for cell in cells)
    short = min(wide, high)
    band, above = cut.bottom(middle, round(short * _BAND_SHARES[short >= _SHORT_PX]))
    bezel = above.inflate(-gap, -gap)
    story, house = cut.split(band, _STORY_SHARE)
    return TablePlan(
        (wide, high),
        cap_px,
        bezel,
        bezel.inflate(-round(cap_px * 1.5), -round(cap_px * 1.5)),
        dict(by_place([_seat(unit, cap_px) for unit in units])),
        _house(house.inflate(-gap, -gap), cap_px),
        story.inflate(-gap, -gap),
        help_rect,
    )


def _wide(wide: int, high: int) -> tuple[list[Rect], Rect]:
    """Return the seats clockwise from the lower left and the help, then the middle between them."""
    column = min(round(wide * _COLUMN_SHARE), high // 3)
    left, right = (cut.equal(Rect(at, 0, column, high), 3, upright=True) for at in (0, wide - column))
    return [*left[::-1], *right], Rect(column, 0, wide - 2 * column, high)


def _tall(wide: int, high: int) -> tuple[list[Rect], Rect]:
    """Return the seats clockwise from the lower left and the help, then the room above them."""
    row = min(wide // 3, round(high * _ROW_SHARE))
    rows, middle = cut.bottom(Rect(0, 0, wide, high), 2 * row)
    upper, lower = cut.equal(rows, 2, upright=True)
    first, help_rect, last = cut.columns(lower, 3)
    return [first, *cut.columns(upper, 3), last, help_rect], middle


def _seat(unit: Rect, cap_px: int) -> SeatPlan:
    pad = cap_px // 2 + 1
    head, below = cut.top(unit.inflate(-2 * pad, -2 * pad), round(cap_px * 2.45), pad)
    faults: list[Rect] = []
    badge, name = cut.left(head, head.height, pad)
    if unit.width >= _FAULTS_CAPS * cap_px:
        size = round(cap_px * 2.67)
        signs, name = cut.right(name, (size + 1) * len(FAULTS), 2)
        faults = [
            Rect(signs.left + number * (size + 1), unit.top + pad, size, size) for number in range(len(FAULTS))
        ]
    lower, screen = cut.bottom(below, round(below.height * 0.56), pad)
    tag_px = round(cap_px * 2.3)
    dome_px = min(lower.height - tag_px - 2, lower.width // 2)
    left, keypad = cut.left(lower, max(dome_px, round(cap_px * 8.5)), pad)
    tag, dome = cut.bottom(left, tag_px, 2)
    field = [cell.inflate(-2, -2) for cell in cut.cells(keypad, sum(map(len, KEYPAD)), len(KEYPAD[0]))]
    keys = dict(zip((key for row in KEYPAD for key in row), field, strict=True))
    return SeatPlan(
        unit,
        badge,
        name,
        tuple(faults),
        screen.inflate(-4, -4),
        cut.square_at(dome.center, dome_px),
        tag,
        keys,
    )


def _house(unit: Rect, cap_px: int) -> HousePlan:
    pad = cap_px // 2 + 1
    line, below = cut.top(unit.inflate(-2 * pad, -2 * pad), round(cap_px * 2.45), pad)
    title, screen = cut.left(line, round(cap_px * 6.5), pad)
    has_legend = all(side >= caps * cap_px for side, caps in zip(unit.size, _LEGEND_CAPS, strict=True))
    legend, keys = cut.bottom(below, cap_px * 6 if has_legend else 0, pad if has_legend else 0)
    cells = (cell.inflate(-2, -2) for cell in cut.cells(keys, len(HOUSE_CONTROLS), 4))
    return HousePlan(unit, title, screen, dict(zip(HOUSE_CONTROLS, cells, strict=True)), legend)
