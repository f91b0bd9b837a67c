"""A robot for any game, which presses random keys that the console accepts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic

from companion.core.console import BACK, KEYS, Console
from companion.core.game import Act
from companion.core.move import Seat
from companion.core.rules import SeenT
from companion.core.units import MS

if TYPE_CHECKING:
    import random

_KEY_NS: Final = 160 * MS
_TRIES: Final = 200
"""More keys than any move needs."""

_GUESSES: Final = tuple(key for key in KEYS if key != BACK)
"""Deleting keys could go on forever."""


@dataclass(frozen=True)
class Guesser(Generic[SeenT]):
    """Makes any call and any move that keys can make, after a random time between the two.

    The console must know from the view which keys are legal: a move that the rules refuse is not tried again.
    """

    console: Console[SeenT]
    fastest_ms: int = 300
    slowest_ms: int = 2500

    def acts(self, view: SeenT, seat: Seat, luck: "random.Random") -> Sequence[Act]:
        """Return a call, or the keys of a move. The time of the last key does not reveal their number."""
        after_ns = luck.randrange(self.fastest_ms * MS, self.slowest_ms * MS)
        race = self.console.stage(view).race
        if race and seat in race.callers:
            return (Act(after_ns, luck.choice(sorted(race.controls))),)
        keys = self._keys(view, seat, luck)
        step_ns = min(_KEY_NS, after_ns // max(1, len(keys)))
        return [Act(after_ns - step_ns * (len(keys) - place), key) for place, key in enumerate(keys, 1)]

    def _keys(self, view: SeenT, seat: Seat, luck: "random.Random") -> list[str]:
        typed: list[str] = []
        entry = ""
        if not any(self.console.key(view, seat, key, {}).accepted for key in _GUESSES):
            return []  # the usual case, faster than _TRIES keys
        for _ in range(_TRIES):
            key = luck.choice(_GUESSES)
            keyed = self.console.key(view, seat, key, {seat: entry} if entry else {})
            if keyed.accepted:
                typed.append(key)
                entry = keyed.entry
            if keyed.move:
                return typed
        return []
