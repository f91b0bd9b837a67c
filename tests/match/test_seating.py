"""The list of who sits where."""

import pytest

from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.match.seating import NAME_KEY, ONE_MORE_KEY, ROBOT_KEY, Seating, Sitter

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva")
ROBOTS = ("quick", "slow")
EMPTY = Seating((None,) * 5, NAMES, ROBOTS)


def test_a_buzzer_sits_down_and_stands_up() -> None:
    seated = EMPTY.press(2, BUZZ)
    assert seated.places == (None, None, Sitter("Cleo"), None, None)
    assert seated.taken == (2,)
    assert seated.press(2, BUZZ) == EMPTY


def test_seats_are_counted_from_the_first_place_on() -> None:
    seating = EMPTY.press(3, BUZZ).press(1, BUZZ).press(4, BUZZ)._replace(first=3)
    assert seating.taken == (3, 4, 1)
    assert seating.sitters == tuple(seating.places[place] for place in (3, 4, 1))


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
    assert [sitter.robot for sitter in seating.places if sitter] == ["", "quick", "quick", "", "quick"]
    assert len({sitter.name for sitter in seating.places if sitter}) == 5
    assert seating.press(3, ONE_MORE_KEY) == seating


@pytest.mark.parametrize("control", [BUZZ, NAME_KEY, ROBOT_KEY, ONE_MORE_KEY, "ok"])
def test_the_house_sits_nowhere(control: str) -> None:
    assert EMPTY.press(HOUSE, control) == EMPTY


@pytest.mark.parametrize("control", ["1", "#", "D", "pause"])
def test_other_controls_leave_the_seating(control: str) -> None:
    assert EMPTY.press(0, control) == EMPTY
