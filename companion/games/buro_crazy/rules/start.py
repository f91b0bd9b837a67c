"""Set-up: placing figures, dealing cards (BC-R1 to BC-R6)."""

from collections.abc import Iterator

from companion.core.choices import Args
from companion.core.errors import OptionError
from companion.core.event import Event, event
from companion.core.handicaps import handicaps
from companion.core.move import Seat, by_seat, with_item
from companion.core.text import msg
from companion.core.verbs import Told, tell
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.building import (
    BOSS,
    EMPTY,
    FLOORS,
    NOBODY,
    duellists,
)
from companion.games.buro_crazy.rules.change import fewest, minus, no_cards, plus, worth
from companion.games.buro_crazy.rules.components import (
    NO_BIDS,
    SEATS,
    Box,
    Phase,
    Rulings,
    State,
    Terms,
    by_cards,
    card_values,
)
from companion.games.buro_crazy.rules.floors import next_pair


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the first move. Raise OptionError."""
    if seats not in SEATS:
        raise OptionError(msg("Büro Crazy is for 3 to 5 players, not {n}", n=seats))
    values, kitchen = box.values, box.kitchen
    stock = minus(minus(box.deck, tuple(n * seats for n in box.hand)), kitchen)
    hands = []
    for points in handicaps(rulings, seats):  # BC-A31
        extra = fewest(points, stock, values)
        if extra is None:
            raise OptionError(msg("the stock does not have the cards for a handicap of {n} points", n=points))
        hands.append(plus(box.hand, extra))
        stock = minus(stock, extra)
    if rulings.refill == "roof":
        stock = no_cards(values)  # French rulebook: the remaining cards have left the game
    if not by_cards(rulings):
        kitchen, stock = (worth(kitchen, values),), (worth(stock, values),)
        hands = [(worth(hand, values),) for hand in hands]
        values = (1,)
    return State(
        terms=Terms(box, rulings, seats, by_cards(rulings), values),
        phase=Phase.SETUP,
        colours=(NOBODY,) * seats,
        board=(EMPTY,) * (BOSS + 1),
        step=0,
        duel=(),
        bids=NO_BIDS,
        attempt=1,
        zeros=0,
        hands=tuple(hands),  # BC-R5
        kitchen=kitchen,  # BC-R6
        stock=stock,  # BC-A1
        roof=(0,) * len(values),
        told=0,
        last=None,
        due=(),
        dealt=0,
        reports=(None,) * seats,
    )


def colours_of(state: State) -> tuple[int, ...]:
    """Return each seat's colour: chosen, or the next one with enough figures (BC-A29)."""
    box, seats = state.terms.box, state.terms.seats
    free = (n for n in range(len(box.colours)) if n not in state.colours and box.fits(n, seats))
    return tuple(next(free) if colour == NOBODY else colour for colour in state.colours)


def apply_colour(state: State, _: Seat, args: Args, told: Told) -> State:
    seat, colour = Seat(args[0]), args[1]
    tell(told, kinds.Colour, seat, state.terms.box.colours[colour])
    return state._replace(colours=with_item(state.colours, seat, colour))


def _handicaps(state: State) -> Iterator[Event]:
    """Yield the handicaps. Everybody can derive their cards (BC-A31)."""
    terms = state.terms
    for seat, points in by_seat(handicaps(terms.rulings, terms.seats)):
        if points:
            cards = minus(state.hands[seat], terms.box.hand) if by_cards(terms.rulings) else (points,)
            yield event(kinds.Handicap(points, card_values(cards, terms.values)), seat)


def apply_place(state: State, _: Seat, args: Args, told: Told) -> State:
    box, values = state.terms.box, state.terms.values
    placed = tuple(map(Seat, args))
    board = (*placed, *(EMPTY,) * (BOSS + 1 - len(placed)))
    if told is not None:
        told += (
            event(kinds.Placed(placed)),
            event(kinds.Dealt(cards=sum(box.hand), points=worth(box.hand, box.values))),
            *_handicaps(state),
            event(kinds.Kitchen(FLOORS[0], worth(state.kitchen, values), target=box.targets[0], change=0)),
        )
    state = state._replace(phase=Phase.BID, colours=colours_of(state), board=board, duel=duellists(board, 0))
    return next_pair(state, told)
