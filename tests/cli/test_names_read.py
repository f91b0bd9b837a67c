"""Names are normalized to one Unicode form wherever they are read."""

import unicodedata
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import club
from companion.cli.match_arguments import asked_names
from companion.club.evening import read_result
from companion.club.ledger import Ledger, read
from companion.club.topics import TableCall, read_asked
from companion.club.tournament import Plan
from companion.config.table_file import TableConfig, read_config
from companion.core.replay import loads
from companion.games import all_games, load
from companion.match.new_match import new_match

NAMES = ("Zoë Müller", "André", "Ève")
WRITTEN = tuple(unicodedata.normalize("NFD", name).replace(" ", "\u00a0") for name in NAMES)
"""The names as a Mac types them, with no-break spaces."""


def by_table_file(folder: Path) -> tuple[str, ...]:
    table = folder / "table.toml"
    table.write_text(f"[seats]\nnames = {list(WRITTEN)!r}\n".replace("\\xa0", "\u00a0"), "utf-8")
    return read_config(table, all_games()).seats.names


def by_arguments(_: Path) -> tuple[str, ...]:
    return asked_names(Namespace(seats=",".join(WRITTEN)), TableConfig(), load("buro_crazy"))


def by_record(_: Path) -> tuple[str, ...]:
    text = new_match(load("buro_crazy"), WRITTEN, seed="1").dumps()
    assert WRITTEN[0] in text
    return loads(text, all_games()).names


def by_list_of_players(folder: Path) -> tuple[str, ...]:
    (folder / "names.txt").write_text("\n".join(WRITTEN), "utf-8")
    return club._names_of(folder / "names.txt")


def by_tournament(folder: Path) -> tuple[str, ...]:
    players = tuple(name.replace("\u00a0", " ") for name in WRITTEN)
    plan = Plan("buro_crazy", players, ("A",), "swiss", 3, (3, 4, 5), 1, "seed", ())
    Ledger.create(folder / "evening.club", plan).close()
    return read(folder / "evening.club").plan.players


def by_call(_: Path) -> tuple[str, ...]:
    asked = read_asked(
        "call", {"players": list(WRITTEN), "round": 1, "tournament": "Evening", "game": "buro_crazy"}
    )
    assert isinstance(asked, TableCall)
    return asked.players


def by_result(_: Path) -> tuple[str, ...]:
    found = {"players": list(WRITTEN), "ranking": [[1], [2], [3]], "match": "m", "game": "buro_crazy"}
    return tuple(read_result(found).places)


@pytest.mark.parametrize(
    "border", [by_table_file, by_arguments, by_record, by_list_of_players, by_tournament, by_call, by_result]
)
def test_name_is_read_in_one_form(border: Callable[[Path], tuple[str, ...]], tmp_path: Path) -> None:
    assert border(tmp_path) == NAMES
