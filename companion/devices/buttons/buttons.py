"""The buttons of a table. Several seats may share a device, such as a Buzz! controller with four handsets."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from companion.core.clock import Clock
from companion.core.console import BUZZ, Lamp
from companion.core.place import MOST_PLACES, Place, each_place
from companion.core.signal import AWAY, LEVEL, Signal
from companion.core.text import Text, msg
from companion.devices.buttons import button_of
from companion.devices.buttons.lights import BLINK_NS, Lights
from companion.devices.buttons.options import ButtonWiring, is_handset, split
from companion.devices.driver import Deliver
from companion.devices.errors import DeviceError
from companion.devices.inputs.found import SYSFS, Here, inputs_here
from companion.devices.inputs.interval import Interval
from companion.devices.inputs.reader import Change, InputDevice, InputReader, open_input, uncertainty_ns
from companion.devices.inputs.watched import Controls, Plugged, WatchedInputs
from companion.devices.pairing import Unit

SOURCE: Final = "buttons"

BUZZ_MODELS: Final = frozenset({"054c:0002", "054c:1000"})
"""Vendor and product of the Buzz! controllers with cables, and of those with a radio."""

ANSWERS: Final = (BUZZ, "4", "3", "2", "1")
"""The controls of a handset in the order of its keys: red, yellow, green, orange, blue. Blue is on top."""

# The kernel's include/uapi/linux/input-event-codes.h.
_NO_BUTTONS: Final = frozenset(
    {
        1,  # Esc, and F5 to F10: with these a keyboard is the house's
        *range(63, 69),
        *range(0x110, 0x118),  # a mouse
        *range(0x140, 0x150),  # a tablet, a touchscreen
    }
)


def buttons_here(sysfs: Path = SYSFS) -> list[Here]:
    """Return the USB and Bluetooth devices with keys that can be buttons."""
    return [
        here
        for here in inputs_here(sysfs)
        if here.keys - _NO_BUTTONS and (here.phys.startswith("usb-") or here.uniq)
    ]


def name_of(here: Here, code: int) -> str:
    """Return the name of the button that has a key: on a Buzz! controller that of its handset."""
    if here.model in BUZZ_MODELS:
        return f"{here.identity} buzz{sorted(here.keys).index(code) // len(ANSWERS) + 1}"
    return f"{here.identity} {code}"


def controls_of(here: Here, key: str, place: Place) -> Controls:
    """Return the keys of a button. Raise DeviceError if the device lacks them."""
    if key.startswith("buzz"):
        first = (int(key[-1]) - 1) * len(ANSWERS)
        keys = sorted(here.keys)[first : first + len(ANSWERS)] if here.model in BUZZ_MODELS else []
        controls = {code: (place, control) for code, control in zip(keys, ANSWERS, strict=False)}
    else:
        controls = {int(key): (place, BUZZ)} if int(key) in here.keys else {}
    if not controls:
        raise DeviceError(
            msg(
                "{what}: {found} has no button {key}. Choose Buttons in the menu: it asks whose each is",
                what=button_of(place),
                found=here,
                key=key,
            )
        )
    return controls


class ButtonReader(InputReader):
    """Reads a device and measures its interval."""

    def __init__(self, device: InputDevice, clock: Clock, here: Here) -> None:
        self.interval = Interval(here.interval_ns)
        super().__init__(device, clock, uncertainty_ns(self.interval.ns))

    def begin_anew(self) -> None:
        super().begin_anew()
        self.held = set(self.down)
        """Keys that were down before they were read."""

    def changes(self) -> Iterator[Change]:
        for change in super().changes():
            self.held.discard(change.code)
            yield change

    def _reported(self, stamp_ns: int) -> None:
        self.interval.report(stamp_ns)
        self.half_ns = uncertainty_ns(self.interval.ns)


class Buttons(WatchedInputs):
    """The buttons of a table, and the lamps of Buzz! handsets."""

    source = SOURCE
    section = "buttons"
    thread_name = "buttons"
    joins_phones = True
    whose: ClassVar[Text] = msg("Whose button is this?")

    def __init__(
        self,
        wiring: ButtonWiring,
        deliver: Deliver,
        clock: Clock,
        *,
        sysfs: Path = SYSFS,
        open_device: Callable[[Here], InputDevice] = open_input,
    ) -> None:
        """Open the buttons. Raise DeviceError; with `ask` one may be missing."""
        self._pressed: dict[str, Here] = {}
        self._lights = Lights(sysfs, clock)
        super().__init__(
            wiring.bound,
            deliver,
            clock,
            ask=wiring.ask,
            list_inputs=partial(buttons_here, sysfs),
            open_device=open_device,
        )

    # --- The device interface -------------------------------------------------------------------------

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(sorted(self._wanted))

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Read what waits. A level is that of the last report, so it may be as old as a report takes."""
        with self._reading:
            for plugged in self._opened:
                if plugged.grabbed and not plugged.places <= self._deaf:
                    self._read(plugged)
            return [
                self._level(plugged.reader, code, place)
                for plugged in self._opened
                for code, (place, control) in plugged.controls.items()
                if control == BUZZ
            ]

    def show(self, place: Place, lamp: Lamp) -> None:
        self._lights.show(place, lamp)
        self._wake_up()

    def serve(self, timeout_ms: int | None = None) -> None:
        super().serve(timeout_ms)
        self._lights.blink()

    def close(self) -> None:
        super().close()
        for place in self.places:
            self._lights.show(place, Lamp.OFF)

    def interval_of(self, place: Place) -> Interval | None:
        """Return the reporting interval of a place's device, None without a device."""
        readers = [plugged.reader for plugged in self._opened if place in plugged.places]
        return readers[0].interval if readers and isinstance(readers[0], ButtonReader) else None

    # --- Whose button is this? ------------------------------------------------------------------------

    @property
    def menu_line(self) -> Text | None:
        return msg("Buttons") if self._asks else None

    @property
    def pairable_places(self) -> tuple[Place, ...]:
        return each_place(MOST_PLACES)

    def units(self, since_ns: int) -> list[Unit]:
        """Return the buttons that have a place or were pressed, and each device for those that were not."""
        here = self._list_inputs()
        owners = {
            f"{each.identity} {split(name)[1]}": place
            for place, name in self._wanted.items()
            for each in here
            if each.answers_to(split(name)[0])
        }
        names = dict.fromkeys([*owners, *(name for name, each in list(self._pressed.items()) if each in here)])
        buttons = [Unit(name, owners.get(name), self._presses.first(name, since_ns)) for name in names]
        return [*buttons, *(Unit(each.identity, None) for each in here)]

    @property
    def paired(self) -> ButtonWiring:
        places = each_place(max(self._wanted, default=-1) + 1)
        return ButtonWiring(self._asks, tuple(self._wanted.get(place, "") for place in places))

    def press_yours(self, place: Place) -> Text:
        return msg("Seat {n}: press your button", n=place + 1)

    # --- Differences from pads --------------------------------------------------------------------------

    def what(self, place: Place) -> Text:
        return button_of(place)

    def _device_of(self, name: str) -> str:
        return split(name)[0]

    def _controls(self, here: Here, name: str, place: Place) -> Controls:
        return controls_of(here, split(name)[1], place)

    def _reader(self, here: Here, device: InputDevice) -> InputReader:
        return ButtonReader(device, self._clock, here)

    def _note(self, here: Here, press: Change) -> None:
        if press.code in here.keys - _NO_BUTTONS:
            name = name_of(here, press.code)
            self._presses.note(name, press.t_ns, press.uncertainty_ns)
            self._pressed[name] = here

    def _late_ns(self, plugged: Plugged) -> int:
        return 2 * plugged.reader.half_ns

    def _settled(self) -> None:
        owners = [(place, plugged.here) for plugged in self._opened for place in plugged.places]
        handsets = [(place, here) for place, here in owners if is_handset(self._bound[place])]
        self._lights.use({place: (here, split(self._bound[place])[1]) for place, here in handsets})

    @property
    def _rest_ms(self) -> int:
        return BLINK_NS // 1_000_000 if self._lights.blinks else super()._rest_ms

    def _level(self, reader: InputReader, code: int, place: Place) -> Signal:
        now_ns = self._clock.now_ns()
        flags = (LEVEL, AWAY) if isinstance(reader, ButtonReader) and code in reader.held else (LEVEL,)
        half_ns = reader.half_ns
        return Signal(SOURCE, place, BUZZ, now_ns - half_ns, half_ns, now_ns, code in reader.down, flags)
