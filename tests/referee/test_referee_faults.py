"""Matches with buzzers that bounce, report late, stick or are unplugged."""

import random

import pytest

from companion.core.move import TABLE
from tests.referee.bench import MS, Bench


def robots_play(bench: Bench) -> Bench:
    bots = bench.match.game.bots
    bench.table.seat_robots([bots["middle"], bots["strong"], bots["easy"]], "faults")
    bench.table.react(bench.table.clock.now_ns())
    bench.table.run()
    assert bench.referee.over
    return bench


def calls(bench: Bench) -> list[tuple]:
    return [(event.facts["seats"], event.facts["margin_ns"]) for event in bench.of("verdict")]


@pytest.fixture(scope="module")
def faultless() -> Bench:
    return robots_play(Bench(settle_ms=30))


@pytest.mark.parametrize("bounce_ms", [1, 6, 20])
def test_bouncing_buzzers_do_not_change_the_match(faultless, bounce_ms):
    bench = Bench(settle_ms=30)
    for seat, buzzer in enumerate(bench.devices.buzzers):
        buzzer.fault.bounce_ns = bounce_ms * MS if seat != 1 else 0
    robots_play(bench)
    assert bench.match.moves == faultless.match.moves
    assert calls(bench) == calls(faultless)


@pytest.mark.parametrize("late_ms", [(5, 5, 5), (0, 29, 10)])
def test_late_buzzers_do_not_change_the_match(faultless, late_ms):
    bench = Bench(settle_ms=30)
    for buzzer, late in zip(bench.devices.buzzers, late_ms, strict=True):
        buzzer.fault.late_ns = late * MS
    robots_play(bench)
    assert bench.match.moves == faultless.match.moves


def test_overdue_report_loses_and_is_announced():
    bench = Bench(settle_ms=10)
    bench.devices.buzzers[2].fault.late_ns = 40 * MS
    bench.at(1500)
    bench.buzz(2, hold_ms=15)
    bench.at(1520)
    bench.buzz(0)
    bench.at(1600)
    assert bench.winners() == [(0,)]
    assert [event.seat for event in bench.of("late_report")] == [2]


def test_stuck_button_calls_only_once():
    bench = Bench().at(1500)
    bench.devices.buzzers[1].stick()
    bench.at(1600)
    bench.keys(1, str(bench.wrong_row()))
    for turn in range(1, 6):
        bench.at(1600 + 3000 * turn)
        bench.house("skip")
    assert bench.winners() == [(1,)]
    bench.devices.buzzers[1].mend()
    bench.at(20_000)
    bench.buzz(1)
    bench.at(20_100)
    assert bench.winners() == [(1,), (1,)]


def test_other_seats_play_beside_a_stuck_button():
    bench = Bench().at(700)
    bench.devices.buzzers[1].stick()
    for turn in range(3):
        bench.at(2000 + 3000 * turn)
        bench.call(2 * (turn % 2), bench.right_row())
    assert bench.winners() == [(0,), (2,), (0,)]


def test_button_stuck_from_the_start_never_calls():
    bench = Bench().at(1)
    bench.devices.buzzers[1].stick()
    bench.at(60_000)
    assert bench.winners() == []


def test_loose_contacts_chatter_is_one_press():
    bench = Bench()
    bench.devices.buzzers[1].fault.bounce_ns = 400 * MS
    bench.at(1500)
    bench.buzz(1)
    bench.at(1600)
    bench.keys(1, str(bench.wrong_row()))
    bench.at(2700)
    assert bench.winners() == [(1,)]
    assert bench.of("false_start") == bench.of("late_report") == []


def test_match_continues_after_every_unplugging():
    bench = Bench(settle_ms=30)
    bots = bench.match.game.bots
    bench.table.seat_robots([bots["middle"]] * 3, "unplugged")
    bench.table.react(0)
    luck = random.Random(5)
    at_ms = 0
    while not bench.referee.over:
        at_ms += luck.randrange(300, 4000)
        bench.at(at_ms)
        playing = set(range(3)).difference(bench.match.view().gone)  # the devices of the others pause nothing
        seat = luck.choice(sorted(playing))
        bench.devices.unplug(seat)
        moves = bench.match.length
        at_ms += luck.randrange(100, 2000)
        bench.at(at_ms)
        # Only a call that was being judged may have been added.
        assert [move.seat for move in bench.match.moves[moves:]] in ([], [TABLE])
        bench.devices.plug(seat)
    assert len(bench.of("paused")) == len(bench.of("went_on"))
