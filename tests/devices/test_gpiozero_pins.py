"""Tests buzzers on pins of gpiozero, and failures that would silence them."""

import gc
import sys
import threading
from types import ModuleType

import pytest
from gpiozero.exc import PinFixedPull
from gpiozero.pins.mock import MockPin

from companion.core.signal import USER_CLOCK
from companion.devices.buzzers import gpiozero_pins
from companion.devices.buzzers.gpiozero_pins import LGPIO, MOCK, USER, GpiozeroPins
from companion.devices.errors import DeviceError
from companion.devices.lines import BuzzerWiring
from tests.gpio_fakes import MS, PATIENCE_S

WIRING = BuzzerWiring(pins=(17, 27))


@pytest.fixture
def source(factory, heard):
    source = GpiozeroPins(factory, WIRING, LGPIO, heard)
    yield source
    source.close()


def stamp_ns(pin):
    return round(pin._last_change * 1e9)


def test_edge_has_the_pins_own_timestamp(factory, heard, source):
    pin = factory.pin(27)
    pin.drive_low()
    pressed_ns = stamp_ns(pin)
    pin.drive_high()
    assert [(edge.place, edge.t_ns, edge.uncertainty_ns, edge.pressed, edge.flags) for edge in heard.all] == [
        (1, pressed_ns, 1 * MS, True, ()),
        (1, stamp_ns(pin), 1 * MS, False, ()),
    ]


def test_program_timestamp_is_centred_in_its_delay(factory, heard):
    """The program is up to 20 ms late, so the timestamp is set back by half of it."""
    source = GpiozeroPins(factory, WIRING, USER, heard)
    pin = factory.pin(17)
    pin.drive_low()
    [edge] = heard.all
    assert edge.t_ns + edge.uncertainty_ns == stamp_ns(pin)
    assert (edge.uncertainty_ns, edge.flags) == (10 * MS, (USER_CLOCK,))
    source.close()


def test_sources_declare_their_delay_and_clock():
    assert LGPIO.settle_ns == USER.settle_ns == 30 * MS
    assert MOCK.settle_ns == 0
    assert LGPIO.flags == ()
    assert USER.flags == MOCK.flags == (USER_CLOCK,)


@pytest.mark.parametrize("active_low", [True, False])
@pytest.mark.parametrize("normally_closed", [True, False])
def test_pressed_level_follows_the_wiring(factory, heard, active_low, normally_closed):
    wiring = BuzzerWiring(pins=(17,), active_low=active_low, normally_closed=normally_closed)
    source = GpiozeroPins(factory, wiring, LGPIO, heard)
    pin = factory.pin(17)
    low_is_pressed = active_low is not normally_closed
    pin.drive_low()
    pin.drive_high()
    assert [edge.pressed for edge in heard.all[-2:]] == [low_is_pressed, not low_is_pressed]
    assert source.levels() == {0: not low_is_pressed}
    pin.drive_low()
    assert source.levels() == {0: low_is_pressed}
    source.close()


@pytest.mark.parametrize(("pull", "name"), [("up", "up"), ("down", "down"), ("none", "floating")])
def test_configured_pull_is_requested(factory, heard, pull, name):
    GpiozeroPins(factory, BuzzerWiring(pins=(17,), pull=pull), LGPIO, heard)
    assert factory.pin(17).pull == name


def test_every_edge_is_requested_without_bounce_time(factory, heard, monkeypatch):
    asked = []
    monkeypatch.setattr(MockPin, "_set_bounce", lambda pin, value: asked.append(value))
    source = GpiozeroPins(factory, WIRING, LGPIO, heard)
    assert asked == [None, None]
    pin = factory.pin(17)
    assert pin.edges == "both"
    for _ in range(5):
        pin.drive_low()
        pin.drive_high()
    assert len(heard.all) == 10
    source.close()


def test_callbacks_survive_garbage_collection(factory, heard, source):
    """Pins hold them weakly."""
    gc.collect()
    factory.pin(17).drive_low()
    assert len(heard.all) == 1


def test_held_button_is_a_level_not_an_edge(factory, heard):
    pin = factory.pin(17)
    pin.drive_low()
    source = GpiozeroPins(factory, BuzzerWiring(pins=(17,), pull="none"), LGPIO, heard)
    assert heard.all == []
    assert source.levels() == {0: True}
    source.close()


# --- Closing ----------------------------------------------------------------------------------------------


def test_nothing_is_reported_after_closing(factory, heard, source):
    pin = factory.pin(17)
    source.close()
    source.close()
    pin.drive_low()
    assert heard.all == []


def test_callbacks_are_removed_before_pins_are_closed(factory, source, monkeypatch):
    pins = [factory.pin(number) for number in WIRING.pins]
    assert all(pin.when_changed for pin in pins)
    closed = {}
    monkeypatch.setattr(MockPin, "close", lambda pin: closed.update({pin: pin.when_changed}))
    source.close()
    assert closed == dict.fromkeys(pins)


def test_same_pins_can_be_opened_again(factory, heard):
    GpiozeroPins(factory, WIRING, LGPIO, heard).close()
    source = GpiozeroPins(factory, WIRING, LGPIO, heard)
    factory.pin(17).drive_low()
    assert len(heard.all) == 1
    source.close()


def test_pin_that_fails_to_close_blocks_no_other(factory, heard, source, monkeypatch):
    monkeypatch.setattr(factory.pin(17), "close", raises(RuntimeError("gone")))
    with pytest.raises(DeviceError, match=r"\[buzzers\]: gone\. `companion doctor`"):
        source.close()
    factory.pin(27).drive_low()
    assert heard.all == []


def raises(error):
    def act(*_):
        raise error

    return act


@pytest.mark.parametrize(
    "error",
    [
        PinFixedPull("GPIO27 has a fixed pull resistor"),
        RuntimeError("Failed to add edge detection"),  # RPi.GPIO on a kernel from 6.6, or on a Pi 5
    ],
    ids=repr,
)
def test_unusable_line_is_named_and_others_released(factory, heard, monkeypatch, error):
    monkeypatch.setattr(factory.pin(27), "_enable_event_detect", raises(error))
    with pytest.raises(DeviceError) as caught:
        GpiozeroPins(factory, WIRING, LGPIO, heard)
    assert str(caught.value) == f"[buzzers] seat 2, line 27: {error}. `companion doctor` says more"
    factory.pin(17).drive_low()
    assert heard.all == []  # the line before it was released


def test_unreadable_level_is_an_error(factory, source, monkeypatch):
    monkeypatch.setattr(factory.pin(17), "_get_state", raises(RuntimeError("gone")))
    with pytest.raises(DeviceError, match=r"\[buzzers\]: gone"):
        source.levels()


# --- lgpio's only thread ----------------------------------------------------------------------------------


class LGPIOPin(MockPin):
    pass


class RPiGPIOPin(MockPin):
    pass


@pytest.mark.parametrize("pin_class", [LGPIOPin, RPiGPIOPin])
def test_dead_lgpio_thread_is_noticed(factory, heard, monkeypatch, pin_class):
    factory.pin_class = pin_class
    source = GpiozeroPins(factory, WIRING, LGPIO, heard)
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    end = threading.Event()
    thread = threading.Thread(target=lambda: end.wait(PATIENCE_S))
    thread.__class__ = type("_callback_thread", (threading.Thread,), {"__module__": "lgpio"})
    thread.start()
    source.check()
    end.set()
    thread.join(PATIENCE_S)
    with pytest.raises(DeviceError, match=r"lgpio has stopped reporting\. Restart the companion"):
        source.check()
    source.close()


def test_other_pins_need_no_lgpio_thread(factory, heard, monkeypatch):
    source = GpiozeroPins(factory, WIRING, MOCK, heard)
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    source.check()
    monkeypatch.delitem(sys.modules, "lgpio")
    factory.pin_class = RPiGPIOPin
    GpiozeroPins(factory, BuzzerWiring(pins=(5,)), USER, heard).check()
    source.close()


def test_gpiozero_source_has_nothing_to_drain(source):
    assert source.drain() is None
    assert source.settle_ns == gpiozero_pins.LGPIO.settle_ns
