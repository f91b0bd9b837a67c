"""Draws the form of Buntherum's box."""

from pygame import Rect

from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Style
from companion.games.buntherum import scene_board
from companion.games.buntherum.box import Deck, Hexagon
from companion.games.buntherum.scene import numbers
from companion.games.buntherum.scene_board import board_in


def draw(canvas: Canvas, rect: Rect, drawn: Hexagon | Deck, spot: tuple[int, int] | None) -> None:
    if isinstance(drawn, Hexagon):
        _hexagon(canvas, rect, drawn)
    else:
        _deck(canvas, rect, drawn, spot or (0, 0))


def _hexagon(canvas: Canvas, rect: Rect, drawn: Hexagon) -> None:
    board = board_in(rect, canvas.cap_px)
    colours = [widgets.known_colour(colour, side) for side, (_, colour) in enumerate(drawn.sides)]
    inks = tuple(theme.INKS[colour] for colour in colours)
    strong, unit_px = canvas.look.high_contrast, canvas.cap_px
    ground = scene_board.drawn(rect.size, inks, lit=False, said=drawn.asked, strong=strong, unit_px=unit_px)
    canvas.surface.blit(ground, rect)
    for side, ((thing, _), colour) in enumerate(zip(drawn.sides, colours, strict=True)):
        cell = board.cells(side, 1)[0]
        if side + 1 == drawn.asked:
            canvas.panel(cell, theme.LIT, cell.width // 9)
        widgets.card(canvas, cell.inflate(-cell.width // 6, -cell.width // 6), thing, colour, printed=True)
    numbers(canvas, board, drawn.asked)


def _deck(canvas: Canvas, rect: Rect, drawn: Deck, spot: tuple[int, int]) -> None:
    (_, *heads), *rows = cut.field(rect, len(drawn.colours) + 1, len(drawn.objects) + 1)
    for thing, head in zip(drawn.objects, heads, strict=True):
        canvas.picture(thing, head.inflate(-3, -3), theme.PAPER)
    for row, (colour, (head, *cells)) in enumerate(zip(drawn.colours, rows, strict=True)):
        known, size = widgets.known_colour(colour, row), head.width
        canvas.box(head.inflate(-3, -3), theme.PAPER, size // 8)
        widgets.mark(canvas, theme.MARKS[known], head.center, round(size * 0.7), theme.INKS[known])
        for column, (thing, square) in enumerate(zip(drawn.objects, cells, strict=True)):
            cell = square.inflate(-3, -3)
            if (row, column) == spot:
                canvas.panel(cell.inflate(8, 8), theme.LIT, size // 8)
            _count(canvas, cell, thing, known, drawn.counts[row][column])


def _count(canvas: Canvas, cell: Rect, thing: str, colour: str, count: int) -> None:
    if count == 1:
        widgets.card(canvas, cell, thing, colour)
        return
    on = theme.PAPER if count else theme.PANEL
    canvas.panel(cell, on, cell.width // 9)
    if count:
        canvas.text(str(count), cell, Style(round(cell.height * 0.6), theme.LINE, bold=True), on=on)
