"""The inbox: order, limits and threads."""

import threading

import pytest

from companion.core.inbox import Inbox
from companion.core.limits import SIGNALS_WAITING
from companion.core.signal import UNPLUG, Signal
from companion.referee.serving import STOP

PATIENCE_S = 30


def signal(t_ns: int, seat: int = 0) -> Signal:
    return Signal("test", seat, "buzz", t_ns, 0, t_ns)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


def test_signals_come_out_in_their_order(inbox: Inbox) -> None:
    for t_ns in (3, 1, 2):
        inbox.put(signal(t_ns))
    inbox.put(STOP)
    assert [inbox.get() for _ in range(4)] == [signal(3), signal(1), signal(2), None]


@pytest.mark.parametrize("timeout_s", [0, 0.001])
def test_empty_inbox_raises_after_the_timeout(inbox: Inbox, timeout_s: float) -> None:
    with pytest.raises(TimeoutError):
        inbox.get(timeout_s)


def test_available_item_is_returned_without_waiting(inbox: Inbox) -> None:
    inbox.put(STOP)
    assert inbox.get(0) is STOP


def test_waiting_signals_can_be_read_without_removal(inbox: Inbox) -> None:
    inbox.put(signal(1))
    inbox.put(STOP)
    inbox.put(signal(2))
    assert inbox.waiting() == [signal(1), signal(2)]
    assert inbox.get() == signal(1)
    assert inbox.waiting() == [signal(2)]


def test_flooding_seat_is_refused_until_a_signal_leaves(inbox: Inbox) -> None:
    for t_ns in range(SIGNALS_WAITING):
        assert inbox.offer(signal(t_ns))
    assert not inbox.offer(signal(SIGNALS_WAITING))
    assert [inbox.offer(other) for other in (signal(0, 1), signal(1)._replace(control=UNPLUG), STOP)] == [True] * 3
    inbox.get()
    assert [inbox.offer(signal(t_ns)) for t_ns in (1, 2)] == [True, False]


def test_put_wakes_a_waiting_reader(inbox: Inbox) -> None:
    got: list[Signal | None] = []
    reader = threading.Thread(target=lambda: got.append(inbox.get(PATIENCE_S)))
    reader.start()
    inbox.put(signal(5))
    reader.join(PATIENCE_S)
    assert got == [signal(5)]


def test_threads_lose_no_signals_and_keep_order(inbox: Inbox) -> None:
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
