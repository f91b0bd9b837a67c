"""The board of Dé et Boulanger: squares and their neighbours, computed from the map."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from companion.core.choices import Args
from companion.core.text import msg

Square = int
"""A square: row * columns + column, both from 0.

The fountain is one square, named by its first cell in reading order.
"""

SIDES: Final = "NESW"
SIDE_NAMES: Final = (msg("N"), msg("E"), msg("S"), msg("W"))
"""The sides of the board, clockwise, and the letters of their shops."""

NOTHING: Final = "#"

PLAIN: Final = "."

FOUNTAIN: Final = "fountain"
"""The name of the fountain, instead of row and column."""

UP, RIGHT, DOWN, LEFT = range(4)

DIRECTIONS: Final = (UP, RIGHT, DOWN, LEFT)

_MOVES: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Kind(StrEnum):
    """The kind of a square."""

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
"""The characters of a map."""


class Board(NamedTuple):
    """A board as computed from a map.

    `kinds`, `names` (`3,4`, `fountain`, `N`) and `squares` have an entry for each cell. `ways[side][square]` are
    the steps, as arguments, of that side's baker; they never enter another bakery's shop (DB-A15).
    `exits[direction]` are the squares one step out of the fountain, from left to right or top to bottom.
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
        return tuple(cell for cell, found in enumerate(self.kinds) if found == kind and self.squares[cell] == cell)

    def beside(self, cell: Square, direction: int) -> Square | None:
        """Return the square beside a cell, or None."""
        row, column = divmod(cell, self.columns)
        down, right = _MOVES[direction]
        row, column = row + down, column + right
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        found = row * self.columns + column
        return None if self.kinds[found] == Kind.NOTHING else self.squares[found]

    def cells(self, square: Square) -> tuple[int, ...]:
        return tuple(cell for cell, found in enumerate(self.squares) if found == square)


@cache
def board_of(map_text: str) -> Board:
    """Return the board of a map: lines of equal length with one fountain and the shops N, E, S and W."""
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
    across = direction in {UP, DOWN}
    cells = board.cells(board.fountain)
    for cell in sorted(cells, key=lambda cell: divmod(cell, board.columns)[across]):
        near = board.beside(cell, direction)
        if near not in {None, board.fountain}:
            assert near is not None
            yield near
