"""The devices of those who play, real and virtual ones, as their referee knows them: by seat."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from companion.core.console import Lamp
from companion.core.move import Seat, by_seat
from companion.core.place import Place
from companion.core.signal import SeatSignal
from companion.devices.driver import Device
from companion.devices.virtual import VirtualDevices
from companion.match.reveal import Reveal
from companion.match.seating import Seating

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without wires does not import it


@dataclass
class Seated:
    """The inputs and lamps of the places that play; those of a `reveal` wait until it could be seen.

    At the `wired` places somebody presses a real buzzer, at the others a virtual one.
    """

    devices: VirtualDevices
    seating: Seating
    reveal: Reveal
    hardware: "Hardware | None" = None
    wired: frozenset[Place] = frozenset()
    _meant: dict[Seat, Lamp] = field(default_factory=dict)
    _reminded: frozenset[Seat] = frozenset()

    @property
    def settle_ns(self) -> int:
        """How late a report of the slowest may arrive."""
        return max(device.settle_ns for device, places in self._callers if places)

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened at the places that play has been reported by now."""
        return min(device.settled_ns(now_ns) for device, places in self._callers if places)

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        """Return what waits to be read, and levels, of the places that play."""
        return [
            signal.of(seat)
            for device, places in self._callers
            for signal in device.flush(now_ns)
            if signal.place in places and (seat := self.seating.seat_at(signal.place)) is not None
        ]

    def show(self, seat: Seat, lamp: Lamp) -> None:
        """Switch one seat's lamp; that of a reveal when it could be seen."""
        self.reveal.light(seat, partial(self._switch, seat, lamp))

    def remind(self, seats: frozenset[Seat]) -> None:
        """Make the lamps of these seats blink, and no others but those that do so anyway."""
        changed = self._reminded ^ seats
        self._reminded = seats
        for seat in changed:
            meant = self._meant.get(seat, Lamp.OFF)
            if meant != Lamp.BLINK:
                self._shine(seat, Lamp.BLINK if seat in seats else meant)

    @property
    def _callers(self) -> list[tuple[Device, frozenset[Place]]]:
        """The devices, each with the places that play for which it calls."""
        playing = frozenset(self.seating.taken)
        real = [(self.hardware, playing & self.wired)] if self.hardware else []
        return [*real, (self.devices, playing - self.wired)]

    def _switch(self, seat: Seat, lamp: Lamp) -> None:
        self._meant[seat] = lamp
        self._reminded -= {seat}  # what it tells now is about another position
        self._shine(seat, lamp)

    def _shine(self, seat: Seat, lamp: Lamp) -> None:
        for device, _ in self._callers:
            device.show(self.seating.place_of(seat), lamp)

    def darken(self) -> None:
        """Switch all lamps off."""
        for seat, _ in by_seat(self.seating.taken):
            self._shine(seat, Lamp.OFF)
