"""Reading the words of a move: each mistake says what is allowed instead."""

from collections.abc import Sequence

from companion.core.errors import NotationError, nearest
from companion.core.move import Seat, parse_seat
from companion.core.text import msg


def nothing(words: Sequence[str]) -> tuple[int, ...]:
    """Return no arguments. Raise NotationError when there are words left."""
    if words:
        raise NotationError(msg("{word!r} is too much here", word=" ".join(words)))
    return ()


def one_seat(words: Sequence[str]) -> Seat:
    """Return the seat that the words name. Raise NotationError."""
    return parse_seat(" ".join(words))


def word_of(word: str, words: Sequence[str]) -> int:
    """Return the place of a word among those allowed. Raise NotationError."""
    if word not in words:
        raise NotationError(msg("{word!r} is not understood; {near}", word=word, near=nearest(word, words)))
    return words.index(word)


def number(word: str, least: int = 0, most: int = 999) -> int:
    """Return a whole number written plainly: no sign, no zero in front. Raise NotationError."""
    if word.isascii() and word.isdecimal() and len(word) <= len(str(most)) and str(int(word)) == word:
        found = int(word)
        if least <= found <= most:
            return found
    raise NotationError(
        msg("{word!r}; allowed: a whole number from {least} to {most}", word=word, least=least, most=most)
    )
