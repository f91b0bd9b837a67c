"""All real devices of a table, presented as one device."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from companion.core.clock import Clock
from companion.core.console import BUZZ, Lamp
from companion.core.errors import CompanionError
from companion.core.heartbeat import Heartbeat
from companion.core.inbox import Inbox
from companion.core.place import HOUSE, PictureSize, Place, ScreenSize, TouchArea
from companion.core.plugins import PLUGINS, why_of
from companion.core.signal import ASKED, PLUG, UNPLUG, Signal
from companion.core.text import Text, msg
from companion.devices.driver import Device, Driver
from companion.devices.drivers import OURS, all_drivers
from companion.devices.errors import DeviceError
from companion.devices.floods import Floods
from companion.devices.pairing import PairedDevice
from companion.devices.plugs import Plugs
from companion.devices.wiring import Wiring
from companion.referee.arbiter import SETTLE_MOST_NS

T = TypeVar("T", bound=Device)

log = logging.getLogger(__name__)


class Hardware(Device):
    """The devices of `table.toml`. They report into `inbox` from their own threads.

    If several have a buzzer at a place, only the last driver's counts. So a pod replaces a wired buzzer.
    """

    def __init__(
        self, wiring: Wiring, inbox: Inbox, clock: Clock, drivers: Callable[[], Iterable[Driver]] = all_drivers
    ) -> None:
        """Open everything. If that fails, close it again and raise DeviceError."""
        self.playing: Collection[Place] | None = None
        """Places whose devices a verdict waits for; None means all. An unused phone may be asleep."""
        self._waited: dict[Place, str] = {}  # sources of lost phones beside a button
        self._inbox = inbox
        self._plugs = Plugs(self._put)
        self._floods = Floods(self._device, self._heed, clock)
        self.drivers = tuple(drivers())
        self._opened_by: dict[str, list[Device]] = {}
        # The last driver is opened first, so it counts before earlier ones report.
        self._clock = clock
        self._devices: list[Device] = []
        with ExitStack() as opened:
            for driver in reversed(self.drivers):
                of_driver = self._opened_by.setdefault(driver.name, [])
                with _left_out(driver):
                    for device in driver.open(wiring, self._deliver, clock):
                        opened.callback(device.close)
                        self._devices.append(device)
                        of_driver.append(device)
            for device in self._devices:
                device.watch()
            self._floods.watch()
            opened.callback(self._floods.close)  # ends first, since it calls devices
            self._opened = opened.pop_all()

    def of(self, kind: type[T]) -> T | None:
        return next((device for device in self._devices if isinstance(device, kind)), None)

    @property
    def paired(self) -> list[PairedDevice]:
        return [device for device in self._devices if isinstance(device, PairedDevice)]

    def opened_by(self, driver: Driver) -> list[Device]:
        return self._opened_by.get(driver.name, [])

    @property
    def notice(self) -> Text | None:
        return next((device.notice for device in self._devices if device.notice), None)

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(sorted({place for device in self._devices for place in device.places}))

    @property
    def full_places(self) -> frozenset[Place]:
        """Places with a device beside which a phone has nothing to do."""
        return frozenset(place for device in self._devices if not device.joins_phones for place in device.places)

    @property
    def screen_places(self) -> frozenset[Place]:
        return frozenset(place for device in self._devices for place in device.screen_places)

    @property
    def picture_sizes(self) -> dict[Place, PictureSize]:
        """Places where the only private screen shows pictures."""
        return {
            place: size
            for device in self._devices
            for place, size in device.picture_sizes.items()
            if not any(place in other.screen_places for other in self._devices if other is not device)
        }

    @property
    def settle_ns(self) -> int:
        return max((device.settle_ns for device in self._heard()), default=0)

    @property
    def settle_most_ns(self) -> int:
        return max((device.settle_most_ns for device in self._heard()), default=SETTLE_MOST_NS)

    def settled_ns(self, now_ns: int) -> int:
        return min((device.settled_ns(now_ns) for device in self._heard()), default=now_ns)

    def race(self, *, on: bool) -> None:
        for device in self._devices:
            device.race(on=on)

    @property
    def troubles(self) -> dict[Place, Text]:
        return {
            place: why
            for device in reversed(self._devices)
            for place, why in {**device.troubles, **self._floods.troubles(device)}.items()
            if place not in device.places
            or self._caller(place) is device
            or self._waited.get(place) == device.source
        }

    def wait_for_keys(self, due: Callable[[], Collection[Place]]) -> None:
        """Report a phone beside a button as lost only while keys are due from its place."""
        if not any(device.joins_phones for device in self._devices):
            return
        lost = {
            place: device.source
            for device in self._devices
            for place in device.troubles
            if place in device.screen_places and self._is_beside_button(device.source, place)
        }
        if not (lost or self._waited):
            return
        places = due()
        was, self._waited = self._waited, {place: source for place, source in lost.items() if place in places}
        for place, source in was.items() ^ self._waited.items():
            control = UNPLUG if place in self._waited else PLUG
            now_ns = self._clock.now_ns()
            self._plugs.put(Signal(source, place, control, now_ns, 0, now_ns))

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [heartbeat for device in self._devices for heartbeat in device.heartbeats]

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return unhandled buzzer edges, then a LEVEL signal per buzzer."""
        levels = [
            level
            for device in self._devices
            for level in device.flush(now_ns)  # this also fills the inbox
            if self._caller(level.place) is device and not self._floods.holds(level.source, level.place)
        ]
        callers = {place: device.source for device in reversed(self._devices) for place in device.places}
        waiting = [signal for signal in self._inbox.waiting() if signal.control == BUZZ]
        return [*(signal for signal in waiting if callers.get(signal.place) == signal.source), *levels]

    def look(self) -> None:
        self._floods.look()

    def show(self, place: Place, lamp: Lamp) -> None:
        for device in self._devices:
            with _told_only():
                device.show(place, lamp)

    def screen_size(self, place: Place) -> ScreenSize:
        """Return the smallest size of a place's private screens."""
        sizes = [device.screen_size(place) for device in self._devices if place in device.screen_places]
        return ScreenSize(*map(min, zip(*sizes, strict=True))) if sizes else ScreenSize()

    def say(self, place: Place, *lines: str) -> None:
        for device in self._devices:
            device.say(place, *lines)

    def describe(self, place: Place, said: str) -> None:
        for device in self._devices:
            device.describe(place, said)

    def picture(self, place: Place, png: bytes, areas: Sequence[TouchArea] = ()) -> None:
        for device in self._devices:
            device.picture(place, png, areas)

    def sound_siren(self) -> None:
        for device in self._devices:
            with _told_only():
                device.sound_siren()

    def close(self) -> None:
        self._opened.close()

    def _caller(self, place: Place) -> Device | None:
        return next((device for device in self._devices if place in device.places), None)

    def _heard(self) -> Iterator[Device]:
        """Yield the devices that count for a player."""
        for device in self._devices:
            places = [place for place in device.places if self.playing is None or place in self.playing]
            if not device.places or any(self._caller(place) is device for place in places):
                yield device

    def _device(self, source: str) -> Device | None:
        return next((device for device in self._devices if device.source == source), None)

    def _deliver(self, signal: Signal) -> None:
        if self._floods.passes(signal):
            self._heed(signal)

    def _put(self, signal: Signal) -> None:
        if not self._inbox.offer(signal):
            self._floods.exceeded(signal)

    def _is_beside_button(self, source: str, place: Place) -> bool:
        caller = self._caller(place)
        return caller is not None and caller.joins_phones and caller.source != source

    def _is_replaced(self, signal: Signal, buzzers: Sequence[Device]) -> bool:
        """Return True for the rest of a device that does not call: a phone beside a button keeps its keys."""
        if signal.source not in {device.source for device in buzzers}:
            return False
        return signal.control in {PLUG, UNPLUG} or signal.place in buzzers[0].screen_places

    def _heed(self, signal: Signal) -> None:
        buzzers = [device for device in self._devices if signal.place in device.places]
        calls = not buzzers or buzzers[0].source == signal.source
        if not calls and (signal.control == BUZZ or self._is_replaced(signal, buzzers)):
            if signal.control in {PLUG, UNPLUG} and self._is_beside_button(signal.source, signal.place):
                self._put(signal._replace(place=HOUSE, control=ASKED))  # the host sees to what is due
            return
        if calls and signal.control in {PLUG, UNPLUG}:
            for rival in buzzers[1:]:
                # Do not wait for a lost buzzer that has been replaced.
                self._plugs.forget(signal.place, rival.source)
        self._plugs.put(signal)


@contextmanager
def _left_out(driver: Driver) -> Iterator[None]:
    """Report a third-party driver that fails to open, and continue without it."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, CompanionError) or driver in OURS:
            raise
        log.warning("the driver %s", driver.name, exc_info=error)
        PLUGINS.refuse(msg("the driver {name} fails: {why}", name=driver.name, why=why_of(error)))


@contextmanager
def _told_only() -> Iterator[None]:
    try:
        yield
    except DeviceError as error:
        log.warning("%s", error)
