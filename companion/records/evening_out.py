"""The handicap that would make a game even, from past matches without one.

In a game of calls it is the difference of median times. A beaten player has not called: they would only have been
later. Kaplan-Meier medians ("Nonparametric estimation from incomplete observations", 1958) take that into account.
Their interval comes from leaving out each tenth of the matches in turn.

In other games it is the difference of final scores. Intervals use Student's t, since the standard error is an
estimate.
"""

import heapq
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Generic, NamedTuple, TypeVar

from companion.core.move import Seat
from companion.core.text import alphabetical
from companion.core.units import MS
from companion.records.facts import Facts
from companion.referee.journal import order

SaidT = TypeVar("SaidT")

LEAST: Final = 10
"""Minimum matches of a player for a proposal."""

NEWEST: Final = 100
"""Newest matches of a player that count, since skill changes."""

_Z: Final = 1.959964


class Proposal(NamedTuple):
    """The handicap that would put a player level with the others, and its 95 % interval.

    All amounts are in the unit of the game's handicaps.
    """

    who: str
    matches: int
    amount: float
    low: float
    high: float


_HALF: Final = 0.5 + 1e-9
"""Half, with room for rounding: the twelfth of 24 calls is the median."""

_Waited = list[int]
"""A seat's wait after each card: twice its nanoseconds, plus one if it never called."""

_Calls = tuple[_Waited, _Waited]
"""One player's waits in a match, and the others'."""


class _Newest(Generic[SaidT]):
    def __init__(self) -> None:
        self._kept: list[tuple[tuple[int, str], int, SaidT]] = []  # a heap, the oldest first
        self._counted = 0

    def count(self, record: str, said: SaidT) -> None:
        self._counted += 1
        heapq.heappush(self._kept, (order(record), self._counted, said))
        if len(self._kept) > NEWEST:
            heapq.heappop(self._kept)

    def said(self) -> list[SaidT]:
        return [said for _, _, said in sorted(self._kept, key=lambda each: each[:2])]


@dataclass
class EveningOut:
    """Each player's newest matches of a game: their calls, or how far behind the others' mean they were."""

    calls: dict[str, _Newest[tuple[Facts, Seat]]] = field(default_factory=lambda: defaultdict(_Newest))
    behind: dict[str, _Newest[float]] = field(default_factory=lambda: defaultdict(_Newest))

    def count(self, facts: Facts, record: str) -> None:
        """Count a finished match of a game with handicaps, if nobody had one."""
        scores = facts.scores
        timed = any(judged.callers for judged in facts.judgements)
        if scores is None or (facts.raced and not timed):
            return
        known = [score for score in scores if score is not None]
        for number, name in facts.people():
            seat = Seat(number)
            if facts.names.count(name) > 1:
                continue  # a player cannot be behind themselves
            if facts.raced:
                self.calls[name].count(record, (facts, seat))
            elif len(known) == len(scores):
                own = known[seat]
                self.behind[name].count(record, (sum(known) - own) / (len(known) - 1) - own)

    def proposals(self) -> tuple[Proposal, ...]:
        """Return a handicap for each player who certainly needs one, most matches first."""
        calls = {name: played.said() for name, played in self.calls.items()}
        behind = {name: played.said() for name, played in self.behind.items()}
        found = [
            _of_calls(name, [_calls(*one) for one in played])
            for name, played in calls.items()
            if len(played) >= LEAST
        ]
        found += [_of_scores(name, played) for name, played in behind.items() if len(played) >= LEAST]
        needed = [proposal for proposal in found if proposal and proposal.low > 0]
        return tuple(sorted(needed, key=lambda proposal: (-proposal.matches, alphabetical(proposal.who))))


def _waited(facts: Facts) -> list[_Waited]:
    """Return each seat's waits for the calls that it could have made, without unreliable timestamps."""
    found: list[_Waited] = [[] for _ in facts.names]
    for judged in facts.judgements:
        times_ns = {call.seat: call.after_ns for call in judged.heard if call.timed}
        if not times_ns:
            continue
        until_ns = max(times_ns.values())
        untimed = {call.seat for call in judged.heard if not call.timed}
        for seat in judged.callers:
            if seat in times_ns:
                found[seat].append(2 * times_ns[seat])
            elif seat not in untimed:
                found[seat].append(2 * until_ns + 1)
    return found


def _calls(facts: Facts, seat: Seat) -> _Calls:
    waited = _waited(facts)
    return waited[seat], [one for other, found in enumerate(waited) if other != seat for one in found]


def _median_ns(waited: Iterable[int]) -> int | None:
    """Return the Kaplan-Meier median of waits; None if too few have called."""
    ordered = sorted(waited)
    silent = 1.0
    for place, one in enumerate(ordered):
        if not one % 2:
            silent *= 1 - 1 / (len(ordered) - place)
            if silent <= _HALF:
                return one // 2
    return None


def _ahead_ms(played: Sequence[_Calls]) -> float | None:
    own, others = (_median_ns(chain.from_iterable(side)) for side in zip(*played, strict=True))
    return None if own is None or others is None else (others - own) / MS


def _of_calls(name: str, played: Sequence[_Calls]) -> Proposal | None:
    ahead, parts = _ahead_ms(played), []
    for left_out in range(LEAST):
        part = _ahead_ms([each for number, each in enumerate(played) if number % LEAST != left_out])
        if ahead is None or part is None:
            return None
        parts.append(part)
    assert ahead is not None
    error = math.sqrt((LEAST - 1) * statistics.pvariance(parts))
    return _proposal(name, len(played), ahead, student(LEAST - 1) * error)


def _of_scores(name: str, behind: Sequence[float]) -> Proposal:
    error = statistics.stdev(behind) / math.sqrt(len(behind))
    return _proposal(name, len(behind), statistics.fmean(behind), student(len(behind) - 1) * error)


def _proposal(name: str, matches: int, amount: float, reach: float) -> Proposal:
    return Proposal(name, matches, amount, amount - reach, amount + reach)


def student(freedom: int) -> float:
    """Return the standard errors to each side of a 95 % interval of a mean.

    Student's t by its series in 1/`freedom`, exact to a thousandth from 9 on.
    """
    z, inverse = _Z, 1 / freedom
    return (
        z
        + inverse * (z**3 + z) / 4
        + inverse**2 * (5 * z**5 + 16 * z**3 + 3 * z) / 96
        + inverse**3 * (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    )
