"""Where all devices leave what they report: a queue for one reader, who can also look at what waits in it."""

import threading
from collections import deque

from companion.core.signal import Signal


class Inbox:
    """A queue of signals from many threads; None ends the loop that reads it."""

    def __init__(self) -> None:
        self._signals: deque[Signal | None] = deque()
        self._changed = threading.Condition()

    def put(self, signal: Signal | None) -> None:
        """Add a signal."""
        with self._changed:
            self._signals.append(signal)
            self._changed.notify()

    def get(self, timeout_s: float | None = None) -> Signal | None:
        """Take the oldest signal out, waiting for one if need be. Raise TimeoutError when none came in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._signals, timeout_s):
                raise TimeoutError
            return self._signals.popleft()

    def waiting(self) -> list[Signal]:
        """Return what was reported and not taken out yet, oldest first."""
        with self._changed:
            return [signal for signal in self._signals if signal]
