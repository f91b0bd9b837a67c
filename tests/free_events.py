"""Events of kinds that nobody has declared, for games that only tests know."""

from collections import namedtuple
from functools import cache

from companion.core.event import Event
from companion.core.move import Seat

_declared = cache(namedtuple)  # a type takes longer to make than a move


def event(
    kind: str, seat: Seat | None = None, *, seen_by: tuple[Seat, ...] | None = None, **facts: object
) -> Event:
    """Return an event with these facts, in their order."""
    return Event(kind, seat, _declared(kind, tuple(facts))(*facts.values()), seen_by)
