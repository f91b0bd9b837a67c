"""The house's place on the display: what it is waited for, what it has keyed, why a key was refused, the codes.

Everybody reads it. It is made of the public view and of what the house has keyed, so it cannot tell a secret.
"""

from typing import Final

from companion.core.console import TURN, Code, GuidesHouse, HouseEntry
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg, seat_name, with_names
from companion.display import frame
from companion.match.lent_keypad import HOUSE_KEY, LIST_KEY, entry_of
from companion.match.session import Session

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


def due_task(session: Session) -> Text | None:
    """Return what the table waits for the house to do, in words; None when it does not."""
    entry = None if session.referee.pauses else entry_of(session)
    return with_names(entry.task, session.match.names) if entry and entry.due else None


def house_place(session: Session, read: Render) -> frame.HousePlace | None:
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


def _place(session: Session, read: Render) -> frame.HousePlace:
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


def controls_of(session: Session) -> list[tuple[str, Text]]:
    """Return the controls of the house that mean something now, with what they mean."""
    console = session.console
    entry = console.house_entry(session.match.view(), "") if isinstance(console, GuidesHouse) else None
    said = CONTROLS | {code.keys: code.text for code in (entry.codes if entry else ()) if code.text}
    controls = list(session.referee.house_controls())
    if session.orders and "ok" not in controls:
        return [("ok", msg("All pieces are moved")), *((control, said[control]) for control in controls)]
    return [(control, said[control]) for control in controls]


def lent_lines(session: Session, read: Render) -> tuple[str, str]:
    """Return the lines of the private screen of whoever keys for the house: the task; what is keyed or refused."""
    place = _place(session, read)
    keyed = "" if place.meaning.startswith(f"{place.keyed} ") else place.keyed
    return place.task, place.refused or " ".join(part for part in (keyed, place.meaning) if part)


def _lent(lender: Seat, session: Session) -> Text:
    """Say whose keypad is the house's."""
    said = msg(
        "{seat} keys for the house. {key}: end, {more}: its buttons",
        seat=seat_name(lender),
        key=HOUSE_KEY,
        more=LIST_KEY,
    )
    return with_names(said, session.match.names)


def _code(code: Code, session: Session, read: Render) -> frame.HouseCode:
    text = "" if code.text is None else read(code.text)
    if code.text and code.text.msgid == seat_name(0).msgid:
        text = session.match.names[int(code.keys) - 1]
    return frame.HouseCode(code.keys, text, code.picture, code.colour)
