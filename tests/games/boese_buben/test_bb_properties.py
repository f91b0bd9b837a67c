"""Tests of the laws of every match, BB-P1 to BB-P7."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase, Rulings, State
from tests.games.boese_buben import bb_laws
from tests.games.boese_buben.bb_table import BOX, some_rulings, wander
from tests.games.contract import random_match

MATCHES = 3_000

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


@soak
@each_number_of_seats
def test_bb_p1_bb_p2_bb_p3_bb_p4_bb_p5_bb_p6_bb_p7_every_move_keeps_the_laws(
    soak_count: Callable[..., int], seats: int
) -> None:
    phases = set()
    for number in range(soak_count(MATCHES, 30)):
        told: Counter[str] = Counter()
        for before, move, after, events in random_match("boese_buben", seats, Random(f"laws {seats} {number}")):
            bb_laws.check(before, move, after, events)
            phases.add(after.phase)
            told.update(happened.kind for happened in events)
        assert sum(rules.view(after, None).mc) == told["race_end"] <= 4
        assert told["lane"] == 4 * (seats + 1)
    assert phases == set(Phase) - {Phase.SETUP}


@each_number_of_seats
def test_match_length_is_as_expected(seats):
    """The expected numbers come from thousands of other random matches."""
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


def test_laws_detect_spoilt_steps():
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
