"""Lamps and siren: what is set on their lines, and that one which fails keeps no other from going out."""

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


def test_all_are_off_at_first(factory, changes):
    GpiozeroLamps(WIRING, factory).close()
    assert {level for _, level in changes.all} <= {0}


def test_on_and_off(lit, factory):
    lit.show(1, Lamp.ON)
    assert [factory.pin(pin).state for pin in (5, 6)] == [0, 1]
    lit.show(1, Lamp.OFF)
    assert [factory.pin(pin).state for pin in (5, 6)] == [0, 0]


def test_blinking_goes_on_until_it_is_ended(lit, factory, changes):
    lit.show(0, Lamp.BLINK)
    assert changes.wait(6)[:6] == [("GPIO5", 1), ("GPIO5", 0)] * 3
    lit.show(0, Lamp.ON)
    count = len(changes.all)
    assert factory.pin(5).state == 1
    assert len(changes.all) == count


def test_the_siren_sounds_once(lit, changes, factory):
    lit.sound_siren()
    assert changes.wait(2) == [("GPIO18", 1), ("GPIO18", 0)]
    lit._siren._blink_thread.join()
    assert len(changes.all) == 2


def test_flashes_are_slow_enough_for_everybody():
    """Three a second are the most that is said to be safe."""
    assert 1 / (2 * lamps.BLINK_S) <= 3


def test_a_place_without_a_lamp_stays_dark(lit, changes):
    lit.show(4, Lamp.ON)
    assert changes.all == []


def test_a_table_without_siren_is_silent(factory, changes):
    silent = GpiozeroLamps(LampWiring(pins=(5,), siren=NOT_WIRED), factory)
    changes.all.clear()
    silent.sound_siren()
    assert changes.all == []
    silent.close()


def test_lamps_that_are_lit_by_a_low_level(factory):
    lit = GpiozeroLamps(LampWiring(pins=(5,), active_low=True), factory)
    assert factory.pin(5).state == 1
    lit.show(0, Lamp.ON)
    assert factory.pin(5).state == 0
    assert factory.pin(18).state == 0  # which the siren's is not
    lit.close()


def test_a_lamp_that_cannot_be_had_is_named_and_the_others_are_let_go(factory):
    with pytest.raises(DeviceError, match=r"^\[lamps\] seat 2, line 99: .*99.*\. `companion doctor` says more"):
        GpiozeroLamps(LampWiring(pins=(5, 99)), factory)
    GpiozeroLamps(LampWiring(pins=(5,)), factory).close()


def broken(*_):
    raise RuntimeError("unknown handle")


def test_a_lamp_that_fails_is_named(lit, factory, monkeypatch):
    monkeypatch.setattr(factory.pin(6), "_set_state", broken)
    for lamp in (Lamp.ON, Lamp.OFF):
        with pytest.raises(DeviceError, match=r"^\[lamps\] seat 2: unknown handle"):
            lit.show(1, lamp)


def test_all_go_out_even_if_one_fails(factory, changes, monkeypatch):
    lit = GpiozeroLamps(WIRING, factory)
    for place in (0, 1):
        lit.show(place, Lamp.ON)
    with monkeypatch.context() as patched:
        patched.setattr(factory.pin(5), "close", broken)
        with pytest.raises(DeviceError, match=r"^\[lamps\]: unknown handle"):
            lit.close()
    assert factory.pin(6).function == "input"  # nothing drives it any more
    factory.pin(5).close()
