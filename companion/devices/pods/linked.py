"""The base class of devices that speak the pod protocol over any line."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping

from companion.core.clock import Clock
from companion.core.console import BUZZ, Lamp
from companion.core.place import Place, ScreenSize
from companion.core.signal import AWAY, LEVEL, LOST, PLUG, REFUSED, UNPLUG, Signal
from companion.devices.driver import Deliver, Device
from companion.devices.pods.link import PodLink
from companion.devices.pods.reports import Away, Back, Dropped, EdgeReport, KeyReport, Level, Report
from companion.referee.arbiter import SETTLE_MOST_NS


class LinkedDevice(Device):
    """A device with one link per place. `_lock` guards its links and conversations."""

    def __init__(self, deliver: Deliver, clock: Clock, most_ns: int = SETTLE_MOST_NS) -> None:
        """`most_ns` is the longest wait for a report."""
        self._deliver = deliver
        self._clock = clock
        self._lock = threading.RLock()
        self._most_ns = most_ns
        self._edge_ns = -most_ns
        self._races = False
        self._bound: dict[str, Place] = {}
        """Places by identity."""

    @property
    @abstractmethod
    def _links(self) -> Mapping[Place, PodLink]:
        """The links by place. The caller holds the lock."""

    @abstractmethod
    def _wake(self) -> None:
        """Send pending bytes now."""

    @property
    def places(self) -> tuple[Place, ...]:
        """The places with a link. Does not lock, since any reporting thread asks for it."""
        return tuple(sorted(self._bound.values()))

    @property
    def screen_places(self) -> tuple[Place, ...]:
        return self.places

    def settled_ns(self, now_ns: int) -> int:
        long_ago_ns = now_ns - self.settle_ns
        with self._lock:
            proved = [link.settled_ns for link in self._links.values()]
        # A lost link proves nothing, but the match is paused for it anyway.
        return max(long_ago_ns, min((at_ns for at_ns in proved if at_ns is not None), default=long_ago_ns))

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return the last proved level of each link."""
        with self._lock:
            levels = [(place, link.level) for place, link in self._links.items()]
        return [self._level(place, level, now_ns) for place, level in levels if level]

    def race(self, *, on: bool) -> None:
        with self._lock:
            self._races = on
            for link in self._links.values():
                link.race(on=on, now_ns=self._clock.now_ns())
        self._wake()

    def show(self, place: Place, lamp: Lamp) -> None:
        self._to(place, lambda link: link.show(lamp))

    def screen_size(self, place: Place) -> ScreenSize:
        with self._lock:
            link = self._links.get(place)
            return link.screen_size if link else ScreenSize()

    def say(self, place: Place, *lines: str) -> None:
        self._to(place, lambda link: link.say(*lines))

    def _report(self, place: Place, report: Report) -> None:
        """The caller holds the lock."""
        signal = self._signal(place, report)
        if signal:
            self._deliver(signal)
        if isinstance(report, EdgeReport):
            self._edge_ns = self._clock.now_ns()
        elif isinstance(report, Back):
            self._links[place].race(on=self._races, now_ns=self._clock.now_ns())

    def _signal(self, place: Place, report: Report) -> Signal | None:
        now_ns = self._clock.now_ns()
        match report:
            case EdgeReport(t_ns, uncertainty_ns, pressed, refused):
                flags = (REFUSED,) if refused else ()
                return Signal(self.source, place, BUZZ, t_ns, uncertainty_ns, now_ns, pressed, flags)
            case KeyReport(t_ns, uncertainty_ns, key, refused):
                flags = (REFUSED,) if refused else ()
                return Signal(self.source, place, key, t_ns, uncertainty_ns, now_ns, flags=flags)
            case Level() if now_ns - self._edge_ns < self._most_ns:
                return self._level(place, report, now_ns)  # a verdict may wait for this proof
            case Back():
                return Signal(self.source, place, PLUG, now_ns, 0, now_ns)
            case Away():
                return Signal(self.source, place, UNPLUG, now_ns, 0, now_ns)
            case Dropped():
                return Signal(self.source, place, LOST, now_ns, 0, now_ns, pressed=False)
        return None

    def _level(self, place: Place, level: Level, now_ns: int) -> Signal:
        t_ns, uncertainty_ns, pressed, vague = level
        flags = (LEVEL, AWAY) if vague else (LEVEL,)
        return Signal(self.source, place, BUZZ, t_ns, uncertainty_ns, now_ns, pressed, flags)

    def _plug(self, place: Place, control: str) -> None:
        now_ns = self._clock.now_ns()
        self._deliver(Signal(self.source, place, control, now_ns, 0, now_ns))

    def _to(self, place: Place, tell: Callable[[PodLink], None]) -> None:
        with self._lock:
            link = self._links.get(place)
            if link:
                tell(link)
        if link:
            self._wake()
