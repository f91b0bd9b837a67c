"""Robots for clocks and secret numbers. They do not know any questions."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.console import BUZZ
from companion.core.game import Act, Bot
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.core.units import MS
from companion.games.any.console import LOCK, starters
from companion.games.any.rules import Phase, Rulings, View, bid_most

_LOCKED_MS: Final = 2500
"""When a number is locked, so that time tells nothing of it."""


@dataclass(frozen=True)
class Player:
    """Moves within a time on the clock, and bids a random number up to a share of the largest.

    `slowest_ms` limits a turn, as does a tenth of its clock. `percent` is the share.
    """

    slowest_ms: int
    percent: int

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        if view.phase == Phase.SEALED and not view.keyed[seat]:
            keys = f"{self._number(view, seat, luck)}{LOCK}"
            step_ms = _LOCKED_MS // len(keys)
            return [Act((_LOCKED_MS - step_ms * left) * MS, key) for left, key in enumerate(reversed(keys))][::-1]
        if view.phase == Phase.CLOCK and seat == view.caller:
            most_ms = min(self.slowest_ms, view.rest[seat].all_ms // 10)
            return (Act(luck.randint(most_ms // 4, most_ms) * MS, BUZZ),)
        if view.phase == Phase.READY and view.number == 0 and seat in starters(view):
            return (Act(self.slowest_ms // 4 * MS, LOCK),)
        return ()

    def _number(self, view: View, seat: Seat, luck: random.Random) -> int:
        least, most = view.round.least, bid_most(view.round, view.points[seat])
        if view.round.wins == "lowest":
            return luck.randint(least, most - (most - least) * self.percent // 100)
        return luck.randint(least + (most - least) * self.percent // 100, most)


def no_robots(rulings: Rulings, _: str) -> Text | None:
    if rulings.play == "clock" or (rulings.play == "sealed" and rulings.wins not in {"closest", "exact"}):
        return None
    return msg("Robots cannot answer questions. House rules: Clock or Sealed")


BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Player(slowest_ms=20_000, percent=0),
    "middle": Player(slowest_ms=10_000, percent=30),
    "strong": Player(slowest_ms=5_000, percent=60),
    "random": Player(slowest_ms=2_000, percent=0),
}
