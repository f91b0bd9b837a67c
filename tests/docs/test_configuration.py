"""docs/configuration.md lists the program's options, and menu choices have words."""

import dataclasses
import importlib
from pathlib import Path
from typing import Any

import pytest

from companion.config.settings import IN_MENU
from companion.config.table_file import RULINGS, TableConfig, all_sections
from companion.core import options
from companion.core.text import LANGUAGES
from companion.games import all_games
from companion.match.seating import ROBOTS

DOCS = Path(__file__).parents[2] / "docs"

IN_MENUS = [
    *((section, options.declared(getattr(TableConfig(), section), name)) for section, name in IN_MENU),
    *((game.name, field) for game in all_games().values() for field in dataclasses.fields(game.rulings)),
]

FACTORS = {"x1", "x1.5", "x2"}
"""Choices that need no words."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_up_to_date_in_every_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.syspath_prepend(DOCS)
    page = importlib.import_module("make_configuration").page()
    assert (DOCS / "configuration.md").read_text("utf-8") == page, "docs/make_configuration.py makes it anew"


def test_page_lists_every_option_but_house_rules() -> None:
    sections = (DOCS / "configuration.md").read_text("utf-8").split("\n## [")[1:]
    found = {
        part.partition("]")[0]: {line.split("`")[1] for line in part.splitlines() if line.startswith("| `")}
        for part in sections
    }
    assert found == {
        name: set() if name.startswith(f"{RULINGS}.") else {field.name for field in dataclasses.fields(cls)}
        for name, cls in all_sections(all_games()).items()
    }


@pytest.mark.parametrize(("where", "field"), IN_MENUS, ids=lambda part: getattr(part, "name", part))
def test_menu_options_have_labels_and_words(where: str, field: "dataclasses.Field[Any]") -> None:
    assert field.metadata["label"]
    offered = {word for word in field.metadata["choices"] or field.metadata["steps"] if isinstance(word, str)}
    assert offered - FACTORS <= set(field.metadata["words"])


def test_every_kind_of_robot_has_a_name() -> None:
    assert set(ROBOTS) == {kind for game in all_games().values() for kind in game.bots}
