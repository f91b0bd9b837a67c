"""The end of the match: MC cards are paid for and players are ranked (BB-R24 to BB-R27)."""

from typing import Final

from companion.core.event import event
from companion.core.move import Seat, by_seat, each_seat, with_added
from companion.core.rules import Outcome
from companion.core.text import Text, msg
from companion.core.verbs import Told
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    NOBODY,
    hand_points,
    owner,
    value,
)
from companion.games.boese_buben.rules.components import Phase, State, mc_cost


def end_match(state: State, told: Told) -> State:
    """Pay for the MC cards and return the final position."""
    books, box = state.books, state.terms.box
    purses, left, unpaid = books.purses, sum(state.zones, ()), []
    for seat, cards in by_seat(books.mc):
        cost = mc_cost(box, cards)  # BB-R25
        able = purses[seat] >= cost
        if able:
            purses = with_added(purses, seat, -cost)
        else:
            unpaid.append(seat)  # BB-R26, BB-A32
        if cards and told is not None:
            paid = kinds.McPaid if able else kinds.McUnpaid
            told.append(event(paid(cards=cards, ducats=cost), seat))
    books = books._replace(
        purses=purses,
        bank=books.bank + sum(books.purses) - sum(purses),
        out=books.out + left,  # BB-A34
        unpaid=tuple(unpaid),
    )
    zones = ((),) * len(state.zones)
    state = state._replace(books=books, phase=Phase.OVER, mover=NOBODY, zones=zones)
    if told is not None:
        ranking, reason = _ranking(state)
        told.append(event(kinds.Over(ranking=ranking, purses=purses, reason=reason)))
    return state


_REASONS: Final[dict[str, Text]] = {
    "ducats": msg("the most ducats among the players who could pay for their MC cards"),
    "cards": msg("tied in ducats, but more points on the cards in hand"),
    "cards_and_tracks": msg("tied in ducats, but more points on the cards in hand and in the lanes"),
    "shared": msg("tied in ducats and in points on the cards"),
    "debt": msg("nobody could pay for their MC cards, and this debt is the smallest"),
    "shared_debt": msg("nobody could pay for their MC cards, and these debts are the smallest"),
    "all_last": msg("nobody could pay for their MC cards, so all share the place"),
}


def _ranking(state: State) -> tuple[tuple[tuple[Seat, ...], ...], str]:
    """Return the ranking and the reason for first place."""
    books, rulings, merits = state.books, state.terms.rulings, []
    for seat in each_seat(state.terms.seats):
        if seat in books.unpaid:  # BB-R26, BB-A31
            by_debt = rulings.cannot_pay == "by_debt"
            debt = books.purses[seat] - mc_cost(state.terms.box, books.mc[seat]) if by_debt else 0
            merits.append((0, debt, 0))
        else:
            merits.append((1, books.purses[seat], _points_left(state, seat)))
    ranking = tuple(
        tuple(seat for seat, merit in by_seat(merits) if merit == best)
        for best in sorted(set(merits), reverse=True)
    )
    first = merits[ranking[0][0]]
    shared = len(ranking[0]) > 1
    if not first[0] and rulings.cannot_pay == "all_last":
        return ranking, "all_last"
    if not first[0]:
        return ranking, "shared_debt" if shared else "debt"
    if shared:
        return ranking, "shared"  # BB-A30
    level = sum(merit[:2] == first[:2] for merit in merits)
    if level == 1:
        return ranking, "ducats"
    return ranking, "cards" if rulings.cards_left == "hand" else "cards_and_tracks"


def _points_left(state: State, seat: Seat) -> int:
    points = hand_points(state.hands[seat])
    if state.terms.rulings.cards_left == "hand":  # BB-A29
        return points
    return points + sum(value(card) for track in state.tracks for card in track if owner(card) == seat)


def outcome(state: State) -> Outcome | None:
    """Return the ranking. Seats that cannot pay come last (BB-R26, BB-R27)."""
    if state.phase != Phase.OVER:
        return None
    ranking, reason = _ranking(state)
    return Outcome(ranking, _REASONS[reason])
