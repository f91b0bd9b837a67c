"""An event: narration that the rules derive from a move. Never persisted, never replayed."""

from typing import Any, Final, NamedTuple

from companion.core.move import TABLE, Seat

SEAT_KEYS: Final = frozenset({"seats", "ranking", "flipper", "source"})
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
    line: dict[str, Any] = {"t_ns": t_ns, "kind": happened.kind}
    if happened.seat is not None:
        line["seat"] = _printed(happened.seat)
    line.update((key, _printed(value) if key in SEAT_KEYS else value) for key, value in happened.data)
    return line


def _printed(seats: Any) -> Any:
    if isinstance(seats, int):
        return 0 if seats == TABLE else seats + 1
    return [_printed(seat) for seat in seats]
