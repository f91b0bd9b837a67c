"""Comparing frames: those that look alike are not drawn again."""

import pytest

from companion.core.text import msg
from companion.display.frame import Frame, Menu, Panel, Poster, Side, told

FRAME = Frame(7, Poster("title", ("line",), "hint"), (Side("Anna"), Side("Ben")), (Panel(0), Panel(1)))


def test_serial_does_not_change_the_look():
    assert FRAME.looks_like(FRAME._replace(serial=8))
    assert FRAME._replace(serial=8).looks_like(FRAME)


@pytest.mark.parametrize(
    "other",
    [
        FRAME._replace(screen=Poster("title", ("line",), "another hint")),
        FRAME._replace(screen=Menu("title", ("line",), 0)),
        FRAME._replace(sides=(Side("Anna", lit=True), Side("Ben"))),
        FRAME._replace(sides=(Side("Anna"),)),
        FRAME._replace(panels=(Panel(0, faults=("stuck",)), Panel(1))),
        FRAME._replace(calls_open=True),
        None,
    ],
)
def test_any_other_field_changes_the_look(other):
    assert not FRAME.looks_like(other)


def test_text_or_none_becomes_a_string():
    assert told(None) == ""
    assert told(msg("{n} card", "{n} cards", n=2)) == "2 cards"
