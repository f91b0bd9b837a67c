"""Buntherum: call the row that a card fits into before the others do. docs/rules/buntherum.md, in its order.

A card is a number, `colour * len(objects) + object`. What lies face down has no identity in the state: a pile
is a count, and what nobody has seen is one common heap, so no order of an undealt deck can leak from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from companion.core.choices import ONE, Choices, Moves, Singles
from companion.core.errors import IllegalMove, OptionError
from companion.core.event import Event, event
from companion.core.move import HIDDEN, TABLE, Move, Seat
from companion.core.options import option
from companion.core.rules import Outcome
from companion.core.text import msg

Card = int

UNKNOWN: Final[Card] = -1
"""A card that lies open on a real table and was not keyed in."""

NO_CARD: Final[Card] = -2
"""No card lies open."""

NOBODY: Final[Seat] = -1
"""No seat has the call."""

IMPOSSIBLE: Final = 0
"""The declaration that no row takes the card; 1 to 6 name a row."""

SIDES: Final = 6

SEATS: Final = range(2, 6)

DRAWS: Final = frozenset({"youngest", "starter", "flip"})

SECRETS: Final[frozenset[str]] = frozenset()

_UNSURE: Final = 1 << 62
"""The mark of a row that holds an unknown card: what else it holds cannot be told."""


# --- Options and components -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/buntherum.md, "Rulings")."""

    call_input: str = option(
        "buzz_then_key",
        msg("call with the buzzer and then key the row, or with the key of the row itself"),
        choices=("buzz_then_key", "direct"),
        label=msg("Call"),
        words={"buzz_then_key": msg("buzzer, then key"), "direct": msg("one key")},
    )
    tie_margin_ms: int = option(
        1,
        msg("calls this close to the earliest are a tie, in milliseconds"),
        minimum=0,
        maximum=50,
        steps=(0, 1, 2, 5, 10),
        label=msg("Tie within, ms"),
    )
    declare_s: int = option(
        3,
        msg("seconds to key the row after the call"),
        minimum=1,
        maximum=60,
        steps=(2, 3, 5, 8),
        label=msg("Seconds for the row"),
    )
    late_declare: str = option(
        "chip",
        msg("what a call without a row costs in time: a chip, or nothing"),
        choices=("chip", "skip"),
        label=msg("No row in time"),
        words={"chip": msg("red chip"), "skip": msg("no chip")},
    )
    early_buzz: str = option(
        "ignore",
        msg("what a press before the card is visible costs"),
        choices=("ignore", "chip"),
        label=msg("Too early"),
        words={"ignore": msg("does not count"), "chip": msg("red chip")},
    )
    nobody_after_s: int = option(
        0,
        msg("seconds after which a card that nobody calls is skipped; 0: the house skips"),
        minimum=0,
        maximum=3600,
        steps=(0, 10, 20, 30),
        label=msg("Skipped after, s"),
        words={0: msg("never")},
    )
    last_card: str = option(
        "turn_wins",
        msg("turning the last card wins, or it has to be placed by its owner"),
        choices=("turn_wins", "must_place"),
        label=msg("Last card"),
        words={"turn_wins": msg("turning it wins"), "must_place": msg("to be placed")},
    )
    printed_counts: bool = option(
        True,
        msg("the object and colour printed on a side count as part of its row"),
        label=msg("Printed things count"),
    )


class Box(NamedTuple):
    """What is in the box: `deck` lists every card, `printed` the six of the hexagon (BH-R1).

    `hands` are the cards dealt to each with 2, 3, 4 and 5 players (BH-R4).
    """

    objects: tuple[str, ...]
    colours: tuple[str, ...]
    printed: tuple[Card, ...]
    deck: tuple[Card, ...]
    hands: tuple[int, ...]
    chips_out: int

    @property
    def names(self) -> tuple[str, ...]:
        """Every card as `colour object`, by its number."""
        return _names(self.objects, self.colours)


@cache
def _names(objects: tuple[str, ...], colours: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{colour} {thing}" for colour in colours for thing in objects)


class Phase(StrEnum):
    """Where in a turn the match stands."""

    SETUP = "setup"
    READY = "ready"  # the next card is about to be turned
    OPEN = "open"  # it is visible, calls count
    LOCKED = "locked"  # one seat has the call and owes its row
    JUDGE = "judge"  # the row is declared, the house has to judge
    OVER = "over"


class State(NamedTuple):
    """A position.

    `unseen` lists the cards that nobody has seen: they are in the `fresh` upper part of the draw pile, in
    the players' piles and among those set aside, in an order that does not exist. `under` are the cards put under
    the draw pile, next one first. `marks` has a bit for each object and colour that a row shows.

    `turn` counts the cards that were turned. `flipper` turns the next one, or has turned this one, from the pile of
    the seat `source` or of the TABLE. `group` are those who play a tie off, () when all play; `early` have paid for
    a press before this card. `gone` are the eliminated in their order. `ended` is the key of the reason, empty
    while the match goes on.
    """

    box: Box
    rulings: Rulings
    seats: int
    phase: Phase
    turn: int
    rows: tuple[tuple[Card, ...], ...]
    marks: tuple[int, ...]
    unseen: tuple[Card, ...]
    fresh: int
    under: tuple[Card, ...]
    piles: tuple[int, ...]
    aside: int
    chips: tuple[int, ...]
    gone: tuple[Seat, ...]
    flipper: Seat
    source: Seat
    group: tuple[Seat, ...]
    early: tuple[Seat, ...]
    card: Card
    caller: Seat
    said: int | None
    ended: str


def draw_pile(state: State) -> int:
    """Return how many cards the draw pile has."""
    return state.fresh + len(state.under)


def active(state: State) -> tuple[Seat, ...]:
    """Return the seats that are not eliminated."""
    return _left(state.seats, state.gone)


@cache
def _left(seats: int, gone: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(seats) if seat not in gone)


def callers(state: State) -> tuple[Seat, ...]:
    """Return the seats that may call: in a tie-break only the tied ones (BH-R15)."""
    if not state.group:
        return active(state)
    return tuple(seat for seat in state.group if seat not in state.gone)


def mark(box: Box, card: Card) -> int:
    """Return the bits of a card's object and colour."""
    return _UNSURE if card == UNKNOWN else _all_marks(len(box.objects), len(box.colours))[card]


@cache
def _all_marks(objects: int, colours: int) -> tuple[int, ...]:
    return tuple(1 << thing | 1 << objects + colour for colour in range(colours) for thing in range(objects))


def fits(state: State, card: Card, row: int) -> bool | None:
    """Tell whether a card fits into row 1..6 (BH-R2); None when an unknown card leaves it open."""
    marks = state.marks[row - 1]
    room = min(len(state.box.objects), len(state.box.colours)) - state.rulings.printed_counts
    if len(state.rows[row - 1]) >= room:
        return False  # every object or every colour is there already (BH-A25)
    if card != UNKNOWN and marks & mark(state.box, card):
        return False
    return None if card == UNKNOWN or marks & _UNSURE else True


# --- Set-up (BH-R1 to BH-R5) ------------------------------------------------------------------------------


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the youngest is named and the starters are laid."""
    if seats not in SEATS:
        raise OptionError(msg("Buntherum is for 2 to 5 players, not {n}", n=seats))
    needed = SIDES + box.hands[seats - 2] * seats + 1
    if len(box.deck) < needed:
        raise OptionError(
            msg(
                "the deck has {n} cards; {seats} players need {needed}", n=len(box.deck), seats=seats, needed=needed
            )
        )
    printed = tuple(mark(box, card) if rulings.printed_counts else 0 for card in box.printed)
    return State(
        box=box,
        rulings=rulings,
        seats=seats,
        phase=Phase.SETUP,
        turn=0,
        rows=((),) * SIDES,
        marks=printed,
        unseen=box.deck,
        fresh=len(box.deck),
        under=(),
        piles=(0,) * seats,
        aside=0,
        chips=(0,) * seats,
        gone=(),
        flipper=NOBODY,
        source=TABLE,
        group=(),
        early=(),
        card=NO_CARD,
        caller=NOBODY,
        said=None,
        ended="",
    )


def sides_laid(rows: tuple[tuple[Card, ...], ...]) -> int:
    """Return how many sides have their starter: as many from the first on."""
    return sum(map(bool, rows))


def _youngest(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    return state._replace(flipper=args[0]), [event("youngest", args[0])]


def _starter(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    side, card = args[0] - 1, args[1]
    state = _lay(_known(state, card)._replace(fresh=state.fresh - 1), side, card)
    events = [event("starter", row=side + 1, card=_name(state, card))]
    if side + 1 < SIDES:
        return state, events
    # BH-R4: the deal is made of counts, since nobody looks at these cards.
    each = state.box.hands[state.seats - 2]
    state = state._replace(phase=Phase.READY, piles=(each,) * state.seats, fresh=state.fresh - each * state.seats)
    events.append(event("dealt", each=each, draw_pile=draw_pile(state)))
    events.append(_turn_next(state))
    return state, events


def _lay(state: State, side: int, card: Card) -> State:
    rows, marks = state.rows, state.marks
    return state._replace(
        rows=(*rows[:side], (*rows[side], card), *rows[side + 1 :]),
        marks=(*marks[:side], marks[side] | mark(state.box, card), *marks[side + 1 :]),
    )


def _known(state: State, card: Card) -> State:
    place = state.unseen.index(card)
    return state._replace(unseen=state.unseen[:place] + state.unseen[place + 1 :])


# --- A turn (BH-R6 to BH-R15) -----------------------------------------------------------------------------


def _top_known(state: State) -> Card:
    """Return the next card when everybody has seen it go under the draw pile, else UNKNOWN."""
    if state.source == TABLE and not state.fresh and state.under:
        return state.under[0]
    return UNKNOWN


def _flip(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    card, top = args[0], _top_known(state)
    if top != UNKNOWN and card == UNKNOWN:
        # A known card that is turned unread may be any again: it has to be named or judged like any other.
        state = state._replace(unseen=tuple(sorted((*state.unseen, top))))
    elif top == UNKNOWN and card != UNKNOWN:
        state = _known(state, card)
    if state.source != TABLE:
        state = state._replace(piles=_plus(state.piles, state.source, -1))
    elif state.fresh:
        state = state._replace(fresh=state.fresh - 1)
    else:
        state = state._replace(under=state.under[1:])
    state = state._replace(phase=Phase.OPEN, card=card, turn=state.turn + 1)
    shown = event("flip", state.flipper, card=_name(state, card), source=state.source, seats=callers(state))
    return state, [shown]


def _early(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BH-A14: at most one chip a card, or a nervous hand would be out before it has played.
    seat, due = args[0], state.source
    state, events = _chip(state._replace(early=(*state.early, seat)), seat)
    events.insert(0, event("early", seat))
    if state.group and not callers(state):
        state = state._replace(group=())
    if state.phase != Phase.READY or seat not in state.gone:
        return state, events
    if state.source == TABLE and not draw_pile(state):
        return _over(state, "empty_pile", events)  # BH-A10: the pile that was due left with its owner
    if state.source != due:
        events.append(_turn_next(state))
    return state, events


def _call(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = state._replace(phase=Phase.LOCKED, caller=args[0])
    events = [event("call", args[0])]
    if len(args) == 1:
        return state, events
    state, judged = _declare(state, args[1:])
    return state, events + judged


def _tie(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BH-R15, BH-A15: the flipper stays if uninvolved; else the next uninvolved seat; else the flipper again.
    order = [(state.flipper + step) % state.seats for step in range(state.seats)]
    free = [seat for seat in order if seat not in args and seat not in state.gone]
    flipper = free[0] if free else state.flipper
    state, under = _card_under(state)
    state, turn = _ready(state, flipper, TABLE, group=args)
    return state, [event("tie", seats=args), *under, *turn]


def _nobody(state: State, _: tuple[int, ...]) -> tuple[State, list[Event]]:
    state, under = _card_under(state)
    state, turn = _ready(state, state.flipper, TABLE)
    return state, [event("nobody"), *under, *turn]


def _late(state: State, _: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BH-A20
    late = event("late", state.caller)
    if state.rulings.late_declare == "skip":
        state, under = _card_under(state)
        state, turn = _ready(state, state.flipper, TABLE)
        return state, [late, *under, *turn]
    state, events = _wrong(state)
    return state, [late, *events]


def _declare(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    said = args[0]
    state = state._replace(said=said)
    declared = event("declare", state.caller, row=said)
    verdict = _judged(state)
    if verdict is None:
        return state._replace(phase=Phase.JUDGE), [declared]
    state, events = _right(state) if verdict else _wrong(state)
    return state, [declared, *events]


def _card(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = _known(state, args[0])._replace(card=args[0])
    events = [event("card", card=_name(state, args[0]))]
    verdict = _judged(state) if state.phase == Phase.JUDGE else None
    if verdict is None:
        return state, events
    state, judged = _right(state) if verdict else _wrong(state)
    return state, events + judged


def _judge(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    return _right(state) if args[0] else _wrong(state)


def _judged(state: State) -> bool | None:
    """Tell whether the declaration is true; None when unknown cards leave that to the house."""
    if state.said:
        return fits(state, state.card, state.said)
    answers = [fits(state, state.card, row) for row in range(1, SIDES + 1)]
    if True in answers:
        return False  # BH-R14
    return None if None in answers else True  # BH-R12


def _right(state: State) -> tuple[State, list[Event]]:
    # BH-R9, BH-R12: who is right turns the top card of the own pile; BH-R16: unless it is the last one.
    seat = state.caller
    events = [event("right", seat)]
    if state.said:
        card = state.card
        state = _lay(state, state.said - 1, card)._replace(card=NO_CARD)
        events.append(event("placed", seat, card=_name(state, card), row=state.said))
    else:
        state, under = _card_under(state)
        events += under
    if state.rulings.last_card == "turn_wins" and state.piles[seat] == 1:
        return _over(state, "last_card", events)
    if not state.piles[seat]:
        return _over(state, "last_placed", events)  # BH-A1: it was turned before, and had to be placed
    state, turn = _ready(state, seat, seat)
    return state, events + turn


def _wrong(state: State) -> tuple[State, list[Event]]:
    # BH-R10, BH-R14, BH-A6: a chip, and the same seat turns the next card of the draw pile.
    seat = state.caller
    state, under = _card_under(state)
    state, chip = _chip(state, seat)
    events = [event("wrong", seat), *under, *chip]
    if state.phase == Phase.OVER:
        return state, events
    state, turn = _ready(state, seat, TABLE)
    return state, events + turn


def _card_under(state: State) -> tuple[State, list[Event]]:
    card = state.card
    state = state._replace(under=(*state.under, card), card=NO_CARD)
    return state, [event("under", card=_name(state, card))]


def _chip(state: State, seat: Seat) -> tuple[State, list[Event]]:
    state = state._replace(chips=_plus(state.chips, seat, 1))
    events = [event("chip", seat, chips=state.chips[seat])]
    if state.chips[seat] < state.box.chips_out:
        return state, events
    # BH-R11, BH-A8: out of the game, the cards set aside, the chips back in the supply.
    events.append(event("eliminated", seat, cards=state.piles[seat]))
    state = state._replace(
        gone=(*state.gone, seat),
        chips=_plus(state.chips, seat, -state.chips[seat]),
        aside=state.aside + state.piles[seat],
        piles=_plus(state.piles, seat, -state.piles[seat]),
        source=TABLE if state.source == seat else state.source,
    )
    if len(state.gone) == state.seats - 1:
        return _over(state, "last_standing", events)  # BH-A9
    return state, events


def _ready(state: State, flipper: Seat, source: Seat, group: tuple[Seat, ...] = ()) -> tuple[State, list[Event]]:
    state = state._replace(
        phase=Phase.READY, flipper=flipper, source=source, group=group, early=(), caller=NOBODY, said=None
    )
    if source == TABLE and not draw_pile(state):
        return _over(state, "empty_pile", [])  # BH-A10
    return state, [_turn_next(state)]


def _turn_next(state: State) -> Event:
    return event("next", state.flipper, source=state.source, seats=callers(state))


# --- End --------------------------------------------------------------------------------------------------

_REASONS: Final = {
    "last_card": msg("may turn the last card"),
    "last_placed": msg("has no card left and was right"),
    "last_standing": msg("is the last one in the game"),
    "empty_pile": msg("the draw pile is empty: the fewest cards left win"),
}


def _over(state: State, ended: str, events: list[Event]) -> tuple[State, list[Event]]:
    state = state._replace(phase=Phase.OVER, ended=ended)
    result = outcome(state)
    assert result is not None
    return state, [*events, event("over", ranking=result.ranking, reason=ended)]


def outcome(state: State) -> Outcome | None:
    """Return the ranking: the winner, the others by cards left, then the eliminated, the last to go first."""
    if not state.ended:
        return None
    left = active(state)
    cards = {seat: state.piles[seat] for seat in left}
    if state.ended in {"last_card", "last_placed"}:
        cards[state.caller] = -1  # whoever was right is alone in front, also of others without cards
    ranking = [tuple(seat for seat in left if cards[seat] == count) for count in sorted(set(cards.values()))]
    ranking += [(seat,) for seat in reversed(state.gone)]
    return Outcome(tuple(ranking), _REASONS[state.ended])


# --- The contract: who may do what, and doing it ----------------------------------------------------------


def _youngest_choices(state: State) -> Choices:
    return Singles(tuple(range(state.seats))) if state.flipper == NOBODY else ()


def _starter_choices(state: State) -> Choices:
    if state.flipper == NOBODY:
        return ()
    side = sides_laid(state.rows)
    shown, marks = state.marks[side], _all_marks(len(state.box.objects), len(state.box.colours))
    return [(side + 1, card) for card in state.unseen if not marks[card] & shown]


def _flip_choices(state: State) -> Choices:
    top = _top_known(state)
    return Singles((*(state.unseen if top == UNKNOWN else (top,)), UNKNOWN))


def _early_choices(state: State) -> Choices:
    if state.rulings.early_buzz != "chip":
        return ()
    return Singles(tuple(seat for seat in callers(state) if seat not in state.early))


@cache
def _declarations(seats: tuple[Seat, ...]) -> Choices:
    return tuple((seat, said) for seat in seats for said in range(SIDES + 1))


@cache
def _groups(seats: tuple[Seat, ...]) -> Choices:
    return tuple(group for size in range(2, len(seats) + 1) for group in combinations(seats, size))


def _call_choices(state: State) -> Choices:
    return _declarations(callers(state)) if state.rulings.call_input == "direct" else Singles(callers(state))


def _tie_choices(state: State) -> Choices:
    return _groups(callers(state))


def _card_choices(state: State) -> Choices:
    return Singles(state.unseen) if state.card == UNKNOWN else ()


def _always(_: State) -> Choices:
    return ONE


def _declare_choices(_: State) -> Choices:
    return Singles(tuple(range(SIDES + 1)))


def _judge_choices(_: State) -> Choices:
    return Singles((1, 0))


Apply = Callable[[State, tuple[int, ...]], tuple[State, list[Event]]]


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, its legal arguments (the only place), what it does."""

    rule: str
    choices: Callable[[State], Choices]
    apply: Apply


_VERBS: Final = {
    "youngest": _Verb("BH-R5", _youngest_choices, _youngest),
    "starter": _Verb("BH-R3", _starter_choices, _starter),
    "flip": _Verb("BH-R6", _flip_choices, _flip),
    "early": _Verb("BH-A14", _early_choices, _early),
    "call": _Verb("BH-R8", _call_choices, _call),
    "tie": _Verb("BH-R15", _tie_choices, _tie),
    "nobody": _Verb("BH-A11", _always, _nobody),
    "declare": _Verb("BH-R7", _declare_choices, _declare),
    "late": _Verb("BH-A20", _always, _late),
    "card": _Verb("BH-R2", _card_choices, _card),
    "judge": _Verb("BH-R9", _judge_choices, _judge),
}

_TABLE_VERBS: Final = {
    Phase.SETUP: ("youngest", "starter"),
    Phase.READY: ("flip", "early"),
    Phase.OPEN: ("call", "tie", "nobody", "early"),
    Phase.LOCKED: ("late", "card"),
    Phase.JUDGE: ("card", "judge"),
    Phase.OVER: (),
}


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: the TABLE, and the caller who owes a declaration."""
    if state.phase == Phase.OVER:
        return ()
    return (TABLE, state.caller) if state.phase == Phase.LOCKED else (TABLE,)


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    return Moves(seat, *((verb, _VERBS[verb].choices(state)) for verb in _verbs_of(state, seat)))


def draws(state: State) -> Sequence[Move]:
    """Return the draws of a dealer: each possible next card, fitting starter or youngest."""
    if state.phase == Phase.READY:
        top = _top_known(state)
        return Moves(TABLE, ("flip", Singles(state.unseen if top == UNKNOWN else (top,))))
    return legal(state, TABLE) if state.phase == Phase.SETUP else ()


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    seat, name, args = move
    if name not in _verbs_of(state, seat) or args not in _VERBS[name].choices(state):
        raise _refusal(state, move)
    state, events = _VERBS[name].apply(state, args)
    return state, tuple(events)


def _verbs_of(state: State, seat: Seat) -> tuple[str, ...]:
    if seat == TABLE:
        return _TABLE_VERBS[state.phase]
    return ("declare",) if state.phase == Phase.LOCKED and seat == state.caller else ()


def _refusal(state: State, move: Move) -> IllegalMove:
    """Say which paragraph refuses a move."""
    seat, name, args = move
    if state.phase == Phase.OVER:
        return IllegalMove(seat, "BH-R16", msg("the match is over"))
    if name not in _VERBS:
        return IllegalMove(seat, "BH-R7", msg("Buntherum knows no move {name!r}", name=name))
    rule = _VERBS[name].rule
    if name == "call" and state.phase == Phase.READY:
        return IllegalMove(seat, "BH-A14", msg("the card is not visible yet"))
    if (seat == TABLE) == (name == "declare"):  # that is the seats' only verb, and theirs alone
        return IllegalMove(seat, rule, msg("this is not a move of that seat"))
    if name == "declare" and state.phase == Phase.LOCKED:
        if seat != state.caller:
            return IllegalMove(seat, "BH-R8", msg("only the first call counts"))
        return IllegalMove(seat, rule, msg("a declaration is 1 to 6, or 0 for impossible"))
    if name in {"call", "tie", "early"} and state.phase == Phase.OPEN and args:
        for called in args if name == "tie" else args[:1]:
            if called in state.gone:
                return IllegalMove(seat, "BH-R11", msg("seat {n} is eliminated", n=called + 1))
            if called not in callers(state) and 0 <= called < state.seats:
                return IllegalMove(seat, "BH-A24", msg("seat {n} is not in the tie", n=called + 1))
    return IllegalMove(seat, rule, _REFUSALS.get(name, msg("this move is not due now")))


_REFUSALS: Final = {
    "starter": msg("this starter is not due, was seen already, or shares object or colour with its side"),
    "flip": msg("no card is due, or this card cannot be the next one"),
    "card": msg("no card has to be named, or this one was seen already"),
    "early": msg("a press before the card costs nothing here"),
}


# --- Views ------------------------------------------------------------------------------------------------


class View(NamedTuple):
    """What an audience may see; here all see the same. `you` is the reader, `said` the row declared."""

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: Phase
    turn: int
    rows: tuple[tuple[Card, ...], ...]
    draw_pile: int
    piles: tuple[int, ...]
    chips: tuple[int, ...]
    gone: tuple[Seat, ...]
    flipper: Seat
    source: Seat
    callers: tuple[Seat, ...]
    early: tuple[Seat, ...]
    card: Card
    caller: Seat
    said: int | None
    outcome: Outcome | None

    @property
    def tie_break(self) -> bool:
        """Whether some of those who are not eliminated may not call."""
        return len(self.callers) < len(self.piles) - len(self.gone)


def view(state: State, seat: Seat | None) -> View:
    """Return what a seat, or everybody, may see: no hidden card, no hint which rows fit."""
    return View(
        you=seat,
        box=state.box,
        rulings=state.rulings,
        phase=state.phase,
        turn=state.turn,
        rows=state.rows,
        draw_pile=draw_pile(state),
        piles=state.piles,
        chips=state.chips,
        gone=state.gone,
        flipper=state.flipper,
        source=state.source,
        callers=callers(state),
        early=state.early,
        card=state.card,
        caller=state.caller,
        said=state.said,
        outcome=outcome(state),
    )


def card_text(box: Box, card: Card) -> str:
    """Return a card as `colour object`, `??` when nobody named it."""
    return HIDDEN if card == UNKNOWN else box.names[card]


def _name(state: State, card: Card) -> str:
    return card_text(state.box, card)


def _plus(counts: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + change, *counts[seat + 1 :])
