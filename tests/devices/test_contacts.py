"""Tests when contacts move, without lines."""

from companion.devices.contacts import SLEEP_FROM_NS, WAKE_EARLY_NS, ContactMove, make_moves

US = 1_000
MS = 1_000 * US


class SlowClock:
    """A clock whose readings take 1 µs, and whose sleeps end `late_ns` late."""

    def __init__(self, late_ns: int = 0) -> None:
        self.t_ns, self.late_ns = 0, late_ns
        self.slept: list[int] = []

    def now_ns(self) -> int:
        self.t_ns += US
        return self.t_ns

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds * 1e9))
        self.t_ns += self.slept[-1] + self.late_ns


def play(clock: SlowClock, *moves: ContactMove) -> list[tuple[int, int]]:
    def write(contact: int, closed: bool) -> None:
        clock.t_ns += 10 * US
        written.append((contact, closed))

    written: list[tuple[int, bool]] = []
    times = make_moves(moves, write, clock.now_ns, clock.sleep)
    assert written == [(contact, closed) for _, contact, closed in moves]
    return times


def test_bounds_enclose_each_write() -> None:
    (first_ns, after_first_ns), (second_ns, _) = play(
        SlowClock(), ContactMove(20 * US, 0, True), ContactMove(50 * US, 1, True)
    )
    assert after_first_ns - first_ns == 11 * US
    assert 50 * US <= second_ns - first_ns <= 53 * US


def test_only_long_waits_sleep() -> None:
    clock = SlowClock()
    play(clock, ContactMove(40 * MS, 0, True), ContactMove(SLEEP_FROM_NS, 1, True))
    assert [round(slept_ns / MS) for slept_ns in clock.slept] == [40]
    assert 40 * MS - clock.slept[0] >= WAKE_EARLY_NS


def test_late_sleep_is_seen_in_times() -> None:
    times = play(SlowClock(late_ns=MS), ContactMove(40 * MS, 0, True), ContactMove(50 * US, 1, True))
    assert times[0][0] > 40 * MS + 500 * US
    assert times[1][0] - times[0][0] < 60 * US
