"""The layout of Böse Buben's centre, and the ground: grass, earth, mud and the start line.

A lane runs to the right, on a tall display upwards: number, mud (penalty zone), start line, track, finish.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil
from random import Random
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.display import cut, theme
from companion.display.theme import Colour
from companion.games.boese_buben.rules import View

GRASS: Final[Colour] = (0x28, 0x48, 0x22)
BLADES: Final[Colour] = (0x4A, 0x80, 0x38)
EARTH: Final[Colour] = (0x54, 0x3C, 0x27)
FURROW: Final[Colour] = (0x47, 0x31, 0x1F)
PEBBLE: Final[Colour] = (0x6E, 0x53, 0x39)
MUD: Final[Colour] = (0x2C, 0x1C, 0x12)
RIPPLE: Final[Colour] = (0x4A, 0x32, 0x20)
OUTLINE: Final[Colour] = (0x8C, 0x7A, 0x66)
SHED: Final[Colour] = (0x26, 0x1B, 0x13)
"""The finish, where prizes are paid."""

LABEL_CAPS, START_CAPS, HEAD_CAPS, STATUS_CAPS = 0.85, 0.42, 0.72, 2.6
"""Lengths in capitals of a lane's number, the start line, the row of place numbers, and the status."""

FINISH_CAPS: Final = (2.4, 3.3)
"""Minimum and maximum length of the finish, in capitals."""

LEAST_CAP_PART: Final = 11
"""Capitals are at least the centre's shorter side divided by this."""

FALLEN: Final = {1: 0.78, 2: 0.75}
"""Length of a card in the mud, as a share of one on the track, by rows in the mud."""

FALLEN_COUNTS: Final = 1.6
"""Factor by which cards on the track matter more than those in the mud."""

NARROW, WIDE = 0.72, 1.45
"""Minimum and maximum width of a card, as a share of its height."""

FINE: Final = 2
"""Enlargement of the ground before it is scaled down, for smooth edges."""


class Field(NamedTuple):
    """The layout of the lanes, in pixels: the offset of each part along a lane, and its thickness.

    Lanes of a `tall` field run upwards. `rows` is the number of rows in the mud.
    """

    left: int
    top: int
    width: int
    height: int
    tall: bool
    lanes: int
    head: int
    thick: int
    rows: int
    zone: int
    fallen: int
    start: int
    track: int
    card: int
    finish: int
    length: int
    fallen_most: int
    card_most: int

    @property
    def rect(self) -> Rect:
        return Rect(self.left, self.top, self.width, self.height)

    def part(self, along: float, across: float, length: float, width: float) -> Rect:
        """Return an area by offsets and sizes along and across the lanes."""
        x, y, long, wide = round(along), round(across), round(along + length), round(across + width)
        if self.tall:
            return Rect(self.left + y, self.top + self.height - long, wide - y, long - x)
        return Rect(self.left + x, self.top + y, long - x, wide - y)

    def of_lane(self, lane: int, along: float, length: float) -> Rect:
        """Return a part of a lane. Lanes and places count from 1."""
        return self.part(along, self.head + (lane - 1) * self.thick, length, self.thick)

    def label(self, lane: int) -> Rect:
        return self.of_lane(lane, 0, self.zone)

    def mud(self, lane: int) -> Rect:
        return self.of_lane(lane, self.zone, self.start - self.zone)

    def fallen_spot(self, lane: int, place: int) -> Rect:
        columns = ceil(self.fallen_most / self.rows)
        row, column = divmod(place - 1, columns)
        if self.tall:
            column, row = divmod(place - 1, self.rows)
        wide = self.thick // self.rows
        across = self.head + (lane - 1) * self.thick + row * wide
        return self.part(self.zone + column * self.fallen, across, self.fallen, wide)

    def track_spot(self, lane: int, place: int) -> Rect:
        return self.of_lane(lane, self.track + (place - 1) * self.card, self.card)

    def place_number(self, place: int) -> Rect:
        """Return the area of a place's number above the first lane."""
        return self.part(self.track + (place - 1) * self.card, 0, self.card, self.head)

    def fallen_number(self, place: int) -> Rect:
        """Return the same for the mud, if that has one row."""
        return self.part(self.zone + (place - 1) * self.fallen, 0, self.fallen, self.head)

    def end(self, lane: int) -> Rect:
        return self.of_lane(lane, self.finish, self.length - self.finish)


def like_a_card(room: Rect) -> Rect:
    """Return the largest card-shaped part of a room."""
    wide, high = min(room.width, round(room.height * WIDE)), min(room.height, round(room.width / NARROW))
    return cut.sized(wide, high, center=room.center)


def on_the_ground(spot: Rect) -> Rect:
    pad = max(6, min(spot.size) // 9)
    return like_a_card(spot.inflate(-pad, -pad))


def arranged(rect: Rect, view: View, cap_px: int) -> tuple[Rect, Field]:
    """Return the areas of the status and the lanes, with the more readable number of rows in the mud."""
    cap_px = max(cap_px, min(rect.size) // LEAST_CAP_PART)  # larger if there is much room
    thick = round(cap_px * STATUS_CAPS)
    gap = max(3, cap_px // 8)
    status, lanes = (cut.top if rect.height > rect.width else cut.right)(rect, thick, gap)
    fields = [_field(lanes, view, cap_px, rows) for rows in FALLEN]
    return status, max(fields, key=_readable)


def _field(rect: Rect, view: View, cap_px: int, rows: int) -> Field:
    box = view.box
    tall = rect.height > rect.width
    long, wide = (rect.height, rect.width) if tall else rect.size
    # Whole pixels, so that all cards are alike.
    head = round(cap_px * HEAD_CAPS) if view.rulings.variant == "action" else 0
    thick = (wide - head) // len(view.tracks) // rows * rows
    head += (wide - head - thick * len(view.tracks)) // 2
    least, most = FINISH_CAPS
    finish = thick * 1.1 if least < thick * 1.1 / cap_px < most else cap_px * least
    zone, line = round(cap_px * LABEL_CAPS), round(cap_px * START_CAPS)
    columns = ceil(box.penalty_limit / rows)
    card = int((long - zone - line - finish) / (box.track_limit + columns * FALLEN[rows]))
    fallen = int(card * FALLEN[rows])
    start = zone + columns * fallen
    track = start + line
    return Field(
        left=rect.left,
        top=rect.top,
        width=rect.width,
        height=rect.height,
        tall=tall,
        lanes=len(view.tracks),
        head=head,
        thick=thick,
        rows=rows,
        zone=zone,
        fallen=fallen,
        start=start,
        track=track,
        card=card,
        finish=track + box.track_limit * card,
        length=long,
        fallen_most=box.penalty_limit,
        card_most=box.track_limit,
    )


def _readable(field: Field) -> float:
    on_track = min(on_the_ground(field.track_spot(1, 1)).size)
    in_mud = min(on_the_ground(field.fallen_spot(1, 1)).size)
    return min(on_track, in_mud * FALLEN_COUNTS)


# --- The ground -------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def ground(field: Field, *, muddy: bool, strong: bool = False) -> pygame.Surface:
    """Return a cached field without cards. It is `muddy` until the match is over.

    In `strong` (high contrast) it is nearly black with outlined places.
    """
    plan = _enlarged(field)
    surface = pygame.Surface(plan.rect.size)
    surface.fill(theme.BACKGROUND)
    luck = Random(4)  # the same ground each time
    pygame.draw.rect(surface, GRASS, plan.rect, border_radius=min(plan.rect.size) // 24)
    size = _tuft_size(plan.rect)
    for spot in _scattered(plan.rect, luck, plan.rect.width * plan.rect.height // (size * size * 14)):
        _tuft(surface, spot, size)
    for lane in range(1, plan.lanes + 1):
        _lane(surface, plan, lane, luck, muddy=muddy)
    for verge in range(plan.lanes + 1):
        _verge(surface, plan, verge, luck)
    if strong:
        surface.fill((round(255 * theme.DIMMED),) * 3, special_flags=pygame.BLEND_RGB_MULT)
        for lane in range(1, plan.lanes + 1):
            _outlines(surface, plan, lane, muddy=muddy)
    return pygame.transform.smoothscale(surface, field.rect.size)


def _outlines(surface: pygame.Surface, plan: Field, lane: int, *, muddy: bool) -> None:
    _start_line(surface, _start(plan, lane))
    places = [on_the_ground(plan.track_spot(lane, place)) for place in range(1, plan.card_most + 1)]
    if muddy:
        places.append(plan.mud(lane).inflate(-plan.thick // 8, -plan.thick // 8))
    for place in places:
        radius = min(place.size) // 7
        pygame.draw.rect(surface, OUTLINE, place, 2 * FINE, border_radius=radius)


def _enlarged(field: Field) -> Field:
    lengths = ("width", "height", "head", "thick", "zone", "fallen", "start", "track", "card", "finish", "length")
    larger = {name: getattr(field, name) * FINE for name in lengths}
    return field._replace(left=0, top=0, **larger)


def _verge(surface: pygame.Surface, plan: Field, verge: int, luck: Random) -> None:
    size = _tuft_size(plan.rect)
    thick = max(2, round(plan.thick * 0.07))
    edge = plan.part(0, plan.head + verge * plan.thick - thick / 2, plan.length, thick)
    for spot in _scattered(edge, luck, round(plan.length) // (size * 2)):
        _tuft(surface, (spot[0], spot[1] + size // 2), size)


def _tuft_size(rect: Rect) -> int:
    return min(rect.size) // 50 + 3


def _tuft(surface: pygame.Surface, spot: tuple[int, int], size: int) -> None:
    x, y = spot
    for lean in (-0.5, 0, 0.5):
        pygame.draw.line(surface, BLADES, (x, y), (x + lean * size, y - size), max(2, size // 6))


def _lane(surface: pygame.Surface, plan: Field, lane: int, luck: Random, *, muddy: bool) -> None:
    gap = _gap(plan)
    across = plan.head + (lane - 1) * plan.thick
    whole = plan.of_lane(lane, 0, plan.length).inflate(-gap, -gap)
    pygame.draw.rect(surface, EARTH, whole, border_radius=round(plan.thick * 0.16))
    for share in (0.2, 0.5, 0.8):
        furrow = plan.part(
            plan.zone, across + share * plan.thick, plan.finish - plan.zone, max(2, plan.thick * 0.025)
        )
        pygame.draw.rect(surface, FURROW, furrow)
    for pebble in _scattered(whole, luck, round(plan.length / plan.thick * 3)):
        pygame.draw.circle(surface, PEBBLE, pebble, 2 + luck.randrange(max(2, round(plan.thick * 0.03))))
    if muddy:
        _puddle(surface, plan, lane, luck)
    for place in range(1, plan.card_most + 1):
        spot = on_the_ground(plan.track_spot(lane, place))
        radius = max(4, min(spot.size) // 7)
        pygame.draw.rect(surface, FURROW, spot, border_radius=radius)
        pygame.draw.rect(surface, PEBBLE, spot, max(2, min(spot.size) // 40), border_radius=radius)
    _start_line(surface, _start(plan, lane))
    shed = plan.end(lane).inflate(-gap * 2, -gap * 2)
    pygame.draw.rect(surface, SHED, shed, border_radius=round(plan.thick * 0.14))


def _start(plan: Field, lane: int) -> Rect:
    gap = _gap(plan)
    across = plan.head + (lane - 1) * plan.thick + gap / 2
    return plan.part(plan.start, across, plan.track - plan.start - FINE, plan.thick - gap)


def _gap(plan: Field) -> int:
    return max(4, round(plan.thick * 0.09))


def _scattered(rect: Rect, luck: Random, count: int) -> Iterator[tuple[int, int]]:
    for _ in range(count):
        yield rect.left + luck.randrange(rect.width), rect.top + luck.randrange(rect.height)


def _puddle(surface: pygame.Surface, plan: Field, lane: int, luck: Random) -> None:
    pad = round(plan.thick * 0.11)
    pool = plan.mud(lane).inflate(-pad, -pad)
    for colour, grown in ((RIPPLE, round(plan.thick * 0.035)), (MUD, 0)):
        whole = pool.inflate(2 * grown, 2 * grown)
        pygame.draw.rect(surface, colour, whole, border_radius=min(whole.size) // 3)
        rim = Random(lane)
        for x, y, radius in _bulges(pool, rim):
            pygame.draw.circle(surface, colour, (x, y), radius + grown)
    for place in range(1, plan.fallen_most + 1):
        spot = on_the_ground(plan.fallen_spot(lane, place))
        centre = (spot.centerx + luck.randrange(-4, 5), spot.centery)
        wide = cut.sized(round(spot.width * 0.66), round(spot.height * 0.24), center=centre)
        pygame.draw.ellipse(surface, RIPPLE, wide, max(2, wide.height // 7))


def _bulges(pool: Rect, luck: Random) -> Iterator[tuple[int, int, int]]:
    thick = min(pool.size)
    along = pool.width >= pool.height
    length = pool.width if along else pool.height
    for step in range(thick // 3, length - thick // 4, max(1, thick // 3)):
        for far in (False, True):
            radius = round(thick * (0.08 + 0.09 * luck.random()))
            if along:
                yield pool.left + step, pool.bottom - radius // 2 if far else pool.top + radius // 2, radius
            else:
                yield pool.right - radius // 2 if far else pool.left + radius // 2, pool.top + step, radius


def _start_line(surface: pygame.Surface, rect: Rect) -> None:
    short = min(rect.size) / 2
    columns, rows = max(1, round(rect.width / short)), max(1, round(rect.height / short))
    for row, line in enumerate(cut.shares(rect, (1,) * rows, upright=True)):
        for column, cell in enumerate(cut.shares(line, (1,) * columns)):
            pygame.draw.rect(surface, theme.PAPER if (column + row) % 2 else theme.LINE, cell)
