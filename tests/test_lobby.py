"""The lists that the table asks with, and the list of who sits where."""

import dataclasses
from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.move import TABLE
from companion.core.options import next_value
from companion.core.text import msg
from companion.games import all_games, load
from companion.lobby import (
    BACK,
    NAME_KEY,
    ONE_MORE_KEY,
    ROBOT_KEY,
    Choice,
    Item,
    Seating,
    Sitter,
    games_menu,
    pause_menu,
    result_menu,
    resume_menu,
    rulings_menu,
    sure_menu,
)

GAME = load("buntherum")
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva")
ROBOTS = ("quick", "slow")
EMPTY = Seating((None,) * 5, NAMES, ROBOTS)

THREE = Choice(msg("Which?"), tuple(Item(msg(word), word) for word in ("one", "two", "three")))


def acts(menu: Choice) -> list[str]:
    return [item.act for item in menu.items]


# --- Choosing ---------------------------------------------------------------------------------------------


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


# --- Sitting ----------------------------------------------------------------------------------------------


def test_a_buzzer_sits_down_and_stands_up() -> None:
    seated = EMPTY.press(2, BUZZ)
    assert seated.places == (None, None, Sitter("Cleo"), None, None)
    assert seated.taken == (2,)
    assert seated.press(2, BUZZ) == EMPTY


def test_nobody_gets_a_name_twice() -> None:
    seating = EMPTY
    for place in (4, 0, 2, 1, 3):
        seating = seating.press(place, BUZZ)
    assert [sitter.name for sitter in seating.places if sitter] == list(NAMES)
    for place in range(5):
        assert seating.press(place, NAME_KEY) == seating  # all five names are in use


def test_the_name_of_a_place_may_be_taken() -> None:
    seating = EMPTY._replace(places=(None, Sitter("Anna"), None, None, None)).press(0, BUZZ)
    assert seating.places[0] == Sitter("Ben")


def test_renaming_goes_through_the_names_that_nobody_has() -> None:
    seating = EMPTY.press(1, BUZZ).press(0, BUZZ)
    seen = []
    for _ in range(4):
        seating = seating.press(0, NAME_KEY)
        assert seating.places[0] is not None
        seen.append(seating.places[0].name)
    assert seen == ["Cleo", "Dan", "Eva", "Anna"]


def test_a_name_from_elsewhere_goes_to_the_first_free_one() -> None:
    seating = EMPTY._replace(places=(Sitter("Robot 1"), Sitter("Anna"), None, None, None)).press(0, NAME_KEY)
    assert seating.places[0] == Sitter("Ben")


def test_who_has_no_buzzer_sits_down_by_the_key_of_the_names() -> None:
    assert EMPTY.press(0, NAME_KEY) == EMPTY.press(0, BUZZ)


def test_robots_cycle_and_end_with_a_person() -> None:
    seating, seen = EMPTY, []
    for _ in range(4):
        seating = seating.press(3, ROBOT_KEY)
        assert seating.places[3] is not None
        seen.append(seating.places[3])
    assert seen == [Sitter("Dan", "quick"), Sitter("Dan", "slow"), Sitter("Dan"), Sitter("Dan", "quick")]


def test_a_person_becomes_a_robot_and_keeps_the_name() -> None:
    assert EMPTY.press(0, BUZZ).press(0, ROBOT_KEY).places[0] == Sitter("Anna", "quick")


def test_one_who_is_alone_seats_robots_at_the_free_places_clockwise() -> None:
    seating = EMPTY.press(3, BUZZ).press(0, BUZZ)
    for taken in ((0, 3, 4), (0, 1, 3, 4), (0, 1, 2, 3, 4)):
        seating = seating.press(3, ONE_MORE_KEY)
        assert seating.taken == taken
    assert [sitter.robot for sitter in seating.places if sitter] == ["", "slow", "slow", "", "slow"]
    assert len({sitter.name for sitter in seating.places if sitter}) == 5
    assert seating.press(3, ONE_MORE_KEY) == seating


@pytest.mark.parametrize("control", [BUZZ, NAME_KEY, ROBOT_KEY, ONE_MORE_KEY, "ok"])
def test_the_house_sits_nowhere(control: str) -> None:
    assert EMPTY.press(TABLE, control) == EMPTY


@pytest.mark.parametrize("control", ["1", "#", "D", "pause"])
def test_other_controls_leave_the_seating(control: str) -> None:
    assert EMPTY.press(0, control) == EMPTY


# --- Menus ------------------------------------------------------------------------------------------------


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
    assert acts(pause_menu([], False)) == ["go_on", "settings", "restart", "leave"]
    assert acts(pause_menu(["T nobody"], True)) == ["go_on", "undo", "correct", "settings", "restart", "leave"]


def test_pause_says_what_an_undo_takes_back() -> None:
    undo = pause_menu(["T call 2", "2 declare 4"], True).items[1]
    assert str(undo.detail) == "Takes back: T call 2, 2 declare 4"


def test_sure_begins_with_no() -> None:
    assert acts(sure_menu(msg("Leave?"), "sure_leave")) == [BACK, "sure_leave"]


def test_resume_and_result() -> None:
    menu = resume_menu(msg("Buntherum, 12 moves"), Path("12.record"))
    assert acts(menu) == ["resume", "attract"]
    assert str(menu.items[0].detail) == "Buntherum, 12 moves"
    assert acts(result_menu()) == ["restart", "attract"]
