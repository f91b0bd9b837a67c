"""Events of kinds that nobody has declared, for games that only tests know."""

from dataclasses import make_dataclass
from functools import cache

from companion.core.event import Event, EventFacts
from companion.core.event import event as declared_event
from companion.core.move import Seat
from companion.core.text import Text


@cache
def _declared(kind: str, facts: tuple[str, ...]) -> type[EventFacts]:
    return make_dataclass(kind, facts, bases=(EventFacts,))  # a type takes longer to make than a move


def event(
    kind: str,
    seat: Seat | None = None,
    *,
    seen_by: tuple[Seat, ...] | None = None,
    said: Text | None = None,
    **facts: object,
) -> Event:
    """Return an event with these facts, in their order."""
    return declared_event(_declared(kind, tuple(facts))(*facts.values()), seat, seen_by=seen_by, said=said)
