"""Buzzers through gpiozero's pins. With lgpio the kernel stamps edges, otherwise the program."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from companion.core.place import Place, by_place
from companion.core.signal import USER_CLOCK
from companion.core.text import msg
from companion.devices.buzzers.source import Edge, OnEdge, Source
from companion.devices.errors import DeviceError
from companion.devices.lgpio_library import lgpio_lives
from companion.devices.lines import BuzzerWiring
from companion.devices.pins import lgpio_reports, told_as


class Stamps(NamedTuple):
    """The timestamps of a pin factory: up to `late_ns` after the edge, and reported up to `settle_ns` late."""

    settle_ns: int
    uncertainty_ns: int
    late_ns: int = 0
    flags: tuple[str, ...] = ()


LGPIO: Final = Stamps(settle_ns=30_000_000, uncertainty_ns=1_000_000)

USER: Final = Stamps(settle_ns=30_000_000, uncertainty_ns=10_000_000, late_ns=20_000_000, flags=(USER_CLOCK,))
"""RPi.GPIO and its shim stamp when the callback runs."""

MOCK: Final = Stamps(settle_ns=0, uncertainty_ns=0, flags=(USER_CLOCK,))
"""For tests of the wiring."""


class GpiozeroPins(Source):
    """A source that reads gpiozero's pins without debounce: the contact with more bounce would lose."""

    def __init__(self, factory: Any, wiring: BuzzerWiring, stamps: Stamps, report: OnEdge) -> None:
        self.settle_ns = stamps.settle_ns
        # NOTE: gpiozero keeps weak references to callbacks; this list keeps them alive.
        self._contacts: list[_Contact] = []
        try:
            for place, pin in by_place(wiring.pins):
                with told_as(f"[buzzers] seat {place + 1}, line {pin}"):
                    self._contacts.append(_Contact(place, factory.pin(pin), wiring, stamps, report))
                    self._contacts[-1].listen(wiring.pull)
        except Exception:
            self.close()
            raise

    def levels(self) -> Mapping[Place, bool]:
        with told_as("[buzzers]"):
            return {contact.place: contact.pressed() for contact in self._contacts}

    def deafen(self, place: Place) -> None:
        self._set(place, listens=False)

    def listen(self, place: Place) -> None:
        self._set(place, listens=True)

    def check(self) -> None:
        if any(lgpio_reports(contact.pin) for contact in self._contacts) and not lgpio_lives():
            raise DeviceError(msg("the buzzers: lgpio has stopped reporting. Restart the companion"))

    def close(self) -> None:
        """Release all pins, even if one fails. Raise DeviceError."""
        contacts, self._contacts = self._contacts, []
        with told_as("[buzzers]"), ExitStack() as closing:
            for contact in contacts:
                closing.callback(contact.close)

    def _set(self, place: Place, *, listens: bool) -> None:
        with told_as("[buzzers]"):
            for contact in self._contacts:
                if contact.place == place:
                    contact.pin.when_changed = contact.changed if listens else None


class _Contact:
    def __init__(self, place: Place, pin: Any, wiring: BuzzerWiring, stamps: Stamps, report: OnEdge) -> None:
        self.place = place
        self.pin = pin
        self._low = wiring.pressed_low
        self._stamps = stamps
        self._report = report

    def listen(self, pull: str) -> None:
        self.pin.input_with_pull({"up": "up", "down": "down", "none": "floating"}[pull])
        self.pin.bounce = None
        self.pin.edges = "both"
        self.pin.when_changed = self.changed

    def changed(self, ticks: float, state: int) -> None:
        """Report an edge; `ticks` are monotonic seconds."""
        stamps = self._stamps
        t_ns = round(ticks * 1e9) - stamps.late_ns // 2
        self._report(Edge(self.place, t_ns, stamps.uncertainty_ns, bool(state) != self._low, stamps.flags))

    def pressed(self) -> bool:
        return bool(self.pin.state) != self._low

    def close(self) -> None:
        self.pin.when_changed = None
        self.pin.close()
