"""Böse Buben's flights: what moved on the ground between two pictures, found by comparing what lies where.

A card comes from its owner's side, falls into the mud, changes its place, goes back to its owner or out of the
game; ducats go from the lanes to the winners, a top hat to the master of ceremonies.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.move import Seat, by_seat
from companion.display import theme
from companion.display.canvas import piece
from companion.display.frame import Look
from companion.display.layout import BOTTOM, LEFT, RIGHT, Layout
from companion.display.motion import Flight, Point
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import NOBODY, Card, owner
from companion.games.boese_buben.scene_cards import CardLook, card_picture, face_of, is_compact
from companion.games.boese_buben.scene_field import Field, arranged, on_the_ground

MOST: Final = 10
"""So many pieces fly at most."""

SECOND, THIRD = 0.25, 0.4
"""When pieces start that move because of the first, as shares of the whole time."""


class _Places(NamedTuple):
    """Where everything is on one picture of the centre, and its look."""

    view: View
    look: Look
    status: Rect
    field: Field

    def cards(self) -> dict[Card, Rect]:
        """Return where every card lies that everybody sees."""
        found = {}
        for lane in range(1, self.field.lanes + 1):
            for place, card in enumerate(self.view.zones[lane - 1], 1):
                found[card] = on_the_ground(self.field.fallen_spot(lane, place))
            for place, card in enumerate(self.view.tracks[lane - 1], 1):
                found[card] = on_the_ground(self.field.track_spot(lane, place))
        return found


def flights_between(plan: Layout, before: View, after: View, look: Look) -> tuple[Flight, ...]:
    """Return the pieces that move from one view of a match to the next, in a look; none between two matches."""
    if (len(before.counts), before.rulings, before.box) != (len(after.counts), after.rulings, after.box):
        return ()
    old, new = (_Places(view, look, *arranged(plan.upright, view, plan.cap_px)) for view in (before, after))
    makers = (_arriving, _moving, _hats, _ducats, _leaving)
    return tuple(flight for make in makers for flight in make(plan, old, new))[:MOST]


def _arriving(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    """A card that is played comes from its owner's side."""
    was = old.cards()
    for card, end in new.cards().items():
        if card not in was:
            yield Flight(_card(plan, new, card, end), _edge(plan, owner(card)), _spot(plan, end), plan.cap_px)


def _moving(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    """A card is pushed on, jumps into the mud, or changes places; after the one that caused it."""
    now = new.cards()
    for card, start in old.cards().items():
        end = now.get(card, start)
        if end != start:
            lift_px = plan.cap_px if start.size != end.size else 0
            picture = _card(plan, new, card, end)
            yield Flight(picture, _spot(plan, start), _spot(plan, end), lift_px, SECOND)


def _leaving(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    """A card goes back to its owner, or out of the game."""
    now = new.cards()
    for card, start in old.cards().items():
        if card not in now:
            taken = new.view.counts[owner(card)] > old.view.counts[owner(card)]
            end = _edge(plan, owner(card)) if taken else _spot(plan, _out(new.status))
            yield Flight(_card(plan, old, card, start), _spot(plan, start), end, plan.cap_px)


def _hats(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    """A top hat comes from the middle, or from the seat that loses one."""
    changes = [now - was for was, now in zip(old.view.mc, new.view.mc, strict=True)]
    givers = [seat for seat, change in by_seat(changes) if change < 0]
    for seat, change in by_seat(changes):
        if change > 0:
            start = _edge(plan, givers[0]) if givers else _spot(plan, new.field.rect)
            yield Flight(_piece(plan, "hat", theme.PAPER, new.look), start, _edge(plan, seat), plan.cap_px, SECOND)


def _ducats(plan: Layout, old: _Places, new: _Places) -> Iterator[Flight]:
    """Each lane that has just been scored pays its winner."""
    if not _scored(old.view, new.view):
        return
    for lane, (winner, _) in enumerate(new.view.results, 1):
        if winner != NOBODY:
            start = _spot(plan, new.field.end(lane))
            yield Flight(_piece(plan, "ducat", theme.LIT, new.look), start, _edge(plan, winner), plan.cap_px, THIRD)


def _scored(before: View, after: View) -> bool:
    """Tell whether a race was scored between two views, which undo does not do."""
    paid = after.phase in {Phase.BRIBERY, Phase.OVER} or after.race == before.race + 1
    return paid and before.phase in {Phase.TURN, Phase.ACTION, Phase.MC} and after.race >= before.race


def _card(plan: Layout, places: _Places, card: Card, rect: Rect) -> pygame.Surface:
    """Return the picture of a card as it lies at `rect`."""
    view, strong = places.view, places.look.high_contrast
    on_track = any(card in track for track in view.tracks)
    compact = is_compact(rect, plan.cap_px, on_track=on_track)
    drawn = card_picture(rect.size, face_of(view, card), CardLook.PLAIN, compact=compact, strong=strong)
    return _turned(plan, drawn.surface)


def _piece(plan: Layout, name: str, colour: theme.Colour, look: Look) -> pygame.Surface:
    return _turned(plan, piece(name, colour, plan.cap_px, look))


def _turned(plan: Layout, picture: pygame.Surface) -> pygame.Surface:
    return pygame.transform.rotate(picture, 90 * plan.turn) if plan.turn else picture


def _out(status: Rect) -> Rect:
    """Return where the cards are that have left the game: the end of the status."""
    size = min(status.size)
    return Rect(status.right - size, status.bottom - size // 2, size, size // 2)


def _spot(plan: Layout, rect: Rect) -> Point:
    """Return the middle of what is drawn at `rect`, on the display: the centre may be turned."""
    return plan.on_display(rect).center


def _edge(plan: Layout, seat: Seat) -> Point:
    """Return the middle of a seat's strip, where it meets the centre."""
    rect, turn = plan.strips[seat]
    if turn in {LEFT, RIGHT}:
        return (rect.right if turn == LEFT else rect.left), rect.centery
    return rect.centerx, (rect.top if turn == BOTTOM else rect.bottom)
