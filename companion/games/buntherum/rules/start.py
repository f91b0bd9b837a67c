"""Set-up: the hexagon, its six starters and the piles (BH-R1 to BH-R5)."""

from collections.abc import Callable

from companion.core.choices import Args
from companion.core.errors import OptionError
from companion.core.event import EventFacts
from companion.core.move import TABLE, Seat
from companion.core.text import msg
from companion.core.verbs import Told, tell
from companion.games.buntherum.rules import kinds
from companion.games.buntherum.rules.components import (
    NO_CARD,
    NOBODY,
    SEATS,
    SIDES,
    UNKNOWN,
    Box,
    Card,
    Phase,
    Rulings,
    State,
    card_text,
    draw_pile,
    laid,
    mark,
    without,
)
from companion.games.buntherum.rules.turn import tell_next


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the first move. Raise OptionError."""
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
        late=(),
        card=NO_CARD,
        caller=NOBODY,
        said=None,
        ended="",
    )


def sides_laid(rows: tuple[tuple[Card, ...], ...]) -> int:
    return sum(map(bool, rows))


def begins(kind: Callable[[], EventFacts]) -> Callable[[State, Seat, Args, Told], State]:
    """Return the effect of naming the first flipper, reported as an event of `kind`."""

    def apply(state: State, _: Seat, args: Args, told: Told) -> State:
        first = Seat(args[0])
        tell(told, kind, first)
        return state._replace(flipper=first)

    return apply


def apply_starter(state: State, _: Seat, args: Args, told: Told) -> State:
    side, card = args
    state = laid(state, side - 1, card)._replace(unseen=without(state.unseen, card), fresh=state.fresh - 1)
    tell(told, kinds.Starter, row=side, card=card_text(state.box, card))
    return state if side < SIDES else _dealt(state, told)


def apply_laid(state: State, _: Seat, __: Args, told: Told) -> State:
    # BH-A27: nobody keys which starters were laid.
    tell(told, kinds.Laid)
    for side in range(SIDES):
        state = laid(state, side, UNKNOWN)
    return _dealt(state._replace(fresh=state.fresh - SIDES), told)


def _dealt(state: State, told: Told) -> State:
    # BH-R4: the deal only sets counts, since nobody looks at these cards.
    each = state.box.hands[state.seats - 2]
    state = state._replace(phase=Phase.READY, piles=(each,) * state.seats, fresh=state.fresh - each * state.seats)
    tell(told, kinds.Dealt, each=each, draw_pile=draw_pile(state))
    tell_next(state, told)
    return state
