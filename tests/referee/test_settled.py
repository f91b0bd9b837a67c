"""A verdict that need not wait: inputs that prove up to when everything has been reported."""

import pytest

from companion.core.console import BUZZ
from companion.core.signal import LEVEL, REFUSED, SeatSignal
from tests.referee.bench import MS, Bench

CLOSES_MS = 2_060
"""When a race is judged at the latest that a press at 2,000 ms has opened."""


class Proving(Bench):
    """A table whose inputs may be as late as is ever waited for, unless they prove more."""

    def __init__(self) -> None:
        super().__init__(settle_ms=60)
        self.proved_ns = 0
        self.devices.settled_ns = lambda now_ns: max(now_ns - 60 * MS, self.proved_ns)
        self.at(2_000)

    def prove(self, ms: float, *, pressed: bool = True) -> None:
        """Prove now that everything until a moment was reported; a level of seat 0 comes with it."""
        self.proved_ns = round(ms * MS)
        now_ns = self.table.clock.now_ns()
        self.table.signal(SeatSignal("pod", 0, BUZZ, self.proved_ns, 0, now_ns, pressed, (LEVEL,)))


def test_without_a_proof_the_verdict_waits() -> None:
    bench = Proving()
    bench.buzz(0)
    bench.at(CLOSES_MS - 1)
    assert not bench.winners()
    assert bench.at(CLOSES_MS).winners() == [(0,)]


@pytest.mark.parametrize(("proved_ms", "at_ms"), [(2_005.9, CLOSES_MS), (2_006, 2_008)])
def test_a_proof_of_all_that_matters_ends_the_wait(proved_ms: float, at_ms: int) -> None:
    bench = Proving()
    bench.buzz(0)  # with it may tie what is pressed 1 ms later, and 5 ms later an edge is confirmed
    bench.at(2_008).prove(proved_ms)
    bench.at(3_000)
    assert bench.winners() == [(0,)]
    assert bench.times("verdict") == [at_ms]


def test_an_uncertain_call_needs_a_later_proof() -> None:
    bench = Proving()
    bench.buzz(0, within_ms=3)
    bench.at(2_015).prove(2_013.9)
    assert not bench.winners()
    bench.prove(2_014)
    assert bench.winners() == [(0,)]


def test_what_arrives_before_the_proof_counts_and_what_comes_after_it_is_told_as_late() -> None:
    bench = Proving()
    bench.buzz(0)
    bench.at(2_004).buzz(1, stamped_ms=1_998)
    bench.at(2_008).prove(2_006)
    assert bench.winners() == [(1,)]
    bench.at(2_009).buzz(2, stamped_ms=1_997)
    assert [event.seat for event in bench.of("late_report")] == [2]


def test_a_stray_edge_is_no_call_that_a_proof_could_judge() -> None:
    bench = Proving()
    bench.stray(0)
    bench.at(2_020).prove(2_019, pressed=False)
    bench.at(2_100)
    assert not bench.winners()


def test_a_stamp_that_is_later_than_its_arrival_is_refused_whatever_device_says_it() -> None:
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
def test_a_verdict_waits_for_no_proof_for_ever(closed: bool, winners: list[tuple[int, ...]]) -> None:
    """A device of others never says what it has reported: whether an edge is a press is never known."""
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


def test_who_is_proved_to_have_been_too_early_is_told_before_the_verdict_that_the_proof_allows() -> None:
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
