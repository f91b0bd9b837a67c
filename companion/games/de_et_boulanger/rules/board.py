"""The board of Dé et Boulanger: which squares there are and which of them touch, computed from the map."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from companion.core.choices import Args
from companion.core.text import msg

Square = int
"""A square of the board: row * columns + column of its place on the map, both from 0.

The fountain is one square, named by its first cell in reading order. A shop is named by its letter's cell.
"""

SIDES: Final = "NESW"
SIDE_NAMES: Final = (msg("N"), msg("E"), msg("S"), msg("W"))
"""The sides of the board in the order of the compass: side 0 is N, 3 is W; the letter of a bakery's shop."""

NOTHING: Final = "#"

PLAIN: Final = "."

FOUNTAIN: Final = "fountain"
"""What the fountain is called where others have their row and column."""

UP, RIGHT, DOWN, LEFT = range(4)

DIRECTIONS: Final = (UP, RIGHT, DOWN, LEFT)

_MOVES: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Kind(StrEnum):
    """What a square is."""

    NOTHING = "nothing"
    PLAIN = "plain"
    MILL = "mill"
    FARM = "farm"
    FOUNTAIN = "fountain"
    SHOP = "shop"


_KINDS: Final = {
    NOTHING: Kind.NOTHING,
    PLAIN: Kind.PLAIN,
    "M": Kind.MILL,
    "A": Kind.FARM,
    "F": Kind.FOUNTAIN,
    **dict.fromkeys(SIDES, Kind.SHOP),
}

LETTERS: Final = "".join(_KINDS)
"""What a map is written with."""


class Board(NamedTuple):
    """What follows from a map; every tuple but `exits` and `shops` has an entry for each cell.

    `kinds` is what a cell is, `names` how its square is written (`3,4`, `fountain`, `N`), `squares` the
    square that it belongs to. `ways[side][square]` are the squares one step away for the baker of that side, as
    the arguments of a step: another bakery's shop is never among them (DB-A15). `exits[direction]` are the squares
    that one step out of the fountain leads to, from left to right or from top to bottom.
    """

    rows: int
    columns: int
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]
    squares: tuple[Square, ...]
    ways: tuple[tuple[tuple[Args, ...], ...], ...]
    exits: tuple[tuple[Square, ...], ...]
    shops: tuple[Square, ...]
    fountain: Square

    def of_kind(self, kind: Kind) -> tuple[Square, ...]:
        """Return the squares of a kind, in reading order."""
        return tuple(cell for cell, found in enumerate(self.kinds) if found == kind and self.squares[cell] == cell)

    def beside(self, cell: Square, direction: int) -> Square | None:
        """Return the square beside a cell in a direction; None where the board ends."""
        row, column = divmod(cell, self.columns)
        down, right = _MOVES[direction]
        row, column = row + down, column + right
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        found = row * self.columns + column
        return None if self.kinds[found] == Kind.NOTHING else self.squares[found]

    def cells(self, square: Square) -> tuple[int, ...]:
        """Return the cells of a square: one, or those of the fountain."""
        return tuple(cell for cell, found in enumerate(self.squares) if found == square)


@cache
def board_of(map_text: str) -> Board:
    """Return the board of a map: lines of equal length, with one fountain and the shops N, E, S and W."""
    lines = map_text.splitlines()
    columns = len(lines[0])
    kinds = tuple(_KINDS[letter] for line in lines for letter in line)
    letters = "".join(lines)
    fountain = letters.index("F")
    squares = tuple(fountain if kind == Kind.FOUNTAIN else cell for cell, kind in enumerate(kinds))
    bare = Board(
        rows=len(lines),
        columns=columns,
        kinds=kinds,
        names=tuple(_name(kind, cell, columns, letters[cell]) for cell, kind in enumerate(kinds)),
        squares=squares,
        ways=(),
        exits=(),
        shops=tuple(letters.index(side) for side in SIDES),
        fountain=fountain,
    )
    return bare._replace(
        ways=tuple(_ways(bare, shop) for shop in bare.shops),
        exits=tuple(tuple(_exits(bare, direction)) for direction in DIRECTIONS),
    )


def _name(kind: Kind, cell: int, columns: int, letter: str) -> str:
    if kind == Kind.FOUNTAIN:
        return FOUNTAIN
    row, column = divmod(cell, columns)
    return letter if kind == Kind.SHOP else f"{row},{column}"


def _ways(board: Board, own_shop: Square) -> tuple[tuple[Args, ...], ...]:
    found: list[dict[Square, None]] = [{} for _ in board.kinds]
    for cell, kind in enumerate(board.kinds):
        if kind == Kind.NOTHING or (kind == Kind.SHOP and cell != own_shop):
            continue
        square = board.squares[cell]
        for near in _around(board, cell):
            if near != square and (board.kinds[near] != Kind.SHOP or near == own_shop):
                found[square][near] = None
    return tuple(tuple((near,) for near in nears) for nears in found)


def _around(board: Board, cell: int) -> Iterator[Square]:
    for direction in DIRECTIONS:
        near = board.beside(cell, direction)
        if near is not None:
            yield near


def _exits(board: Board, direction: int) -> Iterable[Square]:
    """Yield the exits ordered along the side that they are on: columns for up and down, rows for the others."""
    across = direction in {UP, DOWN}
    cells = board.cells(board.fountain)
    for cell in sorted(cells, key=lambda cell: divmod(cell, board.columns)[across]):
        near = board.beside(cell, direction)
        if near not in {None, board.fountain}:
            assert near is not None
            yield near
