"""Compares screenshots with what our display draws; animations may be a step ahead."""

import time
from pathlib import Path
from typing import Final

import pygame

from companion.display.frame import Frame, Menu, Poster
from tests.appliance.hands import MATCHES, Hands
from tests.appliance.machine import Machine
from tests.display.gallery import Table, drawn

NEAR: Final = 24
"""Permitted difference of a colour."""

ALIKE: Final = 0.97
"""Share of equal pixels that counts as the same screen."""

SETTLED_S: Final = 3.0
"""Time until a picture is complete."""


def photograph(machine: Machine, picture: Path) -> Path:
    """Save a screenshot once the picture is still."""
    time.sleep(SETTLED_S)
    return machine.shot(picture)


def assert_shows(picture: Path, frame: Frame) -> None:
    alike = likeness(picture, frame)
    assert alike > ALIKE, f"{alike:.0%} of {picture} is as our display draws it"


def attract(folder: Path) -> Frame:
    """Return the attract screen of a table without records."""
    frame = Table(folder / "attract").frame
    assert isinstance(frame.screen, Poster)
    return frame


def resume(hands: Hands, folder: Path) -> Frame:
    """Return the screen of a table that finds the machine's newest record."""
    name, found = hands.records()[-1], folder / "found"
    found.mkdir()
    (found / name).write_bytes(hands.machine.read(f"{MATCHES}/{name}"))
    frame = Table(found).frame
    assert isinstance(frame.screen, Menu)
    return frame


def likeness(picture: Path, frame: Frame) -> float:
    """Return the share of pixels that equal the frame."""
    seen = pygame.image.load(picture)
    expected = drawn(frame, seen.get_size()).surface
    near = pygame.mask.from_threshold(seen, (0, 0, 0), (NEAR, NEAR, NEAR, 255), expected)
    return near.count() / (seen.get_width() * seen.get_height())


def colours(picture: Path) -> int:
    """Return the number of colours: 1 for a black screen, few for a console."""
    seen = pygame.image.load(picture)
    width, height = seen.get_size()
    return len({tuple(seen.get_at((x, y))) for x in range(width) for y in range(height)})
