"""Lamps and siren on GPIO pins, through gpiozero."""

from contextlib import ExitStack
from typing import Any, Final

from gpiozero import LED, Buzzer

from companion.core.console import Lamp
from companion.core.place import Place, by_place
from companion.devices.driver import Device
from companion.devices.lines import NOT_WIRED, LampWiring
from companion.devices.pins import told_as

BLINK_S: Final = 0.25
"""Half a blink. Two flashes a second are safe for photosensitive people."""

SIREN_S: Final = 0.3


class GpiozeroLamps(Device):
    """One lamp per place and one siren."""

    def __init__(self, wiring: LampWiring, factory: Any) -> None:
        """Switch everything off. Raise DeviceError naming the line."""
        self._leds: dict[Place, LED] = {}
        self._siren: Buzzer | None = None
        high = not wiring.active_low
        try:
            for place, pin in by_place(wiring.pins):
                with told_as(f"[lamps] seat {place + 1}, line {pin}"):
                    self._leds[place] = LED(pin, active_high=high, pin_factory=factory)
            if wiring.siren != NOT_WIRED:
                with told_as(f"[lamps] siren, line {wiring.siren}"):
                    self._siren = Buzzer(wiring.siren, pin_factory=factory)
        except Exception:
            self.close()
            raise

    def show(self, place: Place, lamp: Lamp) -> None:
        led = self._leds.get(place)
        if led is None:
            return
        with told_as(f"[lamps] seat {place + 1}"):
            if lamp == Lamp.BLINK:
                led.blink(BLINK_S, BLINK_S)
            elif lamp == Lamp.ON:
                led.on()
            else:
                led.off()

    def sound_siren(self) -> None:
        if self._siren:
            with told_as("[lamps] siren"):
                self._siren.blink(SIREN_S, 0, n=1)

    def close(self) -> None:
        """Release all pins, even if one fails. Raise DeviceError."""
        with told_as("[lamps]"), ExitStack() as closing:
            for device in (*self._leds.values(), *filter(None, [self._siren])):
                closing.callback(device.close)
