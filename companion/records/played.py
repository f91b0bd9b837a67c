"""How long a match was played."""

from itertools import pairwise
from typing import Final

from companion.core.match import Match

BREAK_NS: Final = 600 * 1_000_000_000
"""When nothing is done for longer than this, nobody plays."""

_MINUTE_NS: Final = 60_000_000_000


def played_ns(match: Match) -> int | None:
    """Return how long was played, without breaks; after a restart of the machine its clock begins anew.

    None where the record does not say when its moves were made.
    """
    times_ns = [t_ns for t_ns in (entry.evidence.t_ns for entry in match.entries) if t_ns is not None]
    if len(times_ns) < 2:
        return None
    gaps = (after - before for before, after in pairwise(times_ns))
    return sum(gap for gap in gaps if 0 < gap <= BREAK_NS)


def played_minutes(match: Match) -> int:
    """Return for how many minutes a match was played, the last one begun included; 0 where nothing is known."""
    return -(-(played_ns(match) or 0) // _MINUTE_NS)
