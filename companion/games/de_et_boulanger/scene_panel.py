"""Draws a seat's panel, a shop front.

From top to bottom: the awning (baker, starting flag, bonus, die), the sale tiles, the laboratory, and what the
baker carries or has baked.
"""

from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Colour, Style
from companion.games.de_et_boulanger import scene_plan, scene_signs
from companion.games.de_et_boulanger.rules import View, position
from companion.games.de_et_boulanger.rules.components import NO_SIDE, Phase
from companion.games.de_et_boulanger.rules.goods import Products
from companion.games.de_et_boulanger.rules.moving import earns_bonus
from companion.games.de_et_boulanger.scene_plan import PanelPlan

HEAD_SIGNS: Final = 5.5
"""Minimum width of an awning, in sizes of the baker's icon."""

STRIPES: Final = 2.4
"""Stripes on a square part of an awning."""


def panel(canvas: Canvas, view: View, seat: Seat) -> None:
    chosen = view.tiles[seat]
    plan = scene_plan.panel_plan(canvas.rect.size, view, len(chosen or view.box.tiles))
    canvas.panel(canvas.rect, theme.PANEL, plan.cap_px // 2)
    canvas.stands_on(theme.PANEL)
    tones = canvas.tone(scene_signs.ink_of(seat)), canvas.tone(theme.PAPER)
    canvas.surface.blit(_stripes(plan.head.topleft, plan.head.size, canvas.rect.width, plan.cap_px, tones), (0, 0))
    _head(canvas, plan, view, seat)
    if chosen:
        _row(canvas, plan, view, seat)
    else:
        _choice(canvas, plan, view)
    if view.phase == Phase.START:
        if view.rolls[seat] >= 0:  # not yet beaten
            scene_signs.die(canvas, start_place(plan), view.rolls[seat], lit=seat == view.turn)
    elif view.phase != Phase.SETUP:
        _goods(canvas, plan, view, seat)
    if seat == view.turn:
        canvas.box(canvas.rect, theme.LIT, plan.cap_px // 2, max(3, plan.cap_px // 8))


def head_places(plan: PanelPlan) -> tuple[Rect, Rect]:
    """Return the areas of the baker and the die."""
    size = min(plan.head.height, round(plan.head.width / HEAD_SIGNS))
    line = plan.head.move(0, (plan.head.height - size) // 2)
    return cut.sized(size, size, topleft=line.topleft), cut.sized(size, size, topright=line.topright)


# --- Awning -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _stripes(
    at: tuple[int, int], size: tuple[int, int], across_px: int, cap_px: int, tones: tuple[Colour, Colour]
) -> pygame.Surface:
    head = Rect(at, size)
    wide = head.width + 2 * head.left
    drawn = pygame.Surface((across_px, head.bottom + 1), pygame.SRCALPHA)
    count = 2 * max(2, round(wide / head.height * STRIPES / 2))
    foot = head.bottom - wide // count // 2
    for number, column in enumerate(cut.columns(Rect(0, 0, wide, foot), count)):
        tone, half = tones[number % 2], column.width // 2
        first, last = (at_end * cap_px // 2 for at_end in (number == 0, column.right == across_px))
        pygame.draw.rect(drawn, tone, column, border_top_left_radius=first, border_top_right_radius=last)
        fringe = Rect(column.left, foot - 1, column.width, half + 1)
        pygame.draw.rect(drawn, tone, fringe, border_bottom_left_radius=half, border_bottom_right_radius=half)
    return drawn


def _head(canvas: Canvas, plan: PanelPlan, view: View, seat: Seat) -> None:
    who, die = head_places(plan)
    size, left = who.width, who.right
    _sign(canvas, who)
    scene_signs.baker(canvas, who, seat, on=theme.PANEL)
    if view.order and seat == view.order[0]:
        flag = Rect(left, who.top, size * 7 // 10, size)
        _sign(canvas, flag)
        canvas.picture("flag", flag, theme.PAPER, on=theme.PANEL)
        left = flag.right
    if view.phase == Phase.MOVE and earns_bonus(position(view), seat):
        _bonus(canvas, Rect(left, who.top, round(size * 1.7), size), view, plan.cap_px)
    if _is_done(view, seat):
        _sign(canvas, die)
        _check(canvas, die)
    elif view.phase == Phase.MOVE and seat == view.turn and (view.die or view.ready):
        steps = die.move(-size, 0)
        _sign(canvas, die.union(steps) if view.die else die)
        scene_signs.die(canvas, die, view.die, lit=True, on=theme.PANEL)
        if view.die:
            style = Style(min(plan.cap_px, size * 3 // 4), theme.LIT, bold=True)
            widgets.number(canvas, steps, view.steps, style, on=theme.PANEL)


def _sign(canvas: Canvas, rect: Rect) -> None:
    canvas.box(rect, theme.PANEL, rect.height // 4)


def _bonus(canvas: Canvas, rect: Rect, view: View, cap_px: int) -> None:
    _sign(canvas, rect)
    size = rect.height * 11 // 20
    coin = cut.sized(size, size, midright=(rect.right - 2, rect.centery))
    scene_signs.token(canvas, coin, "sous", on=theme.PANEL)
    style = Style(min(cap_px, rect.height * 3 // 4), theme.GOOD, bold=True)
    canvas.text(f"+{view.box.home_bonus}", cut.before(rect, coin), style, on=theme.PANEL)


def _is_done(view: View, seat: Seat) -> bool:
    if view.phase == Phase.SETUP:
        return view.sides[seat] != NO_SIDE and bool(view.tiles[seat])
    return view.phase in {Phase.MOVE, Phase.PRODUCE} and bool(view.done[seat])


def _check(canvas: Canvas, rect: Rect) -> None:
    points = [
        (rect.left + rect.width * x // 100, rect.top + rect.height * y // 100)
        for x, y in ((18, 52), (41, 74), (82, 26))
    ]
    pygame.draw.lines(canvas.surface, canvas.tone(theme.GOOD), False, points, max(3, rect.width // 8))


# --- Tiles ------------------------------------------------------------------------------------------------


def _row(canvas: Canvas, plan: PanelPlan, view: View, seat: Seat) -> None:
    _halves(canvas, plan)
    whole = scene_plan.panel_plan(canvas.rect.size, view, len(view.box.tiles)).cards
    for used in whole[len(plan.cards) :]:
        canvas.box(used, scene_signs.SHELF, max(3, used.width // 7))
    for number, card in zip(view.tiles[seat], plan.cards, strict=True):
        scene_signs.tile(canvas, card, view.box.tiles[number], plan.cap_px)
    scene_signs.frame(canvas, plan.cards[view.markers[seat]], max(2, plan.cap_px // 7))
    canvas.picture("marker", marker_place(plan, view.markers[seat]), theme.LIT, on=theme.PANEL)


def marker_place(plan: PanelPlan, tile: int) -> Rect:
    card = plan.cards[tile]
    size = min(plan.marker.height, card.width * 2)
    return cut.sized(size, size, midbottom=(card.centerx, max(plan.marker.bottom, card.top - plan.cap_px // 6)))


def _choice(canvas: Canvas, plan: PanelPlan, view: View) -> None:
    _halves(canvas, plan)
    style = Style(plan.cap_px, theme.LIT, bold=True)
    for number, card in enumerate(plan.cards, 1):
        scene_signs.tile(canvas, card, view.box.tiles[number - 1], plan.cap_px)
        above = Rect(card.left - 2, plan.marker.top, card.width + 4, plan.marker.height)
        widgets.number(canvas, above, number, style, on=theme.PANEL)


def _halves(canvas: Canvas, plan: PanelPlan) -> None:
    for sign, kind in zip(plan.signs, Products._fields, strict=True):
        size = min(sign.size)
        scene_signs.token(canvas, cut.sized(size, size, midleft=sign.midleft), kind, on=theme.PANEL)


# --- Goods ------------------------------------------------------------------------------------------------


def start_place(plan: PanelPlan) -> Rect:
    return cut.square_at(plan.below.center, min(plan.below.size))


def _goods(canvas: Canvas, plan: PanelPlan, view: View, seat: Seat) -> None:
    style = Style(plan.cap_px, bold=True)
    lab, low = plan.rows
    scene_signs.counted(canvas, lab, view.labs[seat]._asdict(), style)
    if view.phase == Phase.MOVE:
        _tray(canvas, plan, view, seat)
    else:
        canvas.box(low, scene_signs.SHELF, low.height // 4)
        scene_signs.counted(canvas, low, view.products[seat]._asdict(), style, on=scene_signs.SHELF)


def tray_places(plan: PanelPlan, most: int) -> list[Rect]:
    row = plan.rows[1]
    size = min(row.height, row.width // most)
    return [cut.square_at(share.center, size - 2) for share in cut.columns(row, most)]


def carried(view: View, seat: Seat) -> list[str]:
    return [kind for kind, count in view.loads[seat]._asdict().items() for _ in range(count)]


def _tray(canvas: Canvas, plan: PanelPlan, view: View, seat: Seat) -> None:
    row = plan.rows[1]
    canvas.box(row, scene_signs.SHELF, row.height // 4)
    tokens = carried(view, seat)
    for number, place in enumerate(tray_places(plan, view.box.load_limit)):
        if number < len(tokens):
            scene_signs.token(canvas, place, tokens[number], on=scene_signs.SHELF)
        else:
            thick = max(1, place.width // 14)
            canvas.disc(place.center, max(2, place.width // 6), theme.FAINT, thick)
