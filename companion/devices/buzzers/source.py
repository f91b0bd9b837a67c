"""Sources, which read buzzers: their base class, and the edges that they report."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.core.heartbeat import Heartbeat
from companion.core.place import Place


class Edge(NamedTuple):
    """A change of a contact, in the middle of the time in which it happened, `uncertainty_ns` half of that."""

    place: Place
    t_ns: int
    uncertainty_ns: int
    pressed: bool
    flags: tuple[str, ...] = ()


OnEdge = Callable[[Edge], None]
"""Takes an edge, in any thread; it does not raise."""

Failed = Callable[[Exception], None]
"""Takes the error that has ended a source, in any thread."""


class Source(ABC):
    """Reads the lines of all buzzers and reports their edges by itself."""

    settle_ns: int
    """How late an edge may be reported, unless `drain` is called."""

    heartbeats: tuple[Heartbeat, ...] = ()
    """The signs of life of threads of its own."""

    def drain(self) -> None:  # noqa: B027  what reports by itself has nothing to do
        """Report what waits to be read now. Raise OSError when the lines are gone."""

    @abstractmethod
    def levels(self) -> Mapping[Place, bool]:
        """Read which buttons are pressed now, by place. Raise OSError when the lines are gone."""

    @abstractmethod
    def deafen(self, place: Place) -> None:
        """Read no edges of a place, so that they cost nothing. Raise OSError or DeviceError."""

    @abstractmethod
    def listen(self, place: Place) -> None:
        """Read the edges of a place again. Raise OSError or DeviceError."""

    def check(self) -> None:  # noqa: B027  most tell of their end themselves
        """Raise DeviceError when nothing would be reported any more."""

    @abstractmethod
    def close(self) -> None:
        """Release the lines; nothing is reported after it. Closing twice does no harm."""
