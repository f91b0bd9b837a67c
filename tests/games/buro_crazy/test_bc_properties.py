"""What holds in every match of Büro Crazy, BC-P1 to BC-P6, and the contract of its engine."""

from collections.abc import Callable, Iterator
from random import Random

import bc_laws
import contract
import pytest
from bc_matches import Step, position, some_rulings, wander
from bc_table import BOX, Play, piles_of
from contract import any_moves, of_whole_matches
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move, SecretMove
from companion.core.rules import narrated
from companion.games.buro_crazy import console, rules
from companion.games.buro_crazy.rules import Phase, Rulings, State

MATCHES = 12_000

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


def matches(count: int, seats: int, **fixed: object) -> Iterator[Iterator[Step]]:
    """Yield the steps of `count` random matches, with house rules drawn by lot unless they are fixed."""
    for number in range(count):
        luck = Random(f"{seats} {number} {fixed}")
        yield wander(rules.setup(BOX, some_rulings(luck, **fixed), seats), luck)


def a_third(soak_count: Callable[..., int]) -> int:
    """Return how many matches each number of seats plays."""
    return soak_count(MATCHES, 30) // len(rules.SEATS)


@soak
@each_number_of_seats
@pytest.mark.parametrize("tracking", ["cards", "points"])
def test_every_move_keeps_the_laws(soak_count, seats, tracking):
    for match in matches(a_third(soak_count), seats, tracking=tracking):
        for before, move, after, events in match:
            bc_laws.check(before, move, after, events)


seeds = st.integers(0, 10_000)


@of_whole_matches
@given(st.sampled_from(rules.SEATS), seeds)
def test_bc_p1_no_card_appears_or_is_lost(seats, seed):
    luck = Random(seed)
    for *_, state, _ in wander(rules.setup(BOX, some_rulings(luck, tracking="cards", refill="stock"), seats), luck):
        assert piles_of(state).cards == sorted([1, 2, 5, 10, 20] * 30)


@of_whole_matches
@given(st.sampled_from(rules.SEATS), seeds)
def test_bc_p1_no_point_appears_or_is_lost(seats, seed):
    luck = Random(seed)
    for *_, state, _ in wander(
        rules.setup(BOX, some_rulings(luck, tracking="points", refill="stock"), seats), luck
    ):
        assert sum(piles_of(state).points) == 1140


@of_whole_matches
@given(st.sampled_from(rules.SEATS), seeds)
def test_bc_p2_no_pile_is_less_than_empty(seats, seed):
    luck = Random(seed)
    for *_, state, _ in wander(rules.setup(BOX, some_rulings(luck), seats), luck):
        assert all(count >= 0 for pile in (*state.hands, state.kitchen, state.stock, state.roof) for count in pile)


@of_whole_matches
@given(st.sampled_from(rules.SEATS), seeds)
def test_bc_p3_before_each_floor_the_kitchen_has_its_target(seats, seed):
    luck = Random(seed)
    targets = {"stairs": 80, "ground": 60, "first": 40, "second": 20}
    reached = []
    for *_, events in wander(rules.setup(BOX, Rulings(), seats), luck):
        for happened in events:
            if happened.kind == "kitchen":
                reached.append(happened.facts["floor"])
                assert happened.facts["points"] == targets[happened.facts["floor"]]
    assert reached == list(targets)


@of_whole_matches
@given(st.sampled_from(rules.SEATS), seeds)
def test_bc_p4_fifteen_pairs_are_decided_and_each_sends_one_figure_up(seats, seed):
    luck = Random(seed)
    ups = []
    for *_, state, events in wander(rules.setup(BOX, some_rulings(luck, forfeit_short="climbs"), seats), luck):
        ups += [happened.facts["to"][0] for happened in events if happened.kind == "up"]
        if state.phase in {Phase.BID, Phase.COIN}:
            assert len(ups) == state.step
    assert ups == ["G"] * 8 + ["F"] * 4 + ["T"] * 2 + ["B"]


@given(st.sampled_from(rules.SEATS), seeds, st.integers(1, 40))
def test_bc_p5_only_the_duellists_can_do_anything(seats, seed, length):
    state = position(seats, seed, length)
    if state.phase != Phase.BID:
        return
    others = set(range(-2, 6)) - set(state.duel)
    if state.terms.rulings.tracking == "cards":
        for seat in others:
            for verb, args in (
                ("commit", (0,) * 5),
                ("retract", ()),
                ("total", (0,)),
                ("report", (0,)),
                ("coin", (0,)),
            ):
                with pytest.raises(IllegalMove):
                    rules.apply(state, Move(seat, verb, args))
    for seat in others - {TABLE}:
        assert not rules.legal(state, seat)


@given(st.sampled_from(rules.SEATS), seeds, st.integers(1, 40), st.data())
def test_bc_p5_until_the_reveal_nothing_tells_of_a_bid(seats, seed, length, data):
    state = position(seats, seed, length)
    if state.phase != Phase.BID or any(bid is not None for bid in state.bids):
        return
    seat = data.draw(st.sampled_from(state.duel))
    legal = rules.legal(state, seat)
    one, other = (legal[data.draw(st.integers(0, len(legal) - 1))] for _ in range(2))
    (first, told), (second, said) = narrated(rules, state, one), narrated(rules, state, other)
    assert told == said
    assert rules.to_act(first) == rules.to_act(second)
    for reader in (None, *(one for one in range(seats) if one != seat)):
        view, sight = rules.view(first, reader), rules.view(second, reader)
        assert view == sight
        assert console.prompt(view) == console.prompt(sight)
        assert console.private(view, "") == console.private(sight, "")
    assert console.lamps(rules.view(first, None)) == console.lamps(rules.view(second, None))
    assert console.prompt(rules.view(first, seat)) == console.prompt(rules.view(second, seat))


@soak
@each_number_of_seats
def test_bc_p6_a_duel_moves_the_bid_and_the_difference(soak_count, seats):
    seen = set()
    for match in matches(a_third(soak_count), seats, tracking="points", refill="stock"):
        for before, _, after, events in match:
            reveal = [happened.facts for happened in events if happened.kind == "reveal"]
            if not reveal or len(set(reveal[0]["totals"])) == 1 or any(one.kind == "forfeit" for one in events):
                continue
            totals = reveal[0]["totals"]
            winner, loser = before.duel if totals[0] > totals[1] else before.duel[::-1]
            gain = min(abs(totals[0] - totals[1]), before.kitchen[0])
            last = reveal[0]["pair"] == "T"
            assert after.hands[winner][0] == before.hands[winner][0] - max(totals)
            assert after.hands[loser][0] == before.hands[loser][0] + gain - (min(totals) if last else 0)
            assert after.roof[0] == before.roof[0] + max(totals) + (min(totals) if last else 0)
            seen.add(last)
    assert seen == {True, False}


VERBS = ("colour", "place", "commit", "total", "retract", "coin", "roof", "report", "counted")

positions = st.builds(position, st.sampled_from(rules.SEATS), st.integers(0, 200), st.integers(0, 60))
numbers = st.integers(-3, 8) | st.sampled_from((10, 20, 150, 151, 152, 1140, 1141)) | st.integers()
moves = any_moves(VERBS, numbers)


def accepted(state: State, move: Move) -> bool:
    return contract.accepted(rules, state, move, "BC")


@given(positions, moves)
def test_any_move_is_legal_exactly_when_it_is_accepted(state, move):
    assert (move in rules.legal(state, move.seat)) == accepted(state, move)


@given(positions, st.data())
def test_a_legal_move_changed_a_little_is_legal_exactly_when_it_is_accepted(state, data):
    able = [legal for seat in range(-1, state.terms.seats) if (legal := rules.legal(state, seat))]
    if not able:
        assert rules.to_act(state) == ()
        return
    legal = data.draw(st.sampled_from(able))
    move = legal[data.draw(st.integers(0, len(legal) - 1))]
    assert move in legal
    assert accepted(state, move)
    changed = contract.changed(data, move, VERBS, numbers)
    assert (changed in rules.legal(state, changed.seat)) == accepted(state, changed)


@given(positions)
def test_only_who_may_act_has_legal_moves(state):
    for seat in range(-1, state.terms.seats):
        assert bool(rules.legal(state, seat)) == (seat in rules.to_act(state))


@given(positions, st.data())
def test_the_dealers_draws_are_legal_and_of_the_table(state, data):
    drawn = rules.draws(state)
    if drawn:
        move = drawn[data.draw(st.integers(0, len(drawn) - 1))]
        assert move.verb in rules.DRAWS
        assert move in rules.legal(state, TABLE)


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
def test_a_bid_taken_back_was_never_made(state, data):
    if state.phase != Phase.BID or any(bid is not None for bid in state.bids):
        return
    seat = data.draw(st.sampled_from(state.duel))
    legal = rules.legal(state, seat)
    half = rules.apply(state, legal[data.draw(st.integers(0, len(legal) - 1))])
    assert rules.apply(half, Move(seat, "retract")) == state


def test_the_laws_are_broken_by_a_wrong_engine():
    """The checks can fail: a card more, a figure moved, a gain that nobody paid."""
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
