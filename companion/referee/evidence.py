"""What a verdict rests on, as the record keeps it and as it is announced."""

from collections.abc import Iterable

from companion.core.console import Call
from companion.core.event import Event, event
from companion.core.evidence import Evidence
from companion.referee import events
from companion.referee.arbiter import Verdict


def format_evidence(
    t_ns: int, verdict: Verdict | None = None, open_ns: int = 0, early: Iterable[Call] = ()
) -> Evidence:
    """Return the comment of a move made at `t_ns`; with a verdict, of a race that was open since `open_ns`."""
    if verdict is None:
        return Evidence(t_ns)
    return Evidence(t_ns, open_ns, verdict.margin_ns, verdict.calls, tuple(early))


def verdict_event(verdict: Verdict, open_ns: int) -> Event:
    """Return the announcement of a verdict: its seats, all calls, the margin."""
    seats = tuple(call.seat for call in verdict.winners)
    return event(events.Verdict(seats, verdict.margin_ns, open_ns, verdict.calls))
