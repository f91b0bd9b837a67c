"""Draws a club's wall: a board for each table and the standings, to be read across a hall."""

import logging
from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect

from companion.display import cut, scenes, theme
from companion.display.canvas import LEFT, RIGHT, Canvas
from companion.display.frame import Beat, Look, Play, Wall, WallBoard, WallRow, WallSeat
from companion.display.layout import BOTTOM, Layout, Strip
from companion.display.pages import finish_page
from companion.display.theme import Style

HEAD_SHARE: Final = 0.07  # height of the title / of the display

STANDINGS_SHARE: Final = 0.3  # share of the width, beside boards

BOARD_WIDE: Final = 1.5  # the best width of a board, in heights

GAP_SHARE: Final = 0.012
NAME_SHARE: Final = 0.13  # height of a table's name / of its board

SEATS_SHARE: Final = 0.17  # height of the players' line / of their board

SCENE_HIGH_PX: Final = 340  # least height of a scene before it is scaled down

BOARDS_KEPT: Final = 48  # in the cache, so that a change on one does not draw the others

ROWS_MOST: Final = 20
MOST_SEATS: Final = 5

log = logging.getLogger(__name__)


def draw(canvas: Canvas, wall: Wall) -> None:
    """Draw the whole wall, upright."""
    width, height = canvas.rect.size
    gap = max(2, round(min(width, height) * GAP_SHARE))
    head, room = cut.top(Rect(gap, 0, width - 2 * gap, height - gap), round(height * HEAD_SHARE))
    cap_px = round(head.height * 0.42)
    canvas.text(wall.title, head, Style(cap_px, theme.TEXT, bold=True), align=LEFT)
    canvas.text(wall.note or wall.page, head, Style(round(cap_px * 0.8), theme.FAINT), align=RIGHT)
    if wall.standings:
        listed, room = cut.right(room, round(room.width * (STANDINGS_SHARE if wall.boards else 1)), gap)
        _standings(canvas, wall.standings, listed)
    for board, cell in zip(wall.boards, largest_cells(room, len(wall.boards), gap), strict=False):
        canvas.surface.blit(_drawn(board, cell.size, canvas.look), cell)


def largest_cells(room: Rect, count: int, gap: int) -> list[Rect]:
    """Return each board's area, in the number of columns that makes them largest."""
    if not count:
        return []

    def size(columns: int) -> float:
        wide, high = room.width / columns, room.height / -(-count // columns)
        return min(wide / BOARD_WIDE, high)

    with_gaps = Rect(room.topleft, (room.width + gap, room.height + gap))
    found = cut.cells(with_gaps, count, max(range(1, count + 1), key=size))
    return [Rect(cell.topleft, (cell.width - gap, cell.height - gap)) for cell in found]


@lru_cache(maxsize=BOARDS_KEPT)
def _drawn(board: WallBoard, size: tuple[int, int], look: Look) -> pygame.Surface:
    canvas = Canvas(pygame.Surface(size), cap_px=max(6, round(size[1] * NAME_SHARE * 0.42)), look=look)
    canvas.fill(theme.BACKGROUND)
    canvas.panel(canvas.rect, theme.PANEL, max(4, size[1] // 30))
    inner = canvas.rect.inflate(-size[1] // 24, -size[1] // 30)
    name, below = cut.top(inner, round(size[1] * NAME_SHARE))
    seats, middle = cut.bottom(below, round(size[1] * SEATS_SHARE))
    canvas.stands_on(theme.PANEL)
    ink = theme.FAINT if board.lost else theme.TEXT
    canvas.text(board.table, name, Style(canvas.cap_px, ink, bold=True), align=LEFT)
    if not board.seats:
        canvas.text(board.note, below, _quiet(canvas))
        return canvas.surface
    if board.note:
        canvas.text(board.note, name, _quiet(canvas), align=RIGHT)
    for seat, cell in zip(board.seats, cut.equal(seats, len(board.seats)), strict=True):
        _seat(canvas, seat, cell.inflate(-cell.width // 16, 0))
    _board(canvas, board, middle)
    if board.lost:
        veil = pygame.Surface(size)
        veil.fill(theme.PANEL)
        veil.set_alpha(150)
        canvas.surface.blit(veil, (0, 0))
    return canvas.surface


def _quiet(canvas: Canvas) -> Style:
    return Style(round(canvas.cap_px * 0.75), theme.FAINT)


def _seat(canvas: Canvas, seat: WallSeat, cell: Rect) -> None:
    """Draw a player: lit on their turn, with a cup if they lead."""
    if seat.turn:
        canvas.panel(cell, theme.GLOW, cell.height // 6, theme.LIT)
    bar, room = cut.bottom(cell, max(3, cell.height // 9))
    pygame.draw.rect(canvas.surface, theme.INKS.get(seat.colour, theme.FAINT), bar, border_radius=bar.height // 2)
    room = room.inflate(-cell.height // 4, 0)
    cap_px = round(room.height * 0.3)
    if seat.leads:
        cup, room = cut.left(room, round(room.height * 0.5))
        canvas.picture("cup_trophy", cup, theme.LIT)
    if seat.score:
        style = Style(cap_px, theme.TEXT, bold=True)
        told_px = min(room.width // 2, theme.text_width(seat.score, style) + cap_px // 2)
        told, room = cut.right(room, told_px)
        canvas.text(seat.score, told, style, align=RIGHT)
    canvas.text(seat.name, room, Style(cap_px), align=LEFT)


def _board(canvas: Canvas, board: WallBoard, room: Rect) -> None:
    """Draw the scene or the photo finish of a game. A scene that fails is logged."""
    play = board.play
    if play is None:
        return
    times = max(1.0, SCENE_HIGH_PX / room.height)
    size = (round(room.width * times), round(room.height * times))
    part = Canvas(pygame.Surface(size, 0, 32), cap_px=round(canvas.cap_px * times), look=canvas.look)
    part.fill(theme.BACKGROUND)
    try:
        _scene(part, play)
    except Exception:
        # Another machine may report an impossible position.
        log.exception("a board of table %r", board.table)
        part.fill(theme.PANEL)
    canvas.surface.blit(pygame.transform.smoothscale(part.surface, room.size), room)


def _scene(canvas: Canvas, play: Play) -> None:
    if play.beat == Beat.FINISH and play.finish:
        finish_page.draw(canvas, play.finish, canvas.rect.inflate(-canvas.cap_px, 0), canvas.cap_px)
    else:
        # All readers of a wall are below it, also the players.
        below = Strip(Rect(canvas.rect.bottomleft, (canvas.rect.width, 0)), BOTTOM)
        plan = Layout(canvas.rect, (below,) * MOST_SEATS, canvas.cap_px, canvas.cap_px, 0)
        scenes.scene_of(play.scene).centre(canvas, plan, play)


def _standings(canvas: Canvas, rows: tuple[WallRow, ...], room: Rect) -> None:
    canvas.panel(room, theme.PANEL, 8)
    canvas.stands_on(theme.PANEL)
    inner = room.inflate(-room.height // 30, -room.height // 30)
    high = min(inner.height // max(1, min(len(rows), ROWS_MOST)), room.height // 8)
    cap_px = round(high * 0.34)
    for row in rows[:ROWS_MOST]:
        line, inner = cut.top(inner, high)
        wide = cap_px * 3
        style = Style(cap_px, theme.LIT if row.rank == 1 else theme.TEXT, bold=row.rank <= 3)
        below, words = cut.bottom(line, 6)
        rank, words = cut.left(words, wide)
        points, player = cut.right(words, wide)
        canvas.text(str(row.rank), rank, style, align=LEFT)
        canvas.text(row.points, points, style, align=RIGHT)
        canvas.text(row.player, player, style, align=LEFT)
        bar = Rect(player.left, below.top, round(player.width * min(1.0, row.share)), 3)
        pygame.draw.rect(canvas.surface, theme.LIT if row.rank == 1 else theme.FAINT, bar)
