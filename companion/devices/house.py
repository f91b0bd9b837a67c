"""The buttons that belong to no seat, on GPIO pins through gpiozero."""

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
"""These buttons do not race: a library's debounce is good enough for them, and for them only."""

SOURCE: Final = "house"

log = logging.getLogger(__name__)


class HouseButtons(Device):
    """The house's controls that are wired; each press goes to `deliver`, from gpiozero's own thread."""

    source = SOURCE

    def __init__(self, wiring: HouseWiring, factory: Any, deliver: Callable[[Signal], None], clock: Clock) -> None:
        """Listen to them. Raise DeviceError naming the line."""
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
        """Release the pins, all of them even if one cannot. Raise DeviceError."""
        with told_as("[house]"), ExitStack() as closing:
            for button in self._buttons:
                closing.callback(_let_go, button)

    def _deliverer(self, control: str) -> Callable[[], None]:
        def pressed() -> None:
            try:
                now_ns = self._clock.now_ns()
                self._deliver(Signal(SOURCE, HOUSE, control, now_ns, 0, now_ns))
            except Exception:
                # An error of a handler would end lgpio's only thread, and with it all buzzers.
                log.exception("house control %s", control)

        return pressed


def _let_go(button: Button) -> None:
    # NOTE: a pin of gpiozero 2.0.1 through lgpio keeps its callback when it is closed. The next edge of that line
    # would find nobody behind it, raise, and so end lgpio's only thread.
    if button.pin is not None:
        button.pin.when_changed = None
    button.close()
