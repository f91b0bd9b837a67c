"""The interface between a game's console and the referee."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, runtime_checkable

from companion.core.limits import DIGITS
from companion.core.move import Move, Seat
from companion.core.rules import SeenT
from companion.core.text import Text, msg, seat_name
from companion.core.units import MS

BUZZ: Final = "buzz"

KEYS: Final = tuple("0123456789*#ABCD")
"""The controls of a keypad. On a USB number pad Enter is `#` and `/ - + .` are `A B C D`."""

KEYPAD: Final = ("123A", "456B", "789C", "*0#D")

BACK: Final = "*"
"""The key that deletes the last key. After a lock it retracts the lock if the rules allow it."""

TURN: Final = "#"
"""The key that turns a card, for players without a buzzer."""

HOUSE_KEY: Final = "D"
"""Lends a seat's keypad to the house and takes it back, or opens the list of the house's controls."""

HOUSE_CONTROLS: Final = ("ok", "skip", "right", "wrong", "undo", "pause", "menu")

OFF: Final = "off"
"""The control that `menu` becomes when held for HOLD_S: switch the table off."""

HOLD_S: Final = 5.0

_HANDICAP: Final = "handicap_"
"""Prefix of the flag with a call's handicap in milliseconds."""

_USED: Final = "used_"
"""Prefix of the flag with what a call has used of the race's limit, in nanoseconds."""


class PlayerPrompt(NamedTuple):
    """A draw that players may make themselves before the dealer does.

    One of `seats` makes it by its buzzer or TURN, the house by ok. All of them read `prompt`; it is the turn of
    `seats[0]`. If players choose who begins, they make a move `said`, the dealer a move `lot`, and `offer` explains
    both.
    """

    seats: tuple[Seat, ...]
    prompt: Text
    said: str = ""
    lot: str = ""
    offer: Text | None = None


class Limit(NamedTuple):
    """A time limit: after `ms` the TABLE makes `move`.

    With `share_percent`, the limit is that share of the time that the preceding race took, between `least_ms` and
    `ms`.
    """

    ms: int
    move: Move
    least_ms: int = 0
    share_percent: int | None = None

    def length_ns(self, raced_ns: int) -> int:
        """Return the limit for a card whose race took `raced_ns`."""
        if self.share_percent is None:
            return self.ms * MS
        return min(self.ms * MS, max(self.least_ms * MS, raced_ns * self.share_percent // 100))


class Deal(NamedTuple):
    """A draw that is the TABLE's next move.

    * `pause_ms`: the dealer's pause before it; with `together`, none directly after another draw. None if the
      house's ok makes it, also where the companion deals.
    * `people_ms`: players may act before it; the dealer waits this long after their last move.
    * `early_controls`: presses of these are false starts of the race that the draw opens.
    * `by_itself`: without a dealer, the draw is made after this limit from when the position was shown.
    """

    pause_ms: int | None
    together: bool = False
    early_controls: frozenset[str] = frozenset()
    player_prompt: PlayerPrompt | None = None
    people_ms: int | None = None
    by_itself: Limit | None = None

    @property
    def dealt(self) -> bool:
        """True if the dealer makes it, where there is one."""
        return self.pause_ms is not None

    @property
    def at_once(self) -> bool:
        """True if the dealer deals without waiting for anybody."""
        return self.together and self.people_ms is None and self.player_prompt is None

    def wait_ms(self, *, dealt: bool) -> int | None:
        """Return the dealer's (`dealt`) or the automatic pause; None if somebody must key the draw."""
        if dealt:
            return self.pause_ms
        return self.by_itself.ms if self.by_itself else None


class Race(NamedTuple):
    """A race for the first call.

    A move starts a new race only if it changes `number`. `handicaps_ms` are added to the timestamps of each seat's
    calls; () if there are none.
    """

    number: int
    callers: tuple[Seat, ...]
    controls: frozenset[str]
    tie_margin_ms: int
    handicaps_ms: tuple[int, ...] = ()

    def handicap_ns(self, seat: Seat) -> int:
        """Return how much later a press of the seat counts."""
        return self.handicaps_ms[seat] * MS if self.handicaps_ms else 0

    def as_judged(self, call: "Call") -> "Call":
        """Return a call with its handicap added to the timestamp and recorded in a flag."""
        later_ns = self.handicap_ns(call.seat)
        if not later_ns:
            return call
        return call._replace(t_ns=call.t_ns + later_ns, flags=(*call.flags, f"{_HANDICAP}{later_ns // MS}"))


class Stage(NamedTuple):
    """The events that the referee waits for in one position; None for others.

    A move clears what all seats have typed; while `keying` stays the same number, only what its own seat has typed.
    While `question` stays the same, a move opens no new question, and its player may press on at once. Lost devices
    of seats in `out` do not pause the match. A photo finish covers the scene before a deal, or with `photo`, when
    nobody has to look at it.
    """

    deal: Deal | None = None
    race: Race | None = None
    limit: Limit | None = None
    keying: int | None = None
    question: int | None = None
    out: tuple[Seat, ...] = ()
    photo: bool = False

    @property
    def call_controls(self) -> frozenset[str]:
        """The controls that call now, also before the card is open."""
        early = self.deal.early_controls if self.deal else frozenset[str]()
        return self.race.controls if self.race else early


class Keyed(NamedTuple):
    """The effect of a key: `entry` is what its seat has typed now, `move` is the completed move.

    * `then`: further moves of the key, made until one is refused. With an `entry`, they wait for the seat's turn
      while it stays typed.
    * `why`: why the key was refused; only the seat reads it.
    * `for_house`: the entry is the house's and everybody sees it.

    An entry that ends with TURN asks for confirmation of something that cannot be undone.
    """

    entry: str = ""
    move: Move | None = None
    why: Text | None = None
    then: tuple[Move, ...] = ()
    for_house: bool = False

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that the key makes, in order."""
        return (self.move, *self.then) if self.move else ()

    @property
    def accepted(self) -> bool:
        """True if the key was not refused."""
        return self.why is None


NOTHING_TYPED: Final = msg("there is nothing to delete")


def digits_of(numbers: Sequence[int]) -> str:
    """Return digits as in a prompt: `1-3` for a range, else `1/3`."""
    in_a_row = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]}-{numbers[-1]}" if in_a_row else "/".join(map(str, numbers))


class Code(NamedTuple):
    """Something that the house can key or press now, and its meaning.

    `keys` are a key, several, a range (`1-6`) or a house button. `picture` names a drawing; a `colour` makes it a
    card.
    """

    keys: str
    text: Text | None = None
    picture: str = ""
    colour: str = ""

    @property
    def is_keyed(self) -> bool:
        """True if a keypad enters it, False for a button of the house."""
        return self.keys not in HOUSE_CONTROLS


def seat_codes(seats: Iterable[Seat], picture: str = "", colours: Sequence[str] = ()) -> tuple[Code, ...]:
    """Return the codes that choose a seat: its number."""
    return tuple(Code(str(seat + 1), seat_name(seat), picture, colours[seat] if colours else "") for seat in seats)


class HouseEntry(NamedTuple):
    """The house's task, its codes, and the `meaning` of what it has keyed.

    Everybody reads it, so it must not contain a secret. A task that is not `due` is optional: it is shown while it
    is being keyed, or always with `at_hand`. With `openly`, a player who still owes a secret may key it first.
    """

    task: Text
    codes: tuple[Code, ...] = ()
    meaning: Text | None = None
    due: bool = True
    at_hand: bool = False
    openly: bool = False


class Lamp(StrEnum):
    """The states of a lamp."""

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
        """The handicap in the flags of the signal."""
        return self._flagged(_HANDICAP) * MS

    @property
    def used_ns(self) -> int:
        """How much of the race's limit the call has used, without pauses; known to `called` only."""
        return self._flagged(_USED)

    def timed(self, used_ns: int) -> "Call":
        """Return the call with what it has used of the race's limit."""
        return self._replace(flags=(*self.flags, f"{_USED}{used_ns}"))

    def _flagged(self, prefix: str) -> int:
        said = [flag.removeprefix(prefix) for flag in self.flags if flag.startswith(prefix)]
        return sum(int(number) for number in said if number.isdecimal() and len(number) <= DIGITS)


class Console(Protocol[SeenT]):
    """One game's console module: pure functions from a view to the meaning of keys, lamps and prompts.

    Optional protocols: GuidesHouse, SaysTyped, ShowsOwn, OffersTouch, PromptsByHand, LightsByHand.
    """

    def stage(self, view: SeenT) -> Stage:
        """Return what the referee waits for."""

    def called(self, view: SeenT, winners: tuple[Call, ...]) -> Move | None:
        """Return the TABLE's move for the winner of a race, or for the seats that tied; None for no effect."""

    def early(self, view: SeenT, seat: Seat) -> Move | None:
        """Return the TABLE's move for a press before the race was open; None for no effect."""

    def key(self, view: SeenT, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return the effect of a key of a seat or of the house's keypad (TABLE).

        Outside a race this includes the buzzer. `view` is the seat's; `entries` are what seats have typed since the
        last move.
        """

    def house(self, view: SeenT, control: str) -> Move | None:
        """Return the TABLE's move for a control of the house; None for no effect."""

    def keys_for(self, view: SeenT, move: Move) -> tuple[str, ...]:
        """Return the controls that a seat presses to make a move; () if keys cannot make it."""

    def prompt(self, view: SeenT) -> Text:
        """Return what the reader of the view may do now. It must not depend on a secret."""

    def private(self, view: SeenT, entry: str) -> Text | None:
        """Return the text below the prompt on a seat's own screen: its secrets and what it has typed."""

    def lamps(self, view: SeenT) -> tuple[Lamp, ...]:
        """Return each seat's lamp, from the public view.

        A blinking lamp means that its seat has something to do; beside blinking lamps, one that is on means done.
        """


def has_races(console: Console[SeenT]) -> bool:
    """Return True if players can call in this game."""
    return console.called is not no_effect


def no_effect(*_: object, **__: object) -> None:
    """Stands for `called`, `early`, `house` or `private` in consoles without them."""


@runtime_checkable
class GuidesHouse(Protocol[SeenT]):
    """A console that says what the house can do; otherwise the display shows only the prompt."""

    def house_entry(self, view: SeenT, entry: str) -> HouseEntry | None:
        """Return what the house can do now, given the public view and its `entry`; None for nothing."""


@runtime_checkable
class SaysTyped(Protocol[SeenT]):
    """A console that words what a seat has typed."""

    def typed(self, view: SeenT, entry: str) -> Text | None:
        """Return the first line of the seat's own screen; None for the prompt."""


@runtime_checkable
class ShowsOwn(Protocol[SeenT]):
    """A console whose scene draws what `private` says."""

    def own(self, view: SeenT, entry: str) -> object | None:
        """Return a plain value for the scene's `private`; None for nothing."""


class Touch(NamedTuple):
    """A touch that stands for pressing `keys`. `thing` is its name in the scene's picture."""

    keys: str
    text: Text
    thing: str = ""


@runtime_checkable
class OffersTouch(Protocol[SeenT]):
    """A console whose answers can be touched on a player's own screen."""

    def touches(self, view: SeenT, entry: str) -> tuple[Touch, ...] | None:
        """Return what the seat may touch now; None if it must use its keys, which everybody may know."""


@runtime_checkable
class PromptsByHand(Protocol[SeenT]):
    """A console with different prompts if players deal and roll."""

    def prompt_by_hand(self, view: SeenT) -> Text:
        """Return the prompt of the public view."""


@runtime_checkable
class LightsByHand(Protocol[SeenT]):
    """A console with different lamps if players deal and roll."""

    def lamps_by_hand(self, view: SeenT) -> tuple[Lamp, ...]:
        """Return each seat's lamp."""
