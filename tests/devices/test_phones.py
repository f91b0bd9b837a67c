"""Phones through the real server on the loopback: who gets a seat, what is heard of it, what comes back."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from phone_sim import SimPhone, wait_for

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ, Lamp
from companion.core.place import Place
from companion.core.signal import PLUG, UNPLUG
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones

HERE = PhoneOptions(on=True, port=0, address="127.0.0.1", wait_ms=1_000)
FIRST, SECOND = Place(0), Place(1)


@pytest.fixture
def told():
    return []


@pytest.fixture
def phones(told):
    phones = Phones(HERE, told.append, MonotonicClock())
    phones.watch()
    yield phones
    phones.close()


def controls(told, place=FIRST):
    return [signal.control for signal in told if signal.place == place and signal.pressed]


def joined(phones, place=FIRST):
    phone = SimPhone(phones.invite([place])[place].address)
    wait_for(lambda: place in phones.places and place not in phones.troubles, "joining")
    return phone


def test_who_scans_a_code_has_its_seat(phones, told):
    with joined(phones) as phone:
        assert phone.codes == [4000]
        phone.buzz(1)
        phone.key("7")
        wait_for(lambda: "7" in controls(told))
        assert PLUG in controls(told)
        assert BUZZ in controls(told)
        phones.show(FIRST, Lamp.BLINK)
        phones.say(FIRST, "Your bid", "", "", "12")
        wait_for(lambda: phone.page.lamp == 2 and phone.page.lines == ["Your bid", "", "", "12"])
        assert phone.page.settings == {"seat": "1"}


def test_a_code_is_worth_something_once(phones):
    address = phones.invite([FIRST])[FIRST].address
    with SimPhone(address) as first:
        wait_for(lambda: FIRST in phones.places)
        with SimPhone(address) as second:
            wait_for(lambda: second.refused)
            assert second.codes == [4001]
        assert first.codes[0] == 4000


def test_a_code_of_a_place_that_is_not_invited_any_more_is_worth_nothing(phones):
    address = phones.invite([FIRST])[FIRST].address
    phones.invite([])
    with SimPhone(address) as phone:
        wait_for(lambda: phone.refused)
    assert not phones.places


def test_a_seat_that_was_given_free_is_the_next_phones(phones):
    with joined(phones) as first:
        phones.give_free(FIRST)
        wait_for(lambda: first.refused)
        with joined(phones) as second:
            assert second.codes == [4000]


def test_what_was_pressed_while_the_network_was_away_arrives_once_and_in_order(phones, told):
    with joined(phones) as phone:
        phone.offline()
        wait_for(lambda: UNPLUG in controls(told))
        for key in "314159":
            phone.key(key)
        phone.online()
        wait_for(lambda: controls(told)[-1:] == ["9"] and FIRST not in phones.troubles)
        phone.reload()
        phone.key("2")
        wait_for(lambda: controls(told)[-1:] == ["2"])
    assert [control for control in controls(told) if control in "0123456789"] == [*"3141592"]


def test_a_phone_that_opens_its_page_twice_is_connected_where_it_was_opened_last(phones, told):
    with joined(phones) as phone, SimPhone(phones.invite([SECOND])[SECOND].address) as other:
        wait_for(lambda: SECOND in phones.places)
        other.secret = phone.secret
        other.reload()
        wait_for(lambda: 4002 in phone.codes)
