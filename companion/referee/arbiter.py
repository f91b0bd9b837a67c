"""Who was first? Judged from the stamps and their uncertainties alone, never from the order of arrival."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from companion.core.console import Call

SETTLE_MOST_NS: Final = 60_000_000
"""No verdict waits longer than this after the first call was heard, where no device asks for more."""


class Verdict(NamedTuple):
    """Who was first: one winner, or several that cannot be told apart.

    `calls` are all calls heard, earliest first. `margin_ns` is the distance between the two earliest stamps,
    None with a single call. A call was in time to matter when it may have happened before `limit_ns`.
    """

    winners: tuple[Call, ...]
    calls: tuple[Call, ...]
    margin_ns: int | None
    limit_ns: int


def judge(calls: Iterable[Call], tie_margin_ns: int) -> Verdict:
    """Judge each seat's earliest call. Raise ValueError without a call.

    Everyone is compared with the earliest, not in a chain: a call is in the tie when it may have been as early
    as the one that must have been over first, or when its stamp is within the margin of the earliest stamp.
    """
    ordered = tuple(sorted(calls, key=lambda call: (call.t_ns, call.seat)))
    if not ordered:
        raise ValueError("no call to judge")
    over_ns = min(call.t_ns + call.uncertainty_ns for call in ordered)
    margin_end_ns = ordered[0].t_ns + tie_margin_ns
    winners = tuple(
        call for call in ordered if call.t_ns - call.uncertainty_ns <= over_ns or call.t_ns <= margin_end_ns
    )
    margin_ns = ordered[1].t_ns - ordered[0].t_ns if len(ordered) > 1 else None
    return Verdict(winners, ordered, margin_ns, max(over_ns, margin_end_ns))


def settle_ns(slowest_source_ns: int, tie_margin_ns: int, most_ns: int = SETTLE_MOST_NS) -> int:
    """Return how long to wait after the first call was heard until no call that matters can still be on its way."""
    return min(most_ns, slowest_source_ns + tie_margin_ns)
