"""The pod's clock: microseconds since its start, 64 bits wide, from a counter that wraps after 18 minutes."""

PERIOD_US = 1 << 30  # of MicroPython's ticks_us on a 32-bit board
_MASK = PERIOD_US - 1
_HALF = PERIOD_US >> 1


class Clock:
    """Extends ticks. Has to be asked at least once in 17 minutes; the main loop asks each millisecond."""

    def __init__(self, ticks_us):
        self._ticks_us = ticks_us
        self._ticks = ticks_us()
        self._now_us = 0

    def now_us(self):
        """Return the time; it never goes back."""
        ticks = self._ticks_us()
        self._now_us += (ticks - self._ticks) & _MASK
        self._ticks = ticks
        return self._now_us

    def extend(self, ticks):
        """Return the time of a stamp that was taken at most 8 minutes before or after the last `now_us`."""
        return self._now_us + ((ticks - self._ticks + _HALF) & _MASK) - _HALF
