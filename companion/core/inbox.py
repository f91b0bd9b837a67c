"""Where all devices leave what they report: a queue for one reader, who can also look at what waits in it.

It is bounded: so many signals of each device at each place may wait. So one that reports faster than they are taken
out takes no room from the others.
"""

import threading
from collections import Counter, deque

from companion.core.limits import SIGNALS_WAITING
from companion.core.place import Place
from companion.core.signal import PLUG, UNPLUG, Signal


class Inbox:
    """A queue of signals from many threads; None ends the loop that reads it."""

    def __init__(self) -> None:
        self._signals: deque[Signal | None] = deque()
        self._of: Counter[tuple[str, Place]] = Counter()
        self._changed = threading.Condition()

    def put(self, signal: Signal | None) -> None:
        """Add a signal, if there is room."""
        self.offer(signal)

    def offer(self, signal: Signal | None) -> bool:
        """Add a signal. Tell whether there was room; there always is for None, and for whoever comes and goes."""
        with self._changed:
            if signal and signal.control not in {PLUG, UNPLUG}:
                if self._of[signal.source, signal.place] >= SIGNALS_WAITING:
                    return False
                self._of[signal.source, signal.place] += 1
            self._signals.append(signal)
            self._changed.notify()
            return True

    def get(self, timeout_s: float | None = None) -> Signal | None:
        """Take the oldest signal out, waiting for one if need be. Raise TimeoutError when none came in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._signals, timeout_s):
                raise TimeoutError
            signal = self._signals.popleft()
            if signal and signal.control not in {PLUG, UNPLUG}:
                self._of[signal.source, signal.place] -= 1
            return signal

    def waiting(self) -> list[Signal]:
        """Return what was reported and not taken out yet, oldest first."""
        with self._changed:
            return [signal for signal in self._signals if signal]
