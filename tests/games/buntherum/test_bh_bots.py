"""Buntherum's robots act only when and as a player could."""

from functools import cache
from random import Random

import pytest

from companion.core.console import BUZZ
from companion.games.buntherum import rules
from companion.games.buntherum.bots import BOTS, Walker
from companion.games.buntherum.console import LEAST_MS
from companion.games.buntherum.rules import Phase, State
from tests.games.buntherum.bh_table import BOX, Play, fitting, some_rulings, wander

MS = 1_000_000


@cache
def states(call_input: str) -> tuple[State, ...]:
    found = []
    for number in range(16):
        luck = Random(number)
        rulings = some_rulings(luck)
        start = rules.setup(BOX, rules.Rulings(call_input=call_input, last_card=rulings.last_card), 4)
        found += [state for *_, state, _ in wander(start, luck)]
    return tuple(found)


def acts(bot, state: State, seat: int, seed: int = 7):
    return bot.acts(rules.view(state, seat), seat, Random(seed))


@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
@pytest.mark.parametrize(("call_input", "controls"), [("buzz_then_key", {BUZZ}), ("direct", set("0123456"))])
def test_robot_acts_exactly_when_its_seat_may(bot, call_input, controls):
    for state in states(call_input):
        for seat in range(4):
            if state.phase == Phase.OPEN and seat in rules.callers(state):
                (act,) = acts(bot, state, seat)
                assert act.control in controls
                assert act.delay_ns > 0
            elif state.phase == Phase.LOCKED and seat == state.caller:
                (act,) = acts(bot, state, seat)
                assert act.control in set("0123456")
                assert 0 < act.delay_ns < LEAST_MS * MS  # in time for the declaration
            else:
                assert acts(bot, state, seat) == ()


@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
def test_robot_depends_only_on_view_and_seed(bot):
    state = next(state for state in states("direct") if state.phase == Phase.OPEN)
    assert acts(bot, state, 0) == acts(bot, state, 0)
    assert len({tuple(acts(bot, state, 0, seed)) for seed in range(50)}) > 10


@pytest.mark.parametrize("call_input", ["buzz_then_key", "direct"])
def test_robot_without_errors_is_always_right(call_input):
    bot = Walker(unready_ms=500, step_ms=10, errors=0)
    due = Phase.OPEN if call_input == "direct" else Phase.LOCKED
    declared = set()
    for state in states(call_input):
        if state.phase != due:
            continue
        seat = rules.callers(state)[0] if due == Phase.OPEN else state.caller
        (act,) = acts(bot, state, seat)
        assert int(act.control) in (fitting(state, state.card) or {0})
        declared.add(act.control)
    assert declared == set("0123456")


def test_faultless_walker_is_right_within_twelve_steps():
    bot = Walker(unready_ms=300, step_ms=10, errors=0)
    play = Play(3, call_input="direct")
    play.flip("sky car")
    found = [acts(bot, play.state, 1, seed)[0] for seed in range(100)]
    assert {int(act.control) for act in found} <= fitting(play.state, play.state.card)
    delays = [act.delay_ns for act in found]
    assert 400 * MS <= min(delays) < 405 * MS  # ten to twelve steps
    assert 415 * MS < max(delays) <= 420 * MS
