"""Bounds the difference between the host's clock and a pod's.

A pod reads its clock after a ping was sent and before its answer was received. No bound assumes that both
directions take equally long.
"""

from typing import Final, NamedTuple

from companion.core.units import SECOND

US: Final = 1_000

PINGS: Final = 64
"""Maximum number of answers that bound each end."""

KEPT_NS: Final = 16 * SECOND
"""Maximum age of an answer that counts."""

DRIFT_PPM: Final = 100
"""Maximum drift. Crystals are better, ceramic resonators are not."""


class _End(NamedTuple):
    """One end of the bound: host clock minus pod clock when that read `pod_ns`.

    The upper end is negated, so that the greatest is the tightest for both.
    """

    sent_ns: int
    pod_ns: int
    least_ns: int


class PodClock:
    """Converts timestamps of one pod to the host's time."""

    def __init__(self, drift_ppm: int = DRIFT_PPM) -> None:
        self.grain_ns = 0
        """Error of a reading, besides rounding to microseconds."""
        self._drift_ppm = drift_ppm
        self._lows: list[_End] = []
        self._highs: list[_End] = []

    @property
    def known(self) -> bool:
        return bool(self._lows)

    def learn(self, sent_ns: int, t_us: int, received_ns: int, answered_us: int | None = None) -> bool:
        """Learn that the pod's clock read `t_us` after `sent_ns`, and `answered_us` before `received_ns`.

        If this contradicts earlier answers, forget everything and return False: the pod was reset or drifts too
        much.
        """
        pod_ns = t_us * US
        # Readings are rounded down to microseconds, so the pod may be up to one later.
        worked_ns = max(0, (answered_us or t_us) - t_us) * US
        high_ns = received_ns - pod_ns - worked_ns + self.drift_ns(worked_ns)
        self._lows = self._with(self._lows, _End(sent_ns, pod_ns, sent_ns - pod_ns - US))
        self._highs = self._with(self._highs, _End(sent_ns, pod_ns, -high_ns))
        low_ns, high_ns = self._apart(pod_ns)
        if low_ns > high_ns:
            self.forget()
        return self.known

    def locate(self, t_us: int) -> tuple[int, int]:
        """Return the host time of a timestamp and its uncertainty, in ns. Raise ValueError if unknown."""
        if not self.known:
            raise ValueError("no ping was answered yet: a stamp of this pod cannot be placed")
        pod_ns = t_us * US
        low_ns, high_ns = self._apart(pod_ns)
        earliest_ns, latest_ns = pod_ns + low_ns - self.grain_ns, pod_ns + US + high_ns + self.grain_ns
        middle_ns = (earliest_ns + latest_ns) // 2
        return middle_ns, latest_ns - middle_ns

    def forget(self) -> None:
        self._lows, self._highs = [], []

    def drift_ns(self, elapsed_ns: int) -> int:
        return -(-elapsed_ns * self._drift_ppm // 1_000_000)

    def _apart(self, pod_ns: int) -> tuple[int, int]:
        low_ns = max(self._at(end, pod_ns) for end in self._lows)
        high_ns = -max(self._at(end, pod_ns) for end in self._highs)
        return low_ns - self.grain_ns, high_ns + self.grain_ns

    def _at(self, end: _End, pod_ns: int) -> int:
        """Return an end, widened by drift."""
        return end.least_ns - self.drift_ns(abs(pod_ns - end.pod_ns))

    def _with(self, ends: list[_End], new: _End) -> list[_End]:
        """Return the new end, and older ones that are tighter and recent."""
        closer = [
            end for end in ends if new.sent_ns - end.sent_ns <= KEPT_NS and self._at(end, new.pod_ns) > new.least_ns
        ]
        return [*closer, new][-PINGS:]
