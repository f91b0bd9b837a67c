"""A second opinion on who was first (docs/fairness.md): no fold, no state, only questions to a list.

Slow on purpose. Whatever is asked ("was it quiet?", "was it released?") is answered by looking at everything that
was heard, again each time.
"""

from typing import NamedTuple

MS = 1_000_000
QUIET_NS = 30 * MS
CONFIRM_NS = 5 * MS


class Heard(NamedTuple):
    """One thing heard of one contact: an edge, or (`reading`) its level as it was read."""

    t_ns: int
    pressed: bool
    u_ns: int = 0
    reading: bool = False


class Pressed(NamedTuple):
    """The contact closed at `t_ns`, give or take `u_ns`."""

    t_ns: int
    u_ns: int


def presses(heard: list[Heard]) -> list[Pressed]:
    """Return the presses of one line, after throwing out one glitch after the other."""
    told = [one for one in heard if not (one.reading and _order_unknown(one, heard))]
    left = sorted(told, key=lambda one: (one.t_ns, one.reading, one))  # a level is what the edges have led to
    while True:
        glitches = [place for place in range(len(left)) if _starts(left, place) and not _confirmed(left, place)]
        if not glitches:
            break
        del left[glitches[0]]
    places = range(len(left))
    by_edge = [Pressed(left[place].t_ns, left[place].u_ns) for place in places if _starts(left, place)]
    by_level = [_between(left, place) for place in places if _only_level_tells(left, place)]
    return sorted(by_edge + by_level)


def _order_unknown(reading: Heard, heard: list[Heard]) -> bool:
    """An edge may have come before this reading or after it, as far as their stamps tell."""
    return any(abs(edge.t_ns - reading.t_ns) < edge.u_ns + reading.u_ns for edge in heard if not edge.reading)


def _starts(left: list[Heard], place: int) -> bool:
    """The first edge, of either polarity, of a line that was released and quiet for 30 ms."""
    if left[place].reading:
        return False
    return _quiet(left, place) and not (left[:place] and left[place - 1].pressed)


def _quiet(left: list[Heard], place: int) -> bool:
    return not any(left[place].t_ns - one.t_ns < QUIET_NS for one in left[:place] if not one.reading)


def _confirmed(left: list[Heard], place: int) -> bool:
    """By its own level, by another edge within 5 ms, or by the next level that is read."""
    edge, later = left[place], left[place + 1 :]
    if edge.pressed or any(one.t_ns - edge.t_ns <= CONFIRM_NS for one in later if not one.reading):
        return True
    return bool(later) and later[0].reading and later[0].pressed


def _only_level_tells(left: list[Heard], place: int) -> bool:
    """Two readings, open and closed, nothing in between, and the contact had time to be armed."""
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
    """Return the seats that may have been as early as any other, or are within the margin of the earliest stamp."""
    return {
        seat
        for seat, (t_ns, u_ns) in calls.items()
        if all(t_ns - u_ns <= other.t_ns + other.u_ns for other in calls.values())
        or all(t_ns - other.t_ns <= tie_margin_ns for other in calls.values())
    }
