"""From the edges of a bouncing contact to presses, without ever moving the stamp of the first edge.

A press is the first edge, of either polarity, of a line that was released and quiet. What follows is bounce.
The edges are kept sorted by their stamps, so the order in which they arrive cannot change anything.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.core.signal import AWAY, LEVEL, LEVEL_ONLY, USER_CLOCK, Signal

QUIET_NS: Final = 30_000_000
"""A line is armed again when it was released and had no edge for this long."""

CONFIRM_NS: Final = 5_000_000
"""An edge that says "released" is a press only if another edge follows this soon, or the level proves it."""


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
        self._heard: list[Signal] = []
        self._before = _Contact()

    def hear(self, signal: Signal) -> None:
        """Take in an edge, or a level reading (flag LEVEL). Hearing a signal twice changes nothing."""
        if signal not in self._heard:
            insort(self._heard, signal, key=_order)

    def presses(self) -> list[Press]:
        """Return the presses that are not yet forgotten, by their stamps."""
        return _walk(self._heard, len(self._heard), self._before)[0]

    def forget(self, before_ns: int) -> None:
        """Drop what was heard before a moment; what it says of the contact is kept."""
        old = bisect_left(self._heard, before_ns, key=_stamp)
        self._before = _walk(self._heard, old, self._before)[1]
        del self._heard[:old]


def _stamp(signal: Signal) -> int:
    """Return when the contact was as the signal says: a program that comes late stamps what it reads then."""
    return signal.t_ns + signal.uncertainty_ns if USER_CLOCK in signal.flags else signal.t_ns


def _order(signal: Signal) -> tuple[int, bool, bool, int]:
    return _stamp(signal), LEVEL in signal.flags, signal.pressed, signal.uncertainty_ns


def _walk(heard: Sequence[Signal], stop: int, contact: _Contact) -> tuple[list[Press], _Contact]:
    presses: list[Press] = []
    for place, signal in enumerate(heard[:stop]):
        quiet = contact.edge_ns is None or _stamp(signal) - contact.edge_ns >= QUIET_NS
        if LEVEL in signal.flags:
            changed = signal.pressed and not contact.pressed and AWAY not in signal.flags
            if changed and quiet and contact.released_ns is not None:
                presses.append(_between(contact.released_ns, signal.t_ns))
            released_ns = None if signal.pressed else signal.t_ns
            contact = _Contact(signal.pressed, contact.edge_ns, released_ns)
            continue
        if quiet and not contact.pressed:
            proof = _proof(signal, heard[place + 1 :])
            if proof is not False:
                presses.append(Press(signal.t_ns, signal.uncertainty_ns, proof is True, signal.flags))
            if proof is not True:
                continue  # a stray edge that nothing proves leaves the line as it was
        contact = _Contact(signal.pressed, _stamp(signal))
    return presses, contact


def _proof(edge: Signal, later: Sequence[Signal]) -> bool | None:
    """Tell whether an edge is a press; None while that is open."""
    if edge.pressed:
        return True
    for place, signal in enumerate(later):
        soon = _stamp(signal) - _stamp(edge) <= CONFIRM_NS
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
