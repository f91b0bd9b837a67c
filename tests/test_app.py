"""Who sits at a table when its program begins."""

from companion.app import PERSON, sitters_of
from companion.lobby import Sitter


def test_each_robot_has_the_name_of_its_own_place() -> None:
    sitters = sitters_of([PERSON, "human", "planner"], ["Ann", "Bob"])
    assert sitters == [None, Sitter("Bob", "human"), Sitter("Robot 3", "planner")]
