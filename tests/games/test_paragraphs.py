"""Every paragraph of docs/rules has a test, and every option is listed with its values."""

import re
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import pytest

from companion.games import all_games, load
from tests.of_games import LETTERS, beside
from tests.running import undrawn

TESTS = Path(__file__).parents[1]
FUNCTIONS = " ".join(
    function
    for module in TESTS.rglob("test_*.py")
    for function in re.findall(r"^ *def (test_\w+)\(", module.read_text("utf-8"), re.MULTILINE)
)

each_game = pytest.mark.parametrize("name", LETTERS)


def page(name: str) -> str:
    return (TESTS.parent / "docs" / "rules" / f"{name}.md").read_text("utf-8")


def paragraphs(name: str) -> list[str]:
    """Return the paragraphs of a page, such as R1."""
    return re.findall(rf"^\* \*\*{LETTERS[name]}-([RAPE]\d+)\*\* ", page(name), re.MULTILINE)


def test_letters_cover_every_game() -> None:
    assert set(LETTERS) == set(all_games())


@each_game
@pytest.mark.parametrize("kind", "RAPE")
def test_page_has_every_paragraph_once(name: str, kind: str) -> None:
    numbers = sorted(int(found[1:]) for found in paragraphs(name) if found[0] == kind)
    assert numbers == list(range(1, max(numbers) + 1))


@each_game
def test_every_paragraph_has_a_test(name: str) -> None:
    named = re.findall(rf"_{LETTERS[name]}_([RAPE]\d+)(?=_)", FUNCTIONS, re.IGNORECASE)
    assert {paragraph.upper() for paragraph in named} == set(paragraphs(name))


def allowed(option: Field[Any]) -> str:
    """Return an option's allowed values as on the page."""
    if isinstance(option.default, bool):
        return ", ".join(f"`{value}`".lower() for value in (option.default, not option.default))
    if choices := option.metadata["choices"]:
        return ", ".join(f"`{word}`" for word in choices)
    least, most = option.metadata["minimum"], option.metadata["maximum"]
    between = [step for step in option.metadata["steps"] if step != int(step)]
    bounds = [f"up to {most}" if least == option.default == 0 else f"{least} to {most}"]
    return ", ".join([f"`{option.default}`", *bounds, *(f"also {step}" for step in between)])


@each_game
def test_page_lists_every_option_with_its_values(name: str) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (`.*?) \|", page(name).partition("## House rules")[2], re.MULTILINE))
    offered = fields(load(name).rulings)
    assert rows == {option.name: allowed(option) for option in offered}
    for option in offered:
        assert rows[option.name].lower().startswith(f"`{option.default}`".lower())


@each_game
def test_random_matches_try_every_house_rule(name: str) -> None:
    assert undrawn(beside(name, "table").some_rulings) == set()


@each_game
def test_every_paragraph_named_in_code_exists(name: str) -> None:
    package = TESTS.parent / "companion" / "games" / name
    sources = "".join(module.read_text("utf-8") for module in package.rglob("*.py"))
    named = set(re.findall(rf"{LETTERS[name]}-([RAPE]\d+)", sources))
    assert named
    assert named <= set(paragraphs(name))
