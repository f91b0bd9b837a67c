"""Tests that parts fit, can be printed, and let every wire reach."""

import itertools
import math
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from manifold3d import CrossSection, JoinType, Manifold

from tests.hardware.enclosure.solids import ENCLOSURE, SolidError, Tree, body, size_of, solid
from tests.hardware.said import parts

pytestmark = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="openscad is not here: apt install openscad"
)

ROOT = Path(__file__).parents[3]
Settings = tuple[tuple[str, str], ...]

BASES: dict[str, Settings] = {
    f"{build}-pi{model}-{display}": (("build", f'"{build}"'), ("model", model), ("display", display))
    for build in ("classic", "plain")
    for model in ("4", "5")
    for display in ("touch_display", "touch_display_2")
}
TRIVIAL_MM3 = 0.01

BED_MM = 220
SKIRT_MM = 3.5
LAYER_MM = 0.2
BRIDGE_MM = 28
"""As the README promises."""
LEDGE_MM = 1.2
"""The widest overhang of a layer."""


# --- Everything has room ----------------------------------------------------------------------------------


def assert_apart(bodies: dict[str, Manifold]) -> None:
    for (first, one), (second, other) in itertools.combinations(bodies.items(), 2):
        shared = one ^ other
        at = [round(place, 1) for place in shared.bounding_box()] if not shared.is_empty() else []
        assert shared.volume() < TRIVIAL_MM3, f"{first} and {second} share {shared.volume():.2f} mm³ at {at}"


BASE_VIEWS = ("tray", "lid-placed", "clips-placed", "pi", "plugs", "display")
CLASSIC_VIEWS = ("board", "jacks", "buttons", "siren")


@pytest.mark.parametrize("name", BASES)
def test_parts_in_the_base_do_not_touch(name: str) -> None:
    views = BASE_VIEWS + (CLASSIC_VIEWS if name.startswith("classic") else ())
    bodies = {view: solid("base", view, *BASES[name]) for view in views}
    assert all(each.volume() > 100 for each in bodies.values())
    assert_apart(bodies)


@pytest.mark.parametrize("button", ["button_60", "button_100"])
def test_parts_in_the_buzzer_do_not_touch(button: str) -> None:
    views = ("shell-placed", "bottom-placed", "button", "jack")
    bodies = {view: solid("buzzer", view, ("button", button)) for view in views}
    assert all(each.volume() > 100 for each in bodies.values())
    assert_apart(bodies)


@pytest.mark.parametrize("name", BASES)
def test_lid_rests_on_its_tray(name: str) -> None:
    tray, lid = (solid("base", view, *BASES[name]) for view in ("tray", "lid-placed"))
    deep = solid("base", "lid-placed", *BASES[name]).translate((0, 0, -0.1))
    assert size_of(tray)[2] == pytest.approx(lid.bounding_box()[5] - 3)
    assert (tray ^ deep).volume() > 1, "a lid that is lower would rest on nothing"


# --- Printing ---------------------------------------------------------------------------------------------

PRINTED: dict[str, tuple[str, str, Settings]] = {
    **{f"base {name} {view}": ("base", view, BASES[name]) for name in BASES for view in ("tray", "lid")},
    "base clips": ("base", "clips", ()),
    **{
        f"buzzer {button} {view}": ("buzzer", view, (("button", button),))
        for button in ("button_60", "button_100")
        for view in ("shell", "bottom")
    },
    "pod tray": ("pod", "tray", ()),
    "pod lid": ("pod", "lid", ()),
    "base coupon": ("base", "coupon", ()),
    "pod coupon": ("pod", "coupon", ()),
}


@pytest.mark.parametrize("name", PRINTED)
def test_part_fits_the_bed_with_its_skirt(name: str) -> None:
    scad, view, settings = PRINTED[name]
    part = solid(scad, view, *settings)
    assert part.bounding_box()[2] == pytest.approx(0, abs=1e-6)
    assert max(size_of(part)[:2]) <= BED_MM - 2 * SKIRT_MM


def grown(flat: CrossSection, by: float) -> CrossSection:
    return flat.offset(by, JoinType.Square, 2.0, 16)


def in_the_air(part: Manifold, slope: float = 1.05) -> Iterator[tuple[float, CrossSection, CrossSection]]:
    """Yield height, unsupported piece and layer below; walls may lean by 45 degrees."""
    height = part.bounding_box()[5]
    below = part.slice(LAYER_MM / 2)
    for number in range(1, math.ceil(height / LAYER_MM)):
        z = (number + 0.5) * LAYER_MM
        layer = part.slice(min(z, height - 1e-4))
        free = layer - grown(below, LAYER_MM * slope)
        for piece in free.decompose():
            if not grown(piece, -0.05).is_empty():
                yield z, piece, below
        below = layer


def held(piece: CrossSection, below: CrossSection) -> CrossSection:
    """Return where a piece lies on the layer below."""
    return grown(piece, 0.5) ^ below


def bridge_mm(piece: CrossSection, below: CrossSection) -> float:
    """Return twice the distance from a piece's farthest point to its support."""
    low, high = 0.0, 400.0
    support = held(piece, below)
    while high - low > 0.1:
        middle = (low + high) / 2
        reached = support.offset(middle / 2, JoinType.Round, 2.0, 32)
        low, high = (low, middle) if grown(piece - reached, -0.05).is_empty() else (middle, high)
    return high


def ledge(piece: CrossSection, below: CrossSection) -> CrossSection:
    """Return the part of a piece outside its supports."""
    support = held(piece, below)
    return piece - support.hull() if not support.is_empty() else piece


@pytest.mark.parametrize("name", PRINTED)
def test_part_prints_without_support(name: str) -> None:
    scad, view, settings = PRINTED[name]
    for z, piece, below in in_the_air(solid(scad, view, *settings)):
        where = f"{name}, layer at {z:.1f} mm, {[round(at, 1) for at in piece.bounds()]}"
        span = bridge_mm(piece, below)
        assert span <= BRIDGE_MM, f"{where}: a bridge of {span:.1f} mm"
        hanging = grown(ledge(piece, below), -LEDGE_MM / 2)
        assert hanging.is_empty(), f"{where}: {[round(at, 1) for at in hanging.bounds()]} hangs in the air"


def test_widest_bridge_matches_the_readme() -> None:
    text = " ".join((ROOT / "hardware" / "README.md").read_text("utf-8").split())
    assert f"the widest bridge is {BRIDGE_MM} mm" in text
    assert f"bed of {BED_MM} × {BED_MM} mm" in text


# --- Bought parts -----------------------------------------------------------------------------------------


def test_each_bought_dimension_has_tolerance_and_source() -> None:
    text = (ENCLOSURE / "bought.scad").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"[a-z]\w* +=", line)]
    assert len(lines) > 35
    for line in lines:
        value, _, source = line.partition(";")
        assert re.fullmatch(r"\w+ += \[(\[.*\]|[\d.]+), (\[[\d., ]+\]|[\d.]+)\]", value), line
        assert re.search(r"maker|ours|shops|data sheet|not measured|cut pins", source), line
        zeros = [float(number) for number in re.findall(r"[\d.]+", value.rpartition(", ")[2])]
        assert all(number > 0 for number in zeros), line


@pytest.mark.parametrize("scad", ["base", "buzzer", "pod"])
def test_bought_dimensions_are_in_one_file(scad: str) -> None:
    names = re.findall(r"^(\w+) +=", (ENCLOSURE / "bought.scad").read_text("utf-8"), re.MULTILINE)
    text = (ENCLOSURE / f"{scad}.scad").read_text("utf-8") + (ENCLOSURE / "parts.scad").read_text("utf-8")
    for name in names:
        assert not re.search(rf"^{name} +=", text, re.MULTILINE)
    assert [name for name in names if re.search(rf"\b{name}\b", text)], "it uses some"


# --- Wires reach ------------------------------------------------------------------------------------------


def middle(whole: Manifold) -> tuple[float, float, float]:
    box = whole.bounding_box()
    return (box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2


def apart_mm(one: Manifold, other: Manifold) -> float:
    """Return the way along the walls, from the farthest point to the other's middle."""
    box, (x, y, z) = one.bounding_box(), middle(other)
    return max(abs(box[0] - x), abs(box[3] - x)) + max(abs(box[1] - y), abs(box[4] - y)) + abs(middle(one)[2] - z)


def lead_mm(build: str, part: str) -> int:
    [note] = [row["note"] for row in parts(build) if row["part"] == part]
    [centimetres] = re.findall(r"(\d+) cm", note)
    return int(centimetres) * 10


OPEN_MM = {"classic": 60, "pod": 40}
"""Spare length to lay the lid aside, solder and crimp."""


def test_leads_of_the_classic_base_reach() -> None:
    board = solid("base", "board", *BASES["classic-pi4-touch_display"])
    for view in ("jacks", "buttons", "siren"):
        needed = apart_mm(solid("base", view, *BASES["classic-pi4-touch_display"]), board) + OPEN_MM["classic"]
        lead = f"JST XH lead of {({'jacks': 3, 'buttons': 5, 'siren': 2})[view]} ways"
        assert needed <= lead_mm("classic", lead), f"{view}: {needed:.0f} mm"


def test_leads_of_the_pod_reach() -> None:
    board = solid("pod", "board")
    for view in ("button", "oled"):
        needed = apart_mm(solid("pod", view), board) + OPEN_MM["pod"]
        lead = "Jumper wires" if view == "oled" else "JST XH lead of 2 ways"
        assert needed <= lead_mm("full", lead), f"{view}: {needed:.0f} mm"


FILAMENT = {
    "classic": (
        "Filament",
        ("base classic-pi4-touch_display tray", "base classic-pi4-touch_display lid", "base clips"),
    ),
    "full": ("Filament", ("base plain-pi4-touch_display tray", "base plain-pi4-touch_display lid", "base clips")),
    "buzzer": ("Filament for a buzzer", ("buzzer button_60 shell", "buzzer button_60 bottom")),
    "pod": ("Filament for a pod", ("pod tray", "pod lid")),
}
GRAMS_PER_MM3 = 1.24e-3
"""PLA."""


@pytest.mark.parametrize("what", FILAMENT)
def test_filament_suffices_without_much_surplus(what: str) -> None:
    part, printed = FILAMENT[what]
    build = {"buzzer": "classic", "pod": "full"}.get(what, what)
    [kilograms] = [float(row["quantity"]) for row in parts(build) if row["part"] == part]
    whole = sum(solid(PRINTED[name][0], PRINTED[name][1], *PRINTED[name][2]).volume() for name in printed)
    grams = whole * GRAMS_PER_MM3
    assert 0.7 * 1000 * kilograms < grams <= 1000 * kilograms


def test_unknown_shape_is_an_error() -> None:
    with pytest.raises(SolidError, match=r"minkowski\(\) is not known"):
        body(next(Tree("minkowski(convexity = 0) { cube(size = [1, 1, 1], center = false); }").calls()))
