"""Draws the marks, padlocks, numbers, dice and lots of any other game."""

from collections.abc import Sequence
from itertools import groupby

from pygame import Rect, Surface

from companion.core.move import Seat, by_seat, each_seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Beat, Look
from companion.display.theme import Style
from companion.games.any.rules import View
from companion.games.any.text import colours


def badge(canvas: Canvas, room: Rect, view: View, seat: Seat) -> None:
    """Draw a seat's mark on paper, the largest in `room`."""
    place = cut.square(room)
    colour = colours(view)[seat]
    canvas.panel(place, theme.PAPER, place.width // 4)
    widgets.mark(canvas, theme.MARKS[colour], place.center, place.width * 3 // 4, theme.INKS[colour])


def row(room: Rect, count: int, most_px: int) -> list[Rect]:
    """Return `count` equal cells in the middle of a row, at most `most_px` wide."""
    wide = min(room.width // count, most_px)
    return cut.equal(cut.sized(wide * count, room.height, center=room.center), count)


# --- Secret numbers -----------------------------------------------------------------------------------------


def padlock(view: View, seat: Seat, beat: Beat) -> str:
    """Return the sign of a seat's secret number. Before the reveal all are locked."""
    return "padlock_closed" if view.keyed[seat] or beat == Beat.DRUM else "padlock_open"


def padlocks_in(body: Rect, view: View, cap_px: int) -> list[Rect]:
    """Return each seat's place: the whole field, or a row below a question."""
    seats = len(view.points)
    if not (view.round.text or view.round.words):
        cells = cut.largest_cells(body, seats, lambda cell: min(cell.width / 2, cell.height))
        return [cell.inflate(-cap_px // 4, -cap_px // 4) for cell in cells]
    line, _ = cut.bottom(body, round(cap_px * 1.1))
    return [cell.inflate(-cap_px // 4, 0) for cell in row(line, seats, line.height * 5 // 2)]


def closed_padlock(place: Rect, rim_px: int, look: Look) -> Surface:
    """Return a closed padlock on the colour of its field, with a rim of that colour."""
    canvas = Canvas(Surface(place.size), look=look)
    canvas.fill(theme.PANEL)
    canvas.picture("padlock_closed", canvas.rect.inflate(-2 * rim_px, -2 * rim_px), theme.LIT)
    return canvas.surface


def board(canvas: Canvas, room: Rect, view: View, lowest: bool, words: Sequence[str] = ()) -> None:
    """Draw all shown numbers in order. Seats with the same number share a card; those that win are lit."""

    def number(seat: Seat) -> int:
        return view.shown[seat]

    order = sorted(each_seat(len(view.shown)), key=number, reverse=not lowest)
    groups = [(shown, tuple(seats)) for shown, seats in groupby(order, number)]
    gap = canvas.cap_px // 6
    stacked = room.height > room.width
    # Two digits take the room of a mark.
    weights = [1 if stacked else len(str(shown)) / 2 + len(seats) for shown, seats in groups]
    cells = cut.shares(room, weights, gap, upright=stacked)
    for cell, weight, (shown, seats) in zip(cells, weights, groups, strict=True):
        won = seats[0] in view.won
        ground, ink = (theme.LIT, theme.LINE) if won else (theme.PANEL, theme.TEXT)
        canvas.panel(cell, ground, canvas.cap_px // 5)
        inside = cell.inflate(-gap, -gap)
        upright = not stacked and inside.height * (1 + len(seats)) > inside.width * 2
        share = 0.6 if upright or words else 0.4 if stacked else 1 - len(seats) / weight
        digits, marks = cut.split(inside, share, gap, upright=upright)
        if words:
            digits, word = cut.split(digits, 0.6 if upright else 0.3, upright=upright)
            canvas.lines(words[shown - 1], word, Style(round(canvas.cap_px * 0.7), ink), on=ground)
        cap_px = min(round(digits.height * 0.7), canvas.cap_px * 2)
        widgets.number(canvas, digits, shown, Style(cap_px, ink, bold=True), on=ground)
        for seat, place in zip(seats, row(marks, len(seats), marks.height * 5 // 4), strict=True):
            badge(canvas, place.inflate(-4, -4), view, seat)


# --- Points -------------------------------------------------------------------------------------------------


def rated(canvas: Canvas, room: Rect, view: View, target: int) -> None:
    """Draw the points of all seats, and how far each is from the target."""
    cells = cut.largest_cells(room, len(view.points), lambda cell: min(cell.width / 2, cell.height))
    first = view.outcome.ranking[0] if view.outcome else ()
    gap = canvas.cap_px // 5
    for (seat, points), cell in zip(by_seat(view.points), cells, strict=True):
        canvas.panel(cell.inflate(-gap, -gap), theme.PANEL, gap, theme.LIT if seat in first else None)
        inside = cell.inflate(-3 * gap, -2 * gap)
        if target:
            bar, inside = cut.bottom(inside, max(6, gap), gap // 2)
            canvas.box(bar, theme.BACKGROUND, bar.height // 2)
            done, _ = cut.left(bar, round(bar.width * min(max(0, points), target) / target))
            canvas.box(done, theme.LIT, bar.height // 2)
        mark, number = cut.left(inside, min(inside.height, inside.width // 3), gap)
        badge(canvas, mark, view, seat)
        style = Style(min(round(inside.height * 0.7), canvas.cap_px * 2), theme.TEXT, bold=True)
        widgets.number(canvas, number, points, style, on=theme.PANEL)


# --- Dice and lots ------------------------------------------------------------------------------------------


def lots_in(body: Rect, view: View) -> list[Rect]:
    """Return a place for each die or lot. The members of a team stand below each other."""
    gap = max(4, min(body.size) // 24)
    if view.round.lots == "teams":
        columns = cut.equal(body, 2)
        most = -(-view.lots_due // 2)
        cells = [cut.equal(column, most, upright=True) for column in columns]
        places = [cells[place % 2][place // 2] for place in range(view.lots_due)]
    elif view.round.lots == "names":
        places = cut.largest_cells(body, view.lots_due, lambda cell: min(cell.width / 4, cell.height))
    else:
        places = [cut.square(cell) for cell in cut.largest_cells(body, view.lots_due)]
    return [place.inflate(-gap, -gap) for place in places]


def lot(canvas: Canvas, place: Rect, view: View, at: int) -> None:
    """Draw one die or lot, or its empty place."""
    if at >= len(view.drawn):
        canvas.box(place, theme.FAINT, min(place.size) // 6, max(2, min(place.size) // 24))
        return
    drawn, this = view.drawn[at], view.round
    if this.lots == "dice" and this.sides == 6:
        canvas.picture(f"die_{drawn}", place, theme.PAPER)
    elif this.lots == "dice":
        style = Style(round(min(place.size) * 0.4), theme.LINE, bold=True)
        widgets.plate(canvas, place, drawn, style, on=theme.PAPER, radius_px=min(place.size) // 6)
    elif this.lots == "names":
        canvas.panel(place, theme.PAPER, min(place.size) // 6)
        room, style = place.inflate(-place.height // 4, -4), Style(round(place.height * 0.5), theme.LINE, bold=True)
        canvas.lines(this.names[drawn - 1], room, style, on=theme.PAPER)
    elif this.lots == "begins":
        badge(canvas, place, view, Seat(drawn - 1))
    else:
        canvas.panel(place, theme.PANEL, min(place.size) // 6)
        team, mark = cut.equal(place, 2)
        style = Style(round(place.height * 0.5), theme.TEXT, bold=True)
        canvas.text(str(at % 2 + 1), team, style, on=theme.PANEL)
        badge(canvas, mark.inflate(-8, -8), view, Seat(drawn - 1))
