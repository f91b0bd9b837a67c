"""The countdown of a time limit: a strip's light shrinks towards its middle, the same from all sides."""

from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import cut
from companion.display.frame import Frame, TimeLeft

STEP_NS: Final = 100_000_000  # least time between two steps

COARSE_STEPS: Final = 4  # number of steps without motion


class Countdown(NamedTuple):
    """A time limit, during which the light of `strips` shrinks. `dark` is the display with these strips unlit."""

    left: TimeLeft
    strips: tuple[Rect, ...]
    steps: int
    dark: pygame.Surface

    @classmethod
    def of(cls, frame: Frame, strips: tuple[Rect, ...], dark: pygame.Surface) -> "Countdown | None":
        """Return a frame's countdown, or None without a limit."""
        if frame.limit is None:
            return None
        limited = tuple(
            rect for side, rect in zip(frame.sides, strips, strict=False) if is_limited(frame, side.seat)
        )
        fine = max(COARSE_STEPS, frame.limit.length_ns // STEP_NS)
        return cls(frame.limit, limited, fine if frame.look.motion else COARSE_STEPS, dark)

    def step(self, now_ns: int) -> int:
        """Return the number of steps left."""
        if self.left.ends_ns is None:
            return self.steps
        left_ns = min(max(0, self.left.ends_ns - now_ns), self.left.length_ns)
        return -(-self.steps * left_ns // self.left.length_ns)

    def draw(self, surface: pygame.Surface, step: int) -> None:
        """Darken the elapsed part of the strips, which must be lit."""
        for strip in self.strips:
            long = max(strip.size)
            gone = -((long * step // self.steps - long) // 2)  # rounded up: the last column gets dark, too
            for cut_off in (cut.left, cut.right) if strip.width > strip.height else (cut.top, cut.bottom):
                part, _ = cut_off(strip, gone)
                surface.blit(self.dark, part, part)


def is_limited(frame: Frame, seat: Seat | None) -> bool:
    return frame.limit is not None and seat in frame.limit.seats
