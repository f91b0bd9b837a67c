"""The inbox: first in, first out, from many threads to one; what waits in it can be looked at."""

import threading

import pytest

from companion.core.inbox import Inbox
from companion.core.limits import SIGNALS_WAITING
from companion.core.signal import UNPLUG, Signal
from companion.referee.loop import STOP

PATIENCE_S = 30


def signal(t_ns: int, seat: int = 0) -> Signal:
    return Signal("test", seat, "buzz", t_ns, 0, t_ns)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


def test_signals_come_out_as_they_went_in(inbox: Inbox) -> None:
    for t_ns in (3, 1, 2):
        inbox.put(signal(t_ns))
    inbox.put(STOP)
    assert [inbox.get() for _ in range(4)] == [signal(3), signal(1), signal(2), None]


@pytest.mark.parametrize("timeout_s", [0, 0.001])
def test_nothing_in_time(inbox: Inbox, timeout_s: float) -> None:
    with pytest.raises(TimeoutError):
        inbox.get(timeout_s)


def test_what_is_there_is_taken_without_waiting(inbox: Inbox) -> None:
    inbox.put(STOP)
    assert inbox.get(0) is STOP


def test_what_waits_can_be_looked_at_and_stays(inbox: Inbox) -> None:
    inbox.put(signal(1))
    inbox.put(STOP)
    inbox.put(signal(2))
    assert inbox.waiting() == [signal(1), signal(2)]
    assert inbox.get() == signal(1)
    assert inbox.waiting() == [signal(2)]


def test_who_reports_more_than_is_taken_out_has_room_again_when_some_is(inbox: Inbox) -> None:
    for t_ns in range(SIGNALS_WAITING):
        assert inbox.offer(signal(t_ns))
    assert not inbox.offer(signal(SIGNALS_WAITING))
    assert [inbox.offer(other) for other in (signal(0, 1), signal(1)._replace(control=UNPLUG), STOP)] == [True] * 3
    inbox.get()
    assert [inbox.offer(signal(t_ns)) for t_ns in (1, 2)] == [True, False]


def test_a_reader_is_woken(inbox: Inbox) -> None:
    got: list[Signal | None] = []
    reader = threading.Thread(target=lambda: got.append(inbox.get(PATIENCE_S)))
    reader.start()
    inbox.put(signal(5))
    reader.join(PATIENCE_S)
    assert got == [signal(5)]


def test_many_threads_lose_nothing_and_keep_their_order(inbox: Inbox) -> None:
    def put(seat: int) -> None:
        for t_ns in range(500):
            inbox.put(signal(t_ns, seat))

    writers = [threading.Thread(target=put, args=(seat,)) for seat in range(4)]
    for writer in writers:
        writer.start()
    got = [inbox.get(PATIENCE_S) for _ in range(2000)]
    assert [[each.t_ns for each in got if each and each.place == seat] for seat in range(4)] == [
        list(range(500))
    ] * 4
