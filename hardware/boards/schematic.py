"""Writes a board's schematic for KiCad, with a net label at each pin."""

import math
import re
import uuid
from collections.abc import Iterator
from copy import copy
from functools import cache
from pathlib import Path
from typing import Final

from design import Board, Component

SYMBOLS: Final = Path("/usr/share/kicad/symbols")
NAMESPACE: Final = uuid.UUID("4e1d7c9a-2b1f-4b57-9a35-6a2b0a2f9d10")
Node = list["Node | str"]

COLUMN_MM: Final = 45.72
SHEETS: Final = {"A3": 297, "A2": 420}
"""Heights in millimetres."""


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


def free_net(part: Component, number: str) -> str:
    """Return KiCad's net name of a free pin. Raise LookupError."""
    for unit in children(symbol(part.kind.symbol), "symbol"):
        for pin in children(unit, "pin"):
            [[_, name, *_]], [[_, own, *_]] = children(pin, "name"), children(pin, "number")
            if str(own).strip('"') == number:
                called = str(name).strip('"')
                return f"unconnected-({part.name}-{called + '-' if called not in {'', '~'} else ''}Pad{number})"
    raise LookupError(f"{part.kind.symbol} has no pin {number}")


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def label(board: str, owner: str, net: str, at: tuple[float, float], turned: int) -> str:
    """Return a net label, or a no-connect mark."""
    x, y = at
    if not net:
        return f'(no_connect (at {x:.2f} {y:.2f}) (uuid "{identity(board, owner, "free")}"))'
    side = "right" if turned in {180, 270} else "left"
    return (
        f"(global_label {quoted(net)} (shape passive) (at {x:.2f} {y:.2f} {turned}) "
        f"(effects (font (size 1.1 1.1)) (justify {side})) (uuid {quoted(identity(board, owner, net))}))"
    )


def property_of(name: str, value: str, x: float, y: float, *, hidden: bool = False) -> str:
    hide = " (hide yes)" if hidden else ""
    return (
        f"(property {quoted(name)} {quoted(value)} (at {x:.2f} {y:.2f} 0) (effects (font (size 1.27 1.27)){hide}))"
    )


def placed(board: Board, part: Component, x: float, y: float) -> Iterator[str]:
    """Yield a part and its labels."""
    node = symbol(part.kind.symbol)
    where = pins(node)
    top = min(-py for _, py, _ in where.values())
    in_list = "yes" if part.kind.part else "no"
    yield (
        f"(symbol (lib_id {quoted(part.kind.symbol)}) (at {x:.2f} {y:.2f} 0) (unit 1) (exclude_from_sim no) "
        f"(in_bom {in_list}) (on_board yes) (dnp no) (uuid {quoted(identity(board.name, part.name))}) "
        + property_of("Reference", part.name, x - 5.08, y + top - 3.81)
        + property_of("Value", part.value, x + 5.08, y + top - 3.81)
        + property_of("Footprint", part.kind.footprint, x, y, hidden=True)
        + property_of("Part", part.kind.part, x, y, hidden=True)
        + property_of("Example", part.kind.number, x, y, hidden=True)
        + "".join(f"(pin {quoted(n)} (uuid {quoted(identity(board.name, part.name, n))}))" for n in where)
        + f'(instances (project {quoted(board.name)} (path "/{identity(board.name)}" '
        f"(reference {quoted(part.name)}) "
        "(unit 1)))))"
    )
    for number, (px, py, direction) in where.items():
        outwards = {0: 180, 180: 0, 90: 270, 270: 90}[direction]
        yield label(board.name, f"{part.name}.{number}", part.nets.get(number, ""), (x + px, y - py), outwards)


def flags(board: Board) -> Iterator[str]:
    """Yield the power flags of nets that are fed from outside."""
    for number, net in enumerate(("GND", "+3V3", "+5V")):
        x, y = 25.4 + 25.4 * number, (SHEETS[sheet(board)] - 26) // 2.54 * 2.54
        yield (
            f'(symbol (lib_id "power:PWR_FLAG") (at {x} {y} 0) (unit 1) (exclude_from_sim no) (in_bom no) '
            f"(on_board no) (dnp no) (uuid {quoted(identity(board.name, 'flag', net))}) "
            + property_of("Reference", f"#FLG{number + 1}", x, y - 7, hidden=True)
            + property_of("Value", "PWR_FLAG", x, y - 5)
            + f'(pin "1" (uuid {quoted(identity(board.name, "flag", net, "1"))}))'
            f'(instances (project {quoted(board.name)} (path "/{identity(board.name)}" '
            f"(reference {quoted(f'#FLG{number + 1}')}) (unit 1)))))"
        )
        yield label(board.name, f"flag {net}", net, (x, y), 270)


def sheet(board: Board) -> str:
    return "A3" if len(board.components) < 40 else "A2"


def laid_out(board: Board) -> Iterator[tuple[Component, float, float]]:
    """Yield each part with its position, one column per seat."""
    x, y = 38.1, 25.4
    for part in board.components:
        ys = [y for _, y, _ in pins(symbol(part.kind.symbol)).values()]
        up, tall = max(ys), max(ys) - min(ys)
        if y + tall > SHEETS[sheet(board)] - 60 or (part.value.startswith("Seat") and y > 25.4):
            x, y = x + COLUMN_MM, 25.4
        yield part, x, round((y + up + 7.62) / 2.54) * 2.54
        y += math.ceil((tall + 22.86) / 2.54) * 2.54


def schematic(board: Board) -> str:
    used = sorted({part.kind.symbol for part in board.components} | {"power:PWR_FLAG"})
    library = []
    for name in used:
        node = copy(symbol(name))
        node[1] = quoted(name)
        library.append(written(node))
    body = [text for part, x, y in laid_out(board) for text in placed(board, part, x, y)]
    return "\n".join(
        (
            f'(kicad_sch (version 20250114) (generator "hardware/boards/draw.py") (generator_version "9.0") '
            f'(uuid {quoted(identity(board.name))}) (paper "{sheet(board)}") '
            f"(title_block (title {quoted(board.title)}))",
            f"(lib_symbols {' '.join(library)})",
            *body,
            *flags(board),
            '(sheet_instances (path "/" (page "1"))) (embedded_fonts no))',
            "",
        )
    )
