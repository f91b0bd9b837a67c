"""Set-up: hands, purses, lanes, and who begins (BB-R1 to BB-R4)."""

from collections.abc import Sequence

from companion.core.choices import Args
from companion.core.errors import OptionError
from companion.core.event import event
from companion.core.move import TABLE, Move, Seat
from companion.core.text import msg
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NO_CARD,
    NOBODY,
    Action,
    hand_of,
)
from companion.games.boese_buben.rules.components import (
    NOT_ASKED,
    SEATS,
    Books,
    Box,
    Phase,
    Rulings,
    State,
    Terms,
    Told,
)
from companion.games.boese_buben.rules.race import begin_race


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before it is known who begins. Raise OptionError for a wrong number of seats."""
    if seats not in SEATS:
        raise OptionError(msg("Böse Buben is for 2 to 4 players, not {n}", n=seats))
    lanes = seats + 1  # BB-R2
    actions = box.actions if rulings.variant == "action" else (Action.NONE,) * CARDS
    books = Books(
        race=0,
        starter=NOBODY,
        purses=(box.start_ducats,) * seats,
        bank=box.ducats - box.start_ducats * seats,
        mc=(0,) * seats,
        free=NOBODY,
        results=(),
        out=(),
        unpaid=(),
    )
    return State(
        terms=Terms(box, rulings, seats, actions),
        books=books,
        phase=Phase.SETUP,
        mover=TABLE,
        last=NO_CARD,
        tracks=((),) * lanes,
        zones=((),) * lanes,
        hands=(hand_of(range(CARDS)),) * seats,
        asked=NOT_ASKED,
    )


def firsts(state: State) -> Sequence[Move]:
    return [Move(TABLE, "first", (seat,)) for seat in range(state.terms.seats)]


def apply_first(state: State, args: Args) -> Told:
    box = state.terms.box
    ready = event(kinds.Ready(cards=CARDS, ducats=box.start_ducats, lanes=len(state.tracks)))
    return begin_race(state, Seat(args[0]), [ready])
