"""The press log between races."""

from companion.core.console import Call
from companion.core.signal import LEVEL, REFUSED, SeatSignal
from companion.core.units import MS
from companion.referee.calls import KEEP_NS, PressLog

SETTLE_NS = 30 * MS


def signal(at_ms: int, pressed: bool, *flags: str, seat: int = 0) -> SeatSignal:
    return SeatSignal("test", seat, "buzz", at_ms * MS, 0, at_ms * MS, pressed, flags)


def calls(ears: PressLog, heard: SeatSignal) -> list[float]:
    ears.forget(0, heard.received_ns - KEEP_NS)
    ears.hear([heard])
    return [press.call.t_ns / MS for press in ears.new(0, heard.received_ns - SETTLE_NS)]


def test_level_does_not_outlive_a_forgotten_release():
    # The button is held when the race opens, released before its level is settled, then quiet for a second.
    ears = PressLog(1)
    calls(ears, signal(0, True))
    ears.hear([signal(64, True, LEVEL)])
    calls(ears, signal(80, False))
    assert calls(ears, signal(1300, True)) == [1300]


def test_replugged_seats_own_level_is_not_a_press():
    # The edge of seat 1 was lost, so only its levels show the press.
    ears = PressLog(2)
    ears.hear([signal(0, False, LEVEL, seat=1)])
    ears.plug(0, [signal(100, True, LEVEL), signal(100, True, LEVEL, seat=1)])
    ears.hear([signal(110, True, LEVEL), signal(110, True, LEVEL, seat=1)])
    assert [len(ears.new(seat, 200 * MS)) for seat in (0, 1)] == [0, 1]


def test_press_at_time_zero_counts():
    assert calls(PressLog(1), signal(0, True)) == [0]


def test_signal_of_an_unknown_seat_is_ignored():
    ears = PressLog(1)
    ears.hear([signal(5, True, seat=1), signal(7, True)])
    assert [call.t_ns for call, *_ in ears.new(0, 0)] == [7 * MS]


def test_spikes_are_listed_by_time_once_settled():
    ears = PressLog(2)
    for at_ms, seat in ((100, 0), (200, 1), (300, 0)):
        pulse = signal(at_ms, True, seat=seat)
        end_ns = pulse.t_ns + 20_000
        ears.hear([pulse, pulse._replace(t_ns=end_ns, received_ns=end_ns, pressed=False)])

    def told(since_ms: int, settled_ms: int) -> list[tuple[int, int]]:
        return [(spike.t_ns // MS, spike.seat) for spike in ears.spikes(since_ms * MS, settled_ms * MS)]

    assert told(0, 1000) == [(100, 0), (200, 1), (300, 0)]
    assert told(200, 1000) == [(200, 1), (300, 0)]
    assert told(0, 299) == [(100, 0), (200, 1)]


def test_key_dated_ahead_does_not_outdate_later_keys():
    log = PressLog(1)
    log.key(Call(0, 600_000 * MS, 0, "3", (REFUSED,)), 1_000 * MS)
    (ahead,) = log.new(0, 2_000 * MS)
    assert ahead.call.t_ns == 1_000 * MS
    log.done(ahead)
    log.key(Call(0, 3_000 * MS, 0, "4"), 3_001 * MS)
    assert [heard.call.control for heard in log.new(0, 4_000 * MS)] == ["4"]
