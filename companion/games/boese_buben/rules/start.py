"""Set-up: hands, purses, lanes and the starting player (BB-R1 to BB-R4)."""

from companion.core.choices import Args, Choices, Singles
from companion.core.errors import OptionError
from companion.core.event import event
from companion.core.handicaps import handicaps
from companion.core.move import TABLE, Seat, by_seat, each_seat
from companion.core.text import msg
from companion.core.verbs import Told
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
)
from companion.games.boese_buben.rules.race import begin_race


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the starting player is known. Raise OptionError for a wrong number of seats."""
    if seats not in SEATS:
        raise OptionError(msg("Böse Buben is for 2 to 4 players, not {n}", n=seats))
    lanes = seats + 1  # BB-R2
    actions = box.actions if rulings.variant == "action" else (Action.NONE,) * CARDS
    purses = tuple(box.start_ducats + extra for extra in handicaps(rulings, seats))  # BB-A37
    if sum(purses) > box.ducats:
        raise OptionError(
            msg(
                "with the handicaps, players need {n} ducats, but the box has {ducats}",
                n=sum(purses),
                ducats=box.ducats,
            )
        )
    books = Books(
        race=0,
        starter=NOBODY,
        purses=purses,
        bank=box.ducats - sum(purses),
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


def firsts(state: State, _: Seat) -> Choices:
    return Singles(each_seat(state.terms.seats))


def apply_first(state: State, _: Seat, args: Args, told: Told) -> State:
    if told is not None:
        ducats = state.terms.box.start_ducats
        told.append(event(kinds.Ready(cards=CARDS, ducats=ducats, lanes=len(state.tracks))))
        more = by_seat(handicaps(state.terms.rulings, state.terms.seats))
        told += [event(kinds.Handicap(extra), seat) for seat, extra in more if extra]
    return begin_race(state, Seat(args[0]), told)
