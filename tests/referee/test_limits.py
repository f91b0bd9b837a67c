"""Time limits are as long as the table wants them, or there are none; another length counts from the next one."""

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
def test_a_declaration_has_its_share_of_the_time(percent, after_ms):
    bench = called(percent, declare_s=3)
    assert bench.referee.pacing.limit == (after_ms * MS, (CALLED_MS + after_ms) * MS)
    bench.at(CALLED_MS + after_ms + 9.999)
    assert bench.of("late") == []
    bench.at(CALLED_MS + after_ms + 10)
    assert len(bench.of("late")) == 1


def test_a_key_in_time_by_the_longer_limit_counts():
    bench = called(200, declare_s=3).at(CALLED_MS + 1790)
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
    bench.at(CALLED_MS + 910)
    assert len(bench.of("late")) == 1


def test_a_pause_stops_it_and_who_looks_is_told_so():
    bench = called(declare_s=3).at(2000)
    bench.house("pause")
    assert bench.referee.pacing.limit == (900 * MS, None)
    bench.at(9000)
    bench.house("pause")
    assert bench.referee.pacing.limit == (900 * MS, (9000 + 411) * MS)


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
def test_bh_a20_time_for_the_row_is_half_the_time_before(declare_s, pressed_ms, limit_ms):
    bench = Bench(declare_s=declare_s).at(FIRST_CARD_MS + pressed_ms)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + pressed_ms + 50)
    assert bench.referee.pacing.limit.length_ns == limit_ms * MS


def test_bh_a20_a_handicap_gives_no_time_to_think():
    bench = Bench(handicap_1=2000).at(FIRST_CARD_MS + 1000)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + 3100)
    assert bench.winners() == [(0,)]
    assert bench.referee.pacing.limit.length_ns == LEAST_MS * MS


def test_bh_a20_a_pause_before_the_press_gives_no_time_to_think():
    bench = Bench().at(FIRST_CARD_MS + 4000)
    bench.house("pause")
    bench.at(20_000)
    bench.house("pause")
    bench.at(20_100)
    bench.buzz(0)
    bench.at(20_200)
    assert bench.referee.pacing.limit.length_ns == LEAST_MS * MS


def test_bh_a20_a_card_that_is_opened_again_lies_open_anew():
    bench = Bench(late_declare="reopen").at(FIRST_CARD_MS + 3000)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + 3000 + 1700)
    bench.buzz(1)
    bench.at(FIRST_CARD_MS + 3000 + 1800)
    assert bench.winners() == [(0,), (1,)]
    assert bench.referee.pacing.limit.length_ns == LEAST_MS * MS


@pytest.mark.parametrize(("opened", "limit_ms"), [("ok", 1500), ("at_once", 900)])
def test_bh_a20_a_real_card_without_ok_gives_the_least(opened, limit_ms):
    """With `at_once` nobody has said since when the card lies open. To name it does not begin the time anew."""
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
