"""Who sits at a table when its program begins, and who deals there."""

from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands import main
from companion.match.seating import Sitter, Wanted
from companion.table import app
from companion.table.app import PERSON, sitters_of


def test_each_robot_has_the_name_of_its_own_place() -> None:
    sitters = sitters_of([PERSON, "human", "planner"], ["Ann", "Bob"])
    assert sitters == [None, Sitter("Bob", "human"), Sitter("Robot 3", "planner")]


@pytest.mark.parametrize(
    ("option", "file", "deals"),
    [
        ([], "", "pi"),
        ([], "[cards]\ndeal = 'table'\n", "table"),
        (["--deal", "pi"], "[cards]\ndeal = 'table'\n", "pi"),
        (["--deal", "table"], "", "table"),
    ],
)
def test_the_table_says_who_deals_unless_the_command_does(
    option: list[str], file: str, deals: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[Wanted] = []

    def run(_: object, what: Wanted, **__: Any) -> None:
        wanted.append(what)

    monkeypatch.setattr(app, "_run", run)
    table = tmp_path / "table.toml"
    table.write_text(file, "utf-8")
    assert main(["play", "--virtual", "--table", str(table), *option]) == 0
    assert [each.deal for each in wanted] == [deals]
