"""The view of a position."""

from typing import NamedTuple

from companion.core.move import TABLE, Seat
from companion.core.rules import Outcome
from companion.games.buntherum.rules.components import (
    UNKNOWN,
    Box,
    Card,
    Phase,
    Rulings,
    State,
    callers,
    draw_pile,
)
from companion.games.buntherum.rules.end import outcome


class View(NamedTuple):
    """The view of a seat or of everybody; only `you` differs.

    `said` is the declared row. `tied` are the seats in a tie-break, possibly all (BH-A15).
    """

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: str
    turn: int
    rows: tuple[tuple[Card, ...], ...]
    draw_pile: int
    piles: tuple[int, ...]
    chips: tuple[int, ...]
    gone: tuple[Seat, ...]
    flipper: Seat
    source: Seat
    callers: tuple[Seat, ...]
    early: tuple[Seat, ...]
    late: tuple[Seat, ...]
    tied: tuple[Seat, ...]
    card: Card
    caller: Seat
    said: int | None
    outcome: Outcome | None

    @property
    def armed(self) -> bool:
        """True if calls count for a real card that may still be unturned (BH-A26)."""
        fresh = self.phase == Phase.OPEN and not self.late  # a reopened card has been turned (BH-A20)
        return fresh and self.card == UNKNOWN and self.rulings.open == "at_once"


def view(state: State, seat: Seat | None) -> View:
    """Return a view without hidden cards and without hints which rows fit."""
    return View(
        you=None if seat == TABLE else seat,
        box=state.box,
        rulings=state.rulings,
        phase=state.phase,
        turn=state.turn,
        rows=state.rows,
        draw_pile=draw_pile(state),
        piles=state.piles,
        chips=state.chips,
        gone=state.gone,
        flipper=state.flipper,
        source=state.source,
        callers=callers(state),
        early=state.early,
        late=state.late,
        tied=state.group,
        card=state.card,
        caller=state.caller,
        said=state.said,
        outcome=outcome(state),
    )
