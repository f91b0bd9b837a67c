"""Screens that one goes to from the table's menu or from a pause, and comes back from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.game import Game
from companion.core.move import Seat
from companion.core.signal import Signal
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Screen, Side
from companion.referee.clock import PlanningClock
from companion.settings import Settings
from companion.sounding import Player

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without wires does not import it


@dataclass(frozen=True)
class Premises:
    """What everything at a table has to do with; `player` is the sound card, or a virtual one.

    For a visit `changed` asks for a new picture, when something other than a press has changed what it shows.
    """

    games: Mapping[str, Game]
    settings: Settings
    clock: PlanningClock
    devices: VirtualDevices
    hardware: "Hardware | None"
    player: Player
    changed: Callable[[], None] = lambda: None


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
