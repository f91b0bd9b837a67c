"""How long verdicts, reveals and results stay."""

from pathlib import Path

import pytest

from companion.config.sections import PaceOptions
from companion.config.table_file import TableConfig
from companion.display.frame import Beat, Look, Play, Result
from companion.games import load
from companion.match.new_match import NAMES, new_match
from companion.match.session import LEARNERS_S
from tests.host_bench import Bench, S, bid, duel, robots


def unhurried(slow: bool = True) -> TableConfig:
    return TableConfig(pace=PaceOptions(unhurried=slow))


def seconds_to_next_card(bench: Bench) -> float:
    """Declare a wrong row; return how long it stays."""
    bench.call(0, None)
    bench.hand(0, str(bench.wrong()))
    began_ns = bench.clock.t_ns
    assert not bench.open()
    assert bench.until(bench.open, 60)
    return (bench.clock.t_ns - began_ns) / S


@pytest.mark.parametrize("next_s", [1, 3, 8])
def test_verdict_stays_before_an_automatic_next_card(tmp_path: Path, next_s: int) -> None:
    bench = Bench(tmp_path, next_s=next_s)
    bench.play()
    assert seconds_to_next_card(bench) == pytest.approx(next_s, abs=0.1)


def test_default_wait_is_three_seconds() -> None:
    assert PaceOptions().next_s == 3
    assert LEARNERS_S == 5


def test_newcomers_have_longer(tmp_path: Path) -> None:
    bench = Bench(tmp_path, next_s=3, newcomer=True)
    bench.play()
    assert seconds_to_next_card(bench) == pytest.approx(5, abs=0.1)


def test_lesson_has_the_pace_of_learners(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.press(0, "0")
    bench.take("Learn a game")
    bench.press(0, "1")
    assert bench.host.session.learns


def test_first_card_does_not_wait_for_a_verdict(tmp_path: Path) -> None:
    bench = Bench(tmp_path, next_s=60)
    bench.play()  # an hour would be long enough
    assert bench.clock.t_ns < 20 * S


@pytest.mark.parametrize("control", ["ok", "skip"])
def test_house_ends_the_wait(tmp_path: Path, control: str) -> None:
    bench = Bench(tmp_path, next_s=30)
    bench.play()
    bench.call(0, bench.wrong())
    bench.wait(1)
    assert not bench.open()
    bench.house(control)
    assert bench.open()
    turn = bench.view.turn
    bench.house("ok")  # this card must be called, not skipped
    assert (bench.view.turn, bench.open()) == (turn, True)


def test_pause_does_not_count_towards_the_wait(tmp_path: Path) -> None:
    bench = Bench(tmp_path, next_s=10)
    bench.play()
    bench.call(0, bench.wrong())
    bench.wait(2)
    bench.house("pause")
    bench.wait(100)
    bench.house("pause")
    bench.wait(6)
    assert not bench.open()
    bench.wait(3)
    assert bench.open()


def test_demo_keeps_its_pace(tmp_path: Path) -> None:
    match = new_match(load("buntherum"), NAMES[:3], seed="demo", demo=True)
    bench = robots(tmp_path, match=match, next_s=60)
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.view.turn > 3, 60)


# --- Slow pace --------------------------------------------------------------------------------------------


def test_slow_pace_doubles_the_wait(tmp_path: Path) -> None:
    bench = Bench(tmp_path, next_s=3, config=unhurried())
    bench.play()
    assert seconds_to_next_card(bench) == pytest.approx(6, abs=0.1)


@pytest.mark.parametrize(("slow", "seconds"), [(False, 3), (True, 6)])
def test_slow_pace_doubles_the_hold_of_a_reveal(tmp_path: Path, slow: bool, seconds: int) -> None:
    bench = duel(tmp_path, config=unhurried(slow))
    bid(bench)
    assert bench.until(lambda: bench.beat == Beat.REVEALED, 5)
    began_ns = bench.clock.t_ns
    assert bench.until(lambda: bench.beat == Beat.CALM, 20)
    assert (bench.clock.t_ns - began_ns) / S == pytest.approx(seconds, abs=0.3)


@pytest.mark.parametrize(("slow", "seconds"), [(False, 3), (True, 6)])
def test_slow_pace_doubles_the_view_of_the_end(tmp_path: Path, slow: bool, seconds: int) -> None:
    match = new_match(load("buntherum"), NAMES[:3], seed="over", demo=True)
    bench = robots(tmp_path, match=match, config=unhurried(slow))
    assert bench.until(lambda: bench.host.session.match.outcome, 3600)
    began_ns = bench.clock.t_ns
    assert bench.until(lambda: isinstance(bench.screen, Result), 20)
    assert (bench.clock.t_ns - began_ns) / S == pytest.approx(seconds, abs=0.1)


def test_settings_switch_the_slow_pace_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.frame.look == Look()
    bench.press(0, "0")
    bench.take("Settings", "Slow pace: off")
    assert bench.frame.look == Look(unhurried=True)
