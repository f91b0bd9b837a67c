"""The legal moves of each seat, and why others are refused."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final

from companion.core.choices import ONE, Args, Choices, Singles, ties
from companion.core.event import EventFacts
from companion.core.move import TABLE, Move, Seat
from companion.core.text import Text, msg
from companion.core.verbs import ONE_SEAT, TIED, Reason, Verb, Verbs, always, by_table, during, fixed, takes
from companion.games.buntherum.rules import kinds, spelling
from companion.games.buntherum.rules.components import (
    NOBODY,
    SIDES,
    UNKNOWN,
    Box,
    Card,
    Phase,
    State,
    all_marks,
    callers,
    card_text,
    has_unread,
    keyed,
    known_marks,
    mark,
)
from companion.games.buntherum.rules.start import apply_laid, apply_starter, begins, sides_laid
from companion.games.buntherum.rules.turn import (
    apply_call,
    apply_card,
    apply_declare,
    apply_early,
    apply_flip,
    apply_judge,
    apply_late,
    apply_nobody,
    apply_read,
    apply_tie,
    top_known,
)
from companion.games.buntherum.rules.words import card_words, word

SETUP, READY, OPEN, LOCKED, JUDGE, OVER = (
    Phase.SETUP,
    Phase.READY,
    Phase.OPEN,
    Phase.LOCKED,
    Phase.JUDGE,
    Phase.OVER,
)

_TABLE_ALONE: Final = (TABLE,)

_NOBODY_NAMES: Final = msg("real cards are not named in this match: the house judges")
_NO_ROW: Final = msg("name a row from 1 to 6, or 0 for impossible")

# --- Which numbers are legal --------------------------------------------------------------------------------


def _youngest(state: State, _: Seat) -> Choices:
    return Singles(range(state.seats)) if state.flipper == NOBODY else ()


def _starters(state: State, _: Seat) -> Choices:
    if state.flipper == NOBODY:
        return ()
    side = sides_laid(state.rows)
    marks = all_marks(len(state.box.objects), len(state.box.colours))
    return _fitting(side + 1, state.marks[side], state.unseen, marks)


@lru_cache(maxsize=32)  # used for the draw, then to check the drawn move
def _fitting(side: int, shown: int, cards: tuple[Card, ...], marks: tuple[int, ...]) -> Choices:
    return [(side, card) for card in cards if not marks[card] & shown]


def _cards(state: State, _: Seat) -> Choices:
    top = top_known(state)
    return Singles((*(state.unseen if top == UNKNOWN else (top,)), UNKNOWN))


def _early(state: State, _: Seat) -> Choices:
    if state.rulings.early_buzz != "chip":
        return ()
    return Singles(tuple(seat for seat in callers(state) if seat not in state.early))


def _calls(state: State, _: Seat) -> Choices:
    return _declarations(callers(state)) if state.rulings.call_input == "direct" else _one_of(callers(state))


def _ties(state: State, _: Seat) -> Choices:
    return ties(callers(state))


def _unread(state: State, _: Seat) -> Choices:
    return Singles(state.unseen) if state.card == UNKNOWN and keyed(state.rulings) else ()


def _unread_in_rows(state: State, _: Seat) -> Choices:
    if not (has_unread(state) and keyed(state.rulings)):
        return ()
    return [
        (row, card)
        for row in range(1, SIDES + 1)
        if UNKNOWN in state.rows[row - 1]
        for card in state.unseen
        if not mark(state.box, card) & known_marks(state, row - 1)
    ]


def _unkeyed(state: State, _: Seat) -> Choices:
    began = state.flipper != NOBODY and not sides_laid(state.rows)
    return ONE if began and not keyed(state.rulings) else ()


_rows: Final = fixed(tuple((said,) for said in range(SIDES + 1)))
_VERDICTS: Final = ((1,), (0,))
_IN_PLACE: Final = tuple((said, verdict) for said in range(SIDES + 1) for verdict in (1, 0))


@cache
def _one_of(seats: tuple[Seat, ...]) -> Choices:
    return tuple((seat,) for seat in seats)


@cache
def _declarations(seats: tuple[Seat, ...]) -> Choices:
    """Return the declarations, alone and with a verdict of the house (BH-R9)."""
    alone = tuple((seat, said) for seat in seats for said in range(SIDES + 1))
    return alone + tuple((seat, *judged) for seat in seats for judged in _IN_PLACE)


def _verdicts(state: State, _: Seat) -> Choices:
    """Return the verdicts of the house, with the declaration if it is still missing."""
    return _IN_PLACE if state.phase == LOCKED else _VERDICTS


def _by_caller(state: State, seat: Seat) -> bool:
    return seat == state.caller


# --- Why a move is refused ----------------------------------------------------------------------------------


def _not_now(state: State, seat: Seat, _: Args) -> Text:
    if seat != TABLE:
        return msg("that seat cannot make this move")
    if state.phase == SETUP and state.flipper == NOBODY:
        return msg("first name the youngest player")
    if state.phase == SETUP:
        return msg("first lay the starter of side {side}", side=sides_laid(state.rows) + 1)
    if state.phase == READY:
        return msg("the card is not visible yet")
    if state.phase == OPEN:
        return msg("a card lies open and has not been called")
    if state.phase == LOCKED:
        return msg("seat {n} has the call and must name a row", n=state.caller + 1)
    return msg("the house must judge first: right or wrong")


def _not_set_up(state: State, seat: Seat, args: Args) -> Text:
    if seat == TABLE and state.phase != SETUP:
        return msg("the starters are in place: the set-up is over")
    return _not_now(state, seat, args)


def _not_called(state: State, seat: Seat, args: Args) -> Reason:
    why = _not_now(state, seat, args)
    return ("BH-A14", why) if state.phase == READY else why


def _not_declared(state: State, seat: Seat, args: Args) -> Reason:
    if seat == TABLE:
        return msg("only the seat that has the call may name a row")
    if state.phase == LOCKED:
        return "BH-R8", msg("only the first call counts")
    return _not_now(state, TABLE, args)


def _no_seat(state: State, number: int) -> Reason | None:
    if not 0 <= number < state.seats:
        return msg("seat {n} does not exist; the seats are 1 to {seats}", n=number + 1, seats=state.seats)
    if number in state.gone:
        return "BH-R11", msg("seat {n} is eliminated", n=number + 1)
    if number in state.late:
        return "BH-A20", msg("seat {n} has called this card and named no row in time", n=number + 1)
    if number not in callers(state):
        return "BH-A24", msg("seat {n} is not in the tie", n=number + 1)
    return None


def _not_unseen(state: State, card: Card) -> Reason:
    if card == UNKNOWN:
        return msg("name the card by its colour and object")
    if not 0 <= card < len(state.box.names):
        return msg("there is no such card")
    if card not in state.box.deck:
        return msg("there is no {card} in the deck", card=card_words(state.box, card))
    return msg("the {card} has already been seen", card=card_words(state.box, card))


@takes(1)
def _no_youngest(state: State, _: Seat, args: Args) -> Reason:
    if state.flipper != NOBODY:
        return msg("seat {n} is already the youngest", n=state.flipper + 1)
    return msg("seat {n} does not exist; the seats are 1 to {seats}", n=args[0] + 1, seats=state.seats)


@takes(2)
def _no_starter(state: State, seat: Seat, args: Args) -> Reason:
    if state.flipper == NOBODY:
        return _not_now(state, seat, args)
    side, card = args
    due = sides_laid(state.rows) + 1
    if side != due:
        return msg("starters are laid in order: side {due} is next, not side {side}", side=side, due=due)
    if card not in state.unseen:
        return _not_unseen(state, card)
    return _shown_already(state, side, card)


def _shown_already(state: State, side: int, card: Card) -> Text:
    box, objects = state.box, (1 << len(state.box.objects)) - 1
    colour, thing = card_text(box, card).split(" ")
    shown = thing if state.marks[side - 1] & mark(box, card) & objects else colour
    return msg("{card}: side {side} already shows {word}", card=card_words(box, card), side=side, word=word(shown))


@takes(1)
def _no_flip(state: State, _: Seat, args: Args) -> Reason:
    top = top_known(state)
    if top != UNKNOWN:
        return msg("the next card is known: the {card} went under the draw pile", card=card_words(state.box, top))
    return _not_unseen(state, args[0])


@takes(1)
def _no_early(state: State, _: Seat, args: Args) -> Reason:
    if state.rulings.early_buzz != "chip":
        return msg("an early press costs nothing in this match")
    return _no_seat(state, args[0]) or msg("seat {n} has already paid for an early press", n=args[0] + 1)


@takes(1, 2, 3)
def _no_call(state: State, _: Seat, args: Args) -> Reason:
    why = _no_seat(state, args[0])
    if why:
        return why
    if state.rulings.call_input != "direct":
        return msg("in this match a seat calls first, then names its row")
    return msg("in this match a call also names its row: 1 to 6, or impossible")


def _no_tie(state: State, _: Seat, args: Args) -> Reason:
    why = next((why for number in args if (why := _no_seat(state, number))), None)
    return why or msg("a tie needs two or more different seats")


def _not_laid(state: State, seat: Seat, args: Args) -> Reason:
    if keyed(state.rulings):
        return msg("in this match each starter is named")
    return _not_now(state, seat, args)


@takes(1)
def _no_card(state: State, _: Seat, args: Args) -> Reason:
    if not keyed(state.rulings):
        return "BH-A27", _NOBODY_NAMES
    if state.card != UNKNOWN:
        return msg("the open card is already known: the {card}", card=card_words(state.box, state.card))
    return _not_unseen(state, args[0])


@takes(2)
def _no_read(state: State, _: Seat, args: Args) -> Reason:
    row, card = args
    if not keyed(state.rulings):
        return "BH-A27", _NOBODY_NAMES
    if not 1 <= row <= SIDES:
        return msg("rows are 1 to {sides}", sides=SIDES)
    if UNKNOWN not in state.rows[row - 1]:
        return msg("all cards of row {row} are known", row=row)
    return _shown_already(state, row, card) if card in state.unseen else _not_unseen(state, card)


# --- The verbs ----------------------------------------------------------------------------------------------


def _begins(kind: Callable[[], EventFacts], *, draw: bool = False) -> Verb[State, Box]:
    # BH-R5: drawn by the dealer (`youngest`), named by players (`first`), or drawn at their request (`lot`).
    return Verb(
        "BH-R5", during({SETUP}, by_table, _not_set_up), _youngest, begins(kind), ONE_SEAT, _no_youngest, draw=draw
    )


VERBS: Final[Verbs[State, Box]] = Verbs(
    "Buntherum",
    {
        "youngest": _begins(kinds.Youngest, draw=True),
        "first": _begins(kinds.First),
        "lot": _begins(kinds.Lot, draw=True),
        "starter": Verb(
            "BH-R3",
            during({SETUP}, by_table, _not_set_up),
            _starters,
            apply_starter,
            spelling.STARTER,
            _no_starter,
            draw=True,
        ),
        "laid": Verb("BH-A27", during({SETUP}, by_table, _not_set_up), _unkeyed, apply_laid, refused=_not_laid),
        "flip": Verb(
            "BH-R6", during({READY}, by_table, _not_now), _cards, apply_flip, spelling.CARD, _no_flip, draw=True
        ),
        "call": Verb("BH-R8", during({OPEN}, by_table, _not_called), _calls, apply_call, spelling.CALL, _no_call),
        "tie": Verb("BH-R15", during({OPEN}, by_table, _not_now), _ties, apply_tie, TIED, _no_tie),
        "nobody": Verb("BH-A11", during({OPEN}, by_table, _not_now), always, apply_nobody),
        "early": Verb(
            "BH-A14", during({READY, OPEN}, by_table, _not_now), _early, apply_early, ONE_SEAT, _no_early
        ),
        "declare": Verb(
            "BH-R7", during({LOCKED}, _by_caller, _not_declared), _rows, apply_declare, spelling.ROW, _NO_ROW
        ),
        "late": Verb("BH-A20", during({LOCKED}, by_table, _not_now), always, apply_late),
        "card": Verb(
            "BH-R2", during({OPEN, LOCKED, JUDGE}, by_table, _not_now), _unread, apply_card, spelling.CARD, _no_card
        ),
        "read": Verb(
            "BH-A27",
            during({READY, OPEN, LOCKED, JUDGE}, by_table, _not_now),
            _unread_in_rows,
            apply_read,
            spelling.STARTER,
            _no_read,
        ),
        "judge": Verb(
            "BH-R9", during({LOCKED, JUDGE}, by_table, _not_now), _verdicts, apply_judge, spelling.VERDICT, _not_now
        ),
    },
    over=("BH-R16", OVER),
    situation=lambda state, seat: (state.phase, seat, state.caller),
)

_LISTED: Final[dict[tuple[object, ...], tuple[Move, ...]]] = {}
"""Legal moves of common positions, by everything that decides them."""


def to_act(state: State) -> tuple[Seat, ...]:
    if state.phase == OVER:
        return ()
    return (TABLE, state.caller) if state.phase == LOCKED else _TABLE_ALONE


def legal(state: State, seat: Seat) -> Sequence[Move]:
    by: tuple[object, ...]
    if state.card == UNKNOWN or has_unread(state):
        return VERBS.legal(state, seat)
    if state.phase == OPEN:
        by = (seat, callers(state), state.early, state.rulings.call_input, state.rulings.early_buzz)
    elif state.phase == LOCKED:
        by = (seat, state.caller)
    else:
        return VERBS.legal(state, seat)
    listed = _LISTED.get(by)
    if listed is None:
        listed = _LISTED[by] = tuple(VERBS.legal(state, seat))
    return listed


def draws(state: State) -> Sequence[Move]:
    if state.phase == READY:
        top = top_known(state)
        flips = _flips(len(state.box.names))
        return [flips[card] for card in state.unseen] if top == UNKNOWN else [flips[top]]
    if state.phase != SETUP:
        return ()
    due = "youngest" if state.flipper == NOBODY else "starter"
    return [move for move in VERBS.legal(state, TABLE) if move.verb == due]


@cache
def _flips(cards: int) -> tuple[Move, ...]:
    return tuple(Move(TABLE, "flip", (card,)) for card in range(cards))
