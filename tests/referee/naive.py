"""A second opinion on who was first (docs/fairness.md): stateless, and slow on purpose."""

from typing import NamedTuple

MS = 1_000_000
QUIET_NS = 30 * MS
CONFIRM_NS = 5 * MS
CLOSED_NS = 1 * MS


class Heard(NamedTuple):
    """An edge, or with `reading` a level."""

    t_ns: int
    pressed: bool
    u_ns: int = 0
    reading: bool = False


class Pressed(NamedTuple):
    t_ns: int
    u_ns: int


def presses(heard: list[Heard]) -> list[Pressed]:
    """Return the presses of one line without its spikes."""
    left, _ = _without_spikes(heard)
    places = range(len(left))
    by_edge = [Pressed(left[place].t_ns, left[place].u_ns) for place in places if _starts(left, place)]
    by_level = [_between(left, place) for place in places if _only_level_tells(left, place)]
    return sorted(by_edge + by_level)


def spikes(heard: list[Heard]) -> list[Pressed]:
    return sorted(Pressed(spike.t_ns, spike.u_ns) for spike in _without_spikes(heard)[1])


def _without_spikes(heard: list[Heard]) -> tuple[list[Heard], list[Heard]]:
    told = [one for one in heard if not (one.reading and _order_unknown(one, heard))]
    left = sorted(told, key=lambda one: (one.t_ns, one.reading, one))  # a level follows the edges of its instant
    thrown = []
    while True:
        found = [place for place in range(len(left)) if _starts(left, place) and not _closes(left, place)]
        if not found:
            return left, thrown
        spike = found[0]
        thrown.append(left[spike])
        opens = next((place for place in range(spike, len(left)) if not _is_closed(left, place)), len(left) - 1)
        # The edge that opens the contact belongs to the spike; a reading that finds it open does not.
        del left[spike : opens if left[opens].reading else opens + 1]


def _order_unknown(reading: Heard, heard: list[Heard]) -> bool:
    return any(abs(edge.t_ns - reading.t_ns) <= edge.u_ns + reading.u_ns for edge in heard if not edge.reading)


def _starts(left: list[Heard], place: int) -> bool:
    """Return whether this is the first edge, of either polarity, after 30 ms released and quiet."""
    if left[place].reading:
        return False
    return _quiet(left, place) and not (left[:place] and left[place - 1].pressed)


def _quiet(left: list[Heard], place: int) -> bool:
    return not any(left[place].t_ns - one.t_ns < QUIET_NS for one in left[:place] if not one.reading)


def _closes(left: list[Heard], place: int) -> bool:
    """Return whether it is closed for 1 ms of the 5 ms since, or at their end."""
    end_ns = left[place].t_ns + CONFIRM_NS
    during = [at for at in range(place, len(left)) if left[at].t_ns <= end_ns]
    in_all_ns = sum(_stays_closed_until(left, at, end_ns) - left[at].t_ns for at in during if _is_closed(left, at))
    return in_all_ns >= CLOSED_NS or _is_closed(left, during[-1])


def _is_closed(left: list[Heard], place: int) -> bool:
    """Return whether it is closed, or misread before a closed level."""
    after = left[place + 1 : place + 2]
    misread = not left[place].reading and any(one.reading and one.pressed for one in after)
    return left[place].pressed or misread


def _stays_closed_until(left: list[Heard], place: int, end_ns: int) -> int:
    """Return when the known closure ends: at the next signal, or at once before an open level."""
    after = [one for one in left[place + 1 : place + 2] if one.t_ns <= end_ns]
    if any(one.reading and not one.pressed for one in after):
        return left[place].t_ns
    return min([end_ns, *(one.t_ns for one in after)])


def _only_level_tells(left: list[Heard], place: int) -> bool:
    """Return whether a closed reading follows an open one on a quiet line."""
    before = left[:place]
    changed = bool(before) and before[-1].reading and not before[-1].pressed and left[place].pressed
    return left[place].reading and changed and _quiet(left, place)


def _between(left: list[Heard], place: int) -> Pressed:
    opened_ns, closed_ns = left[place - 1].t_ns, left[place].t_ns
    return Pressed((opened_ns + closed_ns) // 2, (closed_ns - opened_ns + 1) // 2)


def first_call(heard: list[Heard], open_ns: int) -> Pressed | None:
    """Return the earliest press that was not surely over before the card became visible."""
    calls = [press for press in presses(heard) if press.t_ns + press.u_ns >= open_ns]
    return min(calls, key=lambda press: press.t_ns, default=None)


def winners(calls: dict[int, Pressed], tie_margin_ns: int) -> set[int]:
    """Return seats as early as any other, or within the margin of the earliest timestamp."""
    return {
        seat
        for seat, (t_ns, u_ns) in calls.items()
        if all(t_ns - u_ns <= other.t_ns + other.u_ns for other in calls.values())
        or all(t_ns - other.t_ns <= tie_margin_ns for other in calls.values())
    }
