"""The devices of those who play, real and virtual ones, as their referee knows them: by seat."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from companion.core.console import Lamp
from companion.core.move import Seat, by_seat
from companion.core.place import Place
from companion.core.signal import SeatSignal
from companion.devices.driver import Device

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without wires does not import it


class Seated:
    """The inputs and lamps of the `places` that play, by seat.

    At the `wired` places somebody presses a buzzer of the `hardware`, at the others one of the `devices`.
    """

    def __init__(
        self,
        devices: Device,
        places: Sequence[Place],
        hardware: "Hardware | None" = None,
        wired: frozenset[Place] = frozenset(),
    ) -> None:
        self._places = places
        self._seats = {place: seat for seat, place in by_seat(self._places)}
        playing = frozenset(self._places)
        if hardware:
            hardware.playing = wired
        real: list[tuple[Device, frozenset[Place]]] = [(hardware, playing & wired)] if hardware else []
        self._callers = [*real, (devices, playing - wired)]  # each with the places that play for which it calls
        self._races = False
        self._meant: dict[Seat, Lamp] = {}
        self._reminded: frozenset[Seat] = frozenset()

    @property
    def settle_ns(self) -> int:
        """How late a report of the slowest may arrive."""
        return max(device.settle_ns for device, places in self._callers if places)

    @property
    def settle_most_ns(self) -> int:
        """How long a verdict waits for them at most."""
        return max(device.settle_most_ns for device, places in self._callers if places)

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened at the places that play has been reported by now."""
        return min(device.settled_ns(now_ns) for device, places in self._callers if places)

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        """Return what waits to be read, and levels, of the places that play."""
        return [
            signal.of(self._seats[signal.place])
            for device, places in self._callers
            for signal in device.flush(now_ns)
            if signal.place in places
        ]

    def race(self, *, on: bool) -> None:
        """Tell all devices that a race is open, or none, unless they know."""
        if on != self._races:
            self._races = on
            for device, _ in self._callers:
                device.race(on=on)

    def show(self, seat: Seat, lamp: Lamp) -> None:
        """Switch one seat's lamp, unless it is so already: what was taken back unseen moves none."""
        if self._meant.get(seat, Lamp.OFF) == lamp and seat not in self._reminded:
            return
        self._meant[seat] = lamp
        self._reminded -= {seat}  # what it tells now is about another position
        self._shine(seat, lamp)

    def remind(self, seats: frozenset[Seat]) -> None:
        """Make the lamps of these seats blink, and no others but those that do so anyway."""
        changed = self._reminded ^ seats
        self._reminded = seats
        for seat in changed:
            meant = self._meant.get(seat, Lamp.OFF)
            if meant != Lamp.BLINK:
                self._shine(seat, Lamp.BLINK if seat in seats else meant)

    def _shine(self, seat: Seat, lamp: Lamp) -> None:
        for device, _ in self._callers:
            device.show(self._places[seat], lamp)

    def darken(self) -> None:
        for seat in self._seats.values():
            self._shine(seat, Lamp.OFF)
