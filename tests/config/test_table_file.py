"""table.toml: its options and its mistakes."""

import dataclasses
import os
import pwd
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.config.table_file import (
    TableConfig,
    default_config,
    keep_option,
    parse_config,
    read_config,
)
from companion.core.errors import OptionError
from companion.core.files import data_folder, state_folder
from companion.games import all_games, load
from companion.referee.journal import open_record
from tests.neighbour import as_root
from tests.running import Here, companion

GAMES = all_games()
RULINGS = "[rulings.buntherum]\n"


def uncommented(text: str) -> str:
    """Return a file of defaults with every option uncommented."""
    return re.sub(r"^#(\w+ = )", r"\1", text, flags=re.MULTILINE)


# --- init and check ---------------------------------------------------------------------------------------


def test_file_from_init_passes_the_check(tmp_path: Path, companion_here: Here) -> None:
    assert companion_here("config", "init").returncode == 0
    assert (tmp_path / "table.toml").is_file()
    done = companion_here("config", "check")
    assert (done.returncode, done.stdout) == (0, "table.toml is valid\n")


def test_every_option_is_written_and_valid(tmp_path: Path, companion_here: Here) -> None:
    text = uncommented(default_config(GAMES))
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    assert companion_here("config", "check", "mine.toml").returncode == 0
    config = parse_config(text, "mine.toml", GAMES)
    assert dataclasses.replace(config, rulings={}, games={}) == TableConfig()
    assert config.rulings == {name: game.rulings() for name, game in GAMES.items()}
    own = [value for value in vars(config).values() if dataclasses.is_dataclass(value)]
    sections = [*own, *config.wiring.options, *config.rulings.values(), *config.games.values()]
    names = {field.name for section in sections for field in dataclasses.fields(section)}
    assert {line.partition(" = ")[0] for line in text.splitlines() if " = " in line} >= names


def test_every_option_of_1_0_is_still_accepted() -> None:
    read_config(Path(__file__).with_name("1.0-table.toml"), GAMES)


def test_default_file_changes_nothing() -> None:
    assert (
        parse_config(default_config(GAMES), "table.toml", GAMES).rulings_of(load("buntherum"))
        == load("buntherum").rulings()
    )


def test_init_does_not_overwrite_a_file(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "table.toml").write_text("mine")
    done = companion_here("config", "init")
    assert (done.returncode, done.stdout) == (2, "")
    assert "table.toml already exists" in done.stderr
    assert (tmp_path / "table.toml").read_text() == "mine"


def test_init_into_a_missing_folder_fails(companion_here: Here) -> None:
    done = companion_here("config", "init", "nowhere/table.toml")
    assert done.returncode == 2
    assert "nowhere/table.toml: No such file" in done.stderr


# --- Mistakes ---------------------------------------------------------------------------------------------

BAD = [
    ("[seets]\n", "unknown section 'seets'; did you mean 'seats'? Allowed: "),
    ("[seats]\nname = 1", "[seats]: unknown option 'name'; did you mean 'names'?"),
    ('[seats]\nnames = "Anna"', "[seats]: names = 'Anna'; allowed: a list of words"),
    ('[seats]\nnames = ["Anna"]', "[seats]: names = ['Anna']; allowed: 2 to 5 names"),
    ('[seats]\nnames = ["A", "B", "C", "D", "E", "F"]', "names = ['A', 'B', 'C', 'D', 'E', 'F']; allowed: 2 to 5"),
    ('[seats]\nnames = ["Anna", ""]', "[seats]: names: a name is empty"),
    ('[seats]\nnames = ["Anna", "\u202f"]', "[seats]: names: a name is empty"),
    (
        '[seats]\nnames = ["An\\nna", "Ben"]',
        r"[seats]: names: the screens cannot show U+000A; remove it from the name 'An\nna'",
    ),
    ('[journal]\nfolder = "~nobody-here/x"', "[journal]: folder = '~nobody-here/x'; there is no such user here"),
    ('[sound]\nvoice_files = ["~nobody-here/en_x.onnx"]', "there is no such user here"),
    (
        '[sound]\nvoice_files = ["en_US-amy.onnx", "fr_FR-siwis.onnx", "en_GB-alan.onnx"]',
        "voice_files: 'en_US-amy.onnx' and 'en_GB-alan.onnx' are both for en; allowed: one file a language",
    ),
    ('[seats]\nnames = ["Anna", 2]', "[seats]: names = ['Anna', 2]; allowed: a list of words"),
    ("seats = 3", "[seats]: this is a section, not a value"),
    ("[journal]\nfolder = 7", "[journal]: folder = 7; allowed: a text"),
    (
        "[rulings.bunterum]\n",
        f"did you mean 'buntherum'? Allowed: {', '.join(sorted(all_games()))}",
    ),
    ("[games.bunterum]\n", "[games.bunterum]: did you mean 'buntherum'?"),
    ("[games.buntherum]\nboxes = 3", "[games.buntherum]: unknown option 'boxes'; did you mean 'box'?"),
    ("[games.buntherum]\nbox = 3", "[games.buntherum]: box = 3; allowed: a text"),
    ("[rulings]\nbuntherum = 1", "[rulings.buntherum]: this is a section, not a value"),
    (RULINGS + "tie_margin = 1", "[rulings.buntherum]: unknown option 'tie_margin'; did you mean 'tie_margin_ms'?"),
    (RULINGS + "tie_margin_ms = 1001", "tie_margin_ms = 1001; allowed: a whole number from 0 to 50"),
    (RULINGS + "tie_margin_ms = 0.5", "tie_margin_ms = 0.5; allowed: a whole number from 0 to 50"),
    (RULINGS + "tie_margin_ms = true", "tie_margin_ms = True; allowed: a whole number"),
    (RULINGS + "printed_counts = 1", "printed_counts = 1; allowed: true or false"),
    (
        RULINGS + 'call_input = "dircet"',
        "call_input = 'dircet'; did you mean 'direct'? Allowed: buzz_then_key, direct",
    ),
    ("[seats]\nnames = Anna", "line 2"),
    ("[seats]\n[seats]\n", "line 2"),
]


@pytest.mark.parametrize(("text", "why"), BAD, ids=[text for text, _ in BAD])
def test_check_names_each_mistake(text: str, why: str, tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "table.toml").write_text(text, "utf-8")
    done = companion_here("config", "check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("companion: table.toml: ")
    assert why in done.stderr


def test_every_command_refuses_a_bad_file(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "bad.toml").write_text("[seets]\n")
    commands = ("demo", "headless buntherum", "simulate buntherum", "history", "replay x", "export x")
    for command in commands:
        done = companion_here(*command.split(), "--table", "bad.toml")
        assert (done.returncode, done.stdout) == (2, ""), command
        assert "bad.toml: unknown section 'seets'" in done.stderr


def test_unreadable_file_is_named(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "table.toml").write_bytes(b"\xff\xfe")
    for name in ("table.toml", ".", "missing.toml"):
        done = companion_here("config", "check", name)
        assert done.returncode == 2
        assert f"companion: {name}: " in done.stderr


def test_wrong_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes('[seats]\nnames = ["Zoë", "Yan"]\n'.encode("latin-1"))
    done = companion(tmp_path, "config", "check")
    assert done.returncode == 2
    assert done.stderr == "companion: table.toml: line 2 is not valid UTF-8; save the file as UTF-8\n"


def test_byte_order_mark_is_accepted_and_preserved(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xef\xbb\xbf[sound]\r\nvolume = 3\r\n")
    assert read_config(path, GAMES).sound.volume == 3
    keep_option(path, "sound", "volume", 5)
    assert path.read_bytes() == b"\xef\xbb\xbf[sound]\r\nvolume = 5\r\n"


@as_root
def test_file_changed_by_root_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[sound]\nvolume = 3\n")
    path.chmod(0o640)
    for one in (tmp_path, path):
        os.chown(one, 1234, 1234)
    keep_option(path, "sound", "volume", 5)
    about = path.stat()
    assert (about.st_uid, about.st_gid, about.st_mode & 0o777) == (1234, 1234, 0o640)


# --- Options in force -------------------------------------------------------------------------------------

MINE = """
[seats]
names = ["Zoë", "Yan"]
[journal]
folder = "{folder}"
[rulings.buntherum]
call_input = "direct"
declare_s = 9
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE.format(folder=tmp_path / "kept"), "utf-8")
    return path


def test_names_rulings_and_folder_are_used(mine: Path, tmp_path: Path, companion_here: Here) -> None:
    assert companion_here("demo", "--seed", "7", "--table", mine).returncode == 0
    [record] = (tmp_path / "kept").glob("*.record")
    match = open_record(record, GAMES).match
    assert match.names == ("Zoë", "Yan")
    assert (match.rulings.call_input, match.rulings.declare_s) == ("direct", 9)
    assert "Zoë, Yan" in companion_here("history", "--table", mine).stdout
    assert "Zoë, Yan" not in companion_here("history").stdout


def test_command_line_overrides_the_file(mine: Path, tmp_path: Path, companion_here: Here) -> None:
    path = tmp_path / "match.record"
    words = ("--ruling", "declare_s=3", "--seats", "Anna,Ben", "--journal", path)
    assert companion_here("demo", "--seed", "7", "--table", mine, *words).returncode == 0
    match = open_record(path, GAMES).match
    assert match.names == ("Anna", "Ben")
    assert (match.rulings.call_input, match.rulings.declare_s) == ("direct", 3)


def test_records_go_to_the_users_data_folder(tmp_path: Path) -> None:
    assert companion(tmp_path, "demo", "--seed", "7").returncode == 0
    assert len(list((tmp_path / "data" / "companion" / "matches").glob("*.record"))) == 1
    done = companion(tmp_path, "demo", "--seed", "7", XDG_DATA_HOME="", HOME=str(tmp_path / "home"))
    assert done.returncode == 0
    assert len(list((tmp_path / "home/.local/share/companion/matches").glob("*.record"))) == 1


@pytest.mark.parametrize("home", ["", "anna"])
def test_invalid_home_variable_is_ignored(
    home: str, tmp_path: Path, companion_here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.toml").write_text('[journal]\nfolder = "~/matches"\n')
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_dir="/home/anna"))
    monkeypatch.delenv("XDG_DATA_HOME")
    for words, folder in ((), ".local/share/companion/matches"), (("--table", "table.toml"), "matches"):
        monkeypatch.setenv("HOME", home)
        assert companion_here("history", *words).stdout == f"no matches in /home/anna/{folder}\n"


def test_missing_home_folder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: object) -> None:
        raise KeyError

    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for folder in (data_folder, state_folder):
        with pytest.raises(OptionError, match="not have a home folder; set HOME"):
            folder()


# --- Changing one option -----------------------------------------------------------------------------------


SEATS = 'seats = ["A1", ""]'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"[pods]\n{SEATS}\n"),
        ("[seats]\nnames = ['X', 'Y'] # us\n", f"[seats]\nnames = ['X', 'Y'] # us\n\n[pods]\n{SEATS}\n"),
        ("[pods]\ndrift_ppm = 50\n[lamps]\nsiren = 4\n", f"[pods]\n{SEATS}\ndrift_ppm = 50\n[lamps]\nsiren = 4\n"),
        ('# 1\n[pods] # 2\nseats = [\n  "B2",\n]\nports = ["x"]\n', f'# 1\n[pods] # 2\n{SEATS}\nports = ["x"]\n'),
    ],
)
def test_pod_seats_are_written_without_other_changes(tmp_path, before, after):
    path = tmp_path / "table.toml"
    path.write_text(before)
    keep_option(path, "pods", "seats", ("A1", ""))
    assert path.read_text() == after
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[sound]\nvolume = 3\n"),
        ("[sound]\nmute = true # at night\n", "[sound]\nvolume = 3\nmute = true # at night\n"),
        (
            "[sound]\n#volume = 7\nvolume = 10 # loud\n[seats]\n",
            "[sound]\n#volume = 7\nvolume = 3 # loud\n[seats]\n",
        ),
    ],
)
def test_any_option_is_written_without_other_changes(tmp_path, before, after):
    path = tmp_path / "table.toml"
    path.write_text(before)
    keep_option(path, "sound", "volume", 3)
    assert path.read_text() == after


def test_new_file_is_synced_before_replacing_the_old(tmp_path, monkeypatch):
    path = tmp_path / "table.toml"
    path.write_text("[sound]\nvolume = 7\n")
    path.chmod(0o640)
    (tmp_path / "link.toml").symlink_to("table.toml")
    seen = []

    def synced(fd: int) -> None:
        file = Path(f"/proc/self/fd/{fd}")
        seen.append((file.read_text() if file.is_file() else "its folder", path.read_text()))

    monkeypatch.setattr(os, "fsync", synced)
    keep_option(tmp_path / "link.toml", "sound", "volume", 3)
    new, old = "[sound]\nvolume = 3\n", "[sound]\nvolume = 7\n"
    assert seen == [(new, old), ("its folder", new)]
    assert path.read_text() == "[sound]\nvolume = 3\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link.toml").is_symlink()


@pytest.mark.parametrize(
    "text",
    [
        "pods = { seats = [] }\n",
        "[pods]\nseats = []\nseats = []\n",
        "[games]\nbuntherum.box = 'a'\n[games.buntherum]\nbox = 'b'\n",
    ],
)
def test_unchangeable_file_stays_and_error_gives_the_line(tmp_path, text):
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(OptionError, match=r'add to it: \[pods\] seats = \["A1"\]'):
        keep_option(path, "pods", "seats", ("A1",))
    assert path.read_text() == text


@pytest.mark.parametrize(
    "before", ["", "[games]\n", '[games.buntherum]\n# mine\nbox = "old"\n', "[sound]\nvolume = 3\n"]
)
def test_game_option_is_written_into_its_section(tmp_path: Path, before: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(before, "utf-8")
    keep_option(path, "games.buntherum", "box", "Our box")
    config = read_config(path, GAMES)
    assert config.box_of(GAMES["buntherum"]) == "Our box"
    assert all(line in path.read_text("utf-8") for line in before.splitlines() if "old" not in line)
