"""Draws the QR codes by which phones join, dark on white and as large as they fit."""

import pygame
from pygame import Rect

from companion.display import cut, theme
from companion.display.canvas import Canvas
from companion.display.frame import JoinCode, JoinPage
from companion.display.layout import Layout, least_cap_px
from companion.display.theme import Style

QUIET = 4  # the light margin around a code, in modules

SEATS = 0.36  # share of the text's room for the codes of single seats

LEAST_MODULE_PX = 2
"""Smaller codes of single seats are left out. The table's code offers all free seats."""

WHITE = (255, 255, 255)
BLACK = (0, 0, 0)


def draw(canvas: Canvas, page: JoinPage, rect: Rect, plan: Layout) -> None:
    cap_px, room, gap = plan.cap_px, rect, plan.unit_px // 2
    if page.any_seat:
        upright = rect.height > rect.width
        long, short = (rect.height, rect.width) if upright else rect.size
        whole, room = cut.first(rect, min(long // 2, short), gap, upright=upright)
        _code(canvas, page.any_seat, whole)
    title, room = cut.top(room, round(plan.unit_px * 1.3))
    canvas.text(page.title, title, Style(round(plan.unit_px * 0.9), theme.TEXT, bold=True))
    if page.any_seat:
        letters, room = cut.top(room, plan.unit_px)
        canvas.text(page.any_seat.letters, letters, Style(round(plan.unit_px * 0.6), theme.LIT, bold=True))
    _, room = cut.bottom(room, plan.unit_px // 6)  # for descenders
    label_px = round(plan.unit_px * 0.6)
    seats, words = cut.bottom(room, round(room.height * SEATS), gap)
    cells = cut.equal(seats, len(page.codes)) if page.codes else []
    if cells and _module_px(page.codes[0], cut.bottom(cells[0], label_px)[1]) >= LEAST_MODULE_PX:
        room = words
        for code, cell in zip(page.codes, cells, strict=True):
            name, drawn = cut.bottom(cell, label_px)
            _code(canvas, code, drawn)
            canvas.text(code.name, name, Style(round(plan.unit_px * 0.36), theme.TEXT))
    parts = [(line, Style(round(cap_px * 0.6))) for line in page.lines]
    parts.append((page.hint, Style(round(cap_px * 0.54), theme.FAINT)))
    canvas.paragraphs(parts, room, cap_px, least_cap_px(cap_px))


def _code(canvas: Canvas, code: JoinCode, cell: Rect) -> None:
    modules = len(code.rows) + 2 * QUIET
    module_px = max(1, _module_px(code, cell))
    drawn = pygame.Surface((modules * module_px, modules * module_px))
    drawn.fill(WHITE)
    for y, row in enumerate(code.rows):
        for x, dark in enumerate(row):
            if dark == "1":
                drawn.fill(BLACK, ((QUIET + x) * module_px, (QUIET + y) * module_px, module_px, module_px))
    canvas.ground(drawn, drawn.get_rect(center=cell.center))


def _module_px(code: JoinCode, cell: Rect) -> int:
    return min(cell.size) // (len(code.rows) + 2 * QUIET)
