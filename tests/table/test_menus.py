"""The lists that the table asks with."""

import dataclasses
from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.menu import BACK, Choice, Item
from companion.core.options import next_value
from companion.core.text import msg
from companion.games import all_games, load
from companion.table.menus import games_menu, pause_menu, result_menu, resume_menu, rulings_menu, sure_menu

GAME = load("buntherum")

THREE = Choice(msg("Which?"), tuple(Item(msg(word), word) for word in ("one", "two", "three")))


def acts(menu: Choice) -> list[str]:
    return [item.act for item in menu.items]


@pytest.mark.parametrize(("control", "act"), [("1", "one"), ("2", "two"), ("3", "three")])
def test_a_digit_takes_its_line(control: str, act: str) -> None:
    menu, item = THREE.press(control)
    assert item is not None
    assert (item.act, menu.selected) == (act, int(control) - 1)


@pytest.mark.parametrize("control", ["0", "4", "9", "A", "C", "D", "right", "wrong", "²", ""])
def test_what_has_no_meaning_changes_nothing(control: str) -> None:
    assert THREE.press(control) == (THREE, None)


@pytest.mark.parametrize("control", [BUZZ, "skip"])
def test_a_buzzer_goes_to_the_next_line_and_round(control: str) -> None:
    menu, seen = THREE, []
    for _ in range(4):
        seen.append(menu.selected)
        menu, item = menu.press(control)
        assert item is None
    assert seen == [0, 1, 2, 0]


@pytest.mark.parametrize("control", ["#", "ok"])
@pytest.mark.parametrize("selected", [0, 2])
def test_ok_takes_the_selected_line(control: str, selected: int) -> None:
    menu, item = THREE._replace(selected=selected).press(control)
    assert item == THREE.items[selected]
    assert menu.selected == selected


@pytest.mark.parametrize("control", ["*", "undo", "pause", "menu"])
def test_back_chooses_nothing(control: str) -> None:
    menu, item = THREE._replace(selected=1).press(control)
    assert item is not None
    assert item.act == BACK
    assert menu.selected == 1


def test_a_menu_of_one_line_stays_on_it() -> None:
    menu = Choice(msg("Which?"), THREE.items[:1])
    assert menu.press(BUZZ) == (menu, None)


def test_games_are_offered_for_as_many_as_sit() -> None:
    offered = {seats: [item.value for item in games_menu(all_games(), seats).items] for seats in (2, 3, 5)}
    assert offered == {
        2: ["boese_buben", "buntherum", "de_et_boulanger"],
        3: ["boese_buben", "buntherum", "buro_crazy"],
        5: ["buntherum", "buro_crazy"],
    }
    assert not games_menu({"buntherum": GAME}, 6).items


def test_rulings_menu_has_a_line_for_each_ruling_and_fits_the_digits() -> None:
    menu = rulings_menu(GAME, GAME.rulings())
    assert acts(menu) == ["start"] + ["ruling"] * len(dataclasses.fields(GAME.rulings))
    assert len(menu.items) <= 9
    assert all(item.detail for item in menu.items)


def test_rulings_menu_says_values_in_words() -> None:
    labels = [str(item.label) for item in rulings_menu(GAME, GAME.rulings(printed_counts=False)).items]
    assert "Printed things count: no" in labels
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


def test_next_value_after_one_that_is_not_suggested_is_the_first() -> None:
    assert next_value(GAME.rulings(declare_s=17), "declare_s").declare_s == 2


def test_pause_offers_only_what_is_possible() -> None:
    assert acts(pause_menu([], correctable=False)) == ["go_on", "settings", "restart", "leave"]
    assert acts(pause_menu(["T nobody"], correctable=True)) == [
        "go_on",
        "undo",
        "correct",
        "settings",
        "restart",
        "leave",
    ]


def test_pause_says_what_an_undo_takes_back() -> None:
    undo = pause_menu(["T call 2", "2 declare 4"], correctable=True).items[1]
    assert str(undo.detail) == "Takes back: T call 2, 2 declare 4"


def test_sure_begins_with_no() -> None:
    assert acts(sure_menu(msg("Leave?"), "sure_leave")) == [BACK, "sure_leave"]


def test_resume_and_result() -> None:
    menu = resume_menu(msg("Buntherum, 12 moves"), Path("12.record"))
    assert acts(menu) == ["resume", "attract"]
    assert str(menu.items[0].detail) == "Buntherum, 12 moves"
    assert acts(result_menu()) == ["restart", "attract"]
