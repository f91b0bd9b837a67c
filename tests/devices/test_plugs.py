"""A place with several devices is plugged in when all of them are."""

from companion.core.signal import PLUG, UNPLUG, Signal
from companion.devices.plugs import Plugs
from tests.devices.pad_fakes import Heard


def told(*reports: tuple[str, int, str]) -> list[tuple[int, str]]:
    heard = Heard()
    plugs = Plugs(heard.append)
    for source, seat, control in reports:
        plugs.put(Signal(source, seat, control, 0, 0, 0))
    return heard.controls


def test_one_device_comes_and_goes():
    assert told(("usb", 0, UNPLUG), ("usb", 0, PLUG)) == [(0, UNPLUG), (0, PLUG)]


def test_the_last_device_that_is_back_makes_it_whole():
    reports = [("usb", 0, UNPLUG), ("gpiod", 0, UNPLUG), ("usb", 0, PLUG), ("gpiod", 0, PLUG)]
    assert told(*reports) == [(0, UNPLUG), (0, UNPLUG), (0, PLUG)]


def test_another_place_is_another_matter():
    assert told(("usb", 0, UNPLUG), ("usb", 1, UNPLUG), ("usb", 1, PLUG)) == [(0, UNPLUG), (1, UNPLUG), (1, PLUG)]


def test_everything_else_passes():
    assert told(("usb", 0, UNPLUG), ("usb", 1, "5"), ("gpiod", 0, "buzz")) == [(0, UNPLUG), (1, "5"), (0, "buzz")]
