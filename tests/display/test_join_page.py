"""The page with the codes for phones."""

import pygame
import pytest
from pygame import Rect

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.frame import JoinCode, JoinPage
from companion.display.layout import layout
from companion.display.pages import join_page

LINES = (
    "Scan a code with your phone, in the Wi-Fi of http://192.168.178.100:8123/",
    "Press your buzzer to sit down.",
)
PAGE = JoinPage(
    "Who plays?", (JoinCode("Seat 1", ("1" * 29,) * 29),) * 5, LINES, "2, 3, 4 or 5 players. Keys: back"
)


@pytest.mark.parametrize("codes", [PAGE.codes, ()], ids=["seats", "house"])
@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (720, 1280)])
def test_descenders_of_the_last_line_are_not_cut(size: tuple[int, int], codes: tuple[JoinCode, ...]) -> None:
    plan = layout(size, 5)
    surface = pygame.Surface(size, 0, 32)
    canvas = Canvas(surface, cap_px=plan.unit_px)
    canvas.fill(theme.BACKGROUND)
    rect = plan.centre.inflate(-plan.unit_px // 2, 0)
    join_page.draw(canvas, PAGE._replace(codes=codes), rect, plan)
    below = surface.subsurface(Rect(0, rect.bottom, size[0], size[1] - rect.bottom))
    assert pygame.mask.from_threshold(below, theme.BACKGROUND, (1, 1, 1, 255)).count() == below.width * below.height
