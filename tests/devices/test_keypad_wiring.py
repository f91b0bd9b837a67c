"""Tests the sections [pads] and [matrix] of table.toml."""

import pytest

from companion.config.table_file import TableConfig, parse_config
from companion.core.errors import OptionError
from companion.core.place import HOUSE
from companion.devices.keypads.usb_pads import PadWiring
from companion.devices.lines import MatrixWiring

MATRIX = "[matrix]\nrows = [4, 7, 8, 25]\ncolumns = [9, 10, 11, 15]\n"


def read(text: str) -> TableConfig:
    return parse_config(text, "table.toml", {})


def test_table_has_no_keypads_by_default():
    config = read("")
    assert config.wiring.of(PadWiring).bound == {}
    assert config.wiring.of(MatrixWiring).rows == config.wiring.of(MatrixWiring).columns == ()


def test_two_parts_of_one_device_are_two_pads():
    config = read('[pads]\nseats = ["usb-1.2/input0", "usb-1.2/input1"]')
    assert len(config.wiring.of(PadWiring).bound) == 2


def test_pads_are_bound_to_places():
    config = read('[pads]\nseats = ["", "usb-1", "A0815"]\nhouse = "usb-9"')
    assert config.wiring.of(PadWiring).bound == {1: "usb-1", 2: "A0815", HOUSE: "usb-9"}


@pytest.mark.parametrize(("seat", "place"), [(0, HOUSE), (1, 0), (5, 4)])
def test_matrix_belongs_to_its_seat_or_the_house(seat, place):
    config = read(f"{MATRIX}seat = {seat}")
    assert config.wiring.of(MatrixWiring).place == place
    assert config.wiring.of(MatrixWiring).rows == (4, 7, 8, 25)


ITS_OWN = "give each its own. Without a device: pins = [], or -1"
FOUR = "[matrix]: allowed: 4 rows and 4 columns, or none"

BAD = [
    (
        '[pads]\nseats = ["a", "b", "a"]',
        "[pads]: seats, seat 1 and seats, seat 3 have the same pad, 'a'; allowed: one place a pad",
    ),
    (
        '[pads]\nseats = ["a"]\nhouse = "a"',
        "[pads]: house and seats, seat 1 have the same pad, 'a'; allowed: one place a pad",
    ),
    (
        '[pads]\nseats = ["usb-1.2/input0", "usb-1.2"]',
        "[pads]: seats, seat 1 and seats, seat 2 have the same pad, 'usb-1.2'; allowed: one place a pad",
    ),
    (
        '[pads]\nseats = ["usb-1.2"]\nhouse = "usb-1.2/input0"',
        "[pads]: house and seats, seat 1 have the same pad, 'usb-1.2'; allowed: one place a pad",
    ),
    ('[pads]\nseats = ["a", "b", "c", "d", "e", "f"]', "[pads]: seats: allowed: up to 5 pads, one a seat"),
    ("[pads]\nseats = [1]", "[pads]: seats = [1]; allowed: a list of words"),
    ("[matrix]\nrows = [4, 7, 8, 25]", FOUR),
    ("[matrix]\nrows = [4, 7, 8]\ncolumns = [9, 10, 11, 15]", FOUR),
    ('[matrix]\nrows = ["4"]', "[matrix]: rows = ['4']; allowed: a list of whole numbers from 0"),
    (f"{MATRIX}seat = 6", "[matrix]: seat = 6; allowed: a whole number from 0 to 5"),
    (
        MATRIX.replace("15", "17"),
        f"line 17 is used twice: [buzzers] seat 1 and [matrix] column 4; {ITS_OWN}",
    ),
    (MATRIX.replace("15", "4"), f"line 4 is used twice: [matrix] row 1 and [matrix] column 4; {ITS_OWN}"),
    (MATRIX.replace("15", "5"), f"line 5 is used twice: [lamps] seat 1 and [matrix] column 4; {ITS_OWN}"),
    (f"{MATRIX}[house]\nmenu = 25", f"line 25 is used twice: [matrix] row 4 and [house] menu; {ITS_OWN}"),
]


@pytest.mark.parametrize(("text", "why"), BAD)
def test_wrong_keypad_option_is_named(text, why):
    with pytest.raises(OptionError) as error:
        read(text)
    assert str(error.value) == f"table.toml: {why}"
