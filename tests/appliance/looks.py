"""What a photograph of the screen shows, told by what our own display draws of the same frame.

Not to the pixel: the machine's processor draws the same, but what moves or waits may be a step ahead.
"""

import time
from pathlib import Path
from typing import Final

import pygame

from companion.display.frame import Frame, Menu, Poster
from tests.appliance.hands import MATCHES, Hands
from tests.appliance.machine import Machine
from tests.display.gallery import Table, drawn

NEAR: Final = 24
"""Levels by which a pixel may differ in each colour."""

ALIKE: Final = 0.97
"""So much of a screen that does not change is as our own display draws it."""

SETTLED_S: Final = 3.0
"""After so long a picture is drawn and stands."""


def photograph(machine: Machine, picture: Path) -> Path:
    """Photograph what is on the screen when it stands still."""
    time.sleep(SETTLED_S)
    return machine.shot(picture)


def assert_shows(picture: Path, frame: Frame) -> None:
    """Fail unless a photograph is of this frame."""
    alike = likeness(picture, frame)
    assert alike > ALIKE, f"{alike:.0%} of {picture} is as our display draws it"


def attract(folder: Path) -> Frame:
    """Return the attract screen, as a table of our own shows it that has no records."""
    frame = Table(folder / "attract").frame
    assert isinstance(frame.screen, Poster)
    return frame


def resume(hands: Hands, folder: Path) -> Frame:
    """Return the screen that a table of our own shows when it finds the newest record of the machine."""
    name, found = hands.records()[-1], folder / "found"
    found.mkdir()
    (found / name).write_bytes(hands.machine.read(f"{MATCHES}/{name}"))
    frame = Table(found).frame
    assert isinstance(frame.screen, Menu)
    return frame


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
