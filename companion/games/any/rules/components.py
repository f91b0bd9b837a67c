"""The house rules, rounds and position of any other game."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from companion.core.move import Seat, each_seat
from companion.core.options import option
from companion.core.text import Text, msg

SEATS: Final = range(2, 6)

NOBODY: Final = Seat(-1)

UNKNOWN: Final = -1
"""The right number of a round without one."""

POINTS_MOST: Final = 9_999
"""The most points that a seat can have or owe."""

NUMBER_MOST: Final = 9_999
"""The largest secret number: a year has four digits."""

CHANGES_MOST: Final = 99
"""Maximum changes of points by the house in a round for points or on the clock, so that every match ends."""

CORRECTIONS_MOST: Final = 9
"""The same in other rounds."""

PASSES_MOST: Final = 999
"""Maximum turns of a round on the clock, and throws of one for dice and lots."""

TICKS_MOST: Final = 8
"""Maximum steps of a secret delay."""

SECOND_MS: Final = 1_000


class Kind(StrEnum):
    """The kinds of rounds."""

    FIRST = "first"
    SEALED = "sealed"
    CLOCK = "clock"
    LOTS = "lots"
    POINTS = "points"


KINDS: Final = {
    Kind.FIRST: msg("First!"),
    Kind.SEALED: msg("Sealed"),
    Kind.CLOCK: msg("Clock"),
    Kind.LOTS: msg("Dice and lots"),
    Kind.POINTS: msg("Points"),
}

LIST: Final = "list"
"""Plays the rounds of the box; the other games repeat one kind of round."""

OPENS: Final = {"ok": msg("at ok"), "at_once": msg("at once"), "secret": msg("after a secret delay")}

ASKS: Final = {"house": msg("the house"), "turns": msg("players in turn"), "nobody": msg("nobody")}

WINS: Final = {
    "highest": msg("the highest"),
    "lowest": msg("the lowest"),
    "closest": msg("the closest to the right one"),
    "exact": msg("only the right one"),
    "shown": msg("no number"),
}

CLOCKS: Final = {
    "sudden_death": msg("sudden death"),
    "increment": msg("with an increment"),
    "hourglass": msg("hourglass"),
}

LOTS: Final = {
    "dice": msg("dice"),
    "begins": msg("who begins"),
    "teams": msg("two teams"),
    "names": msg("a list"),
}


def _count(
    default: int, bounds: tuple[int, int], steps: tuple[int, ...], label: Text, text: Text, **words: Any
) -> int:
    least, most = bounds
    return option(default, text, minimum=least, maximum=most, steps=(default, *steps), label=label, **words)


_SECONDS: Final = msg("{n} s")


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/any.md, "House rules"). A round of the box may differ from them."""

    play: str = option(
        LIST,
        msg("the rounds that the box lists, or rounds of one kind"),
        choices={LIST: msg("as the box says")} | {kind.value: text for kind, text in KINDS.items()},
        label=msg("Which game"),
    )
    rounds: int = _count(
        10, (1, 30), (1, 5, 15), msg("Rounds"), msg("rounds of a match of one kind; a match on the clock has one")
    )
    points: int = _count(
        1, (0, 999), (2, 5, 10, 100), msg("Points for a win"), msg("points for a right answer or a round won")
    )
    wrong: int = _count(
        0, (0, 999), (1, 2, 5, 10, 100), msg("Wrong answer costs"), msg("points that a wrong answer costs")
    )
    opens: str = option(
        "ok",
        msg("buzzers count once the house presses ok, at once, or after a delay that nobody knows"),
        choices=OPENS,
        label=msg("Buzzers open"),
    )
    asks: str = option(
        "house",
        msg("the house asks, or each player in turn; or nobody, and the first press wins the round"),
        choices=ASKS,
        label=msg("Who asks"),
    )
    answer_s: int = _count(
        0,
        (0, 600),
        (5, 10, 20, 60),
        msg("Time to answer"),
        msg("seconds for an answer; 0: no limit"),
        words={0: msg("no limit")},
        unit=_SECONDS,
    )
    go_on: bool = option(
        True, msg("after a wrong answer the others may press"), label=msg("Others after a wrong answer")
    )
    wins: str = option(
        "highest", msg("which secret number wins the round"), choices=WINS, label=msg("Winning number")
    )
    largest: int = _count(
        NUMBER_MOST, (1, NUMBER_MOST), (9, 20, 100), msg("Largest number"), msg("the largest secret number")
    )
    tokens: bool = option(
        False,
        msg("secret numbers are bids of own points, and the single highest pays"),
        label=msg("Bid own points"),
    )
    minutes: int = _count(10, (1, 90), (1, 3, 5, 15, 30, 60), msg("Minutes"), msg("minutes on each player's clock"))
    increment_s: int = _count(
        5,
        (1, 60),
        (1, 2, 3, 10, 30),
        msg("Increment"),
        msg("seconds added after each turn on a clock with an increment"),
        unit=_SECONDS,
    )
    clock: str = option(
        "sudden_death",
        msg("the time is all there is, grows after each turn, or runs to the next player's clock"),
        choices=CLOCKS,
        label=msg("Clock"),
    )
    lots: str = option(
        "dice",
        msg("what a round of dice and lots throws or draws; a list only in a box"),
        choices={word: text for word, text in LOTS.items() if word != "names"},
        label=msg("Dice and lots"),
    )
    dice: int = _count(
        2, (1, 9), (1, 3, 5), msg("Dice"), msg("dice thrown one after the other, or names drawn from a list")
    )
    sides: int = _count(6, (2, 100), (2, 4, 8, 10, 12, 20, 100), msg("Sides"), msg("sides of a die"))
    target: int = _count(
        0,
        (0, 9_999),
        (10, 50, 100, 500, 1000),
        msg("Target"),
        msg("points that end the match; 0: the last round does"),
        words={0: msg("none")},
    )
    tie_margin_ms: int = _count(
        1,
        (0, 50),
        (0, 2, 5, 10),
        msg("Ties"),
        msg("calls this close to the earliest are a tie, in milliseconds"),
        unit=msg("within {n} ms"),
    )


class Round(NamedTuple):
    """One round. Values that the box does not give are those of the house rules of the same name.

    * `text` and `answer` are for the house; with `show` everybody reads the text from the start.
    * `number`: the right secret number, UNKNOWN if the house keys it. `words`: the choices, from number 1.
    * `names`: what is drawn with `lots` = names.
    """

    kind: Kind
    text: str = ""
    answer: str = ""
    show: bool = False
    points: int = 1
    wrong: int = 0
    opens: str = "ok"
    asks: str = "house"
    answer_s: int = 0
    go_on: bool = True
    wins: str = "highest"
    largest: int = NUMBER_MOST
    tokens: bool = False
    number: int = UNKNOWN
    words: tuple[str, ...] = ()
    minutes: int = 10
    increment_s: int = 5
    clock: str = "sudden_death"
    lots: str = "dice"
    dice: int = 2
    sides: int = 6
    names: tuple[str, ...] = ()
    target: int = 0

    @property
    def least(self) -> int:
        """The smallest secret number."""
        return 1 if self.words else 0

    @property
    def asked(self) -> bool:
        """True if the round is won by the right number."""
        return self.wins in {"closest", "exact"}


class Box(NamedTuple):
    """The rounds of the box, each as the keys and values that its file gives."""

    rounds: tuple[tuple[tuple[str, object], ...], ...]


class Phase(StrEnum):
    """The phases of a match."""

    READY = "ready"  # a race, a clock or a throw is about to begin
    OPEN = "open"  # buzzers count
    ANSWER = "answer"  # a seat has the word
    SEALED = "sealed"  # secret numbers are keyed
    NUMBER = "number"  # all numbers are shown, and the house keys the right one
    CLOCK = "clock"  # a seat's clock runs
    LOTS = "lots"  # dice fall, or lots are drawn
    POINTS = "points"  # the house keys points
    OVER = "over"


class State(NamedTuple):
    """A position.

    * `number`: the index of the round. `turn` counts questions and races of the match.
    * `locked`: seats that may not call any more in this round; on the clock, those whose flag fell, in order.
    * `tied`: the seats that alone may call after a tie, () for all.
    * `caller`: who has the word, or whose clock runs.
    * `bids`: secret numbers, None until locked. `shown` are the last ones, `won` the seats that won with them, and
      `right` is the right number.
    * `rest_ms`: the time on each clock.
    * `drawn`: all dice or lots so far. `ticks`: the draws of a secret delay, the last of which sets the next pause.
    * `changes` of points in this round; `passes`: its turns on the clock, or its throws.
    """

    rulings: Rulings
    rounds: tuple[Round, ...]
    points: tuple[int, ...]
    number: int = 0
    phase: Phase = Phase.READY
    turn: int = 0
    locked: tuple[Seat, ...] = ()
    tied: tuple[Seat, ...] = ()
    caller: Seat = NOBODY
    bids: tuple[int | None, ...] = ()
    shown: tuple[int, ...] = ()
    won: tuple[Seat, ...] = ()
    right: int = UNKNOWN
    rest_ms: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    ticks: tuple[int, ...] = ()
    changes: int = 0
    passes: int = 0

    @property
    def round(self) -> Round:
        """The current round; after the end, the last one."""
        return self.rounds[self.number - (self.phase == Phase.OVER)]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return each_seat(len(self.points))


def leader(state: State) -> Seat:
    """Return who begins this round: the next seat in each."""
    return Seat(state.number % len(state.points))


def asker(state: State) -> Seat:
    """Return the seat that asks, NOBODY if none does (AN-R8)."""
    by_turns = state.round.kind == Kind.FIRST and state.round.asks == "turns"
    return leader(state) if by_turns else NOBODY


def callers(state: State) -> tuple[Seat, ...]:
    """Return the seats that may call: not the asker, nobody locked out, after a tie only the tied ones."""
    without = (*state.locked, asker(state))
    return tuple(seat for seat in state.tied or state.seats if seat not in without)


def lots_due(state: State) -> int:
    """Return how many dice or lots the round has."""
    this = state.round
    if this.lots == "teams":
        return len(state.points)
    if this.lots == "begins":
        return 1
    return min(this.dice, len(this.names)) if this.lots == "names" else this.dice


def lots_left(state: State) -> tuple[int, ...]:
    """Return the equally likely next lots: sides of a die, or what is not drawn yet, from 1."""
    this = state.round
    if this.lots == "dice":
        return tuple(range(1, this.sides + 1))
    most = len(this.names) if this.lots == "names" else len(state.points)
    return tuple(lot for lot in range(1, most + 1) if lot not in state.drawn)


def changes_most(this: Round) -> int:
    return CHANGES_MOST if this.kind in {Kind.POINTS, Kind.CLOCK} else CORRECTIONS_MOST


def bid_most(this: Round, points: int) -> int:
    """Return the largest number that a seat with these points may lock."""
    if this.words:
        return len(this.words)
    return min(this.largest, max(0, points)) if this.tokens else this.largest
