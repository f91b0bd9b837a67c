"""The referee's loop in virtual time and in real time."""

from itertools import pairwise

from companion.core.clock import VirtualClock
from companion.core.console import BUZZ
from companion.core.heartbeat import BEAT_S
from companion.core.inbox import Inbox
from companion.core.move import Seat
from companion.core.signal import DEBOUNCED, Signal
from companion.referee.serving import STOP, run_live, run_virtual
from tests.referee.bench import MS, Bench


class Diary:
    """A referee stand-in that notes its calls."""

    def __init__(self, *deadlines_ns: int) -> None:
        self.deadlines = sorted(deadlines_ns)
        self.notes: list[tuple[str, int]] = []

    @property
    def deadline_ns(self) -> int | None:
        return self.deadlines[0] if self.deadlines else None

    def tick(self, now_ns: int) -> None:
        self.notes.append(("tick", now_ns))
        self.deadlines = [at for at in self.deadlines if at > now_ns]

    def signal(self, signal: Signal) -> None:
        self.notes.append(("signal", signal.t_ns))


def planned(diary: Diary, *times_ns: int) -> VirtualClock:
    clock = VirtualClock()
    for t_ns in times_ns:
        clock.at(t_ns, lambda t_ns=t_ns: diary.notes.append(("device", t_ns)))
    return clock


def test_deadlines_and_devices_run_in_time_order():
    diary = Diary(20, 40)
    run_virtual(diary, planned(diary, 30, 10))
    assert diary.notes == [("device", 10), ("tick", 20), ("device", 30), ("tick", 40)]


def test_referee_runs_before_devices_at_one_instant():
    diary = Diary(20)
    run_virtual(diary, planned(diary, 20))
    assert diary.notes == [("tick", 20), ("device", 20)]


def test_run_until_a_time_includes_that_instant():
    diary = Diary(20, 31)
    clock = planned(diary, 30, 31)
    run_virtual(diary, clock, 30)
    assert diary.notes == [("tick", 20), ("device", 30), ("tick", 30)]
    assert clock.now_ns() == 30
    assert clock.next_ns() == 31


def test_time_passes_when_nothing_is_due():
    diary = Diary()
    clock = planned(diary)
    run_virtual(diary, clock, 500)
    assert (clock.now_ns(), diary.notes) == (500, [("tick", 500)])


def test_unlimited_run_ends_when_nothing_is_due():
    diary = Diary()
    clock = planned(diary, 7)
    run_virtual(diary, clock)
    assert clock.now_ns() == 7


class FakeClock:
    def __init__(self, now_ns: int = 0) -> None:
        self.t_ns = now_ns

    def now_ns(self) -> int:
        return self.t_ns


class FakeInbox:
    """Waiting advances the clock, not the test."""

    def __init__(self, clock: FakeClock, *arrivals: tuple[int, Signal | None]) -> None:
        self.clock = clock
        self.arrivals = list(arrivals)
        self.waits: list[float | None] = []

    def get(self, timeout: float | None = None) -> Signal | None:
        self.waits.append(timeout)
        at_ns, signal = self.arrivals[0]
        until_ns = at_ns if timeout is None else self.clock.t_ns + round(timeout * 1e9)
        if at_ns > until_ns:
            self.clock.t_ns = until_ns
            raise TimeoutError
        self.clock.t_ns = max(self.clock.t_ns, at_ns)
        self.arrivals.pop(0)
        return signal


def press(t_ns: int, seat: int = 0) -> Signal:
    return Signal("test", seat, BUZZ, t_ns, 0, t_ns, True, (DEBOUNCED,))


def test_live_signals_are_passed_in_order_until_stop():
    diary, inbox = Diary(), Inbox()
    for one in (press(20), press(10), STOP, press(30)):
        inbox.put(one)
    run_live(diary, inbox, FakeClock())
    assert diary.notes == [("signal", 20), ("signal", 10)]
    assert len(inbox.waiting()) == 1


def test_live_loop_sleeps_until_the_next_deadline():
    diary, clock = Diary(2_000_000_000), FakeClock(500_000_000)
    inbox = FakeInbox(clock, (9_000_000_000, STOP))
    run_live(diary, inbox, clock)
    assert inbox.waits == [1.5, BEAT_S, BEAT_S]
    assert diary.notes == [("tick", 2_000_000_000)]


def test_live_loop_serves_a_missed_deadline_at_once():
    diary, clock = Diary(100), FakeClock(5_000)
    inbox = FakeInbox(clock, (9_000, STOP))
    run_live(diary, inbox, clock)
    assert inbox.waits == [0, BEAT_S]
    assert diary.notes == [("tick", 5_000)]


def test_idle_live_loop_beats_without_ticking():
    diary, clock, beats = Diary(), FakeClock(), []
    inbox = FakeInbox(clock, (60_000_000_000, STOP))
    run_live(diary, inbox, clock, lambda: beats.append(clock.now_ns()))
    assert diary.notes == []
    assert len(beats) >= 15
    assert all(after - before <= BEAT_S * 1e9 for before, after in pairwise(beats))


class FakeScreen:
    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock

    def show(self, view, prompt) -> int:
        return self.clock.t_ns


def test_live_loop_referees_a_whole_turn():
    clock = FakeClock()
    bench = Bench(settle_ms=10, screen=FakeScreen(clock))
    late = press(1_499 * MS, seat=1)._replace(received_ns=1_508 * MS)
    inbox = FakeInbox(
        clock, (1_500 * MS, press(1_500 * MS).of(Seat(0))), (1_508 * MS, late.of(Seat(1))), (2_000 * MS, STOP)
    )
    run_live(bench.table, inbox, clock)
    assert bench.times("visible") == [1000]
    assert bench.winners() == [(1, 0)]
    assert bench.times("tie") == [1511]
