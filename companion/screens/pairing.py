"""Asks whose pods and number pads are: by itself while nobody plays, and from the table's menu."""

from collections.abc import Callable
from typing import Final

from companion.config.settings import Settings
from companion.core.clock import PlanningClock
from companion.core.menu import Item
from companion.core.place import HOUSE, MOST_PLACES, Place, each_place
from companion.core.text import Render, Text, msg, seat_name
from companion.devices.pairing import PairedDevice, Unit
from companion.display.frame import Poster, Side
from companion.match import centre
from companion.referee.arbiter import SETTLE_MOST_NS
from companion.screens.overlays import Overlay

LOOK_FOR_UNITS_NS: Final = 1_000_000_000

LOOK_NS: Final = 200_000_000

PATIENCE_NS: Final = 30_000_000_000
"""A place that does not answer for this long is skipped, since nobody may be there to skip it."""


class PairingRound:
    """Asks one place after the other for a press, until no place or no unit is left.

    `anew` asks all places, otherwise those that the device lacks units for.
    """

    def __init__(self, device: PairedDevice, now_ns: int, *, anew: bool = False) -> None:
        self.anew = anew
        self._device = device
        self._places = device.pairable_places if anew else device.places_to_ask
        self._passed: set[Place] = set()
        self._answered: set[Place] = set()
        self._asked_ns = now_ns
        self._trouble: Text | None = None

    @property
    def changed(self) -> bool:
        return bool(self._answered)

    @property
    def place(self) -> Place | None:
        return self._next_place(self._units())

    def _next_place(self, units: list[Unit]) -> Place | None:
        passed = self._passed if self.anew else self._passed | {unit.place for unit in units}
        left = [place for place in self._places if place not in passed]
        return left[0] if left and not all(map(self._is_taken, units)) else None

    def look(self, now_ns: int) -> bool:
        """Bind the unit that was pressed first to the current place. Return True if the question has changed."""
        units = self._units()
        place = self._next_place(units)
        pressed = sorted((unit.press, unit) for unit in units if unit.press)
        if place is None:
            return False
        if not pressed:
            if now_ns - self._asked_ns < PATIENCE_NS:
                return False
            self._pass(place, now_ns)
            return True
        first, unit = pressed[0]
        if now_ns - first.t_ns < SETTLE_MOST_NS:
            return False  # an earlier press may still be reported
        if any(other.t_ns - other.uncertainty_ns <= first.t_ns + first.uncertainty_ns for other, _ in pressed[1:]):
            self._ask_again(msg("Two were pressed at once"), now_ns)
        elif self._is_taken(unit):
            self._ask_again(_taken(unit.place), now_ns)
        else:
            self._device.bind(unit.identity, place)
            self._answered.add(place)
            self._pass(place, now_ns)
        return True

    def skip(self, now_ns: int) -> None:
        place = self.place
        if place is not None:
            self._pass(place, now_ns)

    def poster(self, read: Render = str) -> Poster:
        ask = read(self._device.press_yours(self.place or Place(0)))
        trouble = self._trouble or self._device.remark(self._asked_ns)
        line = f"{read(trouble)}. {ask}" if trouble else ask
        hint = msg("House: skip asks the next seat, ok ends")
        if self.anew:
            hint = centre.or_back(hint)
        return Poster(read(self._device.whose), (line,), read(hint), trouble=trouble is not None)

    def _units(self) -> list[Unit]:
        return self._device.units(self._asked_ns)

    def _is_taken(self, unit: Unit) -> bool:
        return unit.place is not None and (not self.anew or unit.place in self._answered)

    def _pass(self, place: Place, now_ns: int) -> None:
        self._passed.add(place)
        self._ask_again(None, now_ns)

    def _ask_again(self, trouble: Text | None, now_ns: int) -> None:
        self._trouble = trouble
        self._asked_ns = now_ns


def _taken(place: Place | None) -> Text:
    if place is None or place == HOUSE:
        return msg("That one is the house's")
    return msg("That one is seat {n}'s", n=place + 1)


class Pairing(Overlay):
    """Asks for the owners of a device's units. `free` returns True if nobody plays; `lay` shows this overlay."""

    def __init__(
        self,
        device: PairedDevice,
        settings: Settings,
        clock: PlanningClock,
        *,
        free: Callable[[], bool],
        lay: Callable[[Overlay], None],
    ) -> None:
        self._device = device
        self._settings = settings
        self._clock = clock
        self._free = free
        self._lay = lay
        self._round: PairingRound | None = None
        self._asked: set[str] = set()
        self._shown: Poster | None = None

    def items(self) -> list[Item]:
        """Return the line of the table's menu."""
        device = self._device
        if device.menu_line is None:
            return []
        why = None if device.units(self._clock.now_ns()) else msg("None is plugged in")
        return [Item(device.menu_line, self._ask_all, "plug", device.whose, why_not=why)]

    def look(self) -> None:
        # Planned first, so that an error here does not end the looks.
        self._clock.at(self._clock.now_ns() + (LOOK_NS if self._round else LOOK_FOR_UNITS_NS), self.look)
        if self._round:
            if not self._goes_on(self._round):
                if self.stack:
                    self.stack.pop(self)
            elif self._round.poster(self._settings.read) != self._shown:
                self.changed()
        elif self._free() and self._device.places_to_ask and self._free_units() - self._asked:
            self._begin(PairingRound(self._device, self._clock.now_ns()))

    def screen(self) -> Poster:
        assert self._round
        self._shown = self._round.poster(self._settings.read)
        return self._shown

    def sides(self) -> tuple[Side, ...]:
        assert self._round
        asked, read = self._round.place, self._settings.read
        return tuple(Side(read(seat_name(place)), lit=place == asked) for place in each_place(MOST_PLACES))

    def press(self, place: Place, control: str) -> bool:
        asking = self._round
        assert asking
        if control == "*" and asking.anew:
            return self._goes_on(asking, ended=True)
        # Other keys of the house's keypad are answers, so only its buttons work.
        if place != HOUSE or control not in {"skip", "ok"}:
            return True
        if control == "skip":
            asking.skip(self._clock.now_ns())
        return self._goes_on(asking, ended=control == "ok")

    def leave(self) -> None:
        self._round = None
        self._device.listen_to_all(on=False)

    def _ask_all(self) -> None:
        self._begin(PairingRound(self._device, self._clock.now_ns(), anew=True))

    def _begin(self, asking: PairingRound) -> None:
        if self._goes_on(asking):
            self._round = asking
            self._device.listen_to_all(on=True)
            self._lay(self)

    def _free_units(self) -> set[str]:
        return {unit.identity for unit in self._device.units(self._clock.now_ns()) if unit.place is None}

    def _goes_on(self, asking: PairingRound, *, ended: bool = False) -> bool:
        """Bind a pressed unit. Return True if another place is to be asked, otherwise save the places."""
        if not ended:
            asking.look(self._clock.now_ns())
            if asking.place is not None:
                return True
        wiring = self._settings.config.wiring
        if ended or asking.changed or wiring.buzzers or wiring.keypad_places:
            self._asked |= self._free_units()  # also those that have just arrived
        if asking.changed:
            self._settings.keep_devices(self._device.section, self._device.paired)
        return False
