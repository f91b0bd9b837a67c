"""Tests pods among all devices of a table."""

from functools import partial

import pytest

from companion.core.console import BUZZ
from companion.core.inbox import Inbox
from companion.core.signal import LEVEL, PLUG, UNPLUG, Signal
from companion.core.text import msg
from companion.devices.buzzers import choice
from companion.devices.buzzers.source import Edge
from companion.devices.buzzers.watch import Buzzers
from companion.devices.hardware import Hardware
from companion.devices.keypads import driver as pads
from companion.devices.keypads import matrix
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring, MatrixWiring
from companion.devices.pods import driver as pods
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.reports import Away, Back
from companion.devices.wiring import Wiring
from tests.devices.pad_fakes import FakeClock, FakeDevice, here
from tests.gpio_fakes import FakeSource

ANNA = "E66118604B3A5C21"
POD = PodWiring(seats=(ANNA,))
PAD = PadWiring(seats=("usb-1",))
NO_LINES = Wiring(BuzzerWiring(pins=()), LampWiring(pins=(), siren=-1), HouseWiring(-1, -1, -1, -1), PAD, POD)
TWO_LINES = Wiring(BuzzerWiring("mock", pins=(17, 27)), LampWiring(pins=()), POD)


@pytest.fixture
def table(monkeypatch):
    """Return a function that opens a table whose pods are at no port."""
    tables = []
    monkeypatch.setattr(pods, "Pods", partial(Pods, find=lambda: ()))
    of_pads = {"list_inputs": lambda: [here(1, "usb-1")], "open_device": lambda found: FakeDevice()}
    monkeypatch.setattr(pads, "UsbPads", partial(UsbPads, **of_pads))

    def table(wiring):
        inbox = Inbox()
        tables.append(Hardware(wiring, inbox, FakeClock()))
        return tables[-1], inbox

    yield table
    for opened in tables:
        opened.close()


def plugs(inbox):
    return [(signal.place, signal.control) for signal in inbox.waiting() if signal.control in {PLUG, UNPLUG}]


def test_seat_returns_only_once_its_missing_pod_connects(table):
    opened, inbox = table(NO_LINES)
    opened.of(UsbPads)._troubles.lost(0, msg("it is gone"))
    opened.of(UsbPads)._troubles.back(0)
    assert PLUG not in [control for _, control in plugs(inbox)]
    opened.of(Pods)._told(ANNA, Back())
    assert plugs(inbox)[-1] == (0, PLUG)


def test_line_lost_before_its_pod_is_not_awaited(table):
    opened, inbox = table(TWO_LINES)
    opened.of(Pods)._bound.clear()  # the seat gets its pod later
    opened.of(Buzzers)._troubles.lost(0, msg("it chatters"))
    opened.of(Pods)._bound[ANNA] = 0
    opened.of(Pods)._told(ANNA, Back())
    opened.of(Pods)._told(ANNA, Away(msg("pulled")))
    opened.of(Pods)._told(ANNA, Back())
    assert plugs(inbox)[-2:] == [(0, UNPLUG), (0, PLUG)]


def test_lost_lines_spare_seats_that_have_pods(table):
    opened, inbox = table(TWO_LINES)
    opened.of(Pods)._pods[ANNA].link.ready = True
    opened.of(Buzzers)._failed(OSError("gone"))
    assert list(opened.troubles) == [1]
    assert plugs(inbox)[-1:] == [(1, UNPLUG)]


def test_matrix_delay_holds_even_with_settled_pods(table, monkeypatch):
    keys = MatrixWiring(1, rows=(4, 7, 8, 25), columns=(9, 10, 11, 15))
    opened, _ = table(TWO_LINES.but(BuzzerWiring("mock", pins=(17,)), keys))
    monkeypatch.setattr(opened.of(Pods), "settled_ns", lambda now_ns: now_ns)
    assert opened.settled_ns(10 * matrix.SETTLE_NS) == 9 * matrix.SETTLE_NS


def test_line_at_seat_with_a_pod_is_ignored(table, monkeypatch):
    sources = []

    def fake_source(board, wiring, report, failed):
        sources.append(FakeSource(report, failed, len(wiring.pins)))
        return sources[-1]

    monkeypatch.setitem(choice.KINDS, "mock", choice.KINDS["mock"]._replace(open=fake_source))
    opened, inbox = table(TWO_LINES)
    (source,) = sources
    for place in (0, 1):
        source.report(Edge(place, 5, 1, True))
        source.waiting.append(Edge(place, 6, 1, False))
    source.down = {0: True, 1: True}
    heard = list(opened.flush(100))
    buzzes = [(signal.place, signal.pressed, signal.flags) for signal in inbox.waiting() if signal.control == BUZZ]
    assert buzzes == [(1, True, ()), (1, False, ())]
    assert [(signal.place, signal.pressed, signal.flags) for signal in heard] == [*buzzes, (1, True, (LEVEL,))]
    assert opened.settle_ns == opened.of(Pods).settle_ns


def test_line_report_before_binding_delays_no_verdict(table):
    opened, inbox = table(TWO_LINES)
    opened.of(Pods)._bound.clear()  # the seat gets its pod later
    inbox.put(Signal(opened.of(Buzzers).source, 0, BUZZ, 5, 1, 6))
    assert [signal.place for signal in opened.flush(100) if LEVEL not in signal.flags] == [0]
    opened.of(Pods)._bound[ANNA] = 0
    assert [signal.place for signal in opened.flush(100) if LEVEL not in signal.flags] == []
