"""A display as it is built in: plain values, which settings can have without a program that draws."""

from typing import NamedTuple


class ScreenGeometry(NamedTuple):
    """A display as it is built in: the size of its picture, how far away who reads it sits, how it hangs.

    With no width and height it is one of 7 inches. `turn` are the quarters against the clock from the picture to
    how it hangs.
    """

    width_mm: int = 0
    height_mm: int = 0
    reader_cm: int = 60
    turn: int = 0
