"""Monotonic clocks: the machine's, and a virtual one that jumps to the next planned action."""

import heapq
import time
from collections.abc import Callable
from itertools import count
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock in nanoseconds."""

    def now_ns(self) -> int: ...


class MonotonicClock:
    """CLOCK_MONOTONIC, which is also the clock of the kernel's timestamps."""

    def now_ns(self) -> int:
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class _Plan:
    def __init__(self) -> None:
        self._plan: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()

    def at(self, t_ns: int, action: Callable[[], None]) -> None:
        heapq.heappush(self._plan, (t_ns, next(self._order), action))

    def next_ns(self) -> int | None:
        return self._plan[0][0] if self._plan else None


class PlanningClock(_Plan, MonotonicClock):
    """The machine's clock with planned actions, for one thread."""

    def act_due(self) -> None:
        while self._plan and self._plan[0][0] <= self.now_ns():
            heapq.heappop(self._plan)[2]()


class Later:
    """A planned action that can be cancelled."""

    def __init__(self, clock: PlanningClock) -> None:
        self._clock = clock
        self._dropped = 0

    def after(self, wait_ns: int, action: Callable[[], None]) -> None:
        """Plan `action` in `wait_ns` nanoseconds."""
        dropped = self._dropped
        at_ns = self._clock.now_ns() + wait_ns
        self._clock.at(at_ns, lambda: action() if dropped == self._dropped else None)

    def drop(self) -> None:
        self._dropped += 1


class VirtualClock(_Plan):
    """A clock that jumps from one planned action to the next."""

    def __init__(self, start_ns: int = 0) -> None:
        super().__init__()
        self._now_ns = start_ns

    def now_ns(self) -> int:
        return self._now_ns

    def jump(self, t_ns: int) -> None:
        self._now_ns = max(self._now_ns, t_ns)

    def act(self) -> None:
        t_ns, _, action = heapq.heappop(self._plan)
        self.jump(t_ns)
        action()
