"""Long work done in pieces, so that presses are heard and pictures shown in between."""

from collections.abc import Iterator
from typing import Final

from companion.core.clock import PlanningClock

GAP_NS: Final = 1_000_000
"""How long everything else has between two pieces, at least."""


class LongWork:
    """Does some work step by step on a clock's plan, until it is done or stopped."""

    def __init__(self, clock: PlanningClock, work: Iterator[None]) -> None:
        self._clock = clock
        self._work = work
        self._stopped = False
        self._later()

    def stop(self) -> None:
        self._stopped = True

    def _later(self) -> None:
        # Planned when the last piece is done: the plan would otherwise never be empty on a slow machine.
        self._clock.at(self._clock.now_ns() + GAP_NS, self._go_on)

    def _go_on(self) -> None:
        if self._stopped:
            return
        try:
            next(self._work)
        except StopIteration:
            return
        self._later()
