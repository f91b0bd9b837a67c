"""Tests the buttons of the house."""

import gc

import pytest
from gpiozero.pins.mock import MockPin

from companion.core.console import OFF
from companion.core.place import HOUSE
from companion.core.signal import Signal
from companion.devices import house
from companion.devices.errors import DeviceError
from companion.devices.house import BOUNCE_S, HouseButtons
from companion.devices.lines import NOT_WIRED, HouseWiring

OK_ONLY = HouseWiring(undo=NOT_WIRED, pause=NOT_WIRED, skip=NOT_WIRED)
PINS = HouseWiring(right=9, wrong=10, menu=11).pins


@pytest.fixture
def ok(factory, heard, clock):
    buttons = HouseButtons(OK_ONLY, factory, heard, clock)
    yield buttons
    buttons.close()


def test_press_reports_its_control(factory, heard, clock):
    buttons = HouseButtons(HouseWiring(right=9, wrong=10, menu=11), factory, heard, clock)
    gc.collect()  # gpiozero holds some callbacks weakly
    for pin in PINS.values():
        press(factory.pin(pin))
    assert heard.all == [Signal("house", HOUSE, control, clock.t_ns, 0, clock.t_ns) for control in PINS]
    buttons.close()


def test_holding_menu_asks_to_switch_off(factory, heard, clock, monkeypatch):
    monkeypatch.setattr(house, "HOLD_S", 0.01)  # how long gpiozero's thread waits
    buttons = HouseButtons(HouseWiring(menu=11), factory, heard, clock)
    factory.pin(16).drive_low()
    factory.pin(11).drive_low()
    heard.wait(3)
    assert [signal.control for signal in heard.all] == ["ok", "menu", OFF]
    factory.pin(11).drive_high()
    factory.pin(16).drive_high()
    buttons.close()


def press(pin):
    pin.drive_low()
    pin.drive_high()


def test_all_controls_can_be_wired():
    assert set(PINS) == {"ok", "undo", "pause", "skip", "right", "wrong", "menu"}
    assert set(HouseWiring().pins) == {"ok", "undo", "pause", "skip"}


def test_house_buttons_may_be_debounced(factory, ok):
    assert factory.pin(16).bounce == BOUNCE_S


def test_button_held_at_the_start_is_not_pressed(factory, heard, clock):
    factory.pin(16).drive_low()
    buttons = HouseButtons(OK_ONLY, factory, heard, clock)
    assert heard.all == []
    factory.pin(16).drive_high()
    buttons.close()


def test_nothing_is_heard_after_closing(factory, heard, ok):
    ok.close()
    factory.pin(16).drive_low()
    assert heard.all == []


def test_callbacks_are_removed_before_pins_are_closed(factory, heard, clock, monkeypatch):
    """With lgpio, an edge at a closed pin would end its only thread."""
    monkeypatch.setattr(MockPin, "close", lambda pin: None)
    HouseButtons(OK_ONLY, factory, heard, clock).close()
    assert factory.pin(16).when_changed is None


@pytest.mark.logs_errors
def test_error_in_delivery_is_logged_and_button_works(factory, heard, clock, caplog):
    fails = [True]

    def deliver(signal):
        if fails.pop() if fails else False:
            raise ValueError("full")
        heard(signal)

    buttons = HouseButtons(OK_ONLY, factory, deliver, clock)
    pin = factory.pin(16)
    pin.drive_low()  # raises nothing
    assert "house control ok" in caplog.text
    pin.drive_high()
    press(pin)
    assert [signal.control for signal in heard.all] == ["ok"]
    buttons.close()


def test_unusable_button_is_named_and_others_released(factory, heard, clock):
    with pytest.raises(DeviceError, match=r"^\[house\] undo, line 99: .*99"):
        HouseButtons(HouseWiring(undo=99, pause=NOT_WIRED, skip=NOT_WIRED), factory, heard, clock)
    HouseButtons(OK_ONLY, factory, heard, clock).close()
