"""The views of a position."""

from typing import NamedTuple

from companion.core.move import TABLE, Seat, by_seat
from companion.core.rules import Outcome
from companion.games.buro_crazy.rules.building import (
    NOBODY,
    ORDER,
    PAIRS,
    pair_name,
)
from companion.games.buro_crazy.rules.change import Cards, worth
from companion.games.buro_crazy.rules.components import (
    Box,
    Phase,
    Result,
    Rulings,
    State,
    bid_of,
    roof_cards,
    roof_counted,
)
from companion.games.buro_crazy.rules.end import final_points, outcome, pile_size, report_range, reporting
from companion.games.buro_crazy.rules.start import colours_of


class View(NamedTuple):
    """The view of a seat or of everybody.

    `hand`, `bid` and `reportable` points are those of `you`, the reader. `chosen` are the seats that chose a
    colour. `locked` and `reported` are those that have; `reporting` is True if everybody reports. `points` are
    known at the end.
    """

    you: Seat | None
    box: Box
    rulings: Rulings
    values: Cards
    seats: int
    phase: Phase
    colours: tuple[int, ...]
    chosen: tuple[Seat, ...]
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
    roof_counted: bool
    pile_size: int
    dealt: int
    reporting: bool
    reported: tuple[Seat, ...]
    last: Result | None
    points: tuple[int, ...]
    outcome: Outcome | None
    hand: Cards | None
    bid: Cards | None
    reportable: range | None


def view(state: State, seat: Seat | None) -> View:
    """Return a view without hands, bids or reports of others."""
    seat = None if seat == TABLE else seat
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
        chosen=tuple(one for one, colour in by_seat(state.colours) if colour != NOBODY),
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
        roof_counted=roof_counted(state),
        pile_size=pile_size(state),
        dealt=state.dealt,
        reporting=state.phase is Phase.ROOF and reporting(state),
        reported=tuple(one for one, points in by_seat(state.reports) if points is not None),
        last=state.last,
        points=final_points(state) if over else (),
        outcome=outcome(state),
        hand=hand,
        bid=bid_of(state, seat) if bidding and seat is not None else None,
        reportable=None if seat is None or state.phase is not Phase.ROOF else report_range(state, seat),
    )
