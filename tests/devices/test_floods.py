"""Tests that flooding devices are cut off and return when quiet."""

import threading
from collections.abc import Callable

import pytest

from companion.core.console import BUZZ
from companion.core.inbox import Inbox
from companion.core.limits import EDGES_A_SECOND, KEYS_A_SECOND, LEVELS_A_SECOND, SIGNALS_WAITING
from companion.core.place import HOUSE
from companion.core.plugins import PLUGINS
from companion.core.signal import FLOOD, LEVEL, PLUG, UNPLUG, Signal
from companion.devices import hardware
from companion.devices.buzzers.source import Edge
from companion.devices.buzzers.watch import Buzzers
from companion.devices.driver import Device, Driver
from companion.devices.floods import CALM_NS, REST_NS
from companion.devices.hardware import Hardware
from companion.devices.wiring import Wiring
from tests.gpio_fakes import MS, PATIENCE_S, FakeClock, S


class FakeDevice(Device):
    """Three buzzers or keypads that report on command; those in `deaf` are not read."""

    places: tuple[int, ...] = ()

    def __init__(self, source: str, places: tuple[int, ...] = (0, 1, 2)) -> None:
        self.source = source
        self.places = places
        self.deaf: set[int] = set()

    def deafen(self, place: int) -> None:
        self.deaf.add(place)

    def listen(self, place: int) -> None:
        self.deaf.discard(place)

    def flush(self, now_ns: int) -> list[Signal]:
        return [Signal(self.source, place, BUZZ, now_ns, 0, now_ns, False, (LEVEL,)) for place in self.places]


class Room:
    """A table of two third-party devices."""

    def __init__(self, pads: FakeDevice | None = None) -> None:
        self.clock = FakeClock()
        self.inbox = Inbox()
        self.lines, self.pads = FakeDevice("lines"), pads or FakeDevice("pads", ())
        self.deliver: Callable[[Signal], None] = self.inbox.put
        self.hardware = Hardware(Wiring(), self.inbox, self.clock, lambda: (self._driver(self.lines, self.pads),))

    def _driver(self, *devices: FakeDevice) -> Driver:
        def open_(wiring, deliver, clock):
            self.deliver = deliver
            yield from devices

        return Driver("fake", {}, open_)

    def report(self, source: str, place: int, control: str = BUZZ, *flags: str) -> None:
        now_ns = self.clock.t_ns
        self.deliver(Signal(source, place, control, now_ns, 0, now_ns, True, flags))

    def flood(self, count: int, *what: object, apart_ns: int = 100_000) -> None:
        for _ in range(count):
            self.report(*what)
            self.clock.t_ns += apart_ns

    def later(self, ns: int) -> None:
        self.clock.t_ns += ns
        self.hardware.look()

    @property
    def told(self) -> list[tuple[int, str]]:
        told = [(signal.place, signal.control) for signal in self.inbox.waiting()]
        for _ in told:
            self.inbox.get(0)
        return told


def opened(*devices: object) -> Hardware:
    return Hardware(Wiring(), Inbox(), FakeClock(), lambda: (Driver("fake", {}, lambda *_: devices),))


@pytest.fixture
def room():
    room = Room()
    yield room
    room.hardware.close()


FLOODS = [
    (EDGES_A_SECOND, ("lines", 1)),
    (LEVELS_A_SECOND, ("lines", 1, BUZZ, LEVEL)),
    (KEYS_A_SECOND, ("pads", 1, "5")),
    (KEYS_A_SECOND, ("pads", HOUSE, "5")),
    (KEYS_A_SECOND, ("lines", 1, "lost")),
]


@pytest.mark.parametrize(("most", "what"), FLOODS)
def test_flood_is_cut_off_and_reported_once(room, most, what):
    room.flood(20_000, *what)
    assert room.told == [(what[1], what[2] if len(what) > 2 else BUZZ)] * most + [(what[1], UNPLUG)]
    assert "sends too many presses" in str(room.hardware.troubles[what[1]])


@pytest.mark.parametrize(("most", "what"), FLOODS)
def test_flooding_device_is_not_read_for_a_while(room, most, what):
    source, place = what[:2]
    room.flood(most + 1, *what)
    room.later(0)
    device = getattr(room, source)
    assert device.deaf == {place}
    room.later(REST_NS)
    assert device.deaf == set()
    room.flood(most + 1, *what)  # it is read again, but not heard
    room.later(0)
    assert device.deaf == {place}
    assert [control for _, control in room.told if control in {PLUG, UNPLUG}] == [UNPLUG]


def test_quiet_device_returns(room):
    room.flood(10_000, "lines", 1)
    room.later(0)
    room.later(REST_NS)
    room.later(CALM_NS - 1)
    assert room.told[-1] == (1, UNPLUG)
    room.later(1)
    assert room.told == [(1, PLUG)]
    assert not room.hardware.troubles
    room.report("lines", 1)
    assert room.told == [(1, BUZZ)]


def test_unstoppable_flood_returns_once_it_ends(room):
    for _ in range(60):
        room.flood(5_000, "lines", 1)
        room.later(0)
    assert [control for _, control in room.told if control != BUZZ] == [UNPLUG]
    for _ in range(4):
        room.later(S)
    assert room.told == [(1, PLUG)]


def test_other_places_are_heard_during_a_flood(room):
    room.flood(5_000, "lines", 1)
    room.told  # noqa: B018  what came before is not looked at
    for what in (("lines", 0), ("lines", 2), ("pads", 1, "5")):
        room.report(*what)
    assert room.told == [(0, BUZZ), (2, BUZZ), (1, "5")]
    assert [level.place for level in room.hardware.flush(room.clock.t_ns)] == [0, 2]


def test_place_returns_when_all_its_devices_are_quiet(room):
    room.flood(1_000, "lines", 1)
    room.flood(1_000, "pads", 1, "5", apart_ns=1_000_000)
    assert [told for told in room.told if told[1] in {PLUG, UNPLUG}] == [(1, UNPLUG)] * 2
    for _ in range(12):
        room.later(S // 2)
    assert room.told == [(1, PLUG)]


def test_unplugged_place_stays_lost_after_its_flood(room):
    room.flood(1_000, "lines", 1)
    room.report("lines", 1, UNPLUG)
    for _ in range(8):
        room.later(S // 2)
    assert PLUG not in {control for _, control in room.told}
    room.report("lines", 1, PLUG)
    assert room.told == [(1, PLUG)]


def test_device_may_report_its_own_flood(room):
    room.report("pads", 2, FLOOD)
    assert room.told == [(2, UNPLUG)]


def test_fast_presses_of_bouncy_button_cause_no_cut(room):
    """Eight presses a second for a minute, each with 25 bounces at both ends."""
    for _ in range(8 * 60):
        room.flood(50, "lines", 1, apart_ns=S // 8 // 50)
        room.hardware.look()
        assert {control for _, control in room.told} == {BUZZ}


def test_unread_inbox_is_bounded(room):
    """The host hangs for two minutes while a finger taps on."""
    for _ in range(120):
        room.flood(40, "lines", 1, apart_ns=25 * MS)
        room.report("lines", 0)
    waiting = [signal.place for signal in room.inbox.waiting()]
    assert waiting.count(0) == 120
    assert waiting.count(1) == SIGNALS_WAITING + 1  # and its unplug
    assert room.told[-1] != (1, BUZZ)


# --- Locks and order --------------------------------------------------------------------------------------------


class LockedPads(FakeDevice):
    """Pads that report and list their places under one lock."""

    def __init__(self) -> None:
        super().__init__("pads", ())
        self.lock = threading.RLock()
        self.asked = threading.Event()
        self.stuck = False

    @property
    def places(self) -> tuple[int, ...]:
        self.asked.set()
        if not self.lock.acquire(timeout=PATIENCE_S):
            self.stuck = True
            return ()
        self.lock.release()
        return ()

    @places.setter
    def places(self, places: tuple[int, ...]) -> None: ...


def test_report_during_a_cut_off_does_not_deadlock():
    pads = LockedPads()
    room = Room(pads)
    room.flood(EDGES_A_SECOND, "lines", 1)
    locked = threading.Event()

    def report() -> None:
        with pads.lock:
            pads.asked.clear()
            locked.set()
            assert pads.asked.wait(PATIENCE_S)
            room.report("pads", 2, "5")

    thread = threading.Thread(target=report)
    thread.start()
    locked.wait(PATIENCE_S)
    room.report("lines", 1)  # one too many: cutting off the line asks the pads for their places
    thread.join()
    assert not pads.stuck
    assert sorted(room.told[-2:]) == [(1, UNPLUG), (2, "5")]


def test_unplug_is_reported_before_its_plug():
    class Hurried(FakeDevice):
        hurries = False

        @property
        def places(self) -> tuple[int, ...]:
            if self.hurries:
                self.hurries = False
                for _ in range(3):
                    room.later(CALM_NS)
            return ()

        @places.setter
        def places(self, places: tuple[int, ...]) -> None: ...

    pads = Hurried("pads", ())
    room = Room(pads)
    room.flood(EDGES_A_SECOND, "lines", 1)
    pads.hurries = True
    room.report("lines", 1)
    assert room.told[-2:] == [(1, UNPLUG), (1, PLUG)]


def test_flood_watch_ends_before_devices_are_closed():
    class Closing(FakeDevice):
        def close(self) -> None:
            left.update(threading.enumerate())

    left: set[threading.Thread] = set()
    before = set(threading.enumerate())
    with opened(Closing("lines")):
        assert [thread.name for thread in set(threading.enumerate()) - before] == ["flood watch"]
    assert left - before == set()


class Lines:
    """A source of two buzzers; a new one is deaf at no place."""

    settle_ns = 0
    heartbeats = ()

    def __init__(self, report, failed) -> None:
        self.report, self.failed = report, failed
        self.deaf: set[int] = set()

    def levels(self) -> dict[int, bool]:
        return {0: False, 1: False}

    def deafen(self, place: int) -> None:
        self.deaf.add(place)

    def listen(self, place: int) -> None:
        self.deaf.discard(place)

    def drain(self) -> None: ...

    def check(self) -> None: ...

    def close(self) -> None: ...


def test_reopened_lines_are_made_deaf_again():
    clock, opened, buzzers = FakeClock(), [], []

    def source(report, failed):
        opened.append(Lines(report, failed))
        return opened[-1]

    def driver(wiring, deliver, clock):
        buzzers.append(Buzzers("lines", 2, source, deliver, clock))
        return buzzers

    def flood() -> None:
        for number in range(2 * EDGES_A_SECOND):
            opened[-1].report(Edge(0, clock.t_ns, 0, number % 2 == 0))
        hardware.look()

    with Hardware(Wiring(), Inbox(), clock, lambda: (Driver("fake", {}, driver),)) as hardware:
        flood()
        assert opened[-1].deaf == {0}
        opened[-1].failed(OSError(5, "gone"))
        buzzers[0].look()
        assert (len(opened), opened[-1].deaf) == (2, set())
        flood()
        assert opened[-1].deaf == {0}


# --- Third-party drivers that fail ------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyError(7), SystemExit(7), RecursionError()])
def test_driver_that_fails_to_open_is_skipped(error, caplog):
    def opens(wiring, deliver, clock):
        yield FakeDevice("lines")
        raise error

    with Hardware(Wiring(), Inbox(), FakeClock(), lambda: (Driver("fake", {}, opens),)) as hardware:
        assert hardware.places == (0, 1, 2)  # devices opened earlier stay
    [named] = PLUGINS.refused
    assert str(named).startswith("the driver fake fails: ")
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]


def test_built_in_drivers_error_is_raised(monkeypatch):
    ours = Driver("pods", {}, lambda *_: [7 // 0])
    monkeypatch.setattr(hardware, "OURS", (ours,))
    with pytest.raises(ZeroDivisionError):
        Hardware(Wiring(), Inbox(), FakeClock(), lambda: (ours,))
