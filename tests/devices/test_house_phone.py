"""Tests the house's phone with the real server on loopback."""

import json
from collections.abc import Iterator

import pytest

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.place import HOUSE, HouseSheet, Place
from companion.core.signal import ASKED, PLUG, UNPLUG, Signal
from companion.devices.findings import Machine
from companion.devices.phones.driver import look
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from tests.phone_sim import SimPhone, wait_for

FIRST = Place(0)


@pytest.fixture
def told() -> list[Signal]:
    return []


@pytest.fixture
def phones(told: list[Signal]) -> Iterator[Phones]:
    options = PhoneOptions(on=True, port=0, address="127.0.0.1", wait_ms=1_000)
    phones = Phones(options, told.append, MonotonicClock())
    phones.watch()
    yield phones
    phones.close()


def joined(phones: Phones, place: Place = HOUSE) -> SimPhone:
    phone = SimPhone(phones.invite([place])[place].address)
    wait_for(lambda: place in phones.bounds_ns and phones.bounds_ns[place] is not None, "joining")
    return phone


def controls(told: list[Signal], place: Place = HOUSE) -> list[str]:
    return [signal.control for signal in told if signal.place == place]


def test_house_code_gives_the_house_its_controls(phones: Phones, told: list[Signal]) -> None:
    code = phones.invite([HOUSE])[HOUSE]
    assert code.address.endswith(f"/h#{code.letters}")
    with joined(phones) as phone:
        phone.buzz(1)
        phone.say_name("Zoe")
        phone.sit(1)
        for control in ("right", "menu", "7"):
            phone.key(control)
        wait_for(lambda: "7" in controls(told))
        assert [one for one in controls(told) if one != ASKED] == ["right", "menu", "7"]
        assert phone.page.settings["seat"] == "house"
        assert (phones.of_house, phones.places, phones.names) == (True, (), {})
        assert phones.flush(0) == []
        assert phones.settle_ns == 0, "no verdict waits for it"


def test_seat_cannot_press_a_house_control(phones: Phones, told: list[Signal]) -> None:
    with joined(phones, FIRST) as phone:
        for control in ("right", "ok", "off", "7"):
            phone.key(control)
        wait_for(lambda: "7" in controls(told, FIRST))
        assert {"right", "ok", "off"}.isdisjoint(signal.control for signal in told)


def test_table_code_never_gives_the_house(phones: Phones) -> None:
    phones.invite([HOUSE])
    assert (phones.table_code, phones.free) == (None, ())
    phones.invite([HOUSE, FIRST])
    code = phones.table_code
    assert code
    with SimPhone(code.address):
        wait_for(lambda: phones.places == (FIRST,))
        with SimPhone(code.address) as other:
            wait_for(lambda: other.refused)
            assert not phones.of_house


def test_second_phone_needs_the_house_freed(phones: Phones) -> None:
    letters = phones.invite([HOUSE])[HOUSE].letters
    with joined(phones) as phone:
        assert phones.invite([HOUSE]) == {}
        with SimPhone(f"{phone.origin}/h#{letters}") as late:
            wait_for(lambda: late.refused, "the used code is refused")
        phones.give_free(HOUSE)
        wait_for(lambda: phone.refused)
        assert phones.invite([HOUSE])[HOUSE].letters != letters
        with joined(phones) as other:
            assert not other.refused


@pytest.mark.parametrize("alone", [True, False])
def test_match_waits_only_for_the_house_without_buttons(phones: Phones, told: list[Signal], alone: bool) -> None:
    phones.house_alone = alone
    with joined(phones) as phone:
        told.clear()
        phone.offline()
        wait_for(lambda: phones.bounds_ns[HOUSE] is None)
        assert list(map(str, phones.troubles.values())) == alone * [
            "the phone of the house is not responding: open its page again, or scan its code"
        ]
        phone.online()
        wait_for(lambda: phones.bounds_ns[HOUSE] is not None)
        assert controls(told) == alone * [UNPLUG, PLUG]


def test_lost_house_phone_can_be_replaced(phones: Phones, told: list[Signal]) -> None:
    phones.house_alone = True
    with joined(phones) as phone:
        phone.offline()
        wait_for(lambda: HOUSE in phones.troubles)
        with joined(phones) as other:
            assert controls(told)[-1] == PLUG
            phone.online()
            wait_for(lambda: phone.refused)
            other.key("ok")
            wait_for(lambda: "ok" in controls(told))
        assert BUZZ not in controls(told)


def test_returning_phone_ends_the_invitation(phones: Phones) -> None:
    with joined(phones) as phone:
        phone.offline()
        wait_for(lambda: phones.bounds_ns[HOUSE] is None)
        code = phones.invite([HOUSE])[HOUSE]
        phone.online()
        wait_for(lambda: phones.bounds_ns[HOUSE] is not None)
        with SimPhone(code.address) as late:
            wait_for(lambda: late.refused)


def test_only_the_house_gets_its_sheet(phones: Phones) -> None:
    def said(phone: SimPhone) -> list[str]:
        return [json.loads(sent)["own"] for sent in phone.pictures]

    with joined(phones, FIRST) as seat:
        phones.show_house(HouseSheet("Read it out", own="Who was first on the Moon? Armstrong"))
        with joined(phones) as phone:
            wait_for(lambda: said(phone) == ["Who was first on the Moon? Armstrong"], "the newest sheet")
            phones.show_house(HouseSheet("Right or wrong?", own="Armstrong"))
            wait_for(lambda: said(phone)[1:] == ["Armstrong"])
            found = [str(each.name) for each in look(phones._options, Machine(), phones)]
            assert found[-2:] == ["[phones] the house", "[phones] seat 1"]
        assert seat.pictures == []
        assert "Armstrong" not in "".join(seat.heard)


def test_house_text_is_in_no_repr() -> None:
    sheet = HouseSheet("Read it out", own="Armstrong", said="7")
    assert repr(sheet) == "HouseSheet(due='Read it out')"
