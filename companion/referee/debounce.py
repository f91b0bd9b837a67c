"""From the edges of a bouncing contact to presses, without ever moving the stamp of the first edge.

A press is the first edge, of either polarity, of a line that was released and quiet. What follows is bounce.
The edges are kept sorted by their stamps, so the order in which they arrive cannot change anything.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.core.signal import AWAY, LEVEL, LEVEL_ONLY, SeatSignal, Signal

Heard = Signal | SeatSignal
"""What a line hears: whose contact it is does not matter to it."""

QUIET_NS: Final = 30_000_000
"""A line is armed again when it was released and had no edge for this long."""

CONFIRM_NS: Final = 5_000_000
"""An edge that says "released" is a press only if another edge follows this soon, or the level proves it."""

_TAP_NS: Final = 1_000_000_000
"""How long what a contact did is kept where nobody has to be first."""


class Press(NamedTuple):
    """A contact that closed: the stamp of its first edge, and whether more than a single stray edge proves it."""

    t_ns: int
    uncertainty_ns: int
    confirmed: bool
    flags: tuple[str, ...] = ()


class _Contact(NamedTuple):
    """What is known of a line at some point: `released_ns` is when its level was last read as released, if
    nothing was heard since."""

    pressed: bool = False
    edge_ns: int | None = None
    released_ns: int | None = None


class Line:
    """One buzzer's contact: hears edges and level readings, tells presses."""

    def __init__(self) -> None:
        self._heard: list[Heard] = []
        self._before = _Contact()
        self._presses: list[Press] | None = []  # what `_heard` amounts to; None when that has to be found out

    def hear(self, signal: Heard) -> None:
        """Note an edge, or a level reading (flag LEVEL). Hearing a signal twice changes nothing."""
        place = bisect_left(self._heard, _order(signal), key=_order)
        same = self._heard[place : bisect_right(self._heard, _order(signal), key=_order)]
        if signal not in same:
            self._heard.insert(place, signal)
            self._presses = None

    def presses(self) -> list[Press]:
        """Return the presses that are not yet forgotten, by their stamps."""
        if self._presses is None:
            heard = _sure(self._heard)
            self._presses = _walk(heard, len(heard), self._before)[0]
        return self._presses

    def forget(self, before_ns: int) -> None:
        """Drop what was heard before a moment; what it says of the contact is kept."""
        if not self._heard or self._heard[0].t_ns >= before_ns:
            return
        self._heard = _sure(self._heard)
        old = bisect_left(self._heard, before_ns, key=_stamp)
        self._before = _walk(self._heard, old, self._before)[1]
        del self._heard[:old]
        self._presses = None


class Taps:
    """One contact where only that it was pressed matters, as in a menu: each press is told once."""

    def __init__(self) -> None:
        self._line = Line()
        self._told_ns = -1

    def hear(self, signal: Heard) -> bool:
        """Note a signal in the order of arrival; tell whether it was newly pressed."""
        self._line.forget(signal.received_ns - _TAP_NS)
        self._line.hear(signal)
        new = [press for press in self._line.presses() if press.confirmed and press.t_ns > self._told_ns]
        if new:
            self._told_ns = new[-1].t_ns
        return bool(new)


def _stamp(signal: Heard) -> int:
    return signal.t_ns


def _order(signal: Heard) -> tuple[int, bool, bool, int]:
    return signal.t_ns, LEVEL in signal.flags, signal.pressed, signal.uncertainty_ns


def _walk(heard: Sequence[Heard], stop: int, contact: _Contact) -> tuple[list[Press], _Contact]:
    presses: list[Press] = []
    for place, signal in enumerate(heard[:stop]):
        quiet = contact.edge_ns is None or signal.t_ns - contact.edge_ns >= QUIET_NS
        if LEVEL in signal.flags:
            changed = signal.pressed and not contact.pressed and AWAY not in signal.flags
            if changed and quiet and contact.released_ns is not None:
                presses.append(_between(contact.released_ns, signal.t_ns + signal.uncertainty_ns))
            released_ns = None if signal.pressed else signal.t_ns - signal.uncertainty_ns
            contact = _Contact(signal.pressed, contact.edge_ns, released_ns)
            continue
        if quiet and not contact.pressed:
            proof = _proof(signal, heard[place + 1 :])
            if proof is not False:
                presses.append(Press(signal.t_ns, signal.uncertainty_ns, proof is True, signal.flags))
            if proof is not True:
                continue  # a stray edge that nothing proves leaves the line as it was
        contact = _Contact(signal.pressed, signal.t_ns)
    return presses, contact


def _sure(heard: list[Heard]) -> list[Heard]:
    """Leave out each level that was read so close to an edge that nobody knows which of both was first."""
    edges = [signal for signal in heard if LEVEL not in signal.flags]
    if not edges or len(edges) == len(heard):
        return heard
    widest_ns = max(edge.uncertainty_ns for edge in edges)
    return [signal for signal in heard if LEVEL not in signal.flags or not _near(edges, signal, widest_ns)]


def _near(edges: Sequence[Heard], level: Heard, widest_ns: int) -> bool:
    """Tell whether an edge may have come before a level as well as after it; none is less sure than `widest_ns`."""
    reach_ns = level.uncertainty_ns + widest_ns
    first = bisect_right(edges, level.t_ns - reach_ns, key=_stamp)
    last = bisect_left(edges, level.t_ns + reach_ns, key=_stamp)
    return any(
        abs(edge.t_ns - level.t_ns) < edge.uncertainty_ns + level.uncertainty_ns for edge in edges[first:last]
    )


def _proof(edge: Heard, later: Sequence[Heard]) -> bool | None:
    """Tell whether an edge is a press; None while that is open."""
    if edge.pressed:
        return True
    for place, signal in enumerate(later):
        soon = signal.t_ns - edge.t_ns <= CONFIRM_NS
        if LEVEL not in signal.flags:
            return soon
        if place == 0 and signal.pressed:
            return True  # nothing else happened in between: the contact has been closed since that edge
        if not soon:
            return False
    return None


def _between(earliest_ns: int, latest_ns: int) -> Press:
    middle_ns = (earliest_ns + latest_ns) // 2
    return Press(middle_ns, latest_ns - middle_ns, True, (LEVEL_ONLY,))
