"""Böse Buben's robots make only moves that their seat may make, by the keys that make them."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from bb_table import BOX, Play, ender, some_rulings, wander

from companion.core.move import TABLE, Move
from companion.games.boese_buben import console, rules
from companion.games.boese_buben.bots import BOTS
from companion.games.boese_buben.rules import Rulings, State

each_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)


@cache
def states(seats: int, count: int = 4) -> tuple[State, ...]:
    """Return the positions of some random matches."""
    found = []
    for number in range(count):
        luck = Random(f"bots {seats} {number}")
        found += [state for state, *_ in wander(rules.setup(BOX, some_rulings(luck), seats), luck)]
    return tuple(found)


@each_bot
@pytest.mark.parametrize("seats", rules.SEATS)
def test_a_robot_decides_a_legal_move_exactly_when_its_seat_may(bot, seats):
    for state in states(seats):
        for seat in range(seats):
            move = bot.decide(rules.view(state, seat), seat, Random(1))
            assert (move is not None) == (seat in rules.to_act(state))
            assert move is None or move in rules.legal(state, seat)


@each_bot
def test_a_robot_types_the_keys_of_its_move(bot):
    for state in states(3, 2):
        (seat,) = rules.to_act(state)
        if seat == TABLE:
            continue
        view = rules.view(state, seat)
        entry = ""
        acts = bot.acts(view, seat, Random(5))
        assert [act.delay_ns for act in acts] == sorted(act.delay_ns for act in acts)
        for act in acts:
            keyed = console.key(view, seat, act.control, {seat: entry} if entry else {})
            entry, move = keyed.entry, keyed.move
            assert keyed.accepted
        assert move == bot.decide(view, seat, Random(5))


@each_bot
def test_a_robot_is_a_function_of_its_view_and_its_luck(bot):
    for state in states(4, 1):
        for seat in rules.to_act(state):
            if seat != TABLE:
                view = rules.view(state, seat)
                assert bot.decide(view, seat, Random(3)) == bot.decide(view, seat, Random(3))


def test_the_random_robot_makes_every_legal_move():
    play = Play(2).put(["R5", "", ""], hands=["5a 1", "6"])
    view = rules.view(play.state, 0)
    found = {BOTS["random"].decide(view, 0, Random(seed)) for seed in range(100)}
    assert found == set(rules.legal(play.state, 0))


def winners(kinds: list[str], rulings: Rulings, seed: int) -> tuple[int, ...]:
    """Return who wins a match between robots."""
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
def test_the_planner_clearly_beats_random_robots(variant, seats):
    won = Counter[bool]()
    for seed in range(40):
        kinds = ["random"] * seats
        kinds[seed % seats] = "planner"
        won[seed % seats in winners(kinds, Rulings(variant=variant), seed)] += 1
    assert won[True] > 40 * {2: 0.75, 3: 0.6, 4: 0.5}[seats]


def test_the_planner_does_not_pay_what_it_does_not_have():
    play = ender(2, purses=(0, 0))
    play.end()
    assert BOTS["planner"].decide(rules.view(play.state, 0), 0, Random(1)) == Move(0, "answer", (0,))
