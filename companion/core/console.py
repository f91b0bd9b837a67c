"""The contract between a game's console and the referee: what is waited for, and what keys mean."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, runtime_checkable

from companion.core.limits import DIGITS
from companion.core.move import Move, Seat
from companion.core.rules import SeenT
from companion.core.text import Text, msg, seat_name
from companion.core.units import MS

BUZZ: Final = "buzz"
"""The control of every seat's buzzer."""

KEYS: Final = tuple("0123456789*#ABCD")
"""The controls of a keypad. On a USB number pad Enter is `#` and `/ - + .` are `A B C D`."""

KEYPAD: Final = ("123A", "456B", "789C", "*0#D")
"""Where they are on a keypad of four rows and four columns, row by row."""

BACK: Final = "*"
"""The key that takes back what was typed last, and after a lock the lock itself where the rules allow it."""

TURN: Final = "#"
"""The key that turns a card, for whoever has no buzzer at hand."""

HOUSE_CONTROLS: Final = ("ok", "skip", "right", "wrong", "undo", "pause", "menu")
"""The controls that belong to no seat."""

OFF: Final = "off"
"""What `menu` becomes when it is held for HOLD_S: somebody wants to switch the table off."""

HOLD_S: Final = 5.0

_HANDICAP: Final = "handicap_"
"""A flag that begins so has the milliseconds by which a call was made earlier than it counts."""


class ByHand(NamedTuple):
    """What people may do themselves before the dealer does: one of `seats` by buzzer or TURN, the house by ok.

    The first of the seats is whose business it is, `prompt` tells all of them. Where they are asked who it is, an
    answer is a move of the verb `said`, and a draw of the dealer's one of the verb `lot`, told of by `offer`.
    """

    seats: tuple[Seat, ...]
    prompt: Text
    said: str = ""
    lot: str = ""
    offer: Text | None = None


class Limit(NamedTuple):
    """A clock runs: after `ms` the TABLE makes `move`.

    With `share_percent` it grows with the race that it follows, from `least_ms` up to `ms`: it is that share of the
    time from the start of the race to the call that won it.
    """

    ms: int
    move: Move
    least_ms: int = 0
    share_percent: int | None = None

    def length_ns(self, raced_ns: int) -> int:
        """Return how long it is after a race that was called `raced_ns` after its start."""
        if self.share_percent is None:
            return self.ms * MS
        return min(self.ms * MS, max(self.least_ms * MS, raced_ns * self.share_percent // 100))


class Deal(NamedTuple):
    """The TABLE's next move is a card or a die.

    After `pause_ms` the dealer makes it; with `together` at once when the dealer has just made another. Where
    people sit who may do something before, it is `people_ms` from the last that was done. Where the table leaves it
    to people it waits for them, `by_hand`. A press of one of `early_controls` is too early for the race that the
    draw will open. Without a dealer what goes `by_itself` waits for its time, from when the position was shown, or
    for a press by hand.
    """

    pause_ms: int
    together: bool = False
    early_controls: frozenset[str] = frozenset()
    by_hand: ByHand | None = None
    people_ms: int | None = None
    by_itself: Limit | None = None

    @property
    def at_once(self) -> bool:
        """Whether nobody may do anything before a dealer makes it."""
        return self.together and self.people_ms is None and self.by_hand is None

    def wait_ms(self, *, dealt: bool) -> int | None:
        """Return when it is made, by a dealer or by itself; None where somebody has to say what it is."""
        if dealt:
            return self.pause_ms
        return self.by_itself.ms if self.by_itself else None


class Race(NamedTuple):
    """The first call counts: who may call, with which controls, and how close to the earliest is a tie.

    `number` tells one race from the next: while it stays, a move does not start the race anew. `handicaps_ms` are
    added to the stamps of each seat's calls; without any () will do.
    """

    number: int
    callers: tuple[Seat, ...]
    controls: frozenset[str]
    tie_margin_ms: int
    handicaps_ms: tuple[int, ...] = ()

    def handicap_ns(self, seat: Seat) -> int:
        """Return by how much later than they were made the calls of a seat count."""
        return self.handicaps_ms[seat] * MS if self.handicaps_ms else 0

    def as_judged(self, call: "Call") -> "Call":
        """Return a call with the stamp by which it is judged; a flag says what of that is a handicap."""
        later_ns = self.handicap_ns(call.seat)
        if not later_ns:
            return call
        return call._replace(t_ns=call.t_ns + later_ns, flags=(*call.flags, f"{_HANDICAP}{later_ns // MS}"))


class Stage(NamedTuple):
    """What the referee waits for in one position; None where it does not wait for that.

    While `keying` is the same number as before a move, what the other seats have typed so far stays; else a move
    clears what everybody has typed. While `question` is the same, a move asks nobody anything new: who has made it
    may press on at once. Nobody waits for the devices of those who are `out`.
    """

    deal: Deal | None = None
    race: Race | None = None
    limit: Limit | None = None
    keying: int | None = None
    question: int | None = None
    out: tuple[Seat, ...] = ()

    @property
    def call_controls(self) -> frozenset[str]:
        """What calls now, or would be too early for the race that is next."""
        early = self.deal.early_controls if self.deal else frozenset[str]()
        return self.race.controls if self.race else early


class Keyed(NamedTuple):
    """What a key did: what the seat has typed so far, or the move that it completed.

    `then` are moves of the same seat that the key makes after it, each for itself, as long as none is refused. With
    an `entry` beside them they wait until it is the seat's turn, as long as that stays typed. Of a key that is not
    accepted, `why` tells the seat alone what is wrong and what is allowed.

    An entry that ends with TURN asks once more what cannot be taken back. What a seat types `for_house` is what the
    house has keyed then, for all to see.
    """

    entry: str = ""
    move: Move | None = None
    why: Text | None = None
    then: tuple[Move, ...] = ()
    for_house: bool = False

    @property
    def moves(self) -> tuple[Move, ...]:
        """All the moves that the key made, in order."""
        return (self.move, *self.then) if self.move else ()

    @property
    def accepted(self) -> bool:
        """Whether the key had an effect."""
        return self.why is None


NOTHING_TYPED: Final = msg("nothing is typed that could be taken back")


def digits_of(numbers: Sequence[int]) -> str:
    """Return digits as they stand in a prompt: `1-3` where they are in a row, else `1/3`."""
    in_a_row = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]}-{numbers[-1]}" if in_a_row else "/".join(map(str, numbers))


class Code(NamedTuple):
    """Something that the house can key or press now, and what it means.

    `keys` are named as on a page of help: a key, several, a range (`1-6`), or a control of the house. `picture` is
    its drawing, which in a `colour` looks like a card.
    """

    keys: str
    text: Text | None = None
    picture: str = ""
    colour: str = ""

    @property
    def is_keyed(self) -> bool:
        """Whether it is keyed, and no control of the house."""
        return self.keys not in HOUSE_CONTROLS


def seat_codes(seats: Iterable[Seat], picture: str = "", colours: Sequence[str] = ()) -> tuple[Code, ...]:
    """Return the keys of seats with their names, perhaps each with a drawing in the colour of that seat."""
    return tuple(Code(str(seat + 1), seat_name(seat), picture, colours[seat] if colours else "") for seat in seats)


class HouseEntry(NamedTuple):
    """What the house can do now: in words, by which codes, and what it has keyed means.

    Everybody reads it, so nothing in it may be a secret. What nobody waits for is not `due`: it stands on the
    display only while something of it is keyed, or where it is to be `at_hand` before that. Where those who owe a
    secret are the only ones who could key it, one of them may do so `openly`, before his own.
    """

    task: Text
    codes: tuple[Code, ...] = ()
    meaning: Text | None = None
    due: bool = True
    at_hand: bool = False
    openly: bool = False


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

    @property
    def handicap_ns(self) -> int:
        """What of its stamp is the handicap of its seat; it was made by so much earlier."""
        said = [flag.removeprefix(_HANDICAP) for flag in self.flags if flag.startswith(_HANDICAP)]
        return sum(int(ms) * MS for ms in said if ms.isdecimal() and len(ms) <= DIGITS)


class Console(Protocol[SeenT]):
    """One game's console module: pure functions from a view to what keys, lamps and prompts mean.

    A module may have what one of the protocols below asks for: GuidesHouse, SaysTyped, ShowsOwn, PromptsByHand,
    LightsByHand.
    """

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


def no_effect(*_: object, **__: object) -> None:
    """Stand for `called`, `early`, `house` or `private` in the console of a game that has nothing of the kind."""


@runtime_checkable
class GuidesHouse(Protocol[SeenT]):
    """A console that tells the house what it can do; without it the display says no more than the prompt."""

    def house_entry(self, view: SeenT, entry: str) -> HouseEntry | None:
        """Return what the house can do now, None for nothing: from the public view and what it has keyed."""


@runtime_checkable
class SaysTyped(Protocol[SeenT]):
    """A console with words for what a seat has typed."""

    def typed(self, view: SeenT, entry: str) -> Text | None:
        """Say it, for the first line of the seat's own screen; None while that is nothing."""


@runtime_checkable
class ShowsOwn(Protocol[SeenT]):
    """A console that has what `private` says as something to draw."""

    def own(self, view: SeenT, entry: str) -> object | None:
        """Return a plain value that the `private` of its scene draws; None where there is nothing to draw."""


@runtime_checkable
class PromptsByHand(Protocol[SeenT]):
    """A console that asks for something else where people deal and roll."""

    def prompt_by_hand(self, view: SeenT) -> Text:
        """Say what `prompt` says, with real pieces."""


@runtime_checkable
class LightsByHand(Protocol[SeenT]):
    """A console that waits for others where people deal and roll."""

    def lamps_by_hand(self, view: SeenT) -> tuple[Lamp, ...]:
        """Return what `lamps` returns, with real pieces."""
