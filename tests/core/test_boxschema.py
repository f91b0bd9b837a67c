"""Box schemas: one reading reports every mistake with its key, and a form asks about the same fields."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from companion.core.boxfile import BoxFile, Mistake, mistake_of
from companion.core.boxschema import BoxSchema, Field, FormPart, Number, Numbers, Values
from companion.core.errors import BoxError
from companion.core.form import Question
from companion.core.limits import BOX_NUMBER, TOML_LINE_SIGNS
from companion.core.text import Text, msg


class Word(Field):
    def read(self, file: BoxFile, found: Any, values: Values) -> str:
        return file.choice(self.key, found, ("red", "blue", "bluer"))

    def wrong(self, value: str) -> Iterator[Text]:
        if value == "bluer":
            yield msg("bluer is not a colour")


class Costs(Field):
    def read(self, file: BoxFile, found: Any, values: Values) -> list[object]:
        return file.array(self.key, found)


class Toy(NamedTuple):
    hands: tuple[int, ...]
    colour: str
    rounds: int
    limit: int
    costs: list[object]


class ToyBox(BoxSchema[Toy]):
    hands = Numbers({str(n): msg("A hand of {n}?", n=n) for n in (2, 3)}, 1, 9, "hand_{}", key="deal.hands")
    colour = Word(key="deal.colour")
    rounds = Number(1, lambda values: sum(values["hands"]) if "hands" in values else None, msg("Rounds?"), "clock")
    limit = Number(lambda values: values.get("rounds"))
    costs = Costs()

    FORM = (
        FormPart(msg("The rounds"), "clock", (rounds, limit)),
        FormPart(msg("The hands"), "cards", (hands, colour)),
    )

    @classmethod
    def make(cls, values: dict[str, Any]) -> Toy:
        return Toy(**values)

    @classmethod
    def check(cls, file: BoxFile, box: Toy) -> None:
        if box.limit == 13:
            file.wrong("limit", msg("unlucky"))


RIGHT = 'rounds = 5\nlimit = 7\ncosts = [1, "x"]\n[deal]\nhands = { 2 = 6, 3 = 4 }\ncolour = "red"\n'


def edited(*changes: tuple[str, str]) -> str:
    text = RIGHT
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def mistakes(text: str) -> tuple[Text, ...]:
    with pytest.raises(BoxError) as told:
        ToyBox.read(text, "toy.toml")
    assert str(told.value) == str(told.value.mistakes[0])
    return told.value.mistakes


def test_box_is_built_from_its_field_values() -> None:
    assert ToyBox.read(RIGHT, "toy.toml") == Toy((6, 4), "red", 5, 7, [1, "x"])
    largest = edited(("2 = 6", "2 = 9"), ("3 = 4", "3 = 1"), ("= 5", "= 10"), ("= 7", f"= {BOX_NUMBER}"))
    assert ToyBox.read(largest, "toy.toml")[:4] == ((9, 1), "red", 10, BOX_NUMBER)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2 = 6", "2 = 0", "deal.hands.2: 0; allowed: a whole number from 1 to 9"),
        ("2 = 6", "2 = 10", "deal.hands.2: 10; allowed: a whole number from 1 to 9"),
        ("2 = 6", "2 = true", "deal.hands.2: True; allowed: a whole number from 1 to 9"),
        ("2 = 6", "2 = 2.0", "deal.hands.2: 2.0; allowed: a whole number from 1 to 9"),
        ("rounds = 5", "rounds = 11", "rounds: 11; allowed: a whole number from 1 to 10"),
        ("limit = 7", "limit = 4", "limit: 4; allowed: a whole number from 5"),
        ("limit = 7", "limit = true", "limit: True; allowed: a whole number from 5"),
        ("= 7", f"= {BOX_NUMBER + 1}", f"limit: {BOX_NUMBER + 1}; allowed: a whole number from 5 to {BOX_NUMBER}"),
        ("limit = 7", "limit = 13", "limit: unlucky"),
        ('[1, "x"]', '"x"', "costs: 'x' is not a list"),
        ('"red"', '"bluer"', "deal.colour: bluer is not a colour"),
        ('"red"', '"rde"', "deal.colour: 'rde' is not allowed here; did you mean 'red'? Allowed: blue, bluer, red"),
        ('"red"', "4", "deal.colour: 4 is not allowed here; allowed: blue, bluer, red"),
        ('colour = "red"', "", "deal: 'colour' is missing"),
        ('"red"', '"red"\ncolor = 1', "deal: unknown key 'color'; did you mean 'colour'? Allowed: colour, hands"),
        ("{ 2 = 6, 3 = 4 }", "6", "deal.hands: 6 is not a table of keys and values"),
        ("{ 2 = 6, 3 = 4 }", "{ 2 = 6 }", "deal.hands: '3' is missing"),
    ],
)
def test_each_mistake_is_reported_with_its_key(old: str, new: str, said: str) -> None:
    assert list(map(str, mistakes(edited((old, new))))) == [f"toy.toml: {said}"]


def test_all_mistakes_are_reported_at_once() -> None:
    text = edited(("limit = 7", "limit = 13"), ("= 5", "= 500"), ("costs", "cost"), ("2 = 6", '2 = "many"'))
    assert list(map(str, mistakes(text))) == [
        "toy.toml: box: unknown key 'cost'; did you mean 'costs'? Allowed: costs, deal, limit, rounds",
        "toy.toml: box: 'costs' is missing",
        "toy.toml: deal.hands.2: 'many'; allowed: a whole number from 1 to 9",
        "toy.toml: limit: 13; allowed: a whole number from 500",
    ]
    assert list(map(str, mistakes(RIGHT.partition("[deal]")[0]))) == ["toy.toml: box: 'deal' is missing"]


def test_invalid_toml_is_reported_with_its_file() -> None:
    [mistake] = mistakes("rounds = ")
    assert str(mistake).startswith("toy.toml: not valid TOML: ")
    assert mistake_of(mistake) == Mistake("", mistake)
    [mistake] = mistakes("#" * (TOML_LINE_SIGNS + 1))
    assert str(mistake) == f"toy.toml: line 1 is longer than {TOML_LINE_SIGNS} characters"


def test_mistake_is_identified_by_its_key() -> None:
    [mistake] = mistakes(edited(("2 = 6", "2 = 0")))
    key, why = mistake_of(mistake)
    assert (key, str(why)) == ("deal.hands.2", "0; allowed: a whole number from 1 to 9")


def test_form_groups_questions_into_parts() -> None:
    found = {"rounds": 5, "limit": 7, "deal": {"hands": {"2": 6, "3": 4}, "colour": "red"}}
    rounds, hands = ToyBox.form(found)
    assert (str(rounds.title), rounds.icon) == ("The rounds", "clock")
    assert rounds.questions == (Question(msg("Rounds?"), ("rounds",), 5, sign="clock"),)
    assert [(str(each.text), each.path, each.value, each.sign) for each in hands.questions] == [
        ("A hand of 2?", ("deal", "hands", "2"), 6, "hand_2"),
        ("A hand of 3?", ("deal", "hands", "3"), 4, "hand_3"),
    ]
