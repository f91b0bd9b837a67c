"""The end: the roof is shared out, points are counted, who has won (BC-R23 to BC-R27)."""

from typing import Final

from companion.core.event import Event, event
from companion.core.move import Seat, each_seat
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.building import (
    LEVELS,
    STAIRS,
    owners,
)
from companion.games.buro_crazy.rules.change import worth
from companion.games.buro_crazy.rules.components import (
    Phase,
    State,
    roof_cards,
    with_item,
)

# --- End (BC-R23 to BC-R27) -----------------------------------------------------------------------------


def pile_size(state: State) -> int:
    """Return how many cards each pile of the roof gets (BC-R23, BC-A20)."""
    return (roof_cards(state) + state.dealt) // state.terms.box.piles


def roof_is_due(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    events.append(_piles_event(state))
    if not state.terms.by_cards:
        return state._replace(phase=Phase.ROOF), events
    # BC-A21: one card after the other to the piles of the boss, the challenger, F1 and F2.
    each = pile_size(state)
    shared = owners(state.board, state.terms.box.shares)
    due = tuple(seat for seat, piles in shared for _ in range(piles * each))
    state = state._replace(phase=Phase.ROOF, due=due)
    return (state, events) if due else end_match(state, events)  # BC-A20


def _piles_event(state: State) -> Event:
    shared = owners(state.board, state.terms.box.shares)
    return event(
        kinds.Piles(
            seats=tuple(seat for seat, _ in shared),
            piles=tuple(piles for _, piles in shared),
            cards=roof_cards(state),
            each=pile_size(state),
        )
    )


def apply_roof(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BC-R23: what is not dealt leaves the game with the two piles that nobody gets.
    place, owner, dealt = state.terms.values.index(args[0]), state.due[state.dealt], state.dealt + 1
    hand, roof = state.hands[owner], state.roof
    state = state._replace(
        hands=with_item(state.hands, owner, with_item(hand, place, hand[place] + 1)),
        roof=with_item(roof, place, roof[place] - 1),
        dealt=dealt,
    )
    return end_match(state, []) if dealt == len(state.due) else (state, [])


def apply_report(state: State, seat: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = state._replace(reports=with_item(state.reports, seat, args[0]))
    events = [event(kinds.Reported(), seat)]
    return (state, events) if None in state.reports else end_match(state, events)


def apply_counted(state: State, _: Seat, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = state._replace(told=args[0])
    events = [event(kinds.Counted(cards=args[0]))]
    return state, [*events, _piles_event(state)] if state.phase is Phase.ROOF else events


def final_points(state: State) -> tuple[int, ...]:
    """Return everybody's points at the end: those reported, or those of hand and piles (BC-R25)."""
    reported = tuple(points for points in state.reports if points is not None)
    return reported or tuple(worth(hand, state.terms.values) for hand in state.hands)


_WHY: Final = msg("the most points of those who have a figure in the building")


def end_match(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    state = state._replace(phase=Phase.OVER)
    result = outcome(state)
    assert result is not None
    inside = state.board[STAIRS:]
    events += [event(kinds.Outside(), seat) for seat in each_seat(state.terms.seats) if seat not in inside]
    return state, [*events, event(kinds.Over(ranking=result.ranking, points=final_points(state)))]


def outcome(state: State) -> Outcome | None:
    """Return the ranking: by points, then by figures from the highest rank down (BC-R26, BC-A23).

    Whoever has no figure in the building comes after all others (BC-R27, BC-A22).
    """
    if state.phase is not Phase.OVER:
        return None
    points = final_points(state)
    standing = {}
    for seat in each_seat(state.terms.seats):
        figures = tuple(sum(state.board[space] == seat for space in level) for level in LEVELS)
        standing[seat] = (any(figures), points[seat], figures)
    places = sorted(set(standing.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in standing if standing[seat] == place) for place in places)
    return Outcome(ranking, _WHY)


# --- The contract: who may do what, and doing it --------------------------------------------------------


def reporting(state: State) -> bool:
    """Tell whether the match ends with reports: only points are tracked, or somebody reported real cards."""
    return not state.terms.by_cards or state.reports.count(None) < state.terms.seats
