"""Routes a board with two layers: a Lee router by A*. If a net finds no way, it starts again with that net first.

All lengths are millimetres.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

GRID: Final = 0.635
"""A quarter of the pin pitch, so that wires pass midway between pins."""
VIA_COST: Final = 6.0
WIDTH: Final = 0.35
"""Width of a wire."""
POWER_WIDTH: Final = 1.0
POWER: Final = frozenset({"+5V", "+3V3", "GND"})
GAP: Final = 0.2
"""Clearance of different nets."""
VIA: Final = 0.8
"""Diameter of a via, whose hole is half of that."""
NO_VIA: Final = "no via"
Cell = tuple[int, int, int]
"""Layer, column, row."""


class Pad(NamedTuple):
    """A plated hole: centre, and half its width and height."""

    net: str
    x: float
    y: float
    half_x: float
    half_y: float


class Wire(NamedTuple):
    """A straight piece of copper."""

    net: str
    layer: int
    x1: float
    y1: float
    x2: float
    y2: float


class Via(NamedTuple):
    """A plated hole between the layers."""

    net: str
    x: float
    y: float


class RouteError(RuntimeError):
    """Error raised when a board cannot be routed."""


def width(net: str) -> float:
    return POWER_WIDTH if net in POWER else WIDTH


class Router:
    """The free and occupied cells of one board."""

    def __init__(
        self,
        size: tuple[float, float],
        pads: Iterable[Pad],
        holes: Iterable[tuple[float, float, float]],
    ) -> None:
        self.columns, self.rows = (int(length / GRID) + 1 for length in size)
        self.size, self.pads = size, list(pads)
        self.shut: set[Cell] = set()
        """Edge and screws."""
        self.taken: dict[float, dict[Cell, set[str]]] = {
            across: defaultdict(set) for across in (WIDTH, POWER_WIDTH, VIA)
        }
        """Nets too close for a wire or via of that width."""
        self._frame(holes)
        for pad in self.pads:
            self._claim_pad(pad)

    def _frame(self, holes: Iterable[tuple[float, float, float]]) -> None:
        for column in range(self.columns):
            for row in range(self.rows):
                x, y = column * GRID, row * GRID
                edge = min(x, y, self.size[0] - x, self.size[1] - y) < 1.05
                if edge or any(math.hypot(x - hx, y - hy) < radius + 0.9 for hx, hy, radius in holes):
                    self.shut.update(((0, column, row), (1, column, row)))

    def _around(self, x: float, y: float, reach_x: float, reach_y: float) -> Iterator[tuple[int, int]]:
        for column in range(math.ceil((x - reach_x) / GRID), math.floor((x + reach_x) / GRID) + 1):
            for row in range(math.ceil((y - reach_y) / GRID), math.floor((y + reach_y) / GRID) + 1):
                yield column, row

    def _claim_pad(self, pad: Pad) -> None:
        for across, claims in self.taken.items():
            reach = across / 2 + GAP
            # A pad joins both layers, so its net needs no via there.
            names = {pad.net, NO_VIA} if across == VIA else {pad.net}
            for column, row in self._around(pad.x, pad.y, pad.half_x + reach, pad.half_y + reach):
                out_x = max(0.0, abs(column * GRID - pad.x) - pad.half_x)
                out_y = max(0.0, abs(row * GRID - pad.y) - pad.half_y)
                if math.hypot(out_x, out_y) < reach:
                    claims[0, column, row] |= names
                    claims[1, column, row] |= names

    def _claim(self, net: str, cells: list[Cell]) -> None:
        half = width(net) / 2
        for at, (layer, column, row) in enumerate(cells):
            is_via = at + 1 < len(cells) and cells[at + 1][0] != layer
            layers = (0, 1) if is_via else (layer,)
            self._claim_disc(net, column, row, max(VIA / 2, half) if is_via else half, layers)
            if at + 1 < len(cells) and not is_via:
                _, after, below = cells[at + 1]
                self._claim_disc(net, (column + after) / 2, (row + below) / 2, half, layers)

    def _claim_disc(self, net: str, column: float, row: float, half: float, layers: tuple[int, ...]) -> None:
        for across, claims in self.taken.items():
            reach = half + GAP + across / 2
            for near, below in self._around(column * GRID, row * GRID, reach, reach):
                if math.hypot(near - column, below - row) * GRID < reach:
                    for on in layers:
                        claims[on, near, below].add(net)

    def _free(self, net: str, cell: Cell) -> bool:
        return cell not in self.shut and not self.taken[width(net)].get(cell, set()) - {net}

    def _free_via(self, net: str, column: int, row: int) -> bool:
        both = ((0, column, row), (1, column, row))
        return all(self._free(net, each) and not self.taken[VIA].get(each, set()) - {net} for each in both)

    def _steps(self, net: str, cell: Cell) -> Iterator[tuple[Cell, float]]:
        layer, column, row = cell
        for by_x, by_y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            after = (layer, column + by_x, row + by_y)
            beside = ((layer, column + by_x, row), (layer, column, row + by_y)) if by_x and by_y else ()
            if all(self._free(net, each) for each in (after, *beside)):
                # The front prefers horizontal wires, the back vertical ones.
                along = by_y == 0 if layer == 0 else by_x == 0
                yield after, math.hypot(by_x, by_y) * (1.0 if along else 1.25)
        if self._free_via(net, column, row):
            yield (1 - layer, column, row), VIA_COST

    def _way(
        self, net: str, starts: Iterable[Cell], goals: set[Cell], to: tuple[float, float]
    ) -> list[Cell] | None:
        best = {cell: 0.0 for cell in starts if self._free(net, cell)}
        before: dict[Cell, Cell] = {}
        queue = [(0.0, cell) for cell in best]
        heapq.heapify(queue)
        done: set[Cell] = set()
        while queue:
            _, cell = heapq.heappop(queue)
            if cell in goals:
                way = [cell]
                while way[-1] in before:
                    way.append(before[way[-1]])
                return way[::-1]
            if cell in done:
                continue
            done.add(cell)
            for after, cost in self._steps(net, cell):
                total = best[cell] + cost
                if total < best.get(after, math.inf):
                    best[after], before[after] = total, cell
                    left = math.hypot(after[1] - to[0], after[2] - to[1]) * 0.98
                    heapq.heappush(queue, (total + left, after))
        return None

    def _pad_cells(self, pad: Pad) -> list[Cell]:
        inside = self._around(pad.x, pad.y, max(pad.half_x - 0.2, 0.14), max(pad.half_y - 0.2, 0.14))
        return [(layer, column, row) for column, row in inside for layer in (0, 1)]

    def route(self, net: str, pads: list[Pad] | None = None) -> tuple[list[list[Cell]], list[Pad]]:
        """Return ways that join pads of a net, by default all, and the pads without a way."""
        pads = pads or [pad for pad in self.pads if pad.net == net]
        tree = set(self._pad_cells(pads[0]))
        left, ways, lost = pads[1:], [], []
        while left:
            pad = min(
                left, key=lambda each: min(math.hypot(c[1] * GRID - each.x, c[2] * GRID - each.y) for c in tree)
            )
            left.remove(pad)
            way = self._way(net, self._pad_cells(pad), tree, self._middle(tree, pad))
            if way is None:
                lost.append(pad)
                continue
            ways.append(way)
            tree.update(way, self._pad_cells(pad))
        for way in ways:
            self._claim(net, way)
        return ways, lost

    def _middle(self, tree: set[Cell], pad: Pad) -> tuple[float, float]:
        nearest = min(tree, key=lambda cell: math.hypot(cell[1] * GRID - pad.x, cell[2] * GRID - pad.y))
        return nearest[1], nearest[2]


def straight(net: str, way: list[Cell]) -> Iterator[Wire | Via]:
    """Yield a way as vias and straight wires."""
    start = way[0]
    for at in range(1, len(way)):
        here, after = way[at], way[at + 1] if at + 1 < len(way) else None
        if way[at - 1][0] != here[0]:
            yield Via(net, here[1] * GRID, here[2] * GRID)
            start = here
            continue
        turn = after and tuple(b - a for a, b in zip(here, after, strict=True))
        if turn != tuple(b - a for a, b in zip(way[at - 1], here, strict=True)):
            yield Wire(net, here[0], start[1] * GRID, start[2] * GRID, here[1] * GRID, here[2] * GRID)
            start = here


def route_board(
    size: tuple[float, float], pads: list[Pad], holes: list[tuple[float, float, float]], poured: str = "GND"
) -> list[Wire | Via]:
    """Return the copper of a board. Raise RouteError after 40 attempts.

    The poured net has wires too, since a pour leaves islands between close pins.
    """
    pads_of: dict[str, list[Pad]] = defaultdict(list)
    for pad in pads:
        pads_of[pad.net].append(pad)
    nets = [net for net, found in pads_of.items() if net and net != poured and len(found) > 1]
    nets.sort(key=lambda net: _span(pads_of[net]))
    for _ in range(40):
        router = Router(size, pads, holes)
        copper: list[Wire | Via] = []
        for net in (poured, *nets):
            ways, lost = router.route(net)
            copper += _pieces(net, ways)
            if lost:
                print(f"no way for {net}: once more, with it first", flush=True)
                nets.remove(net)
                nets.insert(0, net)
                break
        else:
            return copper
    raise RouteError(f"no way was found; last for {nets[0]}")


def _pieces(net: str, ways: list[list[Cell]]) -> list[Wire | Via]:
    return [piece for way in ways for piece in straight(net, way)]


def _span(pads: list[Pad]) -> float:
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    return max(xs) - min(xs) + max(ys) - min(ys)
