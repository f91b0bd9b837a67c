"""The driver interface, for built-in and third-party devices. See docs/adding-a-device.md."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol, Self, TypeVar

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
"""Accepts a signal from any thread."""


class Part(NamedTuple):
    """A buzzer, lamp or button, as the doctor describes it.

    `where` says where it is wired, `mend` how to fix it. `entry` is its value in the option `key` of `section`.
    `all_down` explains why all buzzers of the option may read as pressed.
    """

    where: Text
    mend: Text
    section: str
    key: str
    entry: str
    all_down: Text | None = None


class DeviceOptions:
    """The options of one section: a frozen dataclass. Its properties say what the section configures."""

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        """Buzzers by place."""
        return {}

    @property
    def lamps(self) -> Mapping[Place, Part]:
        """Lamps by place."""
        return {}

    @property
    def keypad_places(self) -> Collection[Place]:
        """Places with a keypad. HOUSE is the house's."""
        return ()

    @property
    def controls(self) -> Mapping[str, Part]:
        """The house's buttons, by control."""
        return {}

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        """GPIO lines in use, as (use, number). No line may be used twice."""
        return ()

    def check(self, where: str) -> None:
        """Raise OptionError, naming the file `where`, for values that the declarations cannot exclude."""


class Sections(Protocol):
    """The device sections of `table.toml`."""

    def of(self, section: type[T], /) -> T:
        """Return the options of a section."""

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        """GPIO lines of all sections, as (use, number)."""


class Device:
    """An open device. Subclasses override what their device has; the defaults do nothing.

    It may report from any thread, and its methods are called from several: by the match, the flood watch, the
    thread that draws pictures, and threads that report (`places`, `flooded`).
    """

    source = ""
    """The source of its signals, unique among all devices."""

    @property
    def places(self) -> Collection[Place]:
        """Places with a buzzer of this device."""
        return ()

    joins_phones: ClassVar[bool] = False
    """Whether a phone may show secrets and take keys at its places. The device calls."""

    @property
    def screen_places(self) -> Collection[Place]:
        """Places with a private screen of this device."""
        return ()

    def screen_size(self, place: Place) -> ScreenSize:
        """Return the size of a place's private screen."""
        return ScreenSize()

    @property
    def picture_sizes(self) -> Mapping[Place, PictureSize]:
        """Places whose private screen shows pictures, with their size."""
        return {}

    @property
    def settle_ns(self) -> int:
        """How long after its earliest possible time a press may be reported."""
        return 0

    @property
    def settle_most_ns(self) -> int:
        """The longest that a verdict waits. Only network devices need more."""
        return SETTLE_MOST_NS

    @property
    def notice(self) -> Text | None:
        """A warning for players before a match."""
        return None

    @property
    def troubles(self) -> Mapping[Place, Text]:
        """Faults by place. Each change is also reported, as UNPLUG or PLUG."""
        return {}

    @property
    def heartbeats(self) -> Sequence[Heartbeat]:
        """The heartbeats of its threads."""
        return ()

    def watch(self) -> None:
        """Start reporting. All devices are open by now."""

    def flooded(self, place: Place) -> Text:
        """Return the message for a place that exceeds its rate limit."""
        who = msg("the house") if place == HOUSE else seat_name(place)
        return too_much(msg("{who} ({kind}):", who=who, kind=self.source))

    def deafen(self, place: Place) -> None:
        """Stop reading a place that floods. Its signals are dropped in any case."""

    def listen(self, place: Place) -> None:
        """Read a place again."""

    def settled_ns(self, now_ns: int) -> int:
        """Return the time up to which everything has been reported by now."""
        return now_ns - self.settle_ns

    def race(self, *, on: bool) -> None:
        """Start or stop what is needed only during a race. Nothing sent meanwhile may depend on a press."""

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Report everything that waits to be read. Return a LEVEL signal per working buzzer."""
        return ()

    def show(self, place: Place, lamp: Lamp) -> None:
        """Set the lamp of a place, if it is this device's; the device blinks it. Raise DeviceError."""

    def say(self, place: Place, *lines: str) -> None:
        """Show lines on a private screen, as many as fit, if it is this device's."""

    def describe(self, place: Place, said: str) -> None:
        """Describe a place's picture, for blind players and until it has arrived."""

    def picture(self, place: Place, png: bytes, areas: Sequence[TouchArea] = ()) -> None:
        """Replace a place's picture and touch areas. b"" removes it."""

    def sound_siren(self) -> None:
        """Sound the siren, if there is one. Raise DeviceError."""

    def close(self) -> None:
        """Release everything and switch the lamps off. Nothing is reported afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def too_much(what: Text) -> Text:
    """Return the message for a device that reports more than anybody can press."""
    return msg("{what} sends too many presses and is ignored until it is quiet", what=what)


def find_nothing(sections: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    """Find nothing: the default of drivers without checks."""
    return ()


class Driver(NamedTuple):
    """A kind of device, named like its entry point.

    `sections` are its sections of `table.toml`. `open` yields each device as soon as it is open, and none if
    `table.toml` names none. If it raises DeviceError, earlier devices are closed. `look` yields the doctor's
    findings; `opened` has this driver's devices if the table is running.
    """

    name: str
    sections: Mapping[str, type[DeviceOptions]]
    open: Callable[[Sections, Deliver, Clock], Iterable[Device]]
    look: Callable[[Sections, Machine, Sequence[Device]], Iterable[Finding]] = find_nothing
