"""Cuts rectangles into parts, in pixels. A cut returns the part and the rest, with a gap between them."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from pygame import Rect

Cut = tuple[Rect, Rect]


def left(rect: Rect, wide: int, gap: int = 0) -> Cut:
    part = Rect(rect.left, rect.top, wide, rect.height)
    return part, Rect(part.right + gap, rect.top, rect.width - wide - gap, rect.height)


def right(rect: Rect, wide: int, gap: int = 0) -> Cut:
    part = Rect(rect.right - wide, rect.top, wide, rect.height)
    return part, Rect(rect.left, rect.top, rect.width - wide - gap, rect.height)


def top(rect: Rect, high: int, gap: int = 0) -> Cut:
    part = Rect(rect.left, rect.top, rect.width, high)
    return part, Rect(rect.left, part.bottom + gap, rect.width, rect.height - high - gap)


def bottom(rect: Rect, high: int, gap: int = 0) -> Cut:
    part = Rect(rect.left, rect.bottom - high, rect.width, high)
    return part, Rect(rect.left, rect.top, rect.width, rect.height - high - gap)


def first(rect: Rect, length: int, gap: int = 0, *, upright: bool) -> Cut:
    """Cut at the top if `upright`, else at the left."""
    return top(rect, length, gap) if upright else left(rect, length, gap)


def split(rect: Rect, share: float, gap: int = 0, *, upright: bool = False) -> Cut:
    """Cut off `share` of the length: at the left, or at the top if `upright`."""
    return first(rect, round((rect.height if upright else rect.width) * share), gap, upright=upright)


def picture(rect: Rect, wide: int, high: int, gap: int) -> Cut:
    """Cut off a picture's area: at the left of a wide rectangle, at the top of a tall one."""
    return left(rect, wide, gap) if rect.width > rect.height else top(rect, high, gap)


# --- What is left beside a part ---------------------------------------------------------------------------


def before(rect: Rect, part: Rect, gap: int = 0) -> Rect:
    return left(rect, part.left - gap - rect.left)[0]


def after(rect: Rect, part: Rect, gap: int = 0) -> Rect:
    return right(rect, rect.right - part.right - gap)[0]


def above(rect: Rect, part: Rect, gap: int = 0) -> Rect:
    return top(rect, part.top - gap - rect.top)[0]


def below(rect: Rect, part: Rect, gap: int = 0) -> Rect:
    return bottom(rect, rect.bottom - part.bottom - gap)[0]


# --- Many parts -------------------------------------------------------------------------------------------


def cells(rect: Rect, count: int, across: int = 1) -> list[Rect]:
    """Return `count` equal cells of whole pixels, row by row, `across` in each row."""
    wide, high = rect.width // across, rect.height // max(1, -(-count // across))
    return [
        Rect(rect.left + place % across * wide, rect.top + place // across * high, wide, high)
        for place in range(count)
    ]


def equal(rect: Rect, count: int, *, upright: bool = False) -> list[Rect]:
    """Return `count` equal cells of whole pixels, side by side, or stacked if `upright`."""
    return cells(rect, count, 1 if upright else count)


def largest_cells(
    rect: Rect, count: int, side: Callable[[Rect], float] = lambda cell: min(cell.size)
) -> list[Rect]:
    """Return `count` equal cells, in the number of columns that makes `side` of a cell largest."""
    ways = (cells(rect, count, across) for across in range(1, count + 1))
    return max(ways, key=lambda found: side(found[0]), default=[])


def columns(rect: Rect, count: int) -> list[Rect]:
    """Return `count` columns that fill a rectangle. Widths may differ by a pixel."""
    ends = [rect.left + rect.width * place // count for place in range(count + 1)]
    return [Rect(start, rect.top, end - start, rect.height) for start, end in pairwise(ends)]


def shares(rect: Rect, weights: Sequence[float], gap: int = 0, *, upright: bool = False) -> list[Rect]:
    """Return parts in proportion to `weights`, side by side, or stacked if `upright`."""
    begin, length = (rect.top, rect.height) if upright else (rect.left, rect.width)
    spare, whole = length - gap * (len(weights) - 1), sum(weights)
    starts = [begin + round(spare * sum(weights[:part]) / whole) + gap * part for part in range(len(weights) + 1)]
    if upright:
        return [Rect(rect.left, start, rect.width, end - gap - start) for start, end in pairwise(starts)]
    return [Rect(start, rect.top, end - gap - start, rect.height) for start, end in pairwise(starts)]


def stack(rect: Rect, count: int, high: int) -> list[Rect]:
    """Return `count` rows of height `high`, vertically centred."""
    start = rect.centery - high * count // 2
    return [Rect(rect.left, start + number * high, rect.width, high) for number in range(count)]


def field(rect: Rect, down: int, across: int) -> list[list[Rect]]:
    """Return the largest centred field of squares, row by row."""
    size = min(rect.width // across, rect.height // down)
    start, head = rect.centerx - size * across // 2, rect.centery - size * down // 2
    return [
        [Rect(start + column * size, head + row * size, size, size) for column in range(across)]
        for row in range(down)
    ]


# --- Rectangles of a size ---------------------------------------------------------------------------------


def sized(wide: int, high: int, **point: tuple[int, int]) -> Rect:
    """Return a rectangle by its size and an anchor: `sized(4, 3, midright=(80, 40))`."""
    rect = Rect(0, 0, wide, high)
    for name, at in point.items():
        setattr(rect, name, at)
    return rect


def square_at(centre: tuple[int, int], size_px: int) -> Rect:
    return sized(size_px, size_px, center=centre)


def square(rect: Rect, share: float = 1.0) -> Rect:
    """Return a centred square that fills `share` of the shorter side."""
    return square_at(rect.center, round(min(rect.size) * share))
