"""Lets phones join the table: shows join codes and a menu."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from companion.config.settings import Settings
from companion.core.menu import Act, Choice, Item
from companion.core.place import Place, each_place
from companion.core.text import Text, decimal, msg, seat_name
from companion.core.units import MS
from companion.display.frame import JoinCode, JoinPage
from companion.match.seat_panels import Controls
from companion.match.seating import PLACES, Seating, Sitter
from companion.match.services import TableServices

NO_NETWORK: Final = msg("Phones cannot join: the table is not on a network. Plug in its cable or join a Wi-Fi.")


class PhoneDoor:
    """Lets phones join at places without a device. `phones` is None without their driver."""

    def __init__(self, services: TableServices) -> None:
        self._hardware = services.hardware
        self._settings: Settings = services.settings
        self.phones = None
        if services.hardware:
            from companion.devices.phones.phones import Phones  # noqa: PLC0415  a table without wires has none

            self.phones = services.hardware.of(Phones)

    def invite(self, seating: Seating, title: Text, *lines: Text, hint: Text) -> JoinPage | None:
        """Let phones join at free places. Return the page of codes, or None."""
        if self.phones is None or self._hardware is None or not self.phones.on:
            return None
        taken, read = self._hardware.places, self._settings.read
        free = [place for place in each_place(PLACES) if place not in taken and not seating.places[place]]
        codes = self.phones.invite(free)
        if not free:
            return None
        shown = tuple(JoinCode(read(seat_name(place)), code.rows) for place, code in codes.items())
        where, any_seat = NO_NETWORK, None
        if code := self.phones.table_code:
            any_seat = JoinCode("", code.rows, "-".join(re.findall("....", code.letters)))
            typed = code.address.partition("#")[0]
            where = msg(
                "Scan it with a phone on the same Wi-Fi, or open {address} and type the letters", address=typed
            )
        return JoinPage(read(title), shown, tuple(map(read, (where, *lines))), read(hint), any_seat)

    def shut(self) -> None:
        if self.phones:
            self.phones.invite(())

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
        for place in self.phones.places:
            sitter, needed = sitters[place], controls.get(place, Controls())
            self.phones.wish(
                place,
                you=sitter.name if sitter and not sitter.robot else names.get(place, ""),
                language=(seats[place] if place < len(seats) else "") or self._settings.language,
                free=free,
                keys="large" if needed.keys else "none",
                buzzer="large" if needed.buzzer else "small",
                contrast="high" if look.high_contrast else "usual",
                text="large" if look.large_text else "usual",
            )

    # --- The menu -------------------------------------------------------------------------------------

    def item(self, open_menu: Act) -> list[Item]:
        if self.phones is None:
            return []
        return [Item(msg("Phones"), open_menu, "person", msg("Join with a phone on the same Wi-Fi"))]

    def menu(self) -> Choice:
        assert self.phones
        state = msg("on") if self.phones.on else msg("off")
        switch = Item(
            msg("Phones: {state}", state=state),
            partial(self._turn, not self.phones.on),
            "",
            self._where(),
        )
        phones = self.phones.bounds_ns.items()
        return Choice(msg("Phones"), (switch, *(self._of_phone(place, bound_ns) for place, bound_ns in phones)))

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
        label = msg("Seat {n}: {state}", n=place + 1, state=known)
        return Item(label, partial(self.phones.give_free, place), "", msg("Frees the seat for another phone"))
