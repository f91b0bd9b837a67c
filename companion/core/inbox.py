"""The queue of all devices' signals, for one reader.

It is bounded by device and place, so a flooding device takes no room from the others.
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
        self.offer(signal)

    def offer(self, signal: Signal | None) -> bool:
        """Add a signal. Return False if there was no room. None, PLUG and UNPLUG always fit."""
        with self._changed:
            if signal and signal.control not in {PLUG, UNPLUG}:
                if self._of[signal.source, signal.place] >= SIGNALS_WAITING:
                    return False
                self._of[signal.source, signal.place] += 1
            self._signals.append(signal)
            self._changed.notify()
            return True

    def get(self, timeout_s: float | None = None) -> Signal | None:
        """Remove and return the oldest signal. Raise TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._signals, timeout_s):
                raise TimeoutError
            signal = self._signals.popleft()
            if signal and signal.control not in {PLUG, UNPLUG}:
                self._of[signal.source, signal.place] -= 1
            return signal

    def waiting(self) -> list[Signal]:
        with self._changed:
            return [signal for signal in self._signals if signal]
