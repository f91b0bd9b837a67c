"""A table's shared services, and what a match asks of its frames."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from companion.config.settings import Settings
from companion.core.clock import PlanningClock
from companion.core.game import Game
from companion.devices.sound import Player
from companion.devices.virtual import VirtualDevices

if TYPE_CHECKING:
    from companion.club.link import ClubLink
    from companion.devices.hardware import Hardware  # a table without real devices does not import it


class Refresh(IntEnum):
    """The update to send: nothing, a frame if it looks different, or a frame that reports when it was seen."""

    NOTHING = 0
    PANELS = 1
    FRAME = 2


@dataclass(frozen=True)
class TableServices:
    """The games, settings and devices of one table.

    `hardware` is None if all devices are virtual. `player` is the sound card or a virtual one, `club` the
    connection to a club, if any.
    """

    games: Mapping[str, Game]
    settings: Settings
    clock: PlanningClock
    devices: VirtualDevices
    hardware: "Hardware | None"
    player: Player
    club: "ClubLink | None" = None
