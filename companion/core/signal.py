"""Signals: what devices report. All times are nanoseconds of one monotonic clock."""

from typing import Final, NamedTuple

from companion.core.move import Seat
from companion.core.place import Place

PLUG: Final = "plug"
UNPLUG: Final = "unplug"

LOST: Final = "lost"
"""A seat's device ran out of memory; some presses are lost."""

FLOOD: Final = "flood"
"""A device reports too much: its own control, or a flag of its UNPLUG and PLUG."""

VISIBLE: Final = "visible"
"""The last frame is visible since `t_ns`."""

ASKED: Final = "asked"
"""The screen may change: the club has a request, or phones find the table at a new address."""

NAMED: Final = "named"
"""A phone's player joined, left or chose a name."""

PC: Final = "pc"
"""The source of a PC's keyboard and mouse."""

PEEK: Final = "peek"
"""The control that shows private lines to people who share a PC, while held."""

LEVEL: Final = "level"
"""Flag: a reading of the level, not an edge."""

AWAY: Final = "away"
"""Flag: a level of a contact that was lost until now. If it is closed, the time of closing is unknown."""

MERGED: Final = "merged"
"""Flag: earlier edges were lost; the contact changed within the uncertainty."""

USER_CLOCK: Final = "user_clock"
"""Flag: the timestamp is from a program, not from the kernel."""

DEBOUNCED: Final = "debounced"
"""Flag: the device has debounced this press; other presses are checked for their length."""

REFUSED: Final = "refused"
"""Flag: the device's timestamp is too old or in the future; the time of arrival counts."""

LEVEL_ONLY: Final = "level_only"
"""Flag: the press is known only from level readings; the uncertainty lies between two of them."""


class SeatSignal(NamedTuple):
    """A signal with a seat instead of a place; TABLE for the house."""

    source: str
    seat: Seat
    control: str
    t_ns: int
    uncertainty_ns: int
    received_ns: int
    pressed: bool = True
    flags: tuple[str, ...] = ()


class Signal(NamedTuple):
    """A device's report.

    `place` is HOUSE for the house's controls and the display. `t_ns` is the middle of the interval in which it
    happened, `uncertainty_ns` its half width. `received_ns` is the time of arrival; it is never evidence. `pressed`
    is the level after an edge.
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
        """Return the signal with a seat instead of its place."""
        return SeatSignal(self.source, seat, *self[2:])
