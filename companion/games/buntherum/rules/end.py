"""The end of a match and its ranking (BH-R16)."""

from typing import Final

from companion.core.event import event
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.core.verbs import Told
from companion.games.buntherum.rules import kinds
from companion.games.buntherum.rules.components import Phase, State, active

_REASONS: Final = {
    "last_card": msg("the last card!"),
    "last_placed": msg("ran out of cards and was right"),
    "last_standing": msg("is the last one in the game"),
    "empty_pile": msg("the draw pile is empty: the fewest cards left win"),
}


def end_match(state: State, ended: str, told: Told) -> State:
    state = state._replace(phase=Phase.OVER, ended=ended)
    if told is not None:
        result = outcome(state)
        assert result is not None
        told.append(event(kinds.Over(ranking=result.ranking, reason=ended)))
    return state


def outcome(state: State) -> Outcome | None:
    """Return the ranking: the winner, others by cards left, then the eliminated, last one first."""
    if not state.ended:
        return None
    left = active(state)
    cards = {seat: state.piles[seat] for seat in left}
    if state.ended in {"last_card", "last_placed"}:
        cards[state.caller] = -1  # the right caller is ahead even of others without cards
    ranking = [tuple(seat for seat in left if cards[seat] == count) for count in sorted(set(cards.values()))]
    ranking += [(seat,) for seat in reversed(state.gone)]
    return Outcome(tuple(ranking), _REASONS[state.ended])
