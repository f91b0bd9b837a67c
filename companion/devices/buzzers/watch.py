"""Turns edges and levels of the buzzers into signals, and handles failed sources and stuck buttons."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from companion.core.clock import Clock
from companion.core.console import BUZZ
from companion.core.errors import CompanionError
from companion.core.heartbeat import Heartbeat
from companion.core.place import Place, each_place
from companion.core.signal import LEVEL, Signal
from companion.core.text import Text, msg
from companion.devices.buzzers.source import Edge, Failed, OnEdge, Source
from companion.devices.chips import explain
from companion.devices.driver import Device
from companion.devices.plugs import Troubles

LOOK_S: Final = 1.0

STUCK_NS: Final = 10_000_000_000
"""A button held for this long is leaned on, taped or broken."""

Open = Callable[[OnEdge, Failed], Source]
"""Opens a source. Raises CompanionError or OSError."""

log = logging.getLogger(__name__)


class Buzzers(Device):
    """All buzzers of a table. Signals come from the source's thread or the watch's.

    A buzzer that fails or sticks is unplugged until it works again. A failed source is reopened until that works.
    """

    places: tuple[Place, ...] = ()
    settle_ns: int = 0

    def __init__(
        self, name: str, places: int, open_source: Open, deliver: Callable[[Signal], None], clock: Clock
    ) -> None:
        """Open the source. Raise CompanionError or OSError."""
        self.source = name
        self.places = each_place(places)
        self._open = open_source
        self._deliver = deliver
        self._clock = clock
        self._lock = threading.RLock()  # guards the state of the places
        self._using = threading.Lock()  # guards the source: it is not replaced while it is read
        self._down_since_ns: dict[Place, int] = {}
        self._troubles = Troubles(name, deliver, clock)
        self._broken = False
        self._source = open_source(self._report, self._failed)
        self.settle_ns = self._source.settle_ns
        self._stop = threading.Event()
        self._heartbeat = Heartbeat("buzzer watch")
        self._thread: threading.Thread | None = None

    @property
    def troubles(self) -> dict[Place, Text]:
        return self._troubles.texts

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat, *([] if self._broken else self._source.heartbeats)]

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="buzzer watch", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Reopen a failed source, or report stuck buzzers."""
        with self._using:
            if self._broken and not self._opened_again():
                return
            try:
                self._source.check()
                levels = self._source.levels()
            except (OSError, CompanionError) as error:
                self._failed(error)
            else:
                self._judge(levels)

    def flush(self, now_ns: int) -> Iterable[Signal]:
        with self._using:
            if self._broken:
                return []
            try:
                self._source.drain()
                before_ns = self._clock.now_ns()
                levels = self._source.levels()
                after_ns = self._clock.now_ns()
            except (OSError, CompanionError) as error:
                self._failed(error)
                return []
        troubles = self.troubles
        half_ns = (after_ns - before_ns + 1) // 2
        return [
            Signal(self.source, place, BUZZ, before_ns + half_ns, half_ns, after_ns, down, (LEVEL,))
            for place, down in levels.items()
            if place not in troubles
        ]

    def flooded(self, place: Place) -> Text:
        return msg(
            "the buzzer of seat {n} chatters: a wire is loose, or the pull resistor is missing. See `companion "
            "doctor`",
            n=place + 1,
        )

    def deafen(self, place: Place) -> None:
        """Stop reading edges. The level is still checked."""
        self._ask(lambda: self._source.deafen(place))

    def listen(self, place: Place) -> None:
        self._ask(lambda: self._source.listen(place))

    def close(self) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()
        self._source.close()

    def _report(self, edge: Edge) -> None:
        """Deliver an edge. Errors must not reach a library's thread, which would end."""
        try:
            place, t_ns, uncertainty_ns, pressed, flags = edge
            now_ns = self._clock.now_ns()
            with self._lock:
                if pressed:
                    self._down_since_ns.setdefault(place, now_ns)
                else:
                    self._down_since_ns.pop(place, None)
            self._deliver(Signal(self.source, place, BUZZ, t_ns, uncertainty_ns, now_ns, pressed, flags))
        except Exception as error:  # noqa: BLE001
            self._failed(error)

    def _ask(self, ask: Callable[[], None]) -> None:
        with self._using:
            if not self._broken:
                try:
                    ask()
                except (OSError, CompanionError) as error:
                    self._failed(error)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, OSError):
            error = explain(error, str(msg("the buzzers")))
        text = msg("the buzzers: an internal error; the details are in the log")
        if isinstance(error, CompanionError):
            text = error.text
        with self._lock:  # in one step: the watch may reopen the source at once and report that it is back
            if self._broken:
                return  # already reported
            self._broken = True
            for place in self.places:
                self._troubles.lost(place, text)
        if isinstance(error, CompanionError):
            log.warning("%s", error)
        else:
            log.error("the buzzers (%s)", self.source, exc_info=error)

    def _opened_again(self) -> bool:
        """Reopen the source. Until that works the first reason stays."""
        try:
            self._source.close()
            with self._lock:
                self._broken = False  # before opening, since a source may fail at once
            self._source = self._open(self._report, self._failed)
            self._source.check()
        except (OSError, CompanionError):
            self._broken = True
        if self._broken:
            return False
        with self._lock:
            self._down_since_ns.clear()
            for place in self.places:
                self._troubles.back(place)
        return True

    def _judge(self, levels: Mapping[Place, bool]) -> None:
        now_ns = self._clock.now_ns()
        with self._lock:
            if self._broken:
                return  # it failed after the reading
            for place, down in levels.items():
                if not down:
                    self._down_since_ns.pop(place, None)
                    self._troubles.back(place)
                elif now_ns - self._down_since_ns.setdefault(place, now_ns) >= STUCK_NS:
                    why = msg(
                        "the buzzer of seat {n} stays pressed: release it, or see `companion doctor`", n=place + 1
                    )
                    self._troubles.lost(place, why)

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_S):
            self._heartbeat.beat()
            try:
                self.look()
            except Exception as error:  # noqa: BLE001  whatever ends this thread would leave the buzzers unwatched
                self._failed(error)
