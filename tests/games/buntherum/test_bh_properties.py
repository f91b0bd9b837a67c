"""BH-P1 to BH-P6 in random matches."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from companion.core.move import Move
from companion.core.rules import narrated
from companion.games.buntherum import rules
from companion.games.buntherum.rules import Phase, Rulings, draw_pile
from tests.games.buntherum import bh_laws
from tests.games.buntherum.bh_table import BOX, fitting, some_rulings, wander
from tests.games.contract import Step, kinds

MATCHES = 12_000

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


def matches(count: int, seats: int, *, default: bool = False, unread: float = 0.0) -> Iterator[Iterator[Step]]:
    """Yield the steps of `count` random matches."""
    for number in range(count):
        luck = Random(f"{seats} {number} {unread}")
        rulings = Rulings() if default else some_rulings(luck)
        yield wander(rules.setup(BOX, rulings, seats), luck, unread)


def a_quarter(soak_count: Callable[..., int], most: int = 60) -> int:
    """Return the number of matches for each number of seats."""
    return soak_count(MATCHES, most) // len(rules.SEATS)


@soak
@each_number_of_seats
@pytest.mark.parametrize("unread", [0.0, 0.2])
def test_bh_p1_bh_p2_bh_p5_every_move_keeps_the_laws(soak_count, seats, unread):
    for match in matches(a_quarter(soak_count), seats, unread=unread):
        for step in match:
            bh_laws.check(*step)


@soak
@each_number_of_seats
def test_bh_p3_draw_pile_never_falls_below_start_minus_one(soak_count, seats):
    start = {2: 26, 3: 25, 4: 24, 5: 22}[seats]
    for match in matches(a_quarter(soak_count), seats, default=True):
        for *_, state, _ in match:
            if state.phase in {Phase.READY, Phase.OPEN}:
                assert draw_pile(state) >= start - 1


@soak
@each_number_of_seats
def test_bh_p4_n_cards_left_need_n_right_calls(soak_count, seats):
    won_by_calls = 0
    for match in matches(a_quarter(soak_count), seats, default=True):
        needed: dict[int, int] = {}
        for *_, state, events in match:
            for happened in events:
                if happened.kind == "right":
                    needed[happened.seat] -= 1
            if state.phase == Phase.OPEN:  # no own card is due
                for seat in rules.active(state):
                    assert needed.setdefault(seat, state.piles[seat]) == state.piles[seat]
        won = state.ended == "last_card"
        won_by_calls += won
        assert [seat for seat, calls in needed.items() if calls == 0] == ([state.caller] if won else [])
    assert won_by_calls


@soak
@each_number_of_seats
def test_bh_p6_impossible_is_wrong_exactly_when_some_row_fits(soak_count, seats):
    answers = set()
    for match in matches(a_quarter(soak_count, 120), seats):  # cards that fit nowhere are rare with two players
        for *_, state, _ in match:
            if state.phase != Phase.LOCKED:
                continue
            rows = fitting(state, state.card)
            assert {row for row in range(1, 7) if rules.fits(state, state.card, row)} == rows
            _, events = narrated(rules, state, Move(state.caller, "declare", (0,)))
            assert ("wrong" in kinds(events)) == bool(rows)
            answers.add(bool(rows))
    assert answers == {True, False}
