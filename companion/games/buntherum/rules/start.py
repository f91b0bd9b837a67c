"""Set-up: the hexagon, its six starters and the piles (BH-R1 to BH-R5)."""

from companion.core.errors import OptionError
from companion.core.event import Event, event
from companion.core.move import TABLE, Seat
from companion.core.text import msg
from companion.games.buntherum.rules import kinds
from companion.games.buntherum.rules.components import (
    NO_CARD,
    NOBODY,
    SEATS,
    SIDES,
    Box,
    Card,
    Phase,
    Rulings,
    State,
    card_name,
    draw_pile,
    laid,
    mark,
    without_unseen,
)
from companion.games.buntherum.rules.turn import turn_next


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


def apply_youngest(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    youngest = Seat(args[0])
    return state._replace(flipper=youngest), [event(kinds.Youngest(), youngest)]


def apply_starter(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    side, card = args[0] - 1, args[1]
    state = laid(without_unseen(state, card)._replace(fresh=state.fresh - 1), side, card)
    events = [event(kinds.Starter(row=side + 1, card=card_name(state, card)))]
    if side + 1 < SIDES:
        return state, events
    # BH-R4: the deal is made of counts, since nobody looks at these cards.
    each = state.box.hands[state.seats - 2]
    state = state._replace(phase=Phase.READY, piles=(each,) * state.seats, fresh=state.fresh - each * state.seats)
    events.append(event(kinds.Dealt(each=each, draw_pile=draw_pile(state))))
    events.append(turn_next(state))
    return state, events
