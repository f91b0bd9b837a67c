"""Tests keypads among all devices of a table."""

from functools import partial
from pathlib import Path

import pytest

from companion.core.inbox import Inbox
from companion.core.move import TABLE
from companion.core.signal import PLUG, UNPLUG
from companion.devices.buzzers import choice
from companion.devices.buzzers.watch import Buzzers
from companion.devices.errors import DeviceError
from companion.devices.hardware import Hardware
from companion.devices.keypads import driver as pads
from companion.devices.keypads.matrix import MatrixKeypad
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.devices.lines import BuzzerWiring, MatrixWiring
from companion.devices.wiring import Wiring
from companion.display.frame import Play
from companion.match.seating import Sitter
from tests.devices.pad_fakes import MS, FakeClock, FakeDevice, WiredFactory, here
from tests.host_bench import Bench

LEFT, HOUSE = "usb-1/input0", "usb-9/input0"
KP_5 = 76
ROWS, COLUMNS = (4, 7, 8, 25), (9, 10, 11, 15)
MOCK = BuzzerWiring(source="mock")


class Room:
    """Pads that can be unplugged, and mock pins, with the devices' real classes."""

    def __init__(self, monkeypatch):
        self.inbox = Inbox()
        self.plugged = {LEFT: FakeDevice(), HOUSE: FakeDevice()}
        self.factory = WiredFactory(ROWS, COLUMNS)
        monkeypatch.setattr(pads, "UsbPads", partial(UsbPads, list_inputs=self.list_inputs, open_device=self.open))
        monkeypatch.setitem(
            choice.KINDS, "mock", choice.KINDS["mock"]._replace(make_factory=lambda _: self.factory)
        )

    def list_inputs(self):
        return [here(number, phys) for number, phys in enumerate(self.plugged)]

    def open(self, found):
        return self.plugged[found.phys]

    def hardware(self, matrix=None, **pads):
        return Hardware(Wiring(MOCK, PadWiring(**pads), matrix or MatrixWiring()), self.inbox, FakeClock())

    def next(self):
        signal = self.inbox.get(60)
        return signal.place, signal.control


@pytest.fixture
def room(monkeypatch):
    room = Room(monkeypatch)
    yield room
    room.factory.reset()


def test_pads_and_matrix_report_into_the_inbox(room):
    with room.hardware(MatrixWiring(0, ROWS, COLUMNS), seats=("", LEFT)):
        room.plugged[LEFT].press(KP_5)
        assert room.next() == (1, "5")
        room.factory.keys.press((3, 2))
        assert room.next() == (TABLE, "#")
    assert room.plugged[LEFT].closed


def test_lost_pad_is_reported_with_its_remedy(room):
    with room.hardware(seats=(LEFT,)) as found:
        room.plugged.pop(LEFT).unplug()
        assert room.next() == (0, UNPLUG)
        assert [str(text) for text in found.troubles.values()] == [
            "the keypad of seat 1 is disconnected. Plug it into the same socket again"
        ]


@pytest.mark.parametrize(
    ("pads", "seat", "settle_ms"),
    [({}, None, 0), ({"seats": (LEFT,)}, None, 28), ({"house": HOUSE}, 0, 0), ({"seats": (LEFT,)}, 2, 60)],
)
def test_verdict_waits_only_for_keypads_of_seats(room, pads, seat, settle_ms):
    matrix = None if seat is None else MatrixWiring(seat, ROWS, COLUMNS)
    with room.hardware(matrix, **pads) as found:
        assert found.settle_ns == settle_ms * MS


def test_missing_pad_leaves_nothing_open(room):
    with pytest.raises(DeviceError, match="the keypad of seat 2: there is no 'usb-7'"):
        room.hardware(seats=(LEFT, "usb-7"))
    assert room.plugged[LEFT].closed
    assert room.factory.pins == {}


def test_table_without_keypads_searches_for_none(room, monkeypatch):
    monkeypatch.setattr(room, "list_inputs", None)
    with room.hardware() as found:
        assert (found.of(MatrixKeypad), found.troubles) == (None, {})


# --- The host ---------------------------------------------------------------------------------------------


@pytest.fixture
def bench(room, tmp_path: Path):
    with Hardware(Wiring(MOCK, PadWiring(seats=(LEFT,), house=HOUSE)), room.inbox, FakeClock()) as devices:
        yield begun(tmp_path, devices)


def begun(folder: Path, devices: Hardware) -> Bench:
    sitters = [Sitter("Anna"), Sitter("Ben")]
    bench = Bench(folder, sitters=sitters, game="boese_buben", hardware=devices)
    for _ in range(9):
        if not isinstance(bench.screen, Play):
            bench.house("ok")
    assert isinstance(bench.screen, Play)
    return bench


def arrives(bench: Bench, room: Room) -> tuple[int, str]:
    """Hand the next signal to the host."""
    signal = room.inbox.get(60)
    now_ns = bench.clock.now_ns()
    bench.host.signal(signal._replace(t_ns=now_ns, received_ns=now_ns))
    return signal.place, signal.control


@pytest.mark.parametrize(("phys", "place", "whose"), [(LEFT, 0, "seat 1"), (HOUSE, TABLE, "the house")])
def test_match_waits_for_a_lost_pad(bench, room, phys, place, whose):
    room.plugged.pop(phys).unplug()
    assert arrives(bench, room) == (place, UNPLUG)
    assert bench.poster.lines == (f"the keypad of {whose} is disconnected. Plug it into the same socket again",)
    assert "The match is paused" in [side.note for side in bench.frame.sides]
    room.plugged[phys] = FakeDevice()
    assert arrives(bench, room) == (place, PLUG)
    assert isinstance(bench.screen, Play)
    assert "The match is paused" not in [side.note for side in bench.frame.sides]


def test_seat_returns_only_with_pad_and_buzzer(room, monkeypatch):
    with room.hardware(seats=(LEFT,)) as found:
        monkeypatch.setattr(found.of(Buzzers), "look", lambda: None)  # it would find that the buzzer works
        found.of(Buzzers)._troubles.lost(0, "the buzzer is gone")
        room.plugged.pop(LEFT).unplug()
        assert [room.next(), room.next()] == [(0, UNPLUG), (0, UNPLUG)]
        room.plugged[LEFT] = FakeDevice()
        room.plugged[LEFT].press(KP_5)
        assert room.next() == (0, "5"), "the pad is back, which is not told while the buzzer is gone"
        found.of(Buzzers)._troubles.back(0)
        assert room.next() == (0, PLUG)


def test_seat_with_pad_alone_is_heard_and_awaited(room, tmp_path):
    wiring = Wiring(BuzzerWiring(source="mock", pins=()), PadWiring(seats=(LEFT,)))
    with Hardware(wiring, room.inbox, FakeClock()) as devices:
        bench = begun(tmp_path, devices)
        heard = []
        bench.host.session.referee.signal = lambda signal: heard.append(signal) or []
        room.plugged[LEFT].press(KP_5)
        arrives(bench, room)
        assert [(signal.seat, signal.control) for signal in heard] == [(0, "5")]
        del bench.host.session.referee.signal
        room.plugged.pop(LEFT).unplug()
        assert arrives(bench, room) == (0, UNPLUG)
        assert bench.poster.title == "The match waits"
        bench.host.close()
