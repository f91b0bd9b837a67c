"""What the house can do now, and the keypad of a seat that is the house's for a moment."""

from typing import Final, Protocol

from companion.core.console import GuidesHouse, HouseEntry
from companion.core.move import TABLE, Seat
from companion.core.place import HOUSE
from companion.core.signal import SeatSignal
from companion.core.text import Text
from companion.match.lessons import Tutor
from companion.match.services import TableServices
from companion.match.shown import Shown

HOUSE_KEY: Final = "D"
"""Makes a seat's keypad the house's, and that of the seat again; where nothing is to be keyed it opens the list."""

LIST_KEY: Final = "A"
"""On a keypad that is the house's: opens the list of its controls."""


class Lending(Shown, Protocol):
    """A session whose seats may lend their keypad."""

    refused: dict[Seat, Text]
    tutor: Tutor | None

    def hear_house(self, signal: SeatSignal) -> None:
        """Act on a key of the house."""


def entry_of(session: Shown) -> HouseEntry | None:
    """Return what the house can do now; None for nothing, or where the companion deals and rolls."""
    referee = session.referee
    if referee.over or (referee.dealer and referee.stage.deal) or session.reveal.on:
        return None
    view, console = session.match.view(), session.console
    found = None
    if isinstance(console, GuidesHouse):
        found = console.house_entry(view, referee.entries.get(TABLE, ""))
    if found and found.openly and session.orders and session.orders.seats:
        found = found._replace(at_hand=False)  # first all of them lay their pieces there
    if found and referee.by_hand:
        return found._replace(due=False)  # people are asked, who can answer themselves
    if found or referee.dealer or session.to_act != (TABLE,):
        return found
    return HouseEntry(session.console.prompt(view))


class LentKeypad:
    """Whose keypad is the house's for a moment: that of `seat`. `asked`: the list of controls is wanted.

    While that seat alone has something to answer, as a row after its call, its keypad is its own. Where the house
    has no keypad of its own it is `needed`.
    """

    def __init__(self, session: Lending, services: TableServices) -> None:
        keypads = services.settings.config.wiring.keypad_places
        self.needed = services.hardware is not None and HOUSE not in keypads
        self.asked = False
        self._lender: Seat | None = None
        self._session = session

    @property
    def seat(self) -> Seat | None:
        """Whose keypad is the house's now."""
        return None if self._lender is None or self._is_asked(self._lender) else self._lender

    def takes(self, signal: SeatSignal) -> bool:
        """Give the house what a seat keys for it; tell whether a key was no business of the seat's own."""
        seat, key = signal.seat, signal.control
        if seat == self.seat and key in {HOUSE_KEY, LIST_KEY}:
            self._lender, self.asked = None, key == LIST_KEY
        elif seat == self.seat:
            self._session.hear_house(signal._replace(seat=TABLE))
        elif key == HOUSE_KEY and not self._is_the_games(seat):
            self._session.refused.pop(TABLE, None)
            hides = self._owes_secret(seat) and not self._is_keyed_openly
            lends = self._has_keys and not (hides or self._is_asked(seat))
            self._lender, self.asked = (seat, False) if lends else (self._lender, True)
        else:
            return False
        return True

    def look(self) -> None:
        """End when nothing more is to be keyed, or when what its seat keys next may be its secret.

        Who keys something openly owes one already: his keypad is his own again as soon as that is done.
        """
        if self._lender is not None and (not self._has_keys or self._owes_secret(self._lender)):
            self._lender = None

    @property
    def _has_keys(self) -> bool:
        """Whether the house has something to key, and not only controls to press."""
        session = self._session
        entry = entry_of(session)
        return entry is not None and (not entry.codes or any(code.is_keyed for code in entry.codes))

    @property
    def _is_keyed_openly(self) -> bool:
        """Whether also who owes a secret may key what the house has to key."""
        entry = entry_of(self._session)
        return entry is not None and entry.openly

    def _is_asked(self, seat: Seat) -> bool:
        """Tell whether a seat, and no other one, has something to answer."""
        return {*self._session.to_act} - {TABLE} == {seat}

    def _owes_secret(self, seat: Seat) -> bool:
        """Tell whether a seat may be about to type a secret, which everybody would read if it were the house's."""
        return self._session.match.has_secrets and seat in self._session.to_act

    def _is_the_games(self, seat: Seat) -> bool:
        """Tell whether the key means something to a seat in the game, or may be a part of what it types.

        Where what is typed is a secret, that something is typed is one as well.
        """
        session, entries = self._session, self._session.referee.entries
        if session.tutor or (entries.get(seat) and not session.match.has_secrets):
            return True
        return session.console.key(session.match.view(seat), seat, HOUSE_KEY, entries).accepted
