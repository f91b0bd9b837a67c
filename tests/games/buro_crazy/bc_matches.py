"""Random matches of Büro Crazy for the tests: bids that people could make, ties, empty hands, every house rule."""

from collections.abc import Iterator
from random import Random

from bc_table import BOX, cards_of, counts

from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.rules import narrated
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase, Rulings, State

Step = tuple[State, Move, State, tuple[Event, ...]]


def some_rulings(luck: Random, **fixed: object) -> Rulings:
    """Return house rules of which each is drawn by lot unless it is fixed."""
    drawn: dict[str, object] = {
        "tracking": luck.choice(("cards", "cards", "points")),
        "kitchen_adjust": luck.choice(("exact", "top_up")),
        "tie_rounding": luck.choice(("up", "down")),
        "change": luck.choice(("stock_and_roof", "none")),
        "zero_tie_limit": luck.choice((0, 0, 1, 3)),
        "bid_entry": luck.choice(("cards", "total")),
        "refill": luck.choice(("stock", "roof")),
        "forfeit_short": luck.choice(("climbs", "stays")),
        "equal_end": luck.choice(("figures", "shared")),
        "handicap_1": luck.choice((0, 0, 0, 7)),
        "handicap_2": luck.choice((0, 0, 0, 30)),
        "handicap_5": luck.choice((0, 0, 0, 23)),
    }
    return Rulings(**{**drawn, **fixed})


def wander(state: State, luck: Random) -> Iterator[Step]:
    """Yield each (position, move, next position, events) of a random match."""
    while rules.to_act(state):
        move = some_move(state, luck)
        following, events = narrated(rules, state, move)
        yield state, move, following, events
        state = following


def some_move(state: State, luck: Random) -> Move:
    drawn = rules.draws(state)
    if state.phase == Phase.SETUP and luck.random() < 0.2:
        return luck.choice([move for move in rules.legal(state, TABLE)[:40] if move.verb == "colour"])
    if drawn and luck.random() < 0.95:
        return drawn[luck.randrange(len(drawn))]
    seat = luck.choice([seat for seat in rules.to_act(state) if rules.legal(state, seat)])
    legal = rules.legal(state, seat)
    if state.phase == Phase.BID and seat != TABLE:
        other = state.duel[1 - state.duel.index(seat)]
        if len(legal) == 1 and legal[0].verb == "retract" and luck.random() < 0.8:
            return some_bid(state, other, seat, luck)
        if legal[0].verb != "retract":
            return some_bid(state, seat, other, luck)
    return legal[luck.randrange(len(legal))]


def some_bid(state: State, seat: Seat, other: Seat, luck: Random) -> Move:
    """Return a bid of few points, of all, of none, or the very bid of the other seat."""
    hand = state.hands[seat]
    locked = state.bids[state.duel.index(other)]
    if locked is not None and luck.random() < 0.4:
        bid = tuple(map(min, locked, hand))
    elif luck.random() < 0.1:
        bid = hand
    elif len(hand) == 1:
        bid = (luck.randrange(min(hand[0], 40) + 1),)
    else:
        held = cards_of(hand)
        bid = counts(luck.sample(held, min(len(held), luck.randrange(5))))
    return SecretMove(seat, "commit" if len(hand) > 1 else "total", bid)


def position(seats: int, seed: int, length: int, **fixed: object) -> State:
    """Return where a random match stands after `length` moves, or at its end."""
    luck = Random(f"{seats} {seed}")
    state = rules.setup(BOX, some_rulings(luck, **fixed), seats)
    for place, (*_, following, _events) in enumerate(wander(state, luck), 1):
        state = following
        if place == length:
            break
    return state
