"""The devices of those who play, real and virtual ones, as their referee knows them: by seat."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from companion.core.console import Lamp
from companion.core.move import Seat
from companion.core.signal import Signal
from companion.devices.virtual import VirtualDevices
from companion.match.reveal import Reveal

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without wires does not import it


@dataclass
class Seated:
    """The inputs and lamps of the places that play; those of a `reveal` wait until it could be seen.

    At the `wired` places somebody presses a real buzzer, at the others a virtual one.
    """

    devices: VirtualDevices
    places: tuple[int, ...]
    reveal: Reveal
    hardware: "Hardware | None" = None
    wired: frozenset[int] = frozenset()
    _meant: dict[Seat, Lamp] = field(default_factory=dict)
    _reminded: frozenset[Seat] = frozenset()

    @property
    def settle_ns(self) -> int:
        """How late a report of the slowest may arrive."""
        real_ns = [self.hardware.settle_ns] if self.hardware and self.wired else []
        virtual_ns = [self.devices.settle_ns] if set(self.places) - self.wired else []
        return max(real_ns + virtual_ns)

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened at the places that play has been reported by now."""
        real_ns = [self.hardware.settled_ns(now_ns)] if self.hardware and self.wired else []
        virtual_ns = [self.devices.settled_ns(now_ns)] if set(self.places) - self.wired else []
        return min(real_ns + virtual_ns)

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return what waits to be read, and levels, of the places that play."""
        real = self.hardware.flush(now_ns) if self.hardware else ()
        heard = [signal for signal in real if signal.seat in self.wired]
        heard += [signal for signal in self.devices.flush(now_ns) if signal.seat not in self.wired]
        return [
            signal._replace(seat=self.places.index(signal.seat)) for signal in heard if signal.seat in self.places
        ]

    def show(self, seat: Seat, lamp: Lamp) -> None:
        """Switch one seat's lamp; that of a reveal when it could be seen."""
        self.reveal.light(seat, partial(self._switch, seat, lamp))

    def remind(self, seats: frozenset[Seat]) -> None:
        """Let the lamps of these seats blink, and no others but those that do so anyway."""
        changed = self._reminded ^ seats
        self._reminded = seats
        for seat in changed:
            meant = self._meant.get(seat, Lamp.OFF)
            if meant != Lamp.BLINK:
                self._shine(seat, Lamp.BLINK if seat in seats else meant)

    def _switch(self, seat: Seat, lamp: Lamp) -> None:
        self._meant[seat] = lamp
        self._reminded -= {seat}  # what it tells now is about another position
        self._shine(seat, lamp)

    def _shine(self, seat: Seat, lamp: Lamp) -> None:
        self.devices.lamps.show(self.places[seat], lamp)
        if self.hardware:
            self.hardware.show(self.places[seat], lamp)

    def darken(self) -> None:
        """Switch all lamps of the table off."""
        for place in range(len(self.devices.lamps.lamps)):
            self.devices.lamps.show(place, Lamp.OFF)
            if self.hardware:
                self.hardware.show(place, Lamp.OFF)
