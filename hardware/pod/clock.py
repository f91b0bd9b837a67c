"""The pod's clock: 64 bits of microseconds since its start, from a counter that wraps after 18 minutes."""

PERIOD_US = 1 << 30  # of MicroPython's ticks_us on a 32-bit board
_MASK = PERIOD_US - 1
_HALF = PERIOD_US >> 1


class Clock:
    """Extends ticks. Must be read at least every 17 minutes; the main loop does every millisecond."""

    def __init__(self, ticks_us):
        self._ticks_us = ticks_us
        self._ticks = ticks_us()
        self._now_us = 0

    def now_us(self):
        """Return the time, which never goes back."""
        ticks = self._ticks_us()
        self._now_us += (ticks - self._ticks) & _MASK
        self._ticks = ticks
        return self._now_us

    def extend(self, ticks):
        """Return the time of a timestamp within 8 minutes of the last `now_us`."""
        return self._now_us + ((ticks - self._ticks + _HALF) & _MASK) - _HALF
