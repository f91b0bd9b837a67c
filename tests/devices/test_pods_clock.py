"""Tests that the clock of a pod keeps its bounds."""

import random

import pytest

from companion.devices.pods.clock import KEPT_NS, PINGS, PodClock

MS = 1_000_000
US = 1_000


def test_clock_is_unknown_before_the_first_answer() -> None:
    clock = PodClock()
    assert not clock.known
    with pytest.raises(ValueError, match="no ping was answered"):
        clock.locate(5)


def test_round_trip_bounds_the_uncertainty() -> None:
    clock = PodClock(drift_ppm=100)
    assert clock.learn(10 * MS, 500_000, 14 * MS)
    t_ns, uncertainty_ns = clock.locate(500_000)
    # The pod read 500,000 us somewhere between; its clock and the timestamp are whole microseconds.
    assert (t_ns - uncertainty_ns, t_ns + uncertainty_ns) == (10 * MS - US, 14 * MS + US)


def test_uncertainty_grows_with_drift_in_both_directions() -> None:
    clock = PodClock(drift_ppm=100)
    clock.learn(0, 1_000_000, 2 * MS)
    near = clock.locate(1_000_000)[1]
    assert clock.locate(2_000_000)[1] == clock.locate(0)[1] == near + 100 * US


def test_bounds_of_several_answers_intersect() -> None:
    clock = PodClock(drift_ppm=0)
    clock.learn(0, 1_000, 10 * MS)  # the pod's clock is behind by 0 to 9 ms
    clock.learn(20 * MS - 5 * MS, 20_000, 20 * MS + 1 * MS)
    t_ns, uncertainty_ns = clock.locate(20_000)
    assert (t_ns + uncertainty_ns, t_ns - uncertainty_ns) == (21 * MS + US, 20 * MS - 1 * MS - US)


def test_reset_clock_is_noticed_and_learned_again() -> None:
    clock = PodClock()
    assert clock.learn(10 * MS, 60_000_000, 12 * MS)
    assert not clock.learn(260 * MS, 250, 262 * MS)
    assert not clock.known
    assert clock.learn(510 * MS, 250_250, 512 * MS)
    assert clock.locate(250_250)[0] == 511 * MS


@pytest.mark.parametrize(("ppm", "fits"), [(90, True), (5_000, False)])
def test_excessive_drift_is_noticed(ppm: int, fits: bool) -> None:
    clock = PodClock(drift_ppm=100)
    known = [
        clock.learn(t_ms * MS, t_ms * (1_000_000 + ppm) // 1_000, t_ms * MS + MS // 2)
        for t_ms in range(0, 20_000, 250)
    ]
    assert all(known) is fits


def test_answer_counts_for_sixteen_seconds() -> None:
    clock = PodClock(drift_ppm=0)
    clock.learn(0, 0, 0)
    for sent_ns in range(8 * MS, KEPT_NS + 1, 8 * MS):  # despite later answers
        clock.learn(sent_ns, sent_ns // US + 500, sent_ns + MS)
    assert clock.locate(0)[1] <= US
    sent_ns += MS
    clock.learn(sent_ns, sent_ns // US + 500, sent_ns + MS)
    assert clock.locate(0)[1] >= MS // 2


def test_stored_answers_are_limited() -> None:
    clock = PodClock(drift_ppm=0)
    for n in range(2_000):  # each is slightly worse than the one before, so all are needed
        assert clock.learn(n * MS, n * 1_000 + 1_000 + n, n * MS + 9 * MS)
    assert len(clock._lows) == PINGS


@pytest.mark.parametrize("ppm", [-95, 0, 95])
def test_wandering_clock_stays_within_its_bound(ppm: int) -> None:
    luck = random.Random(ppm)
    clock = PodClock(drift_ppm=100)
    t_ns, pod_ns = 7_000 * MS, 123_456_789
    for _ in range(500):
        step_ns = luck.randrange(1, 400 * MS)
        t_ns += step_ns
        pod_ns += step_ns + step_ns * luck.choice((ppm, -ppm)) // 1_000_000
        there_ns, back_ns = luck.randrange(20 * MS), luck.randrange(3 * MS)
        assert clock.learn(t_ns - there_ns, pod_ns // US, t_ns + back_ns)
        middle_ns, uncertainty_ns = clock.locate(pod_ns // US)
        assert abs(t_ns - middle_ns) <= uncertainty_ns


def test_pods_working_time_does_not_widen_the_bound():
    clock = PodClock()
    clock.learn(1_000_000, 5_000, 9_000_000, 12_000)  # 7 ms of the 8 were the pod's work
    t_ns, uncertainty_ns = clock.locate(5_000)
    assert uncertainty_ns == pytest.approx(500_000, abs=2_000)
    assert abs(t_ns - 1_500_000) <= uncertainty_ns
    clock.learn(11_000_000, 14_500, 12_000_000, 14_400)  # a clock that runs backwards
    assert clock.known
