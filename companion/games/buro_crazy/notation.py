"""Büro Crazy's moves as text, as the record and the house's keyboard have them (docs/notation.md)."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.errors import NotationError
from companion.core.move import Move, Seat, SecretMove, parse_seat, seat_text
from companion.core.reading import nothing, number, one_seat, split, word_of
from companion.core.text import msg
from companion.games.buro_crazy.rules import SECRETS, card_values
from companion.games.buro_crazy.rules.change import worth
from companion.games.buro_crazy.rules.components import Box

NONE: Final = "none"
"""A bid of no card."""


def _cards_text(box: Box, args: tuple[int, ...]) -> str:
    return " ".join(map(str, card_values(args, box.values))) or NONE


def _read_cards(box: Box, words: Sequence[str]) -> tuple[int, ...]:
    if list(words) == [NONE]:
        return (0,) * len(box.values)
    if not words:
        raise NotationError(msg("a bid is the values of its cards, or {none!r}", none=NONE))
    values = [str(value) for value in box.values]
    cards = [word_of(word, values) for word in words]
    return tuple(cards.count(place) for place in range(len(values)))


def _points(box: Box, words: Sequence[str]) -> tuple[int, ...]:
    return (number(" ".join(words), 0, worth(box.deck, box.values)),)


def _read_colour(box: Box, words: Sequence[str]) -> tuple[int, ...]:
    return (one_seat(words[:1]), word_of(" ".join(words[1:]), box.colours))


def _read_value(box: Box, words: Sequence[str]) -> tuple[int, ...]:
    values = [str(value) for value in box.values]
    return (box.values[word_of(" ".join(words), values)],)


_WRITTEN: Final[dict[str, Callable[[Box, tuple[int, ...]], str]]] = {
    "colour": lambda box, args: f"{seat_text(Seat(args[0]))} {box.colours[args[1]]}",
    "place": lambda _, args: " ".join(map(seat_text, map(Seat, args))),
    "commit": _cards_text,
    "total": lambda _, args: str(args[0]),
    "coin": lambda _, args: seat_text(Seat(args[0])),
    "roof": lambda _, args: str(args[0]),
    "report": lambda _, args: str(args[0]),
    "counted": lambda _, args: str(args[0]),
}
_READ: Final[dict[str, Callable[[Box, list[str]], tuple[int, ...]]]] = {
    "colour": _read_colour,
    "place": lambda _, words: tuple(map(parse_seat, words)),
    "commit": _read_cards,
    "total": _points,
    "retract": lambda _, words: nothing(words),
    "coin": lambda _, words: (one_seat(words),),
    "roof": _read_value,
    "report": _points,
    "counted": lambda box, words: (number(" ".join(words), 0, sum(box.deck)),),
}


def format_move(box: Box, move: Move) -> str:
    """Return a move as text: `2 commit 20 2 1`, `1 commit none`, `T coin 3`."""
    written = _WRITTEN.get(move.verb)
    words = (seat_text(move.seat), move.verb, *([written(box, move.args)] if written else []))
    return " ".join(words)


def parse_move(box: Box, text: str) -> Move:
    """Return the move of a text, a SecretMove for a bid or a report. Raise NotationError with what is allowed."""
    mover, verb, words = split(text, _READ, "Büro Crazy")
    kind = SecretMove if verb in SECRETS else Move
    return kind(parse_seat(mover), verb, _READ[verb](box, words))
