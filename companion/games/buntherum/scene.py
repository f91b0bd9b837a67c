"""Buntherum's scene: the hexagon with the open card, and its six rows. Nothing hints where the card fits."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import TABLE, Seat, each_seat
from companion.display import cut, layout, theme, widgets
from companion.display.canvas import Canvas, piece, transparent
from companion.display.frame import Look, Play
from companion.display.layout import Layout, Strip
from companion.display.motion import Flight
from companion.display.theme import Colour, Style
from companion.games.buntherum import scene_board
from companion.games.buntherum.rules import NO_CARD, SIDES, UNKNOWN, Box, Card, Phase, View, sides_laid
from companion.games.buntherum.scene_board import Board, board_in

ROOMS: Final = (3, 4, 6, 8)
"""Possible lengths of rows, with the printed card. All rows share the smallest that is enough."""

CALLED: Final = frozenset({Phase.LOCKED, Phase.JUDGE})

LARGE: Final = 1.08
"""Enlarges the count of the pile for large text."""

LEAST_COUNT: Final = 0.475
"""The minimum height of the pile's count, as a share of a name's capitals."""

MOST_CHIPS: Final = 3
"""Above this limit of chips a number is drawn instead, to leave room for the name."""

LAYERS: Final = 5
"""Cards per layer of a drawn stack."""


def centre(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    view, board = play.view, board_in(plan.centre, plan.unit_px)
    inks = tuple(theme.INKS[_colour(view.box, card)] for card in view.box.printed)
    said = view.said if view.phase in CALLED else None
    strong = canvas.look.high_contrast
    draw = partial(scene_board.drawn, board.room.size, inks, strong=strong, unit_px=plan.unit_px)
    surface = draw(lit=view.phase in CALLED, said=said)
    canvas.surface.blit(surface, board.room)
    if view.phase in {Phase.SETUP, Phase.READY}:
        # Fill the cache now: drawing takes long, and nobody should wait for it after a call.
        draw(lit=True, said=None)
    for side in range(SIDES):
        _row(canvas, board, view, side)
    numbers(canvas, board, said)
    _middle(canvas, board, plan, view)
    for place, strip in _pointed_at(board, plan, view):
        ink = theme.TEXT if _is_due(view) else theme.LIT
        # The picture of the arrow points to the right.
        canvas.picture("arrow", place, ink, turn=strip.turn - layout.RIGHT)


def strip(canvas: Canvas, rect: Rect, play: Play[View], seat: Seat, ink: Colour) -> Rect:
    view, height = play.view, rect.height
    gap = height // 8
    if view.outcome and seat in view.outcome.ranking[0]:
        won, rect = cut.right(rect, height, gap)
        canvas.picture("cup_trophy", won, theme.LIT)
    if seat in view.gone:
        out = cut.right(rect, height)[0].inflate(-height // 5, -height // 5)
        canvas.picture("cross", out, theme.FAINT)
        return cut.before(rect, out, gap)
    chips = _chips(canvas, rect, view.chips[seat], view.box.chips_out)
    wide = round(height * (0.12 + 0.5 * len(str(view.piles[seat]))))
    count, rest = cut.right(cut.before(rect, chips, height // 10), wide, height // 20)
    widgets.number(canvas, count, view.piles[seat], Style(round(height * 0.76), ink, bold=True))
    icon = cut.sized(round(height * 0.5), round(height * 0.74), midright=rest.midright)
    _stack(canvas, icon, view.piles[seat])
    return cut.before(rect, icon, gap)


def _chips(canvas: Canvas, rect: Rect, count: int, most: int) -> Rect:
    height, label = rect.height, str(count) if most > MOST_CHIPS else ""
    wide = round(height * (0.6 + 0.42 * len(label) if label else 0.49 * most))
    room, _ = cut.right(rect, wide)
    canvas.panel(room, theme.PANEL, height // 4)  # red chips stay visible on a red strip, grey rings on a light one
    inside = room.inflate(-height // 12, 0)
    if label:
        inside, number = cut.left(inside, round(height * 0.49))
        style = Style(round(height * 0.6), theme.TEXT, bold=True)
        widgets.number(canvas, number, count, style, on=theme.PANEL)
    widgets.chips(canvas, inside, *((1, 1) if label else (count, most)))
    return room


# --- The rows ---------------------------------------------------------------------------------------------


def _row(canvas: Canvas, board: Board, view: View, side: int) -> None:
    cells = board.cells(side, _longest(view))
    shown = [(view.box.printed[side], True), *((card, False) for card in view.rows[side])]
    for cell, (card, printed) in zip(cells, shown, strict=False):
        _card(canvas, cell, view.box, card, printed=printed)
    if view.phase == Phase.SETUP and side == sides_laid(view.rows):
        _slot(canvas, cells[1], theme.LIT)


def _longest(view: View) -> int:
    longest = max(len(row) + 1 for row in view.rows)
    return next((room for room in ROOMS if room >= longest), longest)


def numbers(canvas: Canvas, board: Board, said: int | None) -> None:
    places = [board.zero, *(board.badge(side) for side in range(SIDES))]
    style = Style(round(board.badge_px * 0.95), theme.LINE, bold=True)
    for value, place in enumerate(places):
        # Digits are a little low in their line; 6 has a line below it.
        lift = round(board.badge_px * (0.2 if value == SIDES else 0.1))
        on = theme.LIT if said == value else theme.PAPER
        widgets.number(canvas, place.move(0, -lift), value, style, on=on)


# --- The middle -------------------------------------------------------------------------------------------


def _middle(canvas: Canvas, board: Board, plan: Layout, view: View) -> None:
    place = board.card
    from_pile = _from_pile(view)
    if not from_pile:
        _pile(canvas, board.pile, view.draw_pile, 0.38)
    if view.phase == Phase.OVER:
        canvas.picture("cup_trophy", place.inflate(-place.width // 5, -place.width // 5), theme.LIT)
    elif view.card != NO_CARD and not view.armed:
        _card(canvas, place, view.box, view.card, turn=_turn(view))
    elif from_pile:
        _pile(canvas, place.inflate(-place.width // 6, -place.width // 6), view.draw_pile, 0.28)
    else:
        _slot(canvas, place.inflate(-place.width // 8, -place.width // 8), theme.FAINT)
        widgets.back(canvas, _coming(place, plan.strips[view.flipper].turn))


def _turn(view: View) -> int:
    """Return the quarter turns of the open card, which vary so that no side always reads it first."""
    return view.turn * 7 // 3 % 4


def _is_due(view: View) -> bool:
    return view.phase == Phase.READY or view.armed


def _from_pile(view: View) -> bool:
    return view.phase == Phase.SETUP or (_is_due(view) and view.source == TABLE)


def _coming(place: Rect, turn: int) -> Rect:
    long, short = place.width * 7 // 12, place.width * 5 // 12
    size = (long, short) if turn % 2 else (short, long)
    right, down = {layout.BOTTOM: (0, 1), layout.RIGHT: (1, 0), layout.TOP: (0, -1), layout.LEFT: (-1, 0)}[turn]
    away = place.width // 5
    return cut.sized(*size, center=(place.centerx + right * away, place.centery + down * away))


def _pile(canvas: Canvas, room: Rect, count: int, share: float) -> None:
    face = cut.sized(round(room.height * 0.78), room.height, center=room.center)
    top = _stack(canvas, face, count)
    share *= LARGE if canvas.look.large_text else 1
    cap_px = max(round(room.height * share), int(canvas.cap_px * LEAST_COUNT))
    style = Style(cap_px, theme.TEXT, bold=True)
    grow_px = -min(top.size) * 2 // 5
    if theme.text_width(str(count), style) > top.width + grow_px:
        grow_px = -min(top.size) // 5
    plate = top.inflate(grow_px, grow_px)
    canvas.panel(plate, theme.PANEL, plate.width // 12)
    widgets.number(canvas, top.inflate(top.width // 6, 0), count, style, on=theme.PANEL)


def _stack(canvas: Canvas, room: Rect, count: int) -> Rect:
    """Draw a stack; return the place of its top card."""
    layers = -(-count // LAYERS)
    step = max(2, room.height // 22)
    card, _ = cut.bottom(room, room.height - step * max(0, layers - 1))
    for _layer in range(layers):
        widgets.back(canvas, card)
        card = card.move(0, -step)
    return card.move(0, step)


def _slot(canvas: Canvas, place: Rect, ink: Colour) -> None:
    canvas.surface.blit(scene_board.slot(place.size, canvas.tone(ink)), place)


def _pointed_at(board: Board, plan: Layout, view: View) -> Iterable[tuple[Rect, Strip]]:
    """Yield a place for an arrow, and the strip it points to, for each seat that matters now."""
    free = list(board.notches)
    for seat in _who_matters(view):
        if seat >= len(plan.strips) or not free:
            continue
        strip = plan.strips[seat]
        nearest = min(free, key=lambda notch: pygame.Vector2(notch.center).distance_to(strip.rect.center))
        free.remove(nearest)
        yield nearest, strip


def _who_matters(view: View) -> tuple[Seat, ...]:
    if view.phase in CALLED:
        return (view.caller,)
    if _is_due(view):
        return (view.flipper,)
    if view.outcome:
        return view.outcome.ranking[0]
    return view.callers if view.phase == Phase.OPEN and view.tied else ()


# --- Cards ------------------------------------------------------------------------------------------------


def _colour(box: Box, card: Card) -> str:
    place = card // len(box.objects)
    return widgets.known_colour(box.colours[place], place)


def _card(canvas: Canvas, rect: Rect, box: Box, card: Card, *, printed: bool = False, turn: int = 0) -> None:
    if card == UNKNOWN:
        widgets.blank(canvas, rect)
        canvas.text("?", rect, Style(round(rect.height * 0.4), theme.LINE, bold=True), on=theme.PAPER)
        return
    thing = box.objects[card % len(box.objects)]
    widgets.card(canvas, rect, thing, _colour(box, card), printed=printed, turn=turn)


# --- Flights ----------------------------------------------------------------------------------------------


def flights(plan: Layout, before: Play[View], after: Play[View], look: Look) -> Sequence[Flight]:
    """Return the moving pieces. Cards are turned without motion, and nothing moves while one is open."""
    old, new, board = before.view, after.view, board_in(plan.centre, plan.unit_px)
    if new.card != NO_CARD:
        return ()
    chips = [
        _chip(board, plan, seat, look)
        for seat in each_seat(len(new.piles))
        # A chip that eliminates a seat returns to the supply at once.
        if new.chips[seat] == old.chips[seat] + 1 or seat in set(new.gone) - set(old.gone)
    ]
    laid = list(_laid(board, old, new, look))
    if not laid and old.card != NO_CARD:
        laid = _rejected(board, old, new, look, wrong=bool(chips))
    return (*laid, *chips)


def _laid(board: Board, old: View, new: View, look: Look) -> Iterable[Flight]:
    for side, row in enumerate(new.rows):
        if len(row) != len(old.rows[side]) + 1:
            continue
        cell = board.cells(side, _longest(new))[len(row)]
        rim, begins = (theme.GOOD, 0.0) if old.card != NO_CARD else (None, 0.1 * side)
        yield Flight(_flying(cell.size, new.box, row[-1], rim, look), board.middle, cell.center, begins=begins)


def _rejected(board: Board, old: View, new: View, look: Look, *, wrong: bool) -> list[Flight]:
    """Return the rejected card's flight to the pile. If the pile takes its place, a wrong card hops there."""
    rim = theme.CHIP if wrong else theme.GOOD
    if not _from_pile(new):
        picture = _flying(board.pile.size, old.box, old.card, rim, look)
        return [Flight(picture, board.middle, board.pile.center)]
    if not wrong:
        return []
    picture = _flying(board.card.size, old.box, old.card, rim, look, turn=_turn(old))
    return [Flight(picture, board.middle, board.middle, lift_px=board.badge_px)]


def _chip(board: Board, plan: Layout, seat: Seat, look: Look) -> Flight:
    picture = piece("chip", theme.CHIP, round(board.reach_px * 0.36), look)
    room = plan.centre.inflate(-picture.get_width(), -picture.get_height())
    x, y = plan.strips[seat].rect.center
    edge = (min(max(x, room.left), room.right), min(max(y, room.top), room.bottom))
    return Flight(picture, board.middle, edge, begins=0.3)


def _flying(
    size: tuple[int, int], box: Box, card: Card, rim: Colour | None, look: Look, *, turn: int = 0
) -> pygame.Surface:
    line = max(3, min(size) // 16) if rim else 0
    place = Rect((line, line), size)
    canvas = transparent(place.inflate(2 * line, 2 * line).size, look)
    if rim:
        canvas.panel(canvas.rect, rim, min(size) // 6)
    _card(canvas, place, box, card, turn=turn)
    return canvas.surface
