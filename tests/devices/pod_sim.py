"""A simulated pod, lines of many kinds, and a world in virtual time."""

import importlib
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.core.clock import VirtualClock
from companion.core.console import KEYS, Lamp
from companion.devices.pods.conversation import Conversation
from companion.devices.pods.link import PodLink
from companion.devices.pods.proof import PodKey
from companion.devices.pods.reports import Hello, KeyReport, Report
from companion.devices.pods.sentences import sentence

MS = 1_000_000
US = 1_000

FIRMWARE = Path(__file__).resolve().parents[2] / "hardware" / "pod"


def firmware_link() -> Any:
    """Return the firmware's module `link`; its files import each other by bare names."""
    sys.path.insert(0, str(FIRMWARE))
    try:
        return importlib.import_module("link")
    finally:
        sys.path.remove(str(FIRMWARE))


class SimPod:
    """The firmware's side of the protocol; `out` holds the bytes to send.

    With a `secret` it is paired.
    """

    firmware = "sim"

    def __init__(
        self, identity: str = "E66118604B3A5C21", boot: str = "00000001", secret: bytes | None = None
    ) -> None:
        self.identity = identity
        self.secret = secret
        self.can = "BKLT"
        self._luck = random.Random(f"what {identity} draws")
        self.start(boot)

    def start(self, boot: str) -> None:
        """Begin as after a reset."""
        self.boot = boot
        self.out = bytearray()
        self.level = 0
        self.lamp = 0
        self.lines = self._empty()
        self._link = firmware_link().Link(
            self.identity, self.firmware, boot, self._say, self, key=self.secret, draw=self._luck.randbytes
        )

    def _say(self, said: bytes) -> None:
        self.out += said

    @property
    def keeps(self) -> int:
        """The number of unacknowledged events."""
        return len(self._link._kept) + self._link._lost

    def greet(self) -> None:
        self._link.hello()

    def buzz(self, t_us: int, level: int) -> None:
        self.level = level
        self._link.event(b"BUZ", t_us, level)

    def key(self, t_us: int, key: str) -> None:
        self._link.event(b"KEY", t_us, key)

    def hear(self, data: bytes, t_us: int) -> None:
        self._t_us = t_us
        self._link.receive(data, t_us, t_us)

    def tick(self, t_us: int) -> None:
        self._link.poll(t_us)

    # Callbacks of the firmware.

    def capabilities(self) -> str:
        return self.can

    def pressed(self) -> int:
        return self.level

    def now_us(self) -> int:
        return self._t_us

    def show(self, line: int, text: bytes) -> None:
        self.lines[line] = text.decode()

    def light(self, state: int) -> None:
        self.lamp = state

    def clear(self) -> None:
        self.lamp, self.lines = 0, self._empty()

    def _empty(self) -> list[str]:
        return [""] * (4 if "Q" in self.can else 2)


class NewerPod(SimPod):
    def hear(self, data: bytes, t_us: int) -> None:
        self.out += sentence("HEL", 9, self.identity, "whatever follows").encode()


class SafePod(SimPod):
    """A pod in safe mode."""

    def hear(self, data: bytes, t_us: int) -> None:
        if data.startswith(b"$TCHEY,"):
            self.out += sentence("HEL", "0", self.identity).encode()


# --- Lines ------------------------------------------------------------------------------------------------

Delay = Callable[[random.Random, int], int]
"""Returns how long bytes are on their way, in nanoseconds."""


@dataclass(frozen=True)
class Model:
    """A line with the pod's clock at its end: `ppm` is its real drift, `bound_ppm` the permitted one."""

    name: str
    there: Delay
    back: Delay
    ppm: int = 20
    bound_ppm: int = 100


def _between(low_us: int, high_us: int) -> Delay:
    return lambda luck, _: luck.randrange(low_us * US, high_us * US)


def _frame(luck: random.Random, now_ns: int) -> int:
    """USB polls once a millisecond, and sometimes misses one."""
    return MS - now_ns % MS + luck.choice((0, 0, 0, MS)) + luck.randrange(60 * US)


def _spiky(luck: random.Random, _: int) -> int:
    return luck.randrange(5 * MS, 20 * MS) if luck.random() < 0.1 else luck.randrange(100 * US, 500 * US)


def _busy(luck: random.Random, _: int) -> int:
    """A busy Python thread delays ours for whole switch intervals."""
    return luck.randrange(100 * US, 400 * US) + 5 * MS * luck.choice((0, 0, 1, 2, 4, 20))


MODELS = (
    Model("plain", _between(100, 400), _between(100, 400)),
    Model("usb", _frame, _frame, ppm=30),
    Model("resonator", _between(100, 400), _between(100, 400), ppm=-5_000, bound_ppm=5_100),
    Model("spikes", _spiky, _spiky),
    Model("asymmetry", _between(3_000, 3_300), _between(100, 300), ppm=-90),
    Model("busy", _busy, _busy),
)

Spoil = Callable[[bytes], list[bytes]]
"""Returns the pieces that a line makes of bytes."""


def whole(data: bytes) -> list[bytes]:
    return [data]


@dataclass
class Spoiler:
    """A line that distorts a share of what it carries; `count` is how often."""

    luck: random.Random
    share: float
    count: int = 0
    _kept: bytes = b""

    def __call__(self, data: bytes) -> list[bytes]:
        late, self._kept = self._kept, b""
        if self.luck.random() >= self.share:
            return [data, late]
        self.count += 1
        place = self.luck.randrange(len(data))
        kind = self.luck.choice(("flip", "drop", "cut", "double", "reorder", "swap", "garbage"))
        if kind == "flip":
            data = data[:place] + bytes([data[place] ^ 1 << self.luck.randrange(8)]) + data[place + 1 :]
        elif kind == "drop":
            data = b""
        elif kind == "cut":
            data = data[:place] + data[place + 1 + self.luck.randrange(5) :]
        elif kind == "double":
            data = data + data
        elif kind == "reorder":
            data, self._kept = b"", data
        elif kind == "swap":
            data = data[:place] + data[place + 1 : place + 2] + data[place : place + 1] + data[place + 2 :]
        else:
            data = data[:place] + self.luck.randbytes(self.luck.randrange(1, 30)) + data[place:]
        return [data, late]


# --- A world in virtual time ------------------------------------------------------------------------------


@dataclass
class World:
    """One pod, one line and the host's link; `told` has the reports with their times."""

    model: Model = MODELS[0]
    seed: str = "pod"
    spoil: Spoil = whole
    told: list[tuple[int, Report]] = field(default_factory=list)
    began_us: int = 77_000_000  # the pod's clock when the world begins
    secret: bytes | None = None  # the key of pod and table

    def __post_init__(self) -> None:
        self.luck = random.Random(self.seed)
        self.clock = VirtualClock(5_000 * MS)
        self.pod = SimPod(secret=self.secret)
        self.link = PodLink(
            self.pod.identity,
            lambda event: self.told.append((self.clock.now_ns(), event)),
            self.model.bound_ppm,
        )
        self.link.key = PodKey(self.secret) if self.secret else None
        self.conversation = Conversation(self._find, self.clock.now_ns())
        self.connected = True
        self.overs: list[str] = []
        self.greetings = 0
        self._arrives_ns = {"there": 0, "back": 0}
        self._wakes_ns = 0
        self._start_ns = self.clock.now_ns()
        self._host()
        self._pod_loop()

    @property
    def now_ns(self) -> int:
        return self.clock.now_ns()

    def t_us(self, t_ns: int | None = None) -> int:
        """Return what the pod's clock shows."""
        since_ns = (self.now_ns if t_ns is None else t_ns) - self._start_ns
        return self.began_us + since_ns * (1_000_000 + self.model.ppm) // 1_000_000 // US

    def run(self, for_ms: float) -> None:
        until_ns = self.now_ns + round(for_ms * MS)
        while (next_ns := self.clock.next_ns()) is not None and next_ns <= until_ns:
            self.clock.act()
        self.clock.jump(until_ns)

    def run_until(self, done: Callable[[], bool], most_ms: int = 60_000) -> None:
        until_ns = self.now_ns + most_ms * MS
        while not done():
            assert self.now_ns < until_ns, "it takes for ever"
            self.clock.act()

    def buzz(self, level: int = 1) -> int:
        """Close or open the contact; return the current time."""
        self.pod.buzz(self.t_us(), level)
        return self.now_ns

    def key(self, key: str) -> None:
        self.pod.key(self.t_us(), key)

    def race(self) -> None:
        self.link.race(on=True, now_ns=self.now_ns)
        self._host()

    def reset(self) -> None:
        """Restart the pod; its clock begins at 0."""
        self.pod.start(f"{self.luck.randrange(2**32):08X}")
        self.began_us, self._start_ns = 0, self.now_ns
        self.pod.greet()

    def unplug(self) -> None:
        self.connected = False

    def plug(self) -> None:
        self.connected = True

    def events(self, *kinds: type) -> list[Any]:
        return [event for _, event in self.told if isinstance(event, kinds)]

    def _find(self, hello: Hello) -> PodLink:
        self.greetings += 1
        return self.link

    def _host(self) -> None:
        """Do what a port's thread does."""
        if self.conversation.over:
            self.overs.append(str(self.conversation.over))
            self.conversation = Conversation(self._find, self.now_ns)
        written = self.conversation.tick(self.now_ns)
        if written:
            self._send("there", self.model.there, written, self._pod_hear)
        at_ns = max(self.now_ns + 1, self.conversation.deadline_ns)
        if not self.now_ns < self._wakes_ns <= at_ns:
            self._wakes_ns = at_ns
            self.clock.at(at_ns, self._host)

    def _heard(self, data: bytes) -> None:
        self.conversation.receive(data, self.now_ns)
        self._host()

    def _pod_loop(self) -> None:
        self._pod_step(b"")
        self.clock.at(self.now_ns + self.luck.randrange(200 * US, 1_000 * US), self._pod_loop)

    def _pod_hear(self, data: bytes) -> None:
        """Let bytes end the wait in the firmware's main loop."""
        self.clock.at(self.now_ns + self.luck.randrange(20 * US, 200 * US), lambda: self._pod_step(data))

    def _pod_step(self, data: bytes) -> None:
        self.pod.tick(self.t_us())
        self.pod.hear(data, self.t_us())
        if self.pod.out:
            self._send("back", self.model.back, bytes(self.pod.out), self._heard)
            self.pod.out.clear()

    def _send(self, way: str, delay: Delay, data: bytes, arrive: Callable[[bytes], None]) -> None:
        for piece in self.spoil(data):
            if piece and self.connected:
                at_ns = max(self._arrives_ns[way], self.now_ns + delay(self.luck, self.now_ns))
                self._arrives_ns[way] = at_ns
                self.clock.at(at_ns, lambda piece=piece: arrive(piece) if self.connected else None)


def keys_of(world: World) -> str:
    return "".join(event.key for event in world.events(KeyReport))


def typed_through(world: World, spoiled: Spoiler, count: int) -> str:
    """Press keys until `count` pieces were spoiled, then rest; return the keys."""
    world.spoil, keyed = spoiled, ""
    while spoiled.count < count:
        keyed += world.luck.choice(KEYS)
        world.key(keyed[-1])
        world.run(world.luck.randrange(150))
        if world.luck.random() < 0.01:
            world.run_until(lambda: not world.pod.keeps)
        world.link.show(world.luck.choice(list(Lamp)))
    world.link.show(Lamp.BLINK)
    world.spoil = lambda data: [data]
    world.run(5_000)
    return keyed
