"""Dé et Boulanger's animations: bakers, tokens, dice, tiles and money."""

from collections.abc import Iterator
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import Seat, by_seat, each_seat
from companion.display import motion, theme
from companion.display.canvas import piece, turned_rect
from companion.display.frame import Look
from companion.display.layout import Layout
from companion.display.motion import Flight, Point
from companion.games.de_et_boulanger import scene_panel, scene_plan, scene_signs, scene_stage
from companion.games.de_et_boulanger.rules import View
from companion.games.de_et_boulanger.rules.components import Phase
from companion.games.de_et_boulanger.rules.goods import Goods, Products
from companion.games.de_et_boulanger.scene_plan import PanelPlan

COINS_MOST: Final = 5
"""Maximum number of flying coins, one for each COIN_SOUS."""

COIN_SOUS: Final = 10

STEP: Final = 0.08
"""Delay between pieces, as a share of the whole time."""

DIE: Final = 0.3
"""Size of a rolling die, as a share of the board."""


class _Picture:
    def __init__(self, plan: Layout, view: View, look: Look) -> None:
        self._plan = plan
        self._parts = scene_plan.plan_of(plan, len(view.cash))
        self._ground = scene_plan.ground_of(self._parts.board, view.box.board)
        self.view = view
        self.look = look
        self.cell_px = self._ground.cell_px
        self.die_px = round(self._parts.board.width * DIE)
        self.middle = plan.spot(self._parts.board)
        self.shows_board = scene_plan.shows_board(view)

    def panel(self, seat: Seat) -> PanelPlan:
        count = len(self.view.tiles[seat] or self.view.box.tiles)
        return scene_plan.panel_plan(self._parts.panels[seat].size, self.view, count)

    def in_panel(self, seat: Seat, rect: Rect) -> Point:
        panel = self._parts.panels[seat]
        inner = turned_rect(rect, panel.size, self._parts.turns[seat]).move(panel.topleft)
        return self._plan.spot(inner)

    def baker(self, seat: Seat) -> Point:
        """Return a baker's position, in the panel while the board is hidden."""
        place = scene_plan.stand(self._ground, self.view, seat) if self.shows_board else None
        if place is None:
            return self.in_panel(seat, scene_panel.head_places(self.panel(seat))[0])
        return self._plan.spot(place)

    def on_stage(self, place: int) -> tuple[pygame.Surface, Point]:
        """Return a tile of the seller's row on the stage, and its position."""
        card, cap_px = scene_stage.used_card(self._parts.board, self._plan.cap_px, self.view, place)
        limits = self.view.box.tiles[self.view.tiles[self.view.turn][place]]
        picture = scene_signs.tile_surface(card.size, limits, cap_px, self.look)
        return picture, self._plan.spot(card)

    def cash(self, seat: Seat) -> Point:
        rect, turn = self._plan.strips[seat]
        cap = self._plan.cap_px
        size = rect.size if turn % 2 == 0 else rect.size[::-1]
        coin = Rect(size[0] - 2 * cap, cap // 4, cap, cap)
        return turned_rect(coin, size, turn).move(rect.topleft).center

    def lab(self, seat: Seat) -> dict[str, Rect]:
        return self._signs(seat, 0, self.view.labs[seat]._asdict())

    def products(self, seat: Seat) -> dict[str, Rect]:
        return self._signs(seat, 1, self.view.products[seat]._asdict())

    def _signs(self, seat: Seat, row: int, counts: dict[str, int]) -> dict[str, Rect]:
        plan = self.panel(seat)
        return {kind: sign for kind, (sign, _) in scene_signs.signs(plan.rows[row], counts, plan.cap_px).items()}

    def token(self, kind: str, size_px: int) -> pygame.Surface:
        return scene_signs.token_surface(kind, size_px, self.look)

    def tray(self, seat: Seat, kind: str) -> list[Rect]:
        tokens = scene_panel.carried(self.view, seat)
        places = scene_panel.tray_places(self.panel(seat), self.view.box.load_limit) if tokens else ()
        return [place for place, token in zip(places, tokens, strict=False) if token == kind]


def flights(plan: Layout, before: View, after: View, look: Look) -> tuple[Flight, ...]:
    """Return the pieces that move from one view to the next; () between two matches."""
    if before.box != after.box or len(before.cash) != len(after.cash) or before.round > after.round:
        return ()
    old, new = _Picture(plan, before, look), _Picture(plan, after, look)
    return motion.shown(_all(old, new), plan.turn)


def _all(old: _Picture, new: _Picture) -> Iterator[Flight]:
    yield from _dice(old, new)
    for seat in each_seat(len(new.view.cash)):
        if new.shows_board and old.shows_board and old.view.places[seat] != new.view.places[seat]:
            picture = scene_signs.baker_surface(seat, new.cell_px, new.look)
            yield Flight(picture, old.baker(seat), new.baker(seat), lift_px=new.cell_px // 3)
        yield from _tokens(old, new, seat)
        yield from _sous(old, new, seat)
        yield from _baked(old, new, seat)
        if new.view.tiles[seat] and len(new.view.tiles[seat]) == len(old.view.tiles[seat]) - 1:
            yield from _sold(old, new, seat)


def _dice(old: _Picture, new: _Picture) -> Iterator[Flight]:
    if new.view.die and not old.view.die:
        picture = piece(f"die_{new.view.die}", theme.PAPER, new.die_px, new.look)
        yield Flight(picture, new.middle, new.middle, shake_px=new.die_px // 12)
    for seat, (was, roll) in by_seat(zip(old.view.rolls, new.view.rolls, strict=True)):
        if was == 0 < roll and new.view.phase == Phase.START:
            place = scene_panel.start_place(new.panel(seat))
            at = new.in_panel(seat, place)
            picture = piece(f"die_{roll}", theme.PAPER, place.width, new.look)
            yield Flight(picture, at, at, shake_px=place.width // 12)


def _tokens(old: _Picture, new: _Picture, seat: Seat) -> Iterator[Flight]:
    for kind in Goods._fields:
        was, now = (getattr(view.loads[seat], kind) for view in (old.view, new.view))
        size = new.panel(seat).token_px
        picture = new.token(kind, size)
        for number, place in enumerate(new.tray(seat, kind)[was:] if now > was else ()):
            start = new.baker(seat) if new.shows_board else new.middle
            yield Flight(picture, start, new.in_panel(seat, place), lift_px=size, begins=STEP * number)
        for number, place in enumerate(old.tray(seat, kind)[now:] if now < was else ()):
            end = new.in_panel(seat, new.lab(seat)[kind])
            yield Flight(picture, old.in_panel(seat, place), end, lift_px=size, begins=STEP * number)


def _sous(old: _Picture, new: _Picture, seat: Seat) -> Iterator[Flight]:
    was, now = old.view.loads[seat].sous, new.view.loads[seat].sous
    paid = new.view.cash[seat] - old.view.cash[seat]
    picture = new.token("sous", new.panel(seat).token_px)
    for number, place in enumerate(new.tray(seat, "sous")[was:]):
        yield Flight(picture, new.cash(seat), new.in_panel(seat, place), begins=STEP * number)
    for number, place in enumerate(old.tray(seat, "sous")[now:]):
        end = new.cash(seat) if paid > 0 else new.baker(seat) if new.shows_board else new.middle
        yield Flight(picture, old.in_panel(seat, place), end, begins=STEP * number)
    if old.view.phase == Phase.MOVE and paid > max(0, was - now):
        yield Flight(picture, new.in_panel(seat, scene_panel.head_places(new.panel(seat))[0]), new.cash(seat))


def _baked(old: _Picture, new: _Picture, seat: Seat) -> Iterator[Flight]:
    if new.view.phase != Phase.PRODUCE:
        return
    for kind, place in new.products(seat).items():
        if getattr(new.view.products[seat], kind) > getattr(old.view.products[seat], kind):
            start = new.in_panel(seat, new.lab(seat)["flour"])
            yield Flight(new.token(kind, place.width), start, new.in_panel(seat, place))


def _sold(old: _Picture, new: _Picture, seat: Seat) -> Iterator[Flight]:
    row = old.view.tiles[seat]
    used = next(place for place, tile in enumerate(row) if tile not in new.view.tiles[seat])
    limits, plan, purse = old.view.box.tiles[row[used]], old.panel(seat), new.cash(seat)
    tile, start = old.on_stage(used)
    yield Flight(tile, start, purse, begins=2 * STEP)
    ways = [scene_panel.marker_place(shown.panel(seat), shown.view.markers[seat]) for shown in (old, new)]
    tag = piece("marker", theme.LIT, ways[0].width, new.look)
    yield Flight(tag, old.in_panel(seat, ways[0]), new.in_panel(seat, ways[1]), lift_px=ways[0].width)
    paid = new.view.cash[seat] - old.view.cash[seat]
    coin = new.token("sous", 2 * plan.token_px)
    for number in range(min(COINS_MOST, -(-abs(paid) // COIN_SOUS))):
        way = (start, purse) if paid > 0 else (purse, new.middle)
        yield Flight(coin, *way, lift_px=plan.token_px, begins=STEP * (number + 1))
    sold = limits or (0,) * len(Products._fields)
    for kind, baked, most in zip(Products._fields, old.view.products[seat], sold, strict=True):
        if baked > most:
            place = old.products(seat)[kind]
            at = old.in_panel(seat, place)
            yield Flight(new.token(kind, place.width), at, at, shake_px=max(1, place.width // 8))
