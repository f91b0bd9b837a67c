"""Driftwood's moves as text: `T wash bottle`, `T call 2`, `T tie 1 3`, `T ebb`, `2 throw 4`, `2 retract`."""

from typing import Final

from companion.core.move import Move, SecretMove, parse_seat, seat_text
from companion.core.reading import nothing, number, one_seat, split, word_of

from .rules import SECRETS, Box

_VERBS: Final = ("wash", "call", "tie", "ebb", "throw", "retract")


def format_move(box: Box, move: Move) -> str:
    """Return a move as text."""
    words = list(map(str, move.args))
    if move.verb == "wash":
        words = [box.finds[move.args[0]].name]
    elif move.verb in {"call", "tie"}:
        words = list(map(seat_text, move.args))
    return " ".join((seat_text(move.seat), move.verb, *words))


def parse_move(box: Box, text: str) -> Move:
    """Return the move of a text. Raise NotationError with what is allowed."""
    mover, verb, words = split(text, _VERBS, "Driftwood")
    seat = parse_seat(mover)
    if verb in SECRETS:
        return SecretMove(seat, verb, (number(" ".join(words), most=9),))
    if verb == "wash":
        return Move(seat, verb, (word_of(" ".join(words), [find.name for find in box.finds]),))
    if verb == "tie":
        return Move(seat, verb, tuple(sorted(map(parse_seat, words))))
    return Move(seat, verb, (one_seat(words),) if verb == "call" else nothing(words))
