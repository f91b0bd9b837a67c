"""What a photograph of the screen shows, told by what our own display draws of the same frame.

Not to the pixel: the machine's processor draws the same, but what moves or waits may be a step ahead.
"""

from pathlib import Path
from typing import Final

import pygame
from gallery import drawn

from companion.display.frame import Frame

NEAR: Final = 24
"""Levels by which a pixel may differ in each colour."""


def likeness(picture: Path, frame: Frame) -> float:
    """Return which share of the pixels of a photograph is as our display draws them of a frame."""
    seen = pygame.image.load(picture)
    expected = drawn(frame, seen.get_size()).surface
    near = pygame.mask.from_threshold(seen, (0, 0, 0), (NEAR, NEAR, NEAR, 255), expected)
    return near.count() / (seen.get_width() * seen.get_height())


def colours(picture: Path) -> int:
    """Return how many colours a photograph has: 1 for a black screen, few for a console."""
    seen = pygame.image.load(picture)
    width, height = seen.get_size()
    return len({tuple(seen.get_at((x, y))) for x in range(width) for y in range(height)})
