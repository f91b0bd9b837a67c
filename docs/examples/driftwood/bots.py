"""Driftwood's robots: one that presses anything, one that knows what a find is worth."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.console import BUZZ
from companion.core.game import Act, Bot
from companion.core.guesser import Guesser
from companion.core.move import Seat

from . import console
from .rules import Phase, View

_MS: Final = 1_000_000


@dataclass(frozen=True)
class Planner:
    """Calls what is worth something, and throws about half of that in stones."""

    median_ms: int = 600

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        """Call after a person's reaction time; lock a throw after two seconds."""
        if view.find is None or view.find.worth <= 0 or view.locked[seat]:
            throws = view.phase == Phase.ROCKS and not view.locked[seat]
            return self._throw(0) if throws else ()
        if view.phase == Phase.BEACH:
            return (Act(int(self.median_ms * _MS * luck.lognormvariate(0, 0.3)), BUZZ),)
        return self._throw(min(view.stones[seat], luck.randint(0, 1) + view.find.worth // 2))

    def _throw(self, stones: int) -> Sequence[Act]:
        return Act(1800 * _MS, str(stones)), Act(2000 * _MS, "#")


BOTS: Final[dict[str, Bot]] = {"planner": Planner(), "random": Guesser(console)}
