"""Buntherum's moves as text, as the record and the house's keyboard have them (docs/notation.md)."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.errors import NotationError, closest
from companion.core.move import HIDDEN, Move, Seat, parse_seat, seat_text
from companion.core.reading import nothing, one_seat, split, word_of
from companion.core.text import Text, msg
from companion.games.buntherum.rules import SIDES, UNKNOWN, Box, Card, card_text

_SAID: Final = ("impossible", *map(str, range(1, SIDES + 1)))
_JUDGED: Final = ("wrong", "right")
_WRITTEN: Final[dict[str, Callable[[Box, tuple[int, ...]], str]]] = {
    "youngest": lambda _, args: seat_text(Seat(args[0])),
    "starter": lambda box, args: f"{args[0]} {card_text(box, args[1])}",
    "flip": lambda box, args: card_text(box, args[0]),
    "early": lambda _, args: seat_text(Seat(args[0])),
    "call": lambda _, args: " ".join((seat_text(Seat(args[0])), *(_SAID[said] for said in args[1:]))),
    "tie": lambda _, args: " ".join(map(seat_text, map(Seat, args))),
    "declare": lambda _, args: _SAID[args[0]],
    "card": lambda box, args: card_text(box, args[0]),
    "judge": lambda _, args: _JUDGED[args[0]],
}
_READ: Final[dict[str, Callable[[Box, list[str]], tuple[int, ...]]]] = {
    "youngest": lambda _, words: (one_seat(words),),
    "starter": lambda box, words: (word_of(words[0], _SAID[1:]) + 1, parse_card(box, words[1:])),
    "flip": lambda box, words: (parse_card(box, words),),
    "early": lambda _, words: (one_seat(words),),
    "call": lambda _, words: (one_seat(words[:1]), *(word_of(word, _SAID) for word in words[1:])),
    "tie": lambda _, words: tuple(sorted(map(parse_seat, words))),
    "nobody": lambda _, words: nothing(words),
    "declare": lambda _, words: (word_of(" ".join(words), _SAID),),
    "late": lambda _, words: nothing(words),
    "card": lambda box, words: (parse_card(box, words),),
    "judge": lambda _, words: (word_of(" ".join(words), _JUDGED),),
}


def format_move(box: Box, move: Move) -> str:
    """Return a move as text: `T flip red car`, `T call 2`, `2 declare impossible`."""
    written = _WRITTEN.get(move.verb)
    words = (seat_text(move.seat), move.verb, *([written(box, move.args)] if written else []))
    return " ".join(words)


def parse_move(box: Box, text: str) -> Move:
    """Return the move of a text. Raise NotationError with what is allowed."""
    mover, verb, words = split(text, _READ, "Buntherum")
    if verb == "starter" and not words:
        raise NotationError(msg("a starter is named by its side and card: starter 1 red car"))
    return Move(parse_seat(mover), verb, _READ[verb](box, words))


def parse_card(box: Box, words: Sequence[str]) -> Card:
    """Return the card that two words name, in either order, or `??`. Raise NotationError."""
    if list(words) == [HIDDEN]:
        return UNKNOWN
    name = " ".join(words)
    for candidate in (name, " ".join(reversed(words))):
        if candidate in box.names:
            return box.names.index(candidate)
    raise NotationError(msg("{name!r} is no card; {near}", name=name, near=_card_help(box, name)))


def _card_help(box: Box, name: str) -> Text:
    close = closest(name, box.names)
    if close is not None:
        return msg("did you mean {close!r}?", close=close)
    return msg(
        "a card is a colour ({colours}) and an object ({objects})",
        colours=", ".join(box.colours),
        objects=", ".join(box.objects),
    )
