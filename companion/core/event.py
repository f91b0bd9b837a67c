"""An event: narration that the rules derive from a move. Never persisted, never replayed.

A kind of events is a NamedTuple of its facts, declared once, beside the rules or the referee that tell it: a fact
that is missing or unknown is an error where the event is made.
"""

import re
from collections.abc import Callable, Hashable
from functools import cache
from typing import Final, NamedTuple

from companion.core.move import TABLE, Seat
from companion.core.text import Text

SEAT_KEYS: Final = frozenset({"seat", "seats", "ranking", "source"})
"""The facts whose numbers are seats; they are printed as 1..5, the TABLE as 0."""

REVEAL: Final = "reveal"
"""The kind of event by which a game tells what was secret."""


class NoFacts(NamedTuple):
    """Nothing but the kind of an event has to be told."""


class Event(NamedTuple):
    """Something to show, say or light; `data` are its facts.

    `seat` is whom it is about, or None. `seen_by` is who may know: None is everybody. Where its facts are not how
    people speak, `said` is its sentence.
    """

    kind: str
    seat: Seat | None = None
    data: NamedTuple = NoFacts()
    seen_by: tuple[Seat, ...] | None = None
    said: Text | None = None

    @property
    def facts(self) -> dict[str, object]:
        """The facts by their names, without those that may be missing and are None."""
        usual = self.data._field_defaults
        facts = self.data._asdict().items()
        return {name: fact for name, fact in facts if fact is not None or usual.get(name, "") is not None}

    def visible_to(self, audience: Seat | None) -> bool:
        """Tell whether a seat, or everybody (None), may see this event."""
        return self.seen_by is None or audience in self.seen_by


def event(
    what: NamedTuple,
    seat: Seat | None = None,
    *,
    seen_by: tuple[Seat, ...] | None = None,
    said: Text | None = None,
) -> Event:
    """Return the event that has these facts."""
    return Event(_kind_of(type(what)), seat, what, seen_by, said)


@cache
def kept_event(kind: Callable[..., NamedTuple], seat: Seat | None, *facts: Hashable) -> Event:
    """Return an event that comes again and again with few different facts: it is made once."""
    return event(kind(*facts), seat)


@cache
def _kind_of(declared: type) -> str:
    """Return the name of a kind: `false_start` for FalseStart."""
    return re.sub(r"(?<=.)(?=[A-Z])", "_", declared.__name__).lower()


def to_json(t_ns: int, happened: Event) -> dict[str, object]:
    """Return an event at `t_ns` as a JSON object, its seats counted from 1."""
    line: dict[str, object] = {"t_ns": t_ns, "kind": happened.kind}
    if happened.seat is not None:
        line["seat"] = _plain("seat", happened.seat)
    return line | {key: _plain(key, value) for key, value in happened.facts.items()}


def _plain(key: str, value: object) -> object:
    if isinstance(value, Text):
        return str(value)
    if hasattr(value, "_asdict"):
        return {name: _plain(name, part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(key, part) for part in value]
    if key in SEAT_KEYS and isinstance(value, int):
        return 0 if value == TABLE else value + 1
    return value
