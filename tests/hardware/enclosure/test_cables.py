"""Tests that cables and ribbons have room, bend no tighter than they may, and go straight into their plugs."""

import shutil

import numpy as np
import pytest
from manifold3d import Manifold

from tests.hardware.enclosure.solids import Path3, cables, solid
from tests.hardware.enclosure.test_geometry import BASE_VIEWS, BASES, CLASSIC_VIEWS, Settings, assert_apart
from tests.hardware.said import parts

pytestmark = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="openscad is not here: apt install openscad"
)

CLEAR_MM = 0.8
"""Between a cable and whatever it is not plugged into."""
STRAIGHT_DEGREES = 5

RIGHT, BACK, UP = np.eye(3)
PI_4 = [name for name in BASES if "pi4" in name]
"""A Pi 5 has other sockets and another ribbon."""

ENDS: dict[str, tuple[tuple[str, np.ndarray], tuple[str, np.ndarray] | None]] = {
    "usb": (("plug", BACK), None),
    "gpio": (("pi", -BACK), ("board", -BACK)),
    "display": (("display", RIGHT), ("pi", -UP)),
    "power": (("plugs", BACK), None),
    "cable": (("plug", BACK), None),
    "tail": (("keypad", np.array([0, 0.1045, -0.9945])), ("board", -UP)),
    **{f"lead of seat {seat}": (("board", UP), ("jacks", -BACK)) for seat in range(1, 6)},
    **{f"cable of seat {seat}": (("plugs", -BACK), None) for seat in range(1, 6)},
}
"""What each cable comes out of and goes into, and its direction there. Outside, a cable ends on the table."""

Case = tuple[str, str, Settings, str]
CASES: dict[str, Case] = {
    "pod cable": ("pod", "cable", (), "usb"),
    "pod tail": ("pod", "tail", (), "tail"),
    "buzzer cable": ("buzzer", "cable", (), "cable"),
}
for base in PI_4:
    wired = base.startswith("classic")
    for view, names in {
        "gpio-ribbon": ["gpio"] if wired else [],
        "display-ribbon": ["display"],
        "leads": [name for name in ENDS if "lead" in name and wired],
        "cables": ["power", *(name for name in ENDS if "cable of" in name and wired)],
    }.items():
        CASES |= {f"{base} {name}": ("base", view, BASES[base], name) for name in names}


def path(case: str) -> Path3:
    scad, view, settings, name = CASES[case]
    return cables(scad, view, *settings)[name]


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def middles(line: Path3) -> np.ndarray:
    return line.points if line.points.ndim == 2 else line.points.mean(axis=1)


def length_mm(line: Path3) -> float:
    return float(np.linalg.norm(np.diff(middles(line), axis=0), axis=1).sum())


def radius_mm(line: Path3) -> float:
    """Return the least radius, of three neighbouring points or of neighbouring faces of a ribbon."""
    if line.points.ndim == 2:
        steps = np.diff(line.points, axis=0)
        ways = unit(steps)
        long = np.linalg.norm(steps, axis=1)
        apart = (long[:-1] + long[1:]) / 2
    else:
        rulings = unit(line.points[:, 1] - line.points[:, 0])[:-1]
        steps = np.diff(middles(line), axis=0)
        across = steps - (steps * rulings).sum(axis=1, keepdims=True) * rulings
        ways, wide = unit(np.cross(rulings, across)), np.linalg.norm(across, axis=1)
        apart = np.minimum(wide[:-1], wide[1:])
    angles = 2 * np.arcsin(np.clip(np.linalg.norm(np.diff(ways, axis=0), axis=1) / 2, 0, 1))
    return float((apart / np.maximum(angles, 1e-9)).min())


@pytest.mark.parametrize("case", CASES)
def test_cable_bends_no_tighter_than_allowed(case: str) -> None:
    assert radius_mm(path(case)) >= path(case).least_radius


def unfolded(line: Path3) -> np.ndarray:
    """Return the rulings of a ribbon in the plane, each face turned down beside the one before."""
    flat = [np.array([[0.0, 0.0], [np.linalg.norm(line.points[0, 1] - line.points[0, 0]), 0.0]])]
    for ruling, following in zip(line.points, line.points[1:], strict=False):
        along = unit(ruling[1] - ruling[0])
        step = following.mean(axis=0) - ruling.mean(axis=0)
        out = unit(step - step @ along * along)
        away = following - ruling[0]
        assert np.abs(away @ np.cross(along, out)).max() < 0.02, "a face of it is warped"
        along_flat = unit(flat[-1][1] - flat[-1][0])
        out_flat = np.array([-along_flat[1], along_flat[0]])
        flat.append(flat[-1][0] + np.outer(away @ along, along_flat) + np.outer(away @ out, out_flat))
    return np.array(flat)


@pytest.mark.parametrize("case", [case for case, named in CASES.items() if named[3] in {"gpio", "display", "tail"}])
def test_ribbon_unfolds_to_a_straight_strip(case: str) -> None:
    edges = unfolded(path(case))
    assert np.ptp(edges[:, 0, 0]) < 0.1
    assert np.ptp(edges[:, 1, 0]) < 0.1
    assert (np.diff(edges.mean(axis=1)[:, 1]) > 0).all()


def test_parts_and_cable_of_the_pod_have_room() -> None:
    views = ("tray", "lid-placed", "board", "plug", "button", "keypad", "oled", "cable", "tail")
    bodies = {view: solid("pod", view) for view in views}
    assert all(each.volume() > 100 for each in bodies.values())
    assert_apart(bodies)
    for view in ("lid-placed", "board", "button", "oled"):
        assert bodies["cable"].min_gap(bodies[view], 2 * CLEAR_MM) >= CLEAR_MM, view
    for view in ("tray", "lid-placed", "button", "oled"):
        assert bodies["tail"].min_gap(bodies[view], 2 * CLEAR_MM) >= CLEAR_MM, view


@pytest.mark.parametrize("base", PI_4)
def test_cables_of_the_base_have_room(base: str) -> None:
    wired = base.startswith("classic")
    laid = {"gpio-ribbon", "leads", "display-ribbon", "cables"} if wired else {"display-ribbon", "cables"}
    views = {*BASE_VIEWS, *(CLASSIC_VIEWS if wired else ()), *laid}
    bodies = {view: solid("base", view, *BASES[base]) for view in sorted(views)}
    assert_apart(bodies)
    for view in laid:
        names = [name for _, seen, settings, name in CASES.values() if (seen, settings) == (view, BASES[base])]
        plugged = {end[0] for name in names for end in ENDS[name] if end}
        for other in views - plugged - {view}:
            gap = bodies[view].min_gap(bodies[other], 2 * CLEAR_MM)
            assert gap >= CLEAR_MM, f"{gap:.1f} mm between {view} and {other}"


def tangent(points: np.ndarray) -> np.ndarray:
    """Return the direction in which a line arrives at its last point, by the parabola through the last three."""
    before, last = points[-2] - points[-3], points[-1] - points[-2]
    long = np.linalg.norm(last)
    turn = (unit(last) - unit(before)) * long / (long + np.linalg.norm(before))
    return unit(unit(last) + turn)


@pytest.mark.parametrize("case", CASES)
def test_cable_goes_straight_into_its_plugs(case: str) -> None:
    scad, _, settings, name = CASES[case]
    points = middles(path(case))
    (out_of, begins), into = ENDS[name]
    ends = [(out_of, points[0], -tangent(points[::-1]), begins, -1)]
    ends += [(into[0], points[-1], tangent(points), into[1], 1)] if into else []
    for part, at, way, wanted, inwards in ends:
        assert np.degrees(np.arccos(np.clip(way @ wanted, -1, 1))) < STRAIGHT_DEGREES, part
        plug = solid(scad, part, *settings)
        probe = Manifold.cube((0.2, 0.2, 0.2), True)
        inside = probe.translate(at + 1.5 * inwards * wanted) ^ plug
        outside = probe.translate(at - 1.5 * inwards * wanted) ^ plug
        assert (inside.volume(), outside.volume()) == (pytest.approx(probe.volume()), 0), part
    if not into:
        thick = path(case).thick
        assert points[:, 2].min() >= thick / 2 - 1e-3, "it lies on the table"
        assert tangent(points) @ begins == pytest.approx(1, abs=0.01)


# --- The pod's plug -----------------------------------------------------------------------------------------


def test_pods_cable_runs_level_to_its_tie() -> None:
    plug = solid("pod", "plug").bounding_box()
    axis_x, axis_z = (plug[0] + plug[3]) / 2, (plug[2] + plug[5]) / 2
    tray = solid("pod", "tray")
    points = middles(path("pod cable"))
    inside = points[points[:, 1] < tray.bounding_box()[4] + 1]
    assert np.abs(inside - [axis_x, 0, axis_z])[:, [0, 2]].max() < 0.1
    under = Manifold.cube((1, 3, 3), True).translate((axis_x, plug[4] + 7, axis_z - 2.6 - 1.5))
    assert (tray ^ under).volume() > 2, "a bar just below the cable"


def test_pods_plug_passes_mouth_and_bar() -> None:
    plug, tray = solid("pod", "plug"), solid("pod", "tray")
    lifted = plug.translate((0, 0, 3.0))
    assert all((lifted.translate((0, way, 0)) ^ tray).volume() < 0.01 for way in range(0, 60, 2))


# --- Lengths ------------------------------------------------------------------------------------------------


def sold_mm(build: str, part: str) -> int:
    [name] = [row["part"] + row["note"] for row in parts(build) if row["part"].startswith(part)]
    return 10 * int(name.split(" cm")[0].split()[-1])


@pytest.mark.parametrize("base", [base for base in PI_4 if base.startswith("classic")])
def test_leads_and_ribbon_of_the_base_suffice(base: str) -> None:
    for case, (_, _, settings, name) in CASES.items():
        if settings == BASES[base] and ("lead" in name or name == "gpio"):
            part = "GPIO ribbon" if name == "gpio" else "JST XH lead of 3 ways"
            assert length_mm(path(case)) <= sold_mm("classic", part), name


@pytest.mark.parametrize("base", PI_4)
def test_display_ribbon_reaches_a_standing_lid(base: str) -> None:
    build = "classic" if base.startswith("classic") else "full"
    line = path(f"{base} display")
    display, pi = middles(line)[[0, -1]]
    tray = solid("base", "tray", *BASES[base]).bounding_box()
    back_y, top_z = tray[4], tray[5]
    standing = np.array([display[0], back_y - (top_z - display[2]), top_z + back_y - display[1]])
    for needed in (length_mm(line), float(np.linalg.norm(standing - pi)) + 10):
        assert needed <= sold_mm(build, "Display ribbon")


def test_keypad_tail_reaches_its_header() -> None:
    on_the_face_and_in_the_slot = 4.4 + 8
    least_long = 85 - 1.5
    assert least_long - 10 <= length_mm(path("pod tail")) + on_the_face_and_in_the_slot <= least_long
