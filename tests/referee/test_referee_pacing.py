"""The referee delays draws, and ignores presses, while something is still being shown."""

from companion.core.console import Lamp
from companion.games.buntherum.rules import Phase
from tests.referee.bench import FIRST_CARD_MS, MS, Bench


def answered(bench: Bench) -> Bench:
    """Let the first seat call and answer."""
    bench.at(FIRST_CARD_MS + 500).buzz(0)
    bench.at(FIRST_CARD_MS + 700)
    bench.devices.keypads[0].press("0")
    return bench.at(FIRST_CARD_MS + 710)


def test_next_draw_can_be_delayed_and_brought_forward() -> None:
    bench = answered(Bench())
    assert bench.referee.stage.deal
    bench.referee.pacing.put_off(bench.table.clock.now_ns(), 3_500 * MS)
    bench.at(FIRST_CARD_MS + 4_150)
    assert bench.view.phase == Phase.READY
    bench.at(FIRST_CARD_MS + 4_250)
    assert bench.view.phase == Phase.OPEN

    bench = answered(Bench())
    bench.referee.pacing.put_off(bench.table.clock.now_ns(), 3_500 * MS)
    assert bench.referee.pacing.draw_now(bench.table.clock.now_ns())
    bench.at(FIRST_CARD_MS + 720)
    assert bench.view.phase == Phase.OPEN


def test_delaying_never_brings_a_draw_forward() -> None:
    bench = answered(Bench())
    bench.referee.pacing.put_off(bench.table.clock.now_ns(), 100 * MS)
    bench.at(FIRST_CARD_MS + 1_600)
    assert bench.view.phase == Phase.READY


def test_only_a_due_draw_can_be_delayed() -> None:
    bench = Bench().at(FIRST_CARD_MS + 100)
    assert bench.view.phase == Phase.OPEN
    assert not bench.referee.stage.deal
    bench.referee.pacing.put_off(bench.table.clock.now_ns(), 1_000 * MS)
    assert not bench.referee.pacing.draw_now(bench.table.clock.now_ns())


def test_pause_stops_a_delayed_draw() -> None:
    bench = answered(Bench())
    bench.referee.pacing.put_off(bench.table.clock.now_ns(), 2_000 * MS)
    bench.devices.house("pause")
    bench.at(FIRST_CARD_MS + 20_000)
    bench.devices.house("pause")
    bench.at(FIRST_CARD_MS + 21_900)
    assert bench.view.phase == Phase.READY
    bench.at(FIRST_CARD_MS + 22_100)
    assert bench.view.phase == Phase.OPEN


def test_press_before_the_position_is_visible_is_ignored() -> None:
    bench = answered(Bench(early_buzz="chip"))
    bench.referee.calls.listen_from_ns = (FIRST_CARD_MS + 1_000) * MS
    bench.at(FIRST_CARD_MS + 900).buzz(1)
    bench.at(FIRST_CARD_MS + 1_100).buzz(2)
    bench.at(FIRST_CARD_MS + 1_300)
    assert bench.view.early == (2,)


def test_step_is_complete_before_its_lamps(monkeypatch) -> None:
    bench = Bench().at(FIRST_CARD_MS + 100)
    steps = []

    def present(happened):
        kinds = [told.kind for told in happened.events]
        steps.append((kinds, bench.match.moves[-1].verb, bench.devices.lamps[0]))

    monkeypatch.setattr(bench.table, "present", present)
    bench.buzz(0)
    bench.at(FIRST_CARD_MS + 300)
    assert steps == [(["verdict", "call", "lamp"], "call", Lamp.OFF)]
