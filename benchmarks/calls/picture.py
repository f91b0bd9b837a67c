"""Draws the figures: the share of right verdicts by program and distance."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from benchmarks.calls.summary import TITLES, Row
from companion.display.theme import Style, text_surface
from companion.match.fairness.pairs import DISTANCES_MS

Colour = tuple[int, int, int]

SIZE: Final = (1240, 1170)
LEFT_PX, TOP_PX, GAP_PX = 300, 200, 40
PANEL_PX: Final = 100
STEP_PX: Final = 155

PAPER: Final[Colour] = (255, 255, 255)
INK: Final[Colour] = (25, 30, 36)
FAINT: Final[Colour] = (90, 98, 106)
FRAME: Final[Colour] = (200, 205, 210)

COLOURS: Final[dict[str, Colour]] = {
    "first": (0x56, 0xB4, 0xE9),
    "tie": (0xDD, 0xDD, 0xDD),
    "wrong": (0xD5, 0x5E, 0x00),
    "missed": (0xFF, 0xFF, 0xFF),
}
"""Okabe and Ito's palette for colour-blind people; each colour also has a mark."""

LEGEND: Final = {
    "first": "the first was found",
    "tie": "called a tie",
    "wrong": "the wrong one was found",
    "missed": "nobody was found",
}

COLUMNS: Final = (
    (False, 0, "clean contacts, nothing else running"),
    (True, 2, "bouncing contacts, two busy programs"),
)


def draw(figures: Mapping[str, Any], path: Path) -> None:
    pygame.font.init()
    surface = pygame.Surface(SIZE)
    surface.fill(PAPER)
    _write(surface, "Two presses: who was found to be first?", 40, 30, 20, bold=True)
    lead = "Each bar is 100 % of the pairs at one distance; the first press was so many milliseconds ahead."
    _write(surface, lead, 40, 72, 12, colour=FAINT)
    _legend(surface)
    width = (SIZE[0] - LEFT_PX - GAP_PX * len(COLUMNS)) // len(COLUMNS)
    for column, (bounce, busy, title) in enumerate(COLUMNS):
        left = LEFT_PX + column * (width + GAP_PX)
        _write(surface, title, left, TOP_PX - 32, 12, bold=True)
        for line, method in enumerate(TITLES):
            cells = [
                cell
                for cell in figures["cells"]
                if (cell["method"], cell["bounce"], cell["load"]) == (method, bounce, busy)
            ]
            _panel(surface, pygame.Rect(left, TOP_PX + line * STEP_PX, width, PANEL_PX), cells)
        _write(surface, "milliseconds ahead", left + width // 2, SIZE[1] - 42, 11, colour=FAINT, middle=True)
    for line, title in enumerate(TITLES.values()):
        _label(surface, title.replace("`", ""), TOP_PX + line * STEP_PX)
    pygame.image.save(surface, path)


def _label(surface: pygame.Surface, title: str, top: int) -> None:
    name, _, more = title.partition(", ")
    if name == "callback that reads the clock":
        name, more = "callback", "that reads the clock"
    _write(surface, name, 40, top + 30, 14, bold=name == "companion")
    _write(surface, more, 40, top + 60, 12, colour=FAINT)


def _legend(surface: pygame.Surface) -> None:
    left = 40
    for name, words in LEGEND.items():
        box = pygame.Rect(left, 112, 30, 26)
        _bar(surface, box, name)
        left = _write(surface, words, left + 40, 115, 12) + 36


def _panel(surface: pygame.Surface, area: pygame.Rect, cells: Sequence[Row]) -> None:
    slot = area.width // len(DISTANCES_MS)
    for at, cell in enumerate(cells):
        bottom = area.bottom
        left = area.left + at * slot + 8
        for name in LEGEND:
            height = round(area.height * cell[name] / cell["pairs"])
            if height:
                _bar(surface, pygame.Rect(left, bottom - height, slot - 16, height), name)
            bottom -= height
        _write(surface, f"{cell['distance_ms']:g}", left + slot // 2 - 8, area.bottom + 8, 11, middle=True)
    pygame.draw.line(surface, INK, area.bottomleft, area.bottomright)


def _bar(surface: pygame.Surface, area: pygame.Rect, name: str) -> None:
    pygame.draw.rect(surface, COLOURS[name], area)
    clip = surface.get_clip()
    surface.set_clip(area)
    MARKS[name](surface, area)
    surface.set_clip(clip)
    pygame.draw.rect(surface, INK, area, 1)


def _plain(surface: pygame.Surface, area: pygame.Rect) -> None:
    """No mark."""


def _level_lines(surface: pygame.Surface, area: pygame.Rect) -> None:
    for y in range(area.top + 5, area.bottom, 8):
        pygame.draw.line(surface, FAINT, (area.left, y), (area.right, y), 2)


def _crosses(surface: pygame.Surface, area: pygame.Rect) -> None:
    for shift in range(-area.height, area.width, 12):
        start, end = area.left + shift, area.left + shift + area.height
        pygame.draw.line(surface, INK, (start, area.bottom), (end, area.top), 2)
        pygame.draw.line(surface, INK, (start, area.top), (end, area.bottom), 2)


def _dots(surface: pygame.Surface, area: pygame.Rect) -> None:
    for y in range(area.top + 6, area.bottom, 12):
        for x in range(area.left + 6, area.right, 12):
            pygame.draw.circle(surface, INK, (x, y), 2)


MARKS: Final[dict[str, Callable[[pygame.Surface, pygame.Rect], None]]] = {
    "first": _plain,
    "tie": _level_lines,
    "wrong": _crosses,
    "missed": _dots,
}


def _write(
    surface: pygame.Surface,
    words: str,
    x: int,
    y: int,
    cap_px: int,
    *,
    colour: Colour = INK,
    bold: bool = False,
    middle: bool = False,
) -> int:
    """Draw text with the tops of its capitals at `y`; return its right edge."""
    picture = text_surface(words, Style(cap_px, colour, bold))
    left = x - picture.get_width() // 2 if middle else x
    surface.blit(picture, (left, y))
    return left + picture.get_width()
