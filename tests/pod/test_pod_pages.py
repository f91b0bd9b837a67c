"""Tests that the pages about pods match the firmware."""

import inspect
import re
from pathlib import Path

import link
import pins
from sentences import build

CHECKOUT = Path(__file__).parents[2]
README = (CHECKOUT / "hardware" / "pod" / "README.md").read_text("utf-8")
PAGE = (CHECKOUT / "docs" / "pod-protocol.md").read_text("utf-8")

GPIO_OF_PIN = {
    **dict(enumerate((0, 1, None, 2, 3, 4, 5, None, 6, 7, 8, 9, None, 10, 11, 12, 13, None, 14, 15), 1)),
    **dict(enumerate((16, 17, None, 18, 19, 20, 21, None, 22, None, 26, 27, None, 28), 21)),
}
"""From the USB plug on; None is ground or reset."""


def numbers(cell):
    return tuple(int(number) for number in cell.split(","))


def wiring():
    rows = re.findall(r"^\| `([A-Z]+)` \| ([\d, ]+) \| ([\d, ]+) \|", README, re.MULTILINE)
    return {name: (numbers(gpio), numbers(pin)) for name, gpio, pin in rows}


def test_pin_table_matches_the_firmware():
    for name, (gpio, _) in wiring().items():
        value = getattr(pins, name)
        assert gpio == (value if isinstance(value, tuple) else (value,)), name
    assert set(wiring()) == {"ROWS", "COLUMNS", "BUZZER", "LAMP", "SDA", "SCL"}


def test_each_gpio_is_at_its_board_pin():
    for gpio, pin in wiring().values():
        assert gpio == tuple(GPIO_OF_PIN[number] for number in pin)


def test_each_gpio_is_used_once():
    used = [number for gpio, _ in wiring().values() for number in gpio]
    assert len(used) == len(set(used)) == 12


def test_bus_pins_belong_to_the_i2c_unit():
    assert (pins.SDA % 4, pins.SCL % 4) == (2 * pins.I2C, 2 * pins.I2C + 1)


def test_keys_form_a_whole_keypad():
    assert sorted("".join(pins.KEYS)) == sorted("0123456789*#ABCD")
    assert [len(word) for word in pins.KEYS] == [len(pins.COLUMNS)] * len(pins.ROWS)


def test_typed_update_sentence_is_valid():
    (typed,) = re.findall(r"printf '(.+?)\\r\\n'", README)
    assert typed.encode() + b"\r\n" == build(b"UPD")


def test_pod_knows_every_sentence_of_the_host():
    kinds = re.findall(r"^\| `([A-Z]{3})` \| (?:host|both) \|", PAGE, re.MULTILINE)
    assert len(kinds) == 7
    assert set(kinds) == set(re.findall(r'b"([A-Z]{3})"(?=:| *$)', inspect.getsource(link.Link.__init__))) | {"UPD"}


def test_list_names_every_file_of_the_firmware():
    listed = set(re.findall(r"`(\w+\.py)`", README.split("## The files")[1]))
    assert listed == {file.name for file in (CHECKOUT / "hardware" / "pod").glob("*.py")}
