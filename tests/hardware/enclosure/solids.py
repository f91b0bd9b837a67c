"""OpenSCAD's drawings as measurable solids.

OpenSCAD takes 20 s for a lid, so it only resolves the language (`-o FILE.csg`), and manifold3d evaluates the rest.
Engraved letters are left out. An unknown operation is an error.
"""

import re
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from manifold3d import CrossSection, JoinType, Manifold, OpType

ENCLOSURE = Path(__file__).parents[3] / "hardware" / "enclosure"

TOKEN = re.compile(r'\s*(?:(-?\d[\d.e+-]*)|("[^"]*")|([$\w]+)|(\S))')
FINE = 48
"""Segments of a circle without `$fn`."""


class SolidError(RuntimeError):
    """Raised when OpenSCAD refuses or warns, or for an unknown operation."""


class Tree:
    """A parser of .csg files."""

    def __init__(self, text: str) -> None:
        self.tokens = [next(each for each in found if each) for found in TOKEN.findall(text) if any(found)]
        self.at = 0

    def take(self, wanted: str | None = None) -> str:
        token = self.tokens[self.at]
        if wanted is not None and token != wanted:
            raise SolidError(f"expected {wanted!r}, found {token!r}")
        self.at += 1
        return token

    def value(self) -> Any:
        token = self.take()
        if token == "[":
            found = []
            while self.tokens[self.at] != "]":
                found.append(self.value())
                if self.tokens[self.at] == ",":
                    self.take()
            self.take("]")
            return found
        if token.startswith('"'):
            return token[1:-1]
        return {"true": True, "false": False, "undef": None}[token] if token.isalpha() else float(token)

    def calls(self) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            name = self.take()
            self.take("(")
            arguments: dict[str, Any] = {}
            while self.tokens[self.at] != ")":
                if self.tokens[self.at + 1] == "=":
                    key = self.take()
                    self.take("=")
                else:
                    key = str(len(arguments))
                arguments[key] = self.value()
                if self.tokens[self.at] == ",":
                    self.take()
            self.take(")")
            children = []
            if self.take() == "{":
                children = list(self.calls())
                self.take("}")
            yield name, arguments, children


Body = Manifold | CrossSection


def joined(bodies: list[Body]) -> Body | None:
    if not bodies:
        return None
    return type(bodies[0]).batch_boolean(bodies, operation("Add")) if len(bodies) > 1 else bodies[0]


def operation(name: str) -> Any:
    return getattr(OpType, name)


def square(a: dict[str, Any], _: list[Body]) -> Body:
    return CrossSection.square(a["size"], a["center"])


def circle(a: dict[str, Any], _: list[Body]) -> Body:
    return CrossSection.circle(a["r"], int(a["$fn"]) or FINE)


def cube(a: dict[str, Any], _: list[Body]) -> Body:
    return Manifold.cube(a["size"], a["center"])


def cylinder(a: dict[str, Any], _: list[Body]) -> Body:
    return Manifold.cylinder(a["h"], a["r1"], a["r2"], int(a["$fn"]) or FINE, a["center"])


def sphere(a: dict[str, Any], _: list[Body]) -> Body:
    return Manifold.sphere(a["r"], int(a["$fn"]) or FINE)


def offset(a: dict[str, Any], children: list[Body]) -> Body | None:
    flat = joined(children)
    return None if flat is None else flat.offset(a["r"], JoinType.Round, 2.0, int(a["$fn"]) or FINE)


def linear_extrude(a: dict[str, Any], children: list[Body]) -> Body | None:
    flat = joined(children)
    return None if flat is None else flat.extrude(a["height"])


def multmatrix(a: dict[str, Any], children: list[Body]) -> Body | None:
    matrix, whole = a["0"], joined(children)
    if whole is None:
        return None
    if isinstance(whole, CrossSection):
        return whole.transform([[*row[:2], row[3]] for row in matrix[:2]])
    return whole.transform(matrix[:3])


def hull(_: dict[str, Any], children: list[Body]) -> Body | None:
    return type(children[0]).batch_hull(children) if children else None


def union(_: dict[str, Any], children: list[Body]) -> Body | None:
    return joined(children)


def difference(_: dict[str, Any], children: list[Body]) -> Body | None:
    return children[0] if len(children) == 1 else children[0] - joined(children[1:]) if children else None


def intersection(_: dict[str, Any], children: list[Body]) -> Body | None:
    whole = children[0] if children else None
    for child in children[1:]:
        whole ^= child
    return whole


def nothing(_: dict[str, Any], __: list[Body]) -> None:
    return None


OPERATIONS = {
    each.__name__: each
    for each in (square, circle, cube, cylinder, sphere, offset, linear_extrude, multmatrix, hull)
} | {"union": union, "group": union, "color": union, "difference": difference, "intersection": intersection}
OPERATIONS["text"] = nothing


def body(call: tuple[str, dict[str, Any], list[Any]]) -> Body | None:
    name, arguments, children = call
    if name not in OPERATIONS:
        raise SolidError(f"{name}() is not known to tests/hardware/enclosure/solids.py")
    made = [body(child) for child in children]
    if name == "difference" and made and made[0] is None:
        return None
    return OPERATIONS[name](arguments, [each for each in made if each is not None])


def openscad(scad: Path, settings: dict[str, str], made: Path) -> str:
    """Write a file with OpenSCAD and return its output. Raise SolidError when it fails or warns."""
    options = [part for name, value in settings.items() for part in ("-D", f"{name}={value}")]
    done = subprocess.run(
        ["openscad", "-o", str(made), *options, str(scad)], capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode or "WARNING:" in done.stderr or "ERROR:" in done.stderr:
        raise SolidError(f"{scad.name} {settings}\n{done.stderr[:2000]}")
    return done.stderr


@cache
def solid(name: str, view: str, *settings: tuple[str, str], folder: Path = ENCLOSURE) -> Manifold:
    """Return a view as a solid; `settings` are OpenSCAD variables."""
    with tempfile.TemporaryDirectory() as room:
        made = Path(room) / "tree.csg"
        openscad(folder / f"{name}.scad", {"view": f'"{view}"', **dict(settings)}, made)
        bodies = [body(call) for call in Tree(made.read_text("utf-8")).calls()]
    whole = joined([each for each in bodies if each is not None])
    return Manifold() if whole is None else whole


class Path3(NamedTuple):
    """A cable or ribbon: points of its middle, or the two ends of each ruling. Lengths in mm."""

    thick: float
    least_radius: float
    points: np.ndarray


@cache
def cables(name: str, view: str, *settings: tuple[str, str]) -> dict[str, Path3]:
    """Return the cables that a view echoes, by name."""
    with tempfile.TemporaryDirectory() as room:
        said = openscad(
            ENCLOSURE / f"{name}.scad", {"view": f'"{view}"', **dict(settings)}, Path(room) / "tree.csg"
        )
    rows = [Tree(line.removeprefix("ECHO: ")).value() for line in said.splitlines() if line.startswith("ECHO: [")]
    return {cable: Path3(thick, radius, np.array(points)) for cable, thick, radius, points in rows}


def size_of(whole: Manifold) -> tuple[float, float, float]:
    low_x, low_y, low_z, high_x, high_y, high_z = whole.bounding_box()
    return high_x - low_x, high_y - low_y, high_z - low_z
