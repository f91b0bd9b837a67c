"""The house on a phone: what its page says, and what its presses do."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config.sections import CardOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.console import Keyed
from companion.core.move import TABLE
from companion.core.place import HOUSE, Place, each_place
from companion.core.text import Text
from companion.devices.driver import Device, Driver
from companion.devices.lines import NOT_WIRED, HouseWiring
from companion.devices.phones.secret import SeatCode
from companion.devices.wiring import Wiring
from companion.display.frame import JoinPage, Menu, Play, Poster
from companion.games import load
from companion.match.new_match import NAMES, new_match
from companion.screens.overlays import Card
from tests.host_bench import FakeClock, dropped
from tests.phone_room import PhoneBench, Room

ALONE = Wiring(HouseWiring(NOT_WIRED, NOT_WIRED, NOT_WIRED, NOT_WIRED))
"""The house has no buttons."""

pytestmark = pytest.mark.usefixtures("fixed_secrets")


class FakeServer:
    """A network that nobody uses."""

    addresses = ("http://192.168.1.7:8123/",)

    def code(self, path: str, token: str, letters: str = "") -> SeatCode:
        return SeatCode(f"{self.addresses[0]}{path}#{token}", ("1",), letters)

    def wake(self) -> None: ...

    def close(self) -> None: ...


class Table:
    """Two players and the house, each at a phone. `sheet` is what the house's page says now."""

    def __init__(self, folder: Path, game: str = "buntherum", wiring: Wiring | None = None, **rulings: Any) -> None:
        self.room = Room(FakeClock(), [*each_place(2), HOUSE])
        self.room.phones.server = FakeServer()  # type: ignore[assignment]
        self.sheet: dict[str, Any] = {}
        self.heard: list[tuple[Place, bytes]] = []
        self.room.sent = self._sent
        found = load(game)
        match = new_match(found, NAMES[:2], rulings=found.rulings(**rulings), deal="table")
        config = TableConfig(
            wiring=wiring or Wiring(), cards=CardOptions("table"), pace=PaceOptions(nudge_s=0, sound_s=0)
        )
        self.bench = PhoneBench(folder, self.room, config=config, match=match)
        self.bench.wait(0.5)

    def _sent(self, place: Place, said: bytes) -> None:
        self.heard.append((place, said))
        if place == HOUSE and said.startswith(b"{"):
            self.sheet = json.loads(said)

    def press(self, *controls: str, place: Place = HOUSE) -> None:
        for control in controls:
            self.room.press(place, control)
            self.bench.wait(0.6)

    @property
    def screen(self) -> Any:
        return self.bench.screen

    @property
    def console(self) -> Any:
        session = self.bench.host.session
        assert session
        return session.console

    def lit(self) -> dict[str, str]:
        return dict(self.sheet["controls"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    made: list[Table] = []

    def begun(*given: Any, **options: Any) -> Table:
        made.append(Table(tmp_path, *given, **options))
        return made[-1]

    yield begun
    for one in made:
        one.bench.host.close()
        one.room.hardware.close()


def test_house_referees_a_match_from_its_page(table: Callable[..., Table]) -> None:
    one = table(open="ok", judged_by="house")
    assert one.sheet["due"] == "Who is youngest? House: 1 to 2"
    assert (one.sheet["touches"], one.sheet["keys"]) == ([["1", "1 Anna"], ["2", "2 Ben"]], True)
    one.press("2")
    assert (one.sheet["due"], one.lit()["ok"]) == ("House: ok when the card is turned", "Next card")
    assert (one.sheet["touches"], one.sheet["keys"]) == ([], False)
    one.press("ok")
    assert one.lit()["skip"] == "Nobody wants the card"
    assert one.sheet["points"] == "Anna\N{NO-BREAK SPACE}13 · Ben\N{NO-BREAK SPACE}13"
    one.press("buzz", "1", place=Place(0))
    assert one.sheet["due"] == "House: right or wrong?"
    one.press("right")
    assert one.bench.match.moves[-1].verb == "judge"
    assert one.sheet["own"] == ""


def test_refused_press_is_explained_on_the_page(table: Callable[..., Table]) -> None:
    one = table()
    one.press("skip")
    assert one.sheet["said"].startswith("skip does nothing now; the house can use: ")


def test_keypad_is_there_for_what_is_not_asked(
    table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = table(open="ok", judged_by="house")
    one.press("2")
    assert not one.sheet["keys"]
    monkeypatch.setattr(one.console, "key", lambda view, seat, key, entries: Keyed(key))
    one.press("pause", "1")
    assert one.sheet["keys"]
    assert one.sheet["due"] == "House: ok when the card is turned"


def test_menu_lines_can_be_touched(table: Callable[..., Table]) -> None:
    one = table()
    one.press("pause")
    assert isinstance(one.screen, Menu)
    assert (one.sheet["due"], one.sheet["touches"][0]) == ("Pause", ["1", "1 Go on"])
    one.press("1")
    assert isinstance(one.screen, Play)
    assert one.sheet["due"].startswith("Who")


def test_message_is_read_on_the_page(table: Callable[..., Table]) -> None:
    one = table()
    poster = Poster("What was it really?", ("1. Anna begins",), "To give up: undo")
    one.bench.host.frames.overlays.push(Card(lambda: poster))
    one.bench.wait(0.1)
    assert [one.sheet[part] for part in ("due", "said", "points")] == [poster.title, *poster.lines, poster.hint]


def test_only_the_house_reads_its_own_text(table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    one = table()
    game = one.bench.match.game
    view: Any = game.rules.view
    private = game.console.private

    def houses(state: Any, seat: Any) -> Any:
        return view(state, seat)._replace(you=TABLE) if seat == TABLE else view(state, seat)

    def own(seen: Any, entry: str) -> Text | None:
        return Text("Armstrong") if seen.you == TABLE else private(seen, entry)

    monkeypatch.setattr(game.rules, "view", houses)
    monkeypatch.setattr(game.console, "private", own)
    monkeypatch.setattr(one.console, "private", own)
    one.press("3")
    assert one.sheet["own"] == "Armstrong"
    assert {place for place, said in one.heard if b"Armstrong" in said} == {HOUSE}
    assert "Armstrong" not in str(one.bench.frames)


def test_lost_phone_of_the_only_house_pauses(table: Callable[..., Table]) -> None:
    one = table(wiring=ALONE)
    one.room.end(HOUSE)
    one.bench.wait(0.1)
    assert isinstance(one.screen, JoinPage)
    assert one.screen.title == "The match waits"
    assert one.screen.lines[-1].startswith("the phone of the house is not responding")
    one.room.begin(HOUSE)
    one.bench.wait(0.5)
    assert isinstance(one.screen, Play)
    assert not one.room.phones._tokens


def test_match_goes_on_beside_a_house_with_buttons(table: Callable[..., Table]) -> None:
    one = table()
    one.room.end(HOUSE)
    one.bench.wait(0.1)
    assert isinstance(one.screen, Play)


def test_pause_menu_frees_the_house_for_another_phone(table: Callable[..., Table]) -> None:
    one = table()
    one.bench.house("pause")
    one.room.end(HOUSE)
    one.bench.take("The house: its page is not responding")
    assert not one.room.phones.of_house
    one.bench.take("The house's phone")
    assert isinstance(one.screen, JoinPage)
    assert one.screen.any_seat
    assert one.room.phones._tokens
    one.bench.house("*")
    assert not one.room.phones._tokens


# --- A match that was interrupted ---------------------------------------------------------------------------


def killed(folder: Path) -> PhoneBench:
    """Return a table that starts again after a match of two phones."""
    one = Table(folder)
    one.press("2")
    dropped(one.bench)
    one.room.hardware.close()
    room = Room(FakeClock(), [])
    room.phones.server = FakeServer()  # type: ignore[assignment]
    return PhoneBench(folder, room)


@pytest.mark.parametrize("way", ["offer", "list"])
def test_resumed_match_invites_its_phones_again(tmp_path: Path, way: str) -> None:
    bench = killed(tmp_path)
    if way == "list":
        bench.visit("Past matches").press(HOUSE, "1")
    bench.press(HOUSE, str(bench.menu.items.index("Resume it") + 1))
    assert isinstance(bench.screen, JoinPage)
    assert [code.name for code in bench.screen.codes] == list(NAMES[:2])
    for place in each_place(2):
        bench.room.join(place)
        bench.wait(0.2)
    assert bench.poster.lines == ("All phones have joined",)
    bench.press(HOUSE, "#")
    assert bench.menu.title == "Pause"
    assert bench.host.session
    assert bench.host.session.wired == {0, 1}
    assert bench.room.phones.free == ()


def test_resumed_match_goes_on_without_a_lost_phone(tmp_path: Path) -> None:
    bench = killed(tmp_path)
    bench.press(HOUSE, "1")
    bench.room.join(Place(1))
    bench.press(HOUSE, "#")
    assert bench.menu.title == "Pause"
    assert bench.room.phones.free == ()


# --- A phone beside a button --------------------------------------------------------------------------------


class Button(Device):
    """A button of the first seat, which keeps working."""

    source, places, joins_phones = "button", (Place(0),), True


def test_match_waits_for_a_phone_only_while_keys_are_due(tmp_path: Path) -> None:
    room = Room(FakeClock(), [*each_place(2)], Driver("button", {}, lambda *_: iter([Button()])))
    game, box = load("any"), '[[rounds]]\nkind = "first"\n[[rounds]]\nkind = "sealed"\n'
    bench = PhoneBench(tmp_path, room, match=new_match(game._replace(box_text=box * 2), NAMES[:2]))
    bench.wait(0.5)

    def waits() -> bool:
        bench.wait(5)
        return isinstance(bench.screen, Poster)

    room.end(Place(0))
    assert not waits(), "a buzzer suffices"
    bench.press(HOUSE, "skip")
    assert waits()
    assert bench.poster.lines == ("the phone of seat 1 is not responding: open its page again",)
    room.begin(Place(0))
    assert not waits()
    for control in "7#":
        room.press(Place(0), control)
        bench.wait(0.6)
    room.end(Place(0))
    assert not waits(), "its number is locked"
    assert bench.view.keyed == (True, False)
    for control in "9#":
        room.press(Place(1), control)
        bench.wait(0.6)
    assert not waits()
    bench.press(HOUSE, "skip")
    assert waits()
    bench.host.close()
    room.hardware.close()
