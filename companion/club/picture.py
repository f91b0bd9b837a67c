"""Draws the standings of a tournament as a picture."""

from pathlib import Path
from typing import Final

import pygame
from pygame import Rect

from companion.club.report import points, title
from companion.club.tournament import Standing, Tournament
from companion.core.text import _
from companion.display import theme
from companion.display.canvas import LEFT, RIGHT, Canvas
from companion.display.plots import FAINT, SHADE
from companion.display.theme import Style
from companion.records import stats_pictures
from companion.records.stats_pictures import MARGIN_PX, SIZE

_ROWS: Final = 16
"""Maximum players per column."""

_GAP_PX: Final = 28
_TOP_PX: Final = 120


def draw(tournament: Tournament, path: Path) -> None:
    """Write the standings to a PNG file. Raise OSError."""
    canvas = Canvas(pygame.Surface(SIZE, 0, 32))
    canvas.fill(theme.PAPER)
    lead = _("Points; the line is the share of all possible points. The first three are dark.")
    stats_pictures.title(canvas, title(tournament), lead)
    every = tournament.standings()
    best = max(1, len(tournament.rounds))
    columns = -(-len(every) // _ROWS)
    rows = -(-len(every) // columns)
    wide = (SIZE[0] - 2 * MARGIN_PX - _GAP_PX * (columns - 1)) // columns
    high = min(60, (SIZE[1] - _TOP_PX - MARGIN_PX // 2) // rows)
    for number, each in enumerate(every):
        column, row = divmod(number, rows)
        room = Rect(MARGIN_PX + column * (wide + _GAP_PX), _TOP_PX + row * high, wide, high)
        _row(canvas, each, room, float(each.points) / best)
    path.parent.mkdir(parents=True, exist_ok=True)
    stats_pictures.save(canvas, path)


def _row(canvas: Canvas, each: Standing, room: Rect, share: float) -> None:
    size_px = max(9, min(18, room.height // 3))
    rank = Rect(room.left, room.top, 2 * size_px + 6, room.height - 8)
    told = Rect(room.right - 3 * size_px, room.top, 3 * size_px, room.height - 8)
    name = Rect(rank.right + 8, room.top, told.left - rank.right - 16, room.height - 8)
    canvas.text(str(each.rank), rank, Style(size_px, FAINT), align=RIGHT)
    canvas.text(each.player, name, Style(size_px, theme.LINE, bold=each.rank <= 3), align=LEFT)
    canvas.text(points(each.points), told, Style(size_px, theme.LINE, bold=each.rank <= 3), align=RIGHT)
    bar = Rect(name.left, room.bottom - 8, room.right - name.left, 4)
    pygame.draw.rect(canvas.surface, SHADE, bar)
    bar.width = round(bar.width * min(1.0, share))
    pygame.draw.rect(canvas.surface, theme.LINE if each.rank <= 3 else theme.INKS["sky"], bar)
