"""Who may do what, and doing it: every legal move is listed here and nowhere else."""

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from itertools import compress
from operator import mul
from typing import Final, NamedTuple

from companion.core.choices import ONE, Args, Choices, Moves, Singles
from companion.core.errors import IllegalMove
from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.core.text import Text, msg
from companion.games.buro_crazy.rules.change import Cards, worth
from companion.games.buro_crazy.rules.choices import Subsets
from companion.games.buro_crazy.rules.components import (
    SECRETS,
    Phase,
    State,
    bid_of,
    figures_each,
    with_item,
)
from companion.games.buro_crazy.rules.duel import apply_bid, apply_coin, apply_retract
from companion.games.buro_crazy.rules.end import apply_counted, apply_report, apply_roof, reporting
from companion.games.buro_crazy.rules.placement import Placements
from companion.games.buro_crazy.rules.start import apply_colour, apply_place


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


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, its legal arguments (the only place), what it does."""

    rule: str
    choices: Callable[[State, Seat], Choices]
    apply: Callable[[State, Seat, Args], tuple[State, list[Event]]]


_VERBS: Final = {
    "colour": _Verb("BC-A29", _colour_choices, apply_colour),
    "place": _Verb("BC-R3", _place_choices, apply_place),
    "commit": _Verb("BC-R7", _bid_choices, apply_bid),
    "total": _Verb("BC-R7", _bid_choices, apply_bid),
    "retract": _Verb("BC-A25", _retract_choices, apply_retract),
    "coin": _Verb("BC-A10", _coin_choices, apply_coin),
    "roof": _Verb("BC-R23", _roof_choices, apply_roof),
    "report": _Verb("BC-R25", _report_choices, apply_report),
    "counted": _Verb("BC-R23", _counted_choices, apply_counted),
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
            return _BIDS[by_card] if bid_of(state, seat) is None else _RETRACT
        return ("counted",) if seat == TABLE and not by_card else _VERBLESS
    if phase is not Phase.ROOF:
        return _TABLE_VERBS.get(phase, _VERBLESS) if seat == TABLE else _VERBLESS
    if seat == TABLE:
        if by_card:
            return _VERBLESS if reporting(state) else ("roof",)
        return ("counted",)
    # Of real cards everybody reports, as long as the companion has not dealt its own.
    owes = seat in range(state.terms.seats) and state.reports[seat] is None and not state.dealt
    return ("report",) if owes else _VERBLESS


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
    if phase is Phase.ROOF and not reporting(state):
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
        reports = with_item(state.reports, move.seat, move.args[0])
        return None if None in reports else reports
    if move.verb in SECRETS:
        bids = with_item(state.bids, state.duel.index(move.seat), move.args)
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
