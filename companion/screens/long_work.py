"""Long work in pieces, so that the host can handle presses and frames in between."""

from collections.abc import Iterator
from typing import Final

from companion.core.clock import PlanningClock

GAP_NS: Final = 1_000_000


class LongWork:
    """Does work step by step on the clock, until it is done or stopped."""

    def __init__(self, clock: PlanningClock, work: Iterator[None]) -> None:
        self._clock = clock
        self._work = work
        self._stopped = False
        self._later()

    def stop(self) -> None:
        self._stopped = True

    def _later(self) -> None:
        # Planned when the previous piece is done: on a slow machine the clock would otherwise never be idle.
        self._clock.at(self._clock.now_ns() + GAP_NS, self._go_on)

    def _go_on(self) -> None:
        if self._stopped:
            return
        try:
            next(self._work)
        except StopIteration:
            return
        self._later()
