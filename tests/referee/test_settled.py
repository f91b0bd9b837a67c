"""Inputs that prove what has been reported, so that a verdict need not wait."""

import pytest

from companion.core.console import BUZZ
from companion.core.signal import LEVEL, REFUSED, SeatSignal
from tests.referee.bench import MS, Bench

CLOSES_MS = 2_060
"""When a press at 2,000 ms is judged at the latest."""


class Proving(Bench):
    """Inputs are as late as possible, unless they prove more."""

    def __init__(self) -> None:
        super().__init__(settle_ms=60)
        self.proved_ns = 0
        self.devices.settled_ns = lambda now_ns: max(now_ns - 60 * MS, self.proved_ns)
        self.at(2_000)

    def prove(self, ms: float, *, pressed: bool = True) -> None:
        """Prove that everything until `ms` was reported."""
        self.proved_ns = round(ms * MS)
        now_ns = self.table.clock.now_ns()
        self.table.signal(SeatSignal("pod", 0, BUZZ, self.proved_ns, 0, now_ns, pressed, (LEVEL,)))


def test_verdict_waits_without_a_proof() -> None:
    bench = Proving()
    bench.buzz(0)
    bench.at(CLOSES_MS - 1)
    assert not bench.winners()
    assert bench.at(CLOSES_MS).winners() == [(0,)]


@pytest.mark.parametrize(("proved_ms", "at_ms"), [(2_005.9, CLOSES_MS), (2_006, 2_008)])
def test_proof_of_all_relevant_reports_ends_the_wait(proved_ms: float, at_ms: int) -> None:
    bench = Proving()
    bench.buzz(0)  # a press 1 ms later may tie, and 5 ms after that its edge is confirmed
    bench.at(2_008).prove(proved_ms)
    bench.at(3_000)
    assert bench.winners() == [(0,)]
    assert bench.times("verdict") == [at_ms]


def test_uncertain_call_needs_a_later_proof() -> None:
    bench = Proving()
    bench.buzz(0, within_ms=3)
    bench.at(2_015).prove(2_013.9)
    assert not bench.winners()
    bench.prove(2_014)
    assert bench.winners() == [(0,)]


def test_reports_after_the_proof_are_late() -> None:
    bench = Proving()
    bench.buzz(0)
    bench.at(2_004).buzz(1, stamped_ms=1_998)
    bench.at(2_008).prove(2_006)
    assert bench.winners() == [(1,)]
    bench.at(2_009).buzz(2, stamped_ms=1_997)
    assert [event.seat for event in bench.of("late_report")] == [2]


def test_stray_edge_is_not_judged_by_proof() -> None:
    bench = Proving()
    bench.stray(0)
    bench.at(2_020).prove(2_019, pressed=False)
    bench.at(2_100)
    assert not bench.winners()


def test_timestamp_after_its_arrival_is_refused() -> None:
    bench = Bench(settle_ms=60).at(2_000)
    bench.devices.buzzers[1].plugged = False
    bench.table.signal(SeatSignal("other", 1, BUZZ, 10**15, 5 * MS, 2_000 * MS))
    bench.at(2_002).buzz(0)
    bench.at(CLOSES_MS + 10)
    assert bench.winners() == [(1,)]
    call = bench.evidence("call").calls[0]
    assert (call.t_ns, call.uncertainty_ns, call.flags) == (2_000 * MS, 0, (REFUSED, f"said_{10**15}"))
    assert [event.seat for event in bench.of("stamp_refused")] == [1]


@pytest.mark.parametrize(("closed", "winners"), [(True, [(0,)]), (False, [])])
def test_verdict_does_not_wait_for_a_proof_forever(closed: bool, winners: list[tuple[int, ...]]) -> None:
    """A third-party device may never prove what it has reported."""
    bench = Bench(settle_ms=60).at(2_000)
    bench.devices.settled_ns = lambda now_ns: 0
    bench.table.signal(SeatSignal("other", 0, BUZZ, 2_000 * MS, 0, 2_000 * MS))
    if not closed:
        bench.table.signal(SeatSignal("other", 0, BUZZ, 2_000 * MS + 20_000, 0, 2_001 * MS, pressed=False))
    bench.at(CLOSES_MS + 60)
    assert bench.winners() == winners
    bench.at(3_000).buzz(1)
    bench.at(3_200)
    assert bench.winners() == (winners or [(1,)])


def test_proved_false_start_is_announced_before_the_verdict() -> None:
    bench = Bench(settle_ms=60, early_buzz="chip").at(995)
    proved_ns = [0]
    bench.devices.settled_ns = lambda now_ns: max(now_ns - 60 * MS, proved_ns[0])
    bench.devices.buzzers[1].touch(closed=True)
    bench.at(1_002).buzz(0)
    bench.at(1_012)
    proved_ns[0] = 1_011 * MS
    bench.table.signal(SeatSignal("pod", 0, BUZZ, proved_ns[0], 0, 1_012 * MS, True, (LEVEL,)))
    assert bench.winners() == [(0,)]
    assert [event.seat for event in bench.of("false_start")] == [1]
    assert bench.chips() == (0, 1, 0)
