"""Fake pods and devices, pressed by tests."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from companion.core.console import Lamp
from companion.core.place import ScreenSize, each_place
from companion.core.signal import Signal
from companion.core.text import Text
from companion.devices.pairing import PairedDevice, Presses, Unit
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods, Seen


class FakePods(PairedDevice):
    """Pods with seats by `seats`, as in table.toml, and `new` ones without."""

    section = "pods"
    whose, press_yours = Pods.whose, Pods.press_yours
    pairable_places, places_to_ask = (), Pods.places_to_ask  # type: ignore[assignment]

    def __init__(self, *new: str, seats: Iterable[str] = (), places: int = 5) -> None:
        self.pairable_places = each_place(places)
        self._bound: dict[int, str] = {place: identity for place, identity in enumerate(seats) if identity}
        self._plugged = [*self._bound.values(), *new]
        self._presses = Presses()
        self.old: list[Seen] = []
        self.lent_paths: list[str] = []

    def outdated(self, firmware: str) -> list[Seen]:
        return list(self.old)

    @contextmanager
    def lent(self, path: str) -> Iterator[None]:
        self.lent_paths.append(path)
        yield

    @property
    def places(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(sorted(self._bound))

    @property
    def seats(self) -> list[str]:
        return [self._bound.get(place, "") for place in range(max(self._bound, default=-1) + 1)]

    @property
    def paired(self) -> PodWiring:
        return PodWiring(tuple(self.seats))

    def units(self, since_ns: int) -> list[Unit]:
        places: dict[str, Any] = {identity: place for place, identity in self._bound.items()}
        return [
            Unit(identity, places.get(identity), self._presses.first(identity, since_ns))
            for identity in self._plugged
        ]

    def bind(self, identity: str, place: int) -> None:
        self._bound = {at: other for at, other in self._bound.items() if other != identity} | {place: identity}

    def plug(self, identity: str) -> None:
        self._plugged.append(identity)

    def pull(self, identity: str) -> None:
        self._plugged.remove(identity)

    def press(self, identity: str, t_ns: int, uncertainty_ns: int = 0) -> None:
        self._presses.note(identity, t_ns, uncertainty_ns)


class NoHardware:
    """Devices that do nothing, for tests to override."""

    notice: Text | None = None
    settle_ns, settle_most_ns = 10_000_000, 60_000_000
    places: tuple[int, ...] = ()

    def __init__(self) -> None:
        self.troubles: dict[int, Text] = {}

    @property
    def full_places(self) -> tuple[int, ...]:
        return self.places

    @property
    def screen_places(self) -> tuple[int, ...]:
        return self.places

    def screen_size(self, place: int) -> ScreenSize:
        return ScreenSize()

    paired: tuple[Any, ...] = ()

    def of(self, kind: type[Any]) -> Any:
        """Return None."""

    def settled_ns(self, now_ns: int) -> int:
        return now_ns

    def flush(self, now_ns: int) -> list[Signal]:
        return []

    def race(self, *, on: bool) -> None:
        """Do nothing."""

    def wait_for_keys(self, due: Any) -> None:
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
        self.paired = (pods,)
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
