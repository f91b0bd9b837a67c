"""Time limits: their length, pauses, and the time for a row."""

import pytest

from companion.core.move import TABLE
from companion.games.buntherum.console import LEAST_MS
from companion.referee.pacing import Pacing
from tests.referee.bench import FIRST_CARD_MS, MS, Bench

CALLED_MS = 1511
"""When the call of a press at 1500 is known."""


def called(percent: int = 100, **rulings) -> Bench:
    bench = Bench(settle_ms=10, **rulings)
    bench.referee.pacing.limit_percent = percent
    bench.at(1500).buzz(0)
    return bench.at(CALLED_MS)


@pytest.mark.parametrize(("percent", "after_ms"), [(100, 900), (150, 1350), (200, 1800)])
def test_declaration_limit_scales_with_the_percentage(percent, after_ms):
    bench = called(percent, declare_s=3)
    assert bench.referee.pacing.limit == (after_ms * MS, (CALLED_MS + after_ms) * MS)
    bench.at(CALLED_MS + after_ms + 9.999)
    assert bench.of("late") == []
    bench.at(CALLED_MS + after_ms + 10)
    assert len(bench.of("late")) == 1


def test_key_within_the_longer_limit_counts():
    bench = called(200, declare_s=3).at(CALLED_MS + 1790)
    bench.keys(0, "4")
    assert len(bench.of("declare")) == 1


def test_without_limits_no_key_is_too_late():
    bench = called(0).at(CALLED_MS + 3_600_000)
    assert bench.referee.pacing.limit is None
    bench.keys(0, "4")
    assert (len(bench.of("declare")), bench.refusals(0)) == (1, [])


@pytest.mark.parametrize(("percent", "skipped_ms"), [(100, 11_010), (200, 21_010), (0, None)])
def test_uncalled_card_is_skipped_after_its_limit(percent, skipped_ms):
    bench = Bench(settle_ms=10, nobody_after_s=10)
    bench.referee.pacing.limit_percent = percent
    bench.at(1500)
    assert bench.times("flip") == [1000]
    bench.at(60_000)
    assert bench.times("nobody")[:1] == ([skipped_ms] if skipped_ms else [])


def test_running_limit_keeps_its_length():
    bench = called(declare_s=3)
    bench.referee.pacing.limit_percent = 200
    bench.at(CALLED_MS + 910)
    assert len(bench.of("late")) == 1


def test_pause_stops_the_limit():
    bench = called(declare_s=3).at(2000)
    bench.house("pause")
    assert bench.referee.pacing.limit == (900 * MS, None)
    bench.at(9000)
    bench.house("pause")
    assert bench.referee.pacing.limit == (900 * MS, (9000 + 411) * MS)


def test_race_limit_waits_until_the_card_is_seen():
    class Blind:
        def show(self, view, prompt):
            return None

    bench = Bench(screen=Blind(), nobody_after_s=10).at(1500)
    assert bench.referee.stage.race.callers == (0, 1, 2)
    assert bench.referee.pacing.limit == (10_000 * MS, None)


def test_nothing_is_limited_before_the_match():
    assert Pacing().limit is None


def test_limit_that_begins_in_pause_is_whole_afterwards():
    bench = Bench(settle_ms=30, declare_s=3).at(1500)
    bench.buzz(0)
    bench.at(1505)
    bench.house("pause")
    bench.at(9000)
    assert bench.winners() == [(0,)]
    bench.house("pause")
    assert bench.referee.pacing.limit == (900 * MS, 9_900 * MS)


# --- BH-A20: the time for the row grows with how long the card lay open ----------------------------------------


@pytest.mark.parametrize(
    ("declare_s", "pressed_ms", "limit_ms"),
    [
        (2, 100, 900),
        (2, 1800, 900),
        (2, 3000, 1500),
        (2, 9000, 2000),
        (1, 9000, 1000),
        (5, 9000, 4500),
        (5, 60_000, 5000),
    ],
)
def test_bh_a20_row_time_is_half_the_open_time(declare_s, pressed_ms, limit_ms):
    bench = Bench(declare_s=declare_s).at(FIRST_CARD_MS + pressed_ms)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + pressed_ms + 50)
    assert bench.referee.pacing.limit.length_ns == limit_ms * MS


def test_bh_a20_handicap_gives_no_time_to_think():
    bench = Bench(handicap_1=2000).at(FIRST_CARD_MS + 1000)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + 3100)
    assert bench.winners() == [(0,)]
    assert bench.referee.pacing.limit.length_ns == LEAST_MS * MS


def test_bh_a20_pause_gives_no_time_to_think():
    bench = Bench().at(FIRST_CARD_MS + 4000)
    bench.house("pause")
    bench.at(20_000)
    bench.house("pause")
    bench.at(20_100)
    bench.buzz(0)
    bench.at(20_200)
    assert bench.referee.pacing.limit.length_ns == LEAST_MS * MS


def test_bh_a20_reopened_card_restarts_the_time():
    bench = Bench(late_declare="reopen").at(FIRST_CARD_MS + 3000)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + 3000 + 1700)
    bench.buzz(1)
    bench.at(FIRST_CARD_MS + 3000 + 1800)
    assert bench.winners() == [(0,), (1,)]
    assert bench.referee.pacing.limit.length_ns == LEAST_MS * MS


@pytest.mark.parametrize(("opened", "limit_ms"), [("ok", 1500), ("at_once", 900)])
def test_bh_a20_real_card_without_ok_gives_the_minimum(opened, limit_ms):
    """With `at_once` nobody says when the card lies open. Naming it does not restart the time."""
    bench = Bench(deal="table", open=opened).at(100)
    bench.lay_starters()
    if opened == "ok":
        bench.house("ok")
    bench.at(3100)
    bench.buzz(0)
    bench.at(3600)
    limit = bench.referee.pacing.limit
    assert limit.length_ns == limit_ms * MS
    bench.keys(TABLE, "78")
    assert bench.of("card")
    assert bench.referee.pacing.limit == limit
