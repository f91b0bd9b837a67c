"""Tests lamps and siren, and their failures."""

import pytest
from gpiozero.pins.mock import MockPin

from companion.core.console import Lamp
from companion.devices import lamps
from companion.devices.errors import DeviceError
from companion.devices.lamps import GpiozeroLamps
from companion.devices.lines import NOT_WIRED, LampWiring
from tests.gpio_fakes import Reports

WIRING = LampWiring(pins=(5, 6), siren=18)


@pytest.fixture
def changes(factory):
    """Collect each (line, level) that is set."""
    changes = Reports()

    class Pin(MockPin):
        def _set_state(self, value):
            super()._set_state(value)
            changes((self.info.name, int(value)))

    factory.pin_class = Pin
    return changes


@pytest.fixture
def lit(factory, changes, monkeypatch):
    monkeypatch.setattr(lamps, "BLINK_S", 0.001)
    monkeypatch.setattr(lamps, "SIREN_S", 0.001)
    lit = GpiozeroLamps(WIRING, factory)
    changes.all.clear()
    yield lit
    lit.close()


def test_all_lamps_are_off_at_first(factory, changes):
    GpiozeroLamps(WIRING, factory).close()
    assert {level for _, level in changes.all} <= {0}


def test_lamp_goes_on_and_off(lit, factory):
    lit.show(1, Lamp.ON)
    assert [factory.pin(pin).state for pin in (5, 6)] == [0, 1]
    lit.show(1, Lamp.OFF)
    assert [factory.pin(pin).state for pin in (5, 6)] == [0, 0]


def test_blinking_lasts_until_the_next_state(lit, factory, changes):
    lit.show(0, Lamp.BLINK)
    assert changes.wait(6)[:6] == [("GPIO5", 1), ("GPIO5", 0)] * 3
    lit.show(0, Lamp.ON)
    count = len(changes.all)
    assert factory.pin(5).state == 1
    assert len(changes.all) == count


def test_siren_sounds_once(lit, changes, factory):
    lit.sound_siren()
    assert changes.wait(2) == [("GPIO18", 1), ("GPIO18", 0)]
    lit._siren._blink_thread.join()
    assert len(changes.all) == 2


def test_lamps_flash_at_most_three_times_a_second():
    """Faster flashes are considered unsafe."""
    assert 1 / (2 * lamps.BLINK_S) <= 3


def test_place_without_a_lamp_lights_nothing(lit, changes):
    lit.show(4, Lamp.ON)
    assert changes.all == []


def test_table_without_a_siren_is_silent(factory, changes):
    silent = GpiozeroLamps(LampWiring(pins=(5,), siren=NOT_WIRED), factory)
    changes.all.clear()
    silent.sound_siren()
    assert changes.all == []
    silent.close()


def test_active_low_lamps_are_lit_by_low(factory):
    lit = GpiozeroLamps(LampWiring(pins=(5,), active_low=True), factory)
    assert factory.pin(5).state == 1
    lit.show(0, Lamp.ON)
    assert factory.pin(5).state == 0
    assert factory.pin(18).state == 0  # the siren is active high
    lit.close()


def test_missing_lamp_is_named_and_others_released(factory):
    with pytest.raises(DeviceError, match=r"^\[lamps\] seat 2, line 99: .*99.*\. `companion doctor` says more"):
        GpiozeroLamps(LampWiring(pins=(5, 99)), factory)
    GpiozeroLamps(LampWiring(pins=(5,)), factory).close()


def broken(*_):
    raise RuntimeError("unknown handle")


def test_failing_lamp_is_named(lit, factory, monkeypatch):
    monkeypatch.setattr(factory.pin(6), "_set_state", broken)
    for lamp in (Lamp.ON, Lamp.OFF):
        with pytest.raises(DeviceError, match=r"^\[lamps\] seat 2: unknown handle"):
            lit.show(1, lamp)


def test_closing_turns_off_lamps_despite_a_failure(factory, changes, monkeypatch):
    lit = GpiozeroLamps(WIRING, factory)
    for place in (0, 1):
        lit.show(place, Lamp.ON)
    with monkeypatch.context() as patched:
        patched.setattr(factory.pin(5), "close", broken)
        with pytest.raises(DeviceError, match=r"^\[lamps\]: unknown handle"):
            lit.close()
    assert factory.pin(6).function == "input"  # no longer driven
    factory.pin(5).close()
