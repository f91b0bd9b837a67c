"""README.md shows the measured figures and the costs of the parts lists."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
README = " ".join((ROOT / "README.md").read_text("utf-8").split())
FIGURES = json.loads((ROOT / "docs" / "figures" / "calls.json").read_text("utf-8"))
TENTHS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def cells(method: str) -> list[dict[str, Any]]:
    return [cell for cell in FIGURES["cells"] if cell["method"] == method]


def in_ten(found: list[dict[str, Any]]) -> str:
    return TENTHS[round(10 * sum(cell["wrong"] for cell in found) / sum(cell["pairs"] for cell in found))]


def test_readme_has_our_measured_verdicts() -> None:
    ours = cells("gpiod")
    assert f"Of {sum(cell['pairs'] for cell in ours):,} pairs of presses" in README
    assert sum(cell["bounce"] for cell in ours) * 2 == sum(cell["load"] == 2 for cell in ours) * 2 == len(ours)
    for cell in ours:
        assert cell["tie" if cell["distance_ms"] < 1 else "first"] == cell["pairs"]


def test_readme_has_the_others_measured_verdicts() -> None:
    assert f"every 10 ms named the wrong player {in_ten(cells('poll'))} times in ten" in README
    bouncing = [cell for cell in cells("when_pressed") if cell["bounce"]]
    assert f"on bouncing contacts, {in_ten(bouncing)} times in ten" in README
    assert not any(cell["wrong"] for cell in cells("callback"))


def test_readme_has_the_measured_lamp_delay() -> None:
    medians = {round(lamp["press_to_lamp_ns"][0]) for lamp in FIGURES["lamps"] if lamp["method"] == "gpiod"}
    [said] = re.findall(r"The lamp lights \*\*(\d+) ms\*\* after the press", README)
    assert medians == {int(said)}


def test_readme_has_the_rounded_costs_of_builds() -> None:
    overview = (ROOT / "hardware" / "README.md").read_text("utf-8")
    [exact] = re.findall(r"for 4 seats" + r" \| (\d+)" * 4 + r" \|", overview)
    [bids] = re.findall(r"with secret bids \| the same \| the same \| \d+, \d+, (\d+), \d+ with pads", overview)
    row = r"for four seats \| about €(\d+) \| about €(\d+) \| about €(\d+); €(\d+) with pads for secret bids "
    [said] = re.findall(row + r"\| about €(\d+) \|", README)
    assert [round(int(euros), -1) for euros in (*exact[:3], bids, exact[3])] == [int(euros) for euros in said]
