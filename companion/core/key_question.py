"""A question to a seat, and the keys of its answers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.core.console import BUZZ, Keyed
from companion.core.move import Move
from companion.core.text import Text, msg


class KeyQuestion(NamedTuple):
    """One question, with the keys and the move of each answer.

    No answer is a prefix of another one. `several` are keys that make several moves; those that must wait do so
    while the keys stay typed. The buzzer stands for the key `buzzer`. `why` returns why an entry does not fit.
    """

    prompt: Text
    answers: Mapping[str, Move]
    why: Callable[[str], Text]
    several: Mapping[str, tuple[Move, ...]] = MappingProxyType({})
    buzzer: str = ""

    def read(self, entry: str, key: str) -> Keyed | Text:
        if key == BUZZ:
            if entry or not self.buzzer:
                return msg("the buzzer does nothing here")
            key = self.buzzer
        typed = entry + key
        if typed in self.answers:
            return Keyed(move=self.answers[typed])
        if typed in self.several:
            first, *others = self.several[typed]
            return Keyed(typed, first, then=tuple(others))
        return Keyed(typed) if any(keys.startswith(typed) for keys in self.answers) else self.why(typed)

    def keys_for(self, move: Move) -> tuple[str, ...]:
        """Return the keys of a move; () if there are none."""
        return next((tuple(keys) for keys, answer in self.answers.items() if answer == move), ())
