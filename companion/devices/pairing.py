"""Devices whose units belong to places, such as pods and number pads. A press shows whose a unit is."""

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from companion.core.place import Place
from companion.core.text import Text, msg
from companion.devices.driver import Device, DeviceOptions

START_TO_ASK: Final = msg("Start `companion play --table table.toml`: it asks whose it is")
"""The doctor's remedy for a unit without a place."""

KEPT_PRESSES: Final = 8
"""Presses of a unit that are kept between two looks."""


class UnitPress(NamedTuple):
    t_ns: int
    uncertainty_ns: int


class Unit(NamedTuple):
    """A plugged-in unit with its place, and its first press since it was asked for."""

    identity: str
    place: Place | None
    press: UnitPress | None = None


class Presses:
    """The latest presses of units, noted by the threads of drivers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[str, deque[UnitPress]] = {}

    def note(self, identity: str, t_ns: int, uncertainty_ns: int) -> None:
        with self._lock:
            self._of.setdefault(identity, deque(maxlen=KEPT_PRESSES)).append(UnitPress(t_ns, uncertainty_ns))

    def first(self, identity: str, since_ns: int) -> UnitPress | None:
        with self._lock:
            return min((press for press in self._of.get(identity, ()) if press.t_ns > since_ns), default=None)


class PairedDevice(Device, ABC):
    """A device that asks for the owners of its units. Options in `section` store the answers."""

    section: ClassVar[str]
    whose: ClassVar[Text]
    """The question."""

    @property
    def menu_line(self) -> Text | None:
        """The line of the table's menu that asks all places anew; None if there is none."""
        return None

    @property
    @abstractmethod
    def pairable_places(self) -> Sequence[Place]: ...

    @property
    @abstractmethod
    def places_to_ask(self) -> Sequence[Place]:
        """The places to ask without being told to, since they lack a unit."""

    @abstractmethod
    def units(self, since_ns: int) -> list[Unit]:
        """Return the plugged-in units, each with its first press since `since_ns`."""

    @abstractmethod
    def bind(self, identity: str, place: Place) -> None:
        """Give a unit to a place, replacing another one. Raise DeviceError for an unknown unit."""

    @property
    @abstractmethod
    def paired(self) -> DeviceOptions:
        """The options with the units' places."""

    @abstractmethod
    def press_yours(self, place: Place) -> Text:
        """Return the request to the owner of a place."""

    def listen_to_all(self, *, on: bool) -> None:
        """Start or stop reading units without a place, if a device does not always read them."""

    def remark(self, since_ns: int) -> Text | None:
        """Return why a press since `since_ns` did not count, or why a unit cannot be read."""
        return None
