"""USB number pads through evdev. Those with a place are grabbed, so that no other program sees their keys."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final

from companion.core.clock import Clock
from companion.core.errors import OptionError
from companion.core.options import option
from companion.core.place import HOUSE, MOST_PLACES, Place, by_place, each_place
from companion.core.text import Text, msg
from companion.devices.driver import Deliver, DeviceOptions
from companion.devices.inputs.found import Here
from companion.devices.inputs.reader import (
    DEBOUNCE_SPREAD_NS,
    TRANSFER_NS,
    Change,
    InputDevice,
    InputReader,
    open_input,
    uncertainty_ns,
)
from companion.devices.inputs.watched import Controls, Plugged, WatchedInputs
from companion.devices.keypads import keypad_of
from companion.devices.keypads.pad_keys import KEY_OF, pads_here
from companion.devices.pairing import Unit

SOURCE: Final = "usb"


@dataclass(frozen=True)
class PadWiring(DeviceOptions):
    """USB number pads, each by its USB path or serial number."""

    ask: bool = option(
        False,
        msg("whether the table asks whose each USB number pad is, and stores the answers in seats and house"),
    )
    seats: tuple[str, ...] = option(
        (),
        msg("each seat's USB number pad, clockwise, by its path (usb-...) or serial number; empty: there is none"),
    )
    house: str = option(
        "", msg("the house's USB number pad, by its path (usb-...) or serial; empty: there is none")
    )

    @property
    def bound(self) -> dict[Place, str]:
        """Path or serial number of each pad, by place."""
        bound = {HOUSE: self.house, **dict(by_place(self.seats))}
        return {place: pad for place, pad in bound.items() if pad}

    @property
    def keypad_places(self) -> Collection[Place]:
        return self.bound.keys()

    def check(self, where: str) -> None:
        """Raise OptionError for too many pads, or one pad at two places."""
        if len(self.seats) > 5:
            raise OptionError(msg("{where}: [pads]: seats: allowed: up to 5 pads, one a seat", where=where))
        for (one, pad), (two, same) in combinations(self.bound.items(), 2):
            if pad == same or pad in _without_part(same) or same in _without_part(pad):
                raise OptionError(
                    msg(
                        "{where}: [pads]: {one} and {other} have the same pad, {pad!r}; allowed: one place a pad",
                        where=where,
                        one=_entry(one),
                        other=_entry(two),
                        pad=same,
                    )
                )


def _entry(place: Place) -> Text:
    return Text("house") if place == HOUSE else msg("seats, seat {n}", n=place + 1)


def _without_part(pad: str) -> tuple[str, ...]:
    """Return a path without its interface, which may be omitted; () for a serial number."""
    path, slash, _ = pad.rpartition("/")
    return (path,) if slash else ()


def settle_ns(interval_ns: int) -> int:
    """Return the longest time from contact to report."""
    return 2 * (interval_ns + TRANSFER_NS + DEBOUNCE_SPREAD_NS)


class UsbPads(WatchedInputs):
    """The number pads of a table."""

    source = SOURCE
    section = "pads"
    thread_name = "usb keypads"
    whose: ClassVar[Text] = msg("Whose pad is this?")

    def __init__(
        self,
        bound: Mapping[Place, str],
        deliver: Deliver,
        clock: Clock,
        *,
        ask: bool = False,
        list_inputs: Callable[[], list[Here]] = pads_here,
        open_device: Callable[[Here], InputDevice] = open_input,
    ) -> None:
        """Open the pads, `bound` by path or serial number. Raise DeviceError; with `ask` a pad may be missing."""
        self._other_key_ns = 0
        super().__init__(bound, deliver, clock, ask=ask, list_inputs=list_inputs, open_device=open_device)

    @property
    def menu_line(self) -> Text | None:
        return msg("Number pads") if self._asks else None

    @property
    def pairable_places(self) -> tuple[Place, ...]:
        return (*each_place(MOST_PLACES), HOUSE)

    def units(self, since_ns: int) -> list[Unit]:
        return [
            Unit(
                here.identity,
                next((place for place, name in self._wanted.items() if here.answers_to(name)), None),
                self._presses.first(here.identity, since_ns),
            )
            for here in self._list_inputs()
        ]

    @property
    def paired(self) -> PadWiring:
        places = each_place(max(self._wanted, default=HOUSE) + 1)
        seats = tuple(self._wanted.get(place, "") for place in places)
        return PadWiring(self._asks, seats, self._wanted.get(HOUSE, ""))

    def press_yours(self, place: Place) -> Text:
        if place == HOUSE:
            return msg("The house: press a key on the house's pad")
        return msg("Seat {n}: press a key on your pad", n=place + 1)

    def remark(self, since_ns: int) -> Text | None:
        if self._other_key_ns > since_ns:
            return msg("That key does nothing here")
        return super().remark(since_ns)

    def what(self, place: Place) -> Text:
        return keypad_of(place)

    def _device_of(self, name: str) -> str:
        return name

    def _controls(self, here: Here, name: str, place: Place) -> Controls:
        return {code: (place, key) for code, key in KEY_OF.items()}

    def _reader(self, here: Here, device: InputDevice) -> InputReader:
        return InputReader(device, self._clock, uncertainty_ns(here.interval_ns))

    def _note(self, here: Here, press: Change) -> None:
        if press.code in KEY_OF:
            self._presses.note(here.identity, press.t_ns, press.uncertainty_ns)
        else:
            self._other_key_ns = press.t_ns + press.uncertainty_ns

    def _late_ns(self, plugged: Plugged) -> int:
        return settle_ns(plugged.here.interval_ns)
