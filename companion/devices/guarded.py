"""Drivers of others, each asked in a guard: one that raises is named and unplugged, and stops nothing else.

One without a buzzer or keypad is not waited for: it is named where people look for what is left out.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from companion.core.clock import Clock
from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.errors import CompanionError, nearest
from companion.core.place import HOUSE, MOST_PLACES, PictureSize, Place, ScreenSize, each_place
from companion.core.plugins import PLUGINS, why_of
from companion.core.pulse import Pulse
from companion.core.signal import FLOOD, LOST, PLUG, UNPLUG, Signal
from companion.core.text import Text, msg
from companion.devices.driver import Deliver, Device, Driver
from companion.devices.drivers import OURS
from companion.devices.errors import DeviceError
from companion.devices.findings import Finding, Machine, Severity
from companion.devices.wiring import Wiring
from companion.referee.arbiter import SETTLE_MOST_NS

PLACES: Final = frozenset({HOUSE, *each_place(MOST_PLACES)})
PRESSED: Final = frozenset({BUZZ, *KEYS, *HOUSE_CONTROLS})
CONTROLS: Final = PRESSED | {PLUG, UNPLUG, LOST, FLOOD}

T = TypeVar("T")

log = logging.getLogger(__name__)


def opened_by(driver: Driver, wiring: Wiring, deliver: Deliver, clock: Clock) -> Iterator[Device]:
    """Yield what a driver opens; what one of others opens is guarded. Raise DeviceError."""
    if driver in OURS:
        yield from driver.open(wiring, deliver, clock)
        return
    sources = set[str]()
    deliver = _of_the_table(driver, sources, deliver)
    try:
        for device in driver.open(wiring, deliver, clock):
            guarded = Guarded(device, driver, _places(driver, wiring), deliver, clock)
            sources |= {guarded.source} - {""}
            yield guarded
    except CompanionError:
        raise
    except (Exception, SystemExit) as error:
        log.warning("the driver %s", driver.name, exc_info=error)
        PLUGINS.refuse(_failure(driver, error))


def _of_the_table(driver: Driver, sources: Collection[str], deliver: Deliver) -> Deliver:
    """Return what passes on reports of a table's places and controls; a driver that reports of others is named.

    Nor may it report by another source than those of its devices, which are known as soon as they are open.
    """

    def heed(signal: Signal) -> None:
        if signal.place in PLACES and signal.control in CONTROLS and signal.source in sources:
            deliver(signal)
        elif signal.place in PLACES and signal.control in CONTROLS:
            PLUGINS.refuse(
                msg(
                    "the driver {name} reports by the source {source!r}, which none of its devices has",
                    name=driver.name,
                    source=signal.source,
                )
            )
        elif signal.place in PLACES:
            PLUGINS.refuse(
                msg(
                    "the driver {name} reports the control {control!r}; {near}",
                    name=driver.name,
                    control=signal.control,
                    near=nearest(str(signal.control), PRESSED),
                )
            )
        else:
            PLUGINS.refuse(
                msg(
                    "the driver {name} reports of the place {place!r}; allowed: 0 to {last}, and -1 for the house",
                    name=driver.name,
                    place=signal.place,
                    last=MOST_PLACES - 1,
                )
            )

    return heed


def looked_at(driver: Driver, wiring: Wiring, machine: Machine, opened: Sequence[Device]) -> Iterator[Finding]:
    """Yield what a driver finds; that one of others fails meanwhile is a finding, too."""
    try:
        yield from driver.look(wiring, machine, opened)
    except (Exception, SystemExit) as error:
        if driver in OURS:
            raise
        log.debug("the driver %s", driver.name, exc_info=error)
        remedy = msg("Mend it, or take it away; until then everything else runs without it")
        yield Finding(msg("of others"), Severity.BAD, _failure(driver, error), remedy)


def _places(driver: Driver, wiring: Wiring) -> frozenset[Place]:
    """Return the places at which a driver's buzzers and keypads are missed."""
    sections = [options for options in wiring.options if type(options) in driver.sections.values()]
    return frozenset(place for options in sections for place in (*options.buzzers, *options.keypad_places))


def _failure(driver: Driver, error: BaseException) -> Text:
    why = error.text if isinstance(error, CompanionError) else why_of(error)
    return msg("the driver {name} fails: {why}", name=driver.name, why=why)


class Guarded(Device):
    """A device of others. While it raises, its `missed` places are lost: it is asked again now and then."""

    def __init__(
        self, device: Device, driver: Driver, missed: frozenset[Place], deliver: Deliver, clock: Clock
    ) -> None:
        if not isinstance(device, Device):
            raise TypeError(f"it opens {device!r}, which is no Device")
        self.device = device
        self._driver = driver
        self._missed: frozenset[Place] = frozenset()
        self._deliver = deliver
        self._clock = clock
        self._failure: Text | None = None
        self._fails = False  # since it was to listen again
        self._closed = False
        self.source = self._ask(lambda: device.source, driver.name)
        self._missed = missed.union(self.places)

    def leave_out(self) -> None:
        """Close it, since another device has its source: what it reports would be taken for that of the other."""
        PLUGINS.refuse(
            msg(
                "the driver {name} opens a device whose source is {source!r}, as that of another one: it is left "
                "out",
                name=self._driver.name,
                source=self.source,
            )
        )
        self.close()

    @property
    def places(self) -> Collection[Place]:
        """The places that have a buzzer of it."""
        return self._ask(lambda: tuple(self.device.places), ())

    @property
    def screen_places(self) -> Collection[Place]:
        """The places that have a private screen of it."""
        return self._ask(lambda: tuple(self.device.screen_places), ())

    @property
    def picture_sizes(self) -> Mapping[Place, PictureSize]:
        """The places whose private screen of it shows pictures."""
        return self._ask(lambda: dict(self.device.picture_sizes), {})

    @property
    def settle_ns(self) -> int:
        """How late it reports a press."""
        return self._ask(lambda: self.device.settle_ns, 0)

    @property
    def settle_most_ns(self) -> int:
        """How long a verdict waits for it at most."""
        return self._ask(lambda: self.device.settle_most_ns, SETTLE_MOST_NS)

    @property
    def notice(self) -> Text | None:
        """What people should know of it."""
        return self._ask(lambda: self.device.notice, None)

    @property
    def troubles(self) -> Mapping[Place, Text]:
        """What it says does not work, by place."""
        return self._ask(lambda: dict(self.device.troubles), {})

    @property
    def pulses(self) -> Sequence[Pulse]:
        """The signs of life of its threads."""
        return self._ask(lambda: tuple(self.device.pulses), ())

    def watch(self) -> None:
        """Begin to report."""
        self._ask(self.device.watch, None)

    def flooded(self, place: Place) -> Text:
        """Say what is wrong with it: that it raises, or reports without an end."""
        return self._failure or self._ask(lambda: self.device.flooded(place), super().flooded(place))

    def deafen(self, place: Place) -> None:
        """Read nothing more of a place."""
        self._ask(lambda: self.device.deafen(place), None)

    def listen(self, place: Place) -> None:
        """Read a place again, and find out whether that works."""
        self._fails = False
        self._ask(lambda: self.device.listen(place), None)
        self.flush(self._clock.now_ns())
        if not self._fails:
            self._failure = None

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything has been reported; while it raises, nothing is waited for."""
        return self._ask(lambda: self.device.settled_ns(now_ns), now_ns)

    def race(self, *, on: bool) -> None:
        """Tell it that a race is open, or none."""
        self._ask(lambda: self.device.race(on=on), None)

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Report what waits to be read; return levels."""
        return self._ask(lambda: tuple(self.device.flush(now_ns)), ())

    def show(self, place: Place, lamp: Lamp) -> None:
        """Switch a lamp. Raise DeviceError."""
        self._switch(lambda: self.device.show(place, lamp))

    def screen_size(self, place: Place) -> ScreenSize:
        """Return how much room a private screen has."""
        return self._ask(lambda: self.device.screen_size(place), ScreenSize())

    def say(self, place: Place, *lines: str) -> None:
        """Show lines on a private screen."""
        self._ask(lambda: self.device.say(place, *lines), None)

    def describe(self, place: Place, said: str) -> None:
        """Say what a picture is of."""
        self._ask(lambda: self.device.describe(place, said), None)

    def picture(self, place: Place, png: bytes) -> None:
        """Show a picture on a private screen."""
        self._ask(lambda: self.device.picture(place, png), None)

    def sound_siren(self) -> None:
        """Sound its siren. Raise DeviceError."""
        self._switch(self.device.sound_siren)

    def close(self) -> None:
        """Close the device."""
        if not self._closed:
            self._closed = True
            self._ask(self.device.close, None)

    def _switch(self, switch: Callable[[], None]) -> None:
        """Do what a device may refuse. Raise the DeviceError by which it does."""

        def refusal() -> DeviceError | None:
            try:
                switch()
            except DeviceError as error:
                return error
            return None

        if refused := self._ask(refusal, None):
            raise refused

    def _ask(self, ask: Callable[[], T], otherwise: T) -> T:
        try:
            return ask()
        except (Exception, SystemExit) as error:
            failure = _failure(self._driver, error)
            if failure != self._failure:
                log.warning("%s", failure, exc_info=None if isinstance(error, CompanionError) else error)
        self._fails = True
        self._failure = failure
        if not self._closed:  # then nobody waits for it any more
            self._name(failure)
        return otherwise

    def _name(self, failure: Text) -> None:
        if not self._missed:
            PLUGINS.refuse(failure)
        now_ns = self._clock.now_ns()
        for place in self._missed:
            self._deliver(Signal(self.source, place, FLOOD, now_ns, 0, now_ns))


def namesakes(devices: Sequence[Device]) -> list[Guarded]:
    """Return the devices of others whose source is that of one of ours, or of another one that comes before it."""
    taken = {device.source for device in devices if not isinstance(device, Guarded)} - {""}
    found = []
    for device in devices:
        if isinstance(device, Guarded) and device.source:
            if device.source in taken:
                found.append(device)
            taken.add(device.source)
    return found
