"""The phone's page in Firefox, with the real server."""

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.place import Place
from companion.core.signal import Signal
from companion.devices.phones.phones import Phones
from tests.browser.with_chromium.firefox import BROWSER, Firefox, FirefoxPhone
from tests.browser.with_chromium.page import STORED, wait_for

FIRST = Place(0)
KEYS = "1234567890*#ABCD"
SAID = ["Your bid, Anna", "1 2 5 10 20", "", "12"]


def keys(told: list[Signal]) -> str:
    return "".join(signal.control for signal in told if signal.control in KEYS)


def buzzes(told: list[Signal]) -> set[bool]:
    return {signal.pressed for signal in told if signal.control == BUZZ and not signal.flags}


def test_touches_are_received_and_survive_a_reload(phones: Phones, told: list[Signal], firefox: Firefox) -> None:
    with FirefoxPhone(phones.invite([FIRST])[FIRST].address, firefox) as phone:
        phone.sits()
        for key in KEYS:
            phone.press(key)
        wait_for(lambda: keys(told) == KEYS, "every key once and in order")
        phone.press(BUZZ)
        wait_for(lambda: buzzes(told) == {True, False}, "the buzzer")
        phones.show(FIRST, Lamp.ON)
        phones.say(FIRST, *SAID)
        wait_for(lambda: phone.lamp == "on" and phone.lines == SAID, "showing")
        phone.press("7")
        phone.reload()
        phone.sits().press("8")
        wait_for(lambda: keys(told) == f"{KEYS}78", "each key once")
        wait_for(lambda: phone.lamp == "on" and phone.lines == SAID, "the screen as before")


@pytest.mark.skipif(not BROWSER, reason="there is no Firefox")
def test_phone_without_site_data_gets_a_seat(phones: Phones, told: list[Signal]) -> None:
    address = phones.invite([FIRST])[FIRST].address
    with Firefox(keeps_nothing=True) as browser, FirefoxPhone(address, browser) as phone:
        assert phone.of(STORED) is False
        phone.sits().press("7")
        wait_for(lambda: keys(told) == "7", "a key")
        phone.reload()
        wait_for(lambda: phone.notice.startswith("This browser does not keep site data."), "the sentence")
