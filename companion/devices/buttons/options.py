"""The section [buttons] of `table.toml`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.core.errors import OptionError
from companion.core.options import option
from companion.core.place import MOST_PLACES, Place, by_place
from companion.core.text import msg
from companion.devices.driver import DeviceOptions, Part

_NAME: Final = re.compile(r".+ (buzz[1-4]|\d{1,3})")


def split(name: str) -> tuple[str, str]:
    """Split a button's name into its device and its key."""
    device, _, key = name.rpartition(" ")
    return device, key


def is_handset(name: str) -> bool:
    return split(name)[1].startswith("buzz")


@dataclass(frozen=True)
class ButtonWiring(DeviceOptions):
    """Buttons that Linux shows as input devices: Buzz! controllers, gamepads, pedals."""

    ask: bool = option(False, msg("whether the table asks whose each button is, and stores the answers in seats"))
    seats: tuple[str, ...] = option(
        (),
        msg(
            "each seat's button, clockwise, as the table stores it: path (usb-...) or serial number, then buzz1 to "
            'buzz4 or a key\'s number; "": it has none'
        ),
    )

    @property
    def bound(self) -> dict[Place, str]:
        return {place: name for place, name in by_place(self.seats) if name}

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        return {place: _part(name) for place, name in self.bound.items()}

    @property
    def lamps(self) -> Mapping[Place, Part]:
        return {place: _part(name) for place, name in self.bound.items() if is_handset(name)}

    def check(self, where: str) -> None:
        """Raise OptionError for too many seats, duplicates, or malformed names."""
        if len(self.seats) > MOST_PLACES:
            raise OptionError(msg("{where}: [buttons]: seats: allowed: up to 5 buttons, one a seat", where=where))
        for place, name in self.bound.items():
            if not _NAME.fullmatch(name):
                raise OptionError(
                    msg(
                        "{where}: [buttons]: seats: {name!r}; allowed: a path or serial number, a space, then "
                        "buzz1 to buzz4 or a key's number",
                        where=where,
                        name=name,
                    )
                )
            if name in self.seats[:place]:
                raise OptionError(
                    msg(
                        "{where}: [buttons]: seats: {name!r} has two seats, {one} and {other}; give it one",
                        where=where,
                        name=name,
                        one=self.seats.index(name) + 1,
                        other=place + 1,
                    )
                )


def _part(name: str) -> Part:
    mend = msg("Plug it into the same socket as before, or choose Buttons in the menu: it asks whose each is")
    return Part(msg("button {name}", name=name), mend, "buttons", "seats", f'"{name}"')
