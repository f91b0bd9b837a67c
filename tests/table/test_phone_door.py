"""The phone menu, the codes to join, and names typed on phones."""

from types import SimpleNamespace

import pytest

from companion.config.sections import DisplayOptions, LastOptions
from companion.config.settings import Settings
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.place import HOUSE, Place
from companion.core.signal import ASKED, NAMED
from companion.core.text import msg
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.virtual import VirtualSound
from companion.display.frame import JoinPage
from companion.games import load
from companion.match.seat_panels import Controls
from companion.match.seating import Sitter, Wanted
from companion.table.phone_door import PhoneDoor
from tests.host_bench import Bench
from tests.phone_sim import SimPhone, wait_for

SECOND = Place(1)
no_page = lambda overlay: None  # noqa: E731
EMPTY = Wanted().seating({"buntherum": load("buntherum")}, ())


class FakeHardware:
    """A wired buzzer at the first place, and phones."""

    def __init__(self, phones):
        self.phones = phones

    def of(self, kind):
        return self.phones

    @property
    def full_places(self):
        return (Place(0), *self.phones.places)


@pytest.fixture
def phones():
    phones = Phones(PhoneOptions(on=True, port=0, address="127.0.0.1"), lambda _: None, MonotonicClock())
    phones.watch()
    yield phones
    phones.close()


@pytest.fixture
def door(phones):
    settings = Settings(TableConfig(), VirtualSound(MonotonicClock()))
    return PhoneDoor(SimpleNamespace(hardware=FakeHardware(phones), settings=settings))


def labels(door):
    return [str(item.label) for item in door.menu(no_page).items]


def shown(door, seating=EMPTY):
    page = door.invite(seating, msg("Who plays?"), hint=msg("Back"))
    return [code.name for code in page.codes] if page else None


def test_codes_cover_buzzerless_seats_until_a_match(door, phones):
    assert shown(door) == ["Seat 2", "Seat 3", "Seat 4", "Seat 5"]
    with SimPhone(phones.invite([SECOND])[SECOND].address):
        wait_for(lambda: phones.places == (SECOND,))
        assert shown(door) == ["Seat 3", "Seat 4", "Seat 5"]
    door.shut()
    assert phones._tokens == {}


def test_phones_are_not_invited_to_occupied_seats(door, phones):
    seating = EMPTY.press(SECOND, "B").press(Place(3), BUZZ)
    assert shown(door, seating) == ["Seat 3", "Seat 5"]
    assert phones.free == (Place(2), Place(4))
    for place in phones.free:
        seating = seating.press(place, BUZZ)
    assert shown(door, seating) is None
    assert (phones.free, phones.table_code) == ((), None)


def test_menu_shows_the_accuracy_and_frees_the_seat(door, phones):
    with SimPhone(phones.invite([SECOND])[SECOND].address) as phone:
        wait_for(lambda: phones.bounds_ns.get(SECOND))
        assert labels(door)[0] == "Phones: on"
        assert labels(door)[2].startswith("Seat 2: tells presses ")
        door.menu(no_page).items[2].act()
        wait_for(lambda: phone.refused)
    assert labels(door) == ["Phones: on", "The house's phone"]


def test_menu_switches_phones(door, phones):
    door.menu(no_page).items[0].act()
    assert labels(door) == ["Phones: off"]
    assert shown(door) is None
    door.menu(no_page).items[0].act()
    assert shown(door) == ["Seat 2", "Seat 3", "Seat 4", "Seat 5"]


def test_table_without_a_network_shows_no_codes(door, phones, monkeypatch):
    monkeypatch.setattr(type(phones.server), "addresses", ())
    page = door.invite(EMPTY, msg("Who plays?"), hint=msg("Back"))
    assert page.codes == ()
    assert page.lines[0].startswith("Phones cannot join: the table is not on a network.")
    assert str(door.menu(no_page).items[0].detail) == page.lines[0]
    monkeypatch.setattr(type(phones.server), "addresses", ("http://192.168.1.7:1/", "http://10.42.0.1:1/"))
    page = door.invite(EMPTY, msg("Who plays?"), hint=msg("Back"))
    assert "on the same Wi-Fi, or open http://192.168.1.7:1/t and type" in page.lines[0]
    assert page.any_seat.letters.replace("-", "") == phones.table_code.letters
    assert phones.table_code.letters not in repr(page).replace("-", "")
    assert str(door.menu(no_page).items[0].detail).endswith("at http://192.168.1.7:1/, http://10.42.0.1:1/")


def test_phone_page_receives_its_appearance(door, phones):
    with SimPhone(phones.invite([SECOND])[SECOND].address) as phone:
        wait_for(lambda: phones.places == (SECOND,))
        phones.invite([Place(2)])
        controls = {SECOND: Controls(keys=False, buzzer=False)}
        door.follow([None, Sitter("Zoe"), None, None, None], controls)
        wait_for(lambda: len(phone.page.settings) == 8)
        look = {"language": "en", "contrast": "usual", "text": "usual", "keys": "none", "buzzer": "small"}
        assert phone.page.settings == {"seat": "2", "you": "Zoe", "free": "3", **look}


def test_pages_are_served_in_the_table_language(door, phones):
    door._settings = Settings(TableConfig(display=DisplayOptions(language="fr")), VirtualSound(MonotonicClock()))
    door.follow([None] * 5, {})
    assert phones.language == "fr"


def test_table_without_phones_has_no_menu_line():
    services = SimpleNamespace(hardware=None, settings=Settings(TableConfig(), VirtualSound(MonotonicClock())))
    door = PhoneDoor(services)
    assert (door.item(lambda: None), shown(door)) == ([], None)


def test_codes_are_redrawn_after_an_address_change(tmp_path, monkeypatch):
    bench, address = Bench(tmp_path), ["127.0.0.1"]
    pages = lambda seating, title, *lines, hint: JoinPage("Who plays?", (), (f"in the Wi-Fi of {address[0]}",), "")  # noqa: E731
    monkeypatch.setattr(bench.host.frames.door, "invite", pages)
    bench.host.frames.refresh()
    bench._flip()
    assert bench.screen.lines == ("in the Wi-Fi of 127.0.0.1",)
    address[0] = "192.168.1.7"
    bench.hand(HOUSE, ASKED, source="phone")
    assert bench.screen.lines == ("in the Wi-Fi of 192.168.1.7",)


# --- Names ------------------------------------------------------------------------------------------------


class NamedPhones(SimpleNamespace):
    """Phones with typed names."""

    def refuse_name(self, place, why):
        del self.names[place]
        self.refused.append((place, str(why)))

    def invite(self, places):
        self.invited = list(places)
        return {}


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.host.frames.door.phones = NamedPhones(names={}, places=(), refused=[], on=False)
    return bench


def name(bench, place, said):
    """Report a name typed at a place, or that its phone left."""
    phones = bench.host.frames.door.phones
    phones.names = {at: name for at, name in {**phones.names, place: said}.items() if name}
    phones.places = tuple(phones.names)
    bench.hand(place, NAMED, pressed=False, source="phone")


def names_of(bench):
    return [side.name for side in bench.frame.sides]


def test_typed_name_seats_a_player(bench):
    name(bench, SECOND, "Zoe")
    name(bench, Place(3), "Max")
    assert names_of(bench) == ["", "Zoe", "", "Max", ""]
    assert [side.lit for side in bench.frame.sides] == [False, True, False, True, False]
    name(bench, SECOND, "Zoë")
    name(bench, Place(3), None)
    assert names_of(bench) == ["", "Zoë", "", "", ""]
    bench.press(SECOND, BUZZ)
    assert names_of(bench) == [""] * 5
    bench.press(SECOND, BUZZ)
    assert names_of(bench)[1] == "Zoë", "who stands up for a moment keeps the name"


def test_name_of_another_player_is_refused(bench):
    name(bench, SECOND, "Zoe")
    name(bench, Place(3), "Zoe")
    assert bench.host.frames.door.phones.refused == [(3, "Zoe is already at seat 2. Choose another name.")]
    assert names_of(bench) == ["", "Zoe", "", "", ""]


def test_robot_with_the_same_name_is_renamed(bench):
    bench.press(SECOND, BUZZ, "C")
    robot = bench.frame.sides[2].name
    name(bench, Place(3), robot)
    assert bench.frame.sides[3].name == robot
    assert bench.frame.sides[2].name not in {"", robot}


def test_name_typed_in_a_match_counts_after_it(bench):
    bench.sit(3, "Büro Crazy", "Start")
    before = names_of(bench)
    name(bench, Place(0), "Zoe")
    assert names_of(bench) == before
    name(bench, Place(3), "Max")
    bench.choose("Start again", "Yes")
    assert names_of(bench) == ["Zoe", "Ben", "Cleo"]


def test_codes_are_shown_only_for_free_seats(bench):
    phones = bench.host.frames.door.phones
    phones.on, phones.table_code = True, None
    bench.host.frames.door._hardware = SimpleNamespace(full_places=())
    bench.press(SECOND, BUZZ)
    bench.press(SECOND, "*")
    assert phones.invited == [0, 2, 3, 4]


def test_returning_player_may_join_at_another_seat(tmp_path):
    last = LastOptions("buntherum", ("Anna", "Ben"), ("", ""))
    bench = Bench(tmp_path, config=TableConfig(last=last))
    bench.host.frames.door.phones = NamedPhones(names={}, places=(), refused=[], on=False)
    name(bench, Place(3), "Anna")
    assert names_of(bench) == ["", "Ben", "", "Anna", ""]
    assert bench.host.frames.door.phones.refused == []
