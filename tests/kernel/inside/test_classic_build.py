"""Tests the guided check at hardware/classic, wired as its guide says."""

import re
from pathlib import Path

import pytest

from tests.kernel.inside.gpiosim import Chip, World
from tests.kernel.inside.test_doctor import Person

BUILD = Path(__file__).parents[3] / "hardware" / "classic"


def lines() -> dict[str, int]:
    """Return the line of each device in the guide."""
    rows = re.findall(r"^\| ([a-z ]+\d?|house: \w+) \| (\d+) \| \d+ \|", (BUILD / "guide.md").read_text(), re.M)
    return {name: int(line) for name, line in rows}


class Builder(Person):
    def __init__(self, chip: Chip, world: World, folder: Path) -> None:
        super().__init__(chip, world, folder)
        self.wired = lines()

    def obey(self, demand: str) -> None:
        if match := re.search(r"Press the buzzer of seat (\d)", demand):
            self.press(self.wired[f"buzzer of seat {match[1]}"])
        elif match := re.search(r"lamp of seat (\d) is on", demand):
            lit = {name for name, line in self.wired.items() if name.startswith("lamp") and self.chip.level(line)}
            assert lit == {f"lamp of seat {match[1]}"}
            self.press(self.wired[f"buzzer of seat {match[1]}"])
        elif match := re.search(r"button (\w+) of the house", demand):
            self.press(self.wired[f"house: {match[1]}"])
        elif "siren" in demand:
            assert self.chip.level(self.wired["siren"]) == 1
            self.press(self.wired["buzzer of seat 1"])
        else:
            self.press(self.wired["house: ok"])


@pytest.fixture
def builder(chip: Chip, world: World, tmp_path: Path) -> Builder:
    return Builder(chip, world, tmp_path)


def test_doctor_finds_every_device_of_the_guide(builder: Builder) -> None:
    said = builder.consult((BUILD / "table.toml").read_text())
    assert said.status == 0
    assert said.lines[-1] == "Nothing to fix: start with `companion play`"
    assert len(builder.wired) == 5 + 5 + 1 + 4
    for name in builder.wired:
        found = said.finding(name.replace("house: ", "button "))
        assert found.startswith("ok "), name
        assert f"line {builder.wired[name]}" in found
