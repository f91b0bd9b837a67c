"""All real devices of a table as one: what hangs at the GPIO chip, number pads on USB, pods on serial ports."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Self

from companion.core.clock import Clock
from companion.core.console import BUZZ, Lamp
from companion.core.inbox import Inbox
from companion.core.pulse import Pulse
from companion.core.signal import PLUG, Signal
from companion.core.text import Text
from companion.devices.buzzers.watch import Buzzers
from companion.devices.keypads.usb_pads import UsbPads
from companion.devices.lines import Lines
from companion.devices.pins import LgpioPulse
from companion.devices.plugs import Plugs
from companion.devices.pods.pods import Pods
from companion.devices.wiring import Wiring


class Hardware:
    """The devices of `table.toml`. What they report goes into `inbox`, from threads of their own, by place.

    A place that has a pod is called for by the pod: a line that is meant for its buzzer is not listened to.
    """

    def __init__(self, wiring: Wiring, inbox: Inbox, clock: Clock, *, pods: Pods | None = None) -> None:
        """Open everything. Raise DeviceError naming what is missing and the remedy; nothing stays open then.

        `pods` stands in for those of the serial ports; what it reports has to go into `inbox`.
        """
        self._inbox = inbox
        self._plugs = Plugs(inbox.put)
        self.lines: Lines | None = None
        with ExitStack() as opened:
            self.pods = opened.enter_context(pods or Pods(wiring.pods, self._inbox, clock, deliver=self._from_pods))
            self.pads = UsbPads(wiring.pads.bound, self._plugs.put, clock)
            opened.callback(self.pads.close)
            if wiring.used():
                self.lines = Lines(wiring, self._from_lines, clock)
                opened.callback(self.lines.close)
            for part in (self.pods, self.pads, self.lines):
                if part:
                    part.watch()
            self._opened = opened.pop_all()

    @property
    def notice(self) -> Text | None:
        """What the people at the table should know before they play."""
        return self.lines.notice if self.lines else None

    @property
    def places(self) -> tuple[int, ...]:
        """The places that have a buzzer."""
        return tuple(sorted(self._line_places.union(self.pods.places)))

    @property
    def settle_ns(self) -> int:
        """How late a buzzer, or a seat's key, may be reported."""
        pods_ns = self.pods.settle_ns if self.pods.places else 0
        return max(self.lines.settle_ns if self.lines else 0, self.pads.settle_ns, pods_ns)

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened has been reported by now; pods can prove it early."""
        lines_ns = 0
        if self.lines:
            lines_ns = self.lines.settle_ns if self._line_places else self.lines.keys_settle_ns
        pods_ns = self.pods.settled_ns(now_ns) if self.pods.places else now_ns
        return min(now_ns - max(lines_ns, self.pads.settle_ns), pods_ns)

    @property
    def troubles(self) -> dict[int, Text]:
        """What is wrong, by place."""
        buzzers = self._buzzers.troubles if self._buzzers else {}
        matrix = self.lines.matrix.troubles if self.lines and self.lines.matrix else {}
        used = {place: why for place, why in buzzers.items() if place in self._line_places}
        return {**matrix, **used, **self.pads.troubles, **self.pods.troubles}

    @property
    def pulses(self) -> list[Pulse | LgpioPulse]:
        """The signs of life of all threads that read devices."""
        return [*self.pods.pulses, *self.pads.pulses, *(self.lines.pulses if self.lines else ())]

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return every edge that was reported and not handled yet, and then a level reading of every buzzer."""
        lines: list[Signal] = []
        if self._buzzers:
            levels = self._buzzers.flush(now_ns)  # this empties the descriptor into the inbox
            name, places = self._buzzers.name, self._line_places
            edges = [signal for signal in self._inbox.waiting() if (signal.source, signal.control) == (name, BUZZ)]
            lines = [signal for signal in (*edges, *levels) if signal.seat in places]
        return [*lines, *self.pods.flush(now_ns)]

    def show(self, place: int, lamp: Lamp) -> None:
        """Switch one place's lamp."""
        if self.lines:
            self.lines.show(place, lamp)
        self.pods.show(place, lamp)

    def say(self, place: int, first: str, second: str) -> None:
        """Show two lines on a place's private screen, if it has one."""
        self.pods.say(place, first, second)

    def sound(self) -> None:
        """Sound the siren."""
        if self.lines:
            self.lines.sound()

    def close(self) -> None:
        """Let everything go; the lamps go out."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _line_places(self) -> frozenset[int]:
        """The places whose buzzer is a line."""
        return (self.lines.places if self.lines else frozenset()) - frozenset(self.pods.places)

    @property
    def _buzzers(self) -> Buzzers | None:
        """The buzzers that are lines."""
        return self.lines.buzzers if self.lines else None

    def _from_lines(self, signal: Signal) -> None:
        if self._buzzers and signal.source == self._buzzers.name and signal.seat in self.pods.places:
            return  # the pod calls for this place
        self._plugs.put(signal)

    def _from_pods(self, signal: Signal) -> None:
        if self._buzzers and signal.control == PLUG:
            # A line that was lost before the place had a pod is not waited for any more.
            self._plugs.forget(signal.seat, self._buzzers.name)
        self._plugs.put(signal)
