"""Measures on a real kernel whether short spikes among presses change who gets the call.

Runs in the guest: rig.py --share . -- "cd /share && python -m benchmarks.calls.spikes FIRST END [PRIORITY]". It
runs the rounds FIRST to END-1 of one plan. The right winner follows from the measured times by the tests' naive
implementation. At PRIORITY 80, above the kernel's interrupt threads, the kernel sees a spike as one edge; at 40 it
sees two.
"""

import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.calls.ours import PINS, judge, wiring
from companion.core.record import parse_record
from companion.match.fairness.judge import RECORD, limit_ns
from companion.match.fairness.pairs import CLOSED, MS, OPEN, PairVerdict, assign
from tests.kernel.inside.gpiosim import ABOVE_INTERRUPTS, BELOW_INTERRUPTS, SLEEP_FROM_NS, Chip, Move, Moved, World
from tests.referee import naive

US: Final = 1_000
SOURCE: Final = "gpiod"
UNCERTAINTY_NS: Final = 150 * US

LENGTHS_US: Final = (1, 20, 100, 500)
REST_NS: Final = 45 * MS
LEAD_NS: Final = 15 * MS
HOLD_NS: Final = 12 * MS
LAST_S: Final = 0.3
BATCH: Final = 50

NOBODY: Final = "nobody presses"
OTHER: Final = "the other line"
LATER: Final = "own line, after the press or while it is held"
BOUNCE: Final = "own line, up to 5 ms before: bounce, by the rule"
BEFORE: Final = "own line, longer before"
KINDS: Final = (NOBODY, OTHER, LATER, BOUNCE, BEFORE)


class Round(NamedTuple):
    """Moves of (time, place, level) in order, and the numbers of presses and spikes."""

    kind: str
    moves: tuple[tuple[int, int, int], ...]
    presses: int
    spikes: int


def plan(luck: random.Random, kind: str) -> Round:
    """Return a round. Distances differ from the limits by more than the simulation's error."""
    moves: list[tuple[int, int, int]] = []
    spikes = 0

    def spike(place: int, at_ns: float, closes: int = CLOSED) -> None:
        nonlocal spikes
        for_ns = luck.choice(LENGTHS_US) * US
        moves.extend([(round(at_ns), place, closes), (round(at_ns) + for_ns, place, 1 - closes)])
        spikes += 1

    def press(place: int, at_ns: float) -> None:
        moves.extend([(round(at_ns), place, CLOSED), (round(at_ns) + HOLD_NS, place, OPEN)])

    def near() -> float:
        """Return a distance of 0.05 to 5 ms."""
        return luck.choice((0.05, 0.2, 0.5, 1, 2, 4)) * MS * luck.uniform(1, 1.2)

    first = luck.randrange(2)
    second = 1 - first
    if kind == NOBODY:
        for _ in range(luck.randint(1, 2)):
            spike(luck.randrange(2), luck.choice((0, 2, 12)) * MS + spikes * 700 * US)
    else:
        press(first, 0)
    if kind == OTHER:
        if luck.random() < 0.7:
            spike(second, -near() - 550 * US)
        if not spikes or luck.random() < 0.5:
            spike(second, near())
        if luck.random() < 0.3:
            spike(second, HOLD_NS + near())
    if kind == LATER:
        press(second, luck.uniform(1.4, 4) * MS)
        spike(first, near(), OPEN)
        spike(first, HOLD_NS + 600 * US + near())
    if kind == BOUNCE:
        before_ns = luck.uniform(0.6, 4.4) * MS
        apart_ns = luck.uniform(1.4, 4) * MS
        press(second, apart_ns)
        spike(*luck.choice(((first, -before_ns), (second, apart_ns - before_ns))))
    if kind == BEFORE:
        spike(first, -luck.uniform(5.6, 9) * MS)
        press(second, luck.choice((-1, 1)) * luck.uniform(1.4, 4) * MS)
    return Round(kind, tuple(sorted(moves)), sum(level == OPEN for *_, level in moves) - spikes, spikes)


def world_moves(drawn: Round) -> list[Move]:
    t_ns, *_ = drawn.moves[0]
    waits = [LEAD_NS, *(after[0] - before[0] for before, after in zip(drawn.moves, drawn.moves[1:], strict=False))]
    assert t_ns <= drawn.moves[-1][0]
    return [
        Move(wait_ns, PINS[place], level) for wait_ns, (_, place, level) in zip(waits, drawn.moves, strict=True)
    ]


def plans(rounds: range, luck: random.Random) -> list[tuple[int, Round]]:
    """Return the rounds of the plan; each depends on the earlier ones."""
    drawn = [(number, plan(luck, KINDS[number % len(KINDS)])) for number in range(rounds.stop)]
    return drawn[rounds.start :]


def reported(drawn: Round, moved: Sequence[Moved], *, merging: bool) -> dict[int, list[naive.Heard]]:
    """Return the edges of both lines as they were moved.

    When `merging`, edges of a line without a sleep between them become one, with the last timestamp and level.
    """
    lines: dict[int, list[naive.Heard]] = {0: [], 1: []}
    since: dict[int, int] = {}  # per line, the index of the first edge that the kernel has not seen yet
    slept_ns = moved[0].before_ns
    for (_, place, level), (before_ns, after_ns) in zip(drawn.moves, moved, strict=True):
        if before_ns - slept_ns > SLEEP_FROM_NS:
            since.clear()
        slept_ns = after_ns
        line = lines[place]
        if merging:
            del line[since.setdefault(place, len(line)) :]
        line.append(naive.Heard((before_ns + after_ns) // 2, level == CLOSED, UNCERTAINTY_NS))
    return lines


def owed(lines: dict[int, list[naive.Heard]]) -> set[int]:
    """Return the seats that must win."""
    firsts = {place: found[0] for place, line in lines.items() if (found := naive.presses(line))}
    return naive.winners(firsts, limit_ns(wiring(SOURCE))) if firsts else set()


def measure(
    world: World, folder: Path, rounds: Sequence[tuple[int, Round]], *, merging: bool
) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    with judge(SOURCE, folder) as judging:
        for begins in range(0, len(rounds), BATCH):
            drawn = rounds[begins : begins + BATCH]
            begun, moved = [], []
            for _, one in drawn:
                time.sleep(REST_NS / 1e9)
                judging.reset()
                begun.append(time.monotonic_ns())
                moved.append(world.play(world_moves(one)))
            time.sleep(LAST_S)
            made = [decision for decision in judging.decisions() if decision.t_ns > begun[0]]
            for (number, one), times, decisions in zip(drawn, moved, assign(begun, made), strict=True):
                true = reported(one, times, merging=False)
                seen = reported(one, times, merging=True) if merging else true
                if _count(counts, one.kind, owed(true), owed(seen), decisions):
                    print("round", number, one, true, owed(true), owed(seen), decisions)
                counts[one.kind, "presses"] += one.presses
                counts[one.kind, "spikes"] += one.spikes
            print(
                begins + len(drawn), sum(counts[kind, "wrong"] + counts[kind, "lost"] for kind in KINDS), flush=True
            )
    record = parse_record((folder / RECORD).read_text())
    counts["", "told"] = sum(len(entry.evidence.spikes) for entry in record.entries)
    return counts


def _count(
    counts: Counter[tuple[str, str]], kind: str, wanted: set[int], seen: set[int], made: Sequence[PairVerdict]
) -> bool:
    """Count a round. Return True if the verdict differs from an expectation."""
    counts[kind, "rounds"] += 1
    found = [set(decision.seats) for decision in made]
    right, as_seen = (found == ([seats] if seats else []) for seats in (wanted, seen))
    counts[kind, "unlike what was seen"] += not as_seen
    if not right:
        counts[kind, "wrong" if made or not wanted else "lost"] += 1
    return not (right and as_seen)


def seen(world: World) -> dict[int, Counter[int]]:
    """Return the number of reported edges by pulse length in microseconds."""
    from companion.core.clock import MonotonicClock  # noqa: PLC0415
    from companion.core.inbox import Inbox  # noqa: PLC0415
    from companion.devices.hardware import Hardware  # noqa: PLC0415

    found: dict[int, Counter[int]] = {}
    inbox = Inbox()
    with Hardware(wiring(SOURCE), inbox, MonotonicClock()):
        for for_us in LENGTHS_US:
            found[for_us] = Counter()
            for _ in range(20):
                before = len(inbox.waiting())
                times = world.play([Move(5 * MS, PINS[0], CLOSED), Move(for_us * US, PINS[0], OPEN)])
                time.sleep(0.02)
                edges = len(inbox.waiting()) - before
                found[for_us][edges] += 1
            print(f"{for_us} us: lasted {(times[1][0] - times[0][0]) / US:.0f} us, edges: {dict(found[for_us])}")
    return found


def table(counts: Counter[tuple[str, str]]) -> str:
    columns = ("rounds", "presses", "spikes", "wrong", "lost", "unlike what was seen")
    lines = [f"| spikes on | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for kind in KINDS:
        lines.append(f"| {kind} | {' | '.join(str(counts[kind, column]) for column in columns)} |")
    totals = [str(sum(counts[kind, column] for kind in KINDS)) for column in columns]
    return "\n".join([*lines, f"| all | {' | '.join(totals)} |"])


def main(rounds: range, priority: int = BELOW_INTERRUPTS) -> None:
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)
    os.environ["LG_WD"] = str(folder)
    drawn = plans(rounds, random.Random(f"spikes {priority}"))
    with World(Chip(), priority=priority) as world:
        seen(world)
        counts = measure(world, folder, drawn, merging=priority == ABOVE_INTERRUPTS)
    print(table(counts))
    print("told in the evidence:", counts["", "told"])


if __name__ == "__main__":
    first, end, *priorities = map(int, sys.argv[1:])
    main(range(first, end), *priorities)
