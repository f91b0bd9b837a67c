"""Tests the wiring sections of table.toml and their errors."""

import pytest

from companion.config.table_file import parse_config
from companion.core.errors import OptionError
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.games import all_games

GAMES = all_games()


def wiring(text: str) -> Wiring:
    return parse_config(text, "table.toml", GAMES).wiring


def test_default_wiring_uses_each_line_once_avoiding_buses():
    Wiring().check("default")
    lines = [pin for _, pin in Wiring().lines]
    assert len(lines) == len(set(lines)) == 15
    assert set(lines) <= set(range(4, 28))  # 0 to 3 stay free for I2C and the HAT's memory
    assert not set(lines) & {7, 8, 9, 10, 11, 14, 15}  # so do those for SPI and the serial port


def test_wiring_is_read_from_the_file():
    found = wiring(
        """
        [buzzers]
        source = "lgpio"
        chip = "mine"
        pins = [1, 2, 3]
        pull = "down"
        active_low = false
        normally_closed = true
        [lamps]
        pins = []
        siren = -1
        [house]
        ok = 9
        undo = -1
        pause = -1
        skip = -1
        """
    )
    assert found == Wiring(
        BuzzerWiring("lgpio", "mine", (1, 2, 3), "down", False, True),
        LampWiring((), NOT_WIRED),
        HouseWiring(9, NOT_WIRED, NOT_WIRED, NOT_WIRED),
    )
    assert [(str(use), pin) for use, pin in found.lines] == [
        ("[buzzers] seat 1", 1),
        ("[buzzers] seat 2", 2),
        ("[buzzers] seat 3", 3),
        ("[house] ok", 9),
    ]


@pytest.mark.parametrize(
    ("active_low", "normally_closed", "low"),
    [(True, False, True), (True, True, False), (False, False, False), (False, True, True)],
)
def test_pressed_level_follows_polarity_and_contact(active_low, normally_closed, low):
    assert BuzzerWiring(active_low=active_low, normally_closed=normally_closed).pressed_low is low


BAD = [
    ("[buzzers]\npins = [1, 1]", "line 1 is used twice: [buzzers] seat 1 and [buzzers] seat 2; give each its own"),
    ("[buzzers]\npins = [17, 18]", "line 18 is used twice: [buzzers] seat 2 and [lamps] siren"),
    ("[lamps]\npins = [17]", "line 17 is used twice: [buzzers] seat 1 and [lamps] seat 1"),
    ("[house]\nmenu = 16", "line 16 is used twice: [house] ok and [house] menu"),
    ("[house]\nright = 5", "line 5 is used twice: [lamps] seat 1 and [house] right"),
    ("[buzzers]\npins = [0, 1, 2, 3, 4, 7]", "[buzzers]: pins: allowed: up to 5 lines, one a seat"),
    ("[lamps]\npins = [0, 1, 2, 3, 4, 7]", "[lamps]: pins: allowed: up to 5 lines, one a seat"),
    ("[buzzers]\npins = [-1, 2]", "pins = [-1, 2]; allowed: a list of whole numbers from 0"),
    ("[buzzers]\npins = ['GPIO17', 2]", "allowed: a list of whole numbers from 0"),
    ("[buzzers]\npins = [true, 2]", "allowed: a list of whole numbers from 0"),
    ("[buzzers]\npins = 17", "pins = 17; allowed: a list of whole numbers from 0"),
    (
        "[buzzers]\nsource = 'gpoid'",
        "source = 'gpoid'; did you mean 'gpiod'? Allowed: auto, gpiod, lgpio, mock, rpigpio",
    ),
    ("[buzzers]\npull = 'high'", "pull = 'high'; allowed: down, none, up"),
    ("[buzzers]\nactive_low = 1", "active_low = 1; allowed: true or false"),
    ("[buzzers]\ndebounce_ms = 5", "unknown option 'debounce_ms'"),
    ("[lamps]\nsiren = -2", "siren = -2; allowed: a whole number from -1"),
    ("[house]\noky = 3", "unknown option 'oky'; did you mean 'ok'?"),
    (
        "[pods]\nports = ['/dev/ttyACM0', '/dev//ttyACM0']",
        "[pods]: ports: '/dev//ttyACM0' appears twice; allowed: each port once",
    ),
    ("[pods]\nseats = ['AA', '', 'AA']", "[pods]: seats: AA has two seats, 1 and 3; give it one"),
    ("[pods]\nseats = ['', '', '', '', '', '']", "[pods]: seats: allowed: up to 5 pods, one a seat"),
    ("[pods]\nseats = ['aa']", "[pods]: seats: 'aa'; allowed: digits and A to F"),
    ("[pods]\nseats = [1]", "seats = [1]; allowed: a list of words"),
    ("[pods]\ndrift_ppm = 0", "drift_ppm = 0; allowed: a whole number from 1 to 20000"),
]


@pytest.mark.parametrize(("text", "why"), BAD, ids=[text for text, _ in BAD])
def test_wrong_option_is_named(text, why):
    with pytest.raises(OptionError) as caught:
        wiring(text)
    assert str(caught.value).startswith("table.toml: ")
    assert why.lower() in str(caught.value).lower()
