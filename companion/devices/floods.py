"""Unplugs a device that floods the table with reports, and plugs it in again once it is quiet.

A flooding device is broken or hostile and must not slow down the others. After the first signal over its rate
limit, all its signals from that place are dropped and it is not read for `REST_NS`. Then it is read silently, and
plugged in after `CALM_NS` without a flood.
"""

import logging
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final, NamedTuple

from companion.core.clock import Clock
from companion.core.console import BUZZ
from companion.core.limits import EDGES_A_SECOND, KEYS_A_SECOND, LEVELS_A_SECOND
from companion.core.place import Place
from companion.core.signal import FLOOD, LEVEL, PLUG, UNPLUG, Signal
from companion.core.text import Text
from companion.core.units import SECOND
from companion.devices.driver import Device

REST_NS: Final = 1_000_000_000
"""How long a flooding device is not read at all."""

CALM_NS: Final = 2_000_000_000
"""How long it must then stay within its limits."""

LOOK_S: Final = 0.5
"""Polling interval while any device floods."""

Origin = tuple[str, Place]

log = logging.getLogger(__name__)


class Rate:
    """A limit of `most` events per second."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._since_ns = 0
        self._count = 0

    def exceeds(self, now_ns: int, count: int = 1) -> bool:
        """Count events. Return True if this second is over the limit."""
        if now_ns - self._since_ns >= SECOND:
            self._since_ns, self._count = now_ns, 0
        self._count += count
        return self._count > self._most


class _Rates(NamedTuple):
    edges: Rate
    levels: Rate
    others: Rate

    def of(self, signal: Signal) -> Rate:
        if signal.control != BUZZ:
            return self.others
        return self.levels if LEVEL in signal.flags else self.edges


class _Flood:
    def __init__(self, why: Text, now_ns: int) -> None:
        self.why = why
        self.since_ns = now_ns
        self.deaf = False
        self.read_ns: int | None = None

    def begin_anew(self, now_ns: int) -> None:
        self.since_ns, self.deaf, self.read_ns = now_ns, False, None


class Floods:
    """Rate limits for all devices.

    `device_of` finds a device by its source; `tell` accepts UNPLUG and PLUG. Both, and devices, are called without
    holding the lock: they may wait for a thread that is reporting.
    """

    def __init__(
        self, device_of: Callable[[str], Device | None], tell: Callable[[Signal], None], clock: Clock
    ) -> None:
        self._device_of = device_of
        self._tell = tell
        self._clock = clock
        self._lock = threading.Lock()
        self._untold: deque[Signal] = deque()
        self._telling = False
        self._rates: defaultdict[Origin, _Rates] = defaultdict(
            lambda: _Rates(Rate(EDGES_A_SECOND), Rate(LEVELS_A_SECOND), Rate(KEYS_A_SECOND))
        )
        self._floods: dict[Origin, _Flood] = {}
        self._changed = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None

    def passes(self, signal: Signal) -> bool:
        """Count a signal. Return False if it must be dropped."""
        if signal.control in {PLUG, UNPLUG}:
            return True
        key, now_ns = (signal.source, signal.place), self._clock.now_ns()
        with self._lock:
            too_much = signal.control == FLOOD or self._rates[key].of(signal).exceeds(now_ns)
            passes = not too_much and key not in self._floods
        if too_much:
            self._too_much(key, now_ns)
        return passes

    def exceeded(self, signal: Signal) -> None:
        """Record that the inbox is full of a device's signals."""
        self._too_much((signal.source, signal.place), self._clock.now_ns())

    def holds(self, source: str, place: Place) -> bool:
        """Return True if the device's signals are dropped now."""
        return (source, place) in self._floods

    def troubles(self, device: Device) -> dict[Place, Text]:
        """Return why signals of a device are dropped, by place."""
        with self._lock:
            return {place: flood.why for (source, place), flood in self._floods.items() if source == device.source}

    def look(self) -> None:
        """Stop reading flooding devices, read rested ones again, and plug in quiet ones."""
        with self._lock:
            floods = list(self._floods.items())
        for key, flood in floods:
            try:
                self._look_after(key, flood)
            except Exception:  # its signals are dropped anyway
                log.exception("the flood of %s", key)

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._run, name="flood watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopped = True
        self._changed.set()
        if self._thread:
            self._thread.join()

    def _too_much(self, key: Origin, now_ns: int) -> None:
        with self._lock:
            flood = self._floods.get(key)
            was_read = flood is not None and flood.read_ns is not None
            if flood:
                flood.begin_anew(now_ns)  # it reported, so it is not deaf
        if flood is None:
            why = (self._device_of(key[0]) or Device()).flooded(key[1])
            with self._lock:
                if key in self._floods:
                    return  # another thread was faster
                self._floods[key] = _Flood(why, now_ns)
                self._untold.append(_told(key, UNPLUG, now_ns))
            log.warning("%s", why)
            self._tell_all()
        if flood is None or was_read:
            self._changed.set()  # otherwise the watch is already polling

    def _tell_all(self) -> None:
        """Deliver queued signals in order, from one thread at a time."""
        while True:
            with self._lock:
                if self._telling or not self._untold:
                    return
                signal = self._untold.popleft()
                self._telling = True
            try:
                self._tell(signal)
            finally:
                with self._lock:
                    self._telling = False

    def _look_after(self, key: Origin, flood: _Flood) -> None:
        device, now_ns = self._device_of(key[0]), self._clock.now_ns()
        if not flood.deaf and flood.read_ns is None:
            try:
                if device:
                    device.deafen(key[1])
            finally:
                flood.deaf = True  # until it reports again, because it was reopened or cannot be deafened
        elif flood.read_ns is None and now_ns - flood.since_ns >= REST_NS:
            with self._lock:
                self._rates.pop(key, None)
                flood.read_ns = now_ns
            if device:
                device.listen(key[1])
        elif flood.read_ns is not None and now_ns - flood.read_ns >= CALM_NS:
            with self._lock:
                if self._floods.get(key) is not flood or flood.read_ns is None:
                    return  # it floods again
                del self._floods[key]
                self._untold.append(_told(key, PLUG, now_ns))
            self._tell_all()

    def _run(self) -> None:
        while not self._stopped:
            self._changed.wait(LOOK_S if self._floods else None)
            self._changed.clear()
            if not self._stopped:
                self.look()


def _told(key: Origin, control: str, now_ns: int) -> Signal:
    source, place = key
    return Signal(source, place, control, now_ns, 0, now_ns, flags=(FLOOD,))
