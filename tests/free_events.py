"""Undeclared kinds of events for games in tests."""

from functools import cache

from companion.core.event import Event, EventFacts
from companion.core.event import event as declared_event
from companion.core.move import Seat
from companion.core.text import Text


@cache
def _declared(kind: str, facts: tuple[str, ...]) -> type[EventFacts]:
    # Creating a type takes longer than a move.
    return type(kind, (EventFacts,), {"__annotations__": dict.fromkeys(facts, object)})


def event(
    kind: str,
    seat: Seat | None = None,
    *,
    seen_by: tuple[Seat, ...] | None = None,
    said: Text | None = None,
    **facts: object,
) -> Event:
    return declared_event(_declared(kind, tuple(facts))(*facts.values()), seat, seen_by=seen_by, said=said)
