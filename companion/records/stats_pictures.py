"""Statistics as pictures: reaction times, wins by seat, photo finishes."""

import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pygame
from pygame import Rect

from companion.core.text import _, msg, shortest
from companion.core.units import MS
from companion.display import plots, theme
from companion.display.canvas import LEFT, Canvas
from companion.display.plots import FAINT, Axis, Pen
from companion.display.rows import CloseCall
from companion.display.theme import Style
from companion.records.stats import ContestedCall, GameStatistics, Statistics
from companion.records.stats_rows import Inks, close_rows, inks_of, seat_rows, signs, times_rows
from companion.records.stats_text import advantage, calls

SIZE: Final = (1280, 720)

MOST_FINISHES: Final = 8

MARGIN_PX: Final = 48
_TITLE_PX: Final = 22
_WORD_PX: Final = 13
_SMALL_PX: Final = 11
_TINY_PX: Final = 9
_LEAST_MS: Final = 0.01
"""Smaller margins are drawn as this, since a logarithmic scale has no 0."""

_PLAYERS: Final = Pen(_WORD_PX + 2, _SMALL_PX, label_px=222, value_px=92, row_px=110)
_SEATS: Final = Pen(_WORD_PX, _SMALL_PX, label_px=92, value_px=78, row_px=72)
_FINISHES: Final = Pen(_WORD_PX, _SMALL_PX, label_px=222, value_px=402, row_px=50)


def draw(found: Statistics, folder: Path) -> list[Path]:
    """Draw all pictures that have data into a folder; return the files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, paint in PICTURES.items():
        canvas = picture(found, paint)
        if canvas:
            drawn.append(folder / f"{name}.png")
            save(canvas, drawn[-1])
    return drawn


def save(canvas: Canvas, path: Path) -> None:
    """Write a PNG file. Raises OSError, not pygame's own error."""
    packed = io.BytesIO()
    pygame.image.save(canvas.surface, packed, "as.png")
    path.write_bytes(packed.getvalue())


def picture(found: Statistics, paint: "Paint") -> Canvas | None:
    """Return one picture; None without data."""
    canvas = Canvas(pygame.Surface(SIZE, 0, 32))
    canvas.fill(theme.PAPER)
    return canvas if paint(canvas, found, inks_of(found)) else None


# --- Reaction times ---------------------------------------------------------------------------------------


def reactions(canvas: Canvas, found: Statistics, inks: Inks) -> bool:
    rows = times_rows(found, inks)
    if not rows:
        return False
    title(
        canvas,
        _("How fast do they call?"),
        _(
            "Each call by its time after the card became visible; the middle half is shaded, the line is "
            "the median."
        ),
    )
    plots.times(
        canvas,
        rows,
        Rect(MARGIN_PX, 124, SIZE[0] - 2 * MARGIN_PX, 526),
        _PLAYERS._replace(signs=signs()),
        _("seconds"),
    )
    foot = _("The last column has all slower calls. For beaten players, only calls before the verdict are known.")
    left_out = len(found.reactions) - len(rows)
    more = str(msg("{n} more player is not shown.", "{n} more players are not shown.", n=left_out))
    _foot(canvas, f"{foot} {more}" if left_out else foot)
    return True


# --- Seats ------------------------------------------------------------------------------------------------


def seats(canvas: Canvas, found: Statistics, inks: Inks) -> bool:
    games = [game for game in found.games if game.seats]
    if not games:
        return False
    title(
        canvas,
        _("Is a seat better than another?"),
        _("Share of matches won by each seat, with its 95% interval. The dark bar is pure chance."),
    )
    columns = 1 if len(games) == 1 else 2
    rows = -(-len(games) // columns)
    wide, high = (SIZE[0] - 2 * MARGIN_PX - 48 * (columns - 1)) // columns, (SIZE[1] - 130) // rows
    for number, game in enumerate(games):
        row, column = divmod(number, columns)
        panel = Rect(MARGIN_PX + column * (wide + 48), 124 + row * high, wide, high)
        _seat_panel(canvas, game, panel)
    return True


def _seat_panel(canvas: Canvas, game: GameStatistics, room: Rect) -> None:
    count = str(msg("{n} match", "{n} matches", n=game.matches))
    head = Rect(room.left, room.top, room.width, 26)
    canvas.text(f"{game.title}, {count}", head, Style(_WORD_PX + 1, theme.LINE, bold=True), align=LEFT)
    place = Rect(room.left, head.bottom + 6, room.width, room.height - 70)
    area = plots.shares(canvas, seat_rows(game), place, _SEATS._replace(signs=signs()))
    foot = Rect(room.left, area.bottom + 28, room.width, 22)
    canvas.text(str(advantage(game)), foot, Style(_SMALL_PX, FAINT), align=LEFT)


# --- Photo finishes ---------------------------------------------------------------------------------------


def finishes(canvas: Canvas, found: Statistics, inks: Inks) -> bool:
    if not found.finishes:
        return False
    title(canvas, _("How close was it?"), str(calls(found)))
    rows = close_rows(found, inks, MOST_FINISHES)
    room = Rect(MARGIN_PX, 116, SIZE[0] - 2 * MARGIN_PX, 450)
    area = plots.close(canvas, rows, room, _FINISHES._replace(signs=signs()), _("ms"))
    high = area.height // len(rows)
    for number, row in enumerate(rows):
        _told(canvas, row, Rect(area.right + 20, area.top + high * number, room.right - area.right - 20, high))
    _all_finishes(canvas, found.finishes, Rect(MARGIN_PX, 568, SIZE[0] - 2 * MARGIN_PX, 84))
    return True


def _told(canvas: Canvas, row: CloseCall, room: Rect) -> None:
    words = Rect(room.left, room.top, 110, room.height)
    canvas.text(row.told, words, Style(_WORD_PX, theme.LINE, bold=True), align=LEFT)
    verdict = Rect(words.right, room.top + 3, room.right - words.right, room.height // 2)
    canvas.text(row.judged, verdict, Style(_SMALL_PX, theme.LINE), align=LEFT)
    canvas.text(row.where, verdict.move(0, room.height // 2 - 3), Style(_TINY_PX, FAINT), align=LEFT)


def _all_finishes(canvas: Canvas, every: Sequence[ContestedCall], area: Rect) -> None:
    least = 10 ** math.floor(math.log10(max(_LEAST_MS, every[0].margin_ns / MS)))
    most = 10 ** math.ceil(math.log10(max(2 * least, every[-1].margin_ns / MS)))
    axis = Axis(area.left, area.right, least, most, log=True)
    width = 16
    columns: dict[int, list[ContestedCall]] = {}
    for finish in every:
        place = (axis.at(finish.margin_ns / MS) - area.left) // width
        columns.setdefault(place, []).append(finish)
    tall = min(14.0, area.height / max(map(len, columns.values())))
    for place, those in columns.items():
        ties = sum(finish.tie for finish in those)
        _column(canvas, Rect(area.left + place * width, area.top, width, area.height), tall, len(those), ties)
    pygame.draw.line(canvas.surface, theme.LINE, area.bottomleft, area.bottomright, 2)
    for value in (step * least * 10**power for power in range(9) for step in (1, 2, 5)):
        if value <= most * 1.001:
            room = Rect(axis.at(value) - 40, area.bottom + 4, 80, 22)
            canvas.text(str(shortest(value)), room, Style(_SMALL_PX, FAINT))
    _foot(canvas, _("All photo finishes by margin in milliseconds; the dark ones were ties."))


def _column(canvas: Canvas, room: Rect, tall: float, count: int, ties: int) -> None:
    for low, high, colour in ((0, ties, theme.LINE), (ties, count, theme.INKS["sky"])):
        if high > low:
            bar = Rect(room.left, 0, room.width, max(4, round((high - low) * tall)))
            bar.bottom = room.bottom - round(low * tall)
            pygame.draw.rect(canvas.surface, colour, bar)
            pygame.draw.rect(canvas.surface, theme.LINE, bar, 1)


# --- Shared by all pictures -------------------------------------------------------------------------------

Paint = Callable[[Canvas, Statistics, Inks], bool]
"""Draws a picture; returns False without data."""

PICTURES: Final[dict[str, Paint]] = {"reactions": reactions, "seats": seats, "finishes": finishes}


def title(canvas: Canvas, words: str, lead: str) -> None:
    wide = SIZE[0] - 2 * MARGIN_PX
    canvas.text(words, Rect(MARGIN_PX, 26, wide, 42), Style(_TITLE_PX, theme.LINE, bold=True), align=LEFT)
    canvas.text(lead, Rect(MARGIN_PX, 72, wide, 26), Style(_WORD_PX, FAINT), align=LEFT)


def _foot(canvas: Canvas, text: str) -> None:
    room = Rect(MARGIN_PX, SIZE[1] - 38, SIZE[0] - 2 * MARGIN_PX, 24)
    canvas.text(text, room, Style(_SMALL_PX, FAINT), align=LEFT)
