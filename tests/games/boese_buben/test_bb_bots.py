"""Tests of Böse Buben's robots."""

from collections import Counter
from random import Random

import pytest

from companion.core.move import TABLE, Move
from companion.games.boese_buben import rules
from companion.games.boese_buben.bots import BOTS
from companion.games.boese_buben.rules import Rulings
from tests.games.boese_buben.bb_table import BOX, Play, ender


def test_random_robot_makes_every_legal_move():
    play = Play(2).put(["R5", "", ""], hands=["5a 1", "6"])
    view = rules.view(play.state, 0)
    found = {BOTS["random"].decide(view, 0, Random(seed)) for seed in range(100)}
    assert found == set(rules.legal(play.state, 0))


def winners(kinds: list[str], rulings: Rulings, seed: int) -> tuple[int, ...]:
    luck = Random(seed)
    state = rules.setup(BOX, rulings, len(kinds))
    while rules.to_act(state):
        (seat,) = rules.to_act(state)
        if seat == TABLE:
            move = luck.choice(rules.draws(state))
        else:
            move = BOTS[kinds[seat]].decide(rules.view(state, seat), seat, luck)
        state = rules.apply(state, move)
    return rules.outcome(state).winners


@pytest.mark.parametrize("variant", ["basic", "action"])
@pytest.mark.parametrize("seats", rules.SEATS)
def test_strong_robot_beats_random_robots(variant, seats):
    won = Counter[bool]()
    for seed in range(40):
        kinds = ["random"] * seats
        kinds[seed % seats] = "strong"
        won[seed % seats in winners(kinds, Rulings(variant=variant), seed)] += 1
    assert won[True] > 40 * {2: 0.75, 3: 0.6, 4: 0.5}[seats]


def test_strong_robot_leaves_cards_it_cannot_afford():
    play = ender(2, purses=(0, 0))
    play.end()
    assert BOTS["strong"].decide(rules.view(play.state, 0), 0, Random(1)) == Move(0, "answer", (0,))


@pytest.mark.parametrize(("purse", "said"), [(7, 0), (8, 1)])
def test_strong_robot_saves_money_for_mc_cards(purse, said):
    play = ender(2, zones=["R6"], purses=(purse, 6), mc=(2, 0))
    play.end()
    view = rules.view(play.state, 0)
    assert (view.price, view.mc[0]) == (3, 3)
    assert BOTS["strong"].decide(view, 0, Random(1)) == Move(0, "answer", (said,))


@pytest.mark.parametrize(("race", "said"), [(2, 1), (3, 0)])
def test_strong_robot_stops_buying_with_enough_cards(race, said):
    play = ender(2, zones=["R6"], hands=["1 2 4 2a"], purses=(9, 6), race=race)
    play.end()
    view = rules.view(play.state, 0)
    assert view.counts[0] == 4
    assert BOTS["strong"].decide(view, 0, Random(1)) == Move(0, "answer", (said,))
