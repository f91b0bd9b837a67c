"""Who may do what, and doing it: every legal move is listed here and nowhere else."""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import compress
from operator import mul
from typing import Final

from companion.core.choices import Args, Choices, Moves, Singles
from companion.core.move import TABLE, Move, Seat, each_seat, with_item
from companion.core.verbs import ONE_SEAT, Reason, Spelling, Verb, Verbs, always, by_table
from companion.games.buro_crazy.rules import refusals, spelling
from companion.games.buro_crazy.rules.change import Cards
from companion.games.buro_crazy.rules.choices import Placements, bids, subsets
from companion.games.buro_crazy.rules.components import Box, Phase, State, figures_each
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

_SETUP: Final = (Phase.SETUP,)
_BID: Final = (Phase.BID,)
_ROOF: Final = (Phase.ROOF,)

_BIDDING: Final = Phase.BID
_DEALING: Final = Phase.ROOF
"""The phases of most moves, by names of their own: to look a member up in its class takes time."""

# --- By whom ------------------------------------------------------------------------------------------------


def _owes_cards(state: State, seat: Seat) -> bool:
    duel = state.duel
    return seat in duel and state.bids[duel.index(seat)] is None and state.terms.by_cards


def _owes_total(state: State, seat: Seat) -> bool:
    return not state.terms.by_cards and _owes_bid(state, seat)


def _owes_bid(state: State, seat: Seat) -> bool:
    return seat in state.duel and state.bids[state.duel.index(seat)] is None


def _has_locked(state: State, seat: Seat) -> bool:
    return seat in state.duel and not _owes_bid(state, seat)


def _deals_roof(state: State, seat: Seat) -> bool:
    return seat == TABLE and (state.dealt > 0 or not reporting(state))


def _counts_roof(state: State, seat: Seat) -> bool:
    return seat == TABLE and _fewest_counted(state) is not None


def _owes_report(state: State, seat: Seat) -> bool:
    # Of real cards everybody reports, as long as the companion has not dealt its own.
    return seat in range(state.terms.seats) and state.reports[seat] is None and not state.dealt


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


def _bid(
    by: Callable[[State, Seat], bool], spelt: Spelling[Box], refused: Callable[[State, Seat, Args], Reason]
) -> Verb[State, Box]:
    """Return the verb of a bid: of its cards, or of its points."""
    return Verb("BC-R7", _BID, by, _bid_choices, apply_bid, spelt, refusals.no_bid_now, refused, secret=True)


VERBS: Final[Verbs[State, Box]] = Verbs(
    "Büro Crazy",
    {
        "colour": Verb(
            "BC-A29", _SETUP, by_table, _colour_choices, apply_colour, spelling.COLOUR,
            refusals.no_colour_now, refusals.colour,
        ),
        "place": Verb(
            "BC-R3", _SETUP, by_table, _place_choices, apply_place, spelling.SEATS,
            refusals.no_place_now, refusals.place, draw=True,
        ),
        "commit": _bid(_owes_cards, spelling.CARDS, refusals.cards),
        "total": _bid(_owes_total, spelling.POINTS, refusals.total),
        "retract": Verb(
            "BC-A25", _BID, _has_locked, always, apply_retract,
            not_now=refusals.nothing_locked, refused=refusals.no_numbers,
        ),
        "coin": Verb(
            "BC-A10", (Phase.COIN,), by_table, _coin_choices, apply_coin, ONE_SEAT,
            refusals.no_coin_now, refusals.coin, draw=True,
        ),
        "roof": Verb(
            "BC-R23", _ROOF, _deals_roof, _roof_choices, apply_roof, spelling.VALUE,
            refusals.no_roof_now, refusals.roof, draw=True,
        ),
        "report": Verb(
            "BC-R23", _ROOF, _owes_report, _report_choices, apply_report, spelling.POINTS,
            refusals.no_report_now, refusals.report, secret=True,
        ),
        "counted": Verb(
            "BC-R23", (Phase.BID, Phase.ROOF), _counts_roof, _counted_choices, apply_counted, spelling.COUNT,
            refusals.no_count_now, refusals.counted,
        ),
    },
    ("BC-R25", Phase.OVER),
)  # fmt: skip

DRAWS: Final = VERBS.draws
SECRETS: Final = VERBS.secrets
apply = VERBS.apply


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: the duellists, at the end all who have not reported, and the TABLE where it can."""
    phase = state.phase
    if phase is _BIDDING:
        return state.duel if state.terms.by_cards else (TABLE, *state.duel)
    if phase is Phase.OVER:
        return ()
    if phase is not Phase.ROOF or state.dealt:
        return (TABLE,)
    return tuple(seat for seat in (TABLE, *each_seat(state.terms.seats)) if legal(state, seat))


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
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
    """Return the draws of a dealer: each placement, side of a coin, or card on the roof."""
    phase = state.phase
    if phase is _BIDDING:
        return ()
    if phase is _DEALING and _deals_roof(state, TABLE):
        cards: list[Move] = []  # at most as many as the deck has: quicker than anything lazy
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
    """Return what a legal move makes public of secrets: both bids, all reports, or None while one is missing."""
    if move.verb == "report":
        reports = with_item(state.reports, move.seat, move.args[0])
        return None if None in reports else reports
    if move.verb in SECRETS:
        bid = with_item(state.bids, state.duel.index(move.seat), move.args)
        return None if None in bid else bid
    return None


def undo_unit(state: State, moves: Sequence[Move]) -> int:
    """Return how many of the last moves an undo takes back as one: of a reveal both bids (BC-R8)."""
    last = moves[-1]
    if last.verb not in {"commit", "total"} or released(state, last) is None:
        return 1
    locked = (move.verb == last.verb and move.seat != last.seat for move in reversed(moves))
    return 1 + list(locked).index(True)
