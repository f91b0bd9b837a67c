"""Böse Buben's moves as text, as the record and the house's keyboard have them (docs/notation.md)."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.errors import NotationError
from companion.core.move import Move, Seat, SecretMove, parse_seat, seat_text
from companion.core.reading import nothing, number, one_seat, split, word_of
from companion.core.text import msg
from companion.games.boese_buben.rules import SECRETS, Box
from companion.games.boese_buben.rules.cards import NAMES

_SAID: Final = ("leave", "buy", "free")
_MOST: Final = 9


def _written_spots(args: tuple[int, ...]) -> str:
    return " ".join(f"{lane}.{place}" for lane, place in zip(args[::2], args[1::2], strict=True))


def _spots(words: Sequence[str], count: int) -> tuple[int, ...]:
    """Return lane and place of so many cards: `1.2` is the second card of lane 1. Smallest first."""
    if len(words) != count:
        raise NotationError(
            msg("{found} cards named; allowed: {count}, each as LANE.PLACE", found=len(words), count=count)
        )
    spots = [tuple(number(part, 1, _MOST) for part in word.partition(".")[::2]) for word in words]
    return sum(sorted(spots), ())


def _play(words: Sequence[str]) -> tuple[int, ...]:
    if len(words) != 2:
        raise NotationError(msg("a card is played as: play CARD LANE"))
    return word_of(words[0], NAMES), number(words[1], 1, _MOST)


def _order(words: Sequence[str]) -> tuple[int, ...]:
    if len(words) < 2:
        raise NotationError(msg("a lane is put into order as: reorder LANE PLACE PLACE..."))
    return tuple(number(word, 1, _MOST) for word in words)


def _two_seats(words: Sequence[str]) -> tuple[int, ...]:
    if len(words) != 2:
        raise NotationError(msg("a master of ceremonies is moved as: move_mc SEAT SEAT"))
    return tuple(map(parse_seat, words))


_WRITTEN: Final[dict[str, Callable[[tuple[int, ...]], str]]] = {
    "first": lambda args: seat_text(Seat(args[0])),
    "play": lambda args: f"{NAMES[args[0]]} {args[1]}",
    "exchange": _written_spots,
    "eject": _written_spots,
    "reorder": lambda args: " ".join(map(str, args)),
    "move_mc": lambda args: " ".join(map(seat_text, map(Seat, args))),
    "answer": lambda args: _SAID[args[0]],
}
_READ: Final[dict[str, Callable[[Sequence[str]], tuple[int, ...]]]] = {
    "first": lambda words: (one_seat(words),),
    "play": _play,
    "exchange": lambda words: _spots(words, 2),
    "eject": lambda words: _spots(words, 1),
    "reorder": _order,
    "decline": nothing,
    "move_mc": _two_seats,
    "answer": lambda words: (word_of(" ".join(words), _SAID),),
}


def format_move(_box: Box, move: Move) -> str:
    """Return a move as text: `1 play 4a 3`, `2 exchange 1.2 3.1`, `2 answer buy`."""
    written = _WRITTEN.get(move.verb)
    words = (seat_text(move.seat), move.verb, *([written(move.args)] if written else []))
    return " ".join(words)


def parse_move(_box: Box, text: str) -> Move:
    """Return the move of a text. Raise NotationError with what is allowed."""
    mover, verb, words = split(text, _READ, "Böse Buben")
    kind = SecretMove if verb in SECRETS else Move
    return kind(parse_seat(mover), verb, _READ[verb](words))
