"""Settings that people change at the table."""

import errno
import os
from pathlib import Path

import pytest

from companion.config import table_file
from companion.config.settings import IN_MENU
from companion.config.table_file import TableConfig, read_config
from companion.core import options
from companion.core.errors import OptionError
from companion.display.frame import Look, Menu
from companion.games import all_games
from companion.match import centre
from tests.host_bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def open_settings(bench: Bench) -> Menu:
    """Open the settings from the attract screen."""
    bench.press(0, "0")
    bench.take("Settings")
    return bench.menu


@pytest.mark.parametrize("control", ["0", "*", "A"])
def test_only_key_0_opens_the_menu(bench: Bench, control: str) -> None:
    bench.press(2, control)
    assert isinstance(bench.frame.screen, Menu) == (control == "0")


@pytest.mark.parametrize("control", ["menu", "pause"])
def test_house_button_opens_and_leaves_the_menu(bench: Bench, control: str) -> None:
    bench.house(control)
    assert bench.menu.items[0] == "Play"
    bench.house(control)
    assert bench.poster.hint == centre.attract().hint


def test_play_lets_people_sit_down(bench: Bench) -> None:
    bench.house("menu")
    bench.press(0, "1")
    bench.press(0, "buzz")
    assert bench.frame.sides[0].name == "Anna"


def test_leaving_the_settings_returns_to_their_line(bench: Bench) -> None:
    open_settings(bench)
    bench.press(0, "*")
    assert bench.menu.items[bench.menu.selected] == "Settings"
    bench.press(0, "*")
    bench.play()
    bench.house("pause")
    bench.take("Settings")
    bench.house("menu")
    assert (bench.menu.title, bench.menu.items[bench.menu.selected]) == ("Pause", "Settings")


def test_every_menu_option_has_a_label() -> None:
    for section, name in IN_MENU:
        assert options.declared(getattr(TableConfig(), section), name).metadata["label"]


@pytest.mark.parametrize(
    ("line", "look"),
    [
        ("Contrast", Look(high_contrast=True)),
        ("Text", Look(large_text=True)),
        ("Motion", Look(motion=False)),
    ],
)
def test_display_option_changes_the_next_frame(bench: Bench, line: str, look: Look) -> None:
    open_settings(bench)
    assert bench.frame.look == Look()
    bench.take(line)
    assert bench.frame.look == look
    assert bench.menu.items[bench.menu.selected].startswith(line)
    bench.take(line)
    assert bench.frame.look == Look()


def test_language_changes_with_the_next_frame(bench: Bench) -> None:
    open_settings(bench)
    bench.take("Language")
    bench.take("Language")
    assert bench.menu.title == "Réglages"
    assert bench.frame.look.language == "fr", "for the words of the virtual table itself"
    bench.press(0, "*", "*")
    assert bench.poster.lines == ("Qui a été le plus rapide\N{NARROW NO-BREAK SPACE}? Plus besoin de discuter.",)


def test_each_menu_option_is_saved_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[journal]\nfolder = "{tmp_path}"\n[display]\ncontrast = "normal" # for now\n')
    before = read_config(path, all_games())
    bench = Bench(tmp_path, config=before, by_hand=True)
    open_settings(bench)
    for section, name in reversed(IN_MENU):  # upwards, because a muted table lacks its volume
        bench.take(f"{options.declared(getattr(before, section), name).metadata['label']}:")
    after = read_config(path, all_games())
    for section, name in IN_MENU:
        assert getattr(getattr(after, section), name) != getattr(getattr(before, section), name), name
    assert "# for now" in path.read_text()


def test_setting_that_cannot_be_saved_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    path = tmp_path / "table.toml"
    path.write_text(f'[journal]\nfolder = "{tmp_path}"\n')
    bench = Bench(tmp_path, config=read_config(path, all_games()), by_hand=True)
    open_settings(bench)
    with monkeypatch.context() as patch:
        patch.setattr(table_file, "replace_file", refuse)
        bench.take("Contrast")
    assert bench.menu.items[bench.menu.selected] == "Contrast: high"
    why = f'{path} was not changed (Read-only file system); add to it: [display] contrast = "high"'
    assert bench.menu.detail == why
    bench.take("Contrast")
    assert "not changed" not in bench.menu.detail


@pytest.mark.parametrize("line", ['timers = "x3"', "nudge_s = -1", 'contrast = "none"'])
def test_disallowed_option_value_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "table.toml"
    section = "display" if line.startswith("contrast") else "pace"
    path.write_text(f"[{section}]\n{line}\n")
    with pytest.raises(
        OptionError, match=rf"\[{section}\]: {line.split(maxsplit=1)[0]} = .*(allowed|did you mean)"
    ):
        read_config(path, all_games())
