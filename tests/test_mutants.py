"""tests/mutants.toml fits the current program, which `make mutants` would only find out after hours."""

from difflib import SequenceMatcher
from typing import Any

import pytest

from tests.mutants import LISTS, ROOT

UNNOTICED = [
    pytest.param(room["package"], entry, id=entry["function"])
    for room in LISTS.values()
    for entry in room.get("unnoticed", [])
]


@pytest.mark.parametrize(("package", "entry"), UNNOTICED)
def test_unnoticed_change_resembles_an_existing_line(package: str, entry: dict[str, Any]) -> None:
    module, *_, function = entry["function"].split(".")
    source = (ROOT / package.replace(".", "/") / f"{module}.py").read_text("utf-8")
    assert f"def {function}(" in source
    lines = [line.strip() for line in source.splitlines()]
    for line in entry["becomes"]:
        assert line not in lines
        name, _, value = line.partition(" = ")
        forgets = value == "None" and any(each.startswith(f"{name} = ") for each in lines)
        assert forgets or max(SequenceMatcher(None, line, each).ratio() for each in lines) > 0.8, line


@pytest.mark.parametrize("room", LISTS)
def test_listed_tests_exist(room: str) -> None:
    for name in (*LISTS[room]["tests"], *LISTS[room].get("without", [])):
        path, _, test = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not test or f"def {test.partition('[')[0]}(" in (ROOT / path).read_text("utf-8"), name
