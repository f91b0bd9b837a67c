"""Watches input devices that have places: one thread reads them, and one that is lost is searched for."""

import logging
import os
import select
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar, Final

from companion.core.clock import Clock
from companion.core.console import BUZZ
from companion.core.errors import CompanionError
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.place import HOUSE, Place
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.devices.driver import Deliver, too_much
from companion.devices.errors import DeviceError
from companion.devices.inputs.found import Here
from companion.devices.inputs.reader import Change, InputDevice, InputReader, disconnected, explain
from companion.devices.pairing import PairedDevice, Presses
from companion.devices.plugs import Troubles

LOOK_MS: Final = 1000

BEAT_MS: Final = int(BEAT_S * 1000)

Controls = dict[int, tuple[Place, str]]
"""Place and control of each key code."""

log = logging.getLogger(__name__)


def find_input(bound: str, what: Text, section: str, inputs: Iterable[Here]) -> Here:
    """Return the device that `table.toml` names. Raise DeviceError."""
    meant = [here for here in inputs if here.answers_to(bound)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise DeviceError(
            msg(
                "{what}: {n} devices match {bound!r}: {found}. Name one by its path: [{section}]",
                what=what,
                n=len(meant),
                bound=bound,
                found=", ".join(map(str, meant)),
                section=section,
            )
        )
    raise DeviceError(
        msg(
            "{what}: there is no {bound!r}; found: {found}. Plug it in, or name yours: [{section}]",
            what=what,
            bound=bound,
            found=", ".join(map(str, inputs)) or msg("none"),
            section=section,
        )
    )


def same_device(here: Here, one: Text, other: Text, section: str) -> Text:
    return msg(
        "{one} and {other} are the same, {found}: [{section}] names it twice; allowed: one place each",
        one=one,
        other=other,
        found=here,
        section=section,
    )


@dataclass
class Plugged:
    """An open device. It is grabbed if its keys have places."""

    here: Here
    reader: InputReader
    grabbed: bool = False
    controls: Controls = field(default_factory=dict)

    @property
    def places(self) -> set[Place]:
        return {place for place, _ in self.controls.values()}


class WatchedInputs(PairedDevice):
    """Input devices, `bound` by name. A lost one unplugs its places and is searched for every second.

    Those without a place are read while the table asks whose they are, but not grabbed.
    """

    thread_name: ClassVar[str]

    def __init__(
        self,
        bound: Mapping[Place, str],
        deliver: Deliver,
        clock: Clock,
        *,
        ask: bool,
        list_inputs: Callable[[], list[Here]],
        open_device: Callable[[Here], InputDevice],
    ) -> None:
        """Open the devices. Raise DeviceError; with `ask` one may be missing."""
        self._asks = ask
        self._bound = bound
        self._wanted = bound
        """The names that the thread will bind next. It alone changes `_bound`."""
        self._deliver = deliver
        self._clock = clock
        self._list_inputs = list_inputs
        self._open_device = open_device
        self._troubles = Troubles(self.source, deliver, clock)
        self._heartbeat = Heartbeat(self.thread_name)
        self._presses = Presses()
        self._plugged: dict[Here, Plugged] = {}
        self._asking = False
        self._refused: Text | None = None
        self._looked_ns = 0
        self._reading = threading.RLock()  # guards the devices: the thread reads them, and so does `flush`
        self._waiting = select.poll()
        self._deaf: set[Place] = set()
        self._hear_again: set[Place] = set()
        self._lock = threading.Lock()  # guards `_stopped`: a closed descriptor must not be written
        self._stopped = False
        self._wake = os.eventfd(0)
        self._waiting.register(self._wake, select.POLLIN)
        self._thread: threading.Thread | None = None
        try:
            self._missing = self._settle()
        except Exception:
            self.close()
            raise
        if self._missing and not ask:
            self.close()
            raise DeviceError(next(iter(self._missing.values())))

    # --- Differences between kinds of devices ---------------------------------------------------------

    @abstractmethod
    def what(self, place: Place) -> Text:
        """Return what a place's device is called."""

    @abstractmethod
    def _device_of(self, name: str) -> str:
        """Return the path or serial number in a name of `table.toml`."""

    @abstractmethod
    def _controls(self, here: Here, name: str, place: Place) -> Controls:
        """Return the keys of a place. Raise DeviceError if the device lacks them."""

    @abstractmethod
    def _reader(self, here: Here, device: InputDevice) -> InputReader:
        """Raise OSError."""

    @abstractmethod
    def _note(self, here: Here, press: Change) -> None:
        """Note a press for the question whose it is."""

    @abstractmethod
    def _late_ns(self, plugged: Plugged) -> int:
        """Return the longest time from a contact to its report."""

    def _settled(self) -> None:
        """Follow a change of places or devices."""

    # --- The device interface -------------------------------------------------------------------------

    @property
    def troubles(self) -> dict[Place, Text]:
        return self._troubles.texts

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat] if self._asks or self._bound else []

    @property
    def settle_ns(self) -> int:
        """That of the seats' devices: keys of the house do not call."""
        return max((self._late_ns(each) for each in self._opened if each.places - {HOUSE}), default=0)

    def flooded(self, place: Place) -> Text:
        return too_much(self.what(place))

    def deafen(self, place: Place) -> None:
        """Stop reading a device if all its places are deaf. It stays grabbed."""
        self._deaf.add(place)

    def listen(self, place: Place) -> None:
        self._hear_again.add(place)
        self._wake_up()

    def watch(self) -> None:
        """Read from now on, in a thread that otherwise sleeps."""
        for place, why in self._missing.items():
            self._troubles.lost(place, why)
        if self._asks or self._bound:
            self._thread = threading.Thread(target=self._run, name=self.thread_name, daemon=True)
            self._thread.start()

    def serve(self, timeout_ms: int | None = None) -> None:
        """Wait for keys, deliver them, and search for missing devices."""
        ready = {descriptor for descriptor, _ in self._waiting.poll(timeout_ms)}
        if self._wake in ready and not self._stopped:
            os.eventfd_read(self._wake)
        again, self._hear_again = self._hear_again, set()
        self._deaf -= again
        with self._reading:
            for plugged in self._opened:
                if again & plugged.places:
                    self._listen_to(plugged)
                elif plugged.reader.fileno() in ready and plugged.places and plugged.places <= self._deaf:
                    self._waiting.unregister(plugged.reader.fileno())
                elif plugged.reader.fileno() in ready:
                    self._read(plugged)
            if self._is_due(idle=not ready - {self._wake}):
                self._look()

    def close(self) -> None:
        """Release the devices, so that other programs see their keys again."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
            os.eventfd_write(self._wake, 1)
        if self._thread:
            self._thread.join()
        for plugged in self._opened:
            self._drop(plugged)
        os.close(self._wake)

    # --- Whose is this? -------------------------------------------------------------------------------

    @property
    def places_to_ask(self) -> Sequence[Place]:
        """Without any device all places, then those whose device is missing: a keyboard may always be there."""
        if not self._asks:
            return []
        asked = self._wanted or self.pairable_places
        there = {place for plugged in self._opened for place in plugged.places}
        return [place for place in self.pairable_places if place in asked and place not in there]

    def bind(self, identity: str, place: Place) -> None:
        found = [unit for unit in self.units(0) if unit.identity == identity]
        if not found:
            raise DeviceError(disconnected(self.what(place)))
        kept = {other: name for other, name in self._wanted.items() if other not in {place, found[0].place}}
        self._wanted = {**kept, place: identity}
        self._wake_up()

    def listen_to_all(self, *, on: bool) -> None:
        self._asking = on
        self._wake_up()

    def remark(self, since_ns: int) -> Text | None:
        return self._refused

    # --- Reading --------------------------------------------------------------------------------------

    @property
    def _opened(self) -> list[Plugged]:
        return list(self._plugged.values())

    @property
    def _rest_ms(self) -> int:
        """How long the thread may sleep."""
        return LOOK_MS if self._asking or self.troubles else BEAT_MS

    def _wake_up(self) -> None:
        with self._lock:
            if not self._stopped:
                os.eventfd_write(self._wake, 1)

    def _run(self) -> None:
        while not self._stopped:
            self._heartbeat.beat()
            try:
                self.serve(self._rest_ms)
            except Exception as error:  # noqa: BLE001  if this thread ended, all devices would be silent
                self._lose_all(error)

    def _lose_all(self, error: Exception) -> None:
        with self._reading:
            for plugged in self._opened:
                self._drop(plugged)
        for place in self._bound:
            self._troubles.lost(place, explain(error, self.what(place)))
        select.select([self._wake], [], [], LOOK_MS / 1000)

    def _read(self, plugged: Plugged) -> None:
        try:
            for change in plugged.reader.changes():
                if change.pressed:
                    self._note(plugged.here, change)
                self._report(plugged, change)
        except Exception as error:  # noqa: BLE001  if this thread ended, all devices would be silent
            self._lose(plugged, error)

    def _report(self, plugged: Plugged, change: Change) -> None:
        place, control = plugged.controls.get(change.code, (HOUSE, ""))
        if control and (change.pressed or control == BUZZ):
            _, pressed, t_ns, half_ns, flags = change
            now_ns = self._clock.now_ns()
            self._deliver(Signal(self.source, place, control, t_ns, half_ns, now_ns, pressed, flags))

    def _listen_to(self, plugged: Plugged) -> None:
        try:
            plugged.reader.begin_anew()
        except OSError as error:
            self._lose(plugged, error)
        else:
            self._waiting.register(plugged.reader.fileno(), select.POLLIN)

    def _lose(self, plugged: Plugged, error: Exception) -> None:
        self._drop(plugged)
        self._settled()
        for place in plugged.places:
            why = explain(error, self.what(place))
            log.warning("%s", why)
            self._troubles.lost(place, why)

    # --- Places and devices ---------------------------------------------------------------------------

    def _is_due(self, *, idle: bool) -> bool:
        if self._wanted is not self._bound:
            return True
        free = any(not plugged.grabbed for plugged in self._opened)
        late = idle or self._clock.now_ns() - self._looked_ns >= LOOK_MS * 1_000_000
        return late and bool(self._asking or free or self.troubles)

    def _look(self) -> None:
        faults = self._settle()
        for place in {*self._bound, *self.troubles}:
            if place in faults:
                self._troubles.lost(place, faults[place])  # the first reason stays
            else:
                self._troubles.back(place)

    def _settle(self) -> dict[Place, Text]:
        """Open the devices that have places, and while the table asks all others. Return why some cannot be."""
        self._looked_ns = self._clock.now_ns()
        self._bound = self._wanted
        inputs = self._list_inputs()
        wanted: dict[Here, Controls] = {}
        faults: dict[Place, Text] = {}
        for place, name in self._bound.items():
            try:
                here, controls = self._found(place, name, inputs)
            except DeviceError as error:
                faults[place] = error.text
                continue
            taken = wanted.setdefault(here, {})
            for code, control in controls.items():
                other, _ = taken.setdefault(code, control)
                if other != place:
                    faults[place] = same_device(here, self.what(other), self.what(place), self.section)
        free = [here for here in inputs if here not in wanted] if self._asking else []
        for plugged in self._opened:
            if plugged.here not in wanted and (plugged.grabbed or plugged.here not in free):
                self._drop(plugged)
        for here, controls in wanted.items():
            try:
                self._take(here, controls)
            except Exception as error:  # noqa: BLE001  each place says what is wrong with its device
                faults |= {place: explain(error, self.what(place)) for place, _ in controls.values()}
        self._refused = None
        for here in free:
            try:
                self._open(here)
            except (OSError, CompanionError) as error:
                self._refused = explain(error, Text(str(here)))
        self._settled()
        return faults

    def _found(self, place: Place, name: str, inputs: Iterable[Here]) -> tuple[Here, Controls]:
        try:
            here = find_input(self._device_of(name), self.what(place), self.section, inputs)
        except DeviceError as error:
            raise (DeviceError(disconnected(self.what(place))) if self._asks else error) from error
        return here, self._controls(here, name, place)

    def _take(self, here: Here, controls: Controls) -> None:
        plugged = self._open(here)
        if not plugged.grabbed:
            try:
                plugged.reader.grab()
            except OSError:
                self._drop(plugged)
                raise
            plugged.grabbed = True
        plugged.controls = controls

    def _open(self, here: Here) -> Plugged:
        if here not in self._plugged:
            device = self._open_device(here)
            try:
                reader = self._reader(here, device)
            except OSError:
                device.close()
                raise
            self._plugged[here] = Plugged(here, reader)
            self._waiting.register(reader.fileno(), select.POLLIN)
        return self._plugged[here]

    def _drop(self, plugged: Plugged) -> None:
        del self._plugged[plugged.here]
        with suppress(KeyError):  # not registered while deaf
            self._waiting.unregister(plugged.reader.fileno())
        plugged.reader.close()
