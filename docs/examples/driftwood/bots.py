"""Driftwood's robots: one guesses, two know what a find is worth."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.console import BUZZ
from companion.core.game import Act, Bot
from companion.core.move import Seat
from companion.core.units import MS
from companion.games.guesser import Guesser

from . import console
from .rules import Phase, View

TYPED_MS, LOCKED_MS = 1800, 2000  # always the same, so that time does not reveal a throw


@dataclass(frozen=True)
class Planner:
    """Calls finds that are worth something, and throws about half of that in stones.

    `reaction_ms` is the median time to a call.
    """

    reaction_ms: int

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        worth = view.find.worth if view.find else 0
        if view.phase == Phase.BEACH and worth > 0:
            return (Act(int(self.reaction_ms * MS * luck.lognormvariate(0, 0.3)), BUZZ),)
        if view.phase == Phase.ROCKS and not view.locked[seat]:
            wanted = worth // 2 + luck.randint(0, 1) if worth > 0 else 0
            stones = min(view.stones[seat], wanted)
            return Act(TYPED_MS * MS, str(stones)), Act(LOCKED_MS * MS, console.LOCK)
        return ()


BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Guesser(console),
    "middle": Planner(reaction_ms=1200),
    "strong": Planner(reaction_ms=600),
}
