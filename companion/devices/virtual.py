"""Virtual twins of all devices, with faults on demand."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from companion.core.console import BUZZ, KEYS, Lamp
from companion.core.place import HOUSE, Place, each_place
from companion.core.signal import DEBOUNCED, LEVEL, PLUG, UNPLUG, Signal
from companion.core.text import Text
from companion.devices.driver import Deliver, Device
from companion.referee.arbiter import SETTLE_MOST_NS

SOURCE: Final = "virtual"

HOLD_NS: Final = 80_000_000

_BOUNCE_STEP_NS: Final = 370_000

_REMEMBERED: Final = 200


class DeviceClock(Protocol):
    """The clock of virtual devices."""

    def now_ns(self) -> int: ...

    def at(self, t_ns: int, action: Callable[[], None]) -> None: ...


@dataclass
class Fault:
    """The faults of a virtual buzzer."""

    bounce_ns: int = 0
    late_ns: int = 0
    stuck: bool = False


class VirtualBuzzer:
    """A place's buzzer, which may bounce, stick and report late."""

    def __init__(self, place: Place, clock: DeviceClock, deliver: Deliver) -> None:
        self.place = place
        self.fault = Fault()
        self.plugged = True
        self._clock = clock
        self._deliver = deliver
        self._edges: list[tuple[int, bool]] = []
        self._told = False
        self._hand_ns = -1

    def press(self, t_ns: int | None = None, uncertainty_ns: int = 0, hold_ns: int = HOLD_NS) -> None:
        """Press and release, at `t_ns` or now."""
        first_ns = self._clock.now_ns() if t_ns is None else t_ns
        self._change(first_ns, uncertainty_ns, pressed=True)
        if not self.fault.stuck:
            self._change(first_ns, uncertainty_ns, pressed=False, after_ns=hold_ns)

    def hold(self, t_ns: int, uncertainty_ns: int, *, pressed: bool) -> None:
        # A short tap arrives as two edges with one timestamp.
        self._hand_ns = max(t_ns, self._hand_ns + 1)
        if not self.fault.stuck:
            self._change(self._hand_ns, uncertainty_ns, pressed=pressed)

    def touch(self, *, closed: bool) -> None:
        """Change the contact by one edge that no device has debounced, as interference does."""
        now_ns = self._clock.now_ns()
        self._edges = [*self._edges[-_REMEMBERED:], (now_ns, closed)]
        self._report(now_ns, 0, closed, now_ns + self.fault.late_ns)

    def stick(self) -> None:
        self.fault.stuck = True
        self._change(self._clock.now_ns(), 0, pressed=True)

    def mend(self) -> None:
        """End all faults."""
        stuck, self.fault = self.fault.stuck, Fault()
        if stuck:
            self._change(self._clock.now_ns(), 0, pressed=False)

    def level(self) -> bool:
        past = [edge for edge in self._edges if edge[0] <= self._clock.now_ns()]
        return max(past)[1] if past else False

    def reading(self, settle_ns: int) -> Signal:
        """Return a LEVEL signal.

        It is uncertain by `settle_ns` if the contact seems open: an earlier press may still be reported.
        """
        now_ns, pressed = self._clock.now_ns(), self.level()
        known = pressed or self._told or self.fault.late_ns
        return Signal(SOURCE, self.place, BUZZ, now_ns, 0 if known else settle_ns, now_ns, pressed, (LEVEL,))

    @property
    def faults(self) -> tuple[str, ...]:
        faults = (
            ("unplug", not self.plugged),
            ("bounce", self.fault.bounce_ns),
            ("stuck", self.fault.stuck),
            ("late", self.fault.late_ns),
        )
        return tuple(name for name, on in faults if on)

    def _change(self, first_ns: int, uncertainty_ns: int, *, pressed: bool, after_ns: int = 0) -> None:
        edges = [(first_ns + after_ns, pressed)]
        bounces = self.fault.bounce_ns // (2 * _BOUNCE_STEP_NS)
        for bounce in range(1, 2 * bounces + 1):
            edges.append((edges[0][0] + bounce * _BOUNCE_STEP_NS, pressed == (bounce % 2 == 0)))
        self._edges = [*self._edges[-_REMEMBERED:], *edges]
        arrives_ns = self._clock.now_ns() - first_ns + self.fault.late_ns
        flags = (DEBOUNCED,) if pressed and not bounces else ()  # a mouse or key press cannot be interference
        for t_ns, level in edges:
            self._report(t_ns, uncertainty_ns, level, t_ns + arrives_ns, flags)

    def _report(
        self, t_ns: int, uncertainty_ns: int, pressed: bool, received_ns: int, flags: tuple[str, ...] = ()
    ) -> None:
        signal = Signal(SOURCE, self.place, BUZZ, t_ns, uncertainty_ns, received_ns, pressed, flags)
        if received_ns <= self._clock.now_ns():
            self._send(signal)
        else:
            self._clock.at(received_ns, lambda: self._send(signal))

    def _send(self, signal: Signal) -> None:
        if self.plugged:
            self._told = signal.pressed
            self._deliver(signal)


class VirtualKeypad:
    """A keypad of a place or the house."""

    def __init__(self, place: Place, clock: DeviceClock, deliver: Deliver) -> None:
        self.place = place
        self.plugged = True
        self._clock = clock
        self._deliver = deliver

    def press(self, key: str, noticed_ns: int | None = None) -> None:
        """Press one of KEYS. Raise ValueError for any other key."""
        if key not in KEYS:
            raise ValueError(f"{key!r} is no key; keys are {' '.join(KEYS)}")
        if self.plugged:
            t_ns = self._clock.now_ns() if noticed_ns is None else noticed_ns
            self._deliver(Signal(SOURCE, self.place, key, t_ns, 0, t_ns))


class PlayedClip(NamedTuple):
    """A played clip, repeated for `lasting_ns` (0: once)."""

    t_ns: int
    name: str
    lasting_ns: int = 0


class Spoken(NamedTuple):
    """A spoken sentence; an empty one silenced the voice."""

    t_ns: int
    sentence: str
    language: str = ""


class VirtualVoice:
    """A voice that only stores its last sentences."""

    def __init__(self, clock: DeviceClock) -> None:
        self.said: deque[Spoken] = deque(maxlen=_REMEMBERED)
        self.trouble: Text | None = None
        self._clock = clock

    def say(self, sentence: str, language: str) -> None:
        self.said.append(Spoken(self._clock.now_ns(), sentence, language))

    def hush(self) -> None:
        self.said.append(Spoken(self._clock.now_ns(), ""))


class VirtualSound:
    """A sound card that only stores its last clips."""

    def __init__(self, clock: DeviceClock) -> None:
        self.played: deque[PlayedClip] = deque(maxlen=_REMEMBERED)
        self.trouble: Text | None = None
        self.volume = 0
        self.mute = False
        self.voice = VirtualVoice(clock)
        self._clock = clock

    def play(self, name: str, lasting_ns: int = 0) -> None:
        self.played.append(PlayedClip(self._clock.now_ns(), name, lasting_ns))

    def turn(self, volume: int, *, mute: bool) -> None:
        self.volume, self.mute = volume, mute


class VirtualDevices(Device):
    """All devices of a virtual table. Reports are up to `settle_ns` late."""

    source = SOURCE
    settle_ns: int = 0
    settle_most_ns: int = SETTLE_MOST_NS
    places: tuple[Place, ...] = ()

    def __init__(self, places: int, clock: DeviceClock, deliver: Deliver, settle_ns: int) -> None:
        self.settle_ns = settle_ns
        self.places = each_place(places)
        self.buzzers = [VirtualBuzzer(place, clock, deliver) for place in self.places]
        self.keypads = [VirtualKeypad(place, clock, deliver) for place in self.places]
        self.house_keypad = VirtualKeypad(HOUSE, clock, deliver)
        self.lamps = [Lamp.OFF] * places
        self.sound = VirtualSound(clock)
        self._clock = clock
        self._deliver = deliver

    def show(self, place: Place, lamp: Lamp) -> None:
        self.lamps[place] = lamp

    def flush(self, now_ns: int) -> Iterable[Signal]:
        return [buzzer.reading(self.settle_ns) for buzzer in self.buzzers if buzzer.plugged]

    def press(self, place: Place, control: str) -> None:
        if control == BUZZ:
            self.buzzers[place].press()
        else:
            self.keypads[place].press(control)

    def break_or_mend(self, place: Place, kind: str) -> None:
        """Toggle a fault of a place: `unplug`, `bounce`, `late` or `stuck`."""
        buzzer = self.buzzers[place]
        if kind == "unplug":
            (self.unplug if buzzer.plugged else self.plug)(place)
        elif kind == "bounce":
            buzzer.fault.bounce_ns = 0 if buzzer.fault.bounce_ns else 4_000_000
        elif kind == "late":
            buzzer.fault.late_ns = 0 if buzzer.fault.late_ns else 20_000_000
        elif buzzer.fault.stuck:
            buzzer.mend()
        else:
            buzzer.stick()

    def house(self, control: str) -> None:
        _send_now(self._deliver, self._clock, HOUSE, control)

    def unplug(self, place: Place) -> None:
        self._plug(place, plugged=False)

    def plug(self, place: Place) -> None:
        self._plug(place, plugged=True)

    def _plug(self, place: Place, *, plugged: bool) -> None:
        self.buzzers[place].plugged = self.keypads[place].plugged = plugged
        _send_now(self._deliver, self._clock, place, PLUG if plugged else UNPLUG)


def _send_now(deliver: Deliver, clock: DeviceClock, place: Place, control: str) -> None:
    now_ns = clock.now_ns()
    deliver(Signal(SOURCE, place, control, now_ns, 0, now_ns))
