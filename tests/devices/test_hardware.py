"""Tests all wired devices together."""

import threading
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.core.console import BUZZ, Lamp
from companion.core.inbox import Inbox
from companion.core.signal import LEVEL, PC, UNPLUG, Signal
from companion.devices import board
from companion.devices.buttons.buttons import Buttons
from companion.devices.buzzers import choice, gpiod_lines
from companion.devices.chips import Chip
from companion.devices.driver import Device, Driver
from companion.devices.errors import DeviceError
from companion.devices.hardware import Hardware
from companion.devices.line_driver import DRIVER
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.pins import Board
from companion.devices.wiring import Wiring
from companion.referee.arbiter import SETTLE_MOST_NS
from tests.gpio_fakes import FakeLines

PINS = (17, 27)
OK_ONLY = HouseWiring(undo=NOT_WIRED, pause=NOT_WIRED, skip=NOT_WIRED)
MOCK = Wiring(BuzzerWiring(source="mock", pins=PINS), LampWiring(pins=(5, 6)), OK_ONLY)


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def table(inbox, clock):
    with Hardware(MOCK, inbox, clock) as table:
        yield table


def press(table, *pins):
    """Release the last: gpiozero waits a second for a button held at closing."""
    for pin in pins:
        table.of(Board).factory.pin(pin).drive_low()
    table.of(Board).factory.pin(pins[-1]).drive_high()


def test_each_buzzer_has_a_place(table):
    assert list(table.places) == [0, 1]
    assert (table.settle_ns, table.troubles) == (0, {})
    assert str(table.notice) == "The buzzers are a mock: nothing is wired to them"


def test_buzzers_and_house_share_one_inbox(table, inbox):
    press(table, 27, 16)
    assert [(signal.source, signal.control) for signal in inbox.waiting()] == [("mock", "buzz"), ("house", "ok")]


def test_flush_returns_waiting_edges_then_levels(table, inbox):
    press(table, 27, 16)
    inbox.put(Signal(PC, 0, "buzz", 5, 0, 5))  # a press at the PC, not a contact of this table
    inbox.put(Signal("mock", 0, UNPLUG, 5, 0, 5))
    edge, *levels = table.flush(0)
    assert (edge.place, edge.pressed, edge.flags) == (1, True, ("user_clock",))
    assert [(level.place, level.pressed, level.flags) for level in levels] == [
        (0, False, (LEVEL,)),
        (1, True, (LEVEL,)),
    ]
    assert len(inbox.waiting()) == 4


def test_flush_returns_unread_edges_of_gpiod(inbox, clock, monkeypatch):
    request = FakeLines()
    monkeypatch.setattr(choice, "find_chip", lambda label: Chip(Path("/dev/gpiochip0"), "pinctrl-rp1", 54))
    monkeypatch.setattr(gpiod_lines, "request", lambda chip, wiring: request)
    kind = choice.KINDS["gpiod"]._replace(make_factory=lambda chip: MockFactory())
    monkeypatch.setattr(board, "choose", lambda source: (kind, None))
    with Hardware(Wiring(BuzzerWiring(pins=PINS), LampWiring(pins=()), OK_ONLY), inbox, clock) as table:
        request.move(27, True, 999, wakes=False)
        edge, *levels = table.flush(0)
        assert (edge.source, edge.place, edge.t_ns) == ("gpiod", 1, 999)
        assert [level.pressed for level in levels] == [False, True]
        assert inbox.get(0) == edge
    assert request.released


def test_lamp_lights_alone_and_siren_raises_nothing(table):
    factory = table.of(Board).factory
    table.show(1, Lamp.ON)
    assert (factory.pin(5).state, factory.pin(6).state) == (0, 1)
    table.sound_siren()


def test_failing_lamp_does_not_end_the_match(table, caplog, monkeypatch):
    def broken(*_):
        raise RuntimeError("unknown handle")

    monkeypatch.setattr(table.of(Board).factory.pin(5), "_set_state", broken)
    table.show(0, Lamp.ON)
    assert "[lamps] seat 1: unknown handle. `companion doctor` says more" in caplog.text


def test_closing_releases_pins_and_threads(inbox, clock):
    with Hardware(MOCK, inbox, clock) as table:
        factory = table.of(Board).factory
        table.show(0, Lamp.ON)
        assert "buzzer watch" in {thread.name for thread in threading.enumerate()}
    assert "buzzer watch" not in {thread.name for thread in threading.enumerate()}
    assert factory.pins == {}


@pytest.mark.parametrize(
    ("wiring", "why"),
    [
        (Wiring(BuzzerWiring("mock", pins=(17, 99)), LampWiring(pins=()), OK_ONLY), r"\[buzzers\] seat 2, line 99"),
        (Wiring(BuzzerWiring("mock"), LampWiring(pins=(99,)), OK_ONLY), r"\[lamps\] seat 1, line 99"),
        (Wiring(BuzzerWiring("mock"), LampWiring(siren=99), OK_ONLY), r"\[lamps\] siren, line 99"),
        (Wiring(BuzzerWiring("mock"), HouseWiring(ok=99)), r"\[house\] ok, line 99"),
    ],
)
def test_missing_line_is_named_and_nothing_stays_open(inbox, clock, monkeypatch, wiring, why):
    factories = []
    kind = choice.KINDS["mock"]._replace(make_factory=lambda chip: factories.append(MockFactory()) or factories[-1])
    monkeypatch.setattr(board, "choose", lambda source: (kind, None))
    with pytest.raises(DeviceError, match=why):
        Hardware(wiring, inbox, clock)
    [factory] = factories
    assert factory.pins == {}
    assert "buzzer watch" not in {thread.name for thread in threading.enumerate()}


def test_missing_chip_is_an_error(inbox, clock, monkeypatch):
    def none(label):
        raise DeviceError("there is no GPIO chip")

    monkeypatch.setattr(choice, "find_chip", none)
    monkeypatch.setattr(board, "choose", lambda source: (choice.KINDS["gpiod"], None))
    with pytest.raises(DeviceError, match="there is no GPIO chip"):
        Hardware(MOCK, inbox, clock)


def test_verdict_ignores_devices_where_nobody_plays(inbox, clock):
    class Slow(Device):
        source, places, settle_ns, settle_most_ns = "slow", (3, 4), 150_000_000, 150_000_000

    slow = Driver("slow", {}, lambda *_: iter([Slow()]))
    with Hardware(MOCK, inbox, clock, lambda: (DRIVER, slow)) as table:
        now_ns = clock.now_ns()
        assert (table.settle_ns, table.settled_ns(now_ns)) == (150_000_000, now_ns - 150_000_000)
        table.playing = {0, 1}
        assert (table.settle_ns, table.settle_most_ns) == (0, SETTLE_MOST_NS)
        assert table.settled_ns(now_ns) == now_ns
        table.playing = {0, 4}
        assert table.settle_ns == 150_000_000


@pytest.mark.parametrize(("screen", "heard"), [(False, ["5"]), (True, [])])
def test_phone_beside_a_button_keeps_its_keys(inbox, clock, screen, heard):
    class Phone(Device):
        source, places, screen_places = "phone", (0,), (0,)

    class Button(Device):
        source, places, screen_places = "button", (0,), (0,) if screen else ()

    deliver = []

    def phone(wiring, deliver_, clock_):
        deliver.append(deliver_)
        yield Phone()

    drivers = (Driver("phone", {}, phone), Driver("button", {}, lambda *_: iter([Button()])))
    with Hardware(Wiring(), inbox, clock, lambda: drivers):
        for control in (BUZZ, "5", UNPLUG):
            deliver[0](Signal("phone", 0, control, clock.now_ns(), 0, clock.now_ns()))
        assert [signal.control for signal in inbox.waiting()] == heard


def test_phone_may_join_beside_a_button(inbox, clock):
    class Buzzer(Device):
        source, places = "buzzer", (0, 1)

    class Button(Device):
        source, places, joins_phones = "button", (1, 2), Buttons.joins_phones

    drivers = [Driver(kind.source, {}, lambda *_, kind=kind: iter([kind()])) for kind in (Buzzer, Button)]
    with Hardware(Wiring(), inbox, clock, lambda: drivers) as table:
        assert table.full_places == {0, 1}
