"""The kinds of events that the referee tells in every game, in the order of docs/headless.md."""

from typing import NamedTuple

from companion.core.console import Call
from companion.core.move import Seat
from companion.core.text import Text, msg


class Start(NamedTuple):
    """The match begins, or goes on after so many moves; `seed_sha256` is None where the table deals."""

    game: str
    names: tuple[str, ...]
    moves: int
    seed_sha256: str | None


class Visible(NamedTuple):
    """What is called for can be seen since `open_ns`: calls count."""

    open_ns: int


class Verdict(NamedTuple):
    """Who was first, of all `calls`, the earliest first; several `seats` are a tie.

    `margin_ns` is the distance between the two earliest stamps, None where one seat alone called.
    """

    seats: tuple[Seat, ...]
    margin_ns: int | None
    open_ns: int
    calls: tuple[Call, ...]


class FalseStart(NamedTuple):
    """The seat pressed before the card was visible; only the seat itself is told."""

    stamp_ns: int


class LateReport(NamedTuple):
    """A press of the seat would have counted, but was reported after the verdict."""

    stamp_ns: int
    uncertainty_ns: int


class StampRefused(NamedTuple):
    """A press of the seat counted from `stamp_ns`, its arrival: its device dated it further back than it may."""

    stamp_ns: int


class Lamp(NamedTuple):
    """The lamp of the seat is now `on`, `off` or `blink`."""

    lamp: str


class Refused(NamedTuple):
    """An input had no effect: the seat's, which alone is told, or the house's. `rule` is the paragraph, if any."""

    rule: str | None = None
    text: Text = msg("not accepted")


class UndoAsked(NamedTuple):
    """These moves would be taken back; the house has to confirm it."""

    moves: list[str]


class Undone(NamedTuple):
    """These moves were taken back; `revealed` tells whether a card, a die or a secret had been seen."""

    moves: list[str]
    revealed: bool


class Redrawn(NamedTuple):
    """A draw that was taken back is made again: the `same`, since nothing else was decided, or another."""

    same: bool


class Amended(NamedTuple):
    """The move of this number was corrected; of a secret both texts end in `??`."""

    number: int
    was: str
    entry: str


class Paused(NamedTuple):
    """The match waits: for the `house`, for the confirmation of an `undo`, or for a seat that is `unplugged`."""

    reason: str


class WentOn(NamedTuple):
    """This reason to pause has ended; `paused` tells whether another one remains."""

    reason: str
    paused: bool
