"""Büro Crazy: bid influence in secret for a place higher up the house. docs/rules/buro_crazy.md, in its order.

Cards are counts by value. With `tracking=points` a pile is a number of cards of value 1, its points: the same rules
play both. Spaces and pairs are those of building.py.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from itertools import compress
from operator import mul
from typing import Final, NamedTuple, TypeVar

from companion.core.choices import ONE, Args, Choices, Moves, Singles
from companion.core.errors import IllegalMove, OptionError
from companion.core.event import Event, event
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import Outcome
from companion.core.text import Text, msg
from companion.games.buro_crazy.building import (
    BOSS,
    EMPTY,
    FLOORS,
    LAST,
    LEVELS,
    NOBODY,
    ORDER,
    PAIRS,
    STAIRS,
    duellists,
    moved,
    office,
    owners,
    pair_name,
)
from companion.games.buro_crazy.change import Cards, Swap, fill, minus, pay, plus, worth
from companion.games.buro_crazy.choices import Subsets
from companion.games.buro_crazy.components import (
    NO_BIDS,
    PLAYERS,
    Box,
    Phase,
    Result,
    Rulings,
    State,
    Terms,
    by_cards,
    figures_each,
)
from companion.games.buro_crazy.placement import Placements

T = TypeVar("T")
U = TypeVar("U")

SEATS: Final = PLAYERS

DRAWS: Final = frozenset({"place", "coin", "roof"})

SECRETS: Final = frozenset({"commit", "total", "report"})


def bid_verb(rulings: Rulings) -> str:
    """Return the verb of a bid: `commit` its cards, or its `total` where only points are tracked."""
    return "commit" if by_cards(rulings) else "total"


def roof_cards(state: State) -> int:
    """Return how many cards lie on the roof; where only points are tracked, as many as was told."""
    return sum(state.roof) if state.terms.by_cards else state.told


def card_values(cards: Cards, values: Cards) -> tuple[int, ...]:
    """Return the values of cards one by one, the highest first; () where only points are tracked."""
    if len(values) == 1:
        return ()
    return sum(map(mul, _singles(values), reversed(cards)), ())


@cache
def _singles(values: Cards) -> tuple[tuple[int, ...], ...]:
    return tuple((value,) for value in reversed(values))


# --- Set-up (BC-R1 to BC-R6) ------------------------------------------------------------------------------


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before the figures are placed. Raise OptionError for a number of seats (BC-R1)."""
    if seats not in SEATS:
        raise OptionError(msg("Büro Crazy is for 3 to 5 players, not {n}", n=seats))
    hands = tuple(n * seats for n in box.hand)
    hand, kitchen, stock = box.hand, box.kitchen, minus(minus(box.deck, hands), box.kitchen)
    values = box.values
    if not by_cards(rulings):
        hand, kitchen, stock = ((worth(pile, values),) for pile in (hand, kitchen, stock))
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
        hands=(hand,) * seats,  # BC-R5
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
    """Return the colour of each seat: its own choice, or the next of the box with enough figures (BC-A29)."""
    box, seats = state.terms.box, state.terms.seats
    free = (n for n in range(len(box.colours)) if n not in state.colours and box.fits(n, seats))
    return tuple(next(free) if colour == NOBODY else colour for colour in state.colours)


def _colour(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    seat, colour = args
    told = event("colour", seat, colour=state.terms.box.colours[colour])
    return state._replace(colours=_with(state.colours, seat, colour)), [told]


def _place(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    box, values = state.terms.box, state.terms.values
    board = (*args, *(EMPTY,) * (BOSS + 1 - len(args)))
    events = [
        event("placed", seats=args),
        event("dealt", cards=sum(box.hand), points=worth(box.hand, box.values)),
        event("kitchen", floor=FLOORS[0], points=worth(state.kitchen, values), target=box.targets[0], change=0),
    ]
    state = state._replace(phase=Phase.BID, colours=colours_of(state), board=board, duel=duellists(board, 0))
    return _next_pair(state, events)


# --- A duel (BC-R7 to BC-R14) -----------------------------------------------------------------------------


def _bid(state: State, seat: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    left, right = state.bids
    if left is not None:
        return _reveal(state, (left, args))
    if right is not None:
        return _reveal(state, (args, right))
    bids = (args, None) if seat == state.duel[0] else (None, args)
    return state._replace(bids=bids), [_locked(seat)]


def _retract(state: State, seat: Seat, _: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BC-A25: until the other has locked too. Only one bid can be there, or both would be revealed.
    return state._replace(bids=NO_BIDS), [_unlocked(seat)]


@cache
def _locked(seat: Seat) -> Event:
    return event("locked", seat)


@cache
def _unlocked(seat: Seat) -> Event:
    return event("unlocked", seat)


def _reveal(state: State, bids: tuple[Cards, Cards]) -> tuple[State, list[Event]]:
    # BC-R8: both at once; what is told is the same whoever locked last.
    values = state.terms.values
    totals = (worth(bids[0], values), worth(bids[1], values))
    shown = (card_values(bids[0], values), card_values(bids[1], values))
    events = [event("reveal", pair=pair_name(state.step), seats=state.duel, bids=shown, totals=totals)]
    if totals[0] != totals[1]:
        return _won(state, bids, totals, shown, events)  # BC-R9
    if totals[0]:
        return _tied(state, bids, totals, events)
    return _zero_tie(state, bids, events)


def _won(
    state: State,
    bids: tuple[Cards, Cards],
    totals: tuple[int, int],
    shown: tuple[Cards, Cards],
    events: list[Event],
) -> tuple[State, list[Event]]:
    terms, values, step, duel = state.terms, state.terms.values, state.step, state.duel
    side = int(totals[1] > totals[0])
    hands, roof, losses = list(state.hands), state.roof, [0, 0]
    events.append(_up(step, duel[side]))
    for payer in (0, 1) if step == LAST else (side,):  # BC-R10; BC-R22: in the last duel both
        if not totals[payer]:
            continue
        seat, bid = duel[payer], bids[payer]
        hands[seat], roof, losses[payer] = minus(hands[seat], bid), plus(roof, bid), totals[payer]
        events.append(event("discard", seat, points=totals[payer], cards=shown[payer]))

    # BC-R11, BC-R12: the loser takes the difference, as far as the kitchen has it.
    loser, due = duel[1 - side], totals[side] - totals[1 - side]
    paid = pay(due, state.kitchen, state.stock, roof, values, change=_change(terms.rulings))
    gain = worth(paid.cards, values)
    hands[loser] = plus(hands[loser], paid.cards)
    if paid.swap:
        events.append(_swap_event(paid.swap, values, "kitchen"))
    events.append(event("gain", loser, points=gain, due=due, cards=card_values(paid.cards, values)))

    # Written out, since nearly all of it changes and this is quicker than _replace.
    board = moved(state.board, step, side)
    following = State(
        terms=terms,
        phase=Phase.BID,
        colours=state.colours,
        board=board,
        step=step + 1,
        duel=duellists(board, step + 1),
        bids=NO_BIDS,
        attempt=1,
        zeros=0,
        hands=tuple(hands),
        kitchen=paid.left,
        stock=paid.stock,
        roof=paid.roof,
        told=state.told,
        last=Result(pair_name(step), duel, bids, totals, duel[side], tuple(losses), gain, paid.cards),
        due=(),
        dealt=0,
        reports=state.reports,
    )
    return _next_pair(following, events)


def _tied(
    state: State, bids: tuple[Cards, Cards], totals: tuple[int, int], events: list[Event]
) -> tuple[State, list[Event]]:
    # BC-R13, BC-A7, BC-A8: each loses half of what he bid, and keeps the rest.
    terms = state.terms
    half = (totals[0] + (terms.rulings.tie_rounding == "up")) // 2
    events.append(event("tie", seats=state.duel, points=totals[0], half=half))
    losses = [0, 0]
    for seat in sorted(state.duel):
        side = state.duel.index(seat)
        state, losses[side], told = _lose(state, seat, half, bids[side])
        events += told
    last = Result(pair_name(state.step), state.duel, bids, totals, NOBODY, tuple(losses), 0)
    state = state._replace(bids=NO_BIDS, attempt=state.attempt + 1, zeros=0, last=last)
    return state, [*events, _duel_event(state)]


def _lose(state: State, seat: Seat, due: int, cards: Cards) -> tuple[State, int, list[Event]]:
    """Put points worth `due` of some cards of a hand on the roof; which cards is told to their owner only."""
    values = state.terms.values
    paid = pay(due, cards, state.stock, state.roof, values, change=_change(state.terms.rulings), up=True)
    lost, number = worth(paid.cards, values), sum(paid.cards) if state.terms.by_cards else 0
    own = card_values(paid.cards, values)
    events = [_swap_event(paid.swap, values, "hand", seat)] if paid.swap else []
    events.append(event("loss", seat, points=lost, due=due, n=number))
    if own:
        events.append(event("lost_cards", seat, seen_by=(seat,), cards=own))
    hand = plus(minus(state.hands[seat], cards), paid.left)
    state = state._replace(hands=_with(state.hands, seat, hand), stock=paid.stock, roof=plus(paid.roof, paid.cards))
    return state, lost, events


def _zero_tie(state: State, bids: tuple[Cards, Cards], events: list[Event]) -> tuple[State, list[Event]]:
    zeros, limit = state.zeros + 1, state.terms.rulings.zero_tie_limit
    state = state._replace(
        bids=NO_BIDS,
        zeros=zeros,
        last=Result(pair_name(state.step), state.duel, bids, (0, 0), NOBODY, (0, 0), 0),
    )
    events.append(event("tie", seats=state.duel, points=0, half=0))
    broke = not any(any(state.hands[seat]) for seat in state.duel)
    if broke or zeros == limit:  # BC-A11, BC-A10
        return state._replace(phase=Phase.COIN), [*events, event("toss", seats=state.duel)]
    state = state._replace(attempt=state.attempt + 1)
    return state, [*events, _duel_event(state)]


def _coin(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    winner, last = args[0], state.last
    assert last is not None
    events = [event("coin", winner), _up(state.step, winner)]
    state = state._replace(phase=Phase.BID, last=last._replace(winner=winner))
    return _next_pair(_step_on(state, state.duel.index(winner)), events)


# --- Floors, single figure, own figures (BC-R15 to BC-R21) ------------------------------------------------


def _next_pair(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    """Do what happens by itself until two seats have to bid, or the building is full."""
    while True:
        if state.step > LAST:
            return _roof_is_due(state, events)
        if state.step in FLOORS and state.step:
            state = _floor(state, events)
        left, right = state.duel
        if right == EMPTY:
            # BC-R15, BC-A12 to BC-A14: it goes up without a duel and pays, with less if that is all there is.
            due = min(state.terms.box.forfeit, worth(state.hands[left], state.terms.values))
            events.append(event("forfeit", left, pair=pair_name(state.step), points=due))
            events.append(_up(state.step, left))
            state, _, told = _lose(state, left, due, state.hands[left])
            events += told
            state = _step_on(state, 0)
        elif left == right:
            # BC-R20, BC-A15 to BC-A17: one of two own figures goes up, on every floor; nothing is paid.
            events.append(event("own_pair", left, pair=pair_name(state.step)))
            events.append(_up(state.step, left))
            state = _step_on(state, 0)
        else:
            events.append(_duel_event(state))
            return state, events


def _step_on(state: State, side: int) -> State:
    """Move the figure of a side up, with no cards, and go to the next pair."""
    board = moved(state.board, state.step, side)
    step = state.step + 1
    return state._replace(board=board, step=step, duel=duellists(board, step), attempt=1, zeros=0)


def _floor(state: State, events: list[Event]) -> State:
    # BC-R19, BC-A6: set to the target of the floor, in both directions or only upwards.
    terms, values = state.terms, state.terms.values
    floor = FLOORS[state.step]
    target, have = terms.box.targets[list(FLOORS).index(state.step)], worth(state.kitchen, values)
    kitchen, stock, roof = state.kitchen, state.stock, state.roof
    change, swap = _change(terms.rulings), None
    added = from_roof = removed = (0,) * len(values)
    if have < target:
        # BC-R21, BC-A24
        filled = fill(target - have, stock, roof, values, change=change)
        swap, stock, roof = filled.swap, filled.stock, filled.roof
        added, from_roof = filled.from_stock, filled.from_roof
        kitchen = plus(kitchen, plus(added, from_roof))
    elif have > target and terms.rulings.kitchen_adjust == "exact":
        paid = pay(have - target, kitchen, stock, roof, values, change=change)
        swap, kitchen, stock, roof, removed = paid.swap, paid.left, paid.stock, paid.roof, paid.cards
        stock = plus(stock, removed)
    if swap:
        events.append(_swap_event(swap, values, "kitchen" if have > target else "stock"))
    events.append(
        event(
            "kitchen",
            floor=floor,
            points=worth(kitchen, values),
            target=target,
            change=worth(kitchen, values) - have,
            added=card_values(added, values),
            from_roof=card_values(from_roof, values),
            roof_points=worth(from_roof, values),
            removed=card_values(removed, values),
        )
    )
    return state._replace(kitchen=kitchen, stock=stock, roof=roof)


def _duel_event(state: State) -> Event:
    return _duel_told(state.step, state.duel, state.attempt)


@lru_cache(maxsize=512)
def _duel_told(step: int, duel: tuple[Seat, ...], attempt: int) -> Event:
    return event("duel", pair=pair_name(step), seats=duel, attempt=attempt)


@cache
def _up(step: int, seat: Seat) -> Event:
    return event("up", seat, pair=pair_name(step), to=office(STAIRS + ORDER[step]))


def _change(rulings: Rulings) -> bool:
    return rulings.change == "stock_and_roof"


def _swap_event(swap: Swap, values: Cards, payer: str, seat: Seat | None = None) -> Event:
    """Tell of change that the kitchen or the stock made; of a player's, only to himself."""
    return event(
        "swap",
        seat,
        seen_by=None if seat is None else (seat,),
        payer=payer,
        given=card_values(swap.given, values),
        taken=card_values(swap.taken, values),
        pile=swap.pile,
    )


# --- End (BC-R23 to BC-R27) -------------------------------------------------------------------------------


def pile_size(state: State) -> int:
    """Return how many cards each pile of the roof gets (BC-R23, BC-A20)."""
    return (roof_cards(state) + state.dealt) // state.terms.box.piles


def _roof_is_due(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    events.append(_piles_event(state))
    if not state.terms.by_cards:
        return state._replace(phase=Phase.ROOF), events
    # BC-A21: one card after the other to the piles of the boss, the challenger, F1 and F2.
    each = pile_size(state)
    shared = owners(state.board, state.terms.box.shares)
    due = tuple(seat for seat, piles in shared for _ in range(piles * each))
    state = state._replace(phase=Phase.ROOF, due=due)
    return (state, events) if due else _over(state, events)  # BC-A20


def _piles_event(state: State) -> Event:
    shared = owners(state.board, state.terms.box.shares)
    return event(
        "piles",
        seats=tuple(seat for seat, _ in shared),
        piles=tuple(piles for _, piles in shared),
        cards=roof_cards(state),
        each=pile_size(state),
    )


def _roof(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BC-R23: what is not dealt leaves the game with the two piles that nobody gets.
    place, owner, dealt = state.terms.values.index(args[0]), state.due[state.dealt], state.dealt + 1
    hand, roof = state.hands[owner], state.roof
    state = state._replace(
        hands=_with(state.hands, owner, _with(hand, place, hand[place] + 1)),
        roof=_with(roof, place, roof[place] - 1),
        dealt=dealt,
    )
    return _over(state, []) if dealt == len(state.due) else (state, [])


def _report(state: State, seat: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = state._replace(reports=_with(state.reports, seat, args[0]))
    events = [event("reported", seat)]
    return (state, events) if None in state.reports else _over(state, events)


def _counted(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = state._replace(told=args[0])
    events = [event("counted", cards=args[0])]
    return state, [*events, _piles_event(state)] if state.phase is Phase.ROOF else events


def final_points(state: State) -> tuple[int, ...]:
    """Return everybody's points at the end: those reported, or those of hand and piles (BC-R25)."""
    reported = tuple(points for points in state.reports if points is not None)
    return reported or tuple(worth(hand, state.terms.values) for hand in state.hands)


_WHY: Final = msg("the most points of those who have a figure in the building")


def _over(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    state = state._replace(phase=Phase.OVER)
    result = outcome(state)
    assert result is not None
    inside = state.board[STAIRS:]
    events += [event("outside", seat) for seat in range(state.terms.seats) if seat not in inside]
    return state, [*events, event("over", ranking=result.ranking, points=final_points(state))]


def outcome(state: State) -> Outcome | None:
    """Return the ranking: by points, then by figures from the highest rank down (BC-R26, BC-A23).

    Whoever has no figure in the building comes after all others (BC-R27, BC-A22).
    """
    if state.phase is not Phase.OVER:
        return None
    points = final_points(state)
    standing = {}
    for seat in range(state.terms.seats):
        figures = tuple(sum(state.board[space] == seat for space in level) for level in LEVELS)
        standing[seat] = (any(figures), points[seat], figures)
    places = sorted(set(standing.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in standing if standing[seat] == place) for place in places)
    return Outcome(ranking, _WHY)


# --- The contract: who may do what, and doing it ----------------------------------------------------------


def _colour_choices(state: State, _: Seat) -> Choices:
    box, seats = state.terms.box, state.terms.seats
    return [
        (seat, colour)
        for seat in range(seats)
        for colour in range(len(box.colours))
        if box.fits(colour, seats) and colour not in (*state.colours[:seat], *state.colours[seat + 1 :])
    ]


def _place_choices(state: State, _: Seat) -> Choices:
    seats = state.terms.seats
    return Placements(seats, figures_each(state.terms.box, seats))


def _bid_choices(state: State, seat: Seat) -> Choices:
    return _subsets(state.hands[seat])


# A hand is asked for several times before it changes: to list its bids, to count them, to pick one, to check it.
@lru_cache(maxsize=256)
def _subsets(hand: Cards) -> Subsets:
    return Subsets(hand)


@lru_cache(maxsize=256)
def _bids(seat: Seat, verb: str, hand: Cards) -> Moves:
    return Moves(seat, (verb, _subsets(hand)), secret=SECRETS)


@cache
def _retracts(seat: Seat) -> Sequence[Move]:
    return (Move(seat, "retract"),)


def _retract_choices(_: State, __: Seat) -> Choices:
    return ONE


def _coin_choices(state: State, _: Seat) -> Choices:
    return [(seat,) for seat in state.duel]


def _roof_choices(state: State, _: Seat) -> Choices:
    return list(compress(_roof_args(state.terms.values), state.roof))


@cache
def _roof_args(values: Cards) -> tuple[Args, ...]:
    return tuple((value,) for value in values)


@cache
def _roof_draws(values: Cards) -> tuple[tuple[Move, ...], ...]:
    return tuple((Move(TABLE, "roof", (value,)),) for value in values)


def _report_choices(state: State, _: Seat) -> Choices:
    box = state.terms.box
    return Singles(range(worth(box.deck, box.values) + 1))


def _counted_choices(state: State, _: Seat) -> Choices:
    return Singles(range(sum(state.terms.box.deck) + 1))


def _bid_of(state: State, seat: Seat) -> Cards | None:
    return state.bids[state.duel.index(seat)]


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, its legal arguments (the only place), what it does."""

    rule: str
    choices: Callable[[State, Seat], Choices]
    apply: Callable[[State, Seat, Args], tuple[State, list[Event]]]


_VERBS: Final = {
    "colour": _Verb("BC-A29", _colour_choices, _colour),
    "place": _Verb("BC-R3", _place_choices, _place),
    "commit": _Verb("BC-R7", _bid_choices, _bid),
    "total": _Verb("BC-R7", _bid_choices, _bid),
    "retract": _Verb("BC-A25", _retract_choices, _retract),
    "coin": _Verb("BC-A10", _coin_choices, _coin),
    "roof": _Verb("BC-R23", _roof_choices, _roof),
    "report": _Verb("BC-R25", _report_choices, _report),
    "counted": _Verb("BC-R23", _counted_choices, _counted),
}

_VERBLESS: Final[tuple[str, ...]] = ()
_RETRACT: Final = ("retract",)
_BIDS: Final = (("total",), ("commit",))
"""The verb of a bid, by whether every card is known."""

_TABLE_VERBS: Final = {Phase.SETUP: ("colour", "place"), Phase.COIN: ("coin",)}


def _verbs_of(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the verbs that a seat may use now."""
    phase, by_card = state.phase, state.terms.by_cards
    if phase is Phase.BID:
        if seat in state.duel:
            return _BIDS[by_card] if _bid_of(state, seat) is None else _RETRACT
        return ("counted",) if seat == TABLE and not by_card else _VERBLESS
    if phase is not Phase.ROOF:
        return _TABLE_VERBS.get(phase, _VERBLESS) if seat == TABLE else _VERBLESS
    if seat == TABLE:
        if by_card:
            return _VERBLESS if _reporting(state) else ("roof",)
        return ("counted",)
    # Of real cards everybody reports, as long as the companion has not dealt its own.
    owes = seat in range(state.terms.seats) and state.reports[seat] is None and not state.dealt
    return ("report",) if owes else _VERBLESS


def _reporting(state: State) -> bool:
    """Tell whether the match ends with reports: only points are tracked, or somebody reported real cards."""
    return not state.terms.by_cards or state.reports.count(None) < state.terms.seats


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: the duellists, at the end all who have not reported, and the TABLE where it can."""
    phase = state.phase
    if phase is Phase.BID:
        return state.duel if state.terms.by_cards else (TABLE, *state.duel)
    if phase is Phase.OVER:
        return ()
    if phase is not Phase.ROOF or state.dealt:
        return (TABLE,)
    seats = (TABLE, *range(state.terms.seats))
    return tuple(seat for seat in seats if _verbs_of(state, seat))


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    verbs = _verbs_of(state, seat)
    if verbs is _RETRACT:
        return _retracts(seat)
    if verbs in _BIDS:
        return _bids(seat, verbs[0], state.hands[seat])
    return Moves(seat, *[(verb, _VERBS[verb].choices(state, seat)) for verb in verbs], secret=SECRETS)


def draws(state: State) -> Sequence[Move]:
    """Return the draws of a dealer: each placement, side of a coin, or card on the roof."""
    phase = state.phase
    if phase is Phase.BID:
        return ()
    if phase is Phase.ROOF and not _reporting(state):
        # At most as many as the deck has cards: adding up short tuples is quicker than anything lazy.
        return sum(map(mul, _roof_draws(state.terms.values), state.roof), ())
    if phase is Phase.SETUP:
        return Moves(TABLE, ("place", _place_choices(state, TABLE)))
    return Moves(TABLE, ("coin", _coin_choices(state, TABLE))) if phase is Phase.COIN else ()


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    seat, name, args = move
    if name not in _verbs_of(state, seat):
        raise _refusal(state, move)
    verb = _VERBS[name]
    if args not in verb.choices(state, seat):
        raise _refusal(state, move)
    state, events = verb.apply(state, seat, args)
    return state, tuple(events)


def released(state: State, move: Move) -> Hashable:
    """Return what a legal move makes public of secrets: both bids, all reports, or None while one is missing."""
    if move.verb == "report":
        reports = _with(state.reports, move.seat, move.args[0])
        return None if None in reports else reports
    if move.verb in SECRETS:
        bids = _with(state.bids, state.duel.index(move.seat), move.args)
        return None if None in bids else bids
    return None


def _refusal(state: State, move: Move) -> IllegalMove:
    """Say which paragraph refuses a move; of a secret nothing else."""
    seat, name, _ = move
    if name in SECRETS:
        return IllegalMove(seat, _VERBS[name].rule, msg("not accepted"))
    if state.phase is Phase.OVER:
        return IllegalMove(seat, "BC-R25", msg("the match is over"))
    if name not in _VERBS:
        return IllegalMove(seat, "BC-R7", msg("Büro Crazy knows no move {name!r}", name=name))
    return IllegalMove(seat, _VERBS[name].rule, _REFUSALS.get(name, msg("this move is not due now")))


_REFUSALS: Final[dict[str, Text]] = {
    "colour": msg("this colour is taken, or has too few figures, or the figures stand already"),
    "place": msg("this is not each figure once, two of one seat share a double space, or it is not due"),
    "retract": msg("there is no bid of this seat to take back"),
    "coin": msg("no coin is due, or this seat is not in the duel"),
    "roof": msg("no card of the roof is due, or no such card lies there"),
    "counted": msg("no count of the roof is wanted now, or the game has not so many cards"),
}


# --- Views ------------------------------------------------------------------------------------------------


class View(NamedTuple):
    """What an audience may see: the board, points of kitchen and stock, the number of roof cards, no hand.

    `you` is the reader, `hand` and `bid` are the reader's own. `bids_due` and `reports_due` tell whether seats
    have to bid or report, `locked` and `reported` which have; `points` are everybody's at the end.
    """

    you: Seat | None
    box: Box
    rulings: Rulings
    values: Cards
    seats: int
    phase: Phase
    colours: tuple[int, ...]
    board: tuple[Seat, ...]
    step: int
    pair: str
    to_come: tuple[str, ...]
    duel: tuple[Seat, ...]
    locked: tuple[Seat, ...]
    attempt: int
    zeros: int
    kitchen: Cards
    kitchen_points: int
    stock_points: int
    roof_cards: int
    pile_size: int
    dealt: int
    reporting: bool
    reported: tuple[Seat, ...]
    last: Result | None
    points: tuple[int, ...]
    outcome: Outcome | None
    hand: Cards | None
    bid: Cards | None


def view(state: State, seat: Seat | None) -> View:
    """Return what a seat, or everybody, may see: never a hand, a bid or a report of somebody else."""
    terms = state.terms
    hand = None if seat is None else state.hands[seat]
    bidding = state.phase is Phase.BID and seat is not None and seat in state.duel
    over = state.phase is Phase.OVER
    return View(
        you=seat,
        box=terms.box,
        rulings=terms.rulings,
        values=terms.values,
        seats=terms.seats,
        phase=state.phase,
        colours=colours_of(state),
        board=state.board,
        step=state.step,
        pair=pair_name(state.step),
        to_come=tuple(PAIRS[pair] for pair in ORDER[state.step + 1 :]),
        duel=state.duel,
        locked=tuple(one for one, bid in zip(state.duel, state.bids, strict=False) if bid is not None),
        attempt=state.attempt,
        zeros=state.zeros,
        kitchen=state.kitchen,
        kitchen_points=worth(state.kitchen, terms.values),
        stock_points=worth(state.stock, terms.values),
        roof_cards=roof_cards(state),
        pile_size=pile_size(state),
        dealt=state.dealt,
        reporting=state.phase is Phase.ROOF and _reporting(state),
        reported=tuple(one for one, points in enumerate(state.reports) if points is not None),
        last=state.last,
        points=final_points(state) if over else (),
        outcome=outcome(state),
        hand=hand,
        bid=_bid_of(state, seat) if bidding and seat is not None else None,
    )


def _with(items: tuple[T, ...], place: int, item: U) -> tuple[T | U, ...]:
    return (*items[:place], item, *items[place + 1 :])
