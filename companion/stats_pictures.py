"""Statistics as pictures on paper, in the display's own style: reaction times, wins by seat, photo finishes."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.text import _, msg
from companion.display import theme, widgets
from companion.display.canvas import CENTRE, LEFT, RIGHT, Canvas
from companion.display.theme import Colour, Style
from companion.stats import Finish, GameStatistics, Reactions, Statistics, Wins
from companion.stats_text import advantage, judged

SIZE: Final = (1280, 720)

FAINT: Final[Colour] = (0x5A, 0x62, 0x6A)
"""What is said beside, on paper."""

RULE: Final[Colour] = (0xD8, 0xD2, 0xC2)
"""Lines that the eye may follow or leave."""

SHADE: Final[Colour] = (0xE6, 0xE0, 0xD0)
"""A band behind what it is about."""

MOST_PLAYERS: Final = len(theme.INKS)
"""There are no more colours; of more players those who played most are drawn."""

MOST_FINISHES: Final = 8

_MARGIN_PX: Final = 48
_TITLE_PX: Final = 22
_WORD_PX: Final = 13
_SMALL_PX: Final = 11
_TINY_PX: Final = 9
_FINISH_PX: Final = 50
_MARK_PX: Final = 26
_BIN_PX: Final = 6
_DOT_PX: Final = 6
_LEAST_MS: Final = 0.01
"""Margins below this are drawn as this: the scale of powers of ten has no 0."""

_S: Final = 1_000_000_000
_MS: Final = 1_000_000

_STEPS: Final = {1: 4, 1.5: 3, 2: 4, 2.5: 5, 3: 3, 4: 4, 5: 5, 6: 3, 8: 4}
"""The round numbers that an axis ends at, and in how many parts its lines share it."""

Inks = dict[str, str]
"""The name of each player's colour."""


class Axis(NamedTuple):
    """A line of values from `least` to `most` between two pixels; with `log` each power of ten is as wide."""

    left_px: int
    right_px: int
    least: float
    most: float
    log: bool = False

    def at(self, value: float) -> int:
        """Return where a value is; what is outside is at the end."""
        value = min(max(value, self.least), self.most)
        scale = math.log10 if self.log else float
        share = (scale(value) - scale(self.least)) / (scale(self.most) - scale(self.least))
        return round(self.left_px + share * (self.right_px - self.left_px))


def draw(found: Statistics, folder: Path) -> list[Path]:
    """Draw what there is into a folder, which is made; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, paint in PICTURES.items():
        canvas = picture(found, paint)
        if canvas:
            drawn.append(folder / f"{name}.png")
            pygame.image.save(canvas.surface, drawn[-1])
    return drawn


def picture(found: Statistics, paint: "Painter") -> Canvas | None:
    """Return one picture; None when there is nothing to draw."""
    canvas = Canvas(pygame.Surface(SIZE, 0, 32))
    canvas.fill(theme.PAPER)
    names = [player.who for player in found.players[:MOST_PLAYERS]]
    inks = dict(zip(sorted(names), theme.INKS, strict=False))  # the same while the same people play
    return canvas if paint(canvas, found, inks) else None


# --- Reaction times ---------------------------------------------------------------------------------------


def reactions(canvas: Canvas, found: Statistics, inks: Inks) -> bool:
    """Draw a row for each player: all calls by their time, the middle half, the median."""
    shown = [each for each in found.reactions if each.who in inks]
    if not shown:
        return False
    _title(
        canvas,
        _("How fast do they call?"),
        _("Each call by its time after the card was visible; the middle half is shaded, the line is the median."),
    )
    high = min(110, 500 // len(shown))
    area = Rect(270, 124, 870, high * len(shown))
    times = sorted(time_ns for each in shown for time_ns in each.times_ns)
    axis = _axis(area, times[math.ceil(0.98 * (len(times) - 1))] / _S)
    _grid(canvas, axis, area, _("seconds"))
    peak = max(max(_bins(each, axis)) for each in shown)
    for row, each in enumerate(shown):
        room = Rect(area.left, area.top + row * high, area.width, high)
        _player(canvas, each, Rect(_MARGIN_PX, room.top, room.left - _MARGIN_PX - 16, room.height), inks)
        _reaction_row(canvas, each, axis, room, Histogram(theme.INKS[inks[each.who]], peak))
    foot = _("The last column holds all that are slower. Who was beaten has only calls heard before the verdict.")
    left_out = len(found.reactions) - len(shown)
    more = str(msg("{n} more player is not drawn.", "{n} more players are not drawn.", n=left_out))
    _foot(canvas, f"{foot} {more}" if left_out else foot)
    return True


class Histogram(NamedTuple):
    """How columns are drawn: in which colour, and how many calls are in the highest one of all players."""

    colour: Colour
    peak: int


def _reaction_row(canvas: Canvas, each: Reactions, axis: Axis, room: Rect, look: Histogram) -> None:
    spread = each.spread_ns
    left, right = axis.at(spread.low / _S), axis.at(spread.high / _S)
    inside = room.inflate(0, -10)
    canvas.panel(Rect(left, inside.top, max(2, right - left), inside.height), SHADE, 4)
    tall = min(12.0, inside.height / look.peak)
    bars = []
    for place, count in enumerate(_bins(each, axis)):
        if count:
            height = max(4, round(count * tall))
            bars.append(Rect(room.left + place * _BIN_PX, room.centery - height // 2, _BIN_PX, height))
    for bar in bars:  # the rim is that of all bars together
        pygame.draw.rect(canvas.surface, theme.LINE, bar.inflate(4, 4))
    for bar in bars:
        pygame.draw.rect(canvas.surface, look.colour, bar)
    middle = axis.at(spread.median / _S)
    pygame.draw.line(canvas.surface, theme.LINE, (middle, inside.top), (middle, inside.bottom), 4)
    value = Rect(room.right + 12, room.top, SIZE[0] - room.right - 12 - _MARGIN_PX, room.height)
    canvas.text(f"{spread.median / _S:.2f} s", value, Style(_WORD_PX + 2, theme.LINE, bold=True), align=RIGHT)


def _bins(each: Reactions, axis: Axis) -> list[int]:
    """Return how many calls are in each column of the picture; those that are slower are in the last."""
    counts = [0] * ((axis.right_px - axis.left_px) // _BIN_PX)
    for time_ns in each.times_ns:
        place = (axis.at(time_ns / _S) - axis.left_px) // _BIN_PX
        counts[min(place, len(counts) - 1)] += 1
    return counts


# --- Seats ------------------------------------------------------------------------------------------------


def seats(canvas: Canvas, found: Statistics, inks: Inks) -> bool:
    """Draw a panel for each game: the share of wins of each seat with its interval, beside what luck gives."""
    games = [game for game in found.games if game.matches]
    if not games:
        return False
    _title(
        canvas,
        _("Is a seat better than another?"),
        _("Share of the matches that each seat has won, with its 95 % interval. The dark bar is what luck gives."),
    )
    columns = 1 if len(games) == 1 else 2
    rows = -(-len(games) // columns)
    wide, high = (SIZE[0] - 2 * _MARGIN_PX - 48 * (columns - 1)) // columns, (SIZE[1] - 130) // rows
    for number, game in enumerate(games):
        row, column = divmod(number, columns)
        panel = Rect(_MARGIN_PX + column * (wide + 48), 124 + row * high, wide, high)
        _seat_panel(canvas, game, panel)
    return True


def _seat_panel(canvas: Canvas, game: GameStatistics, room: Rect) -> None:
    count = str(msg("{n} match", "{n} matches", n=game.matches))
    head = Rect(room.left, room.top, room.width, 26)
    canvas.text(f"{game.title}, {count}", head, Style(_WORD_PX + 1, theme.LINE, bold=True), align=LEFT)
    high = min(72, (room.height - 96) // len(game.seats))
    area = Rect(room.left + 92, head.bottom + 6, room.width - 170, high * len(game.seats))
    axis = _axis(area, max(seat.interval[1] for seat in game.seats), most=1)
    _grid(canvas, axis, area, percent=True)
    for number, seat in enumerate(game.seats):
        _seat_row(canvas, seat, axis, Rect(area.left, area.top + number * high, area.width, high))
    foot = Rect(room.left, area.bottom + 28, room.width, 22)
    canvas.text(advantage(game), foot, Style(_SMALL_PX, FAINT), align=LEFT)


def _seat_row(canvas: Canvas, seat: Wins, axis: Axis, room: Rect) -> None:
    label = Rect(room.left - 92, room.top, 84, room.height)
    canvas.text(_("seat {n}").format(n=seat.who), label, Style(_WORD_PX, theme.LINE), align=LEFT)
    low, high = (axis.at(value) for value in seat.interval)
    luck, centre = axis.at(seat.expected_share), (axis.at(seat.share), room.centery)
    reach = min(15, room.height // 2 - 3)
    pygame.draw.line(canvas.surface, FAINT, (luck, room.centery - reach), (luck, room.centery + reach), 5)
    colour = theme.INKS["sky"]
    canvas.panel(Rect(low, room.centery - 3, max(2, high - low), 7), colour, 3)
    pygame.draw.rect(canvas.surface, theme.LINE, Rect(low, room.centery - 3, max(2, high - low), 7), 1, 3)
    pygame.draw.circle(canvas.surface, theme.LINE, centre, _DOT_PX + 4)
    pygame.draw.circle(canvas.surface, colour, centre, _DOT_PX + 2)
    value = Rect(room.right + 8, room.top, 70, room.height)
    canvas.text(f"{seat.share:.0%}", value, Style(_WORD_PX, theme.LINE, bold=True), align=RIGHT)


# --- Photo finishes ---------------------------------------------------------------------------------------


def finishes(canvas: Canvas, found: Statistics, inks: Inks) -> bool:
    """Draw the closest calls on one scale of time, and below all of them by their margin."""
    if not found.finishes:
        return False
    said = (
        msg("{n} call judged", "{n} calls judged", n=found.verdicts),
        msg("{n} photo finish", "{n} photo finishes", n=len(found.finishes)),
        msg("{n} tie", "{n} ties", n=found.ties),
    )
    _title(canvas, _("How close was it?"), ", ".join(map(str, said)))
    closest = found.finishes[:MOST_FINISHES]
    widest_ns = max(each.margin_ns + each.presses[1].uncertainty_ns for each in closest)
    before_ns = max(each.presses[0].uncertainty_ns for each in closest)
    area = Rect(270, 116, 560, _FINISH_PX * len(closest))
    axis = _axis(area.inflate(-48, 0), max(widest_ns / _MS, 10 * _LEAST_MS))._replace(least=-before_ns / _MS)
    _grid(canvas, axis, area, _("ms"))
    for row, finish in enumerate(closest):
        room = Rect(area.left, area.top + _FINISH_PX * row, area.width, _FINISH_PX)
        _finish_row(canvas, finish, axis, room, inks)
    _all_finishes(canvas, found.finishes, Rect(_MARGIN_PX, 568, SIZE[0] - 2 * _MARGIN_PX, 84))
    return True


def _finish_row(canvas: Canvas, finish: Finish, axis: Axis, room: Rect, inks: Inks) -> None:
    first, second = finish.presses[:2]
    pygame.draw.line(canvas.surface, RULE, room.bottomleft, room.bottomright, 1)
    for press, y in ((first, room.centery - 11), (second, room.centery + 11)):
        name = Rect(_MARGIN_PX, y - 11, room.left - _MARGIN_PX - 16, 22)
        canvas.text(press.who, name, Style(_SMALL_PX + 1, theme.LINE, bold=press.who in finish.winners), align=LEFT)
        low, high = (axis.at((press.after_ns + sign * press.uncertainty_ns) / _MS) for sign in (-1, 1))
        pygame.draw.line(canvas.surface, FAINT, (low, y), (high, y), 3)
        for end in (low, high):
            pygame.draw.line(canvas.surface, FAINT, (end, y - 6), (end, y + 5), 3)
        _mark(canvas, press.who, (axis.at(press.after_ns / _MS), y), 20, inks)
    words = Rect(room.right + 20, room.top, 110, room.height)
    canvas.text(f"{finish.margin_ns / _MS:.2f} ms", words, Style(_WORD_PX, theme.LINE, bold=True), align=LEFT)
    verdict = Rect(words.right, room.top + 3, SIZE[0] - _MARGIN_PX - words.right, room.height // 2)
    canvas.text(judged(finish), verdict, Style(_SMALL_PX, theme.LINE), align=LEFT)
    where = _("{record}, move {n}").format(record=finish.record, n=finish.move)
    canvas.text(where, verdict.move(0, room.height // 2 - 3), Style(_TINY_PX, FAINT), align=LEFT)


def _all_finishes(canvas: Canvas, every: Sequence[Finish], area: Rect) -> None:
    """Draw how many finishes had which margin, on a scale of powers of ten; ties are dark."""
    least = 10 ** math.floor(math.log10(max(_LEAST_MS, every[0].margin_ns / _MS)))
    most = 10 ** math.ceil(math.log10(max(2 * least, every[-1].margin_ns / _MS)))
    axis = Axis(area.left, area.right, least, most, log=True)
    width = 16
    columns: dict[int, list[Finish]] = {}
    for finish in every:
        place = (axis.at(finish.margin_ns / _MS) - area.left) // width
        columns.setdefault(place, []).append(finish)
    tall = min(14.0, area.height / max(map(len, columns.values())))
    for place, those in columns.items():
        ties = sum(finish.tie for finish in those)
        _column(canvas, Rect(area.left + place * width, area.top, width, area.height), tall, len(those), ties)
    pygame.draw.line(canvas.surface, theme.LINE, area.bottomleft, area.bottomright, 2)
    for value in (step * least * 10**power for power in range(9) for step in (1, 2, 5)):
        if value <= most * 1.001:
            room = Rect(axis.at(value) - 40, area.bottom + 4, 80, 22)
            canvas.text(f"{value:g}", room, Style(_SMALL_PX, FAINT))
    _foot(canvas, _("All photo finishes by their distance in milliseconds; the dark ones were ties."))


def _column(canvas: Canvas, room: Rect, tall: float, count: int, ties: int) -> None:
    for low, high, colour in ((0, ties, theme.LINE), (ties, count, theme.INKS["sky"])):
        if high > low:
            bar = Rect(room.left, 0, room.width, max(4, round((high - low) * tall)))
            bar.bottom = room.bottom - round(low * tall)
            pygame.draw.rect(canvas.surface, colour, bar)
            pygame.draw.rect(canvas.surface, theme.LINE, bar, 1)


# --- What all pictures share ------------------------------------------------------------------------------

Painter = Callable[[Canvas, Statistics, Inks], bool]

PICTURES: Final[dict[str, Painter]] = {"reactions": reactions, "seats": seats, "finishes": finishes}
"""All pictures by the names of their files."""


def _title(canvas: Canvas, title: str, lead: str) -> None:
    wide = SIZE[0] - 2 * _MARGIN_PX
    canvas.text(title, Rect(_MARGIN_PX, 26, wide, 42), Style(_TITLE_PX, theme.LINE, bold=True), align=LEFT)
    canvas.text(lead, Rect(_MARGIN_PX, 72, wide, 26), Style(_WORD_PX, FAINT), align=LEFT)


def _foot(canvas: Canvas, text: str) -> None:
    room = Rect(_MARGIN_PX, SIZE[1] - 38, SIZE[0] - 2 * _MARGIN_PX, 24)
    canvas.text(text, room, Style(_SMALL_PX, FAINT), align=LEFT)


def _axis(area: Rect, reach: float, most: float = math.inf) -> Axis:
    """Return an axis from 0 to a round number that is not below `reach`, unless that is more than `most`."""
    power = 10.0 ** math.floor(math.log10(max(reach, 1e-3)))
    end = next(step * power for step in (*_STEPS, 10) if step * power >= reach * 0.999)
    return Axis(area.left, area.right, 0, min(end, most))


def _grid(canvas: Canvas, axis: Axis, area: Rect, unit: str = "", *, percent: bool = False) -> None:
    """Draw thin lines across, each with its value below."""
    power = 10.0 ** math.floor(math.log10(axis.most) + 1e-9)
    parts = _STEPS.get(round(axis.most / power, 1), 5)
    for number in range(parts + 1):
        value = axis.most * number / parts
        x = axis.at(value)
        pygame.draw.line(canvas.surface, RULE, (x, area.top), (x, area.bottom), 1)
        words = f"{value:.0%}" if percent else f"{value:.3g}"
        canvas.text(words, Rect(x - 30, area.bottom + 4, 60, 22), Style(_SMALL_PX, FAINT), align=CENTRE)
    room = Rect(area.right + 24, area.bottom + 4, 90, 22)
    canvas.text(unit, room, Style(_SMALL_PX, FAINT), align=LEFT)


def _player(canvas: Canvas, each: Reactions, room: Rect, inks: Inks) -> None:
    """Draw a player's mark and name, the number of calls below."""
    _mark(canvas, each.who, (room.left + _MARK_PX // 2, room.centery), _MARK_PX, inks)
    left = room.left + _MARK_PX + 12
    upper = Rect(left, room.centery - 24, room.right - left, 26)
    canvas.text(each.who, upper, Style(_WORD_PX + 2, theme.LINE, bold=True), align=LEFT)
    calls = str(msg("{n} call", "{n} calls", n=len(each.times_ns)))
    canvas.text(calls, upper.move(0, 25), Style(_SMALL_PX, FAINT), align=LEFT)


def _mark(canvas: Canvas, name: str, centre: tuple[int, int], size_px: int, inks: Inks) -> None:
    """Draw a player's mark in the player's colour; one who has none gets a plain dot."""
    colour = inks.get(name)
    if colour:
        widgets.mark(canvas, theme.MARKS[colour], centre, size_px, theme.INKS[colour])
    else:
        pygame.draw.circle(canvas.surface, FAINT, centre, size_px // 4)
