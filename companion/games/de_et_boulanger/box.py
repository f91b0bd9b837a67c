"""Reads Dé et Boulanger's box.toml and checks that it describes a box that can be played."""

from collections.abc import Mapping
from typing import Final

from companion.core.boxfile import BoxFile
from companion.core.text import msg
from companion.games.de_et_boulanger.rules.board import LETTERS, SIDES, Board, Kind, board_of
from companion.games.de_et_boulanger.rules.components import AMOUNT_MOST, EFFECTS, FACES, INCIDENT, Box
from companion.games.de_et_boulanger.rules.goods import Goods, Products

_KEYS: Final = (
    "map",
    "rounds",
    "rolls_per_round",
    "load_limit",
    "start_sous",
    "home_bonus",
    "price",
    "sell",
    "recipe",
    "tiles",
    "incident",
)
_ONE_KEY: Final = 9
"""What one key can name: tiles are numbered from 1, and so are the exits on one side of the fountain."""

EXTENT_MOST: Final = 40
_MONEY_MOST: Final = 999
_COUNT_MOST: Final = 99
_SERVICES: Final = 2

_LETTERS: Final = {
    "M": msg("M (mill)"),
    "A": msg("A (farm)"),
    "N": msg("N (top)"),
    "E": msg("E (right)"),
    "S": msg("S (bottom)"),
    "W": msg("W (left)"),
}
"""What the letters of a map mean: at the table one sees pictures instead."""


def read_box(text: str, where: str) -> Box:
    """Return the box that a TOML text describes. Raise BoxError naming `where`, the key and what is allowed."""
    return _Reader(text, where).box()


class _Reader(BoxFile):
    def box(self) -> Box:
        found = self.keys("box", self.found, _KEYS)
        before = self.noted
        tiles = self.tiles(self.table("tiles", found["tiles"], ("list",))["list"])
        rounds = self.number("rounds", found["rounds"], 1, len(tiles) - 1 if self.noted == before else None)
        recipes = self.table("recipe", found["recipe"], Products._fields)
        incident = self.table("incident", found["incident"], map(str, range(1, FACES + 1)))
        box = Box(
            map=self.map(found["map"]),
            rounds=rounds,
            rolls_per_round=self.number("rolls_per_round", found["rolls_per_round"], 1, _COUNT_MOST),
            load_limit=self.number("load_limit", found["load_limit"], 1, AMOUNT_MOST),
            start_sous=self.number("start_sous", found["start_sous"], 0, _MONEY_MOST),
            home_bonus=self.number("home_bonus", found["home_bonus"], 0, _MONEY_MOST),
            price=Goods(**self.numbers("price", found["price"], Goods._fields, _MONEY_MOST)),
            sell=Products(**self.numbers("sell", found["sell"], Products._fields, _MONEY_MOST)),
            recipes=(self.recipe("bread", recipes["bread"]), self.recipe("croissant", recipes["croissant"])),
            tiles=tiles,
            effects=tuple(
                self.choice(f"incident.{die}", incident[str(die)], EFFECTS) for die in range(1, FACES + 1)
            ),
        )
        self.settle()
        return box

    def numbers(self, key: str, found: object, names: tuple[str, ...], most: int) -> Mapping[str, int]:
        table = self.table(key, found, names)
        return {name: self.number(f"{key}.{name}", table[name], 0, most) for name in names}

    def recipe(self, product: str, found: object) -> Goods:
        key, before = f"recipe.{product}", self.noted
        recipe = Goods(**self.numbers(key, found, Goods._fields, _COUNT_MOST))
        if not any(recipe) and self.noted == before and not self.is_missing(found):
            self.wrong(key, msg("nothing goes into it; allowed: at least one measure of something"))
        return recipe

    def tiles(self, found: object) -> tuple[tuple[int, ...], ...]:
        before = self.noted
        listed = self.array("tiles.list", found)
        if not 2 <= len(listed) <= _ONE_KEY and self.noted == before and not self.is_missing(found):
            self.wrong("tiles.list", msg("{n} tiles; allowed: 2 to {most}", n=len(listed), most=_ONE_KEY))
        return tuple(self.tile(f"tiles.list[{place}]", tile) for place, tile in enumerate(listed, 1))

    def tile(self, key: str, found: object) -> tuple[int, ...]:
        if found == "incident":
            return INCIDENT
        if not isinstance(found, list) or len(found) != len(Products._fields):
            self.wrong(key, msg('{found!r} is no tile; allowed: [breads, croissants] or "incident"', found=found))
            return INCIDENT
        return tuple(self.number(key, number, 0, _COUNT_MOST) for number in found)

    def map(self, found: object) -> str:
        """Return the map as plain lines; note where it is no board on which everybody can play."""
        before = self.noted
        text = "\n".join(self.lines(found))
        if not text or self.noted > before:
            return text
        for letter, count in (*((side, 1) for side in SIDES), ("M", _SERVICES), ("A", _SERVICES)):
            if text.count(letter) != count:
                named = _LETTERS[letter]
                what = msg("{n} times {letter}; allowed: {count}", n=text.count(letter), letter=named, count=count)
                self.wrong("map", what)
        if "F" not in text:
            self.wrong("map", msg("there is no fountain; allowed: one block of F"))
        if self.noted == before:
            self.board(board_of(text))
        return text

    def board(self, board: Board) -> None:
        """Note where nobody can play on a board that has all its parts."""
        free = tuple(cell for cell, kind in enumerate(board.kinds) if kind not in {Kind.NOTHING, Kind.SHOP})
        self.fountain(board)
        self.shops(board, free)
        missed = set(free) - _reached(board, board.fountain, free)
        if missed:
            row, column = divmod(min(missed), board.columns)
            there = msg("row {row}, column {column} cannot be reached from everywhere", row=row, column=column)
            self.wrong("map", there)

    def lines(self, found: object) -> list[str]:
        """Return the lines of a map; note where they are not equally long, or of letters that are not known."""
        if self.is_missing(found):
            return []
        if not isinstance(found, str):
            self.wrong("map", msg("{found!r} is no map; allowed: lines between three quotes", found=found))
            return []
        lines = [line.strip() for line in found.strip().splitlines()]
        rows, columns = len(lines), len(lines[0]) if lines else 0
        if not 1 <= max(rows, columns) <= EXTENT_MOST:
            size = msg(
                "{rows} lines of {columns} letters; allowed: 1 to {most} of each",
                rows=rows,
                columns=columns,
                most=EXTENT_MOST,
            )
            self.wrong("map", size)
            return []
        for number, line in enumerate(lines, 1):
            if len(line) != columns:
                why = msg(
                    "line {n} has {found} letters; allowed: {columns}, as in the first",
                    n=number,
                    found=len(line),
                    columns=columns,
                )
                self.wrong("map", why)
            for letter in line:
                if letter not in LETTERS:
                    why = msg("line {n}: {letter!r}; allowed: {known}", n=number, letter=letter, known=LETTERS)
                    self.wrong("map", why)
        return lines

    def fountain(self, board: Board) -> None:
        """Note where the fountain is not one block, each of whose exits is named by one key."""
        fountain = board.cells(board.fountain)
        if len(_reached(board, board.fountain, fountain)) < len(fountain):
            self.wrong("map", msg("the fountain is in pieces; allowed: one block of F"))
        for exits in board.exits:
            if len(exits) > _ONE_KEY:
                self.wrong("map", msg("the fountain has more than {n} exits on a side", n=_ONE_KEY))

    def shops(self, board: Board, free: tuple[int, ...]) -> None:
        """Note where a shop does not lie on the edge of its side, with one square in front of it."""
        edges = (
            range(board.columns),
            range(board.columns - 1, len(board.kinds), board.columns),
            range(len(board.kinds) - board.columns, len(board.kinds)),
            range(0, len(board.kinds), board.columns),
        )
        for side, shop, edge in zip(SIDES, board.shops, edges, strict=True):
            if shop not in edge:
                self.wrong("map", msg("shop {side} is not on its edge", side=_LETTERS[side]))
            doors = [cell for cell in _beside(board, shop) if cell in free]
            if len(doors) != 1:
                many = msg("shop {side} has {n} squares beside it; allowed: 1", side=_LETTERS[side], n=len(doors))
                self.wrong("map", many)


def _beside(board: Board, cell: int) -> list[int]:
    """Return the cells beside a cell, each part of the fountain for itself."""
    row, column = divmod(cell, board.columns)
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [
        down * board.columns + right
        for down, right in around
        if 0 <= down < board.rows and 0 <= right < board.columns
    ]


def _reached(board: Board, start: int, allowed: tuple[int, ...]) -> set[int]:
    """Return the cells that can be reached from one of them without leaving those allowed."""
    reached = [start]
    known, inside = {start}, set(allowed)
    for cell in reached:
        for near in _beside(board, cell):
            if near in inside and near not in known:
                known.add(near)
                reached.append(near)
    return known
