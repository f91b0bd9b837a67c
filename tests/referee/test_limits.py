"""Time limits are as long as the table wants them, or there are none; another length counts from the next one."""

import pytest
from bench import MS, Bench

from companion.referee.pacing import Pacing

CALLED_MS = 1511
"""When the call of a press at 1500 is known."""


def called(percent: int = 100, **rulings) -> Bench:
    bench = Bench(settle_ms=10, **rulings)
    bench.referee.pacing.limit_percent = percent
    bench.at(1500).buzz(0)
    return bench.at(CALLED_MS)


@pytest.mark.parametrize(("percent", "after_ms"), [(100, 3000), (150, 4500), (200, 6000)])
def test_a_declaration_has_its_share_of_the_time(percent, after_ms):
    bench = called(percent, declare_s=3)
    assert bench.referee.pacing.limit == (after_ms * MS, (CALLED_MS + after_ms) * MS)
    bench.at(CALLED_MS + after_ms + 9.999)
    assert bench.of("late") == []
    bench.at(CALLED_MS + after_ms + 10)
    assert len(bench.of("late")) == 1


def test_a_key_in_time_by_the_longer_limit_counts():
    bench = called(200, declare_s=3).at(CALLED_MS + 5990)
    bench.keys(0, "4")
    assert len(bench.of("declare")) == 1


def test_without_limits_a_key_is_never_too_late():
    bench = called(0).at(CALLED_MS + 3_600_000)
    assert bench.referee.pacing.limit is None
    bench.keys(0, "4")
    assert (len(bench.of("declare")), bench.refusals(0)) == (1, [])


@pytest.mark.parametrize(("percent", "skipped_ms"), [(100, 11_010), (200, 21_010), (0, None)])
def test_a_card_that_nobody_calls(percent, skipped_ms):
    bench = Bench(settle_ms=10, nobody_after_s=10)
    bench.referee.pacing.limit_percent = percent
    bench.at(1500)
    assert bench.times("flip") == [1000]
    bench.at(60_000)
    assert bench.times("nobody")[:1] == ([skipped_ms] if skipped_ms else [])


def test_a_limit_that_runs_stays_as_it_is():
    bench = called(declare_s=3)
    bench.referee.pacing.limit_percent = 200
    bench.at(CALLED_MS + 3010)
    assert len(bench.of("late")) == 1


def test_a_pause_stops_it_and_who_looks_is_told_so():
    bench = called(declare_s=3).at(2000)
    bench.house("pause")
    assert bench.referee.pacing.limit == (3000 * MS, None)
    bench.at(9000)
    bench.house("pause")
    assert bench.referee.pacing.limit == (3000 * MS, (9000 + 2511) * MS)


def test_a_race_has_one_that_does_not_run_until_its_card_is_seen():
    class Blind:
        def show(self, view, prompt):
            return None

    bench = Bench(screen=Blind(), nobody_after_s=10).at(1500)
    assert bench.referee.stage.race.callers == (0, 1, 2)
    assert bench.referee.pacing.limit == (10_000 * MS, None)


def test_before_a_match_begins_nothing_is_limited():
    assert Pacing().limit is None


def test_a_limit_that_begins_in_a_pause_is_whole_when_that_ends():
    bench = Bench(settle_ms=30, declare_s=3).at(1500)
    bench.buzz(0)
    bench.at(1505)
    bench.house("pause")
    bench.at(9000)
    assert bench.winners() == [(0,)]
    bench.house("pause")
    assert bench.referee.pacing.limit == (3000 * MS, 12_000 * MS)
