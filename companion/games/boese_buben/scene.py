"""Böse Buben's scene: the lanes with penalty zone, start line and track; beside them the race and who is asked.

A card shows its owner's colour and mark, its value, its goblins as coins, and a sign for its action text. On a
display that stands upright the lanes run upwards, as seen when the whole is turned by a quarter.
"""

from collections.abc import Sequence
from math import ceil, cos, pi, sin
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
from companion.games.boese_buben.cards import CARDS, NOBODY, Action, Card, owner, value
from companion.games.boese_buben.rules import Phase, View

COLOURS: Final = ("red", "sky", "yellow", "green")
"""The colour of each seat's cards on the display; the cards on the table may have others."""

LABEL, START, RESULT = 0.62, 0.3, 1.35
"""How long the parts of a lane beside its cards are, in cards."""

STATUS: Final = 0.28
"""How thick the area of the status is, as a share of the centre's shorter side."""

PLACES: Final = 0.095
"""How thick the row with the numbers of the places is, as a share of the centre's shorter side."""

SQUARE: Final = 1.12
"""A card that is higher than so many widths has its band on top, others at their left."""

ENOUGH: Final = 4.0
"""The contrast from which a mark is drawn light."""

ZONE: Final[Colour] = (0x38, 0x22, 0x24)
"""Where penalty cards lie."""

STRIP_UNIT: Final = 1 / 8
"""How high what a strip tells is at most, as a share of its length: the name needs its place too."""

_NAMING: Final = {Phase.SETUP, Phase.MC}
"""While keys name seats."""

_RACING: Final = {Phase.SETUP, Phase.TURN, Phase.ACTION, Phase.MC}
"""While the results are those of the race before."""


def centre(canvas: Canvas, plan: Layout, play: Play) -> None:
    """Draw what everybody watches."""
    rect, view = plan.centre, play.view
    status, lanes = _halves(rect, view)
    _status(canvas, status, view)
    field = _field(lanes, view)
    if view.rulings.variant == "action":
        _place_numbers(canvas, field, view)
    for lane in range(1, len(view.tracks) + 1):
        _lane(canvas, field, view, lane)
    if view.phase == Phase.OVER:
        _hands(canvas, field, view)


def flights(plan: Layout, before: Play, after: Play) -> Sequence[Flight]:
    """Return the pieces that move from one picture to the next: none yet."""
    return ()


def strip(canvas: Canvas, rect: Rect, view: View, seat: int, ink: Colour) -> Rect:
    """Draw a seat's colour, its rights and masters of ceremonies, and one number; return what is left of its strip.

    The number is that of its cards; the key that names the seat while keys name seats; its ducats at the end.
    """
    unit = min(rect.height, round(rect.width * STRIP_UNIT))
    over = view.phase == Phase.OVER
    shown = view.purses[seat] if over else view.counts[seat]
    wide = unit if view.phase in _NAMING else round(unit * (0.12 + 0.62 * len(str(shown))))
    number = Rect(rect.right - wide, rect.top, wide, rect.height)
    if view.phase in _NAMING:
        key = Rect(0, 0, unit, unit)
        key.center = number.center
        _keycap(canvas, key, seat + 1)
    else:
        widgets.number(canvas, number, shown, Style(round(unit * 0.8), ink, bold=True))
    tile = Rect(0, 0, round(unit * 0.66), round(unit * 0.9))
    tile.midright = (number.left - unit // 12, rect.centery)
    _back(canvas, tile, seat, coin=over)
    if seat in view.unpaid:
        _cross(canvas, tile)
    signs = [Action.KOSTENLOS] * (view.free == seat) + ["hat"] * view.mc[seat]
    half = unit // 2
    right = tile.left - unit // 10
    for column in range(0, len(signs), 2):
        pair = signs[column : column + 2]
        right -= half
        for row, sign in enumerate(pair):
            room = Rect(right, rect.centery - half * len(pair) // 2 + row * half, half, half)
            _sign(canvas, sign, room.inflate(-half // 4, -half // 4), ink)
    left = right - unit // 10
    return Rect(rect.left, rect.top, left - rect.left, rect.height)


# --- Where everything goes --------------------------------------------------------------------------------


class _Field(NamedTuple):
    """The area of the lanes: where each part begins along them, and how thick they are, in pixels.

    `tall` says that they run upwards and not to the right.
    """

    rect: Rect
    tall: bool
    card: float
    thick: float
    head: int
    zone: float
    start: float
    track: float
    result: float

    def part(self, along: float, across: float, length: float, width: float) -> Rect:
        """Return a part of the area."""
        x, y, long, wide = round(along), round(across), round(along + length), round(across + width)
        if self.tall:
            return Rect(self.rect.left + y, self.rect.bottom - long, wide - y, long - x)
        return Rect(self.rect.left + x, self.rect.top + y, long - x, wide - y)

    def of_lane(self, lane: int, along: float, length: float) -> Rect:
        """Return a part of a lane."""
        return self.part(along, self.head + (lane - 1) * self.thick, length, self.thick)


def _field(rect: Rect, view: View) -> _Field:
    tall = rect.height > rect.width
    long, wide = (rect.height, rect.width) if tall else rect.size
    head = round(min(rect.size) * PLACES) if view.rulings.variant == "action" else 0
    card = long / (LABEL + view.box.penalty_limit + START + view.box.track_limit + RESULT)
    zone = LABEL * card
    start = zone + view.box.penalty_limit * card
    track = start + START * card
    result = track + view.box.track_limit * card
    return _Field(rect, tall, card, (wide - head) / len(view.tracks), head, zone, start, track, result)


def _halves(rect: Rect, view: View) -> tuple[Rect, Rect]:
    """Return the areas of the status and of the lanes: as it makes the cards largest."""
    thick = round(min(rect.size) * STATUS)
    gap = max(4, thick // 20)
    aside = (
        Rect(rect.right - thick, rect.top, thick, rect.height),
        Rect(rect.left, rect.top, rect.width - thick - gap, rect.height),
    )
    above = (
        Rect(rect.left, rect.top, rect.width, thick),
        Rect(rect.left, rect.top + thick + gap, rect.width, rect.height - thick - gap),
    )
    fields = [_field(lanes, view) for _, lanes in (aside, above)]
    sizes = [min(field.card, field.thick) for field in fields]
    return aside if sizes[0] >= sizes[1] else above


# --- The lanes --------------------------------------------------------------------------------------------


def _place_numbers(canvas: Canvas, field: _Field, view: View) -> None:
    """Number the places of the tracks, since keys name them in the game with actions."""
    style = Style(round(field.head * 0.72), theme.FAINT, bold=True)
    for place in range(view.box.track_limit):
        room = field.part(field.track + place * field.card, 0, field.card, field.head)
        canvas.text(str(place + 1), room, style)


def _lane(canvas: Canvas, field: _Field, view: View, lane: int) -> None:
    """Draw a lane: its number, the penalty zone, the start line, the track, what it paid last."""
    gap = 2
    whole = field.of_lane(lane, 0, field.result + RESULT * field.card)
    canvas.panel(whole.inflate(-gap, -gap), theme.PANEL)
    zone_length = view.box.penalty_limit * field.card
    zone = field.of_lane(lane, field.zone, zone_length).inflate(-gap, -gap)
    over = view.phase == Phase.OVER
    if not over:
        pygame.draw.rect(canvas.surface, ZONE, zone)
    label = field.of_lane(lane, 0, field.zone)
    style = Style(round(min(field.card * LABEL, field.thick) * 0.62), theme.TEXT, bold=True)
    widgets.number(canvas, label, lane, style, on=theme.PANEL)
    _start_line(canvas, field.of_lane(lane, field.start, START * field.card).inflate(-gap * 2, -gap))
    for place in range(0 if over else view.box.penalty_limit):
        room = field.of_lane(lane, field.zone + place * field.card, field.card)
        cards = view.zones[lane - 1][place : place + 1]
        _place(canvas, room, view, cards, lit=view.asked == (lane, place + 1))
    for place in range(view.box.track_limit):
        room = field.of_lane(lane, field.track + place * field.card, field.card)
        cards = view.tracks[lane - 1][place : place + 1]
        _place(canvas, room, view, cards, lit=cards == (view.last,) and view.phase in _RACING)
    if view.results:
        _result(canvas, field.of_lane(lane, field.result, RESULT * field.card).inflate(-6, -6), view, lane)


def _place(canvas: Canvas, room: Rect, view: View, cards: Sequence[Card], *, lit: bool) -> None:
    """Draw a place of a lane, with its card if it has one."""
    pad = max(4, min(room.size) // 14)
    room = room.inflate(-pad, -pad)
    for card in cards:
        _card(canvas, _like_a_card(room), view, card, lit=lit)
    if not cards:
        spot = Rect(0, 0, 6, 6)
        spot.center = room.center
        pygame.draw.ellipse(canvas.surface, theme.FAINT, spot)


def _like_a_card(room: Rect) -> Rect:
    """Return the largest part of a room that has the shape of a card, upright, square or a little wide."""
    wide = min(room.width, round(room.height * 1.1))
    high = min(room.height, round(room.width * 1.35))
    card = Rect(0, 0, wide, high)
    card.center = room.center
    return card


def _start_line(canvas: Canvas, rect: Rect) -> None:
    """Draw a chequered line."""
    short = min(rect.size) / 2
    columns, rows = max(1, round(rect.width / short)), max(1, round(rect.height / short))
    wide, high = rect.width / columns, rect.height / rows
    for column in range(columns):
        for row in range(rows):
            left, top = rect.left + round(column * wide), rect.top + round(row * high)
            right, bottom = rect.left + round((column + 1) * wide), rect.top + round((row + 1) * high)
            colour = theme.PAPER if (column + row) % 2 else theme.LINE
            pygame.draw.rect(canvas.surface, colour, Rect(left, top, right - left, bottom - top))


def _result(canvas: Canvas, room: Rect, view: View, lane: int) -> None:
    """Draw who won a lane, and how much; smaller and without the prize once the next race has begun."""
    winner, why = view.results[lane - 1]
    if view.phase in _RACING:
        if winner != NOBODY:
            _back(canvas, _like_a_card(room.inflate(-room.width * 3 // 5, -room.height // 2)), winner)
        return
    if winner == NOBODY:
        px = round(min(room.size) * 0.5)
        _coin(canvas, room.center, px)
        _cross(canvas, Rect(room.centerx - px * 2 // 3, room.centery - px * 2 // 3, px * 4 // 3, px * 4 // 3))
        return
    first, second = _split(room, upright=room.height > room.width * 1.2)
    style = Style(round(min(room.size) * 0.42), theme.TEXT, bold=True)
    _back(canvas, _like_a_card(first.inflate(-first.width // 6, -first.height // 6)), winner)
    widgets.number(canvas, second, view.box.lane_prize, style, on=theme.PANEL)
    if why == "cards":  # the sums were equal
        sign = Rect(second.left, second.bottom - second.height // 4, second.width, second.height // 4)
        _sign(canvas, "cards", sign, theme.FAINT)


def _hands(canvas: Canvas, field: _Field, view: View) -> None:
    """Draw where the penalty cards lay what everybody has left: it may have decided (BB-R27)."""
    across = (field.thick * len(view.tracks)) / len(view.hands)
    long = view.box.penalty_limit * field.card
    most = max(1, *map(len, view.hands))
    for seat, hand in enumerate(view.hands):
        room = field.part(field.zone, field.head + seat * across, long, across).inflate(-4, -4)
        pygame.draw.rect(canvas.surface, ZONE, room)
        for cell, card in zip(_cells(room, max(view.box.penalty_limit, most)), hand, strict=False):
            _card(canvas, _like_a_card(cell), view, card, small=True)


def _cells(room: Rect, count: int) -> list[Rect]:
    """Return `count` cells from the top left of a room, as square as they can be."""
    grids = [(columns, ceil(count / columns)) for columns in range(1, count + 1)]
    columns, rows = max(grids, key=lambda grid: min(room.width // grid[0], room.height // grid[1]))
    wide, high = room.width // columns, room.height // rows
    return [
        Rect(room.left + place % columns * wide, room.top + place // columns * high, wide, high).inflate(-2, -2)
        for place in range(count)
    ]


# --- The status -------------------------------------------------------------------------------------------


def _status(canvas: Canvas, rect: Rect, view: View) -> None:
    """Draw the race, what is due and of whom, and how many cards have left the game."""
    upright = rect.height > rect.width
    long = rect.height if upright else rect.width
    begin = 0
    for share, draw in ((0.32, _race), (0.45, _due), (0.23, _out)):
        end = begin + round(long * share)
        part = Rect(rect.left, rect.top + begin, rect.width, end - begin)
        if not upright:
            part = Rect(rect.left + begin, rect.top, end - begin, rect.height)
        part = part.clip(rect).inflate(-2, -4)
        canvas.panel(part, theme.PANEL)
        draw(canvas, part.inflate(-8, -8), view)
        begin = end


def _race(canvas: Canvas, room: Rect, view: View) -> None:
    """Draw the number of the race, with whom it began, and a dot for each race there is."""
    dots = Rect(room.left, room.bottom - room.height // 4, room.width, room.height // 4)
    top = Rect(room.left, room.top, room.width, dots.top - room.top)
    number, starter = _split(top, upright=False)
    if view.starter == NOBODY:
        number = top
    else:
        _back(canvas, _like_a_card(starter.inflate(-starter.width // 3, -starter.height // 4)), view.starter)
    shown = str(view.race) if view.race else "?"
    canvas.text(
        shown, number, Style(round(min(top.height * 0.62, top.width)), theme.TEXT, bold=True), on=theme.PANEL
    )
    step = min(dots.width // view.box.races, dots.height * 2)
    left = dots.centerx - step * (view.box.races - 1) // 2
    size = min(dots.height, step * 4 // 5) // 2
    for race in range(1, view.box.races + 1):
        spot = (left + (race - 1) * step, dots.centery)
        now = race == view.race and view.phase != Phase.OVER
        if race <= view.race:
            pygame.draw.circle(canvas.surface, theme.LIT if now else theme.TEXT, spot, size)
        else:
            pygame.draw.circle(canvas.surface, theme.FAINT, spot, size, 2)


def _due(canvas: Canvas, room: Rect, view: View) -> None:
    """Draw what everybody waits for: a card of somebody, an action, a purchase; at the end who has won."""
    if view.phase == Phase.SETUP:
        canvas.text("?", room, Style(round(min(room.size) * 0.6), theme.LIT, bold=True), on=theme.PANEL)
        return
    if view.outcome:
        cells = _cells(room, len(view.outcome.winners) + 1)
        _sign(canvas, "cup", cells[0], theme.LIT)
        for cell, seat in zip(cells[1:], view.outcome.winners, strict=True):
            _back(canvas, _like_a_card(cell), seat)
        return
    upright = room.height >= room.width
    first, second = _split(room, upright=upright)
    if view.phase == Phase.TURN:
        _back(canvas, _like_a_card(room.inflate(-room.width // 4, -room.height // 4)), view.mover)
        return
    card = view.card if view.phase == Phase.BRIBERY else view.last
    _card(canvas, _like_a_card(first), view, card, lit=True)
    if view.phase == Phase.BRIBERY:
        price, coin = _split(second, upright=False)
        _coin(canvas, coin.center, round(min(coin.size) * 0.7))
        style = Style(round(min(price.size) * 0.75), theme.LIT, bold=True)
        widgets.number(canvas, price, view.price, style, on=theme.PANEL)
        return
    _sign(
        canvas, view.box.actions[card % CARDS], second.inflate(-second.width // 5, -second.height // 5), theme.LIT
    )


def _out(canvas: Canvas, room: Rect, view: View) -> None:
    """Draw how many cards have left the game."""
    icon, number = _split(room, upright=room.height > room.width * 1.2)
    pile = Rect(0, 0, round(min(icon.size) * 0.7), round(min(icon.size) * 0.95))
    pile.center = icon.center
    widgets.back(canvas, pile)
    _cross(canvas, pile)
    style = Style(round(min(number.height, number.width) * 0.56), theme.TEXT, bold=True)
    widgets.number(canvas, number, view.out, style, on=theme.PANEL)


def _split(room: Rect, *, upright: bool) -> tuple[Rect, Rect]:
    """Return the halves of a room: upper and lower, or left and right."""
    if upright:
        half = room.height // 2
        return Rect(room.topleft, (room.width, half)), Rect(room.left, room.top + half, room.width, half)
    half = room.width // 2
    return Rect(room.topleft, (half, room.height)), Rect(room.left + half, room.top, half, room.height)


# --- Small drawings ---------------------------------------------------------------------------------------


def _card(canvas: Canvas, rect: Rect, view: View, card: Card, *, lit: bool = False, small: bool = False) -> None:
    """Draw a card: a band in its owner's colour with his mark, the value, the goblins, a sign for its text.

    A small one shows owner and value alone.
    """
    seat, action = owner(card), view.box.actions[card % CARDS]
    ink = _ink(seat)
    radius = max(3, min(rect.size) // 9)
    if lit:
        pygame.draw.rect(canvas.surface, theme.LIT, rect.inflate(6, 6), border_radius=radius + 3)
    canvas.panel(rect, ink, radius)
    pygame.draw.rect(canvas.surface, theme.LINE, rect, 1, border_radius=radius)
    inside = rect.inflate(-4, -4)
    if rect.height > rect.width * SQUARE:
        band = Rect(inside.topleft, (inside.width, round(inside.height * 0.3)))
        face = Rect(inside.left, band.bottom, inside.width, inside.bottom - band.bottom)
    else:
        band = Rect(inside.topleft, (round(inside.width * 0.34), inside.height))
        face = Rect(band.right, inside.top, inside.right - band.right, inside.height)
    canvas.panel(face, theme.PAPER, radius - 1)
    signs = _split(band, upright=band.height > band.width)
    px = round(min(*signs[0].size) * 0.86)
    widgets.mark(canvas, theme.MARKS[COLOURS[seat]], (band if small else signs[0]).center, px, _on(ink))
    goblins = 0 if small else view.box.goblins[card % CARDS]
    coins = Rect(face.left, face.top, face.width, face.height // 4)
    for place in range(goblins):
        spot = (coins.centerx + round((place - (goblins - 1) / 2) * coins.width * 0.3), coins.centery)
        _coin(canvas, spot, max(5, round(min(coins.width * 0.26, coins.height * 0.8))))
    room = face if small else Rect(face.left, coins.bottom, face.width, face.bottom - coins.bottom)
    cap = round(min(face.width * 0.8, room.height * (0.62 if small else 0.66)))
    widgets.number(canvas, room, value(card), Style(cap, theme.LINE, bold=True), on=theme.PAPER)
    if small or action == Action.NONE:
        return
    # In the basic game the texts say nothing: it is enough to see which of the two copies this is.
    shown = action if view.rulings.variant == "action" else "text"
    _sign(canvas, shown, signs[1].inflate(-2, -2), _on(ink))


def _back(canvas: Canvas, rect: Rect, seat: Seat, *, coin: bool = False) -> None:
    """Draw the colour and the mark of a seat, as the back of a card; with a `coin` it stands for its ducats."""
    ink, radius = _ink(seat), max(3, min(rect.size) // 7)
    canvas.panel(rect, ink, radius)
    pygame.draw.rect(canvas.surface, theme.PAPER, rect, 2, border_radius=radius)
    pygame.draw.rect(canvas.surface, theme.LINE, rect, 1, border_radius=radius)
    room = rect
    if coin:
        room, purse = _split(rect.inflate(0, -4), upright=True)
        _coin(canvas, purse.center, round(min(purse.size) * 0.96))
    widgets.mark(canvas, theme.MARKS[COLOURS[seat]], room.center, round(min(room.size) * 0.7), _on(ink))


def _ink(seat: Seat) -> Colour:
    return theme.INKS[COLOURS[seat]]


def _on(ink: Colour) -> Colour:
    """Return light or dark: what shows well on a colour."""
    return theme.PAPER if theme.contrast(theme.PAPER, ink) > ENOUGH else theme.LINE


def _keycap(canvas: Canvas, rect: Rect, number: int) -> None:
    """Draw a key to press."""
    key = rect.inflate(-rect.width // 12, -rect.height // 12)
    canvas.panel(key, theme.PAPER, key.width // 6, theme.LINE)
    widgets.number(canvas, rect, number, Style(round(rect.height * 0.8), theme.LINE, bold=True), on=theme.PAPER)


def _coin(canvas: Canvas, spot: tuple[int, int], size_px: int) -> None:
    pygame.draw.circle(canvas.surface, theme.LINE, spot, size_px / 2)
    pygame.draw.circle(canvas.surface, theme.LIT, spot, size_px / 2 - max(1, size_px // 12))
    if size_px > 12:
        pygame.draw.circle(canvas.surface, theme.LINE, spot, size_px * 0.3, max(1, size_px // 16))


def _cross(canvas: Canvas, rect: Rect) -> None:
    """Cross something out."""
    _sign(canvas, "cross", rect, theme.CHIP)


Shape = Sequence[tuple[float, float]]
"""Corners from -1 to 1, to the right and downwards."""


def _box(left: float, top: float, right: float, bottom: float) -> Shape:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


_ARROW: Final[Shape] = ((-1, -0.3), (0.1, -0.3), (0.1, -0.9), (1, 0), (0.1, 0.9), (0.1, 0.3), (-1, 0.3))
_HAT: Final[Sequence[Shape]] = (_box(-0.55, -0.9, 0.55, 0.35), _box(-1, 0.5, 1, 0.85))


def _moved(shape: Shape, x: float, y: float, along: float, across: float) -> Shape:
    return [(x + px * along, y + py * across) for px, py in shape]


def _turning(begin: float) -> Shape:
    """Return an arrow that runs round nearly half a circle."""

    def at(angle: float, reach: float) -> tuple[float, float]:
        return reach * cos(begin + angle), reach * sin(begin + angle)

    steps = [number * 0.24 for number in range(9)]
    head = (at(1.92, 1.2), at(2.7, 0.72), at(1.92, 0.24))
    return [*(at(angle, 0.9) for angle in steps), *head, *(at(angle, 0.54) for angle in reversed(steps))]


_SIGNS: Final[dict[str, Sequence[Shape]]] = {
    # A present.
    Action.KOSTENLOS: (
        _box(-0.85, -0.1, -0.15, 0.95),
        _box(0.15, -0.1, 0.85, 0.95),
        _box(-0.95, -0.45, 0.95, -0.2),
        ((0, -0.5), (-0.7, -0.95), (-0.7, -0.5)),
        ((0, -0.5), (0.7, -0.95), (0.7, -0.5)),
    ),
    # A hat that goes to somebody else.
    Action.SCHIEBUNG: (*(_moved(shape, 0, -0.5, 0.75, 0.5) for shape in _HAT), _moved(_ARROW, 0, 0.55, 0.95, 0.42)),
    # Two that change places.
    Action.AUSTAUSCH: (_moved(_ARROW, 0, -0.48, 1, 0.45), _moved(_ARROW, 0, 0.48, -1, 0.45)),
    # Out, across the start line.
    Action.RAUSWURF: (_box(0.65, -1, 0.95, 1), _moved(_ARROW, -0.25, 0, -0.72, 0.75)),
    # All mixed up.
    Action.RAENGELEI: (_turning(0), _turning(pi)),
    "hat": _HAT,
    "text": (_box(-0.8, -0.7, 0.8, -0.4), _box(-0.8, -0.15, 0.8, 0.15), _box(-0.8, 0.4, 0.3, 0.7)),
    "cross": (
        ((-0.9, -0.7), (-0.7, -0.9), (0.9, 0.7), (0.7, 0.9)),
        ((0.7, -0.9), (0.9, -0.7), (-0.7, 0.9), (-0.9, 0.7)),
    ),
    "cards": (_box(-0.9, -0.7, -0.1, 0.7), _box(0.1, -0.7, 0.9, 0.7)),
    "cup": (
        (
            (-0.7, -0.9),
            (0.7, -0.9),
            (0.45, 0.1),
            (0.15, 0.3),
            (0.15, 0.65),
            (-0.15, 0.65),
            (-0.15, 0.3),
            (-0.45, 0.1),
        ),
        _box(-0.55, 0.65, 0.55, 0.9),
    ),
}


def _sign(canvas: Canvas, name: str, room: Rect, colour: Colour) -> None:
    """Draw a sign as large as it can be in a room."""
    half = min(room.size) / 2
    for shape in _SIGNS[name]:
        points = [(room.centerx + px * half, room.centery + py * half) for px, py in shape]
        pygame.draw.polygon(canvas.surface, colour, points)
