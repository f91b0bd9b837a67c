"""docs/architecture.md names every folder, contract and dependency, with reasons."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.running import for_each

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ROOMS = TEXT.partition("## The rooms\n")[2].split("\n##")[0]
MADE: Final = {"__pycache__", "build", "dist"}
ALIKE: Final = (
    "companion/devices",
    "companion/display",
    "companion/games",
    "companion/locale",
    "docs/gallery",
    "docs/examples",
    "tests/display",
    "tests/kernel",
    "tests/appliance",
    "tests/club",
    "tests/cluster",
    "tests/browser",
    "tests/card",
    "tests/arm64",
    "tests/pod",
    "tests/deb",
    "tests/installed",
    "systemd/card",
)
"""Folders with subfolders of one kind, or described in their README."""


def requirements() -> list[str]:
    plain, extras = PROJECT["project"]["dependencies"], PROJECT["project"]["optional-dependencies"]
    every = [*plain, *PROJECT["build-system"]["requires"], *(each for extra in extras.values() for each in extra)]
    return sorted({re.match(r"[\w.-]+", each)[0] for each in every})


@pytest.mark.parametrize("package", requirements())
def test_every_dependency_has_a_reason(package: str) -> None:
    rows = TEXT.partition("## Dependencies\n")[2]
    named = [name for row in re.findall(r"^\| (.*?) \|", rows, re.MULTILINE) for name in row.split(", ")]
    assert package in named


def folders(within: Path = ROOT) -> Iterator[str]:
    """Yield the folders that need a row; the rooms are in the drawing."""
    for path in sorted(within.iterdir()):
        if path.is_dir() and path.name not in MADE and path.name[0] != "." and path.suffix != ".egg-info":
            name = path.relative_to(ROOT).as_posix()
            if name != "companion" and (within.name != "companion" or name == "companion/locale"):
                yield name
            if name not in ALIKE and within.name != "companion":
                yield from folders(path)


def rows() -> list[tuple[str, str]]:
    found = re.findall(r"^\| (`.+`) \| (.*) \|$", ROOMS, re.MULTILINE)
    return [(room, words) for named, words in found for room in re.findall(r"`([\w/-]+)/`", named)]


def is_a_mirror(folder: str) -> bool:
    """Return whether a tests folder is named after the folder that it tests."""
    top, _, rest = folder.partition("/")
    return top == "tests" and any((ROOT / beside / rest).is_dir() for beside in ("companion", "."))


@for_each(*folders())
def test_every_folder_has_a_row(folder: str) -> None:
    above, _, own = folder.rpartition("/")
    named = any(room == folder or (room == above and f"`{own}/`" in words) for room, words in rows())
    assert named or is_a_mirror(folder)


@for_each(*sorted({room for room, _ in rows()}))
def test_every_row_has_a_folder(folder: str) -> None:
    assert (ROOT / folder).is_dir()


def test_every_import_law_has_a_reason() -> None:
    contracts = {each["name"] for each in PROJECT["tool"]["importlinter"]["contracts"]}
    table = TEXT.partition("| law | reason |\n|---|---|\n")[2].partition("\n\n")[0]
    reasons = dict(re.fullmatch(r"\| (.+) \| (.+) \|", row).groups() for row in table.splitlines())
    assert set(reasons) == contracts


def test_every_module_is_in_a_room() -> None:
    assert {path.name for path in (ROOT / "companion").glob("*.py")} == {"__init__.py", "__main__.py", "api.py"}


def test_rooms_are_drawn_in_order_of_their_layers() -> None:
    (layers,) = [each for each in PROJECT["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    lines = ROOMS.partition("```text\n")[2].partition("```")[0].splitlines()
    first_lines = [line for above, line in pairwise(lines) if above[0] in "┌├"]
    drawn = [{cell.split()[0] for cell in line.strip("│").split("│")} for line in first_lines]
    assert drawn == [set(layer.split(" | ")) for layer in layers["layers"]]


def test_class_names_are_unique_across_rooms() -> None:
    """Games and modules of events are exempt."""
    places = defaultdict(list)
    for path in (ROOT / "companion").rglob("*.py"):
        if "games" not in path.parts and path.name != "events.py":
            for found in ast.parse(path.read_text("utf-8")).body:
                if isinstance(found, ast.ClassDef) and not found.name.startswith("_"):
                    places[found.name].append(path.relative_to(ROOT).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
