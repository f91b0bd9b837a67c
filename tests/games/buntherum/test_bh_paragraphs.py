"""Every paragraph of docs/rules/buntherum.md has a test that is named after it."""

import dataclasses
import re
from pathlib import Path

import pytest

from companion.games.buntherum.rules import Rulings

TESTS = Path(__file__).parents[2]
PAGE = (TESTS.parent / "docs" / "rules" / "buntherum.md").read_text("utf-8")
PARAGRAPHS = re.findall(r"^\* \*\*BH-([RAPE]\d+)\*\* ", PAGE, re.MULTILINE)
FUNCTIONS = " ".join(
    name
    for module in TESTS.rglob("test_*.py")
    for name in re.findall(r"^ *def (test_\w+)\(", module.read_text("utf-8"), re.MULTILINE)
)


def test_the_page_has_every_paragraph_once():
    due = [f"{kind}{n}" for kind, last in (("R", 16), ("A", 25), ("P", 6), ("E", 10)) for n in range(1, last + 1)]
    assert due == PARAGRAPHS


@pytest.mark.parametrize("paragraph", PARAGRAPHS)
def test_a_test_is_named_after_the_paragraph(paragraph):
    assert re.search(rf"_bh_{paragraph.lower()}_", FUNCTIONS)


def test_the_page_has_every_option_and_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\w+)`", PAGE, re.MULTILINE))
    assert rows == {name: str(value).lower() for name, value in dataclasses.asdict(Rulings()).items()}


def test_every_paragraph_that_the_program_names_is_on_the_page():
    package = TESTS.parent / "companion" / "games" / "buntherum"
    named = {
        found
        for module in package.glob("*.py")
        for found in re.findall(r"BH-([RAPE]\d+)", module.read_text("utf-8"))
    }
    assert named <= set(PARAGRAPHS)
