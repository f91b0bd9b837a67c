"""Lets phones join the table: shows join codes and a menu."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.config.settings import Settings
from companion.core.menu import Act, Choice, Item
from companion.core.place import HOUSE, HouseSheet, Place, by_place, each_place
from companion.core.text import Text, decimal, msg, seat_name
from companion.core.units import MS
from companion.display.frame import JoinCode, JoinPage, Poster, Screen
from companion.match.seat_panels import Controls
from companion.match.seating import PLACES, Seating, Sitter
from companion.match.services import TableServices
from companion.screens.overlays import Card, Overlay

if TYPE_CHECKING:
    from companion.devices.phones.secret import SeatCode  # a table without wires has none

THE_HOUSE: Final = msg("The house")

INTERRUPTED: Final = msg("A match was interrupted")

ANY_BUTTON: Final = msg("Press any button")

NO_NETWORK: Final = msg("Phones cannot join: the table is not on a network. Plug in its cable or join a Wi-Fi.")


class PhoneDoor:
    """Lets phones join at places without a device, or with only a button. `phones` is None without their driver."""

    def __init__(self, services: TableServices) -> None:
        self._hardware = services.hardware
        self._settings: Settings = services.settings
        self.phones = None
        if services.hardware:
            from companion.devices.phones.phones import Phones  # noqa: PLC0415  a table without wires has none

            self.phones = services.hardware.of(Phones)
        if self.phones:
            wiring = self._settings.config.wiring
            self.phones.house_alone = not (wiring.controls or wiring.keypad_places)

    def invite(self, seating: Seating, title: Text, *lines: Text, hint: Text) -> JoinPage | None:
        """Let phones join at free places. Return the page of codes, or None."""
        free = {place: seat_name(place) for place in each_place(PLACES) if not seating.places[place]}
        return self._invite(free, title, *lines, hint=hint)

    def invite_back(self, seating: Seating) -> JoinPage | None:
        """Let phones join again at the seats of people, whose match was interrupted."""
        sitters = by_place(seating.places)
        people = {place: Text(sitter.name) for place, sitter in sitters if sitter and not sitter.robot}
        return self._invite(people, INTERRUPTED, hint=ANY_BUTTON)

    def _invite(self, wanted: Mapping[Place, Text], title: Text, *lines: Text, hint: Text) -> JoinPage | None:
        if self.phones is None or self._hardware is None or not self.phones.on:
            return None
        read = self._settings.read
        free = [place for place in wanted if place not in self._hardware.full_places]
        codes = self.phones.invite(free)
        if not free:
            return None
        shown = tuple(JoinCode(read(wanted[place]), code.rows) for place, code in codes.items())
        where, any_seat = _how_to_join(self.phones.table_code)
        return JoinPage(read(title), shown, tuple(map(read, (where, *lines))), read(hint), any_seat)

    def invite_house(self, title: Text, *lines: Text, hint: Text) -> JoinPage | None:
        """Let a phone become the house's. Return the page with its code; None if it has one already."""
        if self.phones is None or not self.phones.on:
            return None
        read, code = self._settings.read, self.phones.invite([*self.phones.free, HOUSE]).get(HOUSE)
        if code is None and self.phones.addresses:
            return None
        where, large = _how_to_join(code)
        return JoinPage(read(title), (), tuple(map(read, (where, *lines))), read(hint), large)

    def replace_house(self) -> JoinPage | None:
        """Return the page of a match that waits for the house's phone, which another one may replace."""
        lost = self.phones and self.phones.troubles.get(HOUSE)
        if not lost:
            return None
        return self.invite_house(msg("The match waits"), lost, hint=msg("Play resumes when the device works"))

    def shut(self) -> None:
        if self.phones:
            self.phones.invite(())

    def shut_house(self) -> None:
        """End the invitation of the house's phone, but not of seats."""
        if self.phones:
            self.phones.invite(self.phones.free)

    def show_house(self, sheet: Callable[[], HouseSheet]) -> None:
        """Send the house's page what it says, if there is one."""
        if self.phones and self.phones.of_house:
            self.phones.show_house(sheet())

    def back(self, seating: Seating) -> Screen:
        return self.invite_back(seating) or self.joined(INTERRUPTED, msg("All phones have joined"))

    def joined(self, title: Text, line: Text) -> Poster:
        read = self._settings.read
        return Poster(read(title), (read(line),), read(ANY_BUTTON), pictures=("person",))

    @property
    def names(self) -> Mapping[Place, str]:
        """Names typed on phones."""
        return self.phones.names if self.phones else {}

    def is_left(self, place: Place) -> bool:
        return self.phones is not None and place not in self.phones.places

    def refuse_name(self, place: Place, name: str, taken_at: Place) -> None:
        assert self.phones
        why = msg("{name} is already at seat {n}. Choose another name.", name=name, n=taken_at + 1)
        self.phones.refuse_name(place, why)

    def follow(self, sitters: Sequence[Sitter | None], controls: Mapping[Place, Controls]) -> None:
        """Send each phone its player's name, controls and look."""
        if self.phones is None:
            return
        names, free = self.phones.names, " ".join(str(place + 1) for place in self.phones.free)
        self.phones.language = self._settings.language
        look, seats = self._settings.look, self._settings.config.seats.languages
        common = {
            "contrast": "high" if look.high_contrast else "usual",
            "text": "large" if look.large_text else "usual",
        }
        self.phones.wish(HOUSE, language=self._settings.language, **common)
        for place in self.phones.places:
            sitter, needed = sitters[place], controls.get(place, Controls())
            self.phones.wish(
                place,
                you=sitter.name if sitter and not sitter.robot else names.get(place, ""),
                language=(seats[place] if place < len(seats) else "") or self._settings.language,
                free=free,
                keys="large" if needed.keys else "none",
                buzzer="large" if needed.buzzer else "small",
                **common,
            )

    # --- The menu -------------------------------------------------------------------------------------

    def item(self, open_menu: Act) -> list[Item]:
        if self.phones is None:
            return []
        return [Item(msg("Phones"), open_menu, "person", msg("Join with a phone on the same Wi-Fi"))]

    def house_item(self, push: Callable[[Overlay], None]) -> list[Item]:
        """Return the line that shows the code of the house's page, or frees it for another phone."""
        if self.phones is None or not self.phones.on:
            return []
        if self.phones.of_house:
            return [self._of_phone(HOUSE, self.phones.bounds_ns.get(HOUSE))]
        what = msg("What is due, right, wrong and pause, on one phone")
        return [Item(msg("The house's phone"), lambda: push(HouseDoor(self)), "person", what)]

    def menu(self, push: Callable[[Overlay], None]) -> Choice:
        assert self.phones
        state = msg("on") if self.phones.on else msg("off")
        switch = Item(
            msg("Phones: {state}", state=state),
            partial(self._turn, not self.phones.on),
            "",
            self._where(),
        )
        phones = [(place, bound_ns) for place, bound_ns in self.phones.bounds_ns.items() if place != HOUSE]
        seats = (self._of_phone(place, bound_ns) for place, bound_ns in phones)
        return Choice(msg("Phones"), (switch, *self.house_item(push), *seats))

    def _where(self) -> Text:
        assert self.phones
        if not self.phones.on:
            return msg("Phones on the local network can then reach the table; nobody else can")
        addresses = ", ".join(self.phones.addresses)
        return msg("Phones find the table at {addresses}", addresses=addresses) if addresses else NO_NETWORK

    def _turn(self, on: bool) -> None:
        assert self.phones
        self.phones.turn(on=on)
        self._settings.keep("phones", "on", on)

    def _of_phone(self, place: Place, bound_ns: int | None) -> Item:
        assert self.phones
        if place in self.phones.coarse_us:
            known = msg("presses count when they arrive")
        elif bound_ns is None:
            known = msg("its page is not responding")
        else:
            known = msg("tells presses {ms} ms apart", ms=decimal(2 * bound_ns / MS))
        free = partial(self.phones.give_free, place)
        if place == HOUSE:
            label = msg("The house: {state}", state=known)
            return Item(label, free, "person", msg("Frees the house for another phone"))
        label = msg("Seat {n}: {state}", n=place + 1, state=known)
        return Item(label, free, "", msg("Frees the seat for another phone"))


class HouseDoor(Card):
    """The code of the house's page, until a phone has scanned it."""

    def __init__(self, door: PhoneDoor) -> None:
        super().__init__(self._page)
        self._door = door

    def leave(self) -> None:
        self._door.shut_house()

    def _page(self) -> Screen:
        page = self._door.invite_house(msg("The house's phone"), hint=ANY_BUTTON)
        return page or self._door.joined(THE_HOUSE, msg("Its phone has joined"))


def _how_to_join(code: "SeatCode | None") -> tuple[Text, JoinCode | None]:
    """Return what to do with a code that can be typed, and the code; without a network None."""
    if code is None:
        return NO_NETWORK, None
    typed = code.address.partition("#")[0]
    where = msg("Scan it with a phone on the same Wi-Fi, or open {address} and type the letters", address=typed)
    return where, JoinCode("", code.rows, "-".join(re.findall("....", code.letters)))
