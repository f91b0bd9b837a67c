"""The seats before a match."""

import pytest

from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.match.seating import NAME_KEY, ONE_MORE_KEY, ROBOT_KEY, Seating, Sitter

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva")
ROBOTS = ("quick", "slow")
EMPTY = Seating((None,) * 5, NAMES, ROBOTS)


def test_buzzer_takes_and_frees_a_place() -> None:
    seated = EMPTY.press(2, BUZZ)
    assert seated.places == (None, None, Sitter("Cleo"), None, None)
    assert seated.taken == (2,)
    assert seated.press(2, BUZZ) == EMPTY


def test_seats_count_from_the_first_place() -> None:
    seating = EMPTY.press(3, BUZZ).press(1, BUZZ).press(4, BUZZ)._replace(first=3)
    assert seating.taken == (3, 4, 1)
    assert seating.sitters == tuple(seating.places[place] for place in (3, 4, 1))


def test_no_name_is_given_twice() -> None:
    seating = EMPTY
    for place in (4, 0, 2, 1, 3):
        seating = seating.press(place, BUZZ)
    assert [sitter.name for sitter in seating.places if sitter] == list(NAMES)
    for place in range(5):
        assert seating.press(place, NAME_KEY) == seating  # all five names are in use


def test_seated_player_gets_an_unused_name() -> None:
    seating = EMPTY._replace(places=(None, Sitter("Anna"), None, None, None)).press(0, BUZZ)
    assert seating.places[0] == Sitter("Ben")


def test_renaming_cycles_through_unused_names() -> None:
    seating = EMPTY.press(1, BUZZ).press(0, BUZZ)
    seen = []
    for _ in range(4):
        seating = seating.press(0, NAME_KEY)
        assert seating.places[0] is not None
        seen.append(seating.places[0].name)
    assert seen == ["Cleo", "Dan", "Eva", "Anna"]


def test_unknown_name_changes_to_the_first_free_one() -> None:
    seating = EMPTY._replace(places=(Sitter("Robot 1"), Sitter("Anna"), None, None, None)).press(0, NAME_KEY)
    assert seating.places[0] == Sitter("Ben")


def test_name_key_also_takes_a_place() -> None:
    assert EMPTY.press(0, NAME_KEY) == EMPTY.press(0, BUZZ)


def test_robot_levels_cycle_and_end_with_a_person() -> None:
    seating, seen = EMPTY, []
    for _ in range(4):
        seating = seating.press(3, ROBOT_KEY)
        assert seating.places[3] is not None
        seen.append(seating.places[3])
    assert seen == [Sitter("Dan", "quick"), Sitter("Dan", "slow"), Sitter("Dan"), Sitter("Dan", "quick")]


def test_person_becomes_a_robot_with_the_same_name() -> None:
    assert EMPTY.press(0, BUZZ).press(0, ROBOT_KEY).places[0] == Sitter("Anna", "quick")


def test_player_adds_robots_at_free_places_clockwise() -> None:
    seating = EMPTY.press(3, BUZZ).press(0, BUZZ)
    for taken in ((0, 3, 4), (0, 1, 3, 4), (0, 1, 2, 3, 4)):
        seating = seating.press(3, ONE_MORE_KEY)
        assert seating.taken == taken
    assert [sitter.robot for sitter in seating.places if sitter] == ["", "quick", "quick", "", "quick"]
    assert len({sitter.name for sitter in seating.places if sitter}) == 5
    assert seating.press(3, ONE_MORE_KEY) == seating


@pytest.mark.parametrize("control", [BUZZ, NAME_KEY, ROBOT_KEY, ONE_MORE_KEY, "ok"])
def test_house_takes_no_place(control: str) -> None:
    assert EMPTY.press(HOUSE, control) == EMPTY


@pytest.mark.parametrize("control", ["1", "#", "D", "pause"])
def test_other_controls_leave_the_seating(control: str) -> None:
    assert EMPTY.press(0, control) == EMPTY
