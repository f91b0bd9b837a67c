"""Tests of the boards' files as they are stored: copper, silkscreen, what is ordered, and KiCad's checks."""

import hashlib
import importlib.util
import json
import math
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.hardware.said import HARDWARE, boards

FOLDER = HARDWARE / "boards"
BOARDS = {"base": boards().BASE, "pod": boards().POD}
NAMES = list(BOARDS)
TEXT_MM = 1.0
LINE_MM = 0.15
POWER_MM = 1.0


@cache
def tree(name: str) -> list[Any]:
    """Return a board file as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r'"(?:\\.|[^"\\])*"|[()]|[^\s()]+', (FOLDER / f"{name}.kicad_pcb").read_text("utf-8")):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip('"'))
    return stack[0][0]


def named(node: list[Any], name: str) -> Iterator[list[Any]]:
    return (each[1:] for each in node if isinstance(each, list) and each and each[0] == name)


def only(node: list[Any], name: str) -> list[Any]:
    [found] = named(node, name)
    return found


class Box(NamedTuple):
    """A rectangle of the board, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    def gap_mm(self, other: "Box") -> float:
        """Return how far apart two are, 0 where they touch."""
        x = max(self.left - other.right, other.left - self.right, 0)
        y = max(self.top - other.bottom, other.top - self.bottom, 0)
        return math.hypot(x, y)


@cache
def texts(name: str) -> list[tuple[str, Box]]:
    """Return what the board itself writes, and where."""
    found = []
    for text in named(tree(name), "gr_text"):
        x, y, *turned = map(float, only(text, "at"))
        half_x, half_y = 0.43 * TEXT_MM * len(text[0]), TEXT_MM / 2
        if turned and turned[0] % 180:
            half_x, half_y = half_y, half_x
        found.append((text[0], Box(x - half_x, y - half_y, x + half_x, y + half_y)))
    return found


def placed(footprint: list[Any], x: float, y: float) -> tuple[float, float]:
    """Return where a point of a footprint is on the board."""
    at_x, at_y, *turned = map(float, only(footprint, "at"))
    angle = math.radians(turned[0] if turned else 0)
    return at_x + x * math.cos(angle) + y * math.sin(angle), at_y - x * math.sin(angle) + y * math.cos(angle)


@cache
def bodies(name: str) -> dict[str, Box]:
    """Return the plastic of each part, as drawn on the layer F.Fab."""
    found = {}
    for footprint in named(tree(name), "footprint"):
        [reference] = [each[1] for each in named(footprint, "property") if each[0] == "Reference"]
        corners = [
            placed(footprint, float(x), float(y))
            for kind in ("fp_line", "fp_rect", "fp_circle", "fp_poly")
            for shape in named(footprint, kind)
            if only(shape, "layer") == ["F.Fab"]
            for end in ("start", "end")
            for x, y in named(shape, end)
        ]
        if corners:
            xs, ys = zip(*corners, strict=True)
            found[reference] = Box(min(xs), min(ys), max(xs), max(ys))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_stored_board_has_the_nets_of_its_design(name: str) -> None:
    wanted = {(part.name, pin): net for part in BOARDS[name].components for pin, net in part.nets.items()}
    found = {}
    for footprint in named(tree(name), "footprint"):
        [reference] = [each[1] for each in named(footprint, "property") if each[0] == "Reference"]
        for pad in named(footprint, "pad"):
            for _, net in named(pad, "net"):
                if not net.startswith("unconnected-"):
                    found[reference, pad[0]] = net.removeprefix("/")
    assert found == wanted


@pytest.mark.parametrize("name", NAMES)
def test_power_tracks_are_a_millimetre_wide(name: str) -> None:
    nets = dict(each[:2] for each in named(tree(name), "net"))
    widths: dict[str, set[float]] = {}
    for track in named(tree(name), "segment"):
        widths.setdefault(nets[only(track, "net")[0]], set()).add(float(only(track, "width")[0]))
    for net in ("+5V", "GND", "+3V3"):
        assert min(widths[net]) >= POWER_MM


@pytest.mark.parametrize("name", NAMES)
def test_silkscreen_text_is_large_enough(name: str) -> None:
    assert texts(name)
    for text in named(tree(name), "gr_text"):
        font = only(only(text, "effects"), "font")
        assert min(map(float, only(font, "size"))) >= TEXT_MM
        assert float(only(font, "thickness")[0]) >= LINE_MM


@pytest.mark.parametrize("name", NAMES)
def test_no_text_lies_under_a_part(name: str) -> None:
    hidden = [
        (words, part)
        for words, where in texts(name)
        for part, body in bodies(name).items()
        if not part.startswith("TP") and where.gap_mm(body) == 0
    ]
    assert hidden == []


@pytest.mark.parametrize("name", NAMES)
def test_nearest_part_to_each_label_is_its_own(name: str) -> None:
    said = dict(texts(name))
    for part in BOARDS[name].components:
        if not part.name.startswith("TP"):
            apart = {other: body.gap_mm(said[part.words]) for other, body in bodies(name).items()}
            same = {each for each, gap in apart.items() if each[0] == part.name[0]}
            assert min(same, key=apart.__getitem__) == part.name, (part.words, apart[part.name])


@pytest.mark.parametrize("name", NAMES)
def test_each_pin_of_a_connector_is_named(name: str) -> None:
    for footprint in named(tree(name), "footprint"):
        [reference] = [each[1] for each in named(footprint, "property") if each[0] == "Reference"]
        [part] = [each for each in BOARDS[name].components if each.name == reference] or [None]
        if part is None or not reference.startswith("J") or part.value == "To the Pi":
            continue
        pads = {pad[0]: placed(footprint, *map(float, only(pad, "at")[:2])) for pad in named(footprint, "pad")}
        for pin, net in part.nets.items():
            x, y = pads[pin]
            beside = [
                where
                for words, where in texts(name)
                if words == boards().mark(net)
                and min(abs((where.left + where.right) / 2 - x), abs((where.top + where.bottom) / 2 - y)) < 0.3
            ]
            assert min(where.gap_mm(Box(x, y, x, y)) for where in beside) < 7, (reference, pin)


@pytest.mark.parametrize("name", NAMES)
def test_board_writes_revision_values_and_usb(name: str) -> None:
    said = {words for words, _ in texts(name)}
    assert "revision B" in said
    assert {f"{name} board"} <= said
    assert {f"{each.name} {each.value}" for each in BOARDS[name].components if each.name[0] in "RC"} <= said
    assert name == "base" or "USB" in said


def test_mark_for_screen_names_each_way() -> None:
    [screen] = [each for each in BOARDS["pod"].components if each.value == "Screen"]
    assert [boards().mark(screen.nets[way]) for way in "1234"] == ["GND", "+3V3", "SCL", "SDA"]


@pytest.mark.parametrize("name", NAMES)
def test_order_has_copper_holes_and_numbers(name: str) -> None:
    with zipfile.ZipFile(FOLDER / f"{name}-order.zip") as order:
        held = order.namelist()
        ends = ("F_Cu.gtl", "B_Cu.gbl", "F_Mask.gts", "B_Mask.gbs", "F_Silkscreen.gto", "Edge_Cuts.gm1", ".drl")
        assert all(any(each.endswith(end) for each in held) for end in ends), held
        assert order.read(f"{name}-parts.csv") == (FOLDER / f"{name}-parts.csv").read_bytes()


def test_boards_are_drawn_from_their_current_sources() -> None:
    now = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(FOLDER.glob("*.py"))}
    assert json.loads((FOLDER / "drawn.json").read_text("utf-8")) == now, "`make hardware-boards` draws them again"


@cache
def kicad_is_missing() -> str:
    if shutil.which("kicad-cli") is None:
        return "kicad-cli is not here: apt install kicad kicad-symbols kicad-footprints"
    version = subprocess.run(["kicad-cli", "version"], capture_output=True, text=True, check=True).stdout.strip()
    return "" if version.startswith("9.") else f"kicad-cli is {version}; the boards are for version 9"


@pytest.mark.parametrize("name", NAMES)
def test_kicad_finds_nothing_in_the_stored_files(name: str) -> None:
    if kicad_is_missing():
        pytest.skip(kicad_is_missing())
    spec = importlib.util.spec_from_file_location("boards_check", FOLDER / "check.py")
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    project = json.loads((FOLDER / f"{name}.kicad_pro").read_text("utf-8"))
    assert set(project["board"]["design_settings"]) == {"rules"}, "no exclusions, no severities of our own"
    assert "erc" not in project
    assert check.findings(FOLDER / name) == []
