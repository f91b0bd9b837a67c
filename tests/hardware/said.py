"""Readers for the files of hardware/."""

import csv
import importlib.util
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from companion.config.table_file import parse_config
from companion.devices.wiring import Wiring
from companion.games import all_games

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "hardware"
README = (HARDWARE / "README.md").read_text("utf-8")
BUILDS = ("nothing-to-build", "no-solder", "classic", "full")
SEATS = range(1, 6)

GPIO_OF_HEADER = {
    **{
        3: 2,
        5: 3,
        7: 4,
        8: 14,
        10: 15,
        11: 17,
        12: 18,
        13: 27,
        15: 22,
        16: 23,
        18: 24,
        19: 10,
        21: 9,
        22: 25,
        23: 11,
    },
    **{24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21},
}
"""For a Pi with 40 pins."""

GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}
FIVE_VOLTS = {2, 4}
NOT_FREE = {0, 1, 2, 3, 14, 15}
"""Lines for board identification, I2C of displays, and the serial console."""

GPIO_OF_PICO = {
    **dict(enumerate((0, 1, None, 2, 3, 4, 5, None, 6, 7, 8, 9, None, 10, 11, 12, 13, None, 14, 15), 1)),
    **dict(enumerate((16, 17, None, 18, 19, 20, 21, None, 22, None, 26, 27, None, 28), 21)),
}


@cache
def parts(build: str) -> tuple[dict[str, str], ...]:
    with (HARDWARE / build / "parts.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@cache
def drawing(build: str, name: str = "wiring.yml") -> dict[str, Any]:
    return yaml.safe_load((HARDWARE / build / name).read_text("utf-8"))


def drawings(build: str) -> list[str]:
    return sorted(path.name for path in (HARDWARE / build).glob("*.yml"))


@cache
def guide(build: str) -> str:
    return (HARDWARE / build / "guide.md").read_text("utf-8")


def wiring(build: str) -> Wiring:
    path = HARDWARE / build / "table.toml"
    return parse_config(path.read_text("utf-8"), str(path), all_games()).wiring


def ends(cells: Any) -> list[Any]:
    """Return the pins of one end of a connection, ranges expanded."""
    found: list[Any] = []
    for cell in cells if isinstance(cells, list) else [cells]:
        numbers = re.fullmatch(r"(\d+)-(\d+)", str(cell))
        found += range(int(numbers[1]), int(numbers[2]) + 1) if numbers else [cell]
    return found


def wires(build: str, name: str = "wiring.yml") -> Iterator[list[tuple[str, Any]]]:
    """Yield each wire as (connector or cable, pin) pairs."""
    for chain in drawing(build, name)["connections"]:
        columns = [[(part, end) for part, cells in place.items() for end in ends(cells)] for place in chain]
        assert len({len(column) for column in columns}) == 1, chain
        yield from map(list, zip(*columns, strict=True))


def label(build: str, connector: str, pin: Any, name: str = "wiring.yml") -> str:
    said = drawing(build, name)["connectors"][connector]
    labels = said.get("pinlabels", [])
    pins = said.get("pins", list(range(1, len(labels) + 1)))
    return str(labels[pins.index(pin)]) if labels else str(pin)


def rows(text: str, first: str) -> list[list[str]]:
    """Return the cells of the table whose heading starts with `first`."""
    [table] = re.findall(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]


def times(per: str, seats: int) -> int:
    """Return how many times a part is bought."""
    if per == "seat":
        return seats
    return int(seats >= int(per.removeprefix("table of ").replace("table", "0")))


@cache
def boards() -> Any:
    spec = importlib.util.spec_from_file_location("boards_design", HARDWARE / "boards" / "design.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def joined(board: Any) -> dict[str, list[tuple[str, str]]]:
    """Return the (component, pin) ends of each net."""
    found: dict[str, list[tuple[str, str]]] = {}
    for component in board.components:
        for pin, net in component.nets.items():
            found.setdefault(net, []).append((component.name, pin))
    return found


def two_ended(board: Any, kinds: str) -> set[frozenset[str]]:
    """Return the nets at both ends of matching components."""
    return {frozenset(each.nets.values()) for each in board.components if re.fullmatch(kinds + r"\d+", each.name)}


NET_OF_USE = {
    **{f"[buzzers] seat {n}": f"BUZZER{n}" for n in SEATS},
    **{f"[lamps] seat {n}": f"LAMP{n}" for n in SEATS},
    "[lamps] siren": "SIREN",
    **{f"[house] {control}": control.upper() for control in ("ok", "undo", "pause", "skip")},
}


@cache
def pod_pins() -> Any:
    spec = importlib.util.spec_from_file_location("pod_pins", HARDWARE / "pod" / "pins.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
