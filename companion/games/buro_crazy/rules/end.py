"""The end: dealing the roof, counting points, and the ranking (BC-R23 to BC-R27)."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.choices import Args
from companion.core.event import event
from companion.core.move import Seat, each_seat, with_item
from companion.core.rules import Outcome, Ranking
from companion.core.text import Text, msg
from companion.core.verbs import Told, tell
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.building import (
    LEVELS,
    STAIRS,
    owners,
)
from companion.games.buro_crazy.rules.change import Cards, worth
from companion.games.buro_crazy.rules.components import (
    Phase,
    Rulings,
    State,
    by_cards,
    roof_cards,
)


def pile_size(state: State) -> int:
    """Return the number of cards per pile (BC-R23, BC-A20)."""
    return (roof_cards(state) + state.dealt) // state.terms.box.piles


def roof_is_due(state: State, told: Told) -> State:
    _tell_piles(state, told)
    if not state.terms.by_cards:
        return state._replace(phase=Phase.ROOF)
    # BC-A21: cards are dealt one by one to the piles of the boss, the challenger, F1 and F2.
    each = pile_size(state)
    shared = owners(state.board, state.terms.box.shares)
    due = tuple(seat for seat, piles in shared for _ in range(piles * each))
    state = state._replace(phase=Phase.ROOF, due=due)
    return state if due else end_match(state, told)  # BC-A20


def _tell_piles(state: State, told: Told) -> None:
    seats, piles = zip(*owners(state.board, state.terms.box.shares), strict=True)
    tell(told, kinds.Piles, None, seats, piles, cards=roof_cards(state), each=pile_size(state))


def apply_roof(state: State, _: Seat, args: Args, told: Told) -> State:
    # BC-R23: cards that are not dealt leave the game, with the two piles that nobody gets.
    due, dealt = state.due, state.dealt
    owner, place = due[dealt], state.terms.values.index(args[0])
    hands, roof = list(state.hands), list(state.roof)
    hand = list(hands[owner])
    hand[place] += 1
    roof[place] -= 1
    hands[owner] = tuple(hand)
    state = state._replace(hands=tuple(hands), roof=tuple(roof), dealt=dealt + 1)
    return end_match(state, told) if dealt + 1 == len(due) else state


def apply_report(state: State, seat: Seat, args: Args, told: Told) -> State:
    state = state._replace(reports=with_item(state.reports, seat, args[0]))
    tell(told, kinds.Reported, seat)
    return state if None in state.reports else end_match(state, told)


def apply_counted(state: State, _: Seat, args: Args, told: Told) -> State:
    state = state._replace(told=args[0])
    tell(told, kinds.Counted, cards=args[0])
    if state.phase is Phase.ROOF:
        _tell_piles(state, told)
    return state


def fewest_counted(rulings: Rulings, told: int, *, reported: bool) -> int | None:
    """Return the minimum that the house may count on the roof; None if it may not count.

    Reports rely on the count, and nobody may learn whose (BC-R23). So once somebody has `reported`, it may not fall
    below `told`, and a first count is too late.
    """
    if by_cards(rulings):
        return None
    return told or None if reported else 0


def final_points(state: State) -> tuple[int, ...]:
    """Return the final points: as reported, or of hand and piles (BC-R25)."""
    reported = tuple(points for points in state.reports if points is not None)
    return reported or tuple(worth(hand, state.terms.values) for hand in state.hands)


def end_match(state: State, told: Told) -> State:
    state = state._replace(phase=Phase.OVER)
    if told is not None:
        result = outcome(state)
        assert result is not None
        inside = state.board[STAIRS:]
        told += [event(kinds.Outside(), seat) for seat in each_seat(state.terms.seats) if seat not in inside]
        told.append(event(kinds.Over(result.ranking, final_points(state))))
    return state


class Standing(NamedTuple):
    """A seat's rank: inside the building, points, and figures on each floor from the top."""

    inside: bool
    points: int
    figures: tuple[int, ...]


def outcome(state: State) -> Outcome | None:
    """Return the ranking by points, then by figures from the highest rank down (BC-R26, BC-A23).

    Seats without a figure in the building are last (BC-R27, BC-A22).
    """
    if state.phase is not Phase.OVER:
        return None
    points, shared = final_points(state), state.terms.rulings.equal_end == "shared"
    standing = {}
    for seat in each_seat(state.terms.seats):
        figures = tuple(sum(state.board[space] == seat for space in level) for level in LEVELS)
        if shared:
            figures = _highest_only(figures)
        standing[seat] = Standing(any(figures), points[seat], figures)
    places = sorted(set(standing.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in standing if standing[seat] == place) for place in places)
    return Outcome(ranking, _why(places, ranking))


def _highest_only(figures: tuple[int, ...]) -> tuple[int, ...]:
    floor = _floor_of(figures)
    return tuple(int(level == floor) for level in range(len(figures)))


def _floor_of(figures: tuple[int, ...]) -> int:
    return next((level for level, number in enumerate(figures) if number), len(figures))


def _why(places: Sequence[Standing], ranking: Ranking) -> Text:
    """Return the reason, and how the highest tie of points was broken."""
    for place, following, seats in zip(places, [*places[1:], None], ranking, strict=True):
        if len(seats) > 1:
            return msg("the most points in the building; if all is equal, the place is shared")
        if following and place[:2] == following[:2]:
            if _floor_of(place.figures) != _floor_of(following.figures):
                return msg("the most points in the building; on equal points the higher figure")
            return msg("the most points in the building; on equal points more figures high up")
    return msg("the most points with a figure in the building")


def report_range(state: State, seat: Seat) -> range:
    """Return the points that a seat may report: from its hand alone to its hand with the best piles."""
    values, roof = state.terms.values, state.roof
    if state.terms.by_cards:
        best = _highest_cards(roof, values, state.due.count(seat))
    else:
        best = _points_of_piles(state, seat)
    least = worth(state.hands[seat], values)
    return range(least, least + best + 1)


def _points_of_piles(state: State, seat: Seat) -> int:
    """Return the maximum worth of a seat's piles if only points are tracked.

    A counted roof limits it by the highest value (BC-A20).
    """
    terms, points = state.terms, worth(state.roof, state.terms.values)
    piles = sum(n for owner, n in owners(state.board, terms.box.shares) if owner == seat)
    if state.told:
        return min(points, piles * pile_size(state) * max(terms.box.values))
    return points if piles else 0


def _highest_cards(cards: Cards, values: Cards, number: int) -> int:
    points = 0
    for count, value in zip(reversed(cards), reversed(values), strict=True):
        some = min(count, number)
        points += some * value
        number -= some
    return points


def reporting(state: State) -> bool:
    """Return True if everybody reports: only points are tracked, or somebody reported real cards."""
    return not state.terms.by_cards or state.reports.count(None) < state.terms.seats
