"""The notation of Dé et Boulanger's moves (docs/notation.md)."""

from collections.abc import Sequence
from typing import Final

from companion.core.choices import Args
from companion.core.errors import NotationError
from companion.core.text import msg
from companion.core.verbs import Spelling, number, one_word
from companion.games.de_et_boulanger.rules.board import SIDES, Kind, Square
from companion.games.de_et_boulanger.rules.components import AMOUNT_MOST, FACES, Box
from companion.games.de_et_boulanger.rules.goods import Load, Products

_BAKED_MOST: Final = 9999


def _tiles(box: Box, words: Sequence[str]) -> tuple[int, ...]:
    if len(words) != len(box.tiles):
        raise NotationError(msg("{n} tiles; a row has {all}", n=len(words), all=len(box.tiles)))
    if len(set(words)) != len(words):
        raise NotationError(msg("{word!r}; allowed: each tile once", word=" ".join(words)))
    return tuple(number(word, 1, len(box.tiles)) - 1 for word in words)


def _numbers_text(_: Box, args: Args) -> str:
    return " ".join(map(str, args))


def _numbers(words: Sequence[str], count: int, least: int, most: int) -> tuple[int, ...]:
    if len(words) != count:
        raise NotationError(msg("{word!r}; allowed: {n} numbers", word=" ".join(words), n=count))
    return tuple(number(word, least, most) for word in words)


SIDE: Final[Spelling[Box]] = one_word(tuple(SIDES))

ROW: Final = Spelling[Box](lambda _, args: " ".join(str(tile + 1) for tile in args), _tiles)

DIE: Final = Spelling[Box](_numbers_text, lambda _, words: _numbers(words, 1, 1, FACES))

AMOUNT: Final = Spelling[Box](_numbers_text, lambda _, words: _numbers(words, 1, 1, AMOUNT_MOST))

TOKENS: Final = Spelling[Box](_numbers_text, lambda _, words: _numbers(words, len(Load._fields), 0, AMOUNT_MOST))

BAKED: Final = Spelling[Box](_numbers_text, lambda _, words: _numbers(words, len(Products._fields), 0, _BAKED_MOST))

HOME: Final[Spelling[Box]] = one_word(("no", "yes"))


def parse_square(box: Box, word: str) -> Square:
    """Return a square: `3,4` (row and column from 0), `fountain`, or a shop's letter. Raise NotationError."""
    board = box.board
    for square, name in enumerate(board.names):
        if name == word and board.kinds[square] != Kind.NOTHING:
            return square  # the fountain's first cell names it
    raise NotationError(
        msg(
            "{word!r} is not a square; allowed: row,column on the board of {rows} by {columns}, fountain, {sides}",
            word=word,
            rows=board.rows,
            columns=board.columns,
            sides=", ".join(SIDES),
        )
    )


SQUARE: Final = Spelling[Box](
    lambda box, args: box.board.names[args[0]], lambda box, words: (parse_square(box, " ".join(words)),)
)
