"""Watches over the buzzers: signals from their edges and levels, and what is told when they fail or stick."""

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
"""How often the watch looks: a second is soon enough for what a person has to mend."""

STUCK_NS: Final = 10_000_000_000
"""A button that is down for this long is leant on, taped or broken: nobody can call with it."""

Open = Callable[[OnEdge, Failed], Source]
"""Opens a source. Raises CompanionError or OSError."""

log = logging.getLogger(__name__)


class Buzzers(Device):
    """All buzzers of a table. Their signals go to `deliver`, from the source's thread or the watch's.

    A place whose buzzer fails or sticks is told as unplugged, with the reason in `troubles`, and as plugged in when
    it works again; a source that fails is opened again, at each look, until it works.
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
        self._lock = threading.RLock()  # over what is known of the places
        self._using = threading.Lock()  # over the source: it is not exchanged while somebody reads it
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
        """The signs of life of the watch, and of the source unless it has failed, which was told."""
        return [self._heartbeat, *([] if self._broken else self._source.heartbeats)]

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="buzzer watch", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Look after the source: open it again when it failed, and tell which buzzers stick."""
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
        """Report what waits to be read; return a level reading of every buzzer that works."""
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
        """Say what is wrong with a buzzer that reports more than a finger can do."""
        return msg(
            "the buzzer of seat {n} chatters: a wire is loose, or has no pull resistor. See `companion doctor`",
            n=place + 1,
        )

    def deafen(self, place: Place) -> None:
        """Read no edge of a place; its level is still looked at."""
        self._ask(lambda: self._source.deafen(place))

    def listen(self, place: Place) -> None:
        self._ask(lambda: self._source.listen(place))

    def close(self) -> None:
        """End the watch and let the lines go."""
        self._stop.set()
        if self._thread:
            self._thread.join()
        self._source.close()

    def _report(self, edge: Edge) -> None:
        """Deliver an edge; what goes wrong with it must not reach the thread of a library, which would end."""
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
        """Ask something of a source that works."""
        with self._using:
            if not self._broken:
                try:
                    ask()
                except (OSError, CompanionError) as error:
                    self._failed(error)

    def _failed(self, error: Exception) -> None:
        """Tell that no buzzer can be trusted any more, because of an error that may come from anywhere."""
        if isinstance(error, OSError):
            error = explain(error, str(msg("the buzzers")))
        text = msg("the buzzers: an internal error; the details are in the log")
        if isinstance(error, CompanionError):
            text = error.text
        with self._lock:  # at once: as soon as the watch knows, it opens the source again and tells that it is back
            if self._broken:
                return  # which was told
            self._broken = True
            for place in self.places:
                self._troubles.lost(place, text)
        if isinstance(error, CompanionError):
            log.warning("%s", error)
        else:
            log.error("the buzzers (%s)", self.source, exc_info=error)

    def _opened_again(self) -> bool:
        """Open the source again; until that works, keep the reason that was told first."""
        try:
            self._source.close()
            with self._lock:
                self._broken = False  # a source that fails at once says so while it is opened
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
        """Tell which buzzers stick, and which work again."""
        now_ns = self._clock.now_ns()
        with self._lock:
            if self._broken:
                return  # meanwhile, and nothing is known of them any more
            for place, down in levels.items():
                if not down:
                    self._down_since_ns.pop(place, None)
                    self._troubles.back(place)
                elif now_ns - self._down_since_ns.setdefault(place, now_ns) >= STUCK_NS:
                    why = msg(
                        "the buzzer of seat {n} stays pressed: let it go, or see `companion doctor`", n=place + 1
                    )
                    self._troubles.lost(place, why)

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_S):
            self._heartbeat.beat()
            try:
                self.look()
            except Exception as error:  # noqa: BLE001  whatever ends this thread would leave the buzzers unwatched
                self._failed(error)
