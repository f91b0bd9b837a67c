"""Events of kinds that nobody has declared, for games that only tests know."""

from collections import namedtuple

from companion.core.event import Event
from companion.core.move import Seat


def event(
    kind: str, seat: Seat | None = None, *, seen_by: tuple[Seat, ...] | None = None, **facts: object
) -> Event:
    """Return an event with these facts, in their order."""
    return Event(kind, seat, namedtuple(kind, facts)(*facts.values()), seen_by)
