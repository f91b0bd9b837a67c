"""The referee's events, in the order of docs/headless.md."""

from collections.abc import Sequence
from typing import Final

from companion.core.console import Call
from companion.core.event import EventFacts
from companion.core.move import Seat
from companion.core.text import Text, decimal, msg, with_names
from companion.core.units import MS


class Start(EventFacts):
    """The match begins, or goes on after `moves` moves; `seed_sha256` is None without a dealer."""

    game: str
    names: tuple[str, ...]
    moves: int
    seed_sha256: str | None


class Visible(EventFacts):
    """The open card can be seen since `open_ns`, so calls count."""

    open_ns: int


class Verdict(EventFacts):
    """The sorted `calls`, and the `seats` that were first; several are a tie.

    `margin_ns` is the distance between the two earliest timestamps, None for a single call.
    """

    seats: tuple[Seat, ...]
    margin_ns: int | None
    open_ns: int
    calls: tuple[Call, ...]

    def says(self, names: Sequence[str]) -> Text | None:
        if self.margin_ns is None:
            return None
        first, second = (names[call.seat] for call in self.calls[:2])
        margin = decimal(self.margin_ns / MS)
        if len(self.seats) > 1 and not round(self.margin_ns / MS, 1):
            return msg("A dead heat between {first} and {second}!", first=first, second=second)
        if len(self.seats) > 1:
            return msg("{first} and {second} call {margin} ms apart", first=first, second=second, margin=margin)
        return msg("{first} calls {margin} ms before {second}", first=first, second=second, margin=margin)


class FalseStart(EventFacts):
    """A press before the card was visible. Only its seat is notified."""

    stamp_ns: int


class LateReport(EventFacts):
    """A press would have counted, but was reported after the verdict."""

    stamp_ns: int
    uncertainty_ns: int
    SAYS = msg("{who}: a press came too late to count")


class StampRefused(EventFacts):
    """A press counted from its arrival, `stamp_ns`, since its device's timestamp was refused."""

    stamp_ns: int
    SAYS = msg("{who}: a press had an invalid time; its arrival counts")


class Lamp(EventFacts):
    """The seat's lamp is now `on`, `off` or `blink`."""

    lamp: str


class Refused(EventFacts):
    """An input had no effect. A seat's is announced to that seat only. `rule` is the paragraph."""

    rule: str | None = None
    text: Text = msg("not accepted")

    def says(self, names: Sequence[str]) -> Text:
        return msg("Refused: {text}", text=with_names(self.text, names))


class UndoAsked(EventFacts):
    """These moves would be taken back if the house confirms."""

    moves: list[str]


class Undone(EventFacts):
    """These moves were taken back; `revealed` if a card, a die or a secret had been seen."""

    moves: list[str]
    revealed: bool

    def says(self, names: Sequence[str]) -> Text:
        return taken_back(", ".join(self.moves), seen=self.revealed)


def taken_back(moves: Text | str, *, seen: bool) -> Text:
    if seen:
        return msg("Undone, although already seen: {moves}", moves=moves)
    return msg("Undone: {moves}", moves=moves)


class Redrawn(EventFacts):
    """A draw is made again after an undo: the `same`, or another if something else was decided."""

    same: bool

    def says(self, names: Sequence[str]) -> Text:
        if self.same:
            return msg("Same draw as before: no decision has changed")
        return msg("New decisions, new draw")


class Amended(EventFacts):
    """A move was corrected; both texts of a secret end in `??`."""

    number: int
    was: str
    entry: str
    SAYS = msg("Move {number} is corrected: {was} becomes {entry}")


class Paused(EventFacts):
    """The match waits for the `house`, for an `undo` to be confirmed, or for an `unplugged` seat."""

    reason: str

    def says(self, names: Sequence[str]) -> Text:
        return _PAUSED[self.reason]


_PAUSED: Final = {
    "house": msg("Pause"),
    "undo": msg("Undo? The house confirms with ok"),
    "unplugged": msg("{who} is unplugged: the match waits"),
}


class WentOn(EventFacts):
    """A reason to pause has ended; `paused` if another remains."""

    reason: str
    paused: bool

    def says(self, names: Sequence[str]) -> Text | None:
        return None if self.paused else msg("Play resumes")
