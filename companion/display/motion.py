"""Moves pieces from one picture to the next. Nothing waits for them."""

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import pygame
from pygame import Rect

Point = tuple[int, int]

TIME_NS: Final = 450_000_000  # how long pieces move

SHAKE_NS: Final = 2_000_000_000  # how long a piece trembles, at most

LATEST: Final = 0.75  # latest start of a piece, as a share of the time

MOST: Final = 10  # pieces at once; nobody could follow more

_SHAKES_HZ: Final = 11


class Flight(NamedTuple):
    """A moving piece. `start` and `end` are its middle, in pixels of the display.

    `lift_px` is the height of its path. `begins` is its start as a share of the whole time. With `shake_px` it
    trembles in place.
    """

    picture: pygame.Surface
    start: Point
    end: Point
    lift_px: int = 0
    begins: float = 0.0
    shake_px: int = 0


class Motion(NamedTuple):
    """Pieces that move between two pictures of the same size. The last one lands after `time_ns`.

    Until a piece lands, its destination in `room` shows the old picture. Elsewhere strips may have changed colour,
    and old pixels would be spots.
    """

    before: pygame.Surface
    after: pygame.Surface
    flights: Sequence[Flight]
    begin_ns: int
    room: Rect
    time_ns: int = TIME_NS

    def draw(self, surface: pygame.Surface, now_ns: int) -> bool:
        """Draw the moment. Return False at the end, when the new picture is complete."""
        gone_ns = now_ns - self.begin_ns
        surface.blit(self.after, (0, 0))
        ways = [(flight, self._way(flight, gone_ns)) for flight in self.flights]
        going = [(one, way) for one, way in ways if (gone_ns < SHAKE_NS if one.shake_px else way < 1)]
        for flight, _ in going:
            if not flight.shake_px:
                landing = flight.picture.get_rect(center=flight.end).clip(self.room)
                surface.blit(self.before, landing, landing)
        for flight, way in going:
            middle = _trembling(flight, gone_ns) if flight.shake_px else _on_the_way(flight, way)
            surface.blit(flight.picture, flight.picture.get_rect(center=middle))
        return bool(going)

    def _way(self, flight: Flight, gone_ns: int) -> float:
        """Return how much of a piece's path is behind it: fast at first, then slower."""
        each = 1 - max(_begins(one) for one in self.flights)
        done = min(1.0, max(0.0, (gone_ns / self.time_ns - _begins(flight)) / each))
        return 1 - (1 - done) ** 3


def shown(flights: Iterable[Flight], turn: int) -> tuple[Flight, ...]:
    """Return the first MOST flights, with pictures turned like the centre."""
    return tuple(
        flight._replace(picture=pygame.transform.rotate(flight.picture, 90 * turn))
        for flight in islice(flights, MOST)
    )


def _begins(flight: Flight) -> float:
    return min(flight.begins, LATEST)


def _on_the_way(flight: Flight, way: float) -> Point:
    across, down = (start + (end - start) * way for start, end in zip(flight.start, flight.end, strict=True))
    return round(across), round(down - flight.lift_px * math.sin(math.pi * way))


def _trembling(flight: Flight, gone_ns: int) -> Point:
    turn = math.tau * _SHAKES_HZ * gone_ns / 1e9
    # With the same rhythm in both directions, the piece would slide along a line.
    return (
        flight.start[0] + round(flight.shake_px * math.sin(turn)),
        flight.start[1] + round(flight.shake_px * math.sin(1.7 * turn)),
    )
