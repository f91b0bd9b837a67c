"""The clock of a pod, as far as it can be known: a bound for every stamp, not a guess.

The pod reads its clock after a ping was sent and before the answer was received. So each answer bounds how far the
two clocks are apart; no bound assumes that the way there takes as long as the way back.
"""

from typing import Final, NamedTuple

from companion.core.units import SECOND

US: Final = 1_000

PINGS: Final = 64
"""The most answers that count for either end of the bound: the last ones that no later answer makes superfluous."""

KEPT_NS: Final = 16 * SECOND
"""An answer to a ping that was sent longer ago than this does not count any more."""

DRIFT_PPM: Final = 100
"""How fast the two clocks may part, in millionths: a crystal is better than that, a ceramic resonator is not."""


class _End(NamedTuple):
    """One end of the bound of the host's clock minus the pod's when the pod's clock read `pod_ns`.

    The upper end is kept with its sign changed, so that of either the greatest is the closest.
    """

    sent_ns: int
    pod_ns: int
    least_ns: int


class PodClock:
    """Places stamps of one pod in the host's time."""

    def __init__(self, drift_ppm: int = DRIFT_PPM) -> None:
        self.grain_ns = 0
        """By how much a reading of the pod's clock may differ from the truth, beside its whole microseconds."""
        self._drift_ppm = drift_ppm
        self._lows: list[_End] = []
        self._highs: list[_End] = []

    @property
    def known(self) -> bool:
        """Whether a stamp can be placed."""
        return bool(self._lows)

    def learn(self, sent_ns: int, t_us: int, received_ns: int, answered_us: int | None = None) -> bool:
        """Learn that the pod's clock read `t_us` between two moments of the host, and later `answered_us`.

        Return False when no clock agrees with that and with what was learned before: the pod was reset, or drifts
        more than it may. Then nothing is known any more.
        """
        pod_ns = t_us * US
        # The pod's clock shows whole microseconds: it may have been one later than it says.
        worked_ns = max(0, (answered_us or t_us) - t_us) * US
        high_ns = received_ns - pod_ns - worked_ns + self.drift_ns(worked_ns)
        self._lows = self._with(self._lows, _End(sent_ns, pod_ns, sent_ns - pod_ns - US))
        self._highs = self._with(self._highs, _End(sent_ns, pod_ns, -high_ns))
        low_ns, high_ns = self._apart(pod_ns)
        if low_ns > high_ns:
            self.forget()
        return self.known

    def locate(self, t_us: int) -> tuple[int, int]:
        """Return when the pod's clock read `t_us`, in host's time, and how uncertain that is, both in nanoseconds.

        Raise ValueError while the clock is not known.
        """
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
        """Return the bounds of the host's clock minus the pod's when that reads `pod_ns`."""
        low_ns = max(self._at(end, pod_ns) for end in self._lows)
        high_ns = -max(self._at(end, pod_ns) for end in self._highs)
        return low_ns - self.grain_ns, high_ns + self.grain_ns

    def _at(self, end: _End, pod_ns: int) -> int:
        """Return an end when the pod's clock reads `pod_ns`: as far off as the clocks may have parted since."""
        return end.least_ns - self.drift_ns(abs(pod_ns - end.pod_ns))

    def _with(self, ends: list[_End], new: _End) -> list[_End]:
        """Return the ends that count beside a new one: those that are closer than it, and not too old."""
        closer = [
            end for end in ends if new.sent_ns - end.sent_ns <= KEPT_NS and self._at(end, new.pod_ns) > new.least_ns
        ]
        return [*closer, new][-PINGS:]
