"""Makes pairs of presses and lets a program judge them."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

from companion.match.fairness.pairs import LEAD_NS, REST_NS, Pair, PairVerdict, Truth, assign, plan, row, truth

WARM_UP: Final = (5.0,) * 3
"""Pairs that do not count: they load everything."""

LAST_S: Final = 0.3
"""Longer than the slowest verdict takes."""


class JudgesPairs(Protocol):
    """A program that judges pairs."""

    def reset(self) -> None:
        """Prepare for the next pair."""

    def decisions(self) -> list[PairVerdict]: ...


def rows(
    judging: JudgesPairs,
    play: Callable[[Pair], Sequence[tuple[int, int]]],
    luck: random.Random,
    distances_ms: Iterable[float],
    *,
    bounce: bool,
    limit_ns: int | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> list[dict[str, Any]]:
    """Judge a pair of each distance. `play` makes its moves and returns the times before and after each."""
    pairs = [plan(luck, distance_ms, bounce=bounce) for distance_ms in distances_ms]
    truths: list[Truth] = []
    for pair in pairs:
        sleep(REST_NS / 1e9)
        judging.reset()
        truths.append(truth(pair, play(pair)))
    sleep(LAST_S)
    began_ns = truths[0].press_ns - LEAD_NS[0]
    decisions = [decision for decision in judging.decisions() if decision.t_ns > began_ns]
    made = assign([true.press_ns for true in truths], decisions)
    return [row(pair, true, each, limit_ns) for pair, true, each in zip(pairs, truths, made, strict=True)]
