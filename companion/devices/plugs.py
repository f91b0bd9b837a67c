"""A place with several devices is plugged in when all of them are."""

import threading
from collections.abc import Callable

from companion.core.place import Place
from companion.core.signal import PLUG, UNPLUG, Signal


class Plugs:
    """Lets signals through to `deliver`, but the PLUG of a device not while another one of its place is lost.

    What a device is lost for itself, and because it reports too much, are two things: they differ in their flags.
    """

    def __init__(self, deliver: Callable[[Signal], None]) -> None:
        self._deliver = deliver
        self._lock = threading.Lock()
        self._lost: set[tuple[Place, str, tuple[str, ...]]] = set()

    def put(self, signal: Signal) -> None:
        """Pass a signal on, if it may be told now."""
        if signal.control not in {PLUG, UNPLUG}:
            self._deliver(signal)
            return
        with self._lock:  # until it is delivered: two devices may come and go at once
            device = (signal.place, signal.source, signal.flags)
            if signal.control == UNPLUG:
                self._lost.add(device)
            else:
                self._lost.discard(device)
            if signal.control == UNPLUG or not any(place == signal.place for place, *_ in self._lost):
                self._deliver(signal)

    def forget(self, place: Place, source: str) -> None:
        """Wait for a place's device no more: another one does its work."""
        with self._lock:
            self._lost = {lost for lost in self._lost if lost[:2] != (place, source)}
