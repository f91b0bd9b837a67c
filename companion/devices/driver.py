"""Drivers: each connects devices with buzzers, keys, lamps or private screens to the table. docs/adding-a-device.md

A table is a list of drivers. Each has its sections of `table.toml`, opens the devices that these name, and tells
the doctor what they lack.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from companion.core.clock import Clock
from companion.core.console import Lamp
from companion.core.heartbeat import Heartbeat
from companion.core.place import HOUSE, PictureSize, Place, ScreenSize, TouchArea
from companion.core.signal import Signal
from companion.core.text import Text, msg, seat_name
from companion.devices.findings import Finding, Machine
from companion.referee.arbiter import SETTLE_MOST_NS

T = TypeVar("T", bound="DeviceOptions")

Deliver = Callable[[Signal], None]
"""Takes what a device reports, in any thread."""


class Part(NamedTuple):
    """A buzzer, lamp or button: `where` it is wired, how to `mend` it, and its entry in an option of `table.toml`.

    Where all buzzers of an option are down at once, `all_down` says what may be the wrong way round.
    """

    where: Text
    mend: Text
    section: str
    key: str
    entry: str
    all_down: Text | None = None


class DeviceOptions:
    """The options of a section, a frozen dataclass, and what a table has by them: nothing, unless it says so."""

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        """The buzzers, by place."""
        return {}

    @property
    def lamps(self) -> Mapping[Place, Part]:
        """The lamps, by place."""
        return {}

    @property
    def keypad_places(self) -> Collection[Place]:
        """The places that have a keypad; HOUSE is the house's."""
        return ()

    @property
    def controls(self) -> Mapping[str, Part]:
        """The buttons of the house, by their control."""
        return {}

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        """The use and number of each line of the GPIO chip; no other device may use it."""
        return ()

    def check(self, where: str) -> None:
        """Raise OptionError naming `where`, the file, for what the declarations of the options cannot exclude."""


class Sections(Protocol):
    """The options of `table.toml`, as far as drivers need them."""

    def of(self, section: type[T], /) -> T:
        """Return the options of a section, by their class."""

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        """The use and number of each line of the GPIO chip."""


class Device:
    """A device that a driver has opened, as a match uses it. A subclass overrides what its device has."""

    source = ""
    """The source of its signals."""

    @property
    def places(self) -> Collection[Place]:
        """The places that have a buzzer of this device."""
        return ()

    @property
    def screen_places(self) -> Collection[Place]:
        """The places that have a private screen of this device."""
        return ()

    def screen_size(self, place: Place) -> ScreenSize:
        """Return how much room a place's private screen has now."""
        return ScreenSize()

    @property
    def picture_sizes(self) -> Mapping[Place, PictureSize]:
        """The places whose private screen shows pictures, and how large they are there."""
        return {}

    @property
    def settle_ns(self) -> int:
        """How long after the earliest moment at which it may have been a press of a race is reported."""
        return 0

    @property
    def settle_most_ns(self) -> int:
        """How long a verdict waits for it at most; only what comes over a network asks for more."""
        return SETTLE_MOST_NS

    @property
    def notice(self) -> Text | None:
        """A sentence that people should read before they play."""
        return None

    @property
    def troubles(self) -> Mapping[Place, Text]:
        """The faults, by place. Each change is also reported, as UNPLUG and PLUG of the place."""
        return {}

    @property
    def heartbeats(self) -> Sequence[Heartbeat]:
        """The signs of life of its threads."""
        return ()

    def watch(self) -> None:
        """Begin to report; all devices of the table are open."""

    def flooded(self, place: Place) -> Text:
        """Say what is wrong with the device of a place that reports more than anybody can press."""
        who = msg("the house") if place == HOUSE else seat_name(place)
        return too_much(msg("{who} ({kind}):", who=who, kind=self.source))

    def deafen(self, place: Place) -> None:
        """Read nothing more of a place, which reports too much; without this it is read, and not heard."""

    def listen(self, place: Place) -> None:
        """Read a place again."""

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened has been reported by now."""
        return now_ns - self.settle_ns

    def race(self, *, on: bool) -> None:
        """Begin or end what is needed only while a race is open.

        Nothing that it sends meanwhile may depend on a press: another player's device would hear of that.
        """

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Report what waits to be read, and return a level reading of every buzzer that works."""
        return ()

    def show(self, place: Place, lamp: Lamp) -> None:
        """Switch one place's lamp, if it is one of this device. Raise DeviceError."""

    def say(self, place: Place, *lines: str) -> None:
        """Show as many lines on a place's private screen as it has, if it is one of this device."""

    def describe(self, place: Place, said: str) -> None:
        """Describe a place's picture, for people who cannot see it and until it has arrived."""

    def picture(self, place: Place, png: bytes, areas: Sequence[TouchArea] = ()) -> None:
        """Show another picture on a place's private screen, with what may be touched; b"" removes it."""

    def sound_siren(self) -> None:
        """Sound the siren, if it has one. Raise DeviceError."""

    def close(self) -> None:
        """Release everything; lamps go out. Nothing is reported after it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def too_much(what: Text) -> Text:
    """Return the message for a device that reports more than anybody can press."""
    return msg("{what} reports more than anybody can press, and is not heard until it is quiet", what=what)


def find_nothing(sections: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    """Find nothing: the default of drivers without checks."""
    return ()


class Driver(NamedTuple):
    """A kind of devices, by the name of its entry point.

    `sections` are those of `table.toml` that it reads, by their names. `open` yields each device as soon as it is
    open, so that those before it are closed when it raises DeviceError; it yields none where table.toml names none.
    `look` yields what the doctor finds; `opened` are the driver's devices where the table runs that asks.
    """

    name: str
    sections: Mapping[str, type[DeviceOptions]]
    open: Callable[[Sections, Deliver, Clock], Iterable[Device]]
    look: Callable[[Sections, Machine, Sequence[Device]], Iterable[Finding]] = find_nothing
