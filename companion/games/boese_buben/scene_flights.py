"""Böse Buben's animations."""

from collections.abc import Iterator
from typing import NamedTuple

import pygame
from pygame import Rect

from companion.core.move import Seat, by_seat
from companion.display import motion, theme
from companion.display.canvas import piece
from companion.display.frame import Look
from companion.display.layout import BOTTOM, LEFT, RIGHT, Layout
from companion.display.motion import Flight, Point
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import NOBODY, Card, owner
from companion.games.boese_buben.scene_cards import CardLook, card_picture, face_of, is_compact
from companion.games.boese_buben.scene_field import Field, arranged, on_the_ground

SECOND, THIRD = 0.25, 0.4
"""Start times of pieces that follow others, as shares of the whole time."""


class _Places(NamedTuple):
    plan: Layout
    view: View
    look: Look
    status: Rect
    field: Field

    def cards(self) -> dict[Card, Rect]:
        found = {}
        for lane in range(1, self.field.lanes + 1):
            for place, card in enumerate(self.view.zones[lane - 1], 1):
                found[card] = on_the_ground(self.field.fallen_spot(lane, place))
            for place, card in enumerate(self.view.tracks[lane - 1], 1):
                found[card] = on_the_ground(self.field.track_spot(lane, place))
        return found

    def drawn(self, card: Card, rect: Rect) -> pygame.Surface:
        on_track = any(card in track for track in self.view.tracks)
        compact = is_compact(rect, self.plan.cap_px, on_track=on_track)
        face, strong = face_of(self.view, card), self.look.high_contrast
        return card_picture(rect.size, face, CardLook.PLAIN, compact=compact, strong=strong).surface

    def piece(self, name: str, colour: theme.Colour) -> pygame.Surface:
        return piece(name, colour, self.plan.cap_px, self.look)

    @property
    def out(self) -> Point:
        size = min(self.status.size)
        end = Rect(self.status.right - size, self.status.bottom - size // 2, size, size // 2)
        return self.plan.spot(end)

    def edge(self, seat: Seat) -> Point:
        rect, turn = self.plan.strips[seat]
        if turn in {LEFT, RIGHT}:
            return (rect.right if turn == LEFT else rect.left), rect.centery
        return rect.centerx, (rect.top if turn == BOTTOM else rect.bottom)


def flights_between(plan: Layout, before: View, after: View, look: Look) -> tuple[Flight, ...]:
    """Return the pieces that move from one view to the next; () between two matches."""
    if (len(before.counts), before.rulings, before.box) != (len(after.counts), after.rulings, after.box):
        return ()
    old, new = (_Places(plan, view, look, *arranged(plan.upright, view, plan.cap_px)) for view in (before, after))
    makers = (_arriving, _moving, _hats, _ducats, _leaving)
    return motion.shown((flight for make in makers for flight in make(plan, old, new)), plan.turn)


def _arriving(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    was = old.cards()
    for card, end in new.cards().items():
        if card not in was:
            yield Flight(new.drawn(card, end), new.edge(owner(card)), plan.spot(end), plan.cap_px)


def _moving(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    now = new.cards()
    for card, start in old.cards().items():
        end = now.get(card, start)
        if end != start:
            lift_px = plan.cap_px if start.size != end.size else 0
            yield Flight(new.drawn(card, end), plan.spot(start), plan.spot(end), lift_px, SECOND)


def _leaving(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    now = new.cards()
    for card, start in old.cards().items():
        if card not in now:
            taken = new.view.counts[owner(card)] > old.view.counts[owner(card)]
            end = new.edge(owner(card)) if taken else new.out
            yield Flight(old.drawn(card, start), plan.spot(start), end, plan.cap_px)


def _hats(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    changes = [now - was for was, now in zip(old.view.mc, new.view.mc, strict=True)]
    givers = [seat for seat, change in by_seat(changes) if change < 0]
    for seat, change in by_seat(changes):
        if change > 0:
            start = new.edge(givers[0]) if givers else plan.spot(new.field.rect)
            yield Flight(new.piece("hat", theme.PAPER), start, new.edge(seat), plan.cap_px, SECOND)


def _ducats(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    """Yield a ducat from each newly scored lane to its winner; nothing for an undo."""
    before, after = old.view, new.view
    paid = after.phase in {Phase.BRIBERY, Phase.OVER} or after.race == before.race + 1
    if not paid or before.phase not in {Phase.TURN, Phase.ACTION, Phase.MC} or after.race < before.race:
        return
    for lane, (winner, _) in enumerate(after.results, 1):
        if winner != NOBODY:
            start = plan.spot(new.field.end(lane))
            yield Flight(new.piece("ducat", theme.LIT), start, new.edge(winner), plan.cap_px, THIRD)
