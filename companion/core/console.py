"""The contract between a game's console and the referee: what the referee waits for, and what keys mean."""

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
"""The layout of a keypad of four rows and four columns, row by row."""

BACK: Final = "*"
"""The key that deletes the last key, and after a lock retracts the lock where the rules allow it."""

TURN: Final = "#"
"""The key that turns a card, for players without a buzzer."""

HOUSE_CONTROLS: Final = ("ok", "skip", "right", "wrong", "undo", "pause", "menu")
"""The controls that belong to the house, not to a seat."""

OFF: Final = "off"
"""The control that `menu` becomes when it is held for HOLD_S: switch the table off."""

HOLD_S: Final = 5.0

_HANDICAP: Final = "handicap_"
"""The prefix of a call's flag for its handicap; the handicap in milliseconds follows."""


class PlayerPrompt(NamedTuple):
    """A draw that players may make themselves before the dealer does.

    One of `seats` makes it by its buzzer or TURN, the house by ok. The first of the seats is the one whose turn it
    is; all of them read `prompt`. Where the question is who it is, the answer is a move with the verb `said`, the
    dealer's draw is a move with the verb `lot`, and `offer` tells players of both.
    """

    seats: tuple[Seat, ...]
    prompt: Text
    said: str = ""
    lot: str = ""
    offer: Text | None = None


class Limit(NamedTuple):
    """A time limit: after `ms` the TABLE makes `move`.

    With `share_percent` the limit is that share of the time from the start of the race before it to the call that
    won it, at least `least_ms` and at most `ms`.
    """

    ms: int
    move: Move
    least_ms: int = 0
    share_percent: int | None = None

    def length_ns(self, raced_ns: int) -> int:
        """Return the limit after a race that was won `raced_ns` after its start."""
        if self.share_percent is None:
            return self.ms * MS
        return min(self.ms * MS, max(self.least_ms * MS, raced_ns * self.share_percent // 100))


class Deal(NamedTuple):
    """The TABLE's next move is a card or a die.

    After `pause_ms` the dealer makes it; with `together` at once when the dealer has just made another. Where
    players may do something before it, the dealer waits for `people_ms` after the last of their moves. Where
    players deal themselves, `player_prompt` asks them to. A press of one of `early_controls` is too early for
    the race that the draw will open. Without a dealer, a draw `by_itself` is made after its time from when the
    position was shown, or before by hand.
    """

    pause_ms: int
    together: bool = False
    early_controls: frozenset[str] = frozenset()
    player_prompt: PlayerPrompt | None = None
    people_ms: int | None = None
    by_itself: Limit | None = None

    @property
    def at_once(self) -> bool:
        """Whether players have no time to do anything before a dealer makes it."""
        return self.together and self.people_ms is None and self.player_prompt is None

    def wait_ms(self, *, dealt: bool) -> int | None:
        """Return the pause before a dealer makes it, or it makes itself; None where somebody has to key it."""
        if dealt:
            return self.pause_ms
        return self.by_itself.ms if self.by_itself else None


class Race(NamedTuple):
    """A race for the first call: who may call, with which controls, and how close to the earliest call is a tie.

    A move starts a new race only if it changes `number`. `handicaps_ms` are added to the timestamps of each seat's
    calls; () means no handicaps.
    """

    number: int
    callers: tuple[Seat, ...]
    controls: frozenset[str]
    tie_margin_ms: int
    handicaps_ms: tuple[int, ...] = ()

    def handicap_ns(self, seat: Seat) -> int:
        """Return the handicap of a seat, which is added to the timestamps of its calls."""
        return self.handicaps_ms[seat] * MS if self.handicaps_ms else 0

    def as_judged(self, call: "Call") -> "Call":
        """Return a call with the timestamp by which it is judged; a flag keeps its handicap."""
        later_ns = self.handicap_ns(call.seat)
        if not later_ns:
            return call
        return call._replace(t_ns=call.t_ns + later_ns, flags=(*call.flags, f"{_HANDICAP}{later_ns // MS}"))


class Stage(NamedTuple):
    """What the referee waits for in one position; None where it does not wait for that.

    A move clears what all seats have typed, unless `keying` stays the same number: then it clears only what its own
    seat has typed. While `question` stays the same, a move opens no new question, and its player may press on at
    once. A lost device of a seat in `out` does not pause the match.
    """

    deal: Deal | None = None
    race: Race | None = None
    limit: Limit | None = None
    keying: int | None = None
    question: int | None = None
    out: tuple[Seat, ...] = ()

    @property
    def call_controls(self) -> frozenset[str]:
        """The controls that call now, or would be too early for the next race."""
        early = self.deal.early_controls if self.deal else frozenset[str]()
        return self.race.controls if self.race else early


class Keyed(NamedTuple):
    """What a key did: `entry` is what its seat has typed now, `move` the move that the key completed.

    The key also makes the moves of `then`, one after the other, until one is refused. With an `entry` beside them
    they wait for the seat's turn while that entry stays typed. `why` tells the seat alone why a key was refused,
    and what is allowed.

    An entry that ends with TURN asks for confirmation of something that cannot be undone. With `for_house` the
    entry is the house's, and everybody sees it.
    """

    entry: str = ""
    move: Move | None = None
    why: Text | None = None
    then: tuple[Move, ...] = ()
    for_house: bool = False

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves that the key made, in order."""
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

    `keys` are written as on a help page: a key, several, a range (`1-6`), or a control of the house. `picture` is
    the name of its drawing; with a `colour` it looks like a card.
    """

    keys: str
    text: Text | None = None
    picture: str = ""
    colour: str = ""

    @property
    def is_keyed(self) -> bool:
        """Whether it is keyed; False for a control of the house."""
        return self.keys not in HOUSE_CONTROLS


def seat_codes(seats: Iterable[Seat], picture: str = "", colours: Sequence[str] = ()) -> tuple[Code, ...]:
    """Return the keys of seats with their names, and with a drawing in each seat's colour where it has one."""
    return tuple(Code(str(seat + 1), seat_name(seat), picture, colours[seat] if colours else "") for seat in seats)


class HouseEntry(NamedTuple):
    """What the house can do now: the task in words, its codes, and the `meaning` of what it has keyed.

    Everybody reads it, so it must not contain a secret. A task that nobody waits for is not `due`: the display
    shows it only while it is being keyed, or also before that with `at_hand`. With `openly` a player who still owes
    a secret may key it for the house first.
    """

    task: Text
    codes: tuple[Code, ...] = ()
    meaning: Text | None = None
    due: bool = True
    at_hand: bool = False
    openly: bool = False


class Lamp(StrEnum):
    """The states of a seat's lamp."""

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
        """The part of its timestamp that is the handicap of its seat."""
        said = [flag.removeprefix(_HANDICAP) for flag in self.flags if flag.startswith(_HANDICAP)]
        return sum(int(ms) * MS for ms in said if ms.isdecimal() and len(ms) <= DIGITS)


class Console(Protocol[SeenT]):
    """One game's console module: pure functions from a view to what keys, lamps and prompts mean.

    A module may also define the function of a protocol below: GuidesHouse, SaysTyped, ShowsOwn, OffersTouch,
    PromptsByHand, LightsByHand.
    """

    def stage(self, view: SeenT) -> Stage:
        """Say what the referee waits for."""

    def called(self, view: SeenT, winners: tuple[Call, ...]) -> Move | None:
        """Return the TABLE's move for the winner of a race, or for the seats that tied; None for no effect."""

    def early(self, view: SeenT, seat: Seat) -> Move | None:
        """Return the TABLE's move for a press before the race was open; None for no effect."""

    def key(self, view: SeenT, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return what a key of a seat, or of the house's keypad (TABLE), does; outside a race also its buzzer.

        `view` is that seat's; `entries` has what each seat has typed since the last move.
        """

    def house(self, view: SeenT, control: str) -> Move | None:
        """Return the TABLE's move for a control of the house; None for no effect."""

    def keys_for(self, view: SeenT, move: Move) -> tuple[str, ...]:
        """Return the controls that a seat presses to make a move; () if keys cannot make it."""

    def prompt(self, view: SeenT) -> Text:
        """Return what the reader of the view may do now; it must not depend on a secret."""

    def private(self, view: SeenT, entry: str) -> Text | None:
        """Return what a seat's own screen shows below the prompt: its secrets and what it has typed."""

    def lamps(self, view: SeenT) -> tuple[Lamp, ...]:
        """Return each seat's lamp, from the public view.

        A blinking lamp means that its seat has something to do; beside blinking lamps, one that is on means done.
        """


def has_races(console: Console[SeenT]) -> bool:
    """Return whether it ever matters in a game who has called first."""
    return console.called is not no_effect


def no_effect(*_: object, **__: object) -> None:
    """Stand for `called`, `early`, `house` or `private` in a console that does not use it."""


@runtime_checkable
class GuidesHouse(Protocol[SeenT]):
    """A console that tells the house what it can do; without it the display shows only the prompt."""

    def house_entry(self, view: SeenT, entry: str) -> HouseEntry | None:
        """Return what the house can do now, from the public view and what it has keyed; None for nothing."""


@runtime_checkable
class SaysTyped(Protocol[SeenT]):
    """A console that words what a seat has typed."""

    def typed(self, view: SeenT, entry: str) -> Text | None:
        """Return the first line of the seat's own screen; None for the prompt."""


@runtime_checkable
class ShowsOwn(Protocol[SeenT]):
    """A console whose scene draws what `private` says."""

    def own(self, view: SeenT, entry: str) -> object | None:
        """Return a plain value that the scene's `private` draws; None for nothing."""


class Touch(NamedTuple):
    """Something that a player may touch on their own screen instead of pressing `keys`, one after the other.

    `thing` is what the scene's private picture calls it; something that is not in the picture has none.
    """

    keys: str
    text: Text
    thing: str = ""


@runtime_checkable
class OffersTouch(Protocol[SeenT]):
    """A console whose answers can be touched on a player's own screen."""

    def touches(self, view: SeenT, entry: str) -> tuple[Touch, ...] | None:
        """Return what the viewing seat may touch now; None where it needs its keys, which everybody may know."""


@runtime_checkable
class PromptsByHand(Protocol[SeenT]):
    """A console whose prompts differ where players deal and roll."""

    def prompt_by_hand(self, view: SeenT) -> Text:
        """Return the prompt with real pieces."""


@runtime_checkable
class LightsByHand(Protocol[SeenT]):
    """A console whose lamps differ where players deal and roll."""

    def lamps_by_hand(self, view: SeenT) -> tuple[Lamp, ...]:
        """Return the lamps with real pieces."""
