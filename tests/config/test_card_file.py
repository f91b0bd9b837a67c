"""companion.txt: its settings and error messages."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import card_file
from companion.config.card_file import (
    BUILDS,
    CardFile,
    build_table,
    keep_build,
    keep_display,
    read_card,
    system_files,
)
from companion.config.table_file import default_config, read_config
from companion.core.text import LANGUAGES, Text
from companion.games import all_games

ROOT = Path(__file__).parents[2]
ZONES = {"Europe/Zurich", "Europe/Paris", "America/New_York", "UTC"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlt0Qq3pC0mC0g3hTz6a2j0u7m7fL3Wv8r6n4sV1xkQ you@pc"
PASSWORD = "correct horse"

WHOLE = f"""\
# a comment
build = No solder
language = fr
Time-Zone = europe/zurich
Wi-Fi name = "Chez nous, é"
wifi password = {PASSWORD}
wifi country = CH
host name = table-2
display turn = 2
display size = 154 x 86 mm
ssh key = {KEY}
"""


def read(text: str) -> CardFile:
    return read_card(text.encode(), ZONES)


def told(text: str) -> list[str]:
    return [str(mistake) for mistake in read(text).mistakes]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_bom_do_not_matter(ending: str, mark: str) -> None:
    card = read(mark + WHOLE.replace("\n", ending))
    assert card.mistakes == ()
    assert card.values == {
        "build": "no-solder",
        "language": "fr",
        "time zone": "Europe/Zurich",
        "wifi name": "Chez nous, é",
        "wifi password": PASSWORD,
        "wifi country": "CH",
        "host name": "table-2",
        "display turn": "2",
        "display size": "154x86",
        "ssh key": KEY,
    }
    assert card.display() == {"turn": 2, "width_mm": 154, "height_mm": 86}


def test_shipped_file_sets_nothing_and_has_valid_examples() -> None:
    shipped = (ROOT / "systemd/card/boot/companion.txt").read_text(encoding="utf-8")
    assert read(shipped) == CardFile({})
    examples = [line[1:] for line in shipped.splitlines() if line.startswith("#") and line[1:2].strip()]
    names = {line.partition("=")[0].strip() for line in examples}
    assert names == set(read(WHOLE).values)
    filled = [line for line in examples if "…" not in line and line.partition("=")[2].strip()]
    assert told("\n".join(["wifi name = n", *filled])) == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("language", "companion.txt, line 2: there is no = in it; write name = value, or begin the line with #"),
        ("languag = fr", "companion.txt, line 2: unknown setting; did you mean 'language'? "),
        (
            "build = delux",
            "companion.txt, line 2: 'delux': allowed: classic, full, no-solder, nothing-to-build, phones",
        ),
        (
            "build = clasic",
            "'clasic': did you mean 'classic'? Allowed: classic, full, no-solder, nothing-to-build, phones",
        ),
        ("language = xx", f"companion.txt, line 2: 'xx': allowed: {', '.join(sorted(LANGUAGES))}"),
        ("time zone = Europe/Zürich", "line 2: 'Europe/Zürich': write a time zone such as Europe/Zurich"),
        ("time zone = nowhere", "line 2: 'nowhere': write a time zone such as "),
        ("time zone = GMT+1", "line 2: 'GMT+1': write a time zone such as Etc/GMT-1"),
        ("time zone = utc -03:00", "line 2: 'utc -03:00': write a time zone such as Etc/GMT+3"),
        ("language = “fr”", 'it has U+201C LEFT DOUBLE QUOTATION MARK instead of a plain "; some editors'),
        ("display size = 154\u00a0x\u00a086", "it has U+00A0 NO-BREAK SPACE instead of a plain space"),
        ("wifi name = ‘Home’", "it has U+2018 LEFT SINGLE QUOTATION MARK instead of a plain '"),
        ("wifi name = Our\u00a0home", "it has U+00A0 NO-BREAK SPACE instead of a plain space"),
        ("wifi name = Our\u200bhome", "it has U+200B ZERO WIDTH SPACE, which cannot be shown"),
        ("wifi name = " + "n" * 33, "has at most 32 bytes; this one has 33"),
        ("wifi country = ch", "line 2: 'ch': write the country of the network in two capitals, such as CH"),
        ("wifi country = CH", "line 2: wifi country needs a network; add a line wifi name = …"),
        ("host name = -table", "line 2: '-table': allowed: 1 to 63 letters, digits and hyphens, such as table"),
        ("display turn = 90", "line 2: '90': allowed: 0 to 3, its rotation in quarter turns anticlockwise"),
        ("display size = 7 inches", "line 2: '7 inches': write width x height of the picture in millimetres"),
        ("display size = 154x9", "line 2: '154x9': write width x height of the picture in millimetres"),
        (
            "ssh key = ssh-ed25519 AAAA",
            "this is not a public key; copy the single line of a file such as id_ed25519.pub",
        ),
        ("ssh key = -----BEGIN OPENSSH PRIVATE KEY-----", "this is not a public key; copy the single line"),
        ("host name = a\nhost-name = b", "line 3: host name is already in line 2; keep one of them"),
    ],
)
def test_mistake_names_its_line_and_its_remedy(line: str, says: str) -> None:
    (mistake,) = told(f"# first\n{line}\n")
    assert mistake.startswith("companion.txt, line ")
    assert says in mistake


@pytest.mark.parametrize("line", ["language", "languag = fr", "host = b", "=", "wifi password"])
def test_mistake_costs_only_its_own_line(line: str) -> None:
    assert read(f"{line}\n{WHOLE}").values == read(WHOLE).values


def test_file_in_another_encoding_says_how_to_save() -> None:
    card = read_card("language = fr\nwifi name = Café".encode("latin-1"), ZONES)
    assert card.values == {"language": "fr"}
    assert [str(mistake) for mistake in card.mistakes] == [
        "companion.txt, line 2: it is not valid UTF-8; save the file as UTF-8"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "wifi password = hunter2",
        "wifi password = “correct horse”",
        "wifi password: correct horse",
        "correct horse",
        "hunter2=x",
        "wifi hunter2 = x",
    ],
)
def test_no_mistake_or_repr_shows_a_password(line: str) -> None:
    card = read(f"wifi name = n\n{line}\n")
    assert len(card.mistakes) == 1
    said = f"{card!r} {card.mistakes[0]}"
    assert "hunter2" not in said
    assert "correct horse" not in said
    assert PASSWORD not in repr((read(WHOLE), system_files(read(WHOLE))))


@pytest.mark.parametrize("name", ["wifi name", "wifi password"])
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"correct horse"', "correct horse"),
        ("'correct horse '", "correct horse "),
        ('""correct horse""', '"correct horse"'),
        ('correct "horse"', 'correct "horse"'),
        ("\"correct horse'", "\"correct horse'"),
        ("it's a horse'", "it's a horse'"),
    ],
)
def test_network_name_and_password_may_be_quoted(name: str, written: str, meant: str) -> None:
    others = "" if name == "wifi name" else "wifi name = n\n"
    assert read(f"{others}{name} = {written}\n").values[name] == meant


def test_network_name_may_contain_a_curly_apostrophe() -> None:
    assert read("wifi name = Anna’s iPhone\n").values == {"wifi name": "Anna’s iPhone"}


WIFI = "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"


@pytest.mark.parametrize(
    "line", ["wifi password = short", "wifi password: correct horse", "wifi pasword = correct horse"]
)
def test_network_with_a_bad_password_is_not_joined(line: str) -> None:
    card = read(f"{line}\nwifi name = n\nlanguage = fr\n")
    assert WIFI not in system_files(card)
    assert len(card.mistakes) == 1
    assert card.values == {"language": "fr"}
    strange = read_card("wifi name = n\nwifi password = pässwörter".encode("latin-1"), ZONES)
    assert WIFI not in system_files(strange)


def test_open_network_is_joined_despite_other_mistakes() -> None:
    for password in ("", "wifi password =\n"):
        card = read(f"wifi name = n\n{password}language = xx\ndisplay turn = 9\n")
        assert "key_mgmt=NONE" in system_files(card)[WIFI].text


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(data: bytes) -> None:
    card = read_card(data, ZONES)
    assert all(str(mistake).startswith("companion.txt, line ") for mistake in card.mistakes)
    assert system_files(card)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=70))
def test_no_password_breaks_out_of_its_line(password: str) -> None:
    card = read(f"wifi name = n\nwifi password = {password}")
    wifi = system_files(card).get(WIFI)
    if wifi is None:
        assert len(card.mistakes) == 1
        return
    assert wifi.text.count("\n") == (8 if "wifi password" in card.values else 6)
    assert wifi.text.count("}") - password.count("}") in {0, 1}


def test_only_root_may_read_secret_files() -> None:
    files = system_files(read(WHOLE))
    closed = {name for name, file in files.items() if file.mode == 0o600}
    assert closed == {"etc/wpa_supplicant/wpa_supplicant-wlan0.conf", "root/.ssh/authorized_keys"}
    assert [name for name, file in files.items() if PASSWORD in file.text] == [
        "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    ]


def test_empty_card_file_writes_no_network_or_key() -> None:
    assert set(system_files(CardFile({}))) == {"run/companion-card/environment"}


def test_display_settings_stay_until_the_card_file_changes(tmp_path: Path) -> None:
    table, note = tmp_path / "table.toml", tmp_path / "card-display"
    table.write_text(default_config(all_games()), encoding="utf-8")

    def turn() -> int:
        return read_config(table, all_games()).display.turn

    keep_display(read("display turn = 1"), table, note)
    assert turn() == 1
    table.write_text(default_config(all_games()), encoding="utf-8")
    keep_display(read("display turn = 1"), table, note)
    assert turn() == 0
    keep_display(read("display turn = 3\ndisplay size = 200x120"), table, note)
    assert turn() == 3
    assert read_config(table, all_games()).display.width_mm == 200


# --- The build --------------------------------------------------------------------------------------------

CHANGED = "[seats]\nnames = ['Zoe', 'Yan']\n"


class Table:
    """A table's folder; `start` applies a companion.txt."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "table.toml"
        self.default = default_config(all_games())
        self.file.write_text(self.default, encoding="utf-8")

    def start(self, lines: str) -> Text | None:
        card, folder = read(lines), self.file.parent
        said = keep_build(card, self.file, folder / "card-build", self.default.encode())
        keep_display(card, self.file, folder / "card-display")
        return said

    def kept(self) -> dict[str, str]:
        return {path.name: path.read_text(encoding="utf-8") for path in self.file.parent.glob("table.toml.*")}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize("build", BUILDS)
def test_new_card_begins_with_its_build(table: Table, build: str) -> None:
    assert table.start(f"build = {build}") is None
    assert table.file.read_text(encoding="utf-8").startswith(build_table(build).read_text(encoding="utf-8"))
    assert read_config(table.file, all_games()).journal.folder == str(table.file.parent / "matches")
    assert table.kept() == {}
    table.file.write_text(CHANGED, encoding="utf-8")
    assert table.start(f"build = {build}") is None
    assert table.start("language = fr") is None
    assert table.file.read_text(encoding="utf-8") == CHANGED


def test_another_build_keeps_the_earlier_table(table: Table) -> None:
    table.file.write_text(CHANGED, encoding="utf-8")
    told = str(table.start("build = full\ndisplay turn = 2"))
    assert told.endswith("uses this build's table.toml. The earlier one is kept as table.toml.before")
    table.file.write_text(f"{CHANGED}# full\n", encoding="utf-8")
    assert "kept as table.toml.full" in str(table.start("build = classic\ndisplay turn = 2"))
    assert read_config(table.file, all_games()).display.turn == 2
    table.start("build = full")
    assert table.file.read_text(encoding="utf-8") == f"{CHANGED}# full\n"
    assert table.kept().keys() == {"table.toml.before", "table.toml.classic"}
    assert table.kept()["table.toml.before"] == CHANGED


@pytest.mark.parametrize("cut", range(4))
def test_power_cut_while_switching_loses_no_table(table: Table, cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table.start("build = classic")
    table.file.write_text(CHANGED, encoding="utf-8")
    with monkeypatch.context() as patched:
        left = iter(range(cut))

        def stop() -> None:
            if next(left, None) is None:
                raise InterruptedError

        whole, move = card_file.replace_file, Path.replace
        patched.setattr(card_file, "replace_file", lambda *of: (stop(), whole(*of)))
        patched.setattr(Path, "replace", lambda *of: (stop(), move(*of))[1])
        with pytest.raises(InterruptedError):
            table.start("build = phones")
    table.start("build = phones")
    assert read_config(table.file, all_games()).wiring == read_config(build_table("phones"), all_games()).wiring
    assert table.kept() == {"table.toml.classic": CHANGED}


def test_package_contains_each_builds_table() -> None:
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = packed["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for build in BUILDS:
        assert included[str(build_table(build).relative_to(ROOT))] == f"companion/builds/{build}.toml"
