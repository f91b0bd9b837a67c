"""The interface of sources, which read buzzers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.core.heartbeat import Heartbeat
from companion.core.place import Place


class Edge(NamedTuple):
    """A change of a contact, at most `uncertainty_ns` before or after `t_ns`."""

    place: Place
    t_ns: int
    uncertainty_ns: int
    pressed: bool
    flags: tuple[str, ...] = ()


OnEdge = Callable[[Edge], None]
"""Accepts an edge from any thread. Does not raise."""

Failed = Callable[[Exception], None]
"""Accepts the error that ended a source, from any thread."""


class Source(ABC):
    """Reads the lines of all buzzers and reports their edges."""

    settle_ns: int
    """How late an edge may be reported without `drain`."""

    heartbeats: tuple[Heartbeat, ...] = ()

    def drain(self) -> None:  # noqa: B027  what reports by itself has nothing to do
        """Report waiting edges. Raise OSError if the lines are gone."""

    @abstractmethod
    def levels(self) -> Mapping[Place, bool]:
        """Return which buttons are pressed now. Raise OSError if the lines are gone."""

    @abstractmethod
    def deafen(self, place: Place) -> None:
        """Stop reading edges of a place. Raise OSError or DeviceError."""

    @abstractmethod
    def listen(self, place: Place) -> None:
        """Read them again. Raise OSError or DeviceError."""

    def check(self) -> None:  # noqa: B027  most tell of their end themselves
        """Raise DeviceError if edges are no longer reported."""

    @abstractmethod
    def close(self) -> None:
        """Release the lines. Nothing is reported afterwards. May be called twice."""
