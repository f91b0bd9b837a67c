"""The house's buttons on GPIO pins, through gpiozero."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from gpiozero import Button

from companion.core.clock import Clock
from companion.core.console import HOLD_S, OFF
from companion.core.place import HOUSE
from companion.core.signal import Signal
from companion.devices.driver import Device
from companion.devices.lines import HouseWiring
from companion.devices.pins import told_as

BOUNCE_S: Final = 0.03
"""Debouncing by a library is good enough for buttons that do not race."""

SOURCE: Final = "house"

log = logging.getLogger(__name__)


class HouseButtons(Device):
    """The wired house buttons. Presses come from gpiozero's thread."""

    source = SOURCE

    def __init__(self, wiring: HouseWiring, factory: Any, deliver: Callable[[Signal], None], clock: Clock) -> None:
        """Start listening. Raise DeviceError naming the line."""
        self._deliver = deliver
        self._clock = clock
        self._buttons: list[Button] = []
        try:
            for control, pin in wiring.pins.items():
                with told_as(f"[house] {control}, line {pin}"):
                    button = Button(pin, bounce_time=BOUNCE_S, hold_time=HOLD_S, pin_factory=factory)
                    self._buttons.append(button)
                    button.when_pressed = self._deliverer(control)
                    if control == "menu":
                        button.when_held = self._deliverer(OFF)
        except Exception:
            self.close()
            raise

    def close(self) -> None:
        """Release all pins, even if one fails. Raise DeviceError."""
        with told_as("[house]"), ExitStack() as closing:
            for button in self._buttons:
                closing.callback(_let_go, button)

    def _deliverer(self, control: str) -> Callable[[], None]:
        def pressed() -> None:
            try:
                now_ns = self._clock.now_ns()
                self._deliver(Signal(SOURCE, HOUSE, control, now_ns, 0, now_ns))
            except Exception:
                # An error in a callback would end lgpio's only thread, and with it all buzzers.
                log.exception("house control %s", control)

        return pressed


def _let_go(button: Button) -> None:
    # NOTE: gpiozero 2.0.1 keeps the callback of a closed lgpio pin. It would raise at the next edge and end
    # lgpio's only thread.
    if button.pin is not None:
        button.pin.when_changed = None
    button.close()
