"""Pieces that move from one picture to the next, over what stands still; nothing waits for them."""

from typing import NamedTuple

import pygame

Point = tuple[int, int]


class Flight(NamedTuple):
    """A piece that moves: its picture, and where its middle goes from and to, in the pixels of the display.

    `lift_px` raises its way in the middle, `begins` is the share of the whole time after which it starts, and with
    `shake_px` it trembles so far instead of going anywhere.
    """

    picture: pygame.Surface
    start: Point
    end: Point
    lift_px: int = 0
    begins: float = 0.0
    shake_px: int = 0
