"""Pieces that move from one picture to the next, over what stands still; nothing waits for them."""

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import pygame
from pygame import Rect

Point = tuple[int, int]

TIME_NS: Final = 450_000_000
"""How long pieces move: long enough to be followed, too short to be waited for."""

SHAKE_NS: Final = 2_000_000_000
"""How long a piece trembles at most."""

LATEST: Final = 0.75
"""What begins later still begins then: a piece must be seen to move."""

MOST: Final = 10
"""The most pieces that move at once: nobody could follow more."""

_SHAKES_HZ: Final = 11


class Flight(NamedTuple):
    """A piece that moves: its picture, and where its middle goes from and to, in the pixels of the display.

    `lift_px` raises its way in the middle, `begins` is the share of the whole time after which it starts, and with
    `shake_px` it trembles so far instead of going anywhere.
    """

    picture: pygame.Surface
    start: Point
    end: Point
    lift_px: int = 0
    begins: float = 0.0
    shake_px: int = 0


class Motion(NamedTuple):
    """What moves between two pictures of one size, from `begin_ns` on.

    All pieces move equally long, `time_ns`, and the last of them lands at the end of the time. In its `room` a
    piece is not seen where it goes before it is there; beyond it, on a strip that has changed its colour, old
    pixels are spots.
    """

    before: pygame.Surface
    after: pygame.Surface
    flights: Sequence[Flight]
    begin_ns: int
    room: Rect
    time_ns: int = TIME_NS

    def draw(self, surface: pygame.Surface, now_ns: int) -> bool:
        """Draw the moment; return False when it is the last one, which is the new picture and nothing else."""
        gone_ns = now_ns - self.begin_ns
        surface.blit(self.after, (0, 0))
        going = [(flight, self._way(flight, gone_ns)) for flight in self.flights if self._moves(flight, gone_ns)]
        for flight, _ in going:
            if not flight.shake_px:
                landing = flight.picture.get_rect(center=flight.end).clip(self.room)
                surface.blit(self.before, landing, landing)
        for flight, way in going:
            middle = _trembling(flight, gone_ns) if flight.shake_px else _on_the_way(flight, way)
            surface.blit(flight.picture, flight.picture.get_rect(center=middle))
        return bool(going)

    def _moves(self, flight: Flight, gone_ns: int) -> bool:
        return gone_ns < SHAKE_NS if flight.shake_px else self._way(flight, gone_ns) < 1

    def _way(self, flight: Flight, gone_ns: int) -> float:
        """Return how much of its way a piece has gone, from 0 to 1: fast at first, then slower."""
        each = 1 - max(_begins(one) for one in self.flights)
        done = min(1.0, max(0.0, (gone_ns / self.time_ns - _begins(flight)) / each))
        return 1 - (1 - done) ** 3


def shown(flights: Iterable[Flight], turn: int) -> tuple[Flight, ...]:
    """Return the first MOST flights, with their pictures turned by `turn` quarters as the centre is."""
    return tuple(
        flight._replace(picture=pygame.transform.rotate(flight.picture, 90 * turn))
        for flight in islice(flights, MOST)
    )


def _begins(flight: Flight) -> float:
    return min(flight.begins, LATEST)


def _on_the_way(flight: Flight, way: float) -> Point:
    across = flight.start[0] + (flight.end[0] - flight.start[0]) * way
    down = flight.start[1] + (flight.end[1] - flight.start[1]) * way
    return round(across), round(down - flight.lift_px * math.sin(math.pi * way))


def _trembling(flight: Flight, gone_ns: int) -> Point:
    turn = math.tau * _SHAKES_HZ * gone_ns / 1e9
    # The two directions have no common rhythm, else it would slide along a line.
    return (
        flight.start[0] + round(flight.shake_px * math.sin(turn)),
        flight.start[1] + round(flight.shake_px * math.sin(1.7 * turn)),
    )
