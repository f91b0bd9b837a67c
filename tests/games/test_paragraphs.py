"""Every paragraph of each page in docs/rules has a test that is named after it, and every option its default."""

import re
from pathlib import Path

import pytest
from running import for_each

from companion.core import options
from companion.games import all_games, load

TESTS = Path(__file__).parents[1]
GAMES = {
    # the game, its letters, and the last number of its rules, rulings, properties and examples
    "boese_buben": ("BB", {"R": 33, "A": 37, "P": 7, "E": 12}),
    "buntherum": ("BH", {"R": 16, "A": 28, "P": 6, "E": 10}),
    "buro_crazy": ("BC", {"R": 27, "A": 31, "P": 6, "E": 12}),
    "de_et_boulanger": ("DB", {"R": 27, "A": 32, "P": 6, "E": 12}),
}
PARAGRAPHS = [
    (name, f"{kind}{number}")
    for name, (_, lasts) in GAMES.items()
    for kind, last in lasts.items()
    for number in range(1, last + 1)
]
FUNCTIONS = " ".join(
    function
    for module in TESTS.rglob("test_*.py")
    for function in re.findall(r"^ *def (test_\w+)\(", module.read_text("utf-8"), re.MULTILINE)
)

each_game = pytest.mark.parametrize("name", GAMES)


def page(name: str) -> str:
    return (TESTS.parent / "docs" / "rules" / f"{name}.md").read_text("utf-8")


def test_every_game_is_here() -> None:
    assert set(GAMES) == set(all_games())


@each_game
def test_the_page_has_every_paragraph_once(name: str) -> None:
    found = re.findall(rf"^\* \*\*{GAMES[name][0]}-([RAPE]\d+)\*\* ", page(name), re.MULTILINE)
    assert sorted(found) == sorted(paragraph for game, paragraph in PARAGRAPHS if game == name)


@for_each(*PARAGRAPHS)
def test_a_test_is_named_after_the_paragraph(name: str, paragraph: str) -> None:
    assert f"_{GAMES[name][0]}_{paragraph}_".lower() in FUNCTIONS


@each_game
def test_the_page_has_every_option_and_its_default(name: str) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\w+)`", page(name), re.MULTILINE))
    rulings = load(name).rulings
    assert rows == {field.name: str(field.default).lower() for field in options.offered(rulings)}


@each_game
def test_every_paragraph_that_the_program_names_is_on_the_page(name: str) -> None:
    package = TESTS.parent / "companion" / "games" / name
    sources = "".join(module.read_text("utf-8") for module in package.rglob("*.py"))
    named = set(re.findall(rf"{GAMES[name][0]}-([RAPE]\d+)", sources))
    assert named
    assert named <= {paragraph for game, paragraph in PARAGRAPHS if game == name}
