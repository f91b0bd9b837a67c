"""docs/architecture.md: every folder and module has its place there, and every dependency its reason."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROOMS = TEXT.partition("## The rooms\n")[2].split("\n##")[0]
IN_WORDS = {"__init__", "__main__", "errors", "house", "lamps", "plugs", "troubles", "virtual"}
"""The modules that a room needs not name: its words say what they are."""


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    plain, extras = project["project"]["dependencies"], project["project"]["optional-dependencies"]
    every = [*plain, *project["build-system"]["requires"], *(each for extra in extras.values() for each in extra)]
    return sorted({re.match(r"[\w.-]+", each)[0] for each in every})


@pytest.mark.parametrize("package", requirements())
def test_every_dependency_has_its_reason(package: str) -> None:
    rows = TEXT.partition("## Dependencies\n")[2]
    named = [name for row in re.findall(r"^\| (.*?) \|", rows, re.MULTILINE) for name in row.split(", ")]
    assert package in named


@pytest.mark.parametrize("folder", ["companion", "companion/devices", "companion/devices/keypads"])
def test_every_module_is_in_its_room(folder: str) -> None:
    rows = re.findall(rf"^\| `{folder}/` \| (.*) \|$", ROOMS, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    modules = {path.stem for path in (ROOT / folder).glob("*.py")} - IN_WORDS
    assert modules - named == set()
