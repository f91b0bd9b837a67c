"""What a seat is asked, and the keys of every answer: read forwards into a move, backwards into keys."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.core.console import BUZZ, Keyed
from companion.core.move import Move
from companion.core.text import Text, msg


class KeyQuestion(NamedTuple):
    """One question, with the keys of each answer and the move that they make.

    No answer begins with the keys of another one. A key of `several` makes its moves one after the other; moves
    that have to wait do so while it stays typed. The buzzer stands for the key `buzzer`. `why` gets the keys of an
    entry whose last key does not fit, and says what is wrong.
    """

    prompt: Text
    answers: Mapping[str, Move]
    why: Callable[[str], Text]
    several: Mapping[str, tuple[Move, ...]] = MappingProxyType({})
    buzzer: str = ""

    def read(self, entry: str, key: str) -> Keyed | Text:
        """Return what a key does behind an entry, or why it does not fit."""
        if key == BUZZ:
            if entry or not self.buzzer:
                return msg("the buzzer means nothing here")
            key = self.buzzer
        typed = entry + key
        if typed in self.answers:
            return Keyed(move=self.answers[typed])
        if typed in self.several:
            first, *others = self.several[typed]
            return Keyed(typed, first, then=tuple(others))
        return Keyed(typed) if any(keys.startswith(typed) for keys in self.answers) else self.why(typed)

    def keys_for(self, move: Move) -> tuple[str, ...]:
        """Return the keys of a move, the first ones that make it; () where none do."""
        return next((tuple(keys) for keys, answer in self.answers.items() if answer == move), ())
