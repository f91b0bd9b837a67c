"""Tests the watch over the buzzers: failures, stuck buttons, recovery."""

import errno
import logging
import threading

import pytest

from companion.core.signal import LEVEL, MERGED, PLUG, UNPLUG, Signal
from companion.core.text import msg
from companion.devices.buzzers import watch
from companion.devices.buzzers.source import Edge
from companion.devices.buzzers.watch import STUCK_NS, Buzzers
from companion.devices.errors import DeviceError
from tests.gpio_fakes import MS, PATIENCE_S, FakeClock, FakeSource, Reports, S

GONE = OSError(errno.ENODEV, "No such device")
ALL_LOST = [(0, UNPLUG), (1, UNPLUG)]
ALL_BACK = [(0, PLUG), (1, PLUG)]


class Room:
    """Two buzzers, their clock and signals, and the opened sources."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.delivered = Reports()
        self.sources: list[FakeSource] = []
        self.refuses: list[Exception] = []
        self.deliver = self.delivered
        self.buzzers = Buzzers("fake", 2, self._open, self._hear, self.clock)

    def _hear(self, signal):
        self.deliver(signal)

    def _open(self, report, failed):
        if self.refuses:
            raise self.refuses.pop(0)
        self.sources.append(FakeSource(report, failed, 2))
        return self.sources[-1]

    @property
    def source(self) -> FakeSource:
        return self.sources[-1]

    @property
    def told(self):
        told = self.delivered.told
        self.delivered.all.clear()
        return told

    def move(self, place: int, pressed: bool) -> None:
        self.source.down[place] = pressed
        self.source.report(Edge(place, self.clock.t_ns, 0, pressed))

    def later(self, ns: int) -> None:
        self.clock.t_ns += ns
        self.buzzers.look()


@pytest.fixture
def room():
    return Room()


# --- Signals ----------------------------------------------------------------------------------------------


def test_edge_becomes_a_signal_with_its_timestamp(room):
    room.source.report(Edge(1, 999 * S, 150_000, True, (MERGED,)))
    assert room.delivered.all == [Signal("fake", 1, "buzz", 999 * S, 150_000, 1000 * S, True, (MERGED,))]


def test_flush_delivers_waiting_edges_and_returns_levels(room):
    room.source.waiting = [Edge(0, 999 * S, 0, True)]
    room.source.down[0] = True
    assert list(room.buzzers.flush(1000 * S)) == [
        Signal("fake", 0, "buzz", 1000 * S, 0, 1000 * S, True, (LEVEL,)),
        Signal("fake", 1, "buzz", 1000 * S, 0, 1000 * S, False, (LEVEL,)),
    ]
    assert [signal.t_ns for signal in room.delivered.all] == [999 * S]


def test_level_uncertainty_covers_its_reading_time(room):
    levels = room.source.levels

    def slow():
        room.clock.t_ns += 3 * MS
        return levels()

    room.source.levels = slow
    room.source.down[0] = True
    down, up = room.buzzers.flush(0)
    for level in (down, up):
        assert level.t_ns - level.uncertainty_ns <= 1000 * S
        assert level.t_ns + level.uncertainty_ns >= 1000 * S + 3 * MS
    assert down.received_ns == up.received_ns == 1000 * S + 3 * MS


def test_delay_is_that_of_the_source(room):
    assert room.buzzers.settle_ns == FakeSource.settle_ns


# --- Failures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asks", [lambda room: room.buzzers.look(), lambda room: list(room.buzzers.flush(0))])
def test_lost_source_unplugs_each_place_once(room, asks):
    room.source.error = GONE
    asks(room)
    assert room.told == ALL_LOST
    assert {str(text) for text in room.buzzers.troubles.values()} == {
        "the buzzers: disconnected. Plug it in again; `companion doctor` lists what is there"
    }
    room.refuses = [GONE]
    room.later(S)
    assert list(room.buzzers.flush(0)) == []
    assert room.told == []


def test_source_is_reopened_until_it_works(room):
    room.source.failed(GONE)
    room.refuses = [GONE, DeviceError(msg("still not"))]
    room.later(S)
    room.later(S)
    assert room.told == ALL_LOST
    first = str(room.buzzers.troubles[0])
    assert "disconnected" in first
    room.later(S)
    assert room.told == ALL_BACK
    assert room.buzzers.troubles == {}
    assert len(room.sources) == 2
    assert room.sources[0].closed
    room.move(1, True)
    assert room.told == [(1, "buzz")]


def test_instant_recovery_is_reported_after_the_loss(room):
    """The watch may look as soon as the failure is known: here, when it is logged."""

    class Looking(logging.Handler):
        def emit(self, record):
            room.buzzers.look()

    handler = Looking()
    watch.log.addHandler(handler)
    try:
        room.source.failed(GONE)
    finally:
        watch.log.removeHandler(handler)
    assert room.told == ALL_LOST + ALL_BACK
    assert not room.buzzers.troubles


def test_silent_reopened_source_is_not_reported_as_back(room):
    """Like lgpio, whose only thread stays dead."""
    dead = DeviceError(msg("lgpio has stopped"))
    room.source.error = dead
    room.buzzers.look()
    opened = room.buzzers._open

    def opens_dead(report, failed):
        source = opened(report, failed)
        source.error = dead
        return source

    room.buzzers._open = opens_dead
    for _ in range(3):
        room.later(S)
    assert room.told == ALL_LOST
    room.buzzers._open = opened
    room.later(S)
    assert room.told == ALL_BACK


def test_source_failing_while_opening_is_not_back(room):
    room.source.failed(GONE)
    opened = room.buzzers._open

    def fails_at_once(report, failed):
        failed(GONE)
        return opened(report, failed)

    room.buzzers._open = fails_at_once
    room.later(S)
    assert room.told == ALL_LOST


@pytest.mark.logs_errors
def test_error_in_delivery_stays_out_of_the_library(room):
    def full(signal):
        room.deliver = room.delivered
        raise ValueError("full")

    room.deliver = full
    room.move(0, True)  # raises nothing
    assert room.told == ALL_LOST
    assert str(room.buzzers.troubles[0]) == "the buzzers: an internal error; the details are in the log"
    room.source.down[0] = False
    room.later(S)
    assert room.told == ALL_BACK
    room.move(1, True)
    assert room.told == [(1, "buzz")]


def test_failure_during_a_look_is_kept(room):
    levels = room.source.levels

    def fails_meanwhile():
        found = levels()
        room.source.failed(GONE)
        return found

    room.source.levels = fails_meanwhile
    room.buzzers.look()
    assert room.told == ALL_LOST
    assert set(room.buzzers.troubles) == {0, 1}


def test_missing_source_at_the_start_is_an_error():
    def nothing(report, failed):
        raise DeviceError(msg("no chip"))

    with pytest.raises(DeviceError, match="no chip"):
        Buzzers("fake", 2, nothing, Reports(), FakeClock())


# --- Stuck buttons ----------------------------------------------------------------------------------------


def test_stuck_button_is_reported_and_others_work(room):
    room.move(0, True)
    room.later(STUCK_NS - 1)
    assert room.told == [(0, "buzz")]
    room.later(1)
    assert room.told == [(0, UNPLUG)]
    assert str(room.buzzers.troubles[0]).startswith("the buzzer of seat 1 stays pressed")
    room.move(1, True)
    assert [signal.place for signal in room.buzzers.flush(0)] == [1]
    assert room.told == [(1, "buzz")]


def test_released_stuck_button_is_back(room):
    room.move(0, True)
    room.later(STUCK_NS)
    room.move(0, False)
    room.later(S)
    assert room.told == [(0, "buzz"), (0, UNPLUG), (0, "buzz"), (0, PLUG)]


def test_line_low_from_the_start_counts_as_stuck(room):
    room.source.down[1] = True
    room.buzzers.look()
    room.later(STUCK_NS)
    assert room.told == [(1, UNPLUG)]


def test_many_presses_are_not_a_stuck_button(room):
    for _ in range(40):
        room.move(0, True)
        room.clock.t_ns += STUCK_NS // 20
        room.move(0, False)
        room.move(0, True)
        room.buzzers.look()
        room.move(0, False)
    assert {control for _, control in room.told} == {"buzz"}


def test_release_without_an_edge_is_seen_by_level(room):
    room.move(0, True)
    room.later(STUCK_NS // 2)
    room.source.down[0] = False
    room.later(S)
    room.source.down[0] = True
    room.later(STUCK_NS // 2)
    assert room.told == [(0, "buzz")]


# --- The thread -------------------------------------------------------------------------------------------


def test_watch_looks_by_itself_until_closed(room, monkeypatch):
    monkeypatch.setattr(watch, "LOOK_S", 0)
    room.source.error = GONE
    room.buzzers.watch()
    room.delivered.wait(4)
    assert room.told[:4] == ALL_LOST + ALL_BACK
    room.buzzers.close()
    assert room.source.closed
    assert "buzzer watch" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.logs_errors
def test_unexpected_error_does_not_end_the_watch(room, monkeypatch):
    monkeypatch.setattr(watch, "LOOK_S", 0)
    room.source.error = KeyError("what is this?")
    room.buzzers.watch()
    room.delivered.wait(4)
    assert room.told[:4] == ALL_LOST + ALL_BACK
    room.buzzers.close()


def test_source_is_not_replaced_while_being_read(room):
    """FakeSource refuses calls after closing."""
    go_on, reading = threading.Event(), threading.Event()
    drain = room.source.drain

    def slow():
        reading.set()
        assert go_on.wait(PATIENCE_S)
        drain()

    first, first.drain = room.source, slow
    flushing = threading.Thread(target=lambda: list(room.buzzers.flush(0)))
    flushing.start()
    assert reading.wait(PATIENCE_S)
    first.failed(GONE)
    looking = threading.Thread(target=room.buzzers.look)
    looking.start()
    go_on.set()
    flushing.join(PATIENCE_S)
    looking.join(PATIENCE_S)
    assert first.closed == 1
    assert room.told == ALL_LOST + ALL_BACK
