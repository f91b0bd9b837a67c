"""Büro Crazy's robots make only legal moves."""

from functools import cache
from random import Random

import pytest

from companion.core.match import Match
from companion.core.move import TABLE
from companion.games.buro_crazy import console, rules
from companion.games.buro_crazy.bots import BOTS
from companion.games.buro_crazy.game import GAME
from companion.games.buro_crazy.rules import Phase, Rulings, State
from companion.games.buro_crazy.rules.change import worth
from tests.games.buro_crazy.bc_table import BOX, Play, at_the_roof, cards_of, some_rulings, wander

each_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)


@cache
def states(seats: int, count: int = 4) -> tuple[State, ...]:
    found = []
    for number in range(count):
        luck = Random(f"bots {seats} {number}")
        found += [state for state, *_ in wander(rules.setup(BOX, some_rulings(luck), seats), luck)]
    return tuple(found)


@each_bot
@pytest.mark.parametrize("seats", rules.SEATS)
def test_robot_decides_a_legal_move_or_waits(bot, seats):
    decided = set()
    for state in states(seats):
        for seat in range(seats):
            move = bot.decide(rules.view(state, seat), seat, Random(1))
            if move is not None:
                assert move in rules.legal(state, seat)
                decided.add(move.verb)
            if state.phase == Phase.BID:
                assert (move is not None) == (console.may_bid(rules.view(state, seat), seat))
    assert {"commit"} <= decided <= {"commit", "total", "report"}


@each_bot
def test_robot_depends_only_on_view_and_seed(bot):
    view = Play(4).own(0)
    assert bot.decide(view, 0, Random(3)) == bot.decide(view, 0, Random(3))
    assert len({bot.decide(view, 0, Random(seed)) for seed in range(40)}) > 5


@each_bot
def test_robot_knows_only_its_own_hand(bot):
    play, other = Play(4), Play(4)
    other.put({1: [20], 2: [], 3: [1, 1]})
    for seed in range(20):
        assert bot.decide(play.own(0), 0, Random(seed)) == bot.decide(other.own(0), 0, Random(seed))


@each_bot
def test_robot_with_empty_hand_bids_nothing(bot):
    play = Play(4)
    play.put({0: []})
    assert cards_of(bot.decide(play.own(0), 0, Random(1)).args) == []


def test_strong_robot_ends_repeated_ties_of_nothing():
    """A seat without cards can only bid nothing."""
    play = Play(4)
    one, other = play.duel
    play.put({one: [], other: [2]})
    for _ in range(2):
        play.fight([], [])
    for seed in range(50):
        assert cards_of(BOTS["strong"].decide(play.own(other), other, Random(seed)).args) == [2]


@each_bot
def test_robots_end_a_duel_with_free_ties(bot):
    """Half of 1 rounds down to nothing (BC-A7)."""
    play = Play(4, tie_rounding="down")
    one, other = play.duel
    play.put({one: [1, 1], other: [1, 1]})
    for seed in range(200):
        bids = [cards_of(bot.decide(play.own(seat), seat, Random(f"{seat} {seed}")).args) for seat in play.duel]
        if bids[0] != bids[1]:
            return
        play.fight(*bids)
    pytest.fail("still tied")


@each_bot
def test_robot_reports_its_hand_when_points_are_due(bot):
    play = Play(4, tracking="points").to("roof")
    for seat in range(4):
        assert bot.decide(play.own(seat), seat, Random(1)).args == (play.points(seat),)
    dealt = at_the_roof([1] * 9)
    assert bot.decide(dealt.own(0), 0, Random(1)) is None


def play_out(bots: list[str], seed: int, **rulings) -> Match:
    match = Match(GAME, [f"P{n}" for n in range(len(bots))], rulings=Rulings(**rulings))
    luck = Random(seed)
    for _ in range(2000):
        if not match.to_act:
            return match
        drawn = rules.draws(match.state)
        if drawn:
            match.push(drawn[luck.randrange(len(drawn))])
            continue
        for seat in match.to_act:
            move = None if seat == TABLE else BOTS[bots[seat]].decide(match.view(seat), seat, luck)
            if move is not None:
                match.push(move)
                break
        else:
            raise AssertionError("nobody moves")
    raise AssertionError("no end")


@pytest.mark.parametrize("seats", rules.SEATS)
@pytest.mark.parametrize("tracking", ["cards", "points"])
def test_robots_play_a_match_to_its_end(seats, tracking):
    for seed in range(3):
        bots = [["random", "strong"][(seat + seed) % 2] for seat in range(seats)]
        assert play_out(bots, seed, tracking=tracking).outcome is not None


def test_strong_robot_clearly_beats_random_ones():
    wins = 0.0
    for seed in range(40):
        seat = seed % 4
        bots = ["random"] * 4
        bots[seat] = "strong"
        winners = play_out(bots, seed).outcome.winners
        wins += (seat in winners) / len(winners)
    assert wins >= 24  # ten would be a quarter


def test_easy_robot_keeps_most_points_in_first_duel():
    view = Play(3).own(0)
    bids = [worth(BOTS["easy"].decide(view, 0, Random(seed)).args, view.values) for seed in range(100)]
    assert max(bids) < 0.4 * worth(view.hand, view.values)
