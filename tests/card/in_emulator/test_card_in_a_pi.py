"""Tests the card in an emulated Raspberry Pi 3, without firmware and display (docs/card.md)."""

from collections.abc import Iterator

import pytest
from conftest import image

from companion.devices.lines import BuzzerWiring, LampWiring
from companion.devices.wiring import Wiring
from tests.appliance.machine import Machine
from tests.card.in_emulator.card import Card

TREE = "bcm2837-rpi-3-b.dtb"
CHIP = "pinctrl-bcm2835, 54 lines"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A Pi 3 with a new card and the default wiring."""
    inserted = Card(image(), tmp_path_factory.mktemp("card"))
    with Machine.start(inserted.pi(TREE, "raspi3b"), tmp_path_factory.mktemp("pi")) as started:
        yield started
    inserted.path.unlink()


def test_pi_starts_from_the_card(machine: Machine) -> None:
    model = machine.run("tr -d '\\0' </proc/device-tree/model")
    assert model == "Raspberry Pi 3 Model B"
    assert machine.run("readlink -f $(findmnt -n -o SOURCE /data)").strip() == "/dev/mmcblk0p3"
    kib = int(machine.run("df --output=size /data | tail -n 1"))
    print(f"{machine.age_s:.0f} s after the plug, {kib >> 10} MiB for records")


def test_doctor_names_the_chip_and_its_lines(machine: Machine) -> None:
    _, said = machine.attempt("companion doctor --no-walk --table /etc/companion/table.toml", 900)
    print(said)
    assert "Traceback" not in said
    assert CHIP in said
    wiring = Wiring()
    for line in (*wiring.of(BuzzerWiring).pins, *wiring.of(LampWiring).pins):
        assert f"line {line} (GPIO{line}), free" in said
