"""The physical display, as plain values without a drawing library."""

from typing import NamedTuple


class ScreenGeometry(NamedTuple):
    """The size and mounting of a display. Without width and height, its diagonal is 7 inches.

    `reader_cm` is the distance to the readers. `turn` is how it hangs, in counter-clockwise quarter turns.
    """

    width_mm: int = 0
    height_mm: int = 0
    reader_cm: int = 60
    turn: int = 0
