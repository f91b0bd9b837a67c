"""An event: narration that the rules derive from a move. Never persisted, never replayed."""

from typing import Any, Final, NamedTuple

from companion.core.move import TABLE, Seat
from companion.core.text import Text

SEAT_KEYS: Final = frozenset({"seat", "seats", "ranking", "source"})
"""The keys of an event's data whose numbers are seats; they are printed as 1..5, the TABLE as 0."""


class Event(NamedTuple):
    """Something to show, say or light.

    `seat` is whom it is about, or None. `data` are (key, value) pairs of numbers, words and tuples of them.
    `seen_by` is who may know: None is everybody.
    """

    kind: str
    seat: Seat | None = None
    data: tuple[tuple[str, Any], ...] = ()
    seen_by: tuple[Seat, ...] | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """The data by their keys."""
        return dict(self.data)

    def visible_to(self, audience: Seat | None) -> bool:
        """Tell whether a seat, or everybody (None), may see this event."""
        return self.seen_by is None or audience in self.seen_by


def event(kind: str, seat: Seat | None = None, *, seen_by: tuple[Seat, ...] | None = None, **data: Any) -> Event:
    """Build an event; its data in the order given."""
    return Event(kind, seat, tuple(data.items()), seen_by)


def to_json(t_ns: int, happened: Event) -> dict[str, Any]:
    """Return an event at `t_ns` as a JSON object, its seats counted from 1."""
    line = {"t_ns": t_ns, "kind": happened.kind}
    if happened.seat is not None:
        line["seat"] = _plain("seat", happened.seat)
    return line | {key: _plain(key, value) for key, value in happened.data}


def _plain(key: str, value: Any) -> Any:
    if isinstance(value, Text):
        return str(value)
    if hasattr(value, "_asdict"):
        return {name: _plain(name, part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(key, part) for part in value]
    if key in SEAT_KEYS and isinstance(value, int):
        return 0 if value == TABLE else value + 1
    return value
