"""A display as it is built in: plain values for settings, without a library that draws."""

from typing import NamedTuple


class ScreenGeometry(NamedTuple):
    """A display as it is built in: the size of its picture, the distance of its readers, how it hangs.

    Without width and height it has 7 inches. It hangs turned by `turn` quarters against the clock.
    """

    width_mm: int = 0
    height_mm: int = 0
    reader_cm: int = 60
    turn: int = 0
