"""The real and virtual devices of a match, by seat."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from companion.core.console import Lamp
from companion.core.move import Seat, by_seat
from companion.core.place import Place
from companion.core.signal import SeatSignal
from companion.devices.driver import Device

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without real devices does not import it


class Seated:
    """The inputs and lamps of the `places` that play, by seat.

    At the `wired` places people press buzzers of the `hardware`, elsewhere virtual `devices`.
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
        self._callers = [*real, (devices, playing - wired)]  # each with the places whose calls it reports
        self._races = False
        self._meant: dict[Seat, Lamp] = {}
        self._reminded: frozenset[Seat] = frozenset()

    @property
    def settle_ns(self) -> int:
        return max(device.settle_ns for device, places in self._callers if places)

    @property
    def settle_most_ns(self) -> int:
        return max(device.settle_most_ns for device, places in self._callers if places)

    def settled_ns(self, now_ns: int) -> int:
        """Return the time up to which all presses at the playing places have been reported."""
        return min(device.settled_ns(now_ns) for device, places in self._callers if places)

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        return [
            signal.of(self._seats[signal.place])
            for device, places in self._callers
            for signal in device.flush(now_ns)
            if signal.place in places
        ]

    def race(self, *, on: bool) -> None:
        if on != self._races:
            self._races = on
            for device, _ in self._callers:
                device.race(on=on)

    def show(self, seat: Seat, lamp: Lamp) -> None:
        if self._meant.get(seat, Lamp.OFF) == lamp and seat not in self._reminded:
            return
        self._meant[seat] = lamp
        self._reminded -= {seat}  # the lamp is about another position now
        self._shine(seat, lamp)

    def remind(self, seats: frozenset[Seat], lamp: Lamp = Lamp.BLINK) -> None:
        """Blink the lamps of these seats, in addition to those that blink anyway."""
        changed = self._reminded ^ seats
        self._reminded = seats
        for seat in changed:
            meant = self._meant.get(seat, Lamp.OFF)
            if meant != Lamp.BLINK:
                self._shine(seat, lamp if seat in seats else meant)

    def _shine(self, seat: Seat, lamp: Lamp) -> None:
        for device, _ in self._callers:
            device.show(self._places[seat], lamp)

    def darken(self) -> None:
        for seat in self._seats.values():
            self._shine(seat, Lamp.OFF)
