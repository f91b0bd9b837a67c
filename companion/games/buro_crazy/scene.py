"""Büro Crazy's scene: the house cut open, stairs to roof, with everybody's figures; beside it the two bids.

Each figure has its seat's colour and mark. Bids are padlocks until both are locked. Then both stand there with what
they cost and gained, until somebody locks again. Of hands there is nothing, nor of the worth of the roof.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Colour, Style
from companion.games.buro_crazy.building import BOSS, EMPTY, NOBODY, STAIRS, office, owners
from companion.games.buro_crazy.change import Cards
from companion.games.buro_crazy.components import Phase, Result, figures_each
from companion.games.buro_crazy.rules import View

LABEL: Final = 0.42
"""The capitals of a label, as a share of those of a name."""

NUMBER: Final = 0.5
"""The capitals of the smallest numbers, as a share of those of a name."""

STRIP_UNIT: Final = 1 / 6.5
"""How high what a strip tells is at most, as a share of its length: the name needs its place too."""

FIGURE: Final = 0.82
"""The width of a figure, as a share of its height."""

LEAST_FIGURE: Final = 1.7
"""So many times as high as a name's capitals is a figure in the house, else the room has no name."""

ENOUGH: Final = 4.0
"""The contrast from which a mark is drawn light."""

KITCHEN: Final[Colour] = (0x3B, 0x2A, 0x17)
STEPS: Final[Colour] = (0x1B, 0x21, 0x28)
ROOF: Final[Colour] = (0x4A, 0x22, 0x20)

SPARE: Final = ("sky", "pink", "orange", "purple", "green", "blue", "yellow", "red")
"""The marks and colours for figures whose colour is none of the palette, in this order."""

OUTSIDE: Final[dict[str, Colour]] = {"black": theme.LINE, "white": theme.PAPER}
"""Colours of figures that the palette does not have, but that can be told apart from it."""

GAP: Final = 2


def centre(canvas: Canvas, plan: Layout, play: Play) -> None:
    """Draw what everybody watches."""
    view, house = play.view, plan_of(plan.centre)
    _roof(canvas, house.roof, view)
    for place, room in house.rooms.items():
        _room(canvas, room, view, place)
    _kitchen(canvas, house.kitchen, view)
    _pile(canvas, house.stock, view.stock_points)
    if view.phase == Phase.SETUP:
        _figures(canvas, house.sides, view)
    elif view.phase == Phase.ROOF:
        _piles(canvas, house.sides, view)
        _last_totals(canvas, house, view)
    elif view.outcome:
        _ranking(canvas, house.sides, view)
        _last_totals(canvas, house, view)
    else:
        _duel(canvas, house, view)


def flights(plan: Layout, before: Play, after: Play) -> Sequence[Flight]:
    """Return the pieces that move from one picture to the next: none yet."""
    return ()


def strip(canvas: Canvas, rect: Rect, view: View, seat: int, ink: Colour) -> Rect:
    """Draw a seat's figure, and beside it what it owes; return what is left of its strip.

    That is a padlock, open or closed, for a bid or a report; the key that names the seat while keys name seats; its
    points at the end.
    """
    unit = min(rect.height, round(rect.width * STRIP_UNIT))
    tile = Rect(0, 0, round(unit * 0.9 * FIGURE), round(unit * 0.9))
    tile.midright = rect.midright
    _figure(canvas, tile, view, seat)
    points = str(view.points[seat]) if view.points else ""
    points_px = round(unit * (0.72 if len(points) < len("1000") else 0.54))
    wide = round(unit * 0.2 + points_px * 0.8 * len(points)) if points else unit
    sign = Rect(tile.left - unit // 6 - wide, rect.top, wide, rect.height)
    square = Rect(0, 0, round(unit * 0.84), round(unit * 0.84))
    square.center = sign.center
    bidding = view.phase == Phase.BID and seat in view.duel
    if points:
        widgets.number(canvas, sign, view.points[seat], Style(points_px, ink, bold=True))
    elif bidding or view.reporting:
        _padlock(canvas, square, ink, closed=seat in (*view.locked, *view.reported))
    elif view.phase == Phase.SETUP or (view.phase == Phase.COIN and seat in view.duel):
        _keycap(canvas, square, seat + 1)
    else:
        sign = tile
    return Rect(rect.left, rect.top, sign.left - unit // 8 - rect.left, rect.height)


# --- Where everything goes --------------------------------------------------------------------------------


class Plan(NamedTuple):
    """Where everything is: `rooms` by the number of their pair, BOSS for the boss suite; the two `sides` of a duel.

    `name` is the place for the name of its pair, `ties` that for how often it was tied.
    """

    roof: Rect
    rooms: dict[int, Rect]
    kitchen: Rect
    stock: Rect
    sides: tuple[Rect, Rect]
    name: Rect
    ties: Rect


def plan_of(rect: Rect) -> Plan:
    """Return the plan for the centre of a display: with the bids beside the tower, or below the house."""
    wide = rect.width >= rect.height
    yard = round(rect.width * 0.115) if wide else 0
    house = Rect(rect.left, rect.top, rect.width - yard, rect.height)
    shares = (0.14, 0.155, 0.175, 0.2, 0.16, 0.17) if wide else (0.07, 0.09, 0.09, 0.2, 0.115, 0.14)
    roof, suite, top, first, ground, stairs = _rows(house, shares)
    tower = round(house.width * (0.27 if wide else 0.5))
    left, right = house.centerx - tower // 2, house.centerx + tower // 2
    rooms = {
        BOSS: Rect(left, suite.top, right - left, suite.height),
        14: Rect(left, top.top, right - left, top.height),
    }
    quarters = _columns(first, 4)
    rooms |= {12: quarters[0], 13: quarters[3]}
    rooms |= {8 + place: cell for place, cell in enumerate(_columns(ground, 4))}
    rooms |= dict(enumerate(_columns(stairs, 8)))
    if wide:
        sides = (
            Rect(house.left, house.top, left - house.left, first.top - house.top),
            Rect(right, house.top, house.right - right, first.top - house.top),
        )
        name, ties, stock = _rows(Rect(house.right, rect.top, yard, rect.height), (0.2, 0.4, 0.4))
    else:
        below = Rect(rect.left, stairs.bottom, rect.width, rect.bottom - stairs.bottom)
        halves = _columns(below, 2)
        sides = (halves[0], halves[1])
        name, ties = _rows(Rect(house.left, house.top, left - house.left, first.top - house.top), (0.35, 0.65))
        stock = Rect(right, suite.top, house.right - right, first.top - suite.top)
    return Plan(
        roof=_shrunk(Rect(left, roof.top, right - left, roof.height)),
        rooms={place: _shrunk(room) for place, room in rooms.items()},
        kitchen=_shrunk(quarters[1].union(quarters[2])),
        stock=_shrunk(stock),
        sides=(_shrunk(sides[0]), _shrunk(sides[1])),
        name=_shrunk(name),
        ties=_shrunk(ties),
    )


def _shrunk(rect: Rect) -> Rect:
    return rect.inflate(-2 * GAP, -2 * GAP)


def _rows(rect: Rect, shares: Sequence[float]) -> list[Rect]:
    """Return rows of these shares of a height, from the top."""
    ends = [rect.top + round(rect.height * sum(shares[:place])) for place in range(len(shares) + 1)]
    return [Rect(rect.left, top, rect.width, end - top) for top, end in pairwise(ends)]


def _columns(rect: Rect, count: int) -> list[Rect]:
    """Return equal columns, from the left."""
    ends = [rect.left + rect.width * place // count for place in range(count + 1)]
    return [Rect(left, rect.top, end - left, rect.height) for left, end in pairwise(ends)]


def _label_px(canvas: Canvas) -> int:
    return ceil(canvas.cap_px * LABEL)


def _number_px(canvas: Canvas) -> int:
    return ceil(canvas.cap_px * NUMBER)


# --- The house --------------------------------------------------------------------------------------------


def _roof(canvas: Canvas, rect: Rect, view: View) -> None:
    """Draw the roof with the number of its cards."""
    slope = rect.width // 6
    corners = [(rect.left + slope, rect.top), (rect.right - slope, rect.top), rect.bottomright, rect.bottomleft]
    pygame.draw.polygon(canvas.surface, ROOF, corners)
    pygame.draw.polygon(canvas.surface, theme.FAINT, corners, 2)
    inside = rect.inflate(-2 * slope, -6)
    icon, number = Rect(inside), Rect(inside)
    icon.width = inside.width // 3
    number.left, number.width = icon.right, inside.right - icon.right
    _back(canvas, icon)
    px = min(round(rect.height * 0.56), round(_number_px(canvas) * 1.6))
    widgets.number(canvas, number, view.roof_cards, Style(px, theme.TEXT, bold=True), on=ROOF)


def _room(canvas: Canvas, rect: Rect, view: View, place: int) -> None:
    """Draw a room or a piece of the stairs with its name and its figures; that of the duel is outlined."""
    spaces = (BOSS,) if place == BOSS else (2 * place, 2 * place + 1)
    name = office(spaces[0])
    now = name == view.pair and view.phase in {Phase.BID, Phase.COIN}
    on = STEPS if place < 8 else theme.PANEL
    canvas.panel(rect, on, 4, theme.LIT if now else None)
    px = _label_px(canvas)
    label, cells = _furnished(rect.inflate(-6, -6), px, len(spaces))
    due = name in view.to_come or place == BOSS
    colour = theme.LIT if now else theme.TEXT if due else theme.FAINT
    if label:
        canvas.text(name, label, Style(px, colour, bold=True), on=on)
    for space, cell in zip(spaces, cells, strict=True):
        if view.board[space] != EMPTY:
            _figure(canvas, _like_a_figure(cell), view, view.board[space])
        else:
            pygame.draw.circle(canvas.surface, theme.FAINT, cell.center, 3)


def _furnished(rect: Rect, label_px: int, count: int) -> tuple[Rect | None, list[Rect]]:
    """Return the places of a room's name and of its figures: as it makes the figures largest.

    No name where it would leave too little for them.
    """
    wide, high = theme.text_width("G4", Style(label_px, bold=True)) + 4, round(label_px * 1.2)
    beside, below = Rect(rect), Rect(rect)
    beside.width = wide
    below.top, below.height = rect.bottom - high, high
    right, above = Rect(beside.right, rect.top, rect.width - wide, rect.height), Rect(rect)
    above.height -= high
    label, cells = max(((beside, _spots(right, count)), (below, _spots(above, count))), key=_figure_px)
    return (label, cells) if _figure_px((label, cells)) >= label_px * LEAST_FIGURE else (None, _spots(rect, count))


def _spots(rect: Rect, count: int) -> list[Rect]:
    """Return the places of so many figures, beside or below each other: as it makes them largest."""
    return max(
        _columns(rect, count), _rows(rect, (1 / count,) * count), key=lambda cells: _like_a_figure(cells[0]).height
    )


def _figure_px(furnished: tuple[Rect, list[Rect]]) -> int:
    return _like_a_figure(furnished[1][0]).height


def _kitchen(canvas: Canvas, rect: Rect, view: View) -> None:
    """Draw the kitchen: its points and, where they are known, its cards."""
    canvas.panel(rect, KITCHEN, 4)
    inside = rect.inflate(-8, -6)
    flat = inside.width > 3 * inside.height
    points, cards = _split(inside, 0.29, upright=not flat)
    if len(view.values) == 1:
        points = inside.inflate(-inside.width * 2 // 5 if flat else 0, 0)
    cup, number = _split(points, 0.4, upright=False)
    _cup(canvas, _square(cup, 0.7), theme.LIT)
    px = min(round(points.height * 0.62), round(_number_px(canvas) * 1.7))
    widgets.number(canvas, number, view.kitchen_points, Style(px, theme.LIT, bold=True), on=KITCHEN)
    _cards(canvas, cards.inflate(-8, 0) if flat else cards, view.kitchen, view.values, KITCHEN)


def _pile(canvas: Canvas, rect: Rect, points: int) -> None:
    """Draw the stock and its points."""
    canvas.panel(rect, STEPS, 4)
    icon, number = _split(rect.inflate(-6, -8), 0.6, upright=True)
    for step in (2, 1, 0):
        _back(canvas, _square(icon, 0.72).move(step * 4 - 4, 4 - step * 4))
    px = round(_number_px(canvas) * 1.3)
    widgets.number(canvas, number, points, Style(px, theme.TEXT, bold=True), on=STEPS)


# --- The duel ---------------------------------------------------------------------------------------------


def _duel(canvas: Canvas, plan: Plan, view: View) -> None:
    """Draw the padlocks of the two who bid; before somebody locks, how the last two bids ended."""
    _ties(canvas, plan.ties, view)
    big = Style(round(min(plan.name.height * 0.5, plan.name.width * 0.45)), theme.LIT, bold=True)
    last = view.last
    if last is None or view.locked:
        canvas.text(view.pair, plan.name, big)
        for seat, room in zip(view.duel, plan.sides, strict=True):
            canvas.panel(room, theme.PANEL, 6)
            figure, sign = _split(room.inflate(-12, -12), 0.5, upright=False)
            _figure(canvas, _like_a_figure(figure.inflate(-8, -8)), view, seat)
            closed = seat in view.locked
            _padlock(canvas, _square(sign, 0.8), theme.LIT if closed else theme.FAINT, closed=closed)
        return
    canvas.text(last.pair, plan.name, big._replace(colour=theme.FAINT))
    for side, room in enumerate(plan.sides):
        _bid(canvas, room, view, last, side)


def _last_totals(canvas: Canvas, plan: Plan, view: View) -> None:
    """Draw what was bid in the last duel, whose place beside the house the end of the match has taken."""
    last = view.last
    if last is None:
        return
    big = Style(round(min(plan.name.height * 0.5, plan.name.width * 0.45)), theme.FAINT, bold=True)
    canvas.text(last.pair, plan.name, big)
    for room, seat, total in zip(_split(plan.ties, 0.5, upright=True), last.seats, last.totals, strict=True):
        ink = theme.LIT if seat == last.winner else theme.TEXT
        widgets.number(canvas, room, total, Style(_number_px(canvas), ink, bold=True))


def _bid(canvas: Canvas, room: Rect, view: View, last: Result, side: int) -> None:
    """Draw a bid that was revealed: its points, what went to the roof and came from the kitchen, its cards."""
    seat, total = last.seats[side], last.totals[side]
    won = seat == last.winner
    canvas.panel(room, theme.PANEL, 6, theme.LIT if won else None)
    shares = (0.4, 0.2, 0.4) if room.width > room.height else (0.33, 0.15, 0.52)
    head, effect, cards = _rows(room.inflate(-10, -8), shares)
    figure, rest = _split(head, 0.3, upright=False)
    number, sign = _split(rest, 0.7, upright=False)
    _figure(canvas, _like_a_figure(figure), view, seat)
    ink = theme.LIT if won else theme.TEXT
    px = min(round(head.height * 0.62), round(_number_px(canvas) * 2.2))
    widgets.number(canvas, number, total, Style(px, ink, bold=True), on=theme.PANEL)
    shape = "coin" if view.phase == Phase.COIN else "up" if won else "equal" if last.winner == NOBODY else ""
    if shape:
        _sign(canvas, shape, _square(sign, 0.7), theme.LIT)
    effects = [("roof", f"\N{MINUS SIGN}{last.losses[side]}", theme.TEXT)] if last.losses[side] else []
    if last.gain and last.winner != NOBODY and not won:
        effects.append(("cup", f"+{last.gain}", theme.GOOD))
    px = _label_px(canvas)
    for cell, (shape, text, colour) in zip(_columns(effect, 2), effects, strict=False):
        icon, words = _split(cell, 0.24, upright=False)
        (_cup if shape == "cup" else _gable)(canvas, _square(icon, 0.9), colour)
        canvas.text(text, words, Style(px, colour, bold=True), on=theme.PANEL)
    _cards(canvas, cards, last.bids[side], view.values, theme.PANEL)


def _ties(canvas: Canvas, rect: Rect, view: View) -> None:
    """Draw how often this duel was tied, and how often in a row with bids of nothing."""
    if view.attempt == 1 and not view.zeros:
        return
    first, second = _split(rect, 0.5, upright=True)
    icon, number = _split(first, 0.45, upright=False)
    _sign(canvas, "equal", _square(icon, 0.7), theme.LIT)
    px = _number_px(canvas)
    ties = view.attempt - (view.phase != Phase.COIN)  # before a coin falls there is no next attempt
    widgets.number(canvas, number, ties, Style(px, theme.LIT, bold=True))
    if not view.zeros:
        return
    limit = view.rulings.zero_tie_limit
    icon, words = _split(second, 0.4, upright=True)
    pygame.draw.circle(canvas.surface, theme.FAINT, icon.center, round(min(icon.size) * 0.4), 3)
    canvas.text(f"{view.zeros}/{limit}" if limit else f"×{view.zeros}", words, Style(px, theme.TEXT, bold=True))


def _cards(canvas: Canvas, room: Rect, cards: Cards, values: Cards, on: Colour) -> None:
    """Draw the values of cards, the highest first, with how many there are; nothing where cards are unknown."""
    if len(values) == 1:
        return
    number, label = _number_px(canvas), _label_px(canvas)
    wide = max(theme.text_width("20", Style(number, bold=True)) + 5, theme.text_width("×12", Style(label)))
    columns = len(values) if room.width >= wide * len(values) else ceil(len(values) / 2)
    shown = [(value, count) for value, count in zip(values, cards, strict=True) if count][::-1]
    rows = ceil(len(shown) / columns)
    count_high = round(label * 1.2)
    face_high = min(room.height // ceil(len(values) / columns) - count_high, round(number * 1.9))
    block = Rect(room.left, 0, room.width, rows * (face_high + count_high))
    block.centery = room.centery
    cells = [cell for row in _rows(block, (1 / rows,) * rows) for cell in _columns(row, columns)] if rows else []
    for cell, (value, count) in zip(cells, shown, strict=False):
        face = Rect(0, cell.top, min(cell.width - 2, round(wide * 1.3)), face_high)
        face.centerx = cell.centerx
        canvas.panel(face, theme.PAPER, 3)
        widgets.number(canvas, face, value, Style(number, theme.LINE, bold=True), on=theme.PAPER)
        if count > 1:
            below = Rect(cell.left, face.bottom, cell.width, count_high)
            canvas.text(f"×{count}", below, Style(label, theme.TEXT), on=on)


# --- Before and after all duels ---------------------------------------------------------------------------


def _figures(canvas: Canvas, sides: Sequence[Rect], view: View) -> None:
    """Draw whose figures have to be placed, and how many each has."""
    first, second = sides
    canvas.panel(first, theme.PANEL, 6)
    canvas.panel(second, theme.PANEL, 6)
    for seat, cell in enumerate(_cells(first.inflate(-8, -8), view.seats)):
        _figure(canvas, _like_a_figure(cell.inflate(-4, -4)), view, seat)
    style = Style(round(min(second.size) * 0.4), theme.TEXT, bold=True)
    canvas.text(f"×{figures_each(view.box, view.seats)}", second, style, on=theme.PANEL)


def _piles(canvas: Canvas, sides: Sequence[Rect], view: View) -> None:
    """Draw the piles of the roof: whose each is, how many cards it gets, and how far it is dealt."""
    owned = [seat for seat, piles in owners(view.board, view.box.shares) for _ in range(piles)]
    piles = [*owned, *(NOBODY,) * (view.box.piles - len(owned))]
    half = ceil(len(piles) / 2)
    places = enumerate(piles)
    for room, count in zip(sides, (half, len(piles) - half), strict=True):
        canvas.panel(room, theme.PANEL, 6)
        for cell, (place, seat) in zip(_cells(room.inflate(-8, -8), half)[:count], places, strict=False):
            there = min(view.pile_size, max(0, view.dealt - place * view.pile_size))
            _roof_pile(canvas, cell.inflate(-4, -4), view, seat, there)


def _roof_pile(canvas: Canvas, rect: Rect, view: View, seat: Seat, there: int) -> None:
    pile, number = _split(rect, 0.6, upright=True)
    tile = _like_a_figure(pile)
    if seat == NOBODY:
        _back(canvas, tile)
        _sign(canvas, "cross", tile, theme.CHIP)
    else:
        _figure(canvas, tile, view, seat)
    done = view.dealt and there == view.pile_size
    style = Style(_number_px(canvas), theme.LIT if done else theme.TEXT, bold=True)
    widgets.number(canvas, number, view.pile_size, style, on=theme.PANEL)


def _ranking(canvas: Canvas, sides: Sequence[Rect], view: View) -> None:
    """Draw everybody in the order of the ranking with the place and the points, pale outside the house (BC-R27)."""
    assert view.outcome is not None
    lines: list[tuple[int, Seat]] = []
    for tied in view.outcome.ranking:
        place = len(lines) + 1  # those who share a place all have the first of theirs
        lines += [(place, seat) for seat in tied]
    places = iter(lines)
    for room in sides:
        canvas.panel(room, theme.PANEL, 6)
        for row, (place, seat) in zip(_rows(room.inflate(-10, -8), (1 / 3,) * 3), places, strict=False):
            inside = seat in view.board[STAIRS:]
            colour = theme.LIT if place == 1 else theme.TEXT if inside else theme.FAINT
            px = min(round(row.height * 0.5), round(_number_px(canvas) * 1.5))
            number, rest = _split(row, 0.24, upright=False)
            figure, points = _split(rest, 0.34, upright=False)
            canvas.text(f"{place}.", number, Style(px, colour), on=theme.PANEL)
            _figure(canvas, _like_a_figure(figure.inflate(-2, -4)), view, seat)
            widgets.number(canvas, points, view.points[seat], Style(px, colour, bold=True), on=theme.PANEL)


# --- Small drawings ---------------------------------------------------------------------------------------


def _inks(view: View) -> list[tuple[Colour, str]]:
    """Return the colour and the mark of each seat's figures: those of the palette where it has the colour."""
    names = [view.box.colours[colour] for colour in view.colours]
    spare = iter(name for name in SPARE if name not in names)
    like = [name if name in theme.INKS else next(spare) for name in names]
    return [
        (OUTSIDE.get(name, theme.INKS[other]), theme.MARKS[other]) for name, other in zip(names, like, strict=True)
    ]


def _figure(canvas: Canvas, rect: Rect, view: View, seat: Seat) -> None:
    """Draw a figure: round above, in its colour, with its mark."""
    ink, mark = _inks(view)[seat]
    light = theme.contrast(theme.PAPER, ink) > ENOUGH
    head, foot = rect.width // 2, max(2, rect.width // 8)
    for colour, shape in ((theme.LINE, rect), (theme.PAPER, rect.inflate(-2, -2)), (ink, rect.inflate(-6, -6))):
        pygame.draw.rect(
            canvas.surface,
            colour,
            shape,
            border_top_left_radius=head,
            border_top_right_radius=head,
            border_bottom_left_radius=foot,
            border_bottom_right_radius=foot,
        )
    spot = (rect.centerx, rect.centery + rect.height // 16)
    widgets.mark(canvas, mark, spot, round(rect.width * 0.62), theme.PAPER if light else theme.LINE)


def _like_a_figure(room: Rect) -> Rect:
    """Return the largest part of a room that has the shape of a figure."""
    high = min(room.height, int(room.width / FIGURE))
    rect = Rect(0, 0, int(high * FIGURE), high)
    rect.center = room.center
    return rect


def _back(canvas: Canvas, room: Rect) -> None:
    """Draw the back of a card, as large as it can be."""
    high = min(room.height, int(room.width / 0.72))
    rect = Rect(0, 0, int(high * 0.72), high)
    rect.center = room.center
    widgets.back(canvas, rect)


def _keycap(canvas: Canvas, rect: Rect, number: int) -> None:
    """Draw a key to press."""
    canvas.panel(rect, theme.PAPER, rect.width // 6, theme.LINE)
    widgets.number(canvas, rect, number, Style(round(rect.height * 0.76), theme.LINE, bold=True), on=theme.PAPER)


def _padlock(canvas: Canvas, rect: Rect, colour: Colour, *, closed: bool) -> None:
    """Draw a padlock; of an open one the shackle stands out at one side."""
    wide, thick = rect.width, max(2, rect.width // 9)
    body = Rect(0, 0, round(wide * 0.76), round(rect.height * 0.52))
    body.midbottom = rect.midbottom
    bow = Rect(0, 0, round(wide * 0.5), round(rect.height * 0.8))
    bow.midtop = rect.midtop
    if not closed:
        bow.move_ip(round(wide * 0.25), 0)
    shackle = bow.clip(Rect(rect.left, rect.top, 2 * wide, body.top - rect.top + thick))
    pygame.draw.rect(
        canvas.surface,
        colour,
        shackle,
        thick,
        border_top_left_radius=bow.width // 2,
        border_top_right_radius=bow.width // 2,
    )
    pygame.draw.rect(canvas.surface, colour, body, border_radius=thick)
    hole = theme.LINE if theme.contrast(colour, theme.LINE) > ENOUGH else theme.PAPER
    pygame.draw.circle(canvas.surface, hole, body.center, max(2, wide // 11))


def _cup(canvas: Canvas, rect: Rect, colour: Colour) -> None:
    """Draw a cup: what the kitchen gives."""
    half = rect.width / 2
    handle = (round(rect.centerx + half * 0.5), round(rect.centery + half * 0.25))
    pygame.draw.circle(canvas.surface, colour, handle, half * 0.42, max(2, round(half * 0.18)))
    _sign(canvas, "mug", rect, colour)


def _gable(canvas: Canvas, rect: Rect, colour: Colour) -> None:
    """Draw a roof: where cards go."""
    _sign(canvas, "gable", rect, colour)


Shape = Sequence[tuple[float, float]]
"""Corners from -1 to 1, to the right and downwards."""


def _bar(top: float, bottom: float) -> Shape:
    return ((-0.85, top), (0.85, top), (0.85, bottom), (-0.85, bottom))


_SIGNS: Final[dict[str, Sequence[Shape]]] = {
    "up": (((0, -1), (0.9, 0), (0.35, 0), (0.35, 1), (-0.35, 1), (-0.35, 0), (-0.9, 0)),),
    "equal": (_bar(-0.6, -0.15), _bar(0.15, 0.6)),
    "gable": (((-0.5, -0.55), (0.5, -0.55), (1, 0.45), (-1, 0.45)),),
    "mug": (((-0.8, -0.4), (0.5, -0.4), (0.35, 0.9), (-0.65, 0.9)), _bar(-0.9, -0.7)),
    "cross": (
        ((-0.9, -0.7), (-0.7, -0.9), (0.9, 0.7), (0.7, 0.9)),
        ((0.7, -0.9), (0.9, -0.7), (-0.7, 0.9), (-0.9, 0.7)),
    ),
}


def _sign(canvas: Canvas, name: str, rect: Rect, colour: Colour) -> None:
    """Draw a sign as large as it can be."""
    half = min(rect.size) / 2
    if name == "coin":
        pygame.draw.circle(canvas.surface, colour, rect.center, half)
        pygame.draw.circle(canvas.surface, theme.LINE, rect.center, half * 0.7, max(2, round(half / 8)))
        return
    for shape in _SIGNS[name]:
        points = [(rect.centerx + px * half, rect.centery + py * half) for px, py in shape]
        pygame.draw.polygon(canvas.surface, colour, points)


def _square(room: Rect, share: float) -> Rect:
    """Return the square in the middle of a room that fills this share of it."""
    size = round(min(room.size) * share)
    square = Rect(0, 0, size, size)
    square.center = room.center
    return square


def _split(room: Rect, share: float, *, upright: bool) -> tuple[Rect, Rect]:
    """Return the two parts of a room, the first with this share: upper and lower, or left and right."""
    if upright:
        high = round(room.height * share)
        return Rect(room.topleft, (room.width, high)), Rect(
            room.left, room.top + high, room.width, room.height - high
        )
    wide = round(room.width * share)
    return Rect(room.topleft, (wide, room.height)), Rect(room.left + wide, room.top, room.width - wide, room.height)


def _cells(room: Rect, count: int) -> list[Rect]:
    """Return `count` cells of a room, as square as they can be."""
    grids = [(columns, ceil(count / columns)) for columns in range(1, count + 1)]
    columns, rows = max(grids, key=lambda grid: min(room.width // grid[0], room.height // grid[1]))
    cells = [cell for row in _rows(room, (1 / rows,) * rows) for cell in _columns(row, columns)]
    return cells[:count]
