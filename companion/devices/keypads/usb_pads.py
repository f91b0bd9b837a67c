"""USB number pads through evdev, grabbed so that no other program sees their keys."""

import errno
import fcntl
import logging
import os
import select
import struct
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Final, NamedTuple, Protocol

from companion.core.clock import Clock
from companion.core.errors import CompanionError, OptionError
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.install import install_command
from companion.core.limits import PAD_EVENTS_AT_ONCE
from companion.core.options import option
from companion.core.place import HOUSE, Place, by_place
from companion.core.signal import MERGED, Signal
from companion.core.text import Text, msg, reason
from companion.devices.driver import Device, DeviceOptions, too_much
from companion.devices.errors import DeviceError
from companion.devices.keypads import keypad_of
from companion.devices.keypads.plugged_pads import Here, find_pad
from companion.devices.plugs import Troubles

SOURCE: Final = "usb"

get_evdev = partial(install_command, "usb", "python3-evdev")

LOOK_MS: Final = 1000

BEAT_MS: Final = int(BEAT_S * 1000)

DEBOUNCE_SPREAD_NS: Final = 5_000_000
"""Half of the longest debounce of a pad."""

TRANSFER_NS: Final = 1_000_000
"""The longest time from the pad's answer to the kernel's timestamp."""

# The kernel's include/uapi/linux/input.h and input-event-codes.h.
_EVIOCSCLOCKID: Final = 0x400445A0
_SYN, _SYN_DROPPED, _KEY = 0, 3, 1
_PRESSED, _RELEASED = 1, 0

KEY_OF: Final = {
    # The digits of a pad, then of a row.
    **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),
    **dict(zip((11, 2, 3, 4, 5, 6, 7, 8, 9, 10), "0123456789", strict=True)),
    # Without NumLock: insert, end, down, page down, left, clear, right, ...
    **dict(zip((110, 107, 108, 109, 105, 355, 106, 102, 103, 104), "0123456789", strict=True)),
    **{96: "#", 28: "#"},  # enter
    **{55: "*", 14: "*"},  # asterisk, backspace
    **{98: "A", 53: "A"},  # slash
    **{74: "B", 12: "B"},  # minus
    **{78: "C"},  # plus
    **{83: "D", 52: "D", 121: "D", 111: "D"},  # dot, comma, delete
}
"""The companion's keys by key code."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PadWiring(DeviceOptions):
    """USB number pads, each by its USB path or serial number."""

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


class PadEvent(Protocol):
    """An evdev event."""

    sec: int
    usec: int
    type: int
    code: int
    value: int


class InputDevice(Protocol):
    """The part of evdev.InputDevice that is used."""

    def fileno(self) -> int: ...

    def read(self) -> Iterable[PadEvent]:
        """Return waiting events. Raise BlockingIOError without any, OSError if the pad is gone."""

    def active_keys(self) -> list[int]:
        """Return the codes of all pressed keys, and drop waiting key events."""

    def close(self) -> None: ...


class KeyPress(NamedTuple):
    """A key and the middle of the time in which its contact closed."""

    key: str
    t_ns: int
    uncertainty_ns: int
    flags: tuple[str, ...] = ()


def uncertainty_ns(interval_ns: int) -> int:
    """Return the uncertainty of a press: half of the time before its timestamp in which the contact closed."""
    return interval_ns // 2 + TRANSFER_NS + DEBOUNCE_SPREAD_NS


def settle_ns(interval_ns: int) -> int:
    """Return the longest time from contact to report."""
    return 2 * (interval_ns + TRANSFER_NS + DEBOUNCE_SPREAD_NS)


def same_pad(here: Here, one: Place, other: Place) -> Text:
    return msg(
        "{one} and {other} have the same pad, {pad}: [pads] names it twice; allowed: one place a pad",
        one=keypad_of(one),
        other=keypad_of(other),
        pad=here,
    )


def open_pad(here: Here) -> InputDevice:
    """Open and grab a pad. Raise DeviceError or OSError."""
    try:
        import evdev  # noqa: PLC0415  an extra: few tables have number pads
    except ImportError as error:
        raise DeviceError(msg("evdev is not installed: {get}", get=get_evdev())) from error
    device: Any = evdev.InputDevice(str(here.path))
    try:
        fcntl.ioctl(device, _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
        device.grab()
    except OSError:
        device.close()
        raise
    return device  # type: ignore[no-any-return]


def explain(error: Exception, what: Text) -> Text:
    if isinstance(error, CompanionError):
        return error.text
    if not isinstance(error, OSError):
        log.error("%s", what, exc_info=error)
        return msg("{what}: an internal error; the details are in the log", what=what)
    if error.errno in {errno.EACCES, errno.EPERM}:
        return msg(
            "{what}: no permission. Join the group input: sudo usermod -aG input $USER, then log in again",
            what=what,
        )
    if error.errno == errno.EBUSY:
        return msg("{what}: another program has grabbed it. End that program", what=what)
    if error.errno in {errno.ENODEV, errno.ENOENT, errno.ENXIO}:
        return msg("{what} is disconnected. Plug it into the same socket again", what=what)
    return msg("{what}: {why}. Unplug it and plug it in again", what=what, why=reason(error))


class Pad:
    """Reads presses from an open pad."""

    def __init__(self, device: InputDevice, half_ns: int, clock: Clock) -> None:
        """`half_ns` is the uncertainty of a press."""
        self._device = device
        self._half_ns = half_ns
        self._clock = clock
        self._down = set(device.active_keys())
        self._last_ns = clock.now_ns()

    def fileno(self) -> int:
        return self._device.fileno()

    def read(self) -> Iterator[KeyPress]:
        """Yield new presses. Raise OSError if the pad is gone."""
        dropped_since_ns = None
        for event in self._waiting():
            if (event.type, event.code) == (_SYN, _SYN_DROPPED):
                if dropped_since_ns is None:  # a second loss extends the first
                    dropped_since_ns = self._last_ns
            elif event.type == _KEY:
                stamp_ns = event.sec * 1_000_000_000 + event.usec * 1_000
                yield from self._changed(event.code, event.value, stamp_ns)
        if dropped_since_ns is not None:
            yield from self._look_again(dropped_since_ns)

    def begin_anew(self) -> None:
        """Drop waiting events. Keys that are down are not presses. Raise OSError."""
        self._down = set(self._device.active_keys())
        self._last_ns = self._clock.now_ns()

    def close(self) -> None:
        self._device.close()

    def _waiting(self) -> Iterator[PadEvent]:
        """Yield waiting events, but not endlessly."""
        read = 0
        while read < PAD_EVENTS_AT_ONCE:
            try:
                for event in self._device.read():
                    read += 1
                    yield event
            except BlockingIOError:
                return

    def _changed(self, code: int, value: int, stamp_ns: int) -> Iterator[KeyPress]:
        self._last_ns = stamp_ns
        if value == _RELEASED:
            self._down.discard(code)
        elif value == _PRESSED:  # 2 is the kernel's key repeat
            self._down.add(code)
            if code in KEY_OF:
                # The contact closed before the timestamp, never after it.
                yield KeyPress(KEY_OF[code], stamp_ns - self._half_ns, self._half_ns)

    def _look_again(self, since_ns: int) -> list[KeyPress]:
        """After lost events, return keys that are down but were not."""
        now_ns = self._clock.now_ns()
        down = set(self._device.active_keys())
        new, self._down = down - self._down, down
        log.warning("a keypad was read too late: keys that were pressed and released meanwhile are lost")
        half_ns = (now_ns - since_ns) // 2 + self._half_ns
        return [KeyPress(KEY_OF[code], now_ns - half_ns, half_ns, (MERGED,)) for code in new if code in KEY_OF]


class UsbPads(Device):
    """The number pads of a table, `bound` by path or serial number.

    A lost pad unplugs its place and is searched for every second.
    """

    source = SOURCE
    settle_ns: int = 0  # of the seats' pads: keys of the house do not call

    def __init__(
        self,
        bound: Mapping[Place, str],
        deliver: Callable[[Signal], None],
        clock: Clock,
        *,
        find: Callable[[str, Text], Here] = find_pad,
        open_device: Callable[[Here], InputDevice] = open_pad,
    ) -> None:
        """Open all pads. Raise DeviceError."""
        self._bound = bound
        self._deliver = deliver
        self._clock = clock
        self._find = find
        self._open_device = open_device
        self._troubles = Troubles(SOURCE, deliver, clock)
        self._heartbeat = Heartbeat("usb keypads")
        self._pads: dict[Place, Pad] = {}
        self._here: dict[Place, Here] = {}
        self._waiting = select.poll()
        self._deaf: set[Place] = set()
        self._hear_again: set[Place] = set()
        self._lock = threading.Lock()  # guards `_stopped`: a closed descriptor must not be written
        self._stopped = False
        self._wake = os.eventfd(0)
        self._waiting.register(self._wake, select.POLLIN)
        self._thread: threading.Thread | None = None
        try:
            for place in bound:
                self._open(place)
        except Exception:
            self.close()
            raise

    @property
    def troubles(self) -> dict[Place, Text]:
        return self._troubles.texts

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat] if self._bound else []

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
        if self._bound:
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
        for place in self.troubles:
            self._look_for(place)

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
        os.close(self._wake)

    def _run(self) -> None:
        while not self._stopped:
            self._heartbeat.beat()
            try:
                self.serve(LOOK_MS if self.troubles else BEAT_MS)
            except Exception as error:  # noqa: BLE001  whatever ends this thread would end all pads without a word
                self._lose_all(error)

    def _lose_all(self, error: Exception) -> None:
        for place in self._bound:
            if place in self._pads:
                self._drop(place)
            self._troubles.lost(place, explain(error, keypad_of(place)))
        select.select([self._wake], [], [], LOOK_MS / 1000)

    def _open(self, place: Place) -> None:
        here = self._find(self._bound[place], keypad_of(place))
        for other in self._pads:
            if self._here[other] == here:
                raise DeviceError(same_pad(here, other, place))
        try:
            device = self._open_device(here)
        except OSError as error:
            raise DeviceError(explain(error, keypad_of(place))) from error
        try:
            pad = Pad(device, uncertainty_ns(here.interval_ns), self._clock)
        except OSError as error:
            device.close()
            raise DeviceError(explain(error, keypad_of(place))) from error
        self._pads[place] = pad
        self._here[place] = here
        self._waiting.register(pad.fileno(), select.POLLIN)
        if place != HOUSE:
            self.settle_ns = max(self.settle_ns, settle_ns(here.interval_ns))

    def _read(self, place: Place, pad: Pad) -> None:
        try:
            for key, t_ns, half_ns, flags in pad.read():
                now_ns = self._clock.now_ns()
                self._deliver(Signal(SOURCE, place, key, t_ns, half_ns, now_ns, True, flags))
        except Exception as error:  # noqa: BLE001  whatever ends this thread would end all pads without a word
            self._lose(place, error)

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
        pad = self._pads.pop(place)
        with suppress(KeyError):  # not registered while deaf
            self._waiting.unregister(pad.fileno())
        pad.close()
