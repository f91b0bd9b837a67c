"""Menus and their pages."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from companion.config import settings
from companion.core.console import BUZZ
from companion.core.handicaps import without_handicaps
from companion.core.menu import Act, Choice, Item, sure_menu
from companion.core.options import next_value, option
from companion.core.text import msg
from companion.display.frame import HelpPage, Menu, Play
from companion.table.house_rules import rulings_menu
from tests import host_bench
from tests.host_bench import GAME, Bench, robots

LEFT: list[str] = []


def leads(word: str) -> Act:
    return lambda: LEFT.append(word)


THREE = Choice(msg("Which?"), tuple(Item(msg(word), leads(word)) for word in ("one", "two", "three")))


def many(count: int) -> Choice:
    return Choice(msg("Which?"), tuple(Item(msg("line {n}", n=n), leads(str(n))) for n in range(1, count + 1)))


def shown(menu: Choice) -> list[str]:
    return [str(item.label) for item in menu.lines]


@pytest.mark.parametrize(("control", "word"), [("1", "one"), ("2", "two"), ("3", "three")])
def test_digit_chooses_its_line(control: str, word: str) -> None:
    menu, item = THREE.press(control)
    assert (str(item.label), menu.selected) == (word, int(control) - 1)
    assert item.act is THREE.items[menu.selected].act


@pytest.mark.parametrize("control", ["0", "4", "9", "A", "C", "D", "right", "wrong", "²", ""])
def test_meaningless_control_changes_nothing(control: str) -> None:
    assert THREE.press(control) == (THREE, None)


@pytest.mark.parametrize("control", [BUZZ, "skip"])
def test_buzzer_goes_to_the_next_line_and_wraps(control: str) -> None:
    menu, seen = THREE, []
    for _ in range(4):
        seen.append(menu.selected)
        menu, item = menu.press(control)
        assert item is None
    assert seen == [0, 1, 2, 0]


@pytest.mark.parametrize("control", ["#", "ok"])
@pytest.mark.parametrize("selected", [0, 2])
def test_ok_chooses_the_selected_line(control: str, selected: int) -> None:
    menu, item = THREE._replace(selected=selected).press(control)
    assert item == THREE.items[selected]
    assert menu.selected == selected


@pytest.mark.parametrize("control", ["*", "undo", "pause", "menu"])
def test_back_chooses_nothing(control: str) -> None:
    menu, item = THREE._replace(selected=1).press(control)
    assert (item.act, menu.selected) == (None, 1)


@pytest.mark.parametrize("control", ["*", "1", "#"])
def test_going_back_may_have_an_act(control: str) -> None:
    back = leads("back")
    _, item = Choice(msg("Which?"), (Item(msg("Back")),), back=back).press(control)
    assert item.act is back


def test_menu_of_one_line_stays_on_it() -> None:
    menu = Choice(msg("Which?"), THREE.items[:1])
    assert menu.press(BUZZ) == (menu, None)


# --- Several pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "pages"), [(1, [1]), (9, [9]), (10, [5, 5]), (13, [7, 6]), (18, [9, 9]), (20, [7, 7, 6])]
)
def test_page_has_a_line_for_each_digit(count: int, pages: list[int]) -> None:
    menu, found = many(count), []
    for _ in pages:
        found.append(len(menu.lines))
        assert menu.pager.of == len(pages)
        menu, item = menu.press("0")
        assert item is None
    assert found == pages
    assert menu.selected == 0


def test_digit_chooses_a_line_of_the_current_page() -> None:
    second, _ = many(12).press("0")
    assert shown(second) == ["line 7", "line 8", "line 9", "line 10", "line 11", "line 12"]
    menu, item = second.press("2")
    assert item == second.items[7]
    assert (menu.selected, menu.line) == (7, 1)
    assert second.press("7") == (second, None)


def test_buzzer_goes_through_all_pages_and_wraps() -> None:
    menu, seen = many(11), []
    for _ in range(12):
        seen.append((menu.selected, menu.pager.page))
        menu, _ = menu.press(BUZZ)
    assert seen == [(line, line // 6) for line in range(11)] + [(0, 0)]


def twelve_rulings() -> type[Any]:
    """Extend Buntherum's rulings to twelve."""
    names = [f"more_{number}" for number in range(12 - len(without_handicaps(GAME.rulings)))][::-1]
    extra = [(name, bool, option(False, msg("What {name} is", name=name))) for name in names]
    return dataclasses.make_dataclass("Rulings", extra, bases=(GAME.rulings,), frozen=True)


def test_game_of_twelve_rulings_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAME._replace(rulings=twelve_rulings())
    monkeypatch.setattr(host_bench, "all_games", lambda: {game.name: game})
    bench = Bench(tmp_path)
    bench.sit(2)
    bench.press(1, "1")
    assert (bench.menu.title, len(bench.menu.items)) == ("House rules of Buntherum", 6)
    assert bench.menu.pages == "0: next page (1 of 3). *: back"
    bench.press(0, "0", "0", "3")
    assert (bench.menu.pages, bench.menu.selected) == ("0: next page (3 of 3). *: back", 2)
    assert bench.menu.items[2:] == ("more 0: yes", "Handicaps: none")
    bench.press(0, BUZZ, BUZZ)
    assert (bench.menu.pages, bench.menu.selected) == ("0: next page (1 of 3). *: back", 0)
    bench.press(0, "#")
    assert isinstance(bench.screen, Play)
    assert bench.host.session.match.rulings.more_0


def test_settings_beyond_nine_have_a_second_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "IN_MENU", {**settings.IN_MENU, ("display", "drum_ms"): "knob"})
    bench = Bench(tmp_path)
    bench.press(0, "0")
    bench.take("Settings")
    assert (len(bench.menu.items), bench.menu.pages) == (8, "0: next page (1 of 2). *: back")
    bench.press(0, "0")
    before = bench.menu.items
    drum = bench.menu.pictures.index("knob")
    bench.press(0, str(drum + 1))
    assert (bench.menu.pages, bench.menu.selected) == ("0: next page (2 of 2). *: back", drum)
    changed = [line for line, old in zip(bench.menu.items, before, strict=True) if line != old]
    assert changed == [bench.menu.items[drum]]


# --- The menus of the table -------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "grey"), [(2, {2}), (3, {3}), (4, set()), (5, {0, 3})])
def test_list_of_games_is_complete_for_any_number(tmp_path: Path, seats: int, grey: set[int]) -> None:
    bench = robots(tmp_path, seats)
    bench.house("ok", "ok")
    menu = bench.menu
    assert menu.items == ("Böse Buben", "Buntherum", "Büro Crazy", "Dé et Boulanger", "Any other game")
    assert set(menu.grey) == grey
    assert menu.selected not in grey
    assert menu.notes[3] == "Fetch, bake and sell bread, 2 or 4 players, 60 min"


@pytest.mark.parametrize("controls", [("4",), (BUZZ, BUZZ, BUZZ, "#")])
def test_grey_game_says_why_and_is_not_chosen(tmp_path: Path, controls: tuple[str, ...]) -> None:
    bench = robots(tmp_path, 3)
    bench.house("ok", "ok")
    bench.press(0, *controls)
    assert bench.menu.title == "Which game?"
    assert bench.menu.detail.startswith("2 or 4 players are needed")
    bench.press(0, "2")
    assert bench.menu.title == "House rules of Buntherum"


def house_rules(**given: Any) -> Choice:
    return rulings_menu(GAME, GAME.rulings(**given), leads("start"), LEFT.append, None)


def test_rulings_menu_has_one_line_per_ruling() -> None:
    menu, names = house_rules(), without_handicaps(GAME.rulings)
    LEFT.clear()
    for item in menu.items:
        assert item.act
        item.act()
    assert ["start", *names] == LEFT
    assert menu.pager.of == 2
    assert all(item.detail for item in menu.items)


def test_rulings_menu_says_values_in_words() -> None:
    labels = [str(item.label) for item in house_rules(printed_counts=False).items]
    assert "Hexagon pictures count: no" in labels
    assert "Call: buzzer, then key" in labels
    assert not any("_" in label for label in labels)


@pytest.mark.parametrize("field", dataclasses.fields(GAME.rulings), ids=lambda field: field.name)
def test_next_value_goes_through_all_values_and_back(field: "dataclasses.Field[object]") -> None:
    if isinstance(field.default, bool):
        values = {False, True}
    else:
        values = set(field.metadata["choices"] or field.metadata["steps"])
    rulings, seen = GAME.rulings(), []
    for _ in values:
        rulings = next_value(rulings, field.name)
        seen.append(getattr(rulings, field.name))
    assert len(values) > 1
    assert set(seen) == values
    assert rulings == GAME.rulings()


def test_next_value_after_an_unlisted_one_is_first() -> None:
    assert next_value(GAME.rulings(declare_s=17), "declare_s").declare_s == 2


def test_pause_menu_offers_only_what_is_possible(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play()
    bench.house("pause")
    always = ("How to play", "Settings", "Start again", "Leave")
    assert bench.menu.items == ("Go on", *always)
    bench.press(0, "1")
    bench.call(0, bench.fitting()[0])
    bench.house("pause")
    assert bench.menu.items == ("Go on", "Undo", "Correct a move", *always)


def test_confirmation_begins_with_no() -> None:
    act = leads("left")
    lines = sure_menu(msg("Leave?"), act).items
    assert [(str(item.label), item.act) for item in lines] == [("No", None), ("Yes", act)]


def last_page_of_help(bench: Bench) -> str:
    if isinstance(bench.screen, Menu):
        bench.press(0, "A")
    page = bench.screen
    while isinstance(bench.screen, HelpPage):
        page = bench.screen
        bench.press(0, "6")
    return " ".join(text for _, text in page.rows)


def test_handicaps_are_chosen_by_name(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.press(0, BUZZ)
    bench.press(2, BUZZ, "#")
    bench.take("Buntherum", "Handicaps: none")
    assert bench.menu.title == "Handicaps"
    assert bench.menu.items == ("Anna: none", "Cleo: none", "Back")
    bench.take("Cleo", "Cleo: +100 ms", "Back")
    assert "Handicaps: 1 player" in bench.menu.items
    assert "Handicap, Cleo" in last_page_of_help(bench)
    bench.take("Start")
    assert bench.until(bench.open)
    bench.choose("How to play")
    assert "Handicap, Cleo" in last_page_of_help(bench)
    assert bench.match.rulings.handicap_2 == 200
    assert [side.name for side in bench.frame.sides if side.name] == ["Anna", "Cleo"]
    assert [side.badge for side in bench.frame.sides if side.name] == ["", "+200 ms"]
