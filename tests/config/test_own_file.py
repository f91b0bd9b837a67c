"""The user's table.toml: created, read and set aside."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.config.sections import JournalOptions, LastOptions
from companion.config.settings import Settings
from companion.config.table_file import TableConfig, read_table
from companion.core.console import BUZZ
from companion.games import all_games
from tests.host_bench import Bench
from tests.running import companion

UNREADABLE = {"not TOML": "[display\n", "an option of another version": "[display]\nshape = 3\n"}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the user's file, which does not exist yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "companion" / "table.toml"


def begin(folder: Path) -> Bench:
    """Start a table without a table.toml."""
    config = read_table(None, all_games())
    return Bench(folder, config=replace(config, journal=JournalOptions(str(folder))), by_hand=True)


def settings(bench: Bench) -> None:
    bench.house("menu")
    bench.take("Settings")


def test_start_alone_creates_no_file(tmp_path: Path, own: Path) -> None:
    assert begin(tmp_path).host.services.settings.config.path == own
    assert not own.parent.exists()


def test_next_start_keeps_the_settings(tmp_path: Path, own: Path) -> None:
    bench = begin(tmp_path)
    settings(bench)
    bench.take("Text")
    bench.take("Language", "Language")
    display = read_table(None, all_games()).display
    assert (display.text, display.language) == ("large", "fr")
    assert begin(tmp_path).frame.look.large_text
    assert (own.stat().st_mode & 0o777, own.parent.stat().st_mode & 0o777) == (0o644, 0o700)


def test_settings_screen_names_its_file(tmp_path: Path, own: Path) -> None:
    bench = begin(tmp_path)
    settings(bench)
    bench.take("Settings file")
    assert (bench.menu.title, bench.menu.detail) == ("Settings", str(own))


def test_next_start_proposes_last_game_and_seats(tmp_path: Path, own: Path) -> None:
    bench = begin(tmp_path)
    bench.press(1, BUZZ, "A", "C", "#")
    bench.take("Böse Buben", "Start")
    assert bench.match.names == ("Cleo", "Anna")
    assert read_table(None, all_games()).last == LastOptions(
        "boese_buben", ("", "Cleo", "Anna", "", ""), ("", "", "easy", "", "")
    )
    bench.host.close()

    again = begin(tmp_path / "other")
    assert not any(side.name for side in again.frame.sides), "nobody sits before somebody presses"
    again.press(1, BUZZ)
    assert [side.name for side in again.frame.sides] == ["", "Cleo", "Anna", "", ""]
    again.press(1, "#")
    assert again.menu.items[again.menu.selected] == "Böse Buben"
    again.press(1, "#", "#")
    assert again.match.names == ("Cleo", "Anna")


def test_person_replaces_the_robot_of_the_last_match(tmp_path: Path, own: Path) -> None:
    own.parent.mkdir(parents=True)
    own.write_text('[last]\nplayers = ["Mia", "Ben"]\nrobots = ["", "easy"]\n', "utf-8")
    bench = begin(tmp_path)
    bench.press(1, BUZZ)
    assert [(side.name, side.picture) for side in bench.frame.sides[:2]] == [("Mia", "person"), ("Ben", "person")]
    bench.press(0, BUZZ, BUZZ)
    assert bench.frame.sides[0].name == "Mia"


def test_named_table_file_stores_no_last_match(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[journal]\nfolder = "{tmp_path / "matches"}"\n', "utf-8")
    before = path.read_text("utf-8")
    bench = Bench(tmp_path / "matches", config=read_table(path, all_games()), game="buntherum")
    bench.sit(2)
    bench.take("Start")
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_damaged_file_is_named_and_set_aside(tmp_path: Path, own: Path, text: str) -> None:
    own.parent.mkdir(parents=True)
    own.write_text(text, "utf-8")
    bench = begin(tmp_path)
    assert bench.poster.title == "Good to know"
    assert str(own) in bench.poster.lines[0]
    assert "It was renamed to table.toml.damaged" in bench.poster.lines[0]
    assert own.with_name("table.toml.damaged").read_text("utf-8") == text
    bench.press(0, BUZZ)
    settings(bench)
    bench.take("Text")
    assert read_table(None, all_games()).display.text == "large"


def test_second_damaged_file_does_not_replace_the_first(own: Path) -> None:
    own.parent.mkdir(parents=True)
    for text in ("= first", "= second"):
        own.write_text(text, "utf-8")
        assert read_table(None, all_games()).trouble
    kept = [own.with_name(f"table.toml.damaged{number}").read_text("utf-8") for number in ("", "1")]
    assert kept == ["= first", "= second"]


@pytest.mark.parametrize(
    "line", ['players = ["Anna", "Anna"]', f"players = {['A'] + ['B'] * 5}", 'players = ["\\u0007"]', 'player = ""']
)
def test_impossible_seats_count_as_damage(own: Path, line: str) -> None:
    own.parent.mkdir(parents=True)
    own.write_text(f"[last]\n{line}\n", "utf-8")
    config = read_table(None, all_games())
    assert "[last]: " in str(config.trouble)
    assert config.last == LastOptions()


def test_screen_says_when_settings_cannot_be_saved(tmp_path: Path, own: Path) -> None:
    (tmp_path / "config").touch()
    bench = begin(tmp_path)
    why = f"Not saved: cannot write to {tmp_path / 'config'}"
    assert bench.poster.lines[1] == why
    bench.press(0, BUZZ)
    bench.press(0, BUZZ, "C", "#")
    bench.take("Buntherum", "Start")
    assert bench.match.names == ("Anna", "Ben")
    bench.house("pause")
    bench.take("Settings")
    bench.take("Settings file")
    assert bench.menu.detail == why


def test_user_without_a_home_can_save_nothing(tmp_path: Path) -> None:
    settings = Settings(TableConfig(), Bench(tmp_path).host.services.player)
    kept = settings.menu().items[-1]
    assert str(kept.detail) == "Not saved: the home folder of this user is missing"


def test_commands_but_not_scripts_read_the_users_file(tmp_path: Path) -> None:
    own = tmp_path / "config" / "companion" / "table.toml"
    own.parent.mkdir(parents=True)
    own.write_text(f'[seats]\nnames = ["Mia", "Noa", "Ole"]\n[journal]\nfolder = "{tmp_path / "kept"}"\n', "utf-8")
    assert str(tmp_path / "kept") in companion(tmp_path, "history").stdout
    assert "Mia" not in companion(tmp_path, "headless", "buntherum", "--seed", "1", stdin="0.0 wait\n").stdout
    own.write_text("[seats]\nnames = 3\n", "utf-8")
    done = companion(tmp_path, "history")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "[seats]: names = 3" in done.stderr
