"""docs/keypads.md has valid examples and the program's keys."""

import re
from pathlib import Path

from companion.config.table_file import parse_config
from companion.core.console import KEYPAD, KEYS
from companion.core.place import HOUSE
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.devices.lines import MatrixWiring
from companion.games import all_games
from tests.docs.grammar import blocks

DOCUMENT = Path(__file__).parents[2] / "docs" / "keypads.md"


def test_examples_are_valid_beside_all_other_devices() -> None:
    config = parse_config("\n".join(blocks(DOCUMENT, "toml")), "table.toml", all_games())
    assert config.wiring.of(PadWiring) == PadWiring(ask=True)
    assert f"`{UsbPads.whose}`" in DOCUMENT.read_text("utf-8")
    assert config.wiring.of(MatrixWiring).place == HOUSE
    assert len(config.wiring.lines) == 5 + 5 + 1 + 4 + 8


def test_drawing_shows_every_key_at_its_place() -> None:
    rows = re.findall(r"row \d  ─+(.)───(.)───(.)───(.)$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert tuple("".join(row) for row in rows) == KEYPAD


def test_table_lists_every_key() -> None:
    keys = re.findall(r"^\| (`.*?) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert keys == ["`0` to `9`", *(f"`{key}`" for key in "#*ABCD")]
    assert set("0123456789#*ABCD") == set(KEYS)
