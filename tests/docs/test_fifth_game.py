"""The example game outside the package, docs/examples/driftwood, works with every command."""

import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

from companion.core.replay import loads
from companion.games import FOLDERS, all_games, by_name, in_folder
from tests.docs.pages import blocks
from tests.running import Here, companion

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
HERE = {FOLDERS: str(EXAMPLES)}

SCRIPT = """
    1 house 3               # a bottle on the beach
    2.000 seat 1 buzz
    2.010 seat 2 buzz stamped 1.990
    3 house 5               # a rope between the rocks
    4 seat 1 keys 5 #
    +0.1 seat 1 keys *
    +0.1 seat 1 keys 1 #
    +0.1 seat 2 keys 9 2 #
"""


@pytest.fixture
def fifth(companion_here: Here, monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    monkeypatch.setenv(FOLDERS, HERE[FOLDERS])
    all_games.cache_clear()
    yield companion_here
    all_games.cache_clear()


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_headless_plays_the_example_game(tmp_path: Path) -> None:
    asked = ("headless", "driftwood", "--seats", "Anna,Ben", "--deal", "table")
    done = companion(tmp_path, *asked, stdin=SCRIPT, **HERE)
    assert (done.returncode, done.stderr) == (0, "")
    told = [(line["kind"], line.get("seat")) for line in lines(done.stdout)]
    assert ("found", 2) in told, "stamped earlier, although it came later"
    assert told.count(("found", 2)) == 2
    assert ("retract", 1) in told
    [reveal] = [line for line in lines(done.stdout) if line["kind"] == "reveal"]
    assert reveal["throws"] == [1, 2]


def test_secret_throw_shows_in_no_other_output(fifth: Here) -> None:
    """Until all have thrown, scripts that differ in one throw print the same to other seats."""
    asked = ("headless", "driftwood", "--seats", "Anna,Ben", "--deal", "table")
    told = {}
    for audience in ((), ("--as", "2")):
        outputs = {fifth(*asked, *audience, stdin=f"1 house 5\n2 seat 1 keys {n} #\n9 wait").stdout for n in (0, 6)}
        told[audience] = outputs
    assert [len(outputs) for outputs in told.values()] == [1, 1]
    assert all('"kind":"throw"' in output.replace(" ", "") for outputs in told.values() for output in outputs)


def test_demo_history_replay_stats_and_export_know_it(fifth: Here) -> None:
    done = fifth("demo", "driftwood", "--text", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The bag is empty" in done.stdout
    listed = fifth("history").stdout
    assert "Driftwood" in listed
    replayed = fifth("replay", "last")
    assert replayed.returncode == 0
    assert "The sea brings a" in replayed.stdout
    assert "Driftwood" in fifth("stats", "--demos").stdout
    exported = fifth("export", "last").stdout
    assert loads(exported, by_name(in_folder(EXAMPLES))).outcome


def test_simulate_plays_it_in_several_processes(tmp_path: Path) -> None:
    asked = ("simulate", "driftwood", "-n", "8", "--jobs", "2", "--bots", "strong,easy")
    done = companion(tmp_path, *asked, **HERE)
    assert (done.returncode, done.stderr.count("rror")) == (0, 0), done.stderr
    assert "8 matches of Driftwood" in done.stdout


def test_record_without_its_game_names_the_remedy(fifth: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    fifth("demo", "driftwood", "--text", "--seed", "7")
    monkeypatch.delenv(FOLDERS)
    all_games.cache_clear()
    done = fifth("replay", "last")
    assert done.returncode == 2
    assert "the game 'driftwood' is not installed; install it, or set COMPANION_GAMES" in done.stderr
    assert "is not installed" in fifth("history").stdout
    unknown = fifth("demo", "driftwood")
    assert (unknown.returncode, "unknown game 'driftwood'" in unknown.stderr) == (2, True)


def test_installed_package_is_found(tmp_path: Path) -> None:
    """An unpacked wheel on the path stands for an installed distribution."""
    package, site = tmp_path / "package", tmp_path / "site"
    shutil.copytree(EXAMPLES / "driftwood", package / "driftwood")
    [project] = [block.text for block in blocks(ROOT / "docs" / "adding-a-game.md") if block.language == "toml"]
    (package / "pyproject.toml").write_text(project, "utf-8")
    [wheel] = WheelBuilder(str(package)).build(directory=str(tmp_path), versions=["standard"])
    zipfile.ZipFile(wheel).extractall(site)
    path = os.pathsep.join([str(site), str(ROOT)])
    done = companion(tmp_path, "demo", "driftwood", "--text", "--seed", "7", PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (0, "")
    both = companion(tmp_path, "history", PYTHONPATH=path, **HERE)
    assert both.returncode == 0  # unambiguous games still work
    assert both.stderr == (
        "companion: two games are called 'driftwood': driftwood:GAME (companion-driftwood 1.0),"
        f" {EXAMPLES / 'driftwood'}\n"
    )


def test_table_can_set_its_rulings(fifth: Here, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[rulings.driftwood]\nebb_s = 2\n", "utf-8")
    asked = ("headless", "driftwood", "--table", config, "--deal", "table")
    done = fifth(*asked, stdin="1 house 1\n9 wait")
    [ebb] = [line for line in lines(done.stdout) if line["kind"] == "ebb"]
    assert ebb["t_ns"] // 10**9 == 3, "2 s, and what devices may be late"
    assert fifth("config", "init", tmp_path / "new.toml").returncode == 0
    assert "[rulings.driftwood]" in (tmp_path / "new.toml").read_text("utf-8")
