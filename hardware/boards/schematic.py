"""Writes a board's schematic for KiCad: a wire from each socket to the line, net labels at header and chip."""

import re
import uuid
from collections.abc import Iterator
from copy import copy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from design import REVISION, SEATS, Board, Component

SYMBOLS: Final = Path("/usr/share/kicad/symbols")
NAMESPACE: Final = uuid.UUID("4e1d7c9a-2b1f-4b57-9a35-6a2b0a2f9d10")
Node = list["Node | str"]

Point = tuple[float, float]
POWER: Final = ("GND", "+3V3", "+5V")


def identity(*names: str) -> str:
    """Return a UUID that depends only on the names, so that drawing is reproducible."""
    return str(uuid.uuid5(NAMESPACE, "/".join(names)))


def parse(text: str) -> Node:
    """Parse an S-expression. Strings keep their quotes."""
    stack: list[Node] = [[]]
    for token in re.findall(r'"(?:\\.|[^"\\])*"|[()]|[^\s()]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    found = stack[0][0]
    assert isinstance(found, list)
    return found


def written(node: "Node | str") -> str:
    """Return nested lists as an S-expression."""
    return node if isinstance(node, str) else f"({' '.join(map(written, node))})"


def children(node: Node, name: str) -> Iterator[Node]:
    """Yield sublists that begin with a name."""
    for each in node:
        if isinstance(each, list) and each and each[0] == name:
            yield each


@cache
def symbol(library_name: str) -> Node:
    """Return a symbol of KiCad's libraries. Raise LookupError."""
    library, name = library_name.split(":")
    text = (SYMBOLS / f"{library}.kicad_sym").read_text("utf-8")
    found = re.search(rf'^\t\(symbol "{re.escape(name)}"\n.*?^\t\)$', text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{SYMBOLS} has no symbol {library_name}")
    return parse(found[0])


def pins(node: Node) -> dict[str, tuple[float, float, int]]:
    """Return x, y and angle of each pin, by number."""
    found = {}
    for unit in children(node, "symbol"):
        for pin in children(unit, "pin"):
            [at], [number] = children(pin, "at"), children(pin, "number")
            found[str(number[1]).strip('"')] = (float(str(at[1])), float(str(at[2])), int(float(str(at[3]))))
    return found


def net_name(part: Component, number: str) -> str:
    """Return KiCad's name of a pin's net. Raise LookupError."""
    if net := part.nets.get(number):
        return net if net in POWER else f"/{net}"
    for unit in children(symbol(part.kind.symbol), "symbol"):
        for pin in children(unit, "pin"):
            [[_, name, *_]], [[_, own, *_]] = children(pin, "name"), children(pin, "number")
            if str(own).strip('"') == number:
                called = str(name).strip('"')
                return f"unconnected-({part.name}-{called + '-' if called not in {'', '~'} else ''}Pad{number})"
    raise LookupError(f"{part.kind.symbol} has no pin {number}")


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def place(x: float, y: float) -> Point:
    """Return a point that compares equal to others at the same place."""
    return round(x, 2), round(y, 2)


def on_wire(at: Point, a: Point, b: Point) -> bool:
    return all(min(a[n], b[n]) <= at[n] <= max(a[n], b[n]) for n in (0, 1))


class Sheet:
    """A schematic that grows part by part. Pins without a wire get a label or a no-connect mark."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.parts = {part.name: part for part in board.components}
        self.items: list[str] = []
        self.pins: dict[str, tuple[Point, int]] = {}
        """Position and outward direction by part and pin, such as `J2.1`."""
        self.wired: list[tuple[Point, Point]] = []

    def uid(self, *names: object) -> str:
        return f"(uuid {quoted(identity(self.board.name, *map(str, names)))})"

    def symbol(self, kind: str, name: str, at: str, fields: str, *, listed: bool = False) -> None:
        """Add a symbol. `at` has position, angle and mirror as KiCad writes them."""
        pin_ids = "".join(f"(pin {quoted(n)} {self.uid(name, n)})" for n in pins(symbol(kind)))
        flags = f"(in_bom {'yes' if listed else 'no'}) (on_board {'no' if name[0] == '#' else 'yes'}) (dnp no)"
        self.items.append(
            f"(symbol (lib_id {quoted(kind)}) {at} (unit 1) (exclude_from_sim no) {flags} {self.uid(name)} "
            f"{fields}{pin_ids}(instances (project {quoted(self.board.name)} "
            f'(path "/{identity(self.board.name)}" (reference {quoted(name)}) (unit 1)))))'
        )

    def put(self, name: str, x: float, y: float, turned: int = 0, *, mirrored: bool = False) -> None:
        """Place a part. Mirrored, its left is right."""
        part = self.parts[name]
        where = pins(symbol(part.kind.symbol))
        for number, (right, up, inwards) in where.items():
            at, outwards = complex(right, up), (inwards + 180) % 360
            if mirrored:
                at, outwards = complex(-right, up), (180 - outwards) % 360
            at *= 1j ** (turned // 90)
            self.pins[f"{name}.{number}"] = (place(x + at.real, y - at.imag), (outwards + turned) % 360)
        top = min(pin[1] for end, (pin, _) in self.pins.items() if end.startswith(f"{name}."))
        upright = turned % 180 if name[0] != "D" else 0  # a diode lies in the library
        if name[0] in "RCD" and name[1] != "N" and not upright:
            said, side = (x + 2.54, y - 1.27), " (justify left)"
        elif name[0] == "U":
            said, side = (x + 3.81, top - 1.27), " (justify left)"
        else:
            said, side = (x, (y if upright else top) - (4.7 if upright else 6.2)), ""
        fields = "".join(
            property_of(key, value, (said[0], said[1] + 2.4 * (n % 2)), turned % 180, side, hidden=hidden)
            for n, (key, value, hidden) in enumerate(
                (
                    ("Reference", name, False),
                    ("Value", part.value, name.startswith("TP")),
                    ("Footprint", part.kind.footprint, True),
                    ("Part", part.kind.part, True),
                    ("Number", part.kind.number, True),
                    ("Second", part.kind.second, True),
                )
            )
        )
        placed = f"(at {x:.2f} {y:.2f} {turned}){' (mirror y)' if mirrored else ''}"
        self.symbol(part.kind.symbol, name, placed, fields, listed=bool(part.kind.part))

    def wire(self, *ends: str | Point) -> None:
        """Join pins and points; between two of them first across, then down or up."""
        points = [self.pins[end][0] if isinstance(end, str) else place(*end) for end in ends]
        for (x1, y1), (x2, y2) in pairwise(points):
            corner = (x2, y1)
            self.wired += [(a, b) for a, b in (((x1, y1), corner), (corner, (x2, y2))) if a != b]

    def label(self, net: str, at: Point, direction: int = 0) -> None:
        """Name a net: power by a symbol or, sideways, by a global label."""
        x, y = place(*at)
        side = "right" if direction in {180, 270} else "left"
        if net in POWER and direction == (270 if net == "GND" else 90):
            name = f"#PWR{len(self.items)}"
            fields = property_of("Reference", name, (x, y), hidden=True)
            fields += property_of("Value", net, (x, y + (4.4 if net == "GND" else -4.4)))
            self.symbol(f"power:{net}", name, f"(at {x:.2f} {y:.2f} 0)", fields)
            return
        kind = "global_label" if net in POWER else "label"
        shape = "(shape passive) " if net in POWER else ""
        bottom = "" if net in POWER else " bottom"
        self.items.append(
            f"({kind} {quoted(net)} {shape}(at {x:.2f} {y:.2f} {direction}) (effects (font (size 1.27 1.27)) "
            f"(justify {side}{bottom})) {self.uid('label', net, x, y)})"
        )

    def touches(self, at: Point) -> int:
        """Return how many wire ends are at a point; a wire that passes has two there."""
        return sum(1 if at in (a, b) else 2 for a, b in self.wired if on_wire(at, a, b))

    def flag(self, net: str, x: float, y: float) -> None:
        """Tell KiCad that a net is fed from outside."""
        fields = property_of("Reference", f"#FLG{net}", (x, y), hidden=True)
        fields += property_of("Value", "PWR_FLAG", (x, y - 5))
        self.symbol("power:PWR_FLAG", f"#FLG{net}", f"(at {x:.2f} {y:.2f} 0)", fields)
        self.label(net, (x, y), 270 if net == "GND" else 0)

    def finish(self) -> str:
        for end, (at, outwards) in self.pins.items():
            name, _, number = end.partition(".")
            if net := self.parts[name].nets.get(number):
                if not self.touches(at):
                    self.label(net, at, outwards)
            else:
                self.items.append(f"(no_connect (at {at[0]:.2f} {at[1]:.2f}) {self.uid('free', end)})")
        pin_places = [at for at, _ in self.pins.values()]
        places = sorted({end for wire in self.wired for end in wire} | set(pin_places))
        for a, b in self.wired:
            on_it = [at for at in places if on_wire(at, a, b)]
            for c, d in pairwise(on_it):
                points = f"(pts (xy {c[0]:.2f} {c[1]:.2f}) (xy {d[0]:.2f} {d[1]:.2f}))"
                self.items.append(f"(wire {points} {self.uid('wire', c, d)})")
        for at in places:
            if self.touches(at) + pin_places.count(at) > 2:
                self.items.append(f"(junction (at {at[0]:.2f} {at[1]:.2f}) {self.uid('junction', at)})")
        kinds = {part.kind.symbol for part in self.board.components} | {f"power:{n}" for n in (*POWER, "PWR_FLAG")}
        library = []
        for kind in sorted(kinds):
            node = copy(symbol(kind))
            node[1] = quoted(kind)
            library.append(written(node))
        return "\n".join(
            (
                '(kicad_sch (version 20250114) (generator "hardware/boards/draw.py") (generator_version "9.0") '
                f'(uuid {quoted(identity(self.board.name))}) (paper "A3") '
                f"(title_block (title {quoted(self.board.title)}) (rev {quoted(REVISION)}))",
                f"(lib_symbols {' '.join(library)})",
                *self.items,
                '(sheet_instances (path "/" (page "1"))) (embedded_fonts no))',
                "",
            )
        )


def property_of(name: str, value: str, at: Point, turned: int = 0, side: str = "", *, hidden: bool = False) -> str:
    hide = " (hide yes)" if hidden else ""
    return (
        f"(property {quoted(name)} {quoted(value)} (at {at[0]:.2f} {at[1]:.2f} {turned}) "
        f"(effects (font (size 1.27 1.27)){side}{hide}))"
    )


def guarded(sheet: Sheet, way: str, n: int, at: Point, turn_x: float) -> None:
    """Draw the line of a socket's way: diode and capacitor to ground, then its resistor."""
    x, y = at
    sheet.put(f"D{n}", x + 22.86, y + 3.81, 270)
    sheet.put(f"C{n}", x + 40.64, y + 3.81)
    sheet.put(f"R{n}", x + 55.88, y, 270)
    sheet.wire(way, (turn_x, y), f"R{n}.2")
    name, _, number = way.partition(".")
    sheet.label(sheet.parts[name].nets[number], (turn_x + 1.27, y))


def grounded(sheet: Sheet, way: str, x: float, y: float) -> None:
    sheet.wire(way, (x, y))
    sheet.label("GND", (x, y), 270)


def draw_base(sheet: Sheet) -> None:
    for seat in SEATS:
        x, y = 22.86 + 78.74 * (seat - 1), 55.88
        sheet.put(f"J{seat + 1}", x, y, mirrored=True)
        guarded(sheet, f"J{seat + 1}.1", 2 * seat - 1, (x, y - 15.24), x + 10.16)
        guarded(sheet, f"J{seat + 1}.2", 2 * seat, (x, y + 2.54), x + 10.16)
        grounded(sheet, f"J{seat + 1}.3", x + 7.62, y + 7.62)
    x, y = 121.92, 137.16
    sheet.put("J8", x, y, mirrored=True)
    for way, up, turn in ((1, -25.4, 10.16), (2, -10.16, 12.7), (3, 5.08, 12.7), (4, 20.32, 10.16)):
        guarded(sheet, f"J8.{way}", 10 + way, (x, y + up), x + turn)
    grounded(sheet, "J8.5", x + 7.62, y + 10.16)
    sheet.put("J1", 58.42, 134.62)
    for name, x, y in (("RN1", 256.54, 114.3), ("RN2", 256.54, 157.48), ("U1", 340.36, 119.38)):
        sheet.put(name, x, y)
    sheet.put("C15", 381, 119.38)
    sheet.put("J9", 381, 182.88)
    x, y = 304.8, 182.88
    sheet.put("J7", x, y, mirrored=True)
    sheet.put("D15", x + 17.78, y + 1.27, 270)
    sheet.put("Q1", x + 38.1, y + 12.7)
    sheet.put("R15", x + 20.32, y + 12.7, 90)
    sheet.wire("J7.1", (x + 10.16, y - 2.54), "D15.1")
    sheet.label("+5V", (x + 10.16, y - 2.54), 90)
    sheet.wire("J7.2", (x + 10.16, y + 5.08), "Q1.1")
    sheet.label("SIREN-", (x + 21.59, y + 5.08))
    sheet.wire("R15.2", "Q1.2")
    sheet.label("BASE", (x + 25.4, y + 12.7))


def draw_pod(sheet: Sheet) -> None:
    sheet.put("J1", 137.16, 101.6)
    sheet.put("J2", 177.8, 101.6, mirrored=True)
    sheet.put("J3", 60.96, 93.98, mirrored=True)
    for key, pin in enumerate((4, 5, 6, 7, 9, 10, 11, 12), 1):
        sheet.wire(f"J3.{key}", (99.06 - 2.54 * key, sheet.pins[f"J1.{pin}"][0][1]), f"J1.{pin}")
        sheet.label(f"KEY{key}", (102.87, sheet.pins[f"J1.{pin}"][0][1]))
    sheet.put("J5", 60.96, 129.54, mirrored=True)
    sheet.put("R1", 93.98, 125.73)
    sheet.wire("J5.1", (121.92, 129.54), (121.92, 111.76), "J1.14")
    sheet.label("BUZZER", (100.33, 129.54))
    grounded(sheet, "J5.2", 68.58, 134.62)
    sheet.put("J6", 60.96, 154.94, mirrored=True)
    sheet.put("Q1", 81.28, 160.02, mirrored=True)
    sheet.put("R2", 106.68, 160.02, 270)
    sheet.put("R3", 127, 163.83)
    sheet.wire("J6.1", (68.58, 149.86))
    sheet.label("+5V", (68.58, 149.86), 90)
    sheet.wire("J6.2", "Q1.1")
    sheet.label("LAMP-", (69.85, 154.94))
    grounded(sheet, "J6.3", 68.58, 160.02)
    sheet.wire("Q1.2", "R2.2")
    sheet.label("BASE", (90.17, 160.02))
    sheet.wire("R2.1", "R3.1", (127, 114.3), "J1.15")
    sheet.label("LAMP", (113.03, 160.02))
    sheet.put("J4", 241.3, 121.92)
    for way, pin, net in ((3, 19, "SCL"), (4, 20, "SDA")):
        sheet.wire(f"J2.{pin}", f"J4.{way}")
        sheet.label(net, (195.58, sheet.pins[f"J2.{pin}"][0][1]))
    sheet.put("C1", 269.24, 121.92)


def schematic(board: Board) -> str:
    sheet = Sheet(board)
    (draw_base if board.name == "base" else draw_pod)(sheet)
    for n, part in enumerate(part for part in board.components if part.name.startswith("TP")):
        sheet.put(part.name, 25.4 + 20.32 * n, 231.14)
    for n, net in enumerate(POWER):
        sheet.flag(net, 25.4 + 30.48 * n, 269.24)
    return sheet.finish()
