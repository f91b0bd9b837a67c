"""A robot that decides gets hands: it types the keys of its moves, as a person does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.core.console import Console
from companion.core.game import Act, Decider
from companion.core.move import Move, Seat
from companion.core.rules import View

if TYPE_CHECKING:
    import random

_MS: Final = 1_000_000


@dataclass(frozen=True)
class Typist:
    """Thinks for `think_ms` at least, up to twice as long, and then types a key each `key_ms`."""

    decider: Decider
    console: Console
    think_ms: int = 900
    key_ms: int = 160

    def decide(self, view: View, seat: Seat, luck: "random.Random") -> Move | None:
        """Return what the decider decides."""
        return self.decider.decide(view, seat, luck)

    def acts(self, view: View, seat: Seat, luck: "random.Random") -> Sequence[Act]:
        """Return the keys of the move decided on. Raise ValueError when the console has no keys for it."""
        move = self.decider.decide(view, seat, luck)
        if move is None:
            return ()
        keys = self.console.keys_for(view, move)
        if not keys:
            raise ValueError(f"the console has no keys for {move!r}")
        first_ns = int(self.think_ms * _MS * luck.uniform(1, 2))
        return [Act(first_ns + place * self.key_ms * _MS, key) for place, key in enumerate(keys)]
