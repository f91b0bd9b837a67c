"""All drivers: built-in ones and entry points in the group `companion.drivers`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from companion.core.options import defaults
from companion.core.plugins import PLUGINS, entry_points_of, load_point, origin
from companion.core.text import Text, msg
from companion.devices import line_driver
from companion.devices.buttons import driver as buttons
from companion.devices.driver import DeviceOptions, Driver
from companion.devices.keypads import driver as pads
from companion.devices.phones import driver as phones
from companion.devices.pods import driver as pods

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "companion.drivers"

OURS: Final = (line_driver.DRIVER, pads.DRIVER, pods.DRIVER, phones.DRIVER, buttons.DRIVER)


@cache
def all_drivers() -> tuple[Driver, ...]:
    """Return all drivers, built-in ones first. PLUGINS has the unusable ones."""
    return (*OURS, *(installed(entry_points_of(GROUP)) if PLUGINS.wanted else ()))


def installed(points: "Iterable[EntryPoint]") -> Iterator[Driver]:
    """Yield usable drivers of entry points. A section belongs to its first driver."""
    taken = {section: driver.name for driver in OURS for section in driver.sections}
    for point in sorted(points, key=lambda point: point.name):
        driver = PLUGINS.guarded(partial(_loaded, point, taken), partial(_refusal, point))
        if driver is not None:
            taken |= dict.fromkeys(driver.sections, driver.name)
            yield driver


def _refusal(point: "EntryPoint", why: str) -> Text:
    return msg("the driver {where} cannot be used: {why}", where=f"{point.name} = {origin(point)}", why=why)


def _loaded(point: "EntryPoint", taken: Mapping[str, str]) -> Driver:
    """Load a driver. Raise TypeError or ValueError if it is unusable."""
    driver = load_point(point)
    if not isinstance(driver, Driver):
        raise TypeError(f"it is no Driver but {driver!r}")
    if driver.name != point.name:
        raise ValueError(f"it calls itself {driver.name!r}")
    for section, options in driver.sections.items():
        if section in taken:
            raise ValueError(f"the section [{section}] is that of the driver {taken[section]!r}")
        if not (is_dataclass(options) and issubclass(options, DeviceOptions)):
            raise TypeError(f"the options of [{section}] are no dataclass of DeviceOptions")
        defaults(options)  # reading any table.toml needs them
    return driver
