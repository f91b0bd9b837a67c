"""The clocks: the machine's, which never goes back, and a virtual one that runs as fast as work allows."""

import heapq
import time
from collections.abc import Callable
from itertools import count
from typing import Protocol


class Clock(Protocol):
    """Tells the time, in nanoseconds of a monotonic clock."""

    def now_ns(self) -> int:
        """Return the time now."""


class MonotonicClock:
    """CLOCK_MONOTONIC, the clock of the kernel's stamps."""

    def now_ns(self) -> int:
        """Return the time now."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class _Plan:
    """What is to be done when."""

    def __init__(self) -> None:
        self._plan: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()

    def at(self, t_ns: int, action: Callable[[], None]) -> None:
        """Plan an action; what is planned for the past happens as soon as the clock runs."""
        heapq.heappush(self._plan, (t_ns, next(self._order), action))

    def next_ns(self) -> int | None:
        """Return when the next planned action is due, None without one."""
        return self._plan[0][0] if self._plan else None


class PlanningClock(_Plan, MonotonicClock):
    """The machine's clock with a plan, for one thread."""

    def act_due(self) -> None:
        """Do everything that is due by now."""
        while self._plan and self._plan[0][0] <= self.now_ns():
            heapq.heappop(self._plan)[2]()


class Later:
    """What a clock is to do later, unless something newer comes before: `drop` forgets it."""

    def __init__(self, clock: PlanningClock) -> None:
        self._clock = clock
        self._dropped = 0

    def after(self, wait_ns: int, action: Callable[[], None]) -> None:
        """Plan an action in so long from now."""
        dropped = self._dropped
        at_ns = self._clock.now_ns() + wait_ns
        self._clock.at(at_ns, lambda: action() if dropped == self._dropped else None)

    def drop(self) -> None:
        """Forget what is planned until now."""
        self._dropped += 1


class VirtualClock(_Plan):
    """A clock that jumps from one planned action to the next."""

    def __init__(self, start_ns: int = 0) -> None:
        super().__init__()
        self._now_ns = start_ns

    def now_ns(self) -> int:
        """Return the virtual time."""
        return self._now_ns

    def jump(self, t_ns: int) -> None:
        """Go forward to `t_ns`, and not back."""
        self._now_ns = max(self._now_ns, t_ns)

    def act(self) -> None:
        """Go to the next planned action and do it."""
        t_ns, _, action = heapq.heappop(self._plan)
        self.jump(t_ns)
        action()
