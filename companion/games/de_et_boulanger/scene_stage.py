"""What takes the place of the square while nobody walks on it: prices, baking, sales, incidents, the ranking."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import pygame
from pygame import Rect

from companion.core.rules import places
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.de_et_boulanger import scene_board, scene_signs
from companion.games.de_et_boulanger.rules import View, position
from companion.games.de_et_boulanger.rules.components import EFFECTS, FACES, INCIDENT, Phase, under_marker
from companion.games.de_et_boulanger.rules.goods import Goods, Products

FLOOR: Final[Colour] = (0x1A, 0x15, 0x11)
COUNTER: Final[Colour] = (0x2E, 0x25, 0x1C)
LOSS: Final[Colour] = (0x6A, 0x1E, 0x1A)

CAP, WIDTH = 0.62, 15
"""How high the digits of a stage are: a share of a name's capitals, or of the stage's width if there is room."""

PLACES: Final = {"flour": "mill", "water": "fountain", "butter": "farm"}
"""Where each kind is to be had."""

PLACE_INKS: Final = {"mill": theme.PAPER, "fountain": theme.INKS["sky"], "farm": theme.CHIP}

HARMS: Final = {"flood": "water", "earthquake": "scramble", "gift": "present"}
"""What each effect of an incident looks like."""

LABEL: Final = 1.3
"""How wide the signs before the seller's row are, in heights of digits."""

MARKET: Final = (2.4, 1.5, 1.1, 4.2, 1.5)
"""How high the parts of the market are: the seller, faces of the die, the marker, the tiles, the sous."""

INCIDENT_ROWS: Final = (2.4, 2.2, 1.4, 2.2, 3.6)
"""How high the parts of an incident are: the seller, the tile, faces of the die, the harm, what is lost."""

ON_A_LINE: Final = 3
"""So many measures are drawn beside each other, on two lines at most; more are counted."""


def stage(canvas: Canvas, room: Rect, view: View) -> None:
    """Draw what everybody does now in a room."""
    cap, pips, body = _parts(room, canvas.cap_px, view)
    canvas.panel(room, FLOOR, cap)
    before = canvas.on
    canvas.stands_on(FLOOR)
    if view.phase != Phase.OVER:
        scene_board.pips(canvas, pips, view.round, view.box.rounds, round_ones=True)
    _painter(view)(canvas, body, view, cap)
    canvas.on = before


def used_card(room: Rect, cap_px: int, view: View, place: int) -> tuple[Rect, int]:
    """Return where a tile of the seller's row is on a stage, and how high its digits are."""
    cap, _, body = _parts(room, cap_px, view)
    card = _incident_card(body, cap) if view.die else _cards(body, cap, len(view.tiles[view.turn]))[place]
    return card, _digits_px(card)


def _parts(room: Rect, cap_px: int, view: View) -> tuple[int, Rect, Rect]:
    """Return how high a stage's digits are, and where the pips of its rounds and everything else go."""
    cap = max(round(cap_px * CAP), room.width // WIDTH)
    inside = room.inflate(-cap, -cap)
    pips = Rect(inside.left, inside.top, inside.width, round(cap * 1.1))
    if view.phase == Phase.OVER:
        return cap, pips, inside
    top = pips.bottom + cap // 3
    return cap, pips, Rect(inside.left, top, inside.width, inside.bottom - top)


def _painter(view: View) -> Callable[[Canvas, Rect, View, int], None]:
    if view.phase == Phase.SALE:
        return _incident if view.die else _market
    return {Phase.MOVE: _errands, Phase.PRODUCE: _bakehouse, Phase.OVER: _ranking}[view.phase]


def _rows(room: Rect, shares: Sequence[float], gap: int) -> list[Rect]:
    """Return rows below each other that fill a room, their heights as shares of each other."""
    spare = room.height - gap * (len(shares) - 1)
    tops = [room.top + round(spare * sum(shares[:row]) / sum(shares)) + gap * row for row in range(len(shares) + 1)]
    return [Rect(room.left, top, room.width, below - gap - top) for top, below in pairwise(tops)]


def _counter(canvas: Canvas, row: Rect, cap: int) -> Rect:
    """Draw the board that a row lies on; return the room on it."""
    canvas.panel(row, COUNTER, cap // 2)
    return row.inflate(-cap // 2, -cap // 4)


def _middle(room: Rect, size: int) -> Rect:
    """Return the square in the middle of a room, of a size where there is the room."""
    return cut.square_at(room.center, min(size, *room.size))


def _split(row: Rect, shares: Sequence[float]) -> list[Rect]:
    lefts = [row.left + round(row.width * sum(shares[:part]) / sum(shares)) for part in range(len(shares) + 1)]
    return [Rect(left, row.top, right - left, row.height) for left, right in pairwise(lefts)]


# --- Prices and recipes -----------------------------------------------------------------------------------


def _errands(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    """Draw what is to be had where, for how much, and which digit names it."""
    for row, (key, kind) in zip(_rows(room, (1, 1, 1), cap // 3), enumerate(Goods._fields, 1), strict=True):
        inside = _counter(canvas, row, cap)
        place, price, arrow, goods, digit = _split(inside, (1.3, 1.3, 0.8, 1.1, 0.8))
        name = PLACES[kind]
        canvas.picture(name, place, PLACE_INKS[name], on=COUNTER)
        sous = getattr(view.box.price, kind)
        if sous:
            scene_signs.counted(canvas, price, {"sous": sous}, Style(cap, bold=True), on=COUNTER)
        canvas.picture("arrow", _middle(arrow, cap * 2), theme.LIT, on=COUNTER)
        scene_signs.token(canvas, goods, kind, on=COUNTER)
        button = _middle(digit, round(cap * 1.7))
        canvas.panel(button, theme.PAPER, cap // 3)
        widgets.number(canvas, button, key, Style(cap, theme.LINE, bold=True), on=theme.PAPER)


def _bakehouse(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    """Draw the oven, and what goes into a bread and a croissant and what they sell for."""
    top, *rows = _rows(room, (1.1, 1, 1), cap // 3)
    canvas.picture("oven", top, theme.CHIP)
    for row, kind, recipe in zip(rows, Products._fields, view.box.recipes, strict=True):
        inside = _counter(canvas, row, cap)
        needed, arrow, product, price = _split(inside, (2.5, 0.6, 1.3, 1.6))
        _measures(canvas, needed, recipe, cap)
        canvas.picture("arrow", arrow, theme.LIT, on=COUNTER)
        scene_signs.token(canvas, product, kind, on=COUNTER)
        scene_signs.counted(
            canvas, price, {"sous": getattr(view.box.sell, kind)}, Style(cap, bold=True), on=COUNTER
        )


def _measures(canvas: Canvas, room: Rect, recipe: Goods, cap: int) -> None:
    """Draw the measures of a recipe, so many on a line."""
    kinds = [kind for kind, count in recipe._asdict().items() for _ in range(count)]
    if len(kinds) > 2 * ON_A_LINE:
        scene_signs.counted(canvas, room, recipe._asdict(), Style(cap, bold=True), on=COUNTER)
        return
    size = min(room.height // 2, room.width // ON_A_LINE)
    lines = [kinds[start : start + ON_A_LINE] for start in range(0, len(kinds), ON_A_LINE)]
    for line, row in zip(lines, _rows(room, (1,) * len(lines), 0), strict=True):
        for number, kind in enumerate(line):
            left = room.centerx - size * len(line) // 2 + size * number
            place = Rect(left, row.centery - size // 2, size, size)
            scene_signs.token(canvas, place.inflate(-2, -2), kind, on=COUNTER)


# --- Sale -------------------------------------------------------------------------------------------------


def _seller(canvas: Canvas, row: Rect, view: View, cap: int) -> None:
    """Draw who sells, what there is to sell, and the die."""
    inside = _counter(canvas, row, cap)
    size = inside.height
    who = Rect(inside.left, inside.top, size, size)
    scene_signs.baker(canvas, who, view.turn, on=COUNTER)
    die = Rect(inside.right - size, inside.top, size, size)
    scene_signs.die(canvas, die, view.die, lit=True, on=COUNTER)
    goods = Rect(who.right, inside.top, die.left - who.right, size).inflate(-cap // 2, 0)
    scene_signs.counted(canvas, goods, view.products[view.turn]._asdict(), Style(cap, bold=True), on=COUNTER)


def _market(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    """Draw the seller's row of tiles: above each the faces of the die that lead to it, below it what it brings."""
    head, faces, marker, tiles, sous = _rows(room, MARKET, cap // 4)
    _seller(canvas, head, view, cap)
    label = round(cap * LABEL)
    signs = [*_rows(Rect(room.left, tiles.top, label, tiles.height), (1, 1), 0), sous]
    for sign, kind in zip(signs, (*Products._fields, "sous"), strict=True):
        there = _middle(Rect(room.left, sign.top, label, sign.height), label)
        scene_signs.token(canvas, there, kind, on=FLOOR)
    row = view.tiles[view.turn]
    spots = zip(_columns(room, cap, len(row)), _cards(room, cap, len(row)), strict=True)
    for place, (column, card) in enumerate(spots):
        above, tag, below = (
            Rect(column.left, part.top, column.width, part.height) for part in (faces, marker, sous)
        )
        _faces(canvas, above, _rolls_to(view, place))
        limits = view.box.tiles[row[place]]
        scene_signs.tile(canvas, card, limits, _digits_px(card))
        if place == view.markers[view.turn]:
            scene_signs.frame(canvas, card, max(3, card.width // 12))
            canvas.picture("marker", _middle(tag, cap * 2), theme.LIT)
        if limits != INCIDENT:
            _offer(canvas, below, _worth(view, limits))


def _offer(canvas: Canvas, room: Rect, sous: int) -> None:
    """Draw what the seller would be paid on a tile."""
    style = Style(round(room.height * 0.66), theme.TEXT if sous else theme.FAINT, bold=True)
    widgets.number(canvas, room.inflate(-room.width // 8, 0), sous, style, on=FLOOR)


def _columns(room: Rect, cap: int, count: int) -> list[Rect]:
    label = round(cap * LABEL)
    return cut.columns(Rect(room.left + label, room.top, room.width - label, room.height), count)


def _cards(room: Rect, cap: int, count: int) -> list[Rect]:
    """Return where the tiles of the seller's row are."""
    tiles = _rows(room, MARKET, cap // 4)[3]
    cards = []
    for column in _columns(room, cap, count):
        card = Rect(0, tiles.top, min(round(column.width * 0.84), tiles.height * 3 // 5), tiles.height)
        card.centerx = column.centerx
        cards.append(card)
    return cards


def _digits_px(card: Rect) -> int:
    return min(round(card.height * 0.34), round(card.width * 0.75))


def _rolls_to(view: View, place: int) -> list[int]:
    """Return the faces of the die that lead the marker to a tile."""
    state = position(view)
    return [roll for roll in range(1, FACES + 1) if under_marker(state, view.turn, roll) == place]


def _worth(view: View, limits: Sequence[int]) -> int:
    """Return what the seller would be paid on a tile."""
    counts = zip(view.products[view.turn], limits, view.box.sell, strict=True)
    return sum(min(baked, limit) * price for baked, limit, price in counts)


def _faces(canvas: Canvas, room: Rect, rolls: Sequence[int]) -> None:
    """Draw faces of the die beside each other."""
    if rolls:
        size = min(room.height, room.width // len(rolls))
        row = cut.sized(size * len(rolls), size, center=room.center)
        for roll, place in zip(rolls, cut.columns(row, len(rolls)), strict=True):
            scene_signs.die(canvas, place.inflate(-2, -2), roll, lit=False)


def _incident(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    """Draw the incident, and what each face of the second die takes away."""
    head, sign, faces, harm, lost = _rows(room, INCIDENT_ROWS, cap // 4)
    _seller(canvas, head, view, cap)
    card = _incident_card(room, cap)
    canvas.panel(card, theme.PAPER, cap // 2)
    canvas.picture("incident", card.inflate(-4, -4), theme.CHIP, on=theme.PAPER)
    scene_signs.die(canvas, card.move(sign.width // 3, 0), 0, lit=True)
    there = [effect for effect in EFFECTS if effect in view.box.effects]
    for effect, column in zip(there, cut.columns(room, len(there)), strict=True):
        part = column.inflate(-cap // 3, 0)
        rolls = [face for face, found in enumerate(view.box.effects, 1) if found == effect]
        canvas.panel(Rect(part.left, faces.top, part.width, lost.bottom - faces.top), COUNTER, cap // 2)
        loss = Rect(part.left, lost.top, part.width, lost.height)
        pygame.draw.rect(
            canvas.surface,
            canvas.tone(LOSS),
            loss,
            border_bottom_left_radius=cap // 2,
            border_bottom_right_radius=cap // 2,
        )
        canvas.stands_on(COUNTER)
        _faces(canvas, Rect(part.left, faces.top, part.width, faces.height).inflate(-cap // 2, -cap // 4), rolls)
        name = HARMS[effect]
        canvas.picture(name, Rect(part.left, harm.top, part.width, harm.height), theme.INKS["sky"], on=COUNTER)
        _losses(canvas, loss.inflate(-cap // 2, -cap // 4), view, effect)
        canvas.stands_on(FLOOR)


def _incident_card(room: Rect, cap: int) -> Rect:
    sign = _rows(room, INCIDENT_ROWS, cap // 4)[1]
    return _middle(sign, sign.height).move(-sign.width // 6, 0)


def _losses(canvas: Canvas, room: Rect, view: View, effect: str) -> None:
    """Draw what an effect takes: all products, and the laboratory or half of the sous."""
    first, second = _rows(room, (1, 1), 0)
    kinds: tuple[tuple[str, ...], ...] = (Products._fields,)
    if effect == "earthquake":
        kinds = (Products._fields, Goods._fields)
    for line, names in zip((first, second), kinds, strict=False):
        size = min(line.height, line.width // 3)
        row = cut.sized(size * len(names), size, center=line.center)
        for name, place in zip(names, cut.columns(row, len(names)), strict=True):
            scene_signs.token(canvas, place, name, on=LOSS)
    if effect == "gift":
        style = Style(round(second.height * 0.72), bold=True)
        scene_signs.counted(canvas, second, {"sous": view.cash[view.turn] // 2}, style, on=LOSS)


# --- End --------------------------------------------------------------------------------------------------


def _ranking(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    """Draw the bakers from first to last with what is in their cash boxes."""
    assert view.outcome is not None
    ranks = places(view.outcome.ranking)
    top, *rows = _rows(room, (1.8, *(1,) * len(ranks)), cap // 3)
    canvas.picture("cup_trophy", top, theme.LIT)
    for row, (seat, rank) in zip(rows, ranks.items(), strict=True):
        inside = _counter(canvas, row.inflate(0, min(0, cap * 4 - row.height)), cap)
        place, who, sous = _split(inside, (1, 1.6, 2.4))
        big = min(round(cap * 1.4), round(inside.height * 0.62))
        colour = theme.LIT if rank == 1 else theme.TEXT
        widgets.number(canvas, place, rank, Style(big, colour, bold=True), on=COUNTER)
        scene_signs.baker(canvas, _middle(who, inside.height), seat, on=COUNTER)
        scene_signs.counted(canvas, sous, {"sous": view.cash[seat]}, Style(big, colour, bold=True), on=COUNTER)
