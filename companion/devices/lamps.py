"""Lamps on GPIO pins through gpiozero."""

from collections.abc import Mapping
from typing import Any, Final

from gpiozero import LED

from companion.core.console import Lamp
from companion.core.move import Seat

BLINK_S: Final = 0.25
"""Half a blink; two flashes a second are safe for everybody's eyes."""


class GpiozeroLamps:
    """A lamp for each seat, by its pin."""

    def __init__(self, pins: Mapping[Seat, int | str], *, pin_factory: Any = None) -> None:
        self._leds = {seat: LED(pin, pin_factory=pin_factory) for seat, pin in pins.items()}

    def show(self, seat: Seat, lamp: Lamp) -> None:
        """Switch one seat's lamp."""
        led = self._leds[seat]
        if lamp == Lamp.BLINK:
            led.blink(BLINK_S, BLINK_S)
        elif lamp == Lamp.ON:
            led.on()
        else:
            led.off()

    def close(self) -> None:
        """Let the pins go; the lamps go out."""
        for led in self._leds.values():
            led.close()
