"""What holds in every match of Böse Buben, BB-P1 to BB-P7, and the contract of its engine."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import NamedTuple

import bb_laws
import contract
import pytest
from bb_table import BOX, some_rulings, wander
from contract import any_moves
from hypothesis import given
from hypothesis import strategies as st

from companion.core.event import Event
from companion.core.move import TABLE, Move, SecretMove
from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase, Rulings, State, View

MATCHES = 3_000

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)

Step = tuple[State, Move, State, tuple[Event, ...]]


def matches(count: int, seats: int) -> Iterator[Iterator[Step]]:
    """Yield the steps of `count` random matches, with house rules drawn by lot."""
    for number in range(count):
        luck = Random(f"laws {seats} {number}")
        yield wander(rules.setup(BOX, some_rulings(luck), seats), luck)


class Series(NamedTuple):
    """What came of a long series of matches: `failed` has of each law by its name where it first did not hold.

    `ends` are the public views at the ends of the matches, each with how often every kind of event was told.
    """

    failed: dict[str, AssertionError]
    phases: set[str]
    ends: list[tuple[View, Counter[str]]]


@pytest.fixture(scope="module", params=rules.SEATS)
def series(request: pytest.FixtureRequest, soak_count: Callable[..., int]) -> Series:
    found = Series({}, set(), [])
    for match in matches(soak_count(MATCHES, 30), request.param):
        told: Counter[str] = Counter()
        for before, move, after, events in match:
            found.phases.add(after.phase)
            told.update(happened.kind for happened in events)
            for law in (sound, *bb_laws.LAWS):
                try:
                    law(before, move, after, events)
                except AssertionError as error:
                    found.failed.setdefault(law.__name__, error)
        found.ends.append((rules.view(after, None), told))
    return found


def sound(_: State, __: Move, after: State, events: tuple[Event, ...]) -> None:
    contract.is_sound("Böse Buben", after, events)


def hold(law: Callable[..., None], series: Series) -> None:
    if law.__name__ in series.failed:
        raise series.failed[law.__name__]


@soak
def test_each_phase_comes_each_part_is_of_its_type_and_all_laws_hold(series: Series) -> None:
    assert series.failed == {}
    assert series.phases == set(Phase) - {Phase.SETUP}


@soak
def test_bb_p1_every_card_is_in_one_place(series: Series) -> None:
    hold(bb_laws.p1_every_card_is_in_one_place, series)


@soak
def test_bb_p2_no_value_twice_and_never_too_many_cards(series: Series) -> None:
    hold(bb_laws.p2_lanes, series)


@soak
def test_bb_p3_money_is_conserved_and_nobody_owes(series: Series) -> None:
    hold(bb_laws.p3_money, series)


@soak
def test_bb_p4_one_mc_card_for_each_race_that_somebody_ended(series: Series) -> None:
    hold(bb_laws.p4_mc_cards, series)
    assert all(sum(view.mc) == told["race_end"] <= 4 for view, told in series.ends)


@soak
def test_bb_p5_each_lane_pays_0_or_3(series: Series) -> None:
    hold(bb_laws.p5_prizes, series)
    assert all(told["lane"] == 4 * (len(view.mc) + 1) for view, told in series.ends)


@soak
def test_bb_p6_nobody_skips_who_can_place(series: Series) -> None:
    hold(bb_laws.p6_nobody_skips_who_can_place, series)


@soak
def test_bb_p7_no_lane_is_tied(series: Series) -> None:
    hold(bb_laws.p7_no_lane_is_tied, series)


VERBS = ("first", "play", "exchange", "eject", "reorder", "decline", "move_mc", "answer", "skip")


def position(seats: int, seed: int, length: int) -> State:
    """Return where a random match stands after `length` moves, or at its end."""
    luck = Random(seed)
    start = rules.setup(BOX, some_rulings(luck), seats)
    return [start, *(state for *_, state, _ in islice(wander(start, luck), length))][-1]


positions = st.builds(position, st.sampled_from(rules.SEATS), st.integers(0, 200), st.integers(0, 120))
numbers = st.integers(-3, 13) | st.integers()
moves = any_moves(VERBS, numbers)


def accepted(state: State, move: Move) -> bool:
    return contract.accepted(rules, state, move, "BB")


@given(positions, moves)
def test_any_move_is_legal_exactly_when_it_is_accepted(state, move):
    assert (move in rules.legal(state, move.seat)) == accepted(state, move)


@given(positions, st.data())
def test_a_legal_move_changed_a_little_is_legal_exactly_when_it_is_accepted(state, data):
    legal = [move for seat in range(-1, 4) for move in rules.legal(state, seat)]
    if not legal:
        assert rules.to_act(state) == ()
        return
    move = data.draw(st.sampled_from(legal))
    assert accepted(state, move)
    changed = contract.changed(data, move, VERBS, numbers)
    assert (changed in rules.legal(state, changed.seat)) == accepted(state, changed)


@given(positions)
def test_only_who_may_act_has_legal_moves(state):
    for seat in range(-2, 6):
        assert bool(rules.legal(state, seat)) == (seat in rules.to_act(state))


@given(positions)
def test_long_lists_of_moves_are_sequences(state):
    """Length, index, iteration and `in` tell the same story; nothing comes twice."""
    for seat in rules.to_act(state):
        legal = rules.legal(state, seat)
        listed = list(legal)
        assert len(legal) == len(listed) == len(set(listed))
        assert [legal[place] for place in range(len(legal))] == listed
        assert [legal[place - len(legal)] for place in range(len(legal))] == listed
        with pytest.raises(IndexError):
            legal[len(legal)]
        with pytest.raises(IndexError):
            legal[-len(legal) - 1]
        assert all(move in legal for move in listed)
        assert all(isinstance(move, SecretMove) == (move.verb == "answer") for move in listed)


@given(positions)
def test_draws_are_there_before_the_first_race_only(state):
    due = rules.view(state, None).phase == Phase.SETUP
    assert bool(rules.draws(state)) == due
    assert all(move in rules.legal(state, TABLE) for move in rules.draws(state))


@each_number_of_seats
def test_the_usual_match_is_as_long_as_expected(seats):
    """How many cards are placed, and how often race 4 ends early, is known from thousands of other random games."""
    placed, early = Counter[int](), 0
    count = 120
    for number in range(count):
        luck = Random(f"usual {seats} {number}")
        for before, move, _, events in wander(rules.setup(BOX, Rulings(), seats), luck):
            race = rules.view(before, None).race
            placed[race] += move.verb == "play"
            early += any(happened.kind == "early_end" and happened.facts["race"] == 4 for happened in events)
    usual = {2: (15, 8, 6, 4), 4: (23, 11, 10, 10)}.get(seats)
    if usual:
        assert [placed[race] / count for race in (1, 2, 3, 4)] == pytest.approx(usual, abs=1.5)
    assert early > count / 2 if seats == 2 else early < count / 2


def tampered(state: State, **fields: object) -> State:
    return state._replace(books=state.books._replace(**fields))


def test_the_laws_notice_what_is_wrong():
    """Each law fails for a step that was spoilt in the way that it forbids."""
    luck = Random(11)
    steps_of_one = list(wander(rules.setup(BOX, some_rulings(luck), 3), luck))
    before, move, after, events = next(step for step in steps_of_one if any(e.kind == "race_end" for e in step[3]))
    books = after.books
    others = after.tracks[1:]
    spoilt = {
        "BB-P1": (before, move, after._replace(hands=(0, *after.hands[1:])), events),
        "BB-P2": (before, move, after._replace(zones=((1, 2, 3, 4, 5), *after.zones[1:])), events),
        "BB-P3": (before, move, tampered(after, bank=books.bank + 1), events),
        "BB-P4": (before, move, tampered(after, mc=(*books.mc[:2], books.mc[2] + 1)), events),
        "BB-P5": (before, move, after, tuple(e for e in events if e.kind != "lane")),
    }
    turn = next(step for step in steps_of_one if step[2].phase == Phase.TURN and step[0].phase == Phase.TURN)
    passed_over = turn[2]._replace(mover=(turn[2].mover + 1) % 3)
    spoilt["BB-P6"] = (*turn[:2], passed_over, turn[3])
    for (paragraph, step), law in zip(spoilt.items(), bb_laws.LAWS, strict=False):
        with pytest.raises(AssertionError, match=paragraph):
            law(*step)
        with pytest.raises(AssertionError):
            bb_laws.check(*step)
    wide = after._replace(tracks=((1, 4, 12 + 2, 12 + 3), *others))
    with pytest.raises(AssertionError, match="BB-P7"):
        bb_laws.p7_no_lane_is_tied(before, move, wide, events)
    bb_laws.check(before, move, after, events)
