"""Dé et Boulanger's moves as text, as the record and the house's keyboard have them (docs/notation.md)."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.errors import NotationError
from companion.core.move import Move, parse_seat, seat_text
from companion.core.reading import nothing, number, split, word_of
from companion.core.text import msg
from companion.games.de_et_boulanger.rules.board import SIDES, Kind, Square
from companion.games.de_et_boulanger.rules.components import AMOUNT_MOST, FACES, Box
from companion.games.de_et_boulanger.rules.goods import Load, Products

_HOME: Final = ("no", "yes")
_BAKED_MOST: Final = 9999

_WRITTEN: Final[dict[str, Callable[[Box, tuple[int, ...]], str]]] = {
    "bakery": lambda _, args: SIDES[args[0]],
    "tiles": lambda _, args: " ".join(str(tile + 1) for tile in args),
    "step": lambda box, args: box.board.names[args[0]],
    "home": lambda _, args: _HOME[args[0]],
}


def _tiles(box: Box, words: Sequence[str]) -> tuple[int, ...]:
    if len(words) != len(box.tiles):
        raise NotationError(msg("{n} tiles; a row has {all}", n=len(words), all=len(box.tiles)))
    if len(set(words)) != len(words):
        raise NotationError(msg("{word!r}; allowed: each tile once", word=" ".join(words)))
    return tuple(number(word, 1, len(box.tiles)) - 1 for word in words)


def _die(_: Box, words: Sequence[str]) -> tuple[int, ...]:
    return _numbers(words, 1, 1, FACES)


def _amount(_: Box, words: Sequence[str]) -> tuple[int, ...]:
    return _numbers(words, 1, 1, AMOUNT_MOST)


def _numbers(words: Sequence[str], count: int, least: int, most: int) -> tuple[int, ...]:
    if len(words) != count:
        raise NotationError(msg("{word!r}; allowed: numbers, {n} of them", word=" ".join(words), n=count))
    return tuple(number(word, least, most) for word in words)


_READ: Final[dict[str, Callable[[Box, list[str]], tuple[int, ...]]]] = {
    "bakery": lambda _, words: (word_of(" ".join(words), tuple(SIDES)),),
    "tiles": _tiles,
    "start": _die,
    "load": _amount,
    "unload": lambda _, words: _numbers(words, len(Load._fields), 0, AMOUNT_MOST),
    "flour": _amount,
    "butter": _amount,
    "water": _amount,
    "ready": lambda _, words: nothing(words),
    "roll": _die,
    "step": lambda box, words: (parse_square(box, " ".join(words)),),
    "end": lambda _, words: nothing(words),
    "home": lambda _, words: (word_of(" ".join(words), _HOME),),
    "bake": lambda _, words: _numbers(words, len(Products._fields), 0, _BAKED_MOST),
    "validate": lambda _, words: nothing(words),
    "sale": _die,
    "incident": _die,
}


def format_move(box: Box, move: Move) -> str:
    """Return a move as text: `1 bakery E`, `2 step 3,4`, `T roll 5`, `1 unload 3 2 0 1`."""
    written = _WRITTEN.get(move.verb)
    args = written(box, move.args) if written else " ".join(map(str, move.args))
    return " ".join((seat_text(move.seat), move.verb, *([args] if args else [])))


def parse_move(box: Box, text: str) -> Move:
    """Return the move of a text. Raise NotationError with what is allowed."""
    mover, verb, words = split(text, _READ, "Dé et Boulanger")
    return Move(parse_seat(mover), verb, _READ[verb](box, words))


def parse_square(box: Box, word: str) -> Square:
    """Return the square of a text: `3,4` (row and column from 0), `fountain`, or a shop's letter.

    Raise NotationError.
    """
    board = box.board
    for square, name in enumerate(board.names):
        if name == word and board.kinds[square] != Kind.NOTHING:
            return square  # of the fountain's cells the first in reading order, which names it
    raise NotationError(
        msg(
            "{word!r} is no square; allowed: row,column on the board of {rows} by {columns}, fountain, {sides}",
            word=word,
            rows=board.rows,
            columns=board.columns,
            sides=", ".join(SIDES),
        )
    )
