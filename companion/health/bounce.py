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


def spikes_of(heard: Sequence[Signal]) -> int:
    """Return how often a contact was touched too shortly for a press."""
    return len(_line(heard).spikes())


def burst_of(heard: Sequence[Signal]) -> Burst | None:
    """Return the first burst of edges of a contact that is a press, None when there is none."""
    presses = _line(heard).presses()
    if not presses:
        return None
    stamps = sorted({signal.t_ns for signal in heard if LEVEL not in signal.flags})
    first = stamps.index(presses[0].t_ns)
    last = next(
        (place for place in range(first, len(stamps) - 1) if stamps[place + 1] - stamps[place] >= QUIET_NS),
        len(stamps) - 1,
    )
    return Burst(last - first + 1, stamps[last] - stamps[first])


def _line(heard: Sequence[Signal]) -> Line:
    line = Line()
    for signal in heard:
        line.hear(signal)
    return line
