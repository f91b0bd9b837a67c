"""Buntherum's robots: they see what their seat sees, need time to decide, and make mistakes."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.console import BUZZ
from companion.core.game import Act, Bot
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.core.units import MS
from companion.games.buntherum.rules import IMPOSSIBLE, SIDES, Phase, Rulings, View, mark

_STEPS: Final = 12
"""By how many steps one side of a walk has to be ahead."""


@dataclass(frozen=True)
class Random:
    """Presses at any time and keys any row."""

    slowest_ms: int = 2500
    fastest_ms: int = 300

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        """Press within the range of times; key a row drawn by lot."""
        after_ns = luck.randrange(self.fastest_ms * MS, self.slowest_ms * MS)
        return _hands(view, seat, after_ns, luck.randrange(SIDES + 1), 500 * MS)


@dataclass(frozen=True)
class Walker:
    """Weighs what it sees until that is enough: a random walk, the discrete form of a drift-diffusion model.

    Source: R. Ratcliff, "A theory of memory retrieval", Psychological Review 85 (1978), 59-108; the walk itself:
    D. R. J. Laming, "Information Theory of Choice-Reaction Times" (1968). Each step of `step_ms` speaks for the
    right row, or, less often, against it; who is `_STEPS` ahead on one side presses. By the gambler's ruin a share
    of `errors` of the walks ends on the wrong side, and these take as long as the others. Seeing the card and
    pressing take `unready_ms` besides: it never presses earlier.
    """

    unready_ms: int
    step_ms: float
    errors: float

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        """Press when the walk has ended, on the right side or on the wrong one."""
        towards = 1 / (1 + (self.errors / (1 - self.errors)) ** (1 / _STEPS))
        sure, steps = 0, 0
        while abs(sure) < _STEPS:
            sure += 1 if luck.random() < towards else -1
            steps += 1
        said = _right(view, luck.sample(range(1, SIDES + 1), SIDES))
        if sure < 0:
            said = _other(said, luck)
        after_ms = self.unready_ms + self.step_ms * (steps - 2 * luck.random())  # walks end at each other step
        return _hands(view, seat, int(after_ms * MS), said, int(luck.uniform(300, 900) * MS))


def _right(view: View, order: Sequence[int]) -> int:
    """Return the first row in this order that takes the card; IMPOSSIBLE where none does."""
    return next((row for row in order if not _clashes(view, row)), IMPOSSIBLE)


def _other(said: int, luck: random.Random) -> int:
    return luck.choice([row for row in range(SIDES + 1) if row != said])


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


def no_robots(_: Rulings, deal: str) -> Text | None:
    """Say why robots cannot play (BH-A28): nobody has told them of a real card when it is called."""
    return msg("Robots cannot see real cards") if deal == "table" else None


BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Walker(unready_ms=1100, step_ms=34.0, errors=1 / 8),
    "middle": Walker(unready_ms=700, step_ms=23.0, errors=1 / 9),
    "strong": Walker(unready_ms=600, step_ms=20.5, errors=1 / 13),
    "random": Random(),
}
