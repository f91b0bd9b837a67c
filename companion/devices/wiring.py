"""The options of all devices from `table.toml`."""

from collections import ChainMap
from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

from companion.core.errors import OptionError
from companion.core.limits import LINE_NUMBER
from companion.core.place import Place
from companion.core.text import Text, msg
from companion.devices.driver import DeviceOptions, Part

T = TypeVar("T", bound=DeviceOptions)


def device_sections() -> dict[str, type[Any]]:
    from companion.devices.drivers import all_drivers  # noqa: PLC0415  a table that wires nothing waits for none

    return {name: options for driver in all_drivers() for name, options in driver.sections.items()}


class Wiring:
    """The options of all sections: `given` ones, and defaults for the others.

    If two have a buzzer or lamp for a place, the later driver's counts.
    """

    def __init__(self, *given: DeviceOptions) -> None:
        self._given = {type(options): options for options in given}

    @cached_property
    def options(self) -> tuple[DeviceOptions, ...]:
        defaults = {options: options() for options in device_sections().values()}
        return tuple((defaults | self._given).values())

    def of(self, section: type[T]) -> T:
        found = self._given.get(section)
        return found if isinstance(found, section) else section()

    def but(self, *changed: DeviceOptions) -> "Wiring":
        return Wiring(*self._given.values(), *changed)

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        return ChainMap(*(dict(options.buzzers) for options in reversed(self.options)))

    @property
    def lamps(self) -> Mapping[Place, Part]:
        return ChainMap(*(dict(options.lamps) for options in reversed(self.options)))

    @property
    def controls(self) -> Mapping[str, Part]:
        return ChainMap(*(dict(options.controls) for options in reversed(self.options)))

    @property
    def keypad_places(self) -> frozenset[Place]:
        return frozenset(place for options in self.options for place in options.keypad_places)

    @property
    def lines(self) -> list[tuple[Text, int]]:
        return [line for options in self.options for line in options.lines]

    def check(self, where: str) -> None:
        """Validate all sections and lines. Raise OptionError naming `where`."""
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
                        "{where}: line {pin} is used twice: {one} and {other}; give each its own. Without a "
                        "device: pins = [], or -1",
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
