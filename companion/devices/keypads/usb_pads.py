"""USB number pads through evdev. Those with a place are grabbed, so that no other program sees their keys."""

import logging
import os
import select
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final

from companion.core.clock import Clock
from companion.core.errors import CompanionError, OptionError
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.options import option
from companion.core.place import HOUSE, MOST_PLACES, Place, by_place, each_place
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.devices.driver import DeviceOptions, too_much
from companion.devices.errors import DeviceError
from companion.devices.keypads import keypad_of
from companion.devices.keypads.pad import (
    InputDevice,
    Pad,
    disconnected,
    explain,
    open_pad,
    settle_ns,
    uncertainty_ns,
)
from companion.devices.keypads.plugged_pads import Here, find_pad, pads_here
from companion.devices.pairing import PairedDevice, Presses, Unit
from companion.devices.plugs import Troubles

SOURCE: Final = "usb"

LOOK_MS: Final = 1000

BEAT_MS: Final = int(BEAT_S * 1000)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PadWiring(DeviceOptions):
    """USB number pads, each by its USB path or serial number."""

    ask: bool = option(
        False,
        msg("whether the table asks whose each USB number pad is, and stores the answers in seats and house"),
    )
    seats: tuple[str, ...] = option(
        (),
        msg("each seat's USB number pad, clockwise, by its path (usb-...) or serial number; empty: there is none"),
    )
    house: str = option(
        "", msg("the house's USB number pad, by its path (usb-...) or serial; empty: there is none")
    )

    @property
    def bound(self) -> dict[Place, str]:
        """Path or serial number of each pad, by place."""
        bound = {HOUSE: self.house, **dict(by_place(self.seats))}
        return {place: pad for place, pad in bound.items() if pad}

    @property
    def keypad_places(self) -> Collection[Place]:
        return self.bound.keys()

    def check(self, where: str) -> None:
        """Raise OptionError for too many pads, or one pad at two places."""
        if len(self.seats) > 5:
            raise OptionError(msg("{where}: [pads]: seats: allowed: up to 5 pads, one a seat", where=where))
        for (one, pad), (two, same) in combinations(self.bound.items(), 2):
            if pad == same or pad in _without_part(same) or same in _without_part(pad):
                raise OptionError(
                    msg(
                        "{where}: [pads]: {one} and {other} have the same pad, {pad!r}; allowed: one place a pad",
                        where=where,
                        one=_entry(one),
                        other=_entry(two),
                        pad=same,
                    )
                )


def _entry(place: Place) -> Text:
    return Text("house") if place == HOUSE else msg("seats, seat {n}", n=place + 1)


def _without_part(pad: str) -> tuple[str, ...]:
    """Return a path without its interface, which may be omitted; () for a serial number."""
    path, slash, _ = pad.rpartition("/")
    return (path,) if slash else ()


def same_pad(here: Here, one: Place, other: Place) -> Text:
    return msg(
        "{one} and {other} have the same pad, {pad}: [pads] names it twice; allowed: one place a pad",
        one=keypad_of(one),
        other=keypad_of(other),
        pad=here,
    )


class UsbPads(PairedDevice):
    """The number pads of a table.

    A lost pad unplugs its place and is searched for every second. Pads without a place are read only while the
    table asks whose they are.
    """

    source = SOURCE
    section = "pads"
    whose: ClassVar[Text] = msg("Whose pad is this?")
    settle_ns: int = 0  # of the seats' pads: keys of the house do not call

    def __init__(
        self,
        bound: Mapping[Place, str],
        deliver: Callable[[Signal], None],
        clock: Clock,
        *,
        ask: bool = False,
        find: Callable[[str, Text], Here] = find_pad,
        list_pads: Callable[[], list[Here]] = pads_here,
        open_device: Callable[[Here], InputDevice] = open_pad,
    ) -> None:
        """Open the pads, `bound` by path or serial number. Raise DeviceError; with `ask` a pad may be missing."""
        self._asks = ask
        self._bound = bound
        self._wanted = bound
        """What the thread will bind. It alone changes `_bound`."""
        self._deliver = deliver
        self._clock = clock
        self._find = find
        self._list_pads = list_pads
        self._open_device = open_device
        self._troubles = Troubles(SOURCE, deliver, clock)
        self._heartbeat = Heartbeat("usb keypads")
        self._presses = Presses()
        self._pads: dict[Place, Pad] = {}
        self._here: dict[Place, Here] = {}
        self._names: dict[Place, str] = {}
        self._missing: dict[Place, Text] = {}
        self._asking = False
        self._free: dict[Here, Pad] = {}
        """Pads without a place, read while the table asks."""
        self._refused: Text | None = None
        self._other_key_ns = 0
        self._waiting = select.poll()
        self._deaf: set[Place] = set()
        self._hear_again: set[Place] = set()
        self._lock = threading.Lock()  # guards `_stopped`: a closed descriptor must not be written
        self._stopped = False
        self._wake = os.eventfd(0)
        self._waiting.register(self._wake, select.POLLIN)
        self._thread: threading.Thread | None = None
        try:
            for place in self._bound:
                try:
                    self._open(place)
                except DeviceError as error:
                    if not ask:
                        raise
                    self._missing[place] = error.text
        except Exception:
            self.close()
            raise

    @property
    def troubles(self) -> dict[Place, Text]:
        return self._troubles.texts

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat] if self._asks or self._bound else []

    def flooded(self, place: Place) -> Text:
        return too_much(keypad_of(place))

    def deafen(self, place: Place) -> None:
        """Stop reading a pad. It stays grabbed."""
        self._deaf.add(place)

    def listen(self, place: Place) -> None:
        with self._lock:
            if not self._stopped:
                self._hear_again.add(place)
                os.eventfd_write(self._wake, 1)

    def watch(self) -> None:
        """Read from now on, in a thread that otherwise sleeps."""
        for place, why in self._missing.items():
            self._troubles.lost(place, why)
        if self._asks or self._bound:
            self._thread = threading.Thread(target=self._run, name="usb keypads", daemon=True)
            self._thread.start()

    def serve(self, timeout_ms: int | None = None) -> None:
        """Wait for keys, deliver them, and search for missing pads."""
        ready = [descriptor for descriptor, _ in self._waiting.poll(timeout_ms)]
        if self._wake in ready and not self._stopped:
            os.eventfd_read(self._wake)
        with self._lock:
            again, self._hear_again = self._hear_again, set()
        self._deaf -= again
        for place, pad in list(self._pads.items()):
            if place in again:
                self._listen_to(place, pad)
            elif pad.fileno() in ready and place in self._deaf:
                self._waiting.unregister(pad.fileno())
            elif pad.fileno() in ready:
                self._read(place, pad)
        for here, pad in list(self._free.items()):
            if pad.fileno() in ready:
                self._read_free(here, pad)
        self._settle_places()
        for place in self.troubles:
            self._look_for(place)
        self._look_for_free()

    def close(self) -> None:
        """Release the pads, so that other programs see their keys again."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
            os.eventfd_write(self._wake, 1)
        if self._thread:
            self._thread.join()
        for place in list(self._pads):
            self._drop(place)
        for here in list(self._free):
            self._drop_free(here)
        os.close(self._wake)

    # --- Whose pad is this? ---------------------------------------------------------------------------

    @property
    def menu_line(self) -> Text | None:
        return msg("Number pads") if self._asks else None

    @property
    def pairable_places(self) -> tuple[Place, ...]:
        return (*each_place(MOST_PLACES), HOUSE)

    @property
    def places_to_ask(self) -> list[Place]:
        """Without any pad all places, then those whose pad is missing: a keyboard may always be plugged in."""
        if not self._asks:
            return []
        asked = self._wanted or self.pairable_places
        return [place for place in self.pairable_places if place in asked and place not in self._pads]

    def units(self, since_ns: int) -> list[Unit]:
        return [
            Unit(
                here.identity,
                next((place for place, name in self._wanted.items() if here.answers_to(name)), None),
                self._presses.first(here.identity, since_ns),
            )
            for here in self._list_pads()
        ]

    def bind(self, identity: str, place: Place) -> None:
        found = [unit for unit in self.units(0) if unit.identity == identity]
        if not found:
            raise DeviceError(disconnected(keypad_of(place)))
        kept = {other: pad for other, pad in self._wanted.items() if other not in {place, found[0].place}}
        self._wanted = {**kept, place: identity}
        self._wake_up()

    @property
    def paired(self) -> PadWiring:
        places = each_place(max(self._wanted, default=HOUSE) + 1)
        seats = tuple(self._wanted.get(place, "") for place in places)
        return PadWiring(self._asks, seats, self._wanted.get(HOUSE, ""))

    def press_yours(self, place: Place) -> Text:
        if place == HOUSE:
            return msg("The house: press a key on the house's pad")
        return msg("Seat {n}: press a key on your pad", n=place + 1)

    def listen_to_all(self, *, on: bool) -> None:
        self._asking = on
        self._wake_up()

    def remark(self, since_ns: int) -> Text | None:
        if self._other_key_ns > since_ns:
            return msg("That key does nothing here")
        return self._refused

    # --- Reading --------------------------------------------------------------------------------------

    def _wake_up(self) -> None:
        with self._lock:
            if not self._stopped:
                os.eventfd_write(self._wake, 1)

    def _run(self) -> None:
        while not self._stopped:
            self._heartbeat.beat()
            try:
                self.serve(LOOK_MS if self._asking or self.troubles else BEAT_MS)
            except Exception as error:  # noqa: BLE001  whatever ends this thread would end all pads without a word
                self._lose_all(error)

    def _lose_all(self, error: Exception) -> None:
        for place in self._bound:
            if place in self._pads:
                self._drop(place)
            self._troubles.lost(place, explain(error, keypad_of(place)))
        select.select([self._wake], [], [], LOOK_MS / 1000)

    def _settle_places(self) -> None:
        """Close the pads that have lost their place, and open those that have a new one."""
        bound = self._bound = self._wanted
        for place, name in list(self._names.items()):
            if bound.get(place) != name:
                self._drop(place)
        for place in self.troubles.keys() - bound.keys():
            self._troubles.back(place)
        for place in bound.keys() - self._pads.keys() - self.troubles.keys():
            try:
                self._open(place)
            except CompanionError as error:
                self._troubles.lost(place, error.text)

    def _look_for_free(self) -> None:
        """While the table asks, also open the pads without a place, but do not grab them."""
        opened = self._here.values()
        there = [here for here in self._list_pads() if here not in opened] if self._asking else []
        for here in self._free.keys() - set(there):
            self._drop_free(here)
        refused = None
        for here in there:
            if here not in self._free:
                try:
                    self._free[here] = pad = self._opened(here, Text(str(here)))
                    self._waiting.register(pad.fileno(), select.POLLIN)
                except DeviceError as error:
                    refused = error.text
        self._refused = refused

    def _open(self, place: Place) -> None:
        try:
            here = self._find(self._bound[place], keypad_of(place))
        except DeviceError as error:
            if self._asks:
                raise DeviceError(disconnected(keypad_of(place))) from error
            raise
        for other in self._pads:
            if self._here[other] == here:
                raise DeviceError(same_pad(here, other, place))
        what = keypad_of(place)
        pad = self._free.pop(here, None) or self._opened(here, what)
        self._waiting.register(pad.fileno(), select.POLLIN)
        try:
            pad.grab()
        except OSError as error:
            self._close(pad)
            raise DeviceError(explain(error, what)) from error
        self._pads[place] = pad
        self._here[place], self._names[place] = here, self._bound[place]
        if place != HOUSE:
            self.settle_ns = max(self.settle_ns, settle_ns(here.interval_ns))

    def _opened(self, here: Here, what: Text) -> Pad:
        try:
            device = self._open_device(here)
        except OSError as error:
            raise DeviceError(explain(error, what)) from error
        try:
            return Pad(device, uncertainty_ns(here.interval_ns), self._clock)
        except OSError as error:
            device.close()
            raise DeviceError(explain(error, what)) from error

    def _read(self, place: Place, pad: Pad) -> None:
        try:
            for key, t_ns, half_ns, flags in pad.read():
                self._presses.note(self._here[place].identity, t_ns, half_ns)
                now_ns = self._clock.now_ns()
                self._deliver(Signal(SOURCE, place, key, t_ns, half_ns, now_ns, True, flags))
            self._other_key_ns = max(self._other_key_ns, pad.other_key_ns)
        except Exception as error:  # noqa: BLE001  whatever ends this thread would end all pads without a word
            self._lose(place, error)

    def _read_free(self, here: Here, pad: Pad) -> None:
        try:
            for press in pad.read():
                self._presses.note(here.identity, press.t_ns, press.uncertainty_ns)
            self._other_key_ns = max(self._other_key_ns, pad.other_key_ns)
        except OSError:  # it is unplugged
            self._drop_free(here)

    def _listen_to(self, place: Place, pad: Pad) -> None:
        try:
            pad.begin_anew()
        except OSError as error:
            self._lose(place, error)
        else:
            self._waiting.register(pad.fileno(), select.POLLIN)

    def _lose(self, place: Place, error: Exception) -> None:
        why = explain(error, keypad_of(place))
        log.warning("%s", why)
        self._drop(place)
        self._troubles.lost(place, why)

    def _look_for(self, place: Place) -> None:
        try:
            self._open(place)
        except CompanionError:
            return  # the first reason stays
        self._troubles.back(place)

    def _drop(self, place: Place) -> None:
        del self._here[place], self._names[place]
        self._close(self._pads.pop(place))

    def _drop_free(self, here: Here) -> None:
        self._close(self._free.pop(here))

    def _close(self, pad: Pad) -> None:
        with suppress(KeyError):  # not registered while deaf
            self._waiting.unregister(pad.fileno())
        pad.close()
