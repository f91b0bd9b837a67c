"""What holds in every match of Buntherum, BH-P1 to BH-P6, and the contract of its engine."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import contract
import pytest
from bh_laws import p1_all_cards_are_somewhere, p2_no_object_and_no_colour_twice_in_any_row
from bh_table import BOX, fitting, kinds, some_rulings, wander
from contract import any_moves
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import IllegalMove
from companion.core.event import Event
from companion.core.move import TABLE, Move
from companion.core.rules import narrated
from companion.games.buntherum import rules
from companion.games.buntherum.rules import UNKNOWN, Phase, Rulings, State, draw_pile

MATCHES = 12_000

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)

Step = tuple[State, Move, State, tuple[Event, ...]]


def matches(count: int, seats: int, *, default: bool = False, unread: float = 0.0) -> Iterator[Iterator[Step]]:
    """Yield the steps of `count` random matches, with house rules drawn by lot unless `default`."""
    for number in range(count):
        luck = Random(f"{seats} {number} {unread}")
        rulings = Rulings() if default else some_rulings(luck)
        yield wander(rules.setup(BOX, rulings, seats), luck, unread)


def a_quarter(soak_count: Callable[..., int], most: int = 60) -> int:
    """Return how many matches each number of seats plays."""
    return soak_count(MATCHES, most) // len(rules.SEATS)


@soak
@each_number_of_seats
@pytest.mark.parametrize("unread", [0.0, 0.2])
def test_bh_p1_all_58_cards_are_somewhere(soak_count, seats, unread):
    for match in matches(a_quarter(soak_count) // 2, seats, unread=unread):
        for *_, state, _ in match:
            assert len(state.box.deck) == 58
            p1_all_cards_are_somewhere(state)


@soak
@each_number_of_seats
def test_bh_p2_no_object_and_no_colour_twice_in_any_row(soak_count, seats):
    for match in matches(a_quarter(soak_count), seats):
        for *_, state, _ in match:
            p2_no_object_and_no_colour_twice_in_any_row(state)


@soak
@each_number_of_seats
def test_bh_p3_the_draw_pile_never_falls_below_its_start_less_one(soak_count, seats):
    start = {2: 26, 3: 25, 4: 24, 5: 22}[seats]
    for match in matches(a_quarter(soak_count), seats, default=True):
        for *_, state, _ in match:
            if state.phase in {Phase.READY, Phase.OPEN}:
                assert draw_pile(state) >= start - 1


@soak
@each_number_of_seats
def test_bh_p4_n_cards_left_are_exactly_n_right_calls(soak_count, seats):
    won_by_calls = 0
    for match in matches(a_quarter(soak_count), seats, default=True):
        needed: dict[int, int] = {}
        for *_, state, events in match:
            for happened in events:
                if happened.kind == "right":
                    needed[happened.seat] -= 1
            if state.phase == Phase.OPEN:  # nobody is about to turn a card of his own
                for seat in rules.active(state):
                    assert needed.setdefault(seat, state.piles[seat]) == state.piles[seat]
        won = state.ended == "last_card"
        won_by_calls += won
        assert [seat for seat, calls in needed.items() if calls == 0] == ([state.caller] if won else [])
    assert won_by_calls


@soak
@each_number_of_seats
def test_bh_p5_neither_eliminated_nor_uninvolved_seats_become_the_caller(soak_count, seats):
    for match in matches(a_quarter(soak_count), seats):
        out: set[int] = set()
        may_call = set(range(seats))
        for before, move, _, events in match:
            if move.verb == "call":
                assert move.args[0] in may_call - out
            elif before.phase == Phase.OPEN:
                for seat in set(range(seats)) - (may_call - out):
                    with pytest.raises(IllegalMove):
                        rules.apply(before, Move(TABLE, "call", (seat, 0)[: 1 + _direct(before)]))
            out |= {happened.seat for happened in events if happened.kind == "eliminated"}
            if move.verb == "tie":
                may_call = set(move.args)
            elif "next" in kinds(events) or not may_call - out:
                may_call = set(range(seats))


def _direct(state: State) -> bool:
    return state.rulings.call_input == "direct"


@soak
@each_number_of_seats
def test_bh_p6_impossible_is_wrong_exactly_when_some_row_fits(soak_count, seats):
    answers = set()
    for match in matches(a_quarter(soak_count, 120), seats):  # of two players few have a card that fits nowhere
        for *_, state, _ in match:
            if state.phase != Phase.LOCKED:
                continue
            rows = fitting(state, state.card)
            assert {row for row in range(1, 7) if rules.fits(state, state.card, row)} == rows
            _, events = narrated(rules, state, Move(state.caller, "declare", (0,)))
            assert ("wrong" in kinds(events)) == bool(rows)
            answers.add(bool(rows))
    assert answers == {True, False}


@each_number_of_seats
def test_bh_a23_no_active_player_is_without_cards_by_default(seats):
    for match in matches(20, seats, default=True):
        for *_, state, _ in match:
            if state.phase != Phase.SETUP:
                assert all(state.piles[seat] for seat in rules.active(state))


VERBS = (
    "youngest",
    "first",
    "lot",
    "starter",
    "flip",
    "early",
    "call",
    "tie",
    "nobody",
    "declare",
    "late",
    "card",
    "judge",
)


def position(seats: int, seed: int, length: int) -> State:
    """Return where a random match with some unread cards stands after `length` moves, or at its end."""
    luck = Random(seed)
    start = rules.setup(BOX, some_rulings(luck), seats)
    return [start, *(state for *_, state, _ in islice(wander(start, luck, unread=0.2), length))][-1]


positions = st.builds(position, st.sampled_from(rules.SEATS), st.integers(0, 200), st.integers(0, 80))
numbers = st.integers(-3, 8) | st.sampled_from(BOX.deck) | st.integers()
moves = any_moves(VERBS, numbers)


def accepted(state: State, move: Move) -> bool:
    return contract.accepted(rules, state, move, "BH")


@given(positions, moves)
def test_any_move_is_legal_exactly_when_it_is_accepted(state, move):
    assert (move in rules.legal(state, move.seat)) == accepted(state, move)


@given(positions, st.data())
def test_a_legal_move_changed_a_little_is_legal_exactly_when_it_is_accepted(state, data):
    legal = [move for seat in range(-1, state.seats) for move in rules.legal(state, seat)]
    if not legal:
        assert rules.to_act(state) == ()
        return
    move = data.draw(st.sampled_from(legal))
    assert accepted(state, move)
    changed = contract.changed(data, move, VERBS, numbers)
    assert (changed in rules.legal(state, changed.seat)) == accepted(state, changed)


@given(positions)
def test_only_who_may_act_has_legal_moves(state):
    for seat in range(-1, state.seats):
        assert bool(rules.legal(state, seat)) == (seat in rules.to_act(state))


@given(positions)
def test_the_dealers_draws_are_legal_and_read(state):
    legal = rules.legal(state, TABLE)
    for move in rules.draws(state):
        assert move in legal
        assert move.verb in rules.DRAWS
        assert UNKNOWN not in move.args
