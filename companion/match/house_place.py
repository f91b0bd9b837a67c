"""The house's place on the display. It uses only public information, so it cannot show a secret."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.console import HOUSE_KEY, TURN, Code, GuidesHouse, HouseEntry
from companion.core.move import TABLE, Seat
from companion.core.signal import SeatSignal
from companion.core.text import Render, Text, msg, seat_name, with_names
from companion.display import frame
from companion.match.moment import Moment

LIST_KEY: Final = "A"
"""On a lent keypad: opens the list of the house's controls."""

CONTROLS: Final = {
    "ok": msg("Go on"),
    "skip": msg("Skip"),
    "right": msg("Right"),
    "wrong": msg("Wrong"),
    "undo": msg("Undo"),
    "pause": msg("Pause"),
}

ANY_KEYPAD: Final = msg("{key}: any keypad", key=HOUSE_KEY)


def entry_of(moment: Moment) -> HouseEntry | None:
    deal = moment.stage.deal
    if moment.over or (moment.dealt and deal and deal.dealt) or moment.reveals:
        return None
    view, console = moment.match.view(), moment.console
    found = None
    if isinstance(console, GuidesHouse):
        found = console.house_entry(view, moment.entries.get(TABLE, ""))
    if found and found.openly and moment.piece_tasks and moment.piece_tasks.seats:
        found = found._replace(at_hand=False)  # players lay their pieces first
    if found and moment.player_prompt:
        return found._replace(due=False)  # the players can answer themselves
    if found or moment.dealt or moment.to_act != (TABLE,):
        return found
    return HouseEntry(moment.console.prompt(view))


def due_task(moment: Moment) -> Text | None:
    entry = None if moment.pauses else entry_of(moment)
    return with_names(entry.task, moment.match.names) if entry and entry.due else None


def house_place(moment: Moment, read: Render) -> frame.HousePlace | None:
    if moment.pauses or moment.over:
        return None
    entry = entry_of(moment)
    if not (entry or moment.entries.get(TABLE) or TABLE in moment.refused):
        return None
    place = place_of(moment, read)
    # If there is nothing to explain, the strip of the seat that lends its keypad is enough.
    explains = entry is not None and (entry.due or entry.at_hand or bool(place.lent and entry.codes))
    return place if place.keyed or place.refused or explains else None


def place_of(moment: Moment, read: Render) -> frame.HousePlace:
    """Return the house's place even while there is nothing to show."""
    entry, names, lender = entry_of(moment) or HouseEntry(Text("")), moment.match.names, moment.lender
    return frame.HousePlace(
        read(with_names(entry.task, names)),
        tuple(_code(code, moment, read) for code in entry.codes),
        moment.entries.get(TABLE, "").removesuffix(TURN),
        frame.told(entry.meaning, read),
        frame.told(moment.refused.get(TABLE), read),
        "" if lender is None else read(_lent(lender, moment)),
        read(ANY_KEYPAD) if moment.lends and lender is None else "",
    )


def in_words(controls: Sequence[str], moment: Moment) -> list[tuple[str, Text]]:
    console = moment.console
    entry = console.house_entry(moment.match.view(), "") if isinstance(console, GuidesHouse) else None
    said = CONTROLS | {code.keys: code.text for code in (entry.codes if entry else ()) if code.text}
    if moment.piece_tasks and "ok" not in controls:
        return [("ok", msg("All pieces are moved")), *((control, said[control]) for control in controls)]
    return [(control, said[control]) for control in controls]


def lent_lines(moment: Moment, read: Render) -> tuple[str, str]:
    place = place_of(moment, read)
    keyed = "" if place.meaning.startswith(f"{place.keyed} ") else place.keyed
    return place.task, place.refused or " ".join(part for part in (keyed, place.meaning) if part)


def _lent(lender: Seat, moment: Moment) -> Text:
    said = msg(
        "{seat} acts for the house. {key}: end, {more}: house buttons",
        seat=seat_name(lender),
        key=HOUSE_KEY,
        more=LIST_KEY,
    )
    return with_names(said, moment.match.names)


def _code(code: Code, moment: Moment, read: Render) -> frame.HouseCode:
    text = "" if code.text is None else read(code.text)
    if code.text and code.text.msgid == seat_name(0).msgid:
        text = moment.match.names[int(code.keys) - 1]
    return frame.HouseCode(code.keys, text, code.picture, code.colour)


class LentKeypad:
    """The keypad that a seat lends to the house.

    `asked` is True if the list of the house's controls was requested. `needed` is True if the house does not have a
    keypad. While only the lender has something to answer, its keypad is its own again.
    """

    def __init__(
        self,
        moment: Callable[[], Moment],
        refused: dict[Seat, Text],
        hear_house: Callable[[SeatSignal], None],
        *,
        needed: bool,
    ) -> None:
        self.needed = needed
        self.asked = False
        self._lender: Seat | None = None
        self._moment = moment
        self._refused = refused
        self._hear_house = hear_house

    def seat(self, to_act: Sequence[Seat]) -> Seat | None:
        return None if self._lender is None or _is_asked(self._lender, to_act) else self._lender

    def takes(self, signal: SeatSignal) -> bool:
        """Handle a key that is for the house. Return False if it is for the seat itself."""
        seat, key, moment = signal.seat, signal.control, self._moment()
        if seat == moment.lender and key in {HOUSE_KEY, LIST_KEY}:
            self._lender, self.asked = None, key == LIST_KEY
        elif seat == moment.lender:
            self._hear_house(signal._replace(seat=TABLE))
        elif key == HOUSE_KEY and not _is_the_games(seat, moment):
            self._refused.pop(TABLE, None)
            entry = entry_of(moment)
            hides = _owes_secret(seat, moment) and not (entry and entry.openly)
            lends = has_keys(entry) and not (hides or _is_asked(seat, moment.to_act))
            self._lender, self.asked = (seat, False) if lends else (self._lender, True)
        else:
            return False
        return True

    def look(self) -> None:
        """End the loan if the house has nothing to enter, or if the lender may type its own secret next.

        A lender that owes a secret already gets its keypad back when the house's entry is done.
        """
        if self._lender is not None:
            moment = self._moment()
            if not has_keys(entry_of(moment)) or _owes_secret(self._lender, moment):
                self._lender = None


def has_keys(entry: HouseEntry | None) -> bool:
    return entry is not None and (not entry.codes or any(code.is_keyed for code in entry.codes))


def _is_asked(seat: Seat, to_act: Sequence[Seat]) -> bool:
    return {*to_act} - {TABLE} == {seat}


def _owes_secret(seat: Seat, moment: Moment) -> bool:
    """Return True if a seat may type a secret next, which the house's line would show to everybody."""
    return moment.match.has_secrets and seat in moment.to_act


def _is_the_games(seat: Seat, moment: Moment) -> bool:
    """Return True if the key has a meaning for the seat in the game.

    In a game with secrets the seat's entry must not decide, since that would show that something is typed.
    """
    if moment.tutor or (moment.entries.get(seat) and not moment.match.has_secrets):
        return True
    return moment.console.key(moment.match.view(seat), seat, HOUSE_KEY, moment.entries).accepted
