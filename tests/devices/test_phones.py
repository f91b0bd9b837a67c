"""Tests phones with the real server on loopback."""

import errno
import json
import re
import ssl
import subprocess
import time
from dataclasses import replace
from hashlib import sha256
from html import unescape
from http.client import HTTPConnection, HTTPSConnection
from types import SimpleNamespace

import pytest

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ, Lamp
from companion.core.errors import OptionError
from companion.core.place import Place, TouchArea
from companion.core.signal import ASKED, NAMED, PLUG, UNPLUG
from companion.devices.errors import DeviceError
from companion.devices.findings import Machine
from companion.devices.phones import phones as module
from companion.devices.phones import server
from companion.devices.phones.driver import look
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones, line_of
from companion.devices.phones.words import words_in
from tests.phone_sim import WAIT_S, SimPhone, wait_for

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


def test_scanning_a_code_gives_the_phone_its_seat(phones, told):
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


def test_table_code_gives_each_phone_a_free_seat(phones):
    phones.invite([SECOND, Place(3)])
    address = phones.table_code.address
    assert address.endswith(f"t#{phones.table_code.letters}")
    with SimPhone(address) as one:
        wait_for(lambda: phones.places == (SECOND,))
        with SimPhone(address) as other:
            wait_for(lambda: phones.places == (SECOND, Place(3)))
            wait_for(lambda: [page.settings.get("seat") for page in (one.page, other.page)] == ["2", "4"])
            with SimPhone(address) as third:
                wait_for(lambda: third.refused)
            assert (phones.free, phones.table_code) == ((), None)
            wait_for(lambda: one.codes == [4000])  # joined, and connects again by a secret of its own
            one.reload()
            wait_for(lambda: len(one.codes) > 1 and not phones.troubles)
            assert not one.refused, "each phone has a secret of its own"


def test_table_code_expires_when_no_seat_is_free(phones):
    phones.invite([FIRST])
    code = phones.table_code
    phones.invite([])
    with SimPhone(code.address) as phone:
        wait_for(lambda: phone.refused)
    phones.invite([FIRST])
    assert phones.table_code.letters != code.letters
    assert code.letters not in repr((code, phones))


def test_phone_can_move_only_to_a_free_seat(phones, told):
    with joined(phones) as phone, joined(phones, SECOND):
        phone.say_name("Zoe")
        wait_for(lambda: phones.names == {FIRST: "Zoe"})
        phones.invite([Place(3)])
        phone.sit(2)  # somebody sits there
        phone.sit(5)  # this seat is not open
        phone.sit(4)
        wait_for(lambda: phones.places == (SECOND, Place(3)) and not phones.troubles)
        assert phones.names == {}
        told.clear()
        phone.key("7")
        wait_for(lambda: "7" in controls(told, Place(3)))
        assert phone.page.settings["seat"] == "4"


def test_phones_typed_name_becomes_its_seats_name(phones, told):
    with joined(phones) as phone:
        phone.say_name(" Zoe", "\u0308  L")
        wait_for(lambda: phones.names == {FIRST: "Zoë L"})
        wait_for(lambda: phone.page.settings.get("named") == "1 ")
        assert [signal.control for signal in told if not signal.pressed].count(NAMED) == 2, "joined, and named"
        phone.say_name("Zoë L")
        wait_for(lambda: phone.page.settings.get("named") == "2 ")
        assert [signal.control for signal in told if not signal.pressed].count(NAMED) == 2
        phones.give_free(FIRST)
        assert phones.names == {}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("  ",), "a name is empty"),
        (("A" * 12, "A" * 13), "a name has up to 24 characters; "),
        (("\u200d",), "the screens cannot show U+200D ZERO WIDTH JOINER"),
        (("x" * 60,) * 9, "a name has up to 24 characters; "),
    ],
)
def test_phone_is_told_why_its_name_is_refused(phones, typed, why):
    with joined(phones) as phone:
        phone.say_name(*typed)
        wait_for(lambda: phone.page.settings.get("named", "").startswith(f"1 {why}"))
        assert phones.names == {}


def test_name_refusal_is_in_the_seats_language(phones):
    with joined(phones) as phone:
        phones.wish(FIRST, language="fr")
        phone.say_name("A" * 25)
        wait_for(lambda: phone.page.settings.get("named", "").startswith("1 un nom a 24 caractères au plus"))


def test_phone_with_coarse_clock_counts_by_arrival(phones, told):
    with SimPhone(phones.invite([FIRST])[FIRST].address, grain_us=100_000) as phone:
        wait_for(lambda: FIRST in phones.places and not phones.troubles, "joining")
        wait_for(lambda: phone.page.settings.get("clock") == "arrival")
        assert phones.coarse_us == {FIRST: 100_000}
        found = [str(each.found) for each in look(phones._options, Machine(), phones)]
        assert "its browser's clock has steps of 100.0 ms: its presses count when they arrive" in found
        phone.page.settings.clear()
        phone.page.grain_us = 1_000
        phone.reload()
        wait_for(lambda: not phones.coarse_us and not phones.troubles, "another session")
        assert "clock" not in phone.page.settings


def mark(png):
    return sha256(png).hexdigest()[:16].upper()


def test_page_gets_pictures_once_its_size_is_known(phones):
    with joined(phones) as phone, joined(phones, SECOND) as other:
        assert phones.picture_sizes == {}
        phone.show_pictures(700, 400)
        wait_for(lambda: phones.picture_sizes)
        assert [*phones.picture_sizes] == [FIRST]
        assert phones.picture_sizes[FIRST][:2] == (700, 400)
        for png, said in ((b"a hand", "Hand 152"), (b"a bid", "Hand 132")):
            phones.describe(FIRST, said)
            phones.picture(FIRST, png)
            wait_for(lambda: phone.pictures[-1:] == [b"[]\n" + png])  # noqa: B023  at once
            wait_for(lambda: phone.page.settings.get("picture") == mark(b"[]\n" + png))  # noqa: B023
            assert phone.page.settings["held"] == said
        phones.describe(FIRST, "")
        phones.picture(FIRST, b"")
        wait_for(lambda: phone.page.settings["picture"] == "none" and phone.page.settings["held"] == "")
        assert phone.pictures == [b"[]\na hand", b"[]\na bid"]
        assert other.pictures == []
        assert {"picture", "held"}.isdisjoint(other.page.settings)


def test_returning_page_gets_only_the_newest_picture(phones):
    with joined(phones) as phone:
        phone.show_pictures(700, 400)
        wait_for(lambda: phones.picture_sizes)
        phone.offline()
        wait_for(lambda: FIRST in phones.troubles)
        for n in range(3):
            phones.describe(FIRST, str(n))
            phones.picture(FIRST, b"picture %d" % n)
        phone.online()
        wait_for(lambda: phone.pictures and phone.page.settings.get("held") == "2")
        phone.reload()
        wait_for(lambda: len(phone.pictures) > 1)
        assert phone.pictures == [b"[]\npicture 2"] * 2


def test_picture_comes_with_its_touch_areas(phones):
    with joined(phones) as phone, joined(phones, SECOND) as other:
        phone.show_pictures(700, 400)
        wait_for(lambda: phones.picture_sizes)
        phones.picture(
            FIRST, b"a hand", [TouchArea("3A", "Carte 3a …", (0.1, 0.2, 0.3, 0.4)), TouchArea("#", "Lock")]
        )
        wait_for(lambda: phone.pictures)
        touches, _, png = phone.pictures[0].partition(b"\n")
        assert png == b"a hand"
        assert json.loads(touches) == [
            {"keys": "3A", "label": "Carte 3a …", "area": [0.1, 0.2, 0.3, 0.4]},
            {"keys": "#", "label": "Lock", "area": None},
        ]
        wait_for(lambda: phone.page.settings.get("picture") == mark(phone.pictures[0]))
        assert other.pictures == []


def test_freed_seat_shows_no_picture_to_next_phone(phones):
    with joined(phones) as first:
        first.show_pictures(700, 400)
        wait_for(lambda: phones.picture_sizes)
        screen = phones.picture_sizes[FIRST].screen
        phones.describe(FIRST, "Hand 152")
        phones.picture(FIRST, b"a hand")
        phones.give_free(FIRST)
        wait_for(lambda: first.refused)
        with joined(phones) as second:
            second.show_pictures(700, 400)
            wait_for(lambda: phones.picture_sizes)
            assert phones.picture_sizes[FIRST].screen != screen
            second.key("7")
            second.reload()
            wait_for(lambda: 4000 in second.codes and FIRST not in phones.troubles)
            assert second.pictures == []
            assert "held" not in second.page.settings


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ((64, 64), (160, 160)),
        ((700, 90), (700, 160)),
        ((4096, 4096), (774, 774)),
        ((1179, 1200), (767, 781)),
        ((63, 400), None),
        ((400, 4097), None),
        ((0, 0), None),
    ],
)
def test_picture_size_is_limited_to_the_pixel_maximum(phones, said, shown):
    with joined(phones) as phone:
        phone.show_pictures(*said)
        phone.key("1")
        wait_for(lambda: phones._phones[FIRST].picture_px or not shown)
        assert {place: size[:2] for place, size in phones.picture_sizes.items()} == (
            {FIRST: shown} if shown else {}
        )


def test_seat_code_works_once(phones):
    address = phones.invite([FIRST])[FIRST].address
    with SimPhone(address) as first:
        wait_for(lambda: FIRST in phones.places)
        with SimPhone(address) as second:
            wait_for(lambda: second.refused)
            assert second.codes == [4001]
        assert first.codes[0] == 4000


def test_code_for_a_closed_place_is_refused(phones):
    address = phones.invite([FIRST])[FIRST].address
    phones.invite([])
    with SimPhone(address) as phone:
        wait_for(lambda: phone.refused)
    assert not phones.places


def test_freed_seat_goes_to_the_next_phone(phones):
    with joined(phones) as first:
        phones.give_free(FIRST)
        wait_for(lambda: first.refused)
        with joined(phones) as second:
            assert second.codes == [4000]


def test_keys_pressed_offline_arrive_once_in_order(phones, told):
    with joined(phones) as phone:
        phone.offline()
        wait_for(lambda: UNPLUG in controls(told))
        for key in "314159":
            phone.key(key)
        phone.online()
        wait_for(lambda: "9" in controls(told) and FIRST not in phones.troubles)
        phone.reload()
        phone.key("2")
        wait_for(lambda: "2" in controls(told))  # before the reload or after it
    assert [control for control in controls(told) if control in "0123456789"] == [*"3141592"]


def test_phone_waking_from_sleep_keeps_seat_and_keys(told, monkeypatch):
    monkeypatch.setattr(module, "line_of", lambda wait_ms: line_of(wait_ms)._replace(silence_ns=300_000_000))
    phones = Phones(HERE, told.append, MonotonicClock())
    phones.watch()
    with joined(phones) as phone:
        phone.key("1")
        wait_for(lambda: "1" in controls(told))
        phone.sleep(1.0)
        phone.key("2")
        wait_for(lambda: UNPLUG in controls(told), "silence")
        wait_for(lambda: "2" in controls(told) and not phones.troubles, "the phone")
        assert [control for control in controls(told) if control in "12"] == ["1", "2"]
        assert phone.codes[-1] in {4004, 1006}
    phones.close()


def test_opening_a_page_twice_disconnects_the_first(phones, told):
    with joined(phones) as phone, SimPhone(phones.invite([SECOND])[SECOND].address) as other:
        wait_for(lambda: SECOND in phones.places and not phones.troubles, "joining")
        other.secret = phone.secret  # a copy of the page's storage, as in another tab
        other.reload()
        wait_for(lambda: 4002 in phone.codes)


def test_seat_follows_the_tab_used_last(phones, told):
    with joined(phones) as phone, SimPhone(phones.invite([SECOND])[SECOND].address) as other:
        wait_for(lambda: SECOND in phones.places and not phones.troubles, "joining")
        phone.key("1")
        wait_for(lambda: "1" in controls(told), "a key here")
        other.restart("0E0F0A0B", phone.secret)  # another tab of the first phone
        wait_for(lambda: 4002 in phone.codes, "the first one is told")
        other.key("2")
        wait_for(lambda: "2" in controls(told), "a key there")
        phone.refused = False  # its screen is touched
        wait_for(lambda: 4002 in other.codes, "the other one is told")
        phone.key("3")
        wait_for(lambda: "3" in controls(told), "a key here again")
        assert [control for control in controls(told) if control in "123"] == ["1", "2", "3"]
        assert 4001 not in phone.codes


def test_occupied_port_is_named_with_a_remedy(phones, told):
    taken = replace(HERE, port=phones.server.port)
    with pytest.raises(DeviceError, match=rf"port {phones.server.port} at 127.0.0.1: .*choose another port"):
        Phones(taken, told.append, MonotonicClock())


def served(phones, path):
    asks = HTTPConnection("127.0.0.1", phones.server.port, timeout=WAIT_S)
    asks.request("GET", path)
    page = asks.getresponse().read().decode()
    asks.close()
    return page


@pytest.mark.parametrize("path", ["/s", "/", "/table"])
def test_page_is_served_in_the_table_language(phones, path):
    assert '<html lang="en">' in served(phones, path)
    assert ">The table companion</title>" in served(phones, path)
    phones.language = "fr"
    page, french = served(phones, path), json.loads(words_in("fr"))
    assert '<html lang="fr">' in page
    said = re.findall(r'>([^<>]*[a-z][^<>]*)<|(?:alt|aria-label)="([^"]+)"', page)
    assert {unescape(text or attribute) for text, attribute in said} <= {*french.values()}
    assert french["The table companion"] in page
    assert path != "/s" or french["This page needs JavaScript."] in page


def test_unusable_certificate_is_named(told, tmp_path):
    path = str(tmp_path / "nothing.pem")
    with pytest.raises(DeviceError, match=r"certificate .*nothing.pem"):
        Phones(replace(HERE, certificate=path, key=path), told.append, MonotonicClock())
    with pytest.raises(OptionError, match="certificate and key belong together"):
        PhoneOptions(certificate=path).check("table.toml")


def test_table_with_a_certificate_serves_https(told, tmp_path):
    certificate, key = tmp_path / "table.pem", tmp_path / "table.key"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-days", "2", "-subj", "/CN=table", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    options = replace(HERE, certificate=str(certificate), key=str(key))
    phones = Phones(options, told.append, MonotonicClock())
    phones.watch()
    try:
        context = ssl.create_default_context(cafile=str(certificate))
        asks = HTTPSConnection("127.0.0.1", phones.server.port, context=context, timeout=WAIT_S)
        asks.request("GET", "/words/en.json")
        assert asks.getresponse().status == 200
        asks.close()
        assert phones.addresses[0].startswith("https://127.0.0.1:")
        assert phones.invite([FIRST])[FIRST].address.startswith(f"{phones.addresses[0]}s#")
    finally:
        phones.close()


def test_phones_are_served_when_listing_interfaces_fails(told, network, monkeypatch, caplog):
    network.own = ("192.168.1.7",)
    phones = Phones(replace(HERE, address=""), told.append, MonotonicClock())
    monkeypatch.setattr(server, "own_addresses", refused)
    phones.watch()
    try:
        wait_for(lambda: "Too many open files" in caplog.text, "the warning")
        assert "companion" in served(phones, "/s")
        assert phones.addresses == (f"http://192.168.1.7:{phones.server.port}/",)
    finally:
        phones.close()


def refused():
    raise OSError(errno.EMFILE, "Too many open files")


@pytest.fixture
def network(monkeypatch):
    """Replace the machine's addresses and its name by Avahi."""
    found = SimpleNamespace(own=(), local="")

    async def local_name(address):
        assert address == found.own[0]
        return found.local

    monkeypatch.setattr(server, "own_addresses", lambda: found.own)
    monkeypatch.setattr(server, "local_name", local_name)
    return found


def test_codes_appear_when_the_table_joins_a_network(told, network):
    phones = Phones(replace(HERE, address=""), told.append, MonotonicClock())
    phones.watch()
    try:
        assert (phones.addresses, phones.invite([FIRST])) == ((), {})
        assert [str(each.found) for each in look(HERE, Machine(), phones)][-1].endswith("is not on a network")
        network.own, network.local = ("192.168.1.7", "10.42.0.1"), "pi.local"
        wait_for(lambda: [signal for signal in told if signal.control == ASKED], "a sign that it is another one")
        port = phones.server.port
        assert phones.addresses == tuple(f"http://{host}:{port}/" for host in (*network.own, network.local))
        assert phones.invite([FIRST])[FIRST].address.startswith(f"http://192.168.1.7:{port}/s#")
        asks = HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
        asks.request("GET", "/s", headers={"Host": f"pi.local:{port}"})
        assert asks.getresponse().status == 200
        asks.close()
    finally:
        phones.close()
    assert len(told) == 1


def test_phones_can_be_switched_off_and_on(phones):
    with joined(phones) as phone:
        phones.turn(on=False)
        wait_for(lambda: phone.codes[-1:] != [4000])
        assert (phones.on, phones.places, phones.addresses, phones.invite([FIRST])) == (False, (), (), {})
    phones.turn(on=True)
    with joined(phones) as again:
        assert again.codes == [4000]


def test_verdict_waits_for_phones_only_once_joined(phones):
    now_ns = time.monotonic_ns()
    assert (phones.settle_ns, phones.settle_most_ns) == (0, 60_000_000)
    with joined(phones):
        assert phones.settle_ns == phones.settle_most_ns == 1_000_000_000
        wait_for(lambda: phones.settled_ns(now_ns) >= now_ns - 500_000_000, "a proof")


def test_doctor_reports_address_certificate_and_uncertainty(phones):
    with joined(phones):
        wait_for(lambda: all(phones.bounds_ns.values()), "a bound")
        found = {str(each.name): str(each.found) for each in look(HERE, Machine(), phones)}
    assert found["[phones]"] == f"at http://127.0.0.1:{phones.server.port}/"
    assert found["[phones] certificate"] == "none: others on the same network can read what phones receive"
    assert re.fullmatch(r"tells presses [0-9.]+ ms apart", found["[phones] seat 1"])


def certified(folder, name, *how):
    """Return options with a self-signed certificate, or one signed by the club's."""
    key, made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"], folder / name
    subject = ["-subj", f"/CN={name}", "-out"]
    if not how:
        command = ["openssl", "req", "-x509", "-days", "2", *key, f"{made}.key", *subject, f"{made}.pem"]
        subprocess.run(command, check=True, capture_output=True)
    else:
        asked = ["openssl", "req", *key, f"{made}.key", *subject, f"{made}.csr"]
        subprocess.run(asked, check=True, capture_output=True)
        signed = ["openssl", "x509", "-req", "-in", f"{made}.csr", "-CA", f"{folder / 'club'}.pem"]
        signed += ["-CAkey", f"{folder / 'club'}.key", "-CAcreateserial", *how, "-out", f"{made}.pem"]
        subprocess.run(signed, check=True, capture_output=True)
    return replace(HERE, certificate=f"{made}.pem", key=f"{made}.key")


def test_doctor_names_certificates_that_phones_reject(tmp_path):
    club = certified(tmp_path, "club")
    # OpenSSL 3.4 has a way to say it, and 3.6 refuses the earlier one.
    known = subprocess.run(["openssl", "x509", "-help"], check=True, capture_output=True, text=True).stderr
    dates = ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"]
    past = dates if "-not_after" in known else ["-days", "-1"]
    good, old = certified(tmp_path, "good", "-days", "2"), certified(tmp_path, "old", *past)

    def told(options):
        (found,) = [each for each in look(options, Machine(), None) if "certificate" in str(each.name)]
        return str(found.found)

    assert told(club) == club.certificate
    assert told(good) == good.certificate
    assert told(old) == f"{old.certificate}: it has expired"
    assert "KEY_VALUES_MISMATCH" in told(replace(good, key=club.key))


def test_doctor_reports_nothing_while_phones_are_off():
    assert list(look(PhoneOptions(), Machine(), None)) == []


def test_each_language_has_the_words_of_the_page():
    english, french = (json.loads(words_in(language)) for language in ("en", "fr"))
    assert english.keys() == french.keys()
    assert all(english[word] == word for word in english)
    assert french["Keypad"] == "Pavé"
