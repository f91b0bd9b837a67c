"""Buntherum's robots: they see what their seat sees, need time to react, and make mistakes."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.console import BUZZ
from companion.core.game import Act, Bot
from companion.core.move import Seat
from companion.games.buntherum.rules import IMPOSSIBLE, SIDES, Phase, View, mark

_MS: Final = 1_000_000


@dataclass(frozen=True)
class Random:
    """Presses at any time and keys any row."""

    slowest_ms: int = 2500
    fastest_ms: int = 300

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        """Press within the range of times; key a row drawn by lot."""
        after_ns = luck.randrange(self.fastest_ms * _MS, self.slowest_ms * _MS)
        return _hands(view, seat, after_ns, luck.randrange(SIDES + 1), 500 * _MS)


@dataclass(frozen=True)
class Human:
    """Looks at the rows one after the other, as people do; `errors` is the share of wrong calls.

    `first_ms` is the median time to see the card and the first row, `row_ms` that for each further row.
    """

    first_ms: int
    row_ms: int
    errors: float
    spread: float = 0.35

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        """Press when a fitting row was found, or all were looked at; sometimes misjudge it."""
        order = luck.sample(range(1, SIDES + 1), SIDES)
        fitting = [row for row in order if not _clashes(view, row)]
        looked = order.index(fitting[0]) if fitting else SIDES
        said = fitting[0] if fitting else IMPOSSIBLE
        if luck.random() < self.errors:
            said = luck.choice([row for row in range(SIDES + 1) if row != said])
        median_ms = self.first_ms + self.row_ms * looked
        after_ns = int(median_ms * _MS * luck.lognormvariate(0, self.spread))
        return _hands(view, seat, after_ns, said, int(luck.uniform(300, 900) * _MS))


def _hands(view: View, seat: Seat, after_ns: int, said: int, key_ns: int) -> Sequence[Act]:
    if view.phase == Phase.OPEN and seat in view.callers:
        return (Act(after_ns, str(said) if view.rulings.call_input == "direct" else BUZZ),)
    if view.phase == Phase.LOCKED and seat == view.caller:
        return (Act(key_ns, str(said)),)
    return ()


def _clashes(view: View, row: int) -> bool:
    shown = view.rows[row - 1]
    if view.rulings.printed_counts:
        shown = (*shown, view.box.printed[row - 1])
    return any(mark(view.box, card) & mark(view.box, view.card) for card in shown)


BOTS: Final[dict[str, Bot[View]]] = {
    "random": Random(),
    "human-slow": Human(first_ms=830, row_ms=250, errors=0.09),
    "human": Human(first_ms=750, row_ms=220, errors=0.06),
    "human-quick": Human(first_ms=690, row_ms=200, errors=0.04),
    "planner": Human(first_ms=900, row_ms=250, errors=0.0),
}
