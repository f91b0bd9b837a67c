"""A pair of presses: its plan, the measured truth and the verdict."""

import random
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

MS: Final = 1_000_000

CLOSED, OPEN = 0, 1

DISTANCES_MS: Final = (0.05, 0.1, 0.5, 1, 2, 5)
"""The first press's minimum lead."""

STRETCH: Final = (1.03, 1.10)
"""A random factor for each distance, so that none repeats or equals a limit."""

BOUNCE_MOST_NS: Final = 6 * MS
"""A contact is at rest after this time."""

GAP_NS: Final = (350_000, 1 * MS)
"""The time between bounces. Shorter gaps would leave others no time on the only processor."""

REST_NS: Final = 30 * MS
"""The time from the release to the next reset."""

LEAD_NS: Final = (40 * MS, 55 * MS)
"""The time to the first press: random, to be out of step with programs that poll."""

HOLD_NS: Final = 75 * MS
"""Longer than any debounce here, shorter than most people's presses."""


class ContactEdge(NamedTuple):
    t_ns: int
    place: int
    level: int


class Pair(NamedTuple):
    """A pair of presses: its first seat, moves of (wait, place, level), and the first contacts' indices."""

    distance_ms: float
    first: int
    moves: tuple[tuple[int, int, int], ...]
    contacts: tuple[int, int]


class Truth(NamedTuple):
    """The first press and bounds of the distance, as measured."""

    press_ns: int
    least_ns: int
    most_ns: int


class PairVerdict(NamedTuple):
    """A verdict, and its time; several seats if they tied."""

    seats: tuple[int, ...]
    t_ns: int
    spans_ns: Mapping[str, int] = {}


def plan(luck: random.Random, distance_ms: float, *, bounce: bool) -> Pair:
    first = luck.randrange(2)
    apart_ns = round(distance_ms * MS * luck.uniform(*STRETCH))
    pressed = _contacts(luck, {first: 0, 1 - first: apart_ns}, CLOSED, bounce=bounce)
    released_ns = apart_ns + HOLD_NS
    released = _contacts(
        luck, {place: released_ns + luck.randrange(2 * MS) for place in range(2)}, OPEN, bounce=bounce
    )
    edges = sorted([*pressed, *released])
    lead_ns = round(luck.uniform(*LEAD_NS))
    times_ns = [-lead_ns, *(edge.t_ns for edge in edges)]
    waits_ns = [after - before for before, after in pairwise(times_ns)]
    moves = tuple((wait_ns, edge.place, edge.level) for wait_ns, edge in zip(waits_ns, edges, strict=True))
    second = next(at for at, edge in enumerate(edges) if edge.place != first)
    return Pair(distance_ms, first, moves, (0, second))


def _contacts(luck: random.Random, starts_ns: Mapping[int, int], level: int, *, bounce: bool) -> list[ContactEdge]:
    edges = [ContactEdge(t_ns, place, level) for place, t_ns in starts_ns.items()]
    if not bounce:
        return edges
    # Two gaps are left for the last edge of each, so that both are at rest in time.
    ends_ns = {place: t_ns + luck.randrange(BOUNCE_MOST_NS - 2 * GAP_NS[1]) for place, t_ns in starts_ns.items()}
    levels = dict.fromkeys(starts_ns, level)
    t_ns = min(starts_ns.values())
    while any(found != level for found in levels.values()) or t_ns < max(ends_ns.values()):
        t_ns += luck.randrange(*GAP_NS)
        if any(abs(t_ns - start_ns) < GAP_NS[0] for start_ns in starts_ns.values()):
            continue
        moving = [place for place, start_ns in starts_ns.items() if start_ns < t_ns < ends_ns[place]]
        unrest = [place for place, found in levels.items() if found != level and t_ns >= ends_ns[place]]
        if unrest or moving:
            place = luck.choice(unrest or moving)
            levels[place] = 1 - levels[place]
            edges.append(ContactEdge(t_ns, place, levels[place]))
    return edges


def truth(pair: Pair, moved: Sequence[tuple[int, int]]) -> Truth:
    first, second = (moved[at] for at in pair.contacts)
    return Truth(first[0], second[0] - first[1], second[1] - first[0])


def expected(true: Truth, limit_ns: int) -> str:
    """Return the right verdict: `first`, `tie`, or `either`."""
    if true.least_ns > limit_ns:
        return "first"
    return "tie" if true.most_ns < limit_ns else "either"


def found(pair: Pair, decision: PairVerdict | None) -> str:
    """Return `first` (right), `wrong`, `tie` or `missed`."""
    if decision is None:
        return "missed"
    if len(decision.seats) > 1:
        return "tie"
    return "first" if decision.seats == (pair.first,) else "wrong"


def fails(wanted: str, was: str) -> bool:
    return was not in ({"first", "tie"} if wanted == "either" else {wanted})


def assign(presses_ns: Sequence[int], decisions: Iterable[PairVerdict]) -> list[list[PairVerdict]]:
    """Return the decisions after each press, before the next one."""
    assigned: list[list[PairVerdict]] = [[] for _ in presses_ns]
    for decision in decisions:
        at = bisect_right(presses_ns, decision.t_ns) - 1
        if at < 0:
            raise ValueError(f"a decision {presses_ns[0] - decision.t_ns} ns before the first press")
        assigned[at].append(decision)
    return assigned


def row(pair: Pair, true: Truth, decisions: Sequence[PairVerdict], limit_ns: int | None) -> dict[str, Any]:
    decision = decisions[0] if decisions else None
    was = found(pair, decision)
    kept: dict[str, Any] = {"distance_ms": pair.distance_ms, **true._asdict(), "found": was}
    if limit_ns is not None:
        wanted = expected(true, limit_ns)
        kept |= {"expected": wanted, "failed": fails(wanted, was)}
    if len(decisions) > 1:
        kept["more"] = [list(more.seats) for more in decisions[1:]]
    if decision:
        kept |= {"first": pair.first, "seats": list(decision.seats), "late_ns": decision.t_ns - true.press_ns}
        kept |= {name: value for name, value in decision.spans_ns.items() if name != "lamp_at_ns"}
        if "lamp_at_ns" in decision.spans_ns:
            kept["press_to_lamp_ns"] = decision.spans_ns["lamp_at_ns"] - true.press_ns
    return kept
