"""The map in Dé et Boulanger's box: reading, validating and editing."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from companion.core.boxfile import BoxFile, out_of_bounds
from companion.core.boxschema import Field, Values
from companion.core.form import Change, Found, Grid, Option, Question, Spot
from companion.core.text import Text, msg
from companion.games.de_et_boulanger.rules.board import LETTERS, NOTHING, PLAIN, SIDES, Board, Kind, board_of

_EXITS_MOST: Final = 9
"""Exits on one side of the fountain are single digits."""

_EXTENT_LEAST: Final = 5
"""Smaller boards have no room for fountain and shops."""

_EXTENT_MOST: Final = 40
_SERVICES: Final = 2

_LETTERS: Final = {
    "M": msg("M (mill)"),
    "A": msg("A (farm)"),
    "N": msg("N (top)"),
    "E": msg("E (right)"),
    "S": msg("S (bottom)"),
    "W": msg("W (left)"),
}
"""The letters of a map in words, since people see pictures at the table."""

_SHOP: Final = "9"

_TOOLS: Final = {"1": PLAIN, "0": NOTHING, "3": "M", "7": "A", "5": "F"}


class Map(NamedTuple):
    """The lines of the board in question."""

    lines: tuple[str, ...]


class MapField(Field):
    """The board as text, one character per square."""

    def read(self, file: BoxFile, found: Any, values: Values) -> str:
        if not isinstance(found, str):
            file.wrong("map", msg("{found!r} is not a map; allowed: lines between triple quotes", found=found))
            return ""
        lines = [line.strip() for line in found.strip().splitlines()]
        for why in _drawing_mistakes(lines):
            file.wrong("map", why)
        return "\n".join(lines)

    def wrong(self, value: str) -> Iterable[Text]:
        return [*_part_mistakes(value)] or _board_mistakes(board_of(value))

    def questions(self, found: Found) -> Iterator[Question]:
        lines = [line.strip() for line in found["map"].strip().splitlines()]
        rows, columns = len(lines), len(lines[0])
        drawn = Map(tuple(lines))

        def high(answer: int) -> list[Change] | Text:
            return _outside(answer) or _drawn_map(_resized(lines, answer))

        def wide(answer: int) -> list[Change] | Text:
            return _outside(answer) or _drawn_map(_turned(_resized(_turned(lines), answer)))

        def put(key: str, spot: Spot) -> list[Change] | Text:
            return _put(lines, key, spot)

        def here(spot: Spot) -> Text:
            return msg("Row {row}, column {column}", row=spot[0], column=spot[1])  # counted as in messages

        text = msg("How many squares high is the board, with the shops at its edges?")
        yield Question(text, ("map",), rows, drawn=drawn, write=high, key="rows")
        text = msg("And how many squares wide?")
        yield Question(text, ("map",), columns, drawn=drawn, write=wide, key="columns")
        text, grid = msg("What is on each square?"), Grid(rows, columns, put, here)
        yield Question(text, ("map",), options=_tools(lines), drawn=drawn, grid=grid)


# --- Validation --------------------------------------------------------------------------------------------


def _drawing_mistakes(lines: list[str]) -> Iterator[Text]:
    rows, columns = len(lines), len(lines[0]) if lines else 0
    if not 1 <= max(rows, columns) <= _EXTENT_MOST:
        yield msg(
            "{rows} lines of {columns} letters; allowed: 1 to {most} of each",
            rows=rows,
            columns=columns,
            most=_EXTENT_MOST,
        )
        return
    for n, line in enumerate(lines, 1):
        if len(line) != columns:
            yield msg(
                "line {n} has {found} letters; allowed: {columns}, as in the first",
                n=n,
                found=len(line),
                columns=columns,
            )
        for letter in line:
            if letter not in LETTERS:
                yield msg("line {n}: {letter!r}; allowed: {known}", n=n, letter=letter, known=LETTERS)


def _part_mistakes(text: str) -> Iterator[Text]:
    for letter, count in (*((side, 1) for side in SIDES), ("M", _SERVICES), ("A", _SERVICES)):
        n, named = text.count(letter), _LETTERS[letter]
        if n != count:
            yield msg("{n} times {letter}; allowed: {count}", n=n, letter=named, count=count)
    if "F" not in text:
        yield msg("there is no fountain; allowed: one block of F")


def _board_mistakes(board: Board) -> Iterator[Text]:
    free = tuple(cell for cell, kind in enumerate(board.kinds) if kind not in {Kind.NOTHING, Kind.SHOP})
    fountain = board.cells(board.fountain)
    if len(_reached(board, board.fountain, fountain)) < len(fountain):
        yield msg("the fountain is in pieces; allowed: one block of F")
    for exits in board.exits:
        if len(exits) > _EXITS_MOST:
            yield msg("the fountain has more than {n} exits on a side", n=_EXITS_MOST)
    edges = (
        range(board.columns),
        range(board.columns - 1, len(board.kinds), board.columns),
        range(len(board.kinds) - board.columns, len(board.kinds)),
        range(0, len(board.kinds), board.columns),
    )
    for side, shop, edge in zip(SIDES, board.shops, edges, strict=True):
        if shop not in edge:
            yield msg("shop {side} is not on its edge", side=_LETTERS[side])
        n = sum(cell in free for cell in _beside(board, shop))
        if n != 1:
            yield msg("shop {side} has {n} squares next to it; allowed: 1", side=_LETTERS[side], n=n)
    missed = set(free) - _reached(board, board.fountain, free)
    if missed:
        row, column = divmod(min(missed), board.columns)
        yield msg("row {row}, column {column} cannot be reached from everywhere", row=row, column=column)


def _beside(board: Board, cell: int) -> list[int]:
    row, column = divmod(cell, board.columns)
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [
        down * board.columns + right
        for down, right in around
        if 0 <= down < board.rows and 0 <= right < board.columns
    ]


def _reached(board: Board, start: int, allowed: tuple[int, ...]) -> set[int]:
    reached = [start]
    known, inside = {start}, set(allowed)
    for cell in reached:
        for near in _beside(board, cell):
            if near in inside and near not in known:
                known.add(near)
                reached.append(near)
    return known


# --- Editing -----------------------------------------------------------------------------------------------


def _tools(lines: list[str]) -> tuple[Option, ...]:
    counts = Counter("".join(lines))
    shops = sum(counts[side] for side in SIDES)
    return (
        Option("1", "", msg("street")),
        Option("0", "", msg("no square"), "cross"),
        Option("3", "", msg("mill: {n} of 2", n=counts["M"]), "mill"),
        Option("7", "", msg("farm: {n} of 2", n=counts["A"]), "farm"),
        Option("5", "", msg("fountain"), "fountain"),
        Option(_SHOP, "", msg("shop: {n} of 4", n=shops), "bakery"),
    )


def _put(lines: list[str], key: str, spot: Spot) -> list[Change] | Text:
    row, column = spot
    letter = _TOOLS.get(key) or _side(lines, spot)
    if not letter:
        return msg("A shop must be at an edge of the board, not in a corner")
    moved = [line.replace(letter, NOTHING) if letter in SIDES else line for line in lines]  # one shop per side
    moved[row] = f"{moved[row][:column]}{letter}{moved[row][column + 1 :]}"
    return _drawn_map(moved)


def _side(lines: list[str], spot: Spot) -> str:
    """Return the letter of the shop on a square's edge; "" inside and in corners."""
    row, column = spot
    edges = (row == 0, column == len(lines[0]) - 1, row == len(lines) - 1, column == 0)
    on = [side for side, there in zip(SIDES, edges, strict=True) if there]
    return on[0] if len(on) == 1 else ""


def _outside(extent: int) -> Text | None:
    if _EXTENT_LEAST <= extent <= _EXTENT_MOST:
        return None
    return out_of_bounds(extent, _EXTENT_LEAST, _EXTENT_MOST)


def _drawn_map(lines: list[str]) -> list[Change]:
    return [(("map",), "\n".join(["", *lines, ""]))]


def _resized(lines: list[str], count: int) -> list[str]:
    """Return `count` lines. Changes are made before the last line, which stays the edge."""
    street = PLAIN * (len(lines[0]) - 2)
    more = [f"{NOTHING}{street}{NOTHING}"] * (count - len(lines))
    return [*lines[: count - 1][: len(lines) - 1], *more, lines[-1]]


def _turned(lines: list[str]) -> list[str]:
    return ["".join(column) for column in zip(*lines, strict=True)]
