"""Draws the codes by which phones join: as large as they fit, dark on white, so that every camera reads them."""

import pygame
from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import Canvas, lines_height
from companion.display.frame import JoinCode, JoinPage
from companion.display.layout import Layout, least_cap_px
from companion.display.theme import Style

QUIET = 4
"""The width of the light margin around a code, in modules."""

WHITE = (255, 255, 255)
BLACK = (0, 0, 0)


def draw(canvas: Canvas, page: JoinPage, rect: Rect, plan: Layout) -> None:
    """Draw the codes below the title, and the words below them."""
    cap_px = plan.cap_px
    title, room = cut.top(rect, round(plan.unit_px * 1.3))
    canvas.text(page.title, title, Style(round(plan.unit_px * 0.9), theme.TEXT, bold=True))
    _, room = cut.bottom(room, plan.unit_px // 6)  # for the tails of the last line
    least = Style(least_cap_px(cap_px))
    needed = sum(lines_height(text, rect.width, least) for text in (*page.lines, page.hint))
    high = max(round(rect.height * 0.3), needed) if page.codes else room.height
    words, room = cut.bottom(room, high)
    label = Style(round(plan.unit_px * 0.5), theme.TEXT)
    label_px = round(plan.unit_px * 0.9)
    cells = cut.largest_cells(room, len(page.codes), lambda cell: min(cell.width, cell.height - label_px))
    for code, cell in zip(page.codes, cells, strict=True):
        name, drawn = cut.bottom(cell, label_px)
        _code(canvas, code, drawn)
        canvas.text(code.name, name, label)
    parts = [(line, Style(round(cap_px * 0.6))) for line in page.lines]
    parts.append((page.hint, Style(round(cap_px * 0.54), theme.FAINT)))
    canvas.paragraphs(parts, words, cap_px, least_cap_px(cap_px))


def _code(canvas: Canvas, code: JoinCode, cell: Rect) -> None:
    """Draw a code in the middle of its cell, with as many whole pixels a module as fit."""
    modules = len(code.rows) + 2 * QUIET
    module_px = max(1, min(cell.size) // modules)
    drawn = pygame.Surface((modules * module_px, modules * module_px))
    drawn.fill(WHITE)
    for y, row in enumerate(code.rows):
        for x, dark in enumerate(row):
            if dark == "1":
                drawn.fill(BLACK, ((QUIET + x) * module_px, (QUIET + y) * module_px, module_px, module_px))
    canvas.ground(drawn, drawn.get_rect(center=cell.center))
