"""What is wrong with devices, by place: told as unplugged, with the reason, until they work again."""

import threading
from collections.abc import Callable

from companion.core.clock import Clock
from companion.core.place import Place
from companion.core.signal import PLUG, UNPLUG, Signal
from companion.core.text import Text


class Troubles:
    """The reasons; each change goes to `deliver`."""

    def __init__(self, source: str, deliver: Callable[[Signal], None], clock: Clock) -> None:
        self._source = source
        self._deliver = deliver
        self._clock = clock
        self._lock = threading.Lock()
        self._texts: dict[Place, Text] = {}

    @property
    def texts(self) -> dict[Place, Text]:
        """What is wrong, by place."""
        with self._lock:
            return dict(self._texts)

    def lost(self, place: Place, why: Text) -> None:
        """Tell that a place's device does not work; the reason that was told at first stands."""
        with self._lock:
            if place not in self._texts:
                self._texts[place] = why
                self._tell(place, UNPLUG)

    def back(self, place: Place) -> None:
        """Tell that it works again, if it did not."""
        with self._lock:
            if self._texts.pop(place, None):
                self._tell(place, PLUG)

    def _tell(self, place: Place, control: str) -> None:
        now_ns = self._clock.now_ns()
        self._deliver(Signal(self._source, place, control, now_ns, 0, now_ns))
