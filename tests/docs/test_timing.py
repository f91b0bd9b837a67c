"""docs/timing.md and docs/wiring.md name existing tests and the program's figures and options."""

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from companion.config.table_file import parse_config
from companion.devices.buzzers.choice import KINDS
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.games import all_games
from tests.docs.grammar import blocks

ROOT = Path(__file__).parents[2]
TIMING, WIRING = ROOT / "docs" / "timing.md", ROOT / "docs" / "wiring.md"


def rows(document: Path, first_cell: str) -> list[list[str]]:
    """Return the cells of the table whose heading begins with `first_cell`."""
    table = re.search(
        rf"^\| {re.escape(first_cell)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", document.read_text("utf-8"), re.M
    )
    assert table
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table[1].splitlines()]


TRAPS = rows(TIMING, "trap")


@pytest.mark.parametrize(("trap", "way", "test"), TRAPS, ids=[row[0] for row in TRAPS])
def test_every_trap_has_an_existing_test(trap: str, way: str, test: str) -> None:
    path, name = test.strip("`").split("::")
    functions = [node.name for node in ast.parse((ROOT / path).read_text("utf-8")).body if hasattr(node, "name")]
    assert name in functions
    assert way


def test_sources_are_those_of_the_program() -> None:
    for document, columns in ((TIMING, 2), (WIRING, None)):
        assert [row[0].strip("`") for row in rows(document, "source")] == list(KINDS), document
        for row in rows(document, "source"):
            uncertain_ns = KINDS[row[0].strip("`")].uncertainty_ns
            if columns and uncertain_ns:
                assert row[columns].startswith(f"{uncertain_ns / 1e6:g} ms")
            elif uncertain_ns:
                assert row[2] == f"{2 * uncertain_ns / 1e6:g} ms"


def test_default_lines_are_those_of_the_program() -> None:
    wiring = Wiring()
    assert [row[1] for row in rows(WIRING, "for")] == [
        ", ".join(map(str, lines))
        for lines in (
            wiring.of(BuzzerWiring).pins,
            wiring.of(LampWiring).pins,
            [wiring.of(LampWiring).siren],
            wiring.of(HouseWiring).pins.values(),
        )
    ]


def test_buzzer_options_are_those_of_the_program() -> None:
    options = [row[0].strip("`") for row in rows(WIRING, "option of `[buzzers]`")]
    assert options == [field.name for field in fields(BuzzerWiring)]


def test_example_is_a_valid_table() -> None:
    [text] = blocks(WIRING, "toml")
    wiring = parse_config(text, "wiring.md", all_games()).wiring
    assert wiring.of(BuzzerWiring).pins == (17, 27, 22)
    assert [str(use) for use, _ in wiring.lines][3:] == [
        "[lamps] seat 1",
        "[lamps] seat 2",
        "[lamps] seat 3",
        "[house] ok",
    ]
