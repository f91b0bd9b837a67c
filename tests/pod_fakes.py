"""Devices that need no port: pods as `Pods` shows them to a host, pressed by a test."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
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


class NoHardware:
    """Devices that do nothing: a test says what some of them do."""

    notice: Text | None = None
    settle_ns, settle_most_ns = 10_000_000, 60_000_000
    places: tuple[int, ...] = ()

    def __init__(self) -> None:
        self.troubles: dict[int, Text] = {}

    @property
    def screen_places(self) -> tuple[int, ...]:
        return self.places

    def screen_size(self, place: int) -> ScreenSize:
        return ScreenSize()

    def of(self, kind: type[Any]) -> Any:
        """Say that there is no device of that kind."""

    def settled_ns(self, now_ns: int) -> int:
        return now_ns

    def flush(self, now_ns: int) -> list[Signal]:
        return []

    def race(self, *, on: bool) -> None:
        """Ask nobody."""

    def show(self, place: int, lamp: Lamp) -> None:
        """Light nothing."""

    def say(self, place: int, *lines: str) -> None:
        """Write nothing."""

    def describe(self, place: int, said: str) -> None:
        """Say nothing of a picture."""

    def picture(self, place: int, png: bytes) -> None:
        """Show nothing."""

    def sound_siren(self) -> None:
        """There is no siren."""


class FakeHardware(NoHardware):
    """A table that has pods and nothing else; `screens` are the lines that stand on each place's."""

    settle_ns = 0

    def __init__(self, pods: FakePods) -> None:
        super().__init__()
        self.pods = pods
        self.screens: dict[int, tuple[str, ...]] = {}

    @property
    def places(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.pods.places

    def of(self, kind: type[Any]) -> Any:
        """Return what stands in for the open device of a kind."""
        return self.pods if kind is Pods else None

    def say(self, place: int, *lines: str) -> None:
        self.screens[place] = lines


class AtOnce(Executor):
    """Does what it is given before it returns, or later while it is `slow`."""

    def __init__(self) -> None:
        self.slow = False
        self.later: list[Callable[[], None]] = []

    def submit(self, do: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        self.later.append(lambda: done.set_result(do(*args, **named)))
        if not self.slow:
            self.work()
        return done

    def work(self) -> None:
        while self.later:
            self.later.pop(0)()
