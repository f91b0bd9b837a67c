"""Four sides: a strip for each seat at its edge, turned towards it, and a centre that everybody watches."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pygame import Rect

BOTTOM: Final = 0
RIGHT: Final = 1
TOP: Final = 2
LEFT: Final = 3
"""The edges, as the number of quarter turns against the clock that a text makes to be read from there."""

STRIP_SHARE: Final = 0.17
"""A strip's thickness, as a share of the shorter side: a name and a note."""

CAP_SHARE: Final = 0.079
"""The capitals' height that reads well from a seat: 20 minutes of arc at 60 cm on a 7-inch screen."""

# Clockwise as seen from above, beginning at the bottom edge; of five seats, two share a long edge.
_EDGES_WIDE: Final = {
    1: (BOTTOM,),
    2: (BOTTOM, TOP),
    3: (BOTTOM, LEFT, RIGHT),
    4: (BOTTOM, LEFT, TOP, RIGHT),
    5: (BOTTOM, LEFT, TOP, TOP, RIGHT),
}
_EDGES_TALL: Final = {
    1: (BOTTOM,),
    2: (BOTTOM, TOP),
    3: (BOTTOM, LEFT, RIGHT),
    4: (BOTTOM, LEFT, TOP, RIGHT),
    5: (BOTTOM, LEFT, LEFT, TOP, RIGHT),
}


class Strip(NamedTuple):
    """A seat's strip: where it is, and how it is turned (BOTTOM, RIGHT, TOP or LEFT)."""

    rect: Rect
    turn: int


class Layout(NamedTuple):
    """Where everything goes on a display: the centre, a strip for each seat, `turn` for texts in the centre."""

    centre: Rect
    strips: tuple[Strip, ...]
    cap_px: int
    turn: int


def layout(size: tuple[int, int], seats: int, turn: int = 0) -> Layout:
    """Return the layout of a display of `size` pixels; `turn` quarters against the clock if it hangs turned."""
    width, height = size
    short = min(size)
    thick = round(short * STRIP_SHARE)
    edges = (_EDGES_WIDE if (width >= height) == (turn % 2 == 0) else _EDGES_TALL)[seats]
    turned = [(edge + turn) % 4 for edge in edges]
    used = set(turned)
    top, bottom = thick * (TOP in used), thick * (BOTTOM in used)
    left, right = thick * (LEFT in used), thick * (RIGHT in used)
    centre = Rect(left, top, width - left - right, height - top - bottom)
    bands = {
        BOTTOM: Rect(0, height - bottom, width, thick),
        TOP: Rect(0, 0, width, thick),
        LEFT: Rect(0, top, thick, centre.height),
        RIGHT: Rect(width - right, top, thick, centre.height),
    }
    strips = [Strip(rect, edge) for edge in dict.fromkeys(turned) for rect in _shares(bands[edge], edge, turned)]
    return Layout(centre, tuple(strips), round(short * CAP_SHARE), turn % 4)


def _shares(band: Rect, edge: int, edges: Sequence[int]) -> list[Rect]:
    """Share a band among the seats at its edge, clockwise as seen from above."""
    seats = edges.count(edge)
    along = (band.width if edge in {TOP, BOTTOM} else band.height) // seats
    parts = []
    for place in range(seats):
        if edge in {TOP, BOTTOM}:
            parts.append(Rect(band.left + place * along, band.top, along, band.height))
        else:
            parts.append(Rect(band.left, band.top + place * along, band.width, along))
    return parts[::-1] if edge in {BOTTOM, LEFT} else parts
