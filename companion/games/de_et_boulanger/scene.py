"""Dé et Boulanger's scene: the board with its bakers, and beside it what each seat has.

The panel of a seat lies at its right hand; with four seats that is the corner between it and its neighbour. From
top to bottom it shows the seat's mark and die, its row of tiles (breads above croissants) with the marker, its
laboratory, and what its baker carries or has baked. Between board and panels stand the rounds (discs) and the rolls
of a round (squares) as pips.
"""

from collections.abc import Sequence
from itertools import pairwise
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
from companion.games.de_et_boulanger.board import SIDES, Kind, Square
from companion.games.de_et_boulanger.components import INCIDENT, NO_SIDE, NOBODY, NOWHERE, Phase, in_shop
from companion.games.de_et_boulanger.goods import Goods, Products
from companion.games.de_et_boulanger.rules import View, position

COLOURS: Final = ("red", "sky", "yellow", "green")
"""The colour of each seat's baker on the display; the pawns on the table may have others."""

BREAD: Final[Colour] = (0xD9, 0x9A, 0x4E)
CROISSANT: Final[Colour] = (0xF8, 0xD0, 0x7C)
SQUARE: Final[Colour] = (0x3B, 0x46, 0x50)
BASIN: Final[Colour] = (0x17, 0x53, 0x78)
HOUSE: Final[Colour] = (0xC9, 0xC4, 0xB4)

INKS: Final[dict[str, Colour]] = {
    "flour": theme.PAPER,
    "water": theme.INKS["sky"],
    "butter": theme.INKS["yellow"],
    "sous": theme.LIT,
    "bread": BREAD,
    "croissant": CROISSANT,
}
"""What each kind of token and product looks like; the drawing tells them apart too."""

PICTURES: Final = {"sous": "sou"}

SERVICES: Final = {Kind.MILL: ("mill", theme.PAPER), Kind.FARM: ("farm", theme.CHIP)}

LABEL: Final = 0.75
"""How wide the sign before a row of tiles is, in tiles."""

HEAD, MARKER, NUMBER, TILE, STOCK, GAP = 1.3, 0.45, 1.15, 2.45, 1.15, 0.12
"""How high the parts of a panel are, in tiles' widths; above the tiles goes the marker, or their numbers."""

CAP: Final = 0.89
"""How high the digits of a panel are, in tiles' widths."""

BOARD: Final = 0.475
"""How much of the centre's longer side the board has at most; the panels share the rest."""

PIPS: Final = 0.022
"""How thick the pips of rounds and rolls are, as a share of the centre's longer side."""

SPREAD: Final = 1.8
"""From how many heights on a panel is as wide as this that its tiles stand beside the rest."""


def centre(canvas: Canvas, plan: Layout, play: Play) -> None:
    """Draw what everybody watches."""
    view, parts = play.view, _plan(plan.centre, play.view)
    for panel, seat in zip(parts.panels, range(len(view.cash)), strict=True):
        _panel(canvas, panel, view, seat)
    _pips(canvas, parts.rounds, view.round, view.box.rounds, round_ones=True)
    if view.rulings.movement == "full":
        _pips(canvas, parts.rolls, view.series, view.box.rolls_per_round, round_ones=False)
    _board(canvas, parts.board, view)


def flights(plan: Layout, before: Play, after: Play) -> Sequence[Flight]:
    """Return the pieces that move from one picture to the next: none yet."""
    return ()


def strip(canvas: Canvas, rect: Rect, view: View, seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's mark and its cash box; return what is left of its strip."""
    sous = str(view.cash[seat])
    size = min(rect.height, rect.width // (6 + len(sous)))  # the name needs its room too
    style = Style(round(size * 0.8), ink, bold=True)
    wide = theme.text_width(sous, style) + 2
    count = Rect(rect.right - wide, rect.top, wide, rect.height)
    coin = Rect(0, 0, round(size * 0.72), round(size * 0.72))
    coin.midright = (count.left - size // 12, rect.centery)
    token = Rect(0, 0, round(size * 0.86), round(size * 0.86))
    token.midright = (coin.left - size // 8, rect.centery)
    widgets.number(canvas, count, view.cash[seat], style)
    canvas.picture("sou", coin, INKS["sous"])
    _token(canvas, token, seat)
    return Rect(rect.left, rect.top, token.left - size // 8 - rect.left, rect.height)


class _Plan(NamedTuple):
    """Where everything in the centre goes."""

    board: Rect
    rounds: Rect
    rolls: Rect
    panels: tuple[Rect, ...]


def _plan(rect: Rect, view: View) -> _Plan:
    """Return the places: the board in the middle as large as it can be, pips and panels at its long sides."""
    thick = round(max(rect.size) * PIPS)
    gap = max(4, thick // 3)
    board = view.box.board
    upright = rect.height > rect.width
    # Thought of as wide and then turned: along the longer side lie panel, pips, board, pips, panel.
    along, across = (rect.height, rect.width) if upright else rect.size
    extent = max(board.rows, board.columns)
    cell = min(across, round(along * BOARD)) // extent
    middle = cell * (board.rows if upright else board.columns)
    beside = (along - middle) // 2
    length = beside - thick - 2 * gap
    ends = (0, along - length)
    if len(view.cash) == 2:
        boxes = [(ends[1], 0, length, across), (ends[0], 0, length, across)]
    else:
        half = (across - gap) // 2
        # Clockwise from the seat at the bottom, each at the right hand of its seat.
        corners = ((1, 1), (1, 0), (0, 0), (0, 1)) if upright else ((1, 1), (0, 1), (0, 0), (1, 0))
        boxes = [(ends[end], (across - half) * low, length, half) for end, low in corners]
    places = [
        (beside, 0, middle, across),
        (beside - thick - gap, 0, thick, across),
        (beside + middle + gap, 0, thick, across),
        *boxes,
    ]
    found = [Rect(y, x, high, wide) if upright else Rect(x, y, wide, high) for x, y, wide, high in places]
    moved = [place.move(rect.topleft) for place in found]
    return _Plan(moved[0], moved[1], moved[2], tuple(moved[3:]))


def _pips(canvas: Canvas, room: Rect, now: int, of: int, *, round_ones: bool) -> None:
    """Draw how many of the rounds or rolls have begun: the last is lit, those to come are empty."""
    upright = room.height > room.width
    step = min((room.height if upright else room.width) // of, 2 * min(room.size))
    size = min(step, *room.size) - 1
    for number in range(1, of + 1):
        away = step * (2 * number - of - 1) // 2
        pip = Rect(0, 0, size, size)
        pip.center = (room.centerx, room.centery + away) if upright else (room.centerx + away, room.centery)
        colour = theme.LIT if number == now else theme.FAINT
        pygame.draw.rect(
            canvas.surface,
            colour,
            pip,
            0 if number <= now else max(1, size // 7),
            border_radius=size // 2 if round_ones else size // 5,
        )


# --- Board ------------------------------------------------------------------------------------------------


def _board(canvas: Canvas, room: Rect, view: View) -> None:
    board = view.box.board
    size = min(room.width // board.columns, room.height // board.rows)
    whole = Rect(0, 0, size * board.columns, size * board.rows)
    whole.center = room.center
    cells = [
        Rect(whole.left + column * size, whole.top + row * size, size, size)
        for row in range(board.rows)
        for column in range(board.columns)
    ]
    reached = _reached(view)
    for square, (cell, kind) in enumerate(zip(cells, board.kinds, strict=True)):
        if kind == Kind.SHOP:
            _shop(canvas, cell, view, square)
        elif kind == Kind.FOUNTAIN:
            pygame.draw.rect(canvas.surface, BASIN, cell)
        elif kind != Kind.NOTHING:
            pygame.draw.rect(canvas.surface, SQUARE, cell.inflate(-2, -2), border_radius=size // 8)
        if kind in SERVICES and square not in view.places:
            name, ink = SERVICES[kind]
            canvas.picture(name, cell.inflate(-2, -2), ink, on=SQUARE)
        if square in reached and kind != Kind.FOUNTAIN:
            _outline(canvas, cell.inflate(-2, -2))
    basin = cells[board.fountain].unionall([cells[cell] for cell in board.cells(board.fountain)])
    _fountain(canvas, basin, view, size)
    if board.fountain in reached:
        _outline(canvas, basin.inflate(-2, -2))
    for seat, square in enumerate(view.places):
        if square != NOWHERE:
            _baker(canvas, _stand(cells[square], basin, view, seat), view, seat)


def _outline(canvas: Canvas, rect: Rect) -> None:
    pygame.draw.rect(canvas.surface, theme.LIT, rect, max(2, min(rect.size) // 14), border_radius=rect.width // 8)


def _reached(view: View) -> set[Square]:
    """Return the squares that the baker who moves can come to with the steps that are left."""
    if view.phase != Phase.MOVE or not view.steps:
        return set()
    board, seat = view.box.board, view.turn
    ways, start = board.ways[view.sides[seat]], view.places[seat]
    found, edge = {start}, {start}
    for _ in range(view.steps):
        near = {to for square in edge for (to,) in ways[square] if to not in view.places or to == board.fountain}
        edge = near - found
        found |= edge
        if view.rulings.shop_stops_move:
            edge.discard(board.shops[view.sides[seat]])
    return found - {start}


def _shop(canvas: Canvas, cell: Rect, view: View, square: Square) -> None:
    """Draw a shop: its owner's house, or an empty one; before it is chosen, its letter."""
    side = view.box.board.shops.index(square)
    owned = side in view.sides
    _house(canvas, cell.inflate(-2, -2), HOUSE if owned else theme.FAINT, filled=owned)
    inside = Rect(cell.left, cell.top + cell.height // 4, cell.width, cell.height * 3 // 4)
    if owned:
        _mark(canvas, inside.center, round(cell.width * 0.5), view.sides.index(side))
    elif view.phase == Phase.SETUP:
        canvas.panel(cell.inflate(-2, -2), theme.PAPER, cell.width // 8)
        canvas.text(SIDES[side], cell, Style(round(cell.height * 0.6), theme.LINE, bold=True), on=theme.PAPER)


def _house(canvas: Canvas, rect: Rect, colour: Colour, *, filled: bool) -> None:
    eaves = rect.top + rect.height * 2 // 5
    in_by = rect.width // 8
    points = [
        rect.midtop,
        (rect.right - 1, eaves),
        (rect.right - 1 - in_by, eaves),
        (rect.right - 1 - in_by, rect.bottom - 1),
        (rect.left + in_by, rect.bottom - 1),
        (rect.left + in_by, eaves),
        (rect.left, eaves),
    ]
    pygame.draw.polygon(canvas.surface, colour, points, 0 if filled else max(2, rect.width // 12))


def _fountain(canvas: Canvas, basin: Rect, view: View, size: int) -> None:
    """Draw the fountain's sign, smaller while bakers stand around it."""
    short = min(basin.size)
    wide = short - 2 * min(size, short // 2) if view.box.board.fountain in view.places else round(short * 0.7)
    sign = Rect(0, 0, wide, wide)
    sign.center = basin.center
    if wide > size // 2:
        canvas.picture("fountain", sign, theme.INKS["sky"], on=BASIN)


def _stand(cell: Rect, basin: Rect, view: View, seat: Seat) -> Rect:
    """Return where a baker stands: on his cell, or in his own corner of the fountain."""
    if view.places[seat] != view.box.board.fountain:
        return cell
    size = min(cell.width, *(side // 2 for side in basin.size))
    corner = Rect(0, 0, size, size)
    corner.left = basin.left if seat in {1, 2} else basin.right - size
    corner.top = basin.top if seat in {2, 3} else basin.bottom - size
    return corner


def _baker(canvas: Canvas, rect: Rect, view: View, seat: Seat) -> None:
    if seat == view.turn and view.phase == Phase.MOVE:
        pygame.draw.circle(canvas.surface, theme.LIT, rect.center, rect.width / 2 + max(1, rect.width // 12))
    _token(canvas, rect.inflate(-2, -2), seat)


def _token(canvas: Canvas, rect: Rect, seat: Seat) -> None:
    """Draw a baker's pawn: its mark on paper."""
    pygame.draw.circle(canvas.surface, theme.LINE, rect.center, rect.width / 2)
    pygame.draw.circle(canvas.surface, theme.PAPER, rect.center, rect.width / 2 - max(1, rect.width // 16))
    _mark(canvas, rect.center, round(rect.width * 0.66), seat)


def _mark(canvas: Canvas, at: tuple[int, int], size: int, seat: Seat) -> None:
    colour = COLOURS[seat]
    widgets.mark(canvas, theme.MARKS[colour], at, size, theme.INKS[colour])


# --- Panels -----------------------------------------------------------------------------------------------


def _panel(canvas: Canvas, rect: Rect, view: View, seat: Seat) -> None:
    """Draw what a seat has."""
    canvas.panel(rect, theme.PANEL, outline=theme.LIT if seat == view.turn else None)
    room = rect.inflate(-8, -8)
    wide = LABEL + len(view.box.tiles)
    above = MARKER if view.tiles[seat] else NUMBER
    below = () if view.phase == Phase.SETUP else (STOCK, STOCK)
    high = HEAD + MARKER + TILE + 2 * STOCK + 4 * GAP
    if room.width > SPREAD * room.height:
        unit = min(room.width / (2 * wide + 1), room.height / (high - MARKER - TILE))
        right = Rect(room.centerx, room.top, room.width // 2, room.height)
        left = Rect(room.left, room.top, room.width - right.width, room.height)
        head, *stocks = _rows(left, unit, wide, (HEAD, *below))
        (tiles,) = _rows(right, unit, wide, (above + TILE,))
    else:
        unit = min(room.width / wide, room.height / high)
        head, tiles, *stocks = _rows(room, unit, wide, (HEAD, above + TILE, *below))
    _head(canvas, head, view, seat)
    if view.tiles[seat]:
        _tiles(canvas, tiles, view, seat, unit)
    else:
        _choice(canvas, tiles, view, unit)
    if stocks:
        style = Style(round(unit * CAP), bold=True)
        _stock(canvas, stocks[0], view.labs[seat], style)
        _carried(canvas, stocks[1], view, seat, style)


def _rows(room: Rect, unit: float, wide: float, heights: Sequence[float]) -> list[Rect]:
    """Return rows below each other in the middle of a room, their sizes given in units."""
    width = round(unit * wide)
    filled = unit * sum(heights)
    slack = min(unit / 2, (room.height - filled) / len(heights))
    rows, top = [], room.centery - (filled + slack * (len(heights) - 1)) / 2
    for height in heights:
        rows.append(Rect(room.centerx - width // 2, round(top), width, round(unit * height)))
        top += unit * height + slack
    return rows


def _head(canvas: Canvas, row: Rect, view: View, seat: Seat) -> None:
    """Draw whose panel it is, and what the seat's turn has come to."""
    size = row.height
    _token(canvas, Rect(row.left, row.top, size, size), seat)
    if view.order and seat == view.order[0]:
        _flag(canvas, Rect(row.left + size, row.top, size // 2, size))
    if view.phase == Phase.MOVE:
        house = Rect(0, 0, size * 2 // 3, size * 2 // 3)
        house.center = (row.left + size * 2, row.centery)
        home = _has_bonus(view, seat)
        _house(canvas, house, theme.GOOD if home else theme.FAINT, filled=home)
    die = Rect(row.right - size, row.top, size, size)
    if _is_done(view, seat):
        _check(canvas, die)
    elif view.phase == Phase.START and view.rolls[seat] >= 0:
        _die(canvas, die, view.rolls[seat], lit=seat == view.turn)
    elif seat == view.turn and (view.die or view.ready or view.phase == Phase.SALE):
        _die(canvas, die, view.die, lit=True)
        if view.phase == Phase.MOVE and view.die:
            steps = Rect(die.left - size, row.top, size, size)
            widgets.number(
                canvas, steps, view.steps, Style(round(size * 0.68), theme.LIT, bold=True), on=theme.PANEL
            )


def _is_done(view: View, seat: Seat) -> bool:
    if view.phase == Phase.SETUP:
        return view.sides[seat] != NO_SIDE and bool(view.tiles[seat])
    return view.phase in {Phase.MOVE, Phase.PRODUCE} and bool(view.done[seat])


def _has_bonus(view: View, seat: Seat) -> bool:
    """Tell whether a baker would be paid for being home if the phase ended now (DB-R17, DB-A7)."""
    if view.turn == NOBODY:
        return bool(view.bonus[seat])
    return in_shop(position(view), seat) and (view.trips[seat] or not view.rulings.bonus_needs_trip)


def _flag(canvas: Canvas, rect: Rect) -> None:
    """Draw the flag of who begins."""
    pole = Rect(
        rect.left + rect.width // 4, rect.top + rect.height // 6, max(2, rect.width // 8), rect.height * 2 // 3
    )
    pygame.draw.rect(canvas.surface, theme.TEXT, pole)
    cloth = (pole.topright, (rect.right, pole.top + pole.height // 4), (pole.right, pole.centery))
    pygame.draw.polygon(canvas.surface, theme.TEXT, cloth)


def _check(canvas: Canvas, rect: Rect) -> None:
    points = [
        (rect.left + rect.width * x // 100, rect.top + rect.height * y // 100)
        for x, y in ((15, 52), (40, 78), (85, 22))
    ]
    pygame.draw.lines(canvas.surface, theme.GOOD, False, points, max(3, rect.width // 8))


_PIPS_OF: Final = ((), (4,), (2, 6), (2, 4, 6), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))
"""Which of nine places have a pip, for each face of a die; none for one that is still to be rolled."""


def _die(canvas: Canvas, rect: Rect, face: int, *, lit: bool) -> None:
    outside = rect.inflate(-rect.width // 8, -rect.height // 8)
    rim = theme.LIT if lit else theme.FAINT
    canvas.panel(outside, theme.PAPER if face else theme.PANEL, outside.width // 5, outline=rim)
    step = outside.width * 0.27
    for place in _PIPS_OF[face]:
        at = (outside.centerx + (place % 3 - 1) * step, outside.centery + (place // 3 - 1) * step)
        pygame.draw.circle(canvas.surface, theme.LINE, at, outside.width * 0.1)


def _tiles(canvas: Canvas, row: Rect, view: View, seat: Seat, unit: float) -> None:
    """Draw what is left of a row of tiles, with its marker."""
    cards = _cards(canvas, row, round(unit * MARKER), unit, len(view.tiles[seat]))
    for tile, card in zip(view.tiles[seat], cards, strict=True):
        _tile(canvas, card, view.box.tiles[tile], round(unit * CAP))
    marked = cards[view.markers[seat]]
    points = [(marked.left, row.top), (marked.right - 1, row.top), (marked.centerx, marked.top - 1)]
    pygame.draw.polygon(canvas.surface, theme.LIT, points)
    pygame.draw.rect(canvas.surface, theme.LIT, marked.inflate(2, 2), max(2, marked.width // 8))


def _choice(canvas: Canvas, row: Rect, view: View, unit: float) -> None:
    """Draw the tiles of the box with the numbers by which they are put into a row."""
    above = round(unit * NUMBER)
    style = Style(round(unit * CAP), theme.LIT, bold=True)
    for number, card in enumerate(_cards(canvas, row, above, unit, len(view.box.tiles)), 1):
        _tile(canvas, card, view.box.tiles[number - 1], round(unit * CAP))
        widgets.number(canvas, Rect(card.left, row.top, card.width, above), number, style, on=theme.PANEL)


def _cards(canvas: Canvas, row: Rect, above: int, unit: float, count: int) -> list[Rect]:
    """Return the places of a row's tiles below the marker, and draw the signs before them."""
    top, high = row.top + above, round(unit * TILE)
    for line, kind in enumerate(Products._fields):
        _sign(canvas, Rect(row.left, top + line * high // 2, round(unit * LABEL), high // 2), kind)
    lefts = [row.left + round(unit * (LABEL + place)) for place in range(count + 1)]
    return [Rect(left, top, right - left, high).inflate(-2, 0) for left, right in pairwise(lefts)]


def _sign(canvas: Canvas, room: Rect, kind: str) -> None:
    canvas.picture(PICTURES.get(kind, kind), room.inflate(-2, -2), INKS[kind], on=theme.PANEL)


def _tile(canvas: Canvas, card: Rect, tile: Sequence[int], cap_px: int) -> None:
    if tile == INCIDENT:
        pygame.draw.rect(canvas.surface, theme.PAPER, card)
        canvas.picture("incident", card, theme.CHIP, on=theme.PAPER)
        return
    high = card.height // 2
    for number, (colour, limit) in enumerate(zip((BREAD, CROISSANT), tile, strict=True)):
        half = Rect(card.left, card.top + number * high, card.width, high)
        pygame.draw.rect(canvas.surface, colour, half)
        widgets.number(canvas, half, limit, Style(cap_px, theme.LINE, bold=True), on=colour)


def _carried(canvas: Canvas, row: Rect, view: View, seat: Seat, style: Style) -> None:
    """Draw the tokens on a baker in as many places as may be filled, or what he has baked."""
    if view.phase in {Phase.PRODUCE, Phase.SALE}:
        _stock(canvas, row, view.products[seat], style)
        return
    canvas.panel(row, theme.BACKGROUND, row.height // 3)
    places = view.box.load_limit
    size = min(row.height, row.width // places)
    tokens = [kind for kind, count in view.loads[seat]._asdict().items() for _ in range(count)]
    for place in range(places):
        cell = Rect(0, 0, size, size)
        cell.center = (row.left + row.width * (2 * place + 1) // (2 * places), row.centery)
        if place < len(tokens):
            kind = tokens[place]
            canvas.picture(PICTURES.get(kind, kind), cell.inflate(-2, -2), INKS[kind], on=theme.BACKGROUND)
        else:
            pygame.draw.circle(canvas.surface, theme.FAINT, cell.center, max(2, size // 8), max(1, size // 16))


def _stock(canvas: Canvas, row: Rect, stock: Goods | Products, style: Style) -> None:
    """Draw how much there is of each kind; longer numbers make the signs smaller, then themselves."""
    counts = stock._asdict()
    widths = [theme.text_width(str(count), style) + 2 for count in counts.values()]
    sign = min(row.height * 9 // 10, max(row.height // 3, (row.width - sum(widths)) // len(widths)))
    share = min(1.0, (row.width - sign * len(widths)) / sum(widths))
    gap = (row.width - sign * len(widths) - share * sum(widths)) / len(widths)
    left = float(row.left)
    for (kind, count), width in zip(counts.items(), widths, strict=True):
        number = Rect(round(left) + sign, row.top, int(share * width), row.height)
        _sign(canvas, Rect(round(left), row.top, sign, row.height), kind)
        colour = theme.TEXT if count else theme.FAINT
        widgets.number(canvas, number, count, style._replace(colour=colour), on=theme.PANEL)
        left = number.right + gap
