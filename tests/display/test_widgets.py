"""Marks, cards, chips and numbers, recognisable from all sides."""

from itertools import combinations

import pygame
import pytest
from pygame import Rect

from companion.display import theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Style

PX = 48
INK = (200, 60, 60)


def canvas_of(size: int = PX, on: theme.Colour = theme.PAPER) -> Canvas:
    canvas = Canvas(pygame.Surface((size, size), 0, 32))
    canvas.fill(on)
    return canvas


def marked(name: str, size_px: int = PX - 8) -> pygame.Surface:
    """Return a mark in one colour, so that only its shape counts."""
    canvas = canvas_of()
    widgets.mark(canvas, name, (PX // 2, PX // 2), size_px, INK)
    return canvas.surface


def apart(one: pygame.Surface, other: pygame.Surface) -> float:
    return 1 - pygame.transform.threshold(None, one, None, (60,) * 3, None, 0, other) / PX**2


@pytest.mark.parametrize(("one", "other"), list(combinations(theme.MARKS.values(), 2)))
def test_marks_differ_in_shape_in_every_turn(one, other):
    first = marked(one)
    for turn in range(4):
        assert apart(first, pygame.transform.rotate(marked(other), 90 * turn)) > 0.06, turn


@pytest.mark.parametrize("name", theme.MARKS.values())
@pytest.mark.parametrize("size_px", [7, 10, 24, 40])
def test_mark_keeps_its_size_and_shows_its_colour(name, size_px):
    surface = marked(name, size_px)
    mask = pygame.mask.from_threshold(surface, theme.PAPER, (1, 1, 1, 255))
    mask.invert()
    rects = mask.get_bounding_rects()
    ink = rects[0].unionall(rects[1:])
    rim = 1 + size_px // 16  # half of the outline
    assert (
        Rect(0, 0, size_px, size_px).move([(PX - size_px) // 2] * 2).inflate(2 * rim + 1, 2 * rim + 1).contains(ink)
    )
    if size_px >= 10:
        assert pygame.mask.from_threshold(surface, INK, (8, 8, 8, 255)).count() >= 3


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("printed", [False, True])
def test_card_shows_its_object_and_two_marks(turn, printed):
    canvas = canvas_of(220, theme.BACKGROUND)
    rect = Rect(10, 10, 200, 200)
    widgets.card(canvas, rect, "cup", "red", printed=printed, turn=turn)
    (placed,) = canvas.placed
    assert placed.what == "cup"
    assert rect.contains(placed.rect)
    # After a half turn the marks are in the same corners.
    plain = canvas_of(220, theme.BACKGROUND)
    widgets.card(plain, rect, "cup", "red", printed=printed, turn=turn + 2)
    back = pygame.transform.rotate(plain.surface, 180)
    differing = 1 - pygame.transform.threshold(None, canvas.surface, None, (60,) * 3, None, 0, back) / 220**2
    assert differing < 0.02


@pytest.mark.parametrize("thing", ["cube", "butterfly", "ball", "icecream", "cup", "flower", "car", "telephone"])
def test_marks_hide_almost_nothing_of_the_object(thing):
    def ink(colour: str) -> int:
        canvas = canvas_of(200)
        widgets.card(canvas, canvas.rect, thing, colour)
        whole = canvas.surface.copy()
        again = Canvas(canvas.surface)
        (placed,) = canvas.placed
        again.picture(thing, placed.room, theme.INKS[colour], on=theme.PAPER)
        return 200**2 - pygame.transform.threshold(None, whole, None, (60,) * 3, None, 0, again.surface)

    for colour in theme.MARKS:
        assert ink(colour) < 0.005 * 200**2, colour


def test_printed_cards_differ_from_laid_ones():
    faces = []
    for printed in (True, False):
        canvas = canvas_of(100)
        widgets.card(canvas, canvas.rect, "cup", "red", printed=printed)
        faces.append(canvas.surface.get_at((50, 4))[:3])
    assert theme.contrast(*faces) > 1.4


@pytest.mark.parametrize("taken", range(4))
def test_chips_are_counted(taken):
    canvas = Canvas(pygame.Surface((90, 30), 0, 32))
    canvas.fill(theme.PANEL)
    widgets.chips(canvas, canvas.rect, taken, 3)
    middles = [canvas.surface.get_at((15 + 30 * number, 15))[:3] for number in range(3)]
    assert middles == [theme.CHIP] * taken + [theme.PANEL] * (3 - taken)


TWO_WAYS = {6, 9, 66, 68, 86, 89, 98, 99}
"""Numbers that are other numbers upside down."""


@pytest.mark.parametrize("value", sorted({*range(14), 60, 69, 88, 90, 96, *TWO_WAYS}))
def test_reversible_numbers_are_underlined(value):
    canvas = canvas_of()
    widgets.number(canvas, canvas.rect, value, Style(20, theme.LINE), on=theme.PAPER)
    (placed,) = canvas.placed
    assert placed.what == str(value)
    row = PX // 2 + round(20 * 0.62)
    line = [
        canvas.surface.get_at((x, row))[:3] == theme.LINE
        for x in range(placed.rect.left + 1, placed.rect.right - 1)
    ]
    assert all(line) == (value in TWO_WAYS)


def test_back_of_a_card_shows_no_card():
    canvas = canvas_of()
    widgets.back(canvas, Rect(4, 4, 30, 40))
    assert canvas.placed == []
    assert canvas.surface.get_at((19, 24))[:3] == theme.PANEL


def test_unknown_colour_gets_one_by_its_place():
    assert widgets.known_colour("blue", 0) == "blue"
    others = [widgets.known_colour(name, place) for place, name in enumerate("abcdefgh")]
    assert sorted(others) == sorted(theme.INKS)
