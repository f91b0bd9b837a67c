"""Failing third-party games and drivers, and the safe mode, which loads none."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config.table_file import parse_config
from companion.core import limits
from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.plugins import PLUGINS
from companion.core.text import msg
from companion.devices.drivers import all_drivers
from companion.games import all_games
from companion.table import safe_mode
from tests.host_bench import Bench
from tests.running import Here, companion

FAILURES = ["raise KeyError(7)", "import sys\nsys.exit(0)", "def", "GAME = 7", "raise RecursionError", "1 / 0"]
NEIGHBOUR = (
    "from companion.core.text import Text\nfrom companion.games.buntherum.game import GAME\n"
    "GAME = GAME._replace(name='neighbour', title=Text('Neighbour'))"
)


def others(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(source, "utf-8")
    return folder


def test_failing_games_are_named_and_others_run(tmp_path: Path) -> None:
    failing = {f"failing_{number}": failure for number, failure in enumerate(FAILURES)}
    folder = others(tmp_path / "others", **failing, neighbour=NEIGHBOUR)
    done = companion(tmp_path, "demo", "neighbour", "--text", "--seed", "7", COMPANION_GAMES=str(folder))
    assert done.returncode == 0
    for name in failing:
        assert f"the game in {folder / name} cannot be used: " in done.stderr
    assert "Record: " in done.stdout


def test_help_loads_no_third_party_game(tmp_path: Path) -> None:
    folder = others(tmp_path / "others", failing="open('loaded', 'w')")
    done = companion(tmp_path, "play", "--help", COMPANION_GAMES=str(folder))
    assert (done.returncode, (tmp_path / "loaded").exists()) == (0, False)
    assert "failing" in done.stdout


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed driver that ends the program."""
    info = tmp_path / "site" / "broken-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[companion.drivers]\nbad = broken_driver:DRIVER\n")
    (info.parent / "broken_driver.py").write_text("import sys\nsys.exit(0)\n")
    return info.parent


def test_partly_checked_file_is_not_called_fine(tmp_path: Path, site: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[seats]\nnames = ['A', 'B']\n")
    done = companion(tmp_path, "config", "check", table, PYTHONPATH=str(site))
    assert (done.returncode, done.stdout) == (0, f"{table} is valid\n")
    table.write_text("[bad]\nport = 7\n")
    done = companion(tmp_path, "config", "check", table, PYTHONPATH=str(site))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{table}: unknown section 'bad'; " in done.stderr
    assert done.stderr.endswith(f"companion: {table}: not all of it can be checked; fix the errors above\n")


def test_driver_that_ends_the_program_is_named(tmp_path: Path, site: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[bad]\nport = 7\n[buzers]\n[rulings.catan]\n[seats]\nnames = ['A', 'B']\n")
    words = ("doctor", "--no-walk", "--table", table)
    done = companion(tmp_path, *words, PYTHONPATH=str(site), COLUMNS="400")
    assert done.returncode in {0, 1}
    assert "plug-ins" in done.stdout
    assert (
        "the driver bad = broken_driver:DRIVER (broken 1.0) cannot be used: it ends the program (0)" in done.stdout
    )
    for section in (
        "unknown section 'bad'; ",
        "unknown section 'buzers'; did you mean 'buzzers'",
        "[rulings.catan]: ",
    ):
        assert f"{table}: {section}" in done.stdout, "it may be a slip as well"


def test_screen_names_the_failed_game_and_continues(tmp_path: Path) -> None:
    PLUGINS.refused.append(msg("the game in {where} cannot be used: {why}", where="/here", why="7"))
    bench = Bench(tmp_path)
    assert bench.poster.title == "Good to know"
    assert bench.poster.lines == ("the game in /here cannot be used: 7",)
    bench.press(0, BUZZ)
    assert bench.frame.screen != "Good to know"
    assert bench.poster.title != "Good to know"


# --- Safe mode --------------------------------------------------------------------------------------------


@pytest.fixture(params=["COMPANION_GAMES", "plugins"])
def unloaded(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A third-party game that creates a file when loaded, from a folder of either kind."""
    source = "from pathlib import Path\nPath(__file__).with_name('loaded').touch()\nraise SystemExit"
    folder = others(tmp_path / "state" / "plugins", toy_killer=source)
    if request.param == "COMPANION_GAMES":
        monkeypatch.setenv("COMPANION_GAMES", str(folder))
    else:
        info = folder / "killer-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: killer\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[companion.games]\ntoy_killer = toy_killer:GAME\n")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(sys, "path", sys.path.copy())
    for found in (all_games, all_drivers):
        found.cache_clear()
    yield folder / "toy_killer" / "loaded"
    for found in (all_games, all_drivers):
        found.cache_clear()


def run_safely(tmp_path: Path, table: Path | None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the safe mode to its first frame; return that frame's text."""
    said: list[str] = []

    class Window:
        def __init__(self, **_: object) -> None: ...

        def run(self, frames, *_: object) -> None:
            said.extend(frames.get().screen.lines)

        def close(self) -> None: ...

    monkeypatch.setattr(safe_mode, "Window", Window)
    monkeypatch.setattr(safe_mode, "find_screen", lambda **_: "")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    safe_mode.run(table, virtual=True)
    return said


def test_safe_mode_loads_no_plug_in(unloaded: Path, tmp_path: Path, monkeypatch) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[rulings.toy_killer]\ngoal = 7\n[section_of_a_driver]\nport = 7\n")
    assert run_safely(tmp_path, table, monkeypatch) == ["The cause is unknown"]
    assert not unloaded.exists()
    PLUGINS.wanted = True
    all_games.cache_clear()
    all_games()
    assert unloaded.exists(), "otherwise it is loaded"


def deep(path: Path) -> None:
    path.write_text("a = " + "[" * 20_000)


def dotted(path: Path) -> None:
    path.write_text("a" + ".a" * 20_000 + " = 1")


def digits(path: Path) -> None:
    path.write_text("[display]\nturn = " + "9" * 5_000)


def hexadecimal(path: Path) -> None:
    path.write_text("[display]\nturn = 0x" + "f" * 900)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def zeros(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1_000_000_000)


def no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")


def no_name(path: Path) -> None:
    path.write_text('[journal]\nfolder = "a\\u0000b"')


def no_line(path: Path) -> None:
    path.write_text(f"[buzzers]\npins = [{10**17}]")


def long_value(path: Path) -> None:
    path.write_text("[display]\nlanguage = '''" + ("x" * 900 + "\n") * 60 + "'''")


TABLES = [deep, dotted, digits, hexadecimal, pipe, zeros, no_text, no_name, no_line, long_value]


@pytest.mark.parametrize("bad", TABLES)
def test_safe_mode_survives_any_table_file(tmp_path: Path, bad, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "table.toml"
    bad(table)
    [said] = run_safely(tmp_path, table, monkeypatch)
    assert str(table) in said
    assert len(said) <= limits.SENTENCE_SIGNS + 3


@pytest.mark.parametrize("bad", TABLES)
def test_bad_table_file_is_reported_in_one_line(tmp_path: Path, bad, companion_here: Here) -> None:
    table = tmp_path / "table.toml"
    bad(table)
    done = companion_here("config", "check", table)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert str(table) in line
    assert len(line) < limits.SENTENCE_SIGNS + 100


def test_unknown_section_is_an_error_without_plug_ins() -> None:
    with pytest.raises(OptionError, match="unknown section 'section_of_a_driver'"):
        parse_config("[section_of_a_driver]\n", "table.toml", all_games())


@pytest.mark.parametrize("option", ["tie_margin_ms"])
def test_overlong_ruling_value_is_a_usage_error(tmp_path: Path, option: str) -> None:
    done = companion(tmp_path, "headless", "buntherum", "--ruling", f"{option}={'9' * 5_000}")
    assert done.returncode == 2
    assert "allowed: a whole number" in done.stderr
    assert len(done.stderr) < limits.SENTENCE_SIGNS + 100
