"""The celebration of a result: confetti and flashing strips. Nothing waits for it."""

import math
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.display import theme

BURST_NS: Final = 1_250_000_000  # one burst of confetti, too long to be a flash

STRIP_NS: Final = 500_000_000  # between two lights of a strip: one flash a second

PIECES: Final = 28  # in a burst

_GOLDEN: Final = math.pi * (3 - math.sqrt(5))  # the angle between two pieces: all directions are different

_COLOURS: Final = (theme.LIT, *(theme.INKS[name] for name in ("red", "sky", "green", "orange", "pink", "yellow")))


class Celebration(NamedTuple):
    """A celebration over the `picture` of a result, from `begin_ns` on.

    The winners' `strips` alternate between `picture` and `other`. Confetti flies outwards in `room`.
    """

    picture: pygame.Surface
    other: pygame.Surface
    strips: tuple[Rect, ...]
    room: Rect
    begin_ns: int
    time_ns: int

    def draw(self, surface: pygame.Surface, now_ns: int) -> bool:
        """Draw the moment. Return False at the end, when only the picture is left."""
        gone_ns = now_ns - self.begin_ns
        surface.blit(self.picture, (0, 0))
        if gone_ns >= self.time_ns:
            return False
        if gone_ns // STRIP_NS % 2:
            for strip in self.strips:
                surface.blit(self.other, strip, strip)
        burst, into_ns = divmod(gone_ns, BURST_NS)
        clip = surface.get_clip()
        surface.set_clip(self.room)
        for number in range(PIECES):
            self._piece(surface, burst * PIECES + number, into_ns / BURST_NS)
        surface.set_clip(clip)
        return True

    def _piece(self, surface: pygame.Surface, number: int, share: float) -> None:
        angle, reach = number * _GOLDEN, 0.2 + 0.9 * (number * 0.7549 % 1)
        way = reach * (1 - (1 - share) ** 2)
        middle = (
            self.room.centerx + round(way * self.room.width / 2 * math.cos(angle)),
            self.room.centery + round(way * self.room.height / 2 * math.sin(angle)),
        )
        side = max(3, min(self.room.size) // 28) * (1 - share**3)
        turn = angle + math.tau * share * (1 + number % 3) / 2
        corners = [
            (middle[0] + side * math.cos(turn + each), middle[1] + side * math.sin(turn + each))
            for each in (0.0, 0.9, math.pi, math.pi + 0.9)
        ]
        pygame.draw.polygon(surface, _COLOURS[number % len(_COLOURS)], corners)
