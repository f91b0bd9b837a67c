"""The end: masters of ceremonies are paid, and who has won (BB-R24 to BB-R27)."""

from typing import Final

from companion.core.event import Event, event
from companion.core.move import Seat, by_seat, each_seat
from companion.core.rules import Outcome
from companion.core.text import Text, msg
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    NOBODY,
    hand_points,
)
from companion.games.boese_buben.rules.components import Phase, State, Told, mc_cost, with_added


def end_match(state: State, events: list[Event]) -> Told:
    books, box = state.books, state.terms.box
    purses, left, unpaid = books.purses, sum(state.zones, ()), []
    for seat, cards in by_seat(books.mc):
        cost = mc_cost(box, cards)  # BB-R25
        if purses[seat] < cost:
            unpaid.append(seat)  # BB-R26, BB-A32
            events.append(event(kinds.McUnpaid(cards=cards, ducats=cost), seat))
            continue
        purses = with_added(purses, seat, -cost)
        if cards:
            events.append(event(kinds.McPaid(cards=cards, ducats=cost), seat))
    books = books._replace(
        purses=purses,
        bank=books.bank + sum(books.purses) - sum(purses),
        out=books.out + left,  # BB-A34
        unpaid=tuple(unpaid),
    )
    zones = ((),) * len(state.zones)
    state = state._replace(books=books, phase=Phase.OVER, mover=NOBODY, zones=zones)
    ranking, reason = _ranking(state)
    return state, [*events, event(kinds.Over(ranking=ranking, purses=purses, reason=reason))]


_REASONS: Final[dict[str, Text]] = {
    "ducats": msg("the most ducats of those who could pay for their masters of ceremonies"),
    "cards": msg("equal in ducats, more points on the cards in hand"),
    "shared": msg("equal in ducats and cards"),
    "debt": msg("nobody could pay for the masters of ceremonies, and this debt is the smallest"),
    "shared_debt": msg("nobody could pay for the masters of ceremonies, and these debts are the smallest"),
}


def _ranking(state: State) -> tuple[tuple[tuple[Seat, ...], ...], str]:
    """Return the places from first to last, and by what the first was decided."""
    books, merits = state.books, []
    for seat in each_seat(state.terms.seats):
        if seat in books.unpaid:  # BB-R26, BB-A31
            merits.append((0, books.purses[seat] - mc_cost(state.terms.box, books.mc[seat]), 0))
        else:
            merits.append((1, books.purses[seat], hand_points(state.hands[seat])))
    ranking = tuple(
        tuple(seat for seat, merit in by_seat(merits) if merit == best)
        for best in sorted(set(merits), reverse=True)
    )
    first = merits[ranking[0][0]]
    shared = len(ranking[0]) > 1
    if not first[0]:
        return ranking, "shared_debt" if shared else "debt"
    if shared:
        return ranking, "shared"  # BB-A30
    level = sum(merit[:2] == first[:2] for merit in merits)
    return ranking, "cards" if level > 1 else "ducats"


def outcome(state: State) -> Outcome | None:
    """Return the ranking: ducats, then cards in hand; those who could not pay come last (BB-R26, BB-R27)."""
    if state.phase != Phase.OVER:
        return None
    ranking, reason = _ranking(state)
    return Outcome(ranking, _REASONS[reason])
