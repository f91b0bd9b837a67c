"""The legal moves of each seat."""

from collections.abc import Callable, Collection, Hashable, Sequence
from functools import cache
from itertools import compress
from operator import mul
from typing import Final

from companion.core.choices import Args, Choices, Moves, Singles
from companion.core.move import TABLE, Move, Seat, each_seat, with_item
from companion.core.text import Text, msg
from companion.core.verbs import ONE_SEAT, Guard, Reason, Verb, Verbs, Why, always, by_table
from companion.games.buro_crazy.rules import refusals, spelling
from companion.games.buro_crazy.rules.change import Cards
from companion.games.buro_crazy.rules.choices import Placements, bids, subsets
from companion.games.buro_crazy.rules.components import Box, Phase, State, bid_of, figures_each
from companion.games.buro_crazy.rules.duel import apply_bid, apply_coin, apply_retract
from companion.games.buro_crazy.rules.end import (
    apply_counted,
    apply_report,
    apply_roof,
    fewest_counted,
    report_range,
    reporting,
)
from companion.games.buro_crazy.rules.start import apply_colour, apply_place

_BIDDING: Final = Phase.BID
_DEALING: Final = Phase.ROOF
"""Aliases, since looking up enum members takes time."""

# --- By whom, and when --------------------------------------------------------------------------------------


def _when(holds: Callable[[State, Seat], bool], why: Reason | Why[State]) -> Guard[State]:
    return Guard(holds, why)


def _in(phases: Collection[Phase], why: Text) -> Guard[State]:
    return _when(lambda state, _: state.phase in phases, why)


def _deals_roof(state: State, _: Seat) -> bool:
    return state.dealt > 0 or not reporting(state)


_TABLE: Final = _when(by_table, msg("only the house can do this"))
_PLAYER: Final = _when(lambda state, seat: seat in range(state.terms.seats), refusals.no_player)
_BIDDER: Final = (
    _PLAYER,
    _when(lambda state, _: state.phase is _BIDDING, refusals.nobody_bids),
    _when(lambda state, seat: seat in state.duel, refusals.others_bid),
)
_OWES_BID: Final = (
    *_BIDDER,
    _when(lambda state, seat: bid_of(state, seat) is None, msg("your bid is locked; reopen it first")),
)

# --- With which numbers -------------------------------------------------------------------------------------


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
    return subsets(state.hands[seat])


def _coin_choices(state: State, _: Seat) -> Choices:
    return [(seat,) for seat in state.duel]


def _roof_choices(state: State, _: Seat) -> Choices:
    return list(compress(_roof_args(state.terms.values), state.roof))


@cache
def _roof_args(values: Cards) -> tuple[Args, ...]:
    return tuple((value,) for value in values)


def _report_choices(state: State, seat: Seat) -> Choices:
    return Singles(report_range(state, seat))


def _counted_choices(state: State, _: Seat) -> Choices:
    return Singles(range(_fewest_counted(state) or 0, sum(state.terms.box.deck) + 1))


def _fewest_counted(state: State) -> int | None:
    reported = state.reports.count(None) < state.terms.seats
    return fewest_counted(state.terms.rulings, state.told, reported=reported)


# --- The verbs ----------------------------------------------------------------------------------------------


VERBS: Final[Verbs[State, Box]] = Verbs(
    "Büro Crazy",
    {
        "colour": Verb(
            "BC-A29",
            (_TABLE, _in({Phase.SETUP}, msg("the figures are already placed: colours are chosen before that"))),
            _colour_choices, apply_colour, spelling.COLOUR, refusals.colour,
        ),
        "place": Verb(
            "BC-R3",
            (_TABLE, _in({Phase.SETUP}, msg("the figures are already placed"))),
            _place_choices, apply_place, spelling.SEATS, refusals.place, draw=True,
        ),
        "commit": Verb(
            "BC-R7",
            (
                *_OWES_BID,
                _when(
                    lambda state, _: state.terms.by_cards,
                    msg("only points are tracked: a bid is a total, not cards"),
                ),
            ),
            _bid_choices, apply_bid, spelling.CARDS, refusals.cards, secret=True,
        ),
        "total": Verb(
            "BC-R7",
            (
                *_OWES_BID,
                _when(
                    lambda state, _: not state.terms.by_cards,
                    msg("every card is tracked: a bid is its cards, not a total"),
                ),
            ),
            _bid_choices, apply_bid, spelling.POINTS, refusals.total, secret=True,
        ),
        "retract": Verb(
            "BC-A25",
            (
                *_BIDDER,
                _when(
                    lambda state, seat: bid_of(state, seat) is not None,
                    msg("you have not locked a bid yet"),
                ),
            ),
            always, apply_retract, refused=refusals.no_numbers,
        ),
        "coin": Verb(
            "BC-A10",
            (_TABLE, _in({Phase.COIN}, msg("no coin is needed: it only decides ties at 0"))),
            _coin_choices, apply_coin, ONE_SEAT, refusals.coin, draw=True,
        ),
        "roof": Verb(
            "BC-R23",
            (
                _TABLE,
                _in({Phase.ROOF}, msg("the roof is dealt after the last duel")),
                _when(_deals_roof, refusals.dealt_by_hand),
            ),
            _roof_choices, apply_roof, spelling.VALUE, refusals.roof, draw=True,
        ),
        "report": Verb(
            "BC-R23",
            (
                _PLAYER,
                _in({Phase.ROOF}, msg("points are entered after the last duel")),
                # With real cards everybody reports, unless the companion has dealt its own.
                _when(lambda state, _: not state.dealt, msg("the companion deals the roof: no points are entered")),
                _when(
                    lambda state, seat: state.reports[seat] is None, msg("your points are in; the house can undo")
                ),
            ),
            _report_choices, apply_report, spelling.POINTS, refusals.report, secret=True,
        ),
        "counted": Verb(
            "BC-R23",
            (
                _TABLE,
                _when(
                    lambda state, _: not state.terms.by_cards,
                    msg("every card is tracked: the companion counts the roof itself"),
                ),
                _in(
                    {Phase.BID, Phase.ROOF},
                    msg("count the roof during the bids, or after them before any points are entered"),
                ),
                _when(lambda state, _: _fewest_counted(state) is not None, refusals.COUNTED_BEFORE),
            ),
            _counted_choices, apply_counted, spelling.COUNT, refusals.counted,
        ),
    },
    ("BC-R25", Phase.OVER),
)  # fmt: skip

DRAWS: Final = VERBS.draws
SECRETS: Final = VERBS.secrets
apply = VERBS.apply


def to_act(state: State) -> tuple[Seat, ...]:
    phase = state.phase
    if phase is _BIDDING:
        return state.duel if state.terms.by_cards else (TABLE, *state.duel)
    if phase is Phase.OVER:
        return ()
    if phase is not Phase.ROOF or state.dealt:
        return (TABLE,)
    return tuple(seat for seat in (TABLE, *each_seat(state.terms.seats)) if legal(state, seat))


def legal(state: State, seat: Seat) -> Sequence[Move]:
    duel = state.duel
    if seat not in duel or state.phase is not _BIDDING:
        return VERBS.legal(state, seat)
    if state.bids[duel.index(seat)] is not None:
        return _retracts(seat)
    return bids(seat, "commit" if state.terms.by_cards else "total", state.hands[seat])


@cache
def _retracts(seat: Seat) -> Sequence[Move]:
    return (Move(seat, "retract"),)


def draws(state: State) -> Sequence[Move]:
    phase = state.phase
    if phase is _BIDDING:
        return ()
    if phase is _DEALING and _deals_roof(state, TABLE):
        cards: list[Move] = []  # at most the deck, so faster than a lazy sequence
        for equal in map(mul, _roof_draws(state.terms.values), state.roof):
            cards += equal
        return cards
    if phase is Phase.SETUP:
        return Moves(TABLE, "place", _place_choices(state, TABLE))
    return VERBS.legal(state, TABLE) if phase is Phase.COIN else ()


@cache
def _roof_draws(values: Cards) -> tuple[tuple[Move, ...], ...]:
    return tuple((Move(TABLE, "roof", (value,)),) for value in values)


def released(state: State, move: Move) -> Hashable:
    """Return the secrets that a legal move reveals: both bids or all reports; None if one is missing."""
    if move.verb == "report":
        reports = with_item(state.reports, move.seat, move.args[0])
        return None if None in reports else reports
    if move.verb in SECRETS:
        bid = with_item(state.bids, state.duel.index(move.seat), move.args)
        return None if None in bid else bid
    return None


def undo_unit(state: State, moves: Sequence[Move]) -> int:
    """Return how many of the last moves form one undo: that of a reveal takes back both bids (BC-R8)."""
    last = moves[-1]
    if last.verb not in {"commit", "total"} or released(state, last) is None:
        return 1
    locked = (move.verb == last.verb and move.seat != last.seat for move in reversed(moves))
    return 1 + list(locked).index(True)
