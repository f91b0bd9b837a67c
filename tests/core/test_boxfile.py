"""A box that somebody wrote: one reading finds all mistakes, with file, key, what was found and what is allowed."""

import pytest

from companion.core.boxfile import BoxFile, Mistake, mistake_of
from companion.core.errors import BoxError
from companion.core.limits import BOX_NUMBER, TOML_LINE_SIGNS

NAMES = ("figures", "deck", "values", "colour", "seats")


def read(text: str) -> tuple[int, list[object], str, list[str]]:
    """Read a box of five values, and return what they are taken for, with all that is wrong with them."""
    box = BoxFile(text, "my-box.toml")
    found = box.keys("top", box.found, NAMES)
    box.table("deck", found["deck"], ("one", "two"))
    values = (
        box.number("figures", found["figures"], 2, 9),
        box.array("values", found["values"]),
        box.choice("colour", found["colour"], ("red", "blue")),
    )
    box.number("seats", found["seats"])
    return *values, mistakes_of(box)


def mistakes_of(box: BoxFile) -> list[str]:
    if not box.noted:
        box.settle()
        return []
    with pytest.raises(BoxError) as told:
        box.settle()
    assert str(told.value) == str(told.value.mistakes[0])
    assert len(told.value.mistakes) == box.noted
    return list(map(str, told.value.mistakes))


RIGHT = 'figures = 9\nvalues = [1, "x"]\ncolour = "blue"\nseats = 3\ndeck = {one = 1, two = 2}\n'


def test_what_is_right_is_returned() -> None:
    assert read(RIGHT) == (9, [1, "x"], "blue", [])
    assert read(RIGHT.replace("= 9", "= 2"))[0] == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("figures = 1", "figures: 1; allowed: a whole number from 2 to 9"),
        ("figures = 10", "figures: 10; allowed: a whole number from 2 to 9"),
        ("figures = true", "figures: True; allowed: a whole number from 2 to 9"),
        ("figures = 2.0", "figures: 2.0; allowed: a whole number from 2 to 9"),
        ("seats = true", "seats: True; allowed: a whole number from 1"),
        ("seats = 0", "seats: 0; allowed: a whole number from 1"),
        (f"seats = {BOX_NUMBER + 1}", f"seats: {BOX_NUMBER + 1}; allowed: a whole number from 1 to {BOX_NUMBER}"),
        ('values = "x"', "values: 'x' is no list"),
        ("deck = 7", "deck: 7 is no table of keys and values"),
        ("deck = {one = 1}", "deck: 'two' is missing"),
        ("deck = {one = 1, two = 2, tow = 3}", "deck: unknown key 'tow'; did you mean 'two'? Allowed: one, two"),
        ('colour = "rde"', "colour: 'rde' is not allowed here; did you mean 'red'? Allowed: blue, red"),
        ("colour = 4", "colour: 4 is not allowed here; allowed: blue, red"),
    ],
)
def test_each_mistake_is_told(line: str, said: str) -> None:
    key = line.partition(" ")[0]
    lines = [line if right.startswith(f"{key} ") else right for right in RIGHT.splitlines()]
    assert read("\n".join(lines))[3] == [f"my-box.toml: {said}"]


def test_all_mistakes_are_told_at_once_and_what_is_missing_once() -> None:
    figures, values, colour, said = read('figures = 0\nvalues = 1\nseats = "many"\ncoulor = "red"\n')
    assert (figures, values, colour) == (2, [], "red")  # what could stand there instead
    assert said == [
        "my-box.toml: top: unknown key 'coulor'; did you mean 'colour'?"
        " Allowed: colour, deck, figures, seats, values",
        "my-box.toml: top: 'deck' is missing",
        "my-box.toml: top: 'colour' is missing",
        "my-box.toml: figures: 0; allowed: a whole number from 2 to 9",
        "my-box.toml: values: 1 is no list",
        "my-box.toml: seats: 'many'; allowed: a whole number from 1",
    ]


def test_the_largest_number_of_a_box_is_allowed() -> None:
    assert read(RIGHT.replace("seats = 3", f"seats = {BOX_NUMBER}"))[3] == []


def test_a_text_that_is_no_toml_is_told_with_its_file() -> None:
    with pytest.raises(BoxError, match=r"^my-box.toml: line 1, column 11 \(figures =\): this is no value; "):
        BoxFile("figures = ", "my-box.toml")
    with pytest.raises(BoxError) as told:
        BoxFile("#" * (TOML_LINE_SIGNS + 1), "my-box.toml")
    assert str(told.value) == f"my-box.toml: line 1 is longer than {TOML_LINE_SIGNS} signs"


def test_a_mistake_is_known_by_its_key() -> None:
    box = BoxFile("a = 1", "my-box.toml")
    box.number("a", 1, 2, 3)
    with pytest.raises(BoxError) as told:
        box.settle()
    [mistake] = told.value.mistakes
    key, why = mistake_of(mistake)
    assert (key, str(why)) == ("a", "1; allowed: a whole number from 2 to 3")
    with pytest.raises(BoxError) as told:
        BoxFile("a = ", "my-box.toml")
    assert mistake_of(told.value.mistakes[0]) == Mistake("", told.value.mistakes[0])
