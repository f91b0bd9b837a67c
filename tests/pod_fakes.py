"""Fake pods and devices, pressed by tests."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, NamedTuple

from companion.core.console import Lamp
from companion.core.place import ScreenSize
from companion.core.signal import Signal
from companion.core.text import Text
from companion.devices.pods.pods import Pods, Seen


class FakePod(NamedTuple):
    identity: str
    pressed_ns: int | None = None


class FakePods:
    """Pods with seats by `seats`, as in table.toml, and `new` ones without."""

    def __init__(self, *new: str, seats: Iterable[str] = ()) -> None:
        self._free = {identity: FakePod(identity) for identity in new}
        self._bound = {place: identity for place, identity in enumerate(seats) if identity}
        self.old: list[Seen] = []
        self.lent_paths: list[str] = []

    def outdated(self, firmware: str) -> list[Seen]:
        return list(self.old)

    @contextmanager
    def lent(self, path: str) -> Iterator[None]:
        self.lent_paths.append(path)
        yield

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
        self._free[identity] = FakePod(identity, now_ns)


class NoHardware:
    """Devices that do nothing, for tests to override."""

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
        """Return None."""

    def settled_ns(self, now_ns: int) -> int:
        return now_ns

    def flush(self, now_ns: int) -> list[Signal]:
        return []

    def race(self, *, on: bool) -> None:
        """Do nothing."""

    def show(self, place: int, lamp: Lamp) -> None:
        """Do nothing."""

    def say(self, place: int, *lines: str) -> None:
        """Do nothing."""

    def describe(self, place: int, said: str) -> None:
        """Do nothing."""

    def picture(self, place: int, png: bytes) -> None:
        """Do nothing."""

    def sound_siren(self) -> None:
        """Do nothing."""


class FakeHardware(NoHardware):
    """A table with only pods; `screens` has the lines of each place."""

    settle_ns = 0

    def __init__(self, pods: FakePods) -> None:
        super().__init__()
        self.pods = pods
        self.screens: dict[int, tuple[str, ...]] = {}

    @property
    def places(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.pods.places

    def of(self, kind: type[Any]) -> Any:
        """Return the fake of a kind of device."""
        return self.pods if kind is Pods else None

    def say(self, place: int, *lines: str) -> None:
        self.screens[place] = lines


class AtOnce(Executor):
    """Runs tasks at once, or later while `slow`."""

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
