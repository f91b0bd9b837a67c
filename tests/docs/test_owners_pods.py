"""docs/pods.md has valid examples and the program's options, commands and figures."""

import re
from dataclasses import fields
from pathlib import Path

from companion.config.table_file import parse_config
from companion.core.place import ScreenSize
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.port import BOARDS
from companion.games import all_games
from companion.match.private_screens import PAGE_NS
from tests.docs.grammar import blocks
from tests.running import companion

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "pods.md"
TEXT = DOCUMENT.read_text("utf-8")
FIRMWARE = ROOT / "hardware" / "pod"


def test_examples_are_valid_and_use_no_gpio_line() -> None:
    config = parse_config("\n".join(blocks(DOCUMENT, "toml")), "table.toml", all_games())
    assert config.wiring.lines == []
    assert [bool(identity) for identity in config.wiring.of(PodWiring).seats] == [True, False, True]


def test_table_lists_every_option() -> None:
    section = TEXT.partition("## In table.toml\n")[2].split("\n##")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [option.name for option in fields(PodWiring)]


def test_table_lists_every_command(tmp_path: Path) -> None:
    said = companion(tmp_path, "pod", "--help").stdout
    [actions] = re.findall(r"\{([a-z,]+)\}", said.partition("positional arguments")[2])
    assert re.findall(r"^\| `companion pod (\w+)` \|", TEXT, re.MULTILINE) == actions.split(",")


def test_figures_match_the_program_and_the_firmware() -> None:
    [most] = re.findall(r"^KEPT_MAX = (\d+)$", (FIRMWARE / "link.py").read_text("utf-8"), re.MULTILINE)
    [nobody] = re.findall(r'^NO_TABLE = b"(.*?)"', (FIRMWARE / "screen.py").read_text("utf-8"), re.MULTILINE)
    assert f"room for {most} presses" in TEXT
    assert f"the pod says `{nobody}`" in TEXT
    assert f"{ScreenSize().columns} characters" in TEXT
    assert f"{PAGE_NS / 1e9:g} s each" in TEXT
    assert "Raspberry Pi Pico" in BOARDS.values()
    drift_ppm = PodWiring().drift_ppm
    assert f"drift_ppm = {drift_ppm}\n" in TEXT


def test_question_is_the_one_on_the_screen() -> None:
    assert f"`{Pods.whose}`" in TEXT


def test_links_lead_to_files() -> None:
    for document in (DOCUMENT, ROOT / "README.md", ROOT / "docs" / "play.md", ROOT / "docs" / "doctor.md"):
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text("utf-8"))
        assert links
        assert [link for link in links if not (document.parent / link).exists()] == []


def test_linked_headings_exist() -> None:
    for document in (DOCUMENT, ROOT / "docs" / "play.md"):
        for file, heading in re.findall(r"\]\(([\w.]*)#([^)]+)\)", document.read_text("utf-8")):
            target = (document.parent / file if file else document).read_text("utf-8")
            headings = re.findall(r"^#+ (.*)$", target, re.MULTILINE)
            assert heading in [each.lower().replace(" ", "-") for each in headings]
