"""Tests places with several devices."""

from companion.core.signal import PLUG, UNPLUG, Signal
from companion.devices.plugs import Plugs
from tests.devices.pad_fakes import Heard


def told(*reports: tuple[str, int, str]) -> list[tuple[int, str]]:
    heard = Heard()
    plugs = Plugs(heard.append)
    for source, seat, control in reports:
        plugs.put(Signal(source, seat, control, 0, 0, 0))
    return heard.controls


def test_single_device_is_unplugged_and_plugged_in():
    assert told(("usb", 0, UNPLUG), ("usb", 0, PLUG)) == [(0, UNPLUG), (0, PLUG)]


def test_place_is_plugged_in_with_its_last_device():
    reports = [("usb", 0, UNPLUG), ("gpiod", 0, UNPLUG), ("usb", 0, PLUG), ("gpiod", 0, PLUG)]
    assert told(*reports) == [(0, UNPLUG), (0, UNPLUG), (0, PLUG)]


def test_places_are_independent():
    assert told(("usb", 0, UNPLUG), ("usb", 1, UNPLUG), ("usb", 1, PLUG)) == [(0, UNPLUG), (1, UNPLUG), (1, PLUG)]


def test_other_signals_pass_through():
    assert told(("usb", 0, UNPLUG), ("usb", 1, "5"), ("gpiod", 0, "buzz")) == [(0, UNPLUG), (1, "5"), (0, "buzz")]
