"""The contract between a game's console and the referee: what is waited for, and what keys mean."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from companion.core.move import Move, Seat
from companion.core.rules import SeenT
from companion.core.text import Text

BUZZ: Final = "buzz"
"""The control of every seat's buzzer."""

KEYS: Final = tuple("0123456789*#ABCD")
"""The controls of a keypad. On a USB number pad Enter is `#` and `/ - + .` are `A B C D`."""

KEYPAD: Final = ("123A", "456B", "789C", "*0#D")
"""Where they are on a keypad of four rows and four columns, row by row."""

BACK: Final = "*"
"""The key that takes back what was typed last, and after a lock the lock itself where the rules allow it."""

HOUSE_CONTROLS: Final = ("ok", "skip", "right", "wrong", "undo", "pause", "menu")
"""The controls that belong to no seat."""

OFF: Final = "off"
"""What `menu` becomes when it is held for HOLD_S: somebody wants to switch the table off."""

HOLD_S: Final = 5.0


class Deal(NamedTuple):
    """The TABLE's next move is a card or a die.

    After `pause_ms` the dealer makes it; with `together` at once when the dealer has just made another. A press
    of one of `early_controls` is too early for the race that the draw will open.
    """

    pause_ms: int
    together: bool = False
    early_controls: frozenset[str] = frozenset()


class Race(NamedTuple):
    """The first call counts: who may call, with which controls, and how close to the earliest is a tie.

    `number` tells one race from the next: while it stays, a move does not start the race anew.
    """

    number: int
    callers: tuple[Seat, ...]
    controls: frozenset[str]
    tie_margin_ms: int


class Limit(NamedTuple):
    """A clock runs: after `ms` the TABLE makes `move`."""

    ms: int
    move: Move


class Stage(NamedTuple):
    """What the referee waits for in one position; None where it does not wait for that.

    While `keying` is the same number as before a move, what the other seats have typed so far stays; else a move
    clears what everybody has typed.
    """

    deal: Deal | None = None
    race: Race | None = None
    limit: Limit | None = None
    keying: int | None = None


class Keyed(NamedTuple):
    """What a key did: what the seat has typed so far, or the move that it completed."""

    entry: str = ""
    move: Move | None = None
    accepted: bool = True


class Lamp(StrEnum):
    """What a seat's lamp says."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class Call(NamedTuple):
    """One seat's earliest valid press in a race, as its device reported it.

    `t_ns` is the middle of the interval in which the contact closed, `uncertainty_ns` its half width, both in
    nanoseconds of the monotonic clock.
    """

    seat: Seat
    t_ns: int
    uncertainty_ns: int = 0
    control: str = BUZZ
    flags: tuple[str, ...] = ()


class Console(Protocol[SeenT]):
    """One game's console module: pure functions from a view to what keys, lamps and prompts mean."""

    def stage(self, view: SeenT) -> Stage:
        """Say what the referee waits for."""

    def called(self, view: SeenT, winners: tuple[Call, ...]) -> Move | None:
        """Return the TABLE's move for a race that one call won, or several tied; None when it has no effect."""

    def early(self, view: SeenT, seat: Seat) -> Move | None:
        """Return the TABLE's move for a press before the race was open; None when it has no effect."""

    def key(self, view: SeenT, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return what a key of a seat, or of the house's keypad (TABLE), means; or its buzzer, while nobody calls.

        `view` is that seat's; `entries` is what each seat has typed since the last move.
        """

    def house(self, view: SeenT, control: str) -> Move | None:
        """Return the TABLE's move for a control of the house; None when it means nothing now."""

    def keys_for(self, view: SeenT, move: Move) -> tuple[str, ...]:
        """Return the controls that a seat presses to make a move; () for one that keys alone do not make."""

    def prompt(self, view: SeenT) -> Text:
        """Say what the audience of the view may do now; nothing in it depends on a secret."""

    def private(self, view: SeenT, entry: str) -> Text | None:
        """Say what a seat's own screen shows below the prompt: what is its secret, what it has typed so far."""

    def lamps(self, view: SeenT) -> tuple[Lamp, ...]:
        """Return each seat's lamp; a function of the public view alone.

        Where some lamps blink because something is due of their seats, one that is on says that it is done.
        """
