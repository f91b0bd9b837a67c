"""Choosing a custom box before a match."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.config.table_file import parse_config
from companion.display.frame import HelpPage
from companion.games import all_games
from companion.records.history import records
from tests.host_bench import GAME, Bench


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that saves a custom box of Buntherum."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "data" / "companion" / "boxes" / "buntherum"

    def write(name: str, old: str = "", new: str = "") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.toml"
        path.write_text(GAME.box_text.replace(old, new) if old else GAME.box_text, "utf-8")
        return path

    return write


def table(folder: Path, chosen: str = "") -> Bench:
    text = f'[journal]\nfolder = "{folder / "matches"}"\n[games.buntherum]\nbox = "{chosen}"\n'
    bench = Bench(folder / "matches", config=parse_config(text, "table.toml", all_games()))
    bench.sit(2, "Buntherum")
    return bench


def lines(bench: Bench) -> list[str]:
    return [item for item in bench.menu.items if item.startswith("Box: ")]


def test_without_a_custom_box_there_is_no_line(tmp_path: Path, keep: Callable[..., Path]) -> None:
    bench = table(tmp_path)
    assert lines(bench) == []
    bench.press(0, "1")
    assert "BoxName" not in bench.match.tags


def test_line_cycles_through_boxes_and_chooses_the_match(tmp_path: Path, keep: Callable[..., Path]) -> None:
    keep("four", "chips_out = 3", "chips_out = 4")
    keep("ten", "chips_out = 3", "chips_out = 10")
    bench = table(tmp_path)
    seen = []
    for _ in range(4):
        seen += lines(bench)
        bench.take("Box: ")
    assert seen == ["Box: usual", "Box: four", "Box: ten", "Box: usual"]
    assert lines(bench) == ["Box: four"]
    bench.press(0, "A")
    assert isinstance(bench.screen, HelpPage)
    assert ("star", "Box: four") in bench.screen.rows
    bench.press(0, "#")
    assert "With 4 you are out" in str(bench.screen.rows)
    bench.house("menu")
    bench.press(0, "1")
    assert (bench.match.box.chips_out, bench.match.tags["BoxName"]) == (4, "four")
    assert bench.until(bench.open)
    bench.choose("How to play")
    assert isinstance(bench.screen, HelpPage)
    assert ("star", "Box: four") in bench.screen.rows
    bench.choose("Start again", "Yes")
    assert len(records(tmp_path / "matches")) == 2
    assert (bench.match.box.chips_out, bench.match.tags["BoxName"]) == (4, "four")


def test_configured_box_is_preselected(tmp_path: Path, keep: Callable[..., Path]) -> None:
    keep("four", "chips_out = 3", "chips_out = 4")
    bench = table(tmp_path, "four")
    assert lines(bench) == ["Box: four"]
    bench.press(0, "1")
    assert bench.match.box.chips_out == 4


@pytest.mark.parametrize(
    "damage", [("chips_out = 3", "chips_out = 0"), ("[hands]", "[hands"), ("2 = 13", "2 = 40"), ("[deck]", "[dek]")]
)
def test_damaged_box_is_not_offered(tmp_path: Path, keep: Callable[..., Path], damage: tuple[str, str]) -> None:
    keep("four", *damage)
    assert lines(table(tmp_path)) == []
    bench = table(tmp_path, "four")  # table.toml names it
    assert lines(bench) == ["Box: usual"]
    bench.press(0, "3")
    assert "four cannot be used" in bench.menu.detail
    bench.press(0, "1")
    assert bench.match.box_text == GAME.box_text


def test_folder_and_deleted_box_do_no_harm(tmp_path: Path, keep: Callable[..., Path]) -> None:
    keep("four").unlink()
    (keep("folder").parent / "dir.toml").mkdir()
    path = keep("gone")
    bench = table(tmp_path, "lost")
    assert lines(bench) == ["Box: usual"]
    bench.take("Box: ")
    assert lines(bench) == ["Box: folder"]
    path.unlink()
    bench.take("Box: ")
    bench.press(0, "1")  # its text was read when it was offered
    assert bench.match.tags["BoxName"] == "gone"
