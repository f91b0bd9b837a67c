"""The layout of a display: a strip for each seat at its edge, and the centre.

Sizes follow from what can be read at a seat's distance, not from the number of pixels.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from pygame import Rect

from companion.core.place import MOST_PLACES, Place
from companion.display import cut
from companion.display.canvas import LINE_SHARE, turned_rect
from companion.display.geometry import ScreenGeometry

BOTTOM: Final = 0
RIGHT: Final = 1
TOP: Final = 2
LEFT: Final = 3
"""The edges, as counter-clockwise quarter turns of text that is read from there."""

STRIP_CAPS: Final = 2.15  # thickness of a strip, in heights of capitals: a name and a note

LARGE: Final = 1.25  # size of large text / usual size

STRIP_MOST: Final = 0.21  # largest thickness of a strip / shorter side of the display

READING_ARC_MIN: Final = 20  # height of capitals that are easy to read

LEAST_SHARE: Final = 0.4
"""The smallest capitals relative to a name's: 8 minutes of arc. Good eyes need 5."""

LARGE_LINE_SHARE: Final = 1.28  # line height / capitals, tighter than usual

EYES_CM: Final = 45  # height of eyes above the flat display

# The range that reach_cm searches.
NEAREST_CM: Final = 20
FARTHEST_CM: Final = 200

SEVEN_INCH_MM: Final = 177.8  # assumed diagonal of a display of unknown size

# Clockwise as seen from above, from the bottom edge. Of five seats, two share a long edge.
_EDGES_WIDE: Final = {
    1: (BOTTOM,),
    2: (BOTTOM, TOP),
    3: (BOTTOM, LEFT, RIGHT),
    4: (BOTTOM, LEFT, TOP, RIGHT),
    5: (BOTTOM, LEFT, TOP, TOP, RIGHT),
}
_EDGES_TALL: Final = _EDGES_WIDE | {5: (BOTTOM, LEFT, LEFT, TOP, RIGHT)}


class Strip(NamedTuple):
    """A seat's strip, with its turn: BOTTOM, RIGHT, TOP or LEFT."""

    rect: Rect
    turn: int


class Layout(NamedTuple):
    """The areas of a display. `turn` is that of texts in the centre.

    `cap_px` is the height of a name's capitals: easy to read, or the largest with room. `unit_px` is the same
    without `large` text, for scenes: their pieces can spare no room.
    """

    centre: Rect
    strips: tuple[Strip, ...]
    cap_px: int
    unit_px: int
    turn: int
    large: bool = False

    @property
    def thicker_strips(self) -> "Layout":
        """The layout with strips that include the gaps beside them."""
        return self._replace(strips=tuple(_thicker(strip, self.spare_px) for strip in self.strips))

    @property
    def spare_px(self) -> int:
        """The gap on each side of a strip."""
        return self.unit_px // 12 - 1

    @property
    def line_share(self) -> float:
        """The line height of notes, relative to their capitals."""
        return LARGE_LINE_SHARE if self.large else LINE_SHARE

    @property
    def usual(self) -> "Layout":
        return self._replace(cap_px=self.unit_px, large=False)

    @property
    def of_scene(self) -> "Layout":
        """The layout for a game's scene, without large text."""
        return self._replace(cap_px=self.unit_px)

    @property
    def upright(self) -> Rect:
        """The centre as its reader sees it, with its corner at 0, 0."""
        width, height = self.centre.size
        return Rect(0, 0, height, width) if self.turn % 2 else Rect(0, 0, width, height)

    def on_display(self, rect: Rect) -> Rect:
        """Return where a part of the upright centre is on the display."""
        return turned_rect(rect, self.upright.size, self.turn).move(self.centre.topleft)

    def spot(self, rect: Rect) -> tuple[int, int]:
        """Return where the middle of a part of the upright centre is on the display."""
        return self.on_display(rect).center


def least_cap_px(cap_px: int) -> int:
    return math.ceil(cap_px * LEAST_SHARE)


def wanted_cap_px(size: tuple[int, int], geometry: ScreenGeometry) -> float:
    """Return the height of capitals that are easy to read on a display of `size` pixels.

    A flat display is seen at an angle: the farther away the reader, the lower letters look.
    """
    eyes_mm, distance_mm = 10 * EYES_CM, 10 * math.hypot(geometry.reader_cm, EYES_CM)
    cap_mm = distance_mm * math.tan(math.radians(READING_ARC_MIN / 60)) * distance_mm / eyes_mm
    if geometry.width_mm and geometry.height_mm:
        return cap_mm * math.sqrt(size[0] / geometry.width_mm * size[1] / geometry.height_mm)
    return cap_mm * math.hypot(*size) / SEVEN_INCH_MM


def reach_cm(size: tuple[int, int], geometry: ScreenGeometry) -> int:
    """Return the distance from the display's middle at which names are just easy to read."""
    far = range(NEAREST_CM, FARTHEST_CM + 1)
    return max((cm for cm in far if reads_well(size, geometry._replace(reader_cm=cm))), default=0)


def reads_well(size: tuple[int, int], geometry: ScreenGeometry) -> bool:
    """Return True if there is room for names that are easy to read."""
    # One pixel less is as easy to read.
    return layout(size, 2, geometry).cap_px + 1 > wanted_cap_px(size, geometry)


def layout(
    size: tuple[int, int],
    seats: int,
    geometry: ScreenGeometry = ScreenGeometry(),  # noqa: B008  a value
    *,
    large: bool = False,
    places: Sequence[Place] = (),
) -> Layout:
    """Return the layout of a display of `size` pixels.

    With `places`, each strip is where a full table has it; without, they are spread around the display. `large`
    enlarges only the capitals.
    """
    if not geometry.turn % 4:
        return _upright(size, seats, geometry, places, large=large)
    hung, hung_geometry = size, geometry
    if geometry.turn % 2:
        hung, hung_geometry = (
            size[::-1],
            geometry._replace(width_mm=geometry.height_mm, height_mm=geometry.width_mm),
        )
    plan = _upright(hung, seats, hung_geometry, places, large=large)
    strips = (
        Strip(turned_rect(strip.rect, hung, geometry.turn), (strip.turn + geometry.turn) % 4)
        for strip in plan.strips
    )
    return Layout(
        turned_rect(plan.centre, hung, geometry.turn),
        tuple(strips),
        plan.cap_px,
        plan.unit_px,
        geometry.turn % 4,
        large,
    )


def _upright(
    size: tuple[int, int], seats: int, geometry: ScreenGeometry, places: Sequence[Place], *, large: bool
) -> Layout:
    width, height = size
    thick = round(min(wanted_cap_px(size, geometry) * STRIP_CAPS, min(size) * STRIP_MOST))
    unit_px = round(thick / STRIP_CAPS)
    edges = (_EDGES_WIDE if width >= height else _EDGES_TALL)[MOST_PLACES if places else seats]
    taken = places or range(seats)
    used = {edges[place] for place in taken}
    top, bottom = thick * (TOP in used), thick * (BOTTOM in used)
    left, right = thick * (LEFT in used), thick * (RIGHT in used)
    centre = Rect(left, top, width - left - right, height - top - bottom)
    bands = {
        BOTTOM: Rect(0, height - thick, width, thick),
        TOP: Rect(0, 0, width, thick),
        LEFT: Rect(0, thick, thick, height - 2 * thick),
        RIGHT: Rect(width - thick, thick, thick, height - 2 * thick),
    }
    strips = []
    for edge in dict.fromkeys(edges):  # clockwise, seen from above
        parts = cut.equal(bands[edge], edges.count(edge), upright=edge in {LEFT, RIGHT})
        strips += [Strip(rect, edge) for rect in (parts[::-1] if edge in {BOTTOM, LEFT} else parts)]
    for rect in (strip.rect for strip in strips if strip.turn in {LEFT, RIGHT}):  # extend into free corners
        high_px, low_px = (thick - top) * (rect.top == thick), (thick - bottom) * (rect.bottom == height - thick)
        rect.update(rect.left, rect.top - high_px, rect.width, rect.height + high_px + low_px)
    cap_px = int(unit_px * LARGE) if large else unit_px
    return Layout(centre, tuple(strips[place] for place in taken), cap_px, unit_px, BOTTOM, large)


def _thicker(strip: Strip, by: int) -> Strip:
    left, top, width, height = strip.rect
    grown = {
        BOTTOM: Rect(left, top - by, width, height + by),
        TOP: Rect(left, top, width, height + by),
        LEFT: Rect(left, top, width + by, height),
        RIGHT: Rect(left - by, top, width + by, height),
    }
    return strip._replace(rect=grown[strip.turn])
