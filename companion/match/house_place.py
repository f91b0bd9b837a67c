"""The house's place on the display: what it is waited for, what it has keyed, why a key was refused, the codes.

Everybody reads it. It is made of the public view and of what the house has keyed, so it cannot tell a secret.
"""

from typing import TYPE_CHECKING, Final

from companion.core.console import TURN, Code, GuidesHouse, HouseEntry
from companion.core.move import TABLE, Seat
from companion.core.place import HOUSE
from companion.core.signal import SeatSignal
from companion.core.text import Render, Text, msg, seat_name, with_names
from companion.display import frame
from companion.match.services import TableServices

if TYPE_CHECKING:
    from companion.match.session import Session

HOUSE_KEY: Final = "D"
"""Makes a seat's keypad the house's, and that of the seat again; where nothing is to be keyed it opens the list."""

LIST_KEY: Final = "A"
"""On a keypad that is the house's: opens the list of its controls."""

CONTROLS: Final = {
    "ok": msg("Go on"),
    "skip": msg("Skip"),
    "right": msg("Right"),
    "wrong": msg("Wrong"),
    "undo": msg("Undo"),
    "pause": msg("Pause"),
}
"""What the controls of the house mean where no game says it."""

ANY_KEYPAD: Final = msg("{key}: any keypad", key=HOUSE_KEY)
"""How the house keys at a table where it has no keypad."""


def entry_of(session: "Session") -> HouseEntry | None:
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


def due_task(session: "Session") -> Text | None:
    """Return what the table waits for the house to do, in words; None when it does not."""
    entry = None if session.referee.pauses else entry_of(session)
    return with_names(entry.task, session.match.names) if entry and entry.due else None


def house_place(session: "Session", read: Render) -> frame.HousePlace | None:
    """Return what stands at the house's place; None while the house has nothing to do with what is shown."""
    if session.referee.pauses or session.referee.over:
        return None
    entry = entry_of(session)
    if not (entry or session.referee.entries.get(TABLE) or TABLE in session.refused):
        return None
    place = _place(session, read)
    # Where nothing is to be explained, the strip of the seat that keys for the house says so.
    explains = entry is not None and (entry.due or entry.at_hand or bool(place.lent and entry.codes))
    return place if place.keyed or place.refused or explains else None


def _place(session: "Session", read: Render) -> frame.HousePlace:
    """Return what the house has to do and has keyed, whether it is shown or not."""
    entry, names, lender = entry_of(session) or HouseEntry(Text("")), session.match.names, session.lent.seat
    return frame.HousePlace(
        read(with_names(entry.task, names)),
        tuple(_code(code, session, read) for code in entry.codes),
        session.referee.entries.get(TABLE, "").removesuffix(TURN),
        frame.told(entry.meaning, read),
        frame.told(session.refused.get(TABLE), read),
        "" if lender is None else read(_lent(lender, session)),
        read(ANY_KEYPAD) if session.lent.needed and lender is None else "",
    )


def controls_of(session: "Session") -> list[tuple[str, Text]]:
    """Return the controls of the house that mean something now, with what they mean."""
    console = session.console
    entry = console.house_entry(session.match.view(), "") if isinstance(console, GuidesHouse) else None
    said = CONTROLS | {code.keys: code.text for code in (entry.codes if entry else ()) if code.text}
    controls = list(session.referee.keys.house_controls())
    if session.orders and "ok" not in controls:
        return [("ok", msg("All pieces are moved")), *((control, said[control]) for control in controls)]
    return [(control, said[control]) for control in controls]


def lent_lines(session: "Session", read: Render) -> tuple[str, str]:
    """Return the lines of the private screen of whoever keys for the house: the task; what is keyed or refused."""
    place = _place(session, read)
    keyed = "" if place.meaning.startswith(f"{place.keyed} ") else place.keyed
    return place.task, place.refused or " ".join(part for part in (keyed, place.meaning) if part)


def _lent(lender: Seat, session: "Session") -> Text:
    """Say whose keypad is the house's."""
    said = msg(
        "{seat} keys for the house. {key}: end, {more}: its buttons",
        seat=seat_name(lender),
        key=HOUSE_KEY,
        more=LIST_KEY,
    )
    return with_names(said, session.match.names)


def _code(code: Code, session: "Session", read: Render) -> frame.HouseCode:
    text = "" if code.text is None else read(code.text)
    if code.text and code.text.msgid == seat_name(0).msgid:
        text = session.match.names[int(code.keys) - 1]
    return frame.HouseCode(code.keys, text, code.picture, code.colour)


class LentKeypad:
    """Whose keypad is the house's for a moment: that of `seat`. `asked`: the list of controls is wanted.

    While that seat alone has something to answer, as a row after its call, its keypad is its own. Where the house
    has no keypad of its own it is `needed`.
    """

    def __init__(self, session: "Session", services: TableServices) -> None:
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
