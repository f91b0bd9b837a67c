"""What is remembered of contacts between races."""

from companion.core.clock import MS
from companion.core.signal import LEVEL, SeatSignal
from companion.referee.races import KEEP_NS, PressLog

SETTLE_NS = 30 * MS


def signal(at_ms: int, pressed: bool, *flags: str) -> SeatSignal:
    return SeatSignal("test", 0, "buzz", at_ms * MS, 0, at_ms * MS, pressed, flags)


def calls(ears: PressLog, heard: SeatSignal) -> list[float]:
    """Return the new calls when an edge is heard, as the referee asks for them."""
    ears.forget(0, heard.received_ns - KEEP_NS)
    ears.hear([heard])
    return [call.t_ns / MS for call, _ in ears.new(0, heard.received_ns - SETTLE_NS)]


def test_a_level_does_not_come_behind_a_release_that_was_summed_up_meanwhile():
    # Held when the race opens and its level is read, let go before that level is settled, then quiet for a second.
    ears = PressLog(1)
    calls(ears, signal(0, True))
    ears.hear([signal(64, True, LEVEL)])
    calls(ears, signal(80, False))
    assert calls(ears, signal(1300, True)) == [1300]
