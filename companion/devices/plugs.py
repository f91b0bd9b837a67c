"""Reports lost and returned devices. A place is plugged in when all its devices are."""

import threading
from collections.abc import Callable

from companion.core.clock import Clock
from companion.core.place import Place
from companion.core.signal import PLUG, UNPLUG, Signal
from companion.core.text import Text


class Plugs:
    """Passes signals on, but no PLUG while another device of the place is lost."""

    def __init__(self, deliver: Callable[[Signal], None]) -> None:
        self._deliver = deliver
        self._lock = threading.Lock()
        self._lost: set[tuple[Place, str, tuple[str, ...]]] = set()

    def put(self, signal: Signal) -> None:
        if signal.control not in {PLUG, UNPLUG}:
            self._deliver(signal)
            return
        with self._lock:  # also during delivery: two devices may change at once
            device = (signal.place, signal.source, signal.flags)
            if signal.control == UNPLUG:
                self._lost.add(device)
            else:
                self._lost.discard(device)
            if signal.control == UNPLUG or not any(place == signal.place for place, *_ in self._lost):
                self._deliver(signal)

    def forget(self, place: Place, source: str) -> None:
        """Do not wait for a device that another one replaces."""
        with self._lock:
            self._lost = {lost for lost in self._lost if lost[:2] != (place, source)}


class Troubles:
    """The faults of one source, by place, reported to `deliver`."""

    def __init__(self, source: str, deliver: Callable[[Signal], None], clock: Clock) -> None:
        self._source = source
        self._deliver = deliver
        self._clock = clock
        self._lock = threading.Lock()
        self._texts: dict[Place, Text] = {}

    @property
    def texts(self) -> dict[Place, Text]:
        with self._lock:
            return dict(self._texts)

    def lost(self, place: Place, why: Text) -> None:
        """Report a fault, unless the place has one."""
        with self._lock:
            if place not in self._texts:
                self._texts[place] = why
                self._tell(place, UNPLUG)

    def back(self, place: Place) -> None:
        with self._lock:
            if self._texts.pop(place, None):
                self._tell(place, PLUG)

    def _tell(self, place: Place, control: str) -> None:
        now_ns = self._clock.now_ns()
        self._deliver(Signal(self._source, place, control, now_ns, 0, now_ns))
