"""What one press of a contact looks like: its edges, and how long it bounced."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.core.signal import LEVEL, Signal
from companion.referee.debounce import QUIET_NS, Line

LONG_BOUNCE_NS: Final = 10_000_000
"""A contact that bounces longer is weak: at three times this, one press counts as two."""


class Burst(NamedTuple):
    """The edges of one contact that closes: how many, and how long from the first to the last."""

    edges: int
    bounce_ns: int


def burst_of(heard: Sequence[Signal]) -> Burst | None:
    """Return the first burst of edges of a contact that is a press, None when all are stray."""
    line = Line()
    for signal in heard:
        line.hear(signal)
    presses = [press for press in line.presses() if press.confirmed]
    if not presses:
        return None
    stamps = sorted({signal.t_ns for signal in heard if LEVEL not in signal.flags})
    first = stamps.index(presses[0].t_ns)
    last = next(
        (place for place in range(first, len(stamps) - 1) if stamps[place + 1] - stamps[place] >= QUIET_NS),
        len(stamps) - 1,
    )
    return Burst(last - first + 1, stamps[last] - stamps[first])
