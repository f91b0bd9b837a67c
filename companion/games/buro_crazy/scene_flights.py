"""Moving pieces: figures climb, cards fly, padlocks tremble."""

from collections.abc import Iterator
from typing import Final

import pygame
from pygame import Rect

from companion.display import motion, theme
from companion.display.canvas import Canvas, transparent
from companion.display.frame import Beat, Look, Play
from companion.display.layout import Layout
from companion.display.motion import Flight, Point
from companion.games.buro_crazy import scene_duel, scene_end, scene_house
from companion.games.buro_crazy import scene_pieces as pieces
from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.building import BOSS, EMPTY, STAIRS, owners
from companion.games.buro_crazy.rules.components import Phase, Result, by_cards
from companion.games.buro_crazy.scene_plan import Plan, plan_of

CARDS: Final = 3
"""Maximum flying cards of a bid."""

SHAKE: Final = 0.04
"""How far a padlock trembles, as a share of its size."""


def flights(layout: Layout, before: Play[View], after: Play[View], look: Look) -> tuple[Flight, ...]:
    old = before.before if before.beat == Beat.REVEALED and before.before is not None else before.view
    new = after.view
    if (before.scene, old.box, old.seats) != (after.scene, new.box, new.seats) or after.beat == Beat.REVEALED:
        return ()
    plan = plan_of(layout.upright, layout.cap_px, large=layout.large)
    if old.phase == Phase.SETUP and before.house and before.house.keyed:
        return ()  # the figures were already drawn there
    found = _trembling(plan, new, look) if after.beat == Beat.DRUM else _moving(plan, old, new, layout.cap_px, look)

    def at(point: Point) -> Point:
        return layout.spot(Rect(point, (0, 0)))

    moved = (flight._replace(start=at(flight.start), end=at(flight.end)) for flight in found)
    return motion.shown(moved, layout.turn)


def _moving(plan: Plan, old: View, new: View, cap_px: int, look: Look) -> Iterator[Flight]:
    if old.phase == Phase.SETUP:
        yield from _placed(plan, new, look)
        return
    if (old.step, old.attempt, old.zeros) >= (new.step, new.attempt, new.zeros) and not new.outcome:
        return  # nothing happened, or it was undone
    yield from _climbing(plan, old, new, look)
    last = new.last
    if last and old.phase == Phase.BID and last != old.last:
        yield from _given(plan, new, last, cap_px, look)
        yield from _to_the_roof(plan, new, last, look)
    if new.outcome and new.dealt and not old.outcome:
        yield from _dealt(plan, new, look)


def _trembling(plan: Plan, view: View, look: Look) -> Iterator[Flight]:
    """Yield trembling padlocks on pieces of sky, which hide the still ones."""
    for side in range(len(view.duel)):
        place = scene_duel.padlock_of(plan, view, side)
        shake_px = max(1, round(place.width * SHAKE))
        canvas = Canvas(pygame.Surface(place.inflate(2 * shake_px, 2 * shake_px).size), look=look)
        canvas.fill(scene_house.SKY)
        canvas.picture("padlock_closed", canvas.rect.inflate(-2 * shake_px, -2 * shake_px), theme.LIT)
        yield Flight(canvas.surface, place.center, place.center, shake_px=shake_px)


def _placed(plan: Plan, view: View, look: Look) -> Iterator[Flight]:
    for pair in range(STAIRS // 2):
        spaces = [space for space in (2 * pair, 2 * pair + 1) if view.board[space] != EMPTY]
        if not spaces:
            continue
        spots = [plan.spot(space) for space in spaces]
        area = spots[0].unionall(spots)
        canvas = transparent(area.size, look)
        for space, spot in zip(spaces, spots, strict=True):
            pieces.figure(canvas, spot.move(-area.left, -area.top), view, view.board[space])
        yield Flight(canvas.surface, plan.sides[0].center, area.center, begins=pair * 0.05)


def _climbing(plan: Plan, old: View, new: View, look: Look) -> Iterator[Flight]:
    for space in range(STAIRS, BOSS + 1):
        seat = new.board[space]
        if seat == EMPTY or old.board[space] != EMPTY:
            continue
        start, end = plan.spot(_came_from(old, new, space)), plan.spot(space)
        ink, mark = pieces.inks(new)[seat]
        picture = pieces.figure_surface(ink, mark, end.width, strong=look.high_contrast)
        yield Flight(picture, start.center, end.center, lift_px=end.height // 2)


def _came_from(old: View, new: View, space: int) -> int:
    """Return where a figure came from, possibly several floors below."""
    below = (2 * (space - STAIRS), 2 * (space - STAIRS) + 1)
    for step in below:
        if old.board[step] == new.board[space] and new.board[step] == EMPTY:
            return step
    empty = [step for step in below if new.board[step] == EMPTY and step >= STAIRS]
    return _came_from(old, new, empty[0]) if empty and space > STAIRS else below[0]


def _to_the_roof(plan: Plan, view: View, last: Result, look: Look) -> Iterator[Flight]:
    picture = pieces.back_surface(round(plan.roof.height * 0.7), look)
    for side, loss in enumerate(last.losses):
        cards = sum(last.bids[side]) if by_cards(view.rulings) else loss
        for number in range(min(CARDS, cards) if loss else 0):
            start = plan.sides[side].center
            yield Flight(picture, start, plan.roof.center, plan.roof.height // 2, begins=0.12 * number)


def _given(plan: Plan, view: View, last: Result, cap_px: int, look: Look) -> Iterator[Flight]:
    if not last.gain or last.winner not in last.seats:
        return
    side = 1 - last.seats.index(last.winner)
    start, end = plan.kitchen.center, plan.sides[side].midbottom
    wide_px = pieces.least_card_px(cap_px)
    if by_cards(view.rulings):
        paid = [value for value, count in zip(view.values, last.paid, strict=True) if count]
        pictures = [pieces.face_surface(value, wide_px, cap_px, look) for value in reversed(paid)]
    else:
        pictures = [pieces.back_surface(round(wide_px * 1.4), look)]
    for number, picture in enumerate(pictures):
        x_px = end[0] + round(wide_px * (number - (len(pictures) - 1) / 2))
        place = (x_px, end[1] - picture.get_height() // 2)
        yield Flight(picture, start, place, picture.get_height() // 2, begins=0.08 * number)


def _dealt(plan: Plan, view: View, look: Look) -> Iterator[Flight]:
    assert view.outcome is not None
    order = [seat for tied in view.outcome.ranking for seat in tied]
    lines = scene_end.lines_of(plan, len(order))
    picture = pieces.back_surface(round(plan.roof.height * 0.8), look)
    piles = [seat for seat, count in owners(view.board, view.box.shares) for _ in range(count)]
    for number, seat in enumerate(piles):
        line = lines[order.index(seat)]
        yield Flight(picture, plan.roof.center, line.center, plan.roof.height // 2, begins=0.06 * number)
