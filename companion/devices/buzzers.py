"""Buzzers on GPIO pins through gpiozero, stamped by whatever the pin factory stamps with."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from gpiozero import Device

from companion.core.console import BUZZ
from companion.core.move import Seat
from companion.core.signal import LEVEL, Signal
from companion.referee.clock import Clock

SETTLE_NS: Final = 30_000_000
"""lgpio reports up to this late; RPi.GPIO and the mock report at once."""

UNCERTAINTY_NS: Final = 1_000_000
"""The starting uncertainty of lgpio's stamps, until a table is calibrated."""


class GpiozeroBuzzers:
    """Buzzers between a pin and ground, each with the pin's pull-up: a closed contact reads low.

    What happens is given to `deliver`, from gpiozero's own thread. No bounce time is ever set: it would move the
    stamp to the last bounce, and the bouncier switch would lose.
    """

    def __init__(
        self,
        pins: Mapping[Seat, int | str],
        deliver: Callable[[Signal], None],
        clock: Clock,
        *,
        settle_ns: int = SETTLE_NS,
        uncertainty_ns: int = UNCERTAINTY_NS,
        pin_factory: Any = None,
    ) -> None:
        self.settle_ns = settle_ns
        if pin_factory is None:
            Device.ensure_pin_factory()
        factory = pin_factory or Device.pin_factory
        # NOTE: gpiozero holds its callbacks weakly; this dictionary keeps them alive.
        self._contacts = {
            seat: _Contact(seat, factory.pin(pin), deliver, clock, uncertainty_ns) for seat, pin in pins.items()
        }
        self._clock = clock

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return a level reading of every buzzer."""
        return [contact.level(self._clock.now_ns()) for contact in self._contacts.values()]

    def close(self) -> None:
        """Let the pins go."""
        for contact in self._contacts.values():
            contact.close()


class _Contact:
    def __init__(
        self, seat: Seat, pin: Any, deliver: Callable[[Signal], None], clock: Clock, uncertainty_ns: int
    ) -> None:
        self._seat = seat
        self._pin = pin
        self._deliver = deliver
        self._clock = clock
        self._uncertainty_ns = uncertainty_ns
        pin.input_with_pull("up")
        pin.bounce = None
        pin.edges = "both"
        pin.when_changed = self.changed

    def changed(self, ticks: float, state: int) -> None:
        """Report an edge: gpiozero's ticks are seconds of the monotonic clock."""
        t_ns = round(ticks * 1e9)
        now_ns = self._clock.now_ns()
        self._deliver(Signal("gpiozero", self._seat, BUZZ, t_ns, self._uncertainty_ns, now_ns, pressed=not state))

    def level(self, now_ns: int) -> Signal:
        return Signal("gpiozero", self._seat, BUZZ, now_ns, 0, now_ns, not self._pin.state, (LEVEL,))

    def close(self) -> None:
        self._pin.when_changed = None
        self._pin.close()
