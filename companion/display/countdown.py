"""The countdown of a time limit: a strip's light shrinks towards its middle, the same from all sides."""

from collections.abc import Callable
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.move import Seat
from companion.display import cut
from companion.display.frame import Frame, TimeLeft

STEP_NS: Final = 100_000_000  # least time between two steps

SECOND_NS: Final = 1_000_000_000

COARSE_STEPS: Final = 4  # number of steps without motion


class Countdown(NamedTuple):
    """A time limit, during which the light of `strips` shrinks. `dark` is the display with these strips unlit.

    `figures` draws the share that is left, for a scene with clocks.
    """

    left: TimeLeft
    strips: tuple[Rect, ...]
    steps: int
    dark: pygame.Surface
    figures: Callable[[pygame.Surface, float], None] | None = None

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
        return -(-self.steps * self._left_ns(now_ns) // self.left.length_ns)

    def second(self, now_ns: int) -> int:
        """Return the number of whole seconds left if figures show them, else 0."""
        return self._left_ns(now_ns) // SECOND_NS if self.figures else 0

    def draw_figures(self, surface: pygame.Surface, now_ns: int) -> None:
        """Draw the figures of a scene with clocks over its picture."""
        if self.figures:
            self.figures(surface, self._left_ns(now_ns) / self.left.length_ns)

    def _left_ns(self, now_ns: int) -> int:
        ends_ns, length_ns = self.left.ends_ns, self.left.length_ns
        return length_ns if ends_ns is None else min(max(0, ends_ns - now_ns), length_ns)

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
