"""Tests of Dé et Boulanger's robots."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from companion.core.move import TABLE
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.bots import BOTS
from companion.games.de_et_boulanger.rules.components import Rulings, State
from tests.games.de_et_boulanger.db_table import BOX, DEAR, SMALL, Play, box_with, some_rulings

both = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)

LIMIT = 20_000

BOXES = (BOX, DEAR, SMALL, box_with(load_limit=1), box_with(start_sous=0), box_with(load_limit=9, start_sous=99))


def played(bots, seed: object, box=BOX, rulings: Rulings | None = None) -> State:
    """Return the end of a match between robots; each sees only its own view."""
    luck = Random(str(seed))
    state = rules.setup(box, rulings or Rulings(), len(bots))
    for _ in range(LIMIT):
        if rules.outcome(state):
            return state
        drawn = rules.draws(state)
        if drawn:
            state = rules.apply(state, luck.choice(drawn))
            continue
        able = [seat for seat in rules.to_act(state) if seat != TABLE]
        seat = luck.choice(able)
        move = bots[seat].decide(rules.view(state, seat), seat, luck)
        assert move in rules.legal(state, seat)
        assert move.seat == seat
        state = rules.apply(state, move)
    raise AssertionError(f"not over after {LIMIT} moves")


@both
@each_number_of_seats
@pytest.mark.parametrize("movement", ["full", "trust"])
@pytest.mark.parametrize("box", BOXES, ids=["printed", "dear", "small", "one token", "no sou", "nine tokens"])
def test_robots_finish_matches_with_any_box(bot, seats, movement, box):
    rulings = replace(some_rulings(Random(seats)), movement=movement)
    assert rules.outcome(played([bot] * seats, seats, box, rulings))


@each_number_of_seats
def test_strong_robot_beats_random_robots(seats):
    wins = Counter()
    for number in range(12):
        place = number % seats
        bots = [BOTS["random"]] * seats
        bots[place] = BOTS["strong"]
        wins[rules.outcome(played(bots, number)).winners == (place,)] += 1
    assert wins[True] >= 11


@each_number_of_seats
def test_strong_robots_more_than_double_their_sous(seats):
    ends = [played([BOTS["strong"]] * seats, number).cash for number in range(10)]
    assert sum(map(sum, ends)) > 2 * sum(BOX.start_sous for cash in ends for _ in cash)


def test_random_robot_makes_every_legal_move():
    view = rules.view(Play().state, 0)
    decided = {BOTS["random"].decide(view, 0, Random(seed)) for seed in range(200)}
    assert decided == set(rules.legal(Play().state, 0))
