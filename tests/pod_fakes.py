"""Pods that need no port: as `Pods` shows them to a host, pressed by a test."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.core.console import Lamp
from companion.core.place import ScreenSize
from companion.core.signal import Signal
from companion.core.text import Text
from companion.devices.pods.pods import Pods


class FakePod(NamedTuple):
    identity: str
    pressed_ns: int | None = None


class FakePods:
    """Some bound by `seats`, as in table.toml, and `new` ones without a seat."""

    def __init__(self, *new: str, seats: Iterable[str] = ()) -> None:
        self._free = {identity: FakePod(identity) for identity in new}
        self._bound = {place: identity for place, identity in enumerate(seats) if identity}

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(sorted(self._bound))

    @property
    def seats(self) -> list[str]:
        return [self._bound.get(place, "") for place in range(max(self._bound, default=-1) + 1)]

    def unbound(self) -> list[FakePod]:
        return sorted(self._free.values(), key=lambda pod: pod.pressed_ns or -1, reverse=True)

    def bind(self, identity: str, place: int) -> None:
        del self._free[identity]
        self._bound[place] = identity

    def plug(self, identity: str) -> None:
        self._free[identity] = FakePod(identity)

    def pull(self, identity: str) -> None:
        del self._free[identity]

    def press(self, identity: str, now_ns: int) -> None:
        """Press anything on a pod that has no seat."""
        self._free[identity] = FakePod(identity, now_ns)


class FakeHardware:
    """A table that has pods and nothing else; `screens` are the lines that stand on each place's."""

    notice: Text | None = None
    settle_ns, settle_most_ns = 0, 60_000_000

    def __init__(self, pods: FakePods) -> None:
        self.pods = pods
        self.screens: dict[int, tuple[str, str]] = {}
        self.lamps: dict[int, Lamp] = {}
        self.broken: dict[int, Text] = {}

    @property
    def places(self) -> tuple[int, ...]:
        return self.pods.places

    @property
    def screen_places(self) -> tuple[int, ...]:
        return self.pods.places

    def screen_size(self, place: int) -> ScreenSize:
        return ScreenSize()

    def of(self, kind: type[Any]) -> FakePods | None:
        """Return what stands in for the open device of a kind."""
        return self.pods if kind is Pods else None

    @property
    def troubles(self) -> dict[int, Text]:
        return self.broken

    def settled_ns(self, now_ns: int) -> int:
        return now_ns

    def flush(self, now_ns: int) -> list[Signal]:
        return []

    def show(self, place: int, lamp: Lamp) -> None:
        self.lamps[place] = lamp

    def say(self, place: int, first: str, second: str) -> None:
        self.screens[place] = (first, second)

    def sound_siren(self) -> None:
        """There is no siren."""
