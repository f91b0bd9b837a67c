"""Screens that one goes to from the table's menu or from a pause, and comes back from."""

from collections.abc import Callable
from typing import Any, Protocol

from companion.core.move import Seat
from companion.core.signal import Signal
from companion.display.frame import Screen, Side
from companion.match.services import Premises


class Visit(Protocol):
    """What has the display for itself until it is left."""

    def screen(self) -> Screen:
        """Return what the centre shows."""

    def sides(self) -> tuple[Side, ...] | None:
        """Return what the strips show; None for those of the table."""

    def press(self, place: Seat, control: str) -> bool:
        """Take something that was newly pressed; return False to go back to where one came from."""

    def hear(self, signal: Signal) -> None:
        """Take in everything that devices report, also bounces and releases; presses come by `press` as well."""

    def leave(self) -> None:
        """End: nothing is shown any more."""


class PressesOnly:
    """The rest of a visit that turns pages: what hears nothing but presses, and has nothing to end."""

    def hear(self, signal: Signal) -> None:
        """Let bounces and releases pass."""

    def leave(self) -> None:
        """End: nothing goes on by itself."""


Opener = Callable[[Premises, Any], Visit]
"""Begins a visit; the second argument is the value of the menu's line."""
