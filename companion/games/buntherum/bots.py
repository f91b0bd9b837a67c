"""Buntherum's robots. They see only their seat's view, need time to decide, and make mistakes."""

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
"""The lead that ends a walk, in steps."""


@dataclass(frozen=True)
class Random:
    """Presses at a random time and keys a random row."""

    slowest_ms: int = 2500
    fastest_ms: int = 300

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        after_ns = luck.randrange(self.fastest_ms * MS, self.slowest_ms * MS)
        return _hands(view, seat, after_ns, luck.randrange(SIDES + 1), 500 * MS)


@dataclass(frozen=True)
class Walker:
    """Gathers evidence until it is enough: a random walk, the discrete form of a drift-diffusion model.

    Each step of `step_ms` favours the right answer or, less often, a wrong one, until one side leads by `_STEPS`.
    By the gambler's ruin a share of `errors` of the walks ends wrong, and takes as long as the others. Seeing the
    card and pressing add `unready_ms`.

    Sources: R. Ratcliff, "A theory of memory retrieval", Psychological Review 85 (1978), 59-108; for the walk D. R.
    J. Laming, "Information Theory of Choice-Reaction Times" (1968).
    """

    unready_ms: int
    step_ms: float
    errors: float

    def acts(self, view: View, seat: Seat, luck: random.Random) -> Sequence[Act]:
        towards = 1 / (1 + (self.errors / (1 - self.errors)) ** (1 / _STEPS))
        sure, steps = 0, 0
        while abs(sure) < _STEPS:
            sure += 1 if luck.random() < towards else -1
            steps += 1
        said = _right(view, luck.sample(range(1, SIDES + 1), SIDES))
        if sure < 0:
            said = _other(said, luck)
        after_ms = self.unready_ms + self.step_ms * (steps - 2 * luck.random())  # `steps` is always even
        return _hands(view, seat, int(after_ms * MS), said, int(luck.uniform(300, 900) * MS))


def _right(view: View, order: Sequence[int]) -> int:
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
    """Return why robots cannot play: they cannot see real cards (BH-A28)."""
    return msg("Robots cannot see real cards") if deal == "table" else None


BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Walker(unready_ms=1100, step_ms=34.0, errors=1 / 8),
    "middle": Walker(unready_ms=700, step_ms=23.0, errors=1 / 9),
    "strong": Walker(unready_ms=600, step_ms=20.5, errors=1 / 13),
    "random": Random(),
}
