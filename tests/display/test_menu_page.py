"""The text about a menu's selected line."""

import pygame
import pytest
from pygame import Rect

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.frame import Menu
from companion.display.geometry import ScreenGeometry
from companion.display.layout import layout
from companion.display.pages import menu_page

SAID = (
    "/var/lib/companion/records/2026-11-26-023152-buntherum.record : tout y est en lecture seule ; redémarrer la "
    "machine ; un disque qui reste ainsi est jugé"
)

NOTE = "Fetch, bake and sell bread, 2 or 4 players, 60 min"


@pytest.mark.parametrize("size", [(800, 480), (480, 320)])
def test_descenders_of_the_last_line_are_not_cut(size: tuple[int, int]) -> None:
    plan = layout(size, 5, ScreenGeometry())
    surface = pygame.Surface(size, 0, 32)
    canvas = Canvas(surface, cap_px=plan.unit_px)
    canvas.fill(theme.BACKGROUND)
    rect = plan.centre.inflate(-plan.unit_px // 2, 0)
    menu = Menu("This match cannot be saved", ("Try again", "Play on unsaved", "Leave"), 0, SAID, "", ())
    menu_page.draw(canvas, menu, rect, plan)
    bare = surface.get_at((0, size[1] - 1))
    below = surface.subsurface(Rect(0, rect.bottom, size[0], size[1] - rect.bottom))
    assert pygame.mask.from_threshold(below, bare, (1, 1, 1, 255)).count() == below.get_width() * below.get_height()


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("size", [(800, 480), (480, 320), (720, 1280), (1920, 1080)])
def test_note_of_the_selected_line_is_complete(size: tuple[int, int], large: bool) -> None:
    plan = layout(size, 5, large=large)
    canvas = Canvas(pygame.Surface(plan.centre.size), cap_px=plan.unit_px)
    menu = Menu("Which?", ("One", "Two", "Three", "Four"), 2, "", "# takes it", (), "", (NOTE,) * 4, (1,))
    menu_page.draw(canvas, menu, canvas.rect, plan)
    said = " ".join(item.what for item in canvas.placed)
    assert NOTE in said
    assert all(item.room.inflate(2, 2).contains(item.rect) for item in canvas.placed)
