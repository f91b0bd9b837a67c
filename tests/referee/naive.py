"""A second opinion on who was first, written from TIMING.md alone: no fold, no state, only questions to a list.

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
    left = sorted(heard)
    while True:
        glitches = [one for one in left if _starts(one, left) and not _confirmed(one, left)]
        if not glitches:
            break
        left.remove(glitches[0])
    by_edge = [Pressed(one.t_ns, one.u_ns) for one in left if _starts(one, left)]
    return sorted(by_edge + _by_level(left))


def _starts(one: Heard, left: list[Heard]) -> bool:
    """The first edge, of either polarity, of a line that was released and quiet for 30 ms."""
    quiet = not any(one.t_ns - QUIET_NS < other.t_ns < one.t_ns for other in left if not other.reading)
    return not one.reading and quiet and not _held_before(one, left)


def _held_before(one: Heard, left: list[Heard]) -> bool:
    earlier = [other for other in left if other.t_ns < one.t_ns]
    return bool(earlier) and max(earlier, key=lambda other: other.t_ns).pressed


def _confirmed(one: Heard, left: list[Heard]) -> bool:
    """By its own level, by another edge within 5 ms, or by the next level that is read."""
    if one.pressed:
        return True
    later = [other for other in left if other.t_ns > one.t_ns]
    if any(not other.reading and other.t_ns - one.t_ns <= CONFIRM_NS for other in later):
        return True
    following = min(later, key=lambda other: other.t_ns, default=one)
    return following.reading and following.pressed


def _by_level(left: list[Heard]) -> list[Pressed]:
    """Presses of which no edge told: two readings, nothing in between, and the contact had time to be armed."""
    found = []
    for one in left:
        earlier = [other for other in left if other.t_ns < one.t_ns]
        if not (one.reading and one.pressed and earlier):
            continue
        before = max(earlier, key=lambda other: other.t_ns)
        last_edge_ns = max((other.t_ns for other in earlier if not other.reading), default=one.t_ns - QUIET_NS)
        if before.reading and not before.pressed and one.t_ns - last_edge_ns >= QUIET_NS:
            half = (one.t_ns - before.t_ns + 1) // 2
            found.append(Pressed((one.t_ns + before.t_ns) // 2, half))
    return found


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
