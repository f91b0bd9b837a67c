"""The end of a match (DB-R27)."""

from companion.core.move import by_seat
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.games.de_et_boulanger.rules.components import (
    Phase,
    State,
)


def outcome(state: State) -> Outcome | None:
    """Return the ranking by cash; equal seats share a place (DB-A28)."""
    if state.phase is not Phase.OVER:
        return None
    cash = state.cash
    amounts = sorted(set(cash), reverse=True)
    ranking = [tuple(seat for seat, sous in by_seat(cash) if sous == amount) for amount in amounts]
    return Outcome(tuple(ranking), msg("the most sous in the cash box"))
