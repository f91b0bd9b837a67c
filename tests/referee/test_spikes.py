"""Spikes: a press is closed for 1 ms of 5, or still closed (docs/fairness.md). Times are in ms."""

import pytest

from companion.core.record import read_comment
from companion.core.signal import AWAY, DEBOUNCED, LEVEL, Signal
from tests.referee.bench import MS, Bench, timeline, timelines
from tests.referee.test_debounce import DOWN, UP, edge, level, line_of, stamps

US = 0.001


def pulse(at_ms: float, for_ms: float) -> list[Signal]:
    return [edge(at_ms, DOWN), edge(at_ms + for_ms, UP)]


def train(count: int, at_ms: float, for_ms: float, every_ms: float) -> list[Signal]:
    return [signal for step in range(count) for signal in pulse(at_ms + step * every_ms, for_ms)]


def spikes(*signals: Signal) -> list[float]:
    return [spike.t_ns / MS for spike in line_of(*signals).spikes()]


# --- One line -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("for_ms", [1 * US, 20 * US, 0.5, 0.999])
def test_lone_spike_is_not_a_press(for_ms):
    assert stamps(*pulse(100, for_ms)) == []
    assert spikes(*pulse(100, for_ms)) == [100]


@pytest.mark.parametrize("misread", [[edge(100, UP)], [edge(100, UP), edge(100.02, UP)]])
def test_misread_spike_is_not_a_press(misread):
    assert stamps(*misread) == []


@pytest.mark.parametrize("for_ms", [1, 3, 5, 80])
def test_contact_closed_for_a_millisecond_is_a_press(for_ms):
    assert stamps(*pulse(100, for_ms)) == [100]
    assert spikes(*pulse(100, for_ms)) == []


@pytest.mark.parametrize(("flags", "presses"), [((LEVEL,), [100]), ((LEVEL, AWAY), [])])
def test_only_levels_of_plugged_contacts_confirm_an_edge(flags, presses):
    """An unplugged contact may change unseen."""
    reading = edge(140, DOWN)._replace(flags=flags)
    assert stamps(*pulse(100, 0.4), reading) == presses
    assert spikes(*pulse(100, 0.4), reading) == ([] if presses else [100])


def test_bounce_before_closing_counts_from_first_touch():
    assert stamps(*pulse(100, 0.02), edge(101.02, DOWN), edge(180, UP)) == [100]


def test_spike_within_5_ms_of_press_is_bounce():
    assert stamps(*pulse(100, 0.02), edge(100.5, DOWN)) == [100]
    assert stamps(*pulse(100, 0.02), edge(105, DOWN)) == [100]


@pytest.mark.parametrize("after_ms", [5.001, 6, 12, 29])
def test_older_spike_is_separate_and_delays_nothing(after_ms):
    assert stamps(*pulse(100, 0.02), edge(100 + after_ms, DOWN)) == [100 + after_ms]


def test_press_bouncing_after_a_spike_keeps_its_timestamp():
    assert stamps(*pulse(100, 0.02), *pulse(104.9, 0.05), edge(105.3, DOWN)) == [104.9]


def test_ten_short_spikes_are_not_a_press():
    assert stamps(*train(10, 100, 0.02, 0.4)) == []
    assert len(spikes(*train(10, 100, 0.02, 0.4))) == 10


def test_sixty_spikes_within_5_ms_are_a_press():
    assert stamps(*train(60, 100, 0.02, 0.08)) == [100]


def test_slow_release_is_not_a_press():
    letting_go = train(9, 180, 0.02, 0.5)
    assert stamps(edge(100, DOWN), edge(179.9, UP), *letting_go) == [100]
    assert stamps(edge(100, DOWN), edge(179.9, UP), *letting_go, edge(230, DOWN)) == [100, 230]


def test_spike_during_or_after_a_hold_changes_nothing():
    assert stamps(edge(100, DOWN), edge(140, UP), edge(140.02, DOWN), edge(180, UP)) == [100]
    assert spikes(edge(100, DOWN), edge(180, UP), *pulse(200, 0.02)) == []


def test_unreported_release_differs_from_a_spike():
    assert stamps(edge(100, DOWN), level(160, UP), edge(200, DOWN)) == [100, 200]
    assert stamps(edge(100, DOWN), level(101, UP), edge(200, DOWN)) == [200]


def test_bounce_open_at_its_reading_still_counts():
    assert stamps(edge(100, DOWN), level(103, UP), edge(104, DOWN)) == [100]


def test_debounced_press_is_believed_at_once():
    press, release = edge(100, DOWN)._replace(flags=(DEBOUNCED, "user_clock")), edge(100, UP)
    line = line_of(press, release._replace(t_ns=100 * MS + 1))
    assert [(found.t_ns, found.confirmed, found.flags) for found in line.presses(0)] == [
        (100 * MS, True, ("user_clock",))
    ]


# --- Certainty ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heard", "known_ms"),
    [
        ([edge(100, DOWN)], 101),
        (pulse(100, 3), 101),
        (pulse(100, 0.02), 105),
        ([*pulse(100, 0.4), edge(102, DOWN)], 102.6),
        ([*pulse(100, 0.02), edge(104.5, DOWN)], 105),
        ([edge(100, UP)], 105),
    ],
)
def test_press_or_spike_is_certain_within_5_ms(heard, known_ms):
    line = line_of(*heard)
    known_ns = round(known_ms * MS)
    found = line.presses(known_ns - 1)[0]
    assert (found.t_ns, found.confirmed, found.known_ns) == (100 * MS, False, known_ns)
    assert line.spikes(known_ns - 1) == []
    known = [press for press in line.presses(known_ns) if press.confirmed] + line.spikes(known_ns)
    assert [press.t_ns for press in known] == [100 * MS]


# --- At the table -------------------------------------------------------------------------------------------------


@timelines(
    timeline(
        "what stays closed needs no longer",
        "touch 0 1500 1580, 1600",
        {"winners": [(0,)], "verdict_ms": [1506]},
    ),
    timeline(
        "its window is whole after a spike",
        "touch 2 1496 1496.02, touch 0 1500 1580, 1504.5 buzz 1 @1499.6, 1600",
        {"winners": [(1, 0)]},
    ),
    timeline(
        "bounce is waited for 5 ms",
        "touch 0 1500 1500.02 1502 1502.1 1504.8 1580, 1600",
        {"winners": [(0,)], "verdict_ms": [1510], "calls_ms": [1500]},
    ),
    timeline(
        "the first wins though it bounces longer",
        "touch 0 1500 1500.02 1502 1502.1 1504.8 1580, touch 1 1501.5 1580, 1600",
        {"winners": [(0,)]},
    ),
    timeline(
        "who cannot win is not waited for",
        "touch 0 1500 1580, touch 1 1504 1580, 1600",
        {"verdict_ms": [1506], "heard": [0, 1]},
    ),
    timeline(
        "an own spike long before is not it",
        "touch 0 1494.9 1494.92 1500 1580, touch 1 1498 1580, 1600",
        {"winners": [(1,)], "calls_ms": [1498, 1500]},
    ),
)
def test_call_is_a_contact_that_stays_closed(steps, options):
    """The first card has been open since 1000 ms; a verdict waits 6 ms."""
    Bench(settle_ms=5, **options).at(1400).follow(*steps)


def test_spike_is_not_a_call_or_an_event():
    table = Bench(settle_ms=5).at(1400).follow("touch 0 1500 1500.02, 1700")
    assert table.kinds().count("verdict") == 0
    assert table.kinds()[-1] == "visible"


@pytest.mark.parametrize("before_ms", [0.05, 0.5, 1.1, 3.3, 4.9, 5.7, 6.3, 20.3])
def test_another_seats_spike_delays_a_call_only_briefly(before_ms):
    table = Bench(settle_ms=5).at(1400)
    table.touch(1, 1500 - before_ms, 1500.02 - before_ms)
    table.touch(0, 1500, 1580)
    table.at(1600)
    (verdict,) = table.of("verdict")
    assert [call.seat for call in verdict.facts["calls"]] == [0]
    assert table.evidence("call").calls[0].t_ns == 1500 * MS
    # For 5 ms the spike may be an earlier call.
    assert table.times("verdict") == [pytest.approx(max(1506, 1510 - before_ms))]


def test_record_lists_the_spikes():
    table = Bench(settle_ms=5).at(1400)
    table.touch(1, 1490, 1490.02)
    table.touch(0, 1500, 1580)
    table.at(1600)
    evidence = table.evidence("call")
    assert [(spike.seat, spike.t_ns) for spike in evidence.spikes] == [(1, 1490 * MS)]
    assert f"spike=2:buzz@{1490 * MS}+-0" in str(evidence)
    assert read_comment(str(evidence)) == evidence


@pytest.mark.parametrize("real_ms", [1502, 1503])
@pytest.mark.parametrize("by", ["skip", "stars"])
def test_bh_r16_press_after_skip_during_a_spike_is_ignored(by, real_ms):
    bench = Bench(settle_ms=30).at(1500)
    for seat in (1, 2) if by == "stars" else ():
        bench.keys(seat, "*")
    bench.devices.buzzers[0].touch(closed=True)
    bench.at(1500.4).devices.buzzers[0].touch(closed=False)
    for at_ms, act in sorted([(1502.5, "end"), (real_ms, "press")]):
        bench.at(at_ms)
        if act == "press":
            bench.buzz(1)
        elif by == "skip":
            bench.house("skip")
        else:
            bench.keys(0, "*")
    bench.at(1600)
    assert bench.winners() == ([(1,)] if real_ms < 1502.5 else [])
    assert len(bench.of("nobody")) == (real_ms > 1502.5)


def test_bh_r16_press_after_table_moves_skip_is_ignored():
    bench = Bench(settle_ms=30, deal="table", open="ok")
    bench.lay_starters()
    bench.at(1500).table_move("flip sky car")
    bench.at(2000).devices.buzzers[0].touch(closed=True)
    bench.at(2000.4).devices.buzzers[0].touch(closed=False)
    bench.at(2002.5).table_move("nobody")
    bench.at(2003).buzz(1)
    bench.at(2200)
    assert bench.winners() == []
    assert len(bench.of("nobody")) == 1
