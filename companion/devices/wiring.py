"""The drivers of a table, and what `table.toml` says of all their devices.

Ours are here; another one is found by an entry point of the group `companion.drivers`, whose name is the driver's.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache, partial
from importlib.metadata import EntryPoint
from typing import Any, Final, TypeVar, cast

from companion.core.errors import OptionError
from companion.core.limits import LINE_NUMBER
from companion.core.others import OTHERS, entry_points_of
from companion.core.place import Place
from companion.core.text import Text, msg
from companion.devices import lines
from companion.devices.driver import DeviceOptions, Driver, Part
from companion.devices.keypads import usb_pads
from companion.devices.phones import phones
from companion.devices.pods import pods

GROUP: Final = "companion.drivers"

OURS: Final = (lines.DRIVER, usb_pads.DRIVER, pods.DRIVER, phones.DRIVER)

T = TypeVar("T", bound=DeviceOptions)


@cache
def all_drivers() -> tuple[Driver, ...]:
    """Return every driver: ours, and those that are installed; OTHERS says which cannot be used, and why."""
    return (*OURS, *(installed(entry_points_of(GROUP)) if OTHERS.wanted else ()))


def installed(points: Iterable[EntryPoint]) -> Iterator[Driver]:
    """Return the drivers of entry points; one that is none, or whose section is taken, is left out."""
    taken = {section: driver.name for driver in OURS for section in driver.sections}
    for point in sorted(points, key=lambda point: point.name):
        driver = OTHERS.guarded(partial(_loaded, point, taken), partial(_refusal, point))
        if driver is not None:
            taken |= dict.fromkeys(driver.sections, driver.name)
            yield driver


def _refusal(point: EntryPoint, why: str) -> Text:
    where = f"{point.name} = {point.value} ({point.dist.name if point.dist else GROUP})"
    return msg("the driver {where} cannot be used: {why}", where=where, why=why)


def _loaded(point: EntryPoint, taken: Mapping[str, str]) -> Driver:
    driver = point.load()
    _check(driver, point.name, taken)
    return cast("Driver", driver)


def _check(driver: object, name: str, taken: Mapping[str, str]) -> None:
    """Raise TypeError or ValueError for what is no driver of that name with sections of its own."""
    if not isinstance(driver, Driver):
        raise TypeError(f"it is no Driver but {driver!r}")
    if driver.name != name:
        raise ValueError(f"it calls itself {driver.name!r}")
    for section, options in driver.sections.items():
        if section in taken:
            raise ValueError(f"the section [{section}] is that of the driver {taken[section]!r}")
        if not (is_dataclass(options) and issubclass(options, DeviceOptions)):
            raise TypeError(f"the options of [{section}] are no dataclass of DeviceOptions")
        options()  # its defaults are asked for whenever a table.toml is read


def device_sections() -> dict[str, type[Any]]:
    """Return the sections of all drivers by their names, with the dataclass whose fields are their options."""
    return {name: options for driver in all_drivers() for name, options in driver.sections.items()}


class Wiring:
    """The options of all device sections: those `given`, and the defaults of the others.

    Where two sections give a place a buzzer or a lamp, the later driver's counts.
    """

    def __init__(self, *given: DeviceOptions) -> None:
        defaults = {options: options() for options in device_sections().values()}
        self.options: tuple[DeviceOptions, ...] = tuple(
            (defaults | {type(options): options for options in given}).values()
        )

    def of(self, section: type[T]) -> T:
        """Return the options of a section, by their class."""
        return next((options for options in self.options if type(options) is section), section())

    def but(self, *changed: DeviceOptions) -> "Wiring":
        """Return the same with some sections changed."""
        return Wiring(*self.options, *changed)

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        """The buzzers, by place."""
        return ChainMap(*(dict(options.buzzers) for options in reversed(self.options)))

    @property
    def lamps(self) -> Mapping[Place, Part]:
        """The lamps, by place."""
        return ChainMap(*(dict(options.lamps) for options in reversed(self.options)))

    @property
    def controls(self) -> Mapping[str, Part]:
        """The buttons of the house, by their control."""
        return ChainMap(*(dict(options.controls) for options in reversed(self.options)))

    @property
    def keypad_places(self) -> frozenset[Place]:
        """The places that have a keypad; HOUSE is the house's."""
        return frozenset(place for options in self.options for place in options.keypad_places)

    @property
    def lines(self) -> list[tuple[Text, int]]:
        """What each line of the GPIO chip is for, as `table.toml` names it, and its number."""
        return [line for options in self.options for line in options.lines]

    def check(self, where: str) -> None:
        """Raise OptionError naming `where` for what a section may not say, or a line that is used twice."""
        for options in self.options:
            options.check(where)
        taken: dict[int, Text] = {}
        for use, pin in self.lines:
            if pin > LINE_NUMBER:
                raise OptionError(
                    msg(
                        "{where}: {one}: line {pin}; allowed: up to {most}",
                        where=where,
                        one=use,
                        pin=pin,
                        most=LINE_NUMBER,
                    )
                )
            if pin in taken:
                raise OptionError(
                    msg(
                        "{where}: line {pin} is used twice: {one} and {other}; give each its own",
                        where=where,
                        pin=pin,
                        one=taken[pin],
                        other=use,
                    )
                )
            taken[pin] = use

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wiring) and self.options == other.options

    def __hash__(self) -> int:
        return hash(self.options)

    def __repr__(self) -> str:
        return f"Wiring{self.options!r}"
