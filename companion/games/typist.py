"""Makes a robot from a policy by typing the keys of its moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from companion.core.console import Console
from companion.core.game import Act, Decider
from companion.core.move import Move, Seat, SecretMove
from companion.core.rules import SeenT
from companion.core.units import MS

if TYPE_CHECKING:
    import random


@dataclass(frozen=True)
class Typist(Generic[SeenT]):
    """Thinks for `think_ms` to twice that, then types a key every `key_ms`.

    Secrets are typed while it thinks, so that the time of the last key does not reveal their number.
    """

    decider: Decider[SeenT]
    console: Console[SeenT]
    think_ms: int = 900
    key_ms: int = 160

    def decide(self, view: SeenT, seat: Seat, luck: "random.Random") -> Move | None:
        return self.decider.decide(view, seat, luck)

    def acts(self, view: SeenT, seat: Seat, luck: "random.Random") -> Sequence[Act]:
        """Return the keys of the move. Raise ValueError if the console does not have keys for it."""
        move = self.decider.decide(view, seat, luck)
        if move is None:
            return ()
        keys = self.console.keys_for(view, move)
        if not keys:
            raise ValueError(f"the console has no keys for {move!r}")
        thought_ns, key_ns = int(self.think_ms * MS * luck.uniform(1, 2)), self.key_ms * MS
        first_ns = thought_ns
        if isinstance(move, SecretMove):
            key_ns = min(key_ns, thought_ns // len(keys))
            first_ns -= (len(keys) - 1) * key_ns
        return [Act(first_ns + place * key_ns, key) for place, key in enumerate(keys)]
