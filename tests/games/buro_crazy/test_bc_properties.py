"""BC-P1 to BC-P6 in random matches."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.move import Move, SecretMove
from companion.core.rules import narrated
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase
from tests.games.buro_crazy import bc_laws
from tests.games.buro_crazy.bc_table import BOX, Play, position, some_rulings, wander

MATCHES = 12_000

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


@soak
@each_number_of_seats
@pytest.mark.parametrize("tracking", ["cards", "points"])
def test_bc_p1_bc_p2_bc_p3_bc_p4_bc_p6_every_move_keeps_the_laws(soak_count, seats, tracking):
    for number in range(soak_count(MATCHES, 30) // len(rules.SEATS)):
        luck = Random(f"{seats} {number} {tracking}")
        for step in wander(rules.setup(BOX, some_rulings(luck, tracking=tracking), seats), luck):
            bc_laws.check(*step)


positions = st.builds(position, st.sampled_from(rules.SEATS), st.integers(0, 200), st.integers(0, 60))


@given(positions, st.data())
def test_two_bids_commute(state, data):
    if state.phase != Phase.BID or any(bid is not None for bid in state.bids):
        return
    bids = []
    for seat in state.duel:
        legal = rules.legal(state, seat)
        bids.append(legal[data.draw(st.integers(0, len(legal) - 1))])
    assert {type(bid) for bid in bids} == {SecretMove}
    ends = []
    for one, other in (bids, bids[::-1]):
        half = rules.apply(state, one)
        ends.append(rules.apply(half, other))
    assert ends[0] == ends[1]


@given(positions, st.data())
def test_retracted_bid_leaves_no_trace(state, data):
    if state.phase != Phase.BID or any(bid is not None for bid in state.bids):
        return
    seat = data.draw(st.sampled_from(state.duel))
    legal = rules.legal(state, seat)
    half = rules.apply(state, legal[data.draw(st.integers(0, len(legal) - 1))])
    assert rules.apply(half, Move(seat, "retract")) == state


def test_laws_detect_a_wrong_engine():
    """An extra card, a figure that stayed, an unpaid gain."""
    play = Play(4)
    before = play.state
    move = SecretMove(0, "commit", (1, 0, 0, 0, 0))
    play.bid(1, [])
    half = play.state
    after, events = narrated(rules, half, move)
    bc_laws.check(half, move, after, events)
    more = after._replace(stock=(after.stock[0] + 1, *after.stock[1:]))
    unmoved = after._replace(board=before.board)
    unpaid = after._replace(kitchen=half.kitchen, hands=(after.hands[0], half.hands[1], *after.hands[2:]))
    for wrong in (more, unmoved, unpaid):
        with pytest.raises(AssertionError):
            bc_laws.check(half, move, wrong, events)
    with pytest.raises(AssertionError):
        bc_laws.check(half, move, after, events[:1])
