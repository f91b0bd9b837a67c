"""Draws the stage that replaces the board while nobody walks."""

from collections.abc import Sequence
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
"""Height of digits: CAP of a name's capitals, but at least the stage's width divided by WIDTH."""

PLACES: Final = {"flour": "mill", "water": "fountain", "butter": "farm"}

PLACE_INKS: Final = {"mill": theme.PAPER, "fountain": theme.INKS["sky"], "farm": theme.CHIP}

HARMS: Final = {"flood": "water", "earthquake": "scramble", "gift": "present"}

LABEL: Final = 1.3
"""Width of the icons before the seller's row, in heights of digits."""

MARKET: Final = (2.4, 1.5, 1.1, 4.2, 1.5)
"""Heights of the parts of a sale: seller, die faces, marker, tiles, sous."""

INCIDENT_ROWS: Final = (2.4, 2.2, 1.4, 2.2, 3.6)
"""Heights of the parts of an incident: seller, tile, die faces, effect, loss."""

ON_A_LINE: Final = 3
"""Maximum number of measures on a line. Recipes of more than two lines are drawn as numbers."""


def stage(canvas: Canvas, room: Rect, view: View) -> None:
    cap, pips, body = _parts(room, canvas.cap_px, view)
    canvas.panel(room, FLOOR, cap)
    before = canvas.on
    canvas.stands_on(FLOOR)
    if view.phase != Phase.OVER:
        scene_board.pips(canvas, pips, view.round, view.box.rounds, round_ones=True)
    painters = {Phase.MOVE: _errands, Phase.PRODUCE: _bakehouse, Phase.OVER: _ranking}
    painters.get(view.phase, _incident if view.die else _market)(canvas, body, view, cap)
    canvas.on = before


def used_card(room: Rect, cap_px: int, view: View, place: int) -> tuple[Rect, int]:
    """Return the area of a tile in the seller's row, and the height of its digits."""
    cap, _, body = _parts(room, cap_px, view)
    card = _incident_card(body, cap) if view.die else _cards(body, cap, len(view.tiles[view.turn]))[place]
    return card, _digits_px(card)


def _parts(room: Rect, cap_px: int, view: View) -> tuple[int, Rect, Rect]:
    """Return the height of digits, and the areas of the rounds and the rest."""
    cap = max(round(cap_px * CAP), room.width // WIDTH)
    inside = room.inflate(-cap, -cap)
    pips, body = cut.top(inside, round(cap * 1.1), cap // 3)
    return cap, pips, inside if view.phase == Phase.OVER else body


def _counter(canvas: Canvas, row: Rect, cap: int) -> Rect:
    canvas.panel(row, COUNTER, cap // 2)
    return row.inflate(-cap // 2, -cap // 4)


def _beside(room: Rect, count: int, size: int) -> list[Rect]:
    row = cut.sized(size * count, size, center=room.center)
    return cut.columns(row, count)


def _square(room: Rect, size: int) -> Rect:
    return cut.square_at(room.center, min(size, *room.size))


# --- Prices and recipes -----------------------------------------------------------------------------------


def _errands(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    rows = cut.shares(room, (1,) * len(Goods._fields), cap // 3, upright=True)
    for row, (key, kind) in zip(rows, enumerate(Goods._fields, 1), strict=True):
        inside = _counter(canvas, row, cap)
        place, price, arrow, goods, digit = cut.shares(inside, (1.3, 1.3, 0.8, 1.1, 0.8))
        name = PLACES[kind]
        canvas.picture(name, place, PLACE_INKS[name], on=COUNTER)
        sous = getattr(view.box.price, kind)
        if sous:
            scene_signs.counted(canvas, price, {"sous": sous}, Style(cap, bold=True), on=COUNTER)
        canvas.picture("arrow", _square(arrow, cap * 2), theme.LIT, on=COUNTER)
        scene_signs.token(canvas, goods, kind, on=COUNTER)
        button = _square(digit, round(cap * 1.7))
        style = Style(cap, theme.LINE, bold=True)
        widgets.plate(canvas, button, key, style, on=theme.PAPER, radius_px=cap // 3)


def _bakehouse(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    top, *rows = cut.shares(room, (1.1, 1, 1), cap // 3, upright=True)
    canvas.picture("oven", top, theme.CHIP)
    for row, kind, recipe in zip(rows, Products._fields, view.box.recipes, strict=True):
        inside = _counter(canvas, row, cap)
        needed, arrow, product, price = cut.shares(inside, (2.5, 0.6, 1.3, 1.6))
        _measures(canvas, needed, recipe, cap)
        canvas.picture("arrow", arrow, theme.LIT, on=COUNTER)
        scene_signs.token(canvas, product, kind, on=COUNTER)
        scene_signs.counted(
            canvas, price, {"sous": getattr(view.box.sell, kind)}, Style(cap, bold=True), on=COUNTER
        )


def _measures(canvas: Canvas, room: Rect, recipe: Goods, cap: int) -> None:
    kinds = [kind for kind, count in recipe._asdict().items() for _ in range(count)]
    if len(kinds) > 2 * ON_A_LINE:
        scene_signs.counted(canvas, room, recipe._asdict(), Style(cap, bold=True), on=COUNTER)
        return
    size = min(room.height // 2, room.width // ON_A_LINE)
    lines = [kinds[start : start + ON_A_LINE] for start in range(0, len(kinds), ON_A_LINE)]
    for line, row in zip(lines, cut.shares(room, (1,) * len(lines), upright=True), strict=True):
        for kind, place in zip(line, _beside(row, len(line), size), strict=True):
            scene_signs.token(canvas, place.inflate(-2, -2), kind, on=COUNTER)


# --- Sale -------------------------------------------------------------------------------------------------


def _seller(canvas: Canvas, row: Rect, view: View, cap: int) -> None:
    inside = _counter(canvas, row, cap)
    who, rest = cut.left(inside, inside.height)
    die, goods = cut.right(rest, inside.height)
    scene_signs.baker(canvas, who, view.turn, on=COUNTER)
    scene_signs.die(canvas, die, view.die, lit=True, on=COUNTER)
    goods = goods.inflate(-cap // 2, 0)
    scene_signs.counted(canvas, goods, view.products[view.turn]._asdict(), Style(cap, bold=True), on=COUNTER)


def _market(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    """Draw the seller's tiles, each between the rolls that lead to it and its pay."""
    head, faces, marker, tiles, sous = cut.shares(room, MARKET, cap // 4, upright=True)
    _seller(canvas, head, view, cap)
    label = round(cap * LABEL)
    signs = [*cut.shares(cut.left(tiles, label)[0], (1, 1), upright=True), sous]
    for sign, kind in zip(signs, (*Products._fields, "sous"), strict=True):
        there = _square(cut.left(sign, label)[0], label)
        scene_signs.token(canvas, there, kind, on=FLOOR)
    tiles_left, state = view.tiles[view.turn], position(view)
    rolls = {roll: under_marker(state, view.turn, roll) for roll in range(1, FACES + 1)}
    count = len(tiles_left)
    spots = zip(_columns(room, cap, count), _cards(room, cap, count), strict=True)
    for place, (column, card) in enumerate(spots):
        above, tag, below = (row.clip(column) for row in (faces, marker, sous))
        _faces(canvas, above, [roll for roll, to in rolls.items() if to == place])
        limits = view.box.tiles[tiles_left[place]]
        scene_signs.tile(canvas, card, limits, _digits_px(card))
        if place == view.markers[view.turn]:
            scene_signs.frame(canvas, card, max(3, card.width // 12))
            canvas.picture("marker", _square(tag, cap * 2), theme.LIT)
        if limits != INCIDENT:
            paid = worth(view, limits)
            style = Style(round(below.height * 0.66), theme.TEXT if paid else theme.FAINT, bold=True)
            widgets.number(canvas, below.inflate(-below.width // 8, 0), paid, style, on=FLOOR)


def worth(view: View, limits: Sequence[int]) -> int:
    """Return the pay for the seller's products on a tile."""
    counts = zip(view.products[view.turn], limits, view.box.sell, strict=True)
    return sum(min(baked, limit) * price for baked, limit, price in counts)


def _columns(room: Rect, cap: int, count: int) -> list[Rect]:
    return cut.columns(cut.left(room, round(cap * LABEL))[1], count)


def _cards(room: Rect, cap: int, count: int) -> list[Rect]:
    tiles = cut.shares(room, MARKET, cap // 4, upright=True)[3]
    places = [tiles.clip(column) for column in _columns(room, cap, count)]
    wide = (min(round(place.width * 0.84), place.height * 3 // 5) for place in places)
    return [cut.sized(px, place.height, midtop=place.midtop) for px, place in zip(wide, places, strict=True)]


def _digits_px(card: Rect) -> int:
    return min(round(card.height * 0.34), round(card.width * 0.75))


def _faces(canvas: Canvas, room: Rect, rolls: Sequence[int]) -> None:
    if rolls:
        size = min(room.height, room.width // len(rolls))
        for roll, place in zip(rolls, _beside(room, len(rolls), size), strict=True):
            scene_signs.die(canvas, place.inflate(-2, -2), roll, lit=False)


def _incident(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    head, sign, faces, harm, lost = cut.shares(room, INCIDENT_ROWS, cap // 4, upright=True)
    _seller(canvas, head, view, cap)
    card = _incident_card(room, cap)
    canvas.panel(card, theme.PAPER, cap // 2)
    canvas.picture("incident", card.inflate(-4, -4), theme.CHIP, on=theme.PAPER)
    scene_signs.die(canvas, card.move(sign.width // 3, 0), 0, lit=True)
    there = [effect for effect in EFFECTS if effect in view.box.effects]
    for effect, column in zip(there, cut.columns(room, len(there)), strict=True):
        part = column.inflate(-cap // 3, 0)
        rolls = [face for face, found in enumerate(view.box.effects, 1) if found == effect]
        canvas.panel(faces.union(lost).clip(part), COUNTER, cap // 2)
        loss, foot = (
            lost.clip(part),
            {"border_bottom_left_radius": cap // 2, "border_bottom_right_radius": cap // 2},
        )
        pygame.draw.rect(canvas.surface, canvas.tone(LOSS), loss, **foot)
        canvas.stands_on(COUNTER)
        _faces(canvas, faces.clip(part).inflate(-cap // 2, -cap // 4), rolls)
        canvas.picture(HARMS[effect], harm.clip(part), theme.INKS["sky"], on=COUNTER)
        _losses(canvas, loss.inflate(-cap // 2, -cap // 4), view, effect)
        canvas.stands_on(FLOOR)


def _incident_card(room: Rect, cap: int) -> Rect:
    sign = cut.shares(room, INCIDENT_ROWS, cap // 4, upright=True)[1]
    return _square(sign, sign.height).move(-sign.width // 6, 0)


def _losses(canvas: Canvas, room: Rect, view: View, effect: str) -> None:
    first, second = cut.shares(room, (1, 1), upright=True)
    lines = [(first, Products._fields), (second, Goods._fields)]
    for line, names in lines if effect == "earthquake" else lines[:1]:
        size = min(line.height, line.width // 3)
        for name, place in zip(names, _beside(line, len(names), size), strict=True):
            scene_signs.token(canvas, place, name, on=LOSS)
    if effect == "gift":
        style = Style(round(second.height * 0.72), bold=True)
        scene_signs.counted(canvas, second, {"sous": view.cash[view.turn] // 2}, style, on=LOSS)


# --- End --------------------------------------------------------------------------------------------------


def _ranking(canvas: Canvas, room: Rect, view: View, cap: int) -> None:
    assert view.outcome is not None
    ranks = places(view.outcome.ranking)
    top, *rows = cut.shares(room, (1.8, *(1,) * len(ranks)), cap // 3, upright=True)
    canvas.picture("cup_trophy", top, theme.LIT)
    for row, (seat, rank) in zip(rows, ranks.items(), strict=True):
        inside = _counter(canvas, row.inflate(0, min(0, cap * 4 - row.height)), cap)
        place, who, sous = cut.shares(inside, (1, 1.6, 2.4))
        big = min(round(cap * 1.4), round(inside.height * 0.62))
        colour = theme.LIT if rank == 1 else theme.TEXT
        widgets.number(canvas, place, rank, Style(big, colour, bold=True), on=COUNTER)
        scene_signs.baker(canvas, _square(who, inside.height), seat, on=COUNTER)
        scene_signs.counted(canvas, sous, {"sous": view.cash[seat]}, Style(big, colour, bold=True), on=COUNTER)
