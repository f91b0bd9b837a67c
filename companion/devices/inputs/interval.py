"""Measures how often a device reports."""

from collections import deque
from typing import Final

SLOWEST_NS: Final = 32_000_000
"""The assumption for a device that has reported too little. Most report every 1 to 10 ms."""

ENOUGH: Final = 16
"""Gaps that are needed for a measurement."""

_KEPT: Final = 256


class Interval:
    """A device's reporting interval, from the gaps between its reports' timestamps.

    A device reports at most once an interval, so each gap is one interval or several. A gap only seems shorter if
    the machine was late for the report before it, so the shortest sixteenth of the gaps is left out. On a machine
    that is late more often, the interval that the plug declares is a lower bound.
    """

    def __init__(self, declared_ns: int) -> None:
        self._least_ns, self._most_ns = declared_ns, max(SLOWEST_NS, declared_ns)
        self._gaps: deque[int] = deque(maxlen=_KEPT)
        self._last_ns: int | None = None

    def report(self, stamp_ns: int) -> None:
        if self._last_ns is not None and stamp_ns > self._last_ns:
            self._gaps.append(stamp_ns - self._last_ns)
        self._last_ns = stamp_ns

    @property
    def measured(self) -> bool:
        return self.ns < self._most_ns

    @property
    def ns(self) -> int:
        """The interval; it may be shorter, but not longer."""
        if len(self._gaps) < ENOUGH:
            return self._most_ns
        shortest_ns = sorted(self._gaps)[len(self._gaps) // ENOUGH]
        return min(self._most_ns, max(self._least_ns, shortest_ns))
