"""Draws the form of Büro Crazy's box."""

from typing import Final

from pygame import Rect

from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Style
from companion.games.buro_crazy.box import CardsAsked, FiguresAsked
from companion.games.buro_crazy.scene_pieces import CARD, OUTSIDE, figure_surface

MOST: Final = 6


def draw(
    canvas: Canvas,
    rect: Rect,
    drawn: CardsAsked | FiguresAsked,
    spot: tuple[int, int] | None,
) -> None:
    shown = min(MOST, max(1, drawn.held))
    wide = min(rect.width // 2, round(min(rect.height, canvas.cap_px * 3.5) * CARD))
    step = min(wide // 3, (rect.width - wide) // max(1, shown - 1))
    left = rect.centerx - (wide + step * (shown - 1)) // 2
    for number in range(shown):
        place = Rect(left + number * step, rect.top, wide, rect.height)
        if isinstance(drawn, CardsAsked):
            _card(canvas, place, drawn.value if number == shown - 1 else None)
        else:
            ink = OUTSIDE.get(drawn.colour, theme.INKS.get(drawn.colour, theme.PAPER))
            mark = theme.MARKS.get(drawn.colour, "disc")
            figure = figure_surface(ink, mark, wide, strong=canvas.look.high_contrast)
            canvas.surface.blit(figure, cut.square_at(place.center, wide))


def _card(canvas: Canvas, room: Rect, value: int | None) -> None:
    face = cut.sized(room.width, round(room.width / CARD), center=room.center)
    canvas.panel(face, theme.PAPER, room.width // 8, theme.LINE)
    if value is not None:
        widgets.number(canvas, face, value, Style(room.width * 3 // 8, theme.LINE, bold=True), on=theme.PAPER)
