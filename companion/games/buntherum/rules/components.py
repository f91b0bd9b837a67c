"""The house rules, box and position of Buntherum."""

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from companion.core.handicaps import handicap
from companion.core.move import HIDDEN, Seat, each_seat, with_item
from companion.core.options import option
from companion.core.text import msg, seat_name

Card = int

UNKNOWN: Final[Card] = -1
"""An open real card that was not keyed."""

NO_CARD: Final[Card] = -2

NOBODY: Final = Seat(-1)

IMPOSSIBLE: Final = 0
"""The declaration that no row takes the card."""

SIDES: Final = 6

SEATS: Final = range(2, 6)

_UNSURE: Final = 1 << 62
"""Marks a row with an unknown card."""


def _handicap(number: int) -> int:
    seat = seat_name(number - 1)
    return handicap(
        msg("milliseconds added to every call of {seat}", seat=seat),
        label=msg("Handicap, {seat} (ms)", seat=seat),
        badge=lambda n: msg("+{n} ms", n=n),
        maximum=2000,
        steps=(100, 200, 300, 400, 500, 700, 1000),
    )


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/buntherum.md, "House rules")."""

    call_input: str = option(
        "buzz_then_key",
        msg("call with the buzzer, then enter the row; or call with the key of the row itself"),
        choices={"buzz_then_key": msg("buzzer, then key"), "direct": msg("one key")},
        label=msg("Call"),
        ours=True,
    )
    tie_margin_ms: int = option(
        1,
        msg("calls this close to the earliest are a tie, in milliseconds"),
        minimum=0,
        maximum=50,
        steps=(0, 1, 2, 5, 10),
        label=msg("Ties"),
        unit=msg("within {n} ms"),
        ours=True,
    )
    declare_s: float = option(
        2,
        msg("maximum seconds for the row: half the time the card lay open, at least 0.9"),
        minimum=1,
        maximum=60,
        steps=(2, 1, 1.5, 3, 5, 8),
        label=msg("Time for the row"),
        unit=msg("{n} s"),
        fractions=True,
        ours=True,
    )
    late_declare: str = option(
        "chip",
        msg(
            "after a call without a row in time: a chip, or the others may call, or the card is skipped, "
            "so that a press can block everybody for free"
        ),
        choices={"chip": msg("red chip"), "reopen": msg("others may call"), "skip": msg("no chip")},
        label=msg("No row in time"),
        ours=True,
    )
    early_buzz: str = option(
        "ignore",
        msg("what a press before the card is visible costs"),
        choices={"ignore": msg("does not count"), "chip": msg("red chip")},
        label=msg("Too early"),
        ours=True,
    )
    nobody_after_s: int = option(
        0,
        msg("seconds after which an unclaimed card is skipped; 0: the house skips it"),
        minimum=0,
        maximum=3600,
        steps=(0, 10, 20, 30),
        label=msg("Skip unclaimed cards"),
        words={0: msg("never")},
        unit=msg("after {n} s"),
        ours=True,
    )
    last_card: str = option(
        "turn_wins",
        msg("turning the last card wins, or its owner must also place it"),
        choices={"turn_wins": msg("turning it wins"), "must_place": msg("to be placed")},
        label=msg("Last card"),
    )
    printed_counts: bool = option(
        True,
        msg("the object and colour printed on a side count as part of its row"),
        label=msg("Hexagon pictures count"),
    )
    open: str = option(
        "at_once",
        msg("real cards may be called soon after the previous card, or once the house presses ok"),
        choices={"at_once": msg("at once"), "ok": msg("after ok")},
        label=msg("Calling real cards"),
        ours=True,
        scripted="ok",
    )
    judged_by: str = option(
        "cards",
        msg("real cards are entered and the companion judges, or they are not and the house judges"),
        choices={"cards": msg("by the companion"), "house": msg("by the house")},
        label=msg("Judging cards"),
        ours=True,
    )
    handicap_1: int = _handicap(1)
    handicap_2: int = _handicap(2)
    handicap_3: int = _handicap(3)
    handicap_4: int = _handicap(4)
    handicap_5: int = _handicap(5)


class Box(NamedTuple):
    """The contents of the box: `deck` lists every card, `printed` the six of the hexagon (BH-R1).

    `hands` are the cards dealt to each player with 2, 3, 4 and 5 players (BH-R4).
    """

    objects: tuple[str, ...]
    colours: tuple[str, ...]
    printed: tuple[Card, ...]
    deck: tuple[Card, ...]
    hands: tuple[int, ...]
    chips_out: int

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each card, such as `red car`."""
        return _names(self.objects, self.colours)


@cache
def _names(objects: tuple[str, ...], colours: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{colour} {thing}" for colour in colours for thing in objects)


class Phase:
    """The phases of a match."""

    SETUP: Final = "setup"
    READY: Final = "ready"  # the next card is about to be turned
    OPEN: Final = "open"  # calls count
    LOCKED: Final = "locked"  # one seat has the call and must name a row
    JUDGE: Final = "judge"  # a row was named and the house must judge
    OVER: Final = "over"


class State(NamedTuple):
    """A position.

    * `unseen`: the cards that nobody has seen, unordered. They are the `fresh` top cards of the draw pile, the
      players' piles and the cards set `aside`.
    * `under`: cards put under the draw pile, next one first.
    * `marks`: a bit for each object and colour in a row.
    * `turn`: cards turned so far.
    * `flipper`: turns the next card, or turned the open one, from the pile of `source`, a seat or the TABLE.
    * `group`: seats in a tie-break, () if everybody plays.
    * `early`: seats that paid for a press before this card.
    * `late`: seats that called this card and named no row in time (BH-A20).
    * `gone`: eliminated seats in order.
    * `ended`: the key of the reason, empty during the match.
    """

    box: Box
    rulings: Rulings
    seats: int
    rows: tuple[tuple[Card, ...], ...]
    marks: tuple[int, ...]
    aside: int
    chips: tuple[int, ...]
    gone: tuple[Seat, ...]
    ended: str
    turn: int
    unseen: tuple[Card, ...]
    fresh: int
    piles: tuple[int, ...]
    phase: str
    under: tuple[Card, ...]
    card: Card
    flipper: Seat
    source: Seat
    group: tuple[Seat, ...]
    early: tuple[Seat, ...]
    late: tuple[Seat, ...]
    caller: Seat
    said: int | None


def draw_pile(state: State) -> int:
    return state.fresh + len(state.under)


def active(state: State) -> tuple[Seat, ...]:
    return _callers(state.seats, state.gone, (), ())


def callers(state: State) -> tuple[Seat, ...]:
    """Return the seats that may call: in a tie-break the tied ones (BH-R15), each once per card (BH-A20)."""
    return _callers(state.seats, state.gone, state.group, state.late)


@cache
def _callers(
    seats: int, gone: tuple[Seat, ...], group: tuple[Seat, ...], late: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    return tuple(seat for seat in group or each_seat(seats) if seat not in gone and seat not in late)


def mark(box: Box, card: Card) -> int:
    return _UNSURE if card == UNKNOWN else all_marks(len(box.objects), len(box.colours))[card]


@cache
def all_marks(objects: int, colours: int) -> tuple[int, ...]:
    return tuple(1 << thing | 1 << objects + colour for colour in range(colours) for thing in range(objects))


def fits(state: State, card: Card, row: int) -> bool | None:
    """Return True if a card fits into row 1 to 6 (BH-R2), None if an unknown card leaves that open."""
    marks = state.marks[row - 1]
    room = min(len(state.box.objects), len(state.box.colours)) - state.rulings.printed_counts
    if len(state.rows[row - 1]) >= room:
        return False  # it has every object or every colour (BH-A25)
    if card != UNKNOWN and marks & mark(state.box, card):
        return False
    return None if card == UNKNOWN or marks & _UNSURE else True


def has_unread(state: State) -> bool:
    return max(state.marks) >= _UNSURE


def known_marks(state: State, side: int) -> int:
    return state.marks[side] & ~_UNSURE


def named_in(state: State, side: int, card: Card) -> State:
    """Name the first unread card of a row."""
    cards, known = state.rows[side], known_marks(state, side) | mark(state.box, card)
    row = with_item(cards, cards.index(UNKNOWN), card)
    marks = known | _UNSURE if UNKNOWN in row else known
    return state._replace(rows=with_item(state.rows, side, row), marks=with_item(state.marks, side, marks))


def laid(state: State, side: int, card: Card) -> State:
    rows, marks = state.rows, state.marks
    return state._replace(
        rows=with_item(rows, side, (*rows[side], card)),
        marks=with_item(marks, side, marks[side] | mark(state.box, card)),
    )


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def keyed(rulings: Rulings) -> bool:
    """Return True if real cards are keyed, so that rows are known (BH-A27)."""
    return rulings.judged_by == "cards"


def card_text(box: Box, card: Card) -> str:
    return HIDDEN if card == UNKNOWN else box.names[card]
