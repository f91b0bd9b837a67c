"""A signal: what a device reports. Every time in it is an integer number of nanoseconds of one monotonic clock."""

from typing import Final, NamedTuple

from companion.core.move import Seat
from companion.core.place import Place

PLUG: Final = "plug"
UNPLUG: Final = "unplug"
"""A device of a seat came back, or was lost."""

LOST: Final = "lost"
"""A device of a seat had no room left: some of what was pressed on it is not known and never will be."""

FLOOD: Final = "flood"
"""A device reports without an end: a control by which it says so itself, and a flag of its UNPLUG and PLUG."""

VISIBLE: Final = "visible"
"""The display has flipped: what it was told to show can be seen since `t_ns`."""

ASKED: Final = "asked"
"""What is shown may be another one now: the table's club asks for something, which the line to it says, or phones
find the table elsewhere."""

NAMED: Final = "named"
"""The player with a phone at a place has changed: they have joined, named themselves, or left."""

PC: Final = "pc"
"""The source of what hands do on a PC: it works the virtual devices."""

PEEK: Final = "peek"
"""The control by which people who share a PC look at their private lines, as long as it is held."""

LEVEL: Final = "level"
"""A flag: the level of a contact was read; this is no edge."""

AWAY: Final = "away"
"""A flag: the level of a contact that was away until now; when it closed, if it is closed, is unknown."""

MERGED: Final = "merged"
"""A flag: edges before this one were lost; the contact changed at some time within the uncertainty."""

USER_CLOCK: Final = "user_clock"
"""A flag: stamped by a program when it came to it, not by the kernel when it happened."""

DEBOUNCED: Final = "debounced"
"""A flag: the device has made sure that this is a press; a contact without it is asked how long it was closed."""

REFUSED: Final = "refused"
"""A flag: its device dates it further back than it may, or ahead. It counts from its arrival."""

LEVEL_ONLY: Final = "level_only"
"""A flag: no edge told of this press, only a level that was read; its uncertainty says between which readings."""


class SeatSignal(NamedTuple):
    """What a match hears of a signal: instead of its place the seat that plays there, or TABLE for the house."""

    source: str
    seat: Seat
    control: str
    t_ns: int
    uncertainty_ns: int
    received_ns: int
    pressed: bool = True
    flags: tuple[str, ...] = ()


class Signal(NamedTuple):
    """What a device reports.

    `place` is where the device is, or HOUSE for the controls of the house and the display. `t_ns` is the
    middle of the interval in which it happened and `uncertainty_ns` its half width; `received_ns` is when the
    report arrived, which is never evidence of anything. `pressed` is the level that came with an edge.
    """

    source: str
    place: Place
    control: str
    t_ns: int
    uncertainty_ns: int
    received_ns: int
    pressed: bool = True
    flags: tuple[str, ...] = ()

    def of(self, seat: Seat) -> SeatSignal:
        """Return it as a signal of the seat that plays at its place."""
        return SeatSignal(self.source, seat, *self[2:])
