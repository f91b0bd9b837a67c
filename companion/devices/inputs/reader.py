"""Reads one input device through evdev, with the kernel's timestamps."""

import errno
import fcntl
import logging
import struct
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.core.install import install_command
from companion.core.limits import PAD_EVENTS_AT_ONCE
from companion.core.signal import MERGED
from companion.core.text import Text, msg, reason
from companion.devices.errors import DeviceError
from companion.devices.inputs.found import Here

get_evdev = partial(install_command, "usb", "python3-evdev")

DEBOUNCE_SPREAD_NS: Final = 5_000_000
"""Half of the longest debounce of a device."""

TRANSFER_NS: Final = 1_000_000
"""The longest time from the device's answer to the kernel's timestamp."""

# The kernel's include/uapi/linux/input.h and input-event-codes.h.
_EVIOCSCLOCKID: Final = 0x400445A0
_SYN, _KEY, _REL, _ABS = range(4)
_SYN_REPORT, _SYN_DROPPED = 0, 3
_REPEATED: Final = 2

log = logging.getLogger(__name__)


class InputEvent(Protocol):
    """An evdev event."""

    sec: int
    usec: int
    type: int
    code: int
    value: int


class InputDevice(Protocol):
    """The part of evdev.InputDevice that is used."""

    def fileno(self) -> int: ...

    def read(self) -> Iterable[InputEvent]:
        """Return waiting events. Raise BlockingIOError without any, OSError if the device is gone."""

    def active_keys(self) -> list[int]:
        """Return the codes of all pressed keys, and drop waiting key events."""

    def grab(self) -> None:
        """Hide its keys from other programs. Raise OSError."""

    def close(self) -> None: ...


class Change(NamedTuple):
    """A key that went down or up, and the middle of the time in which it did."""

    code: int
    pressed: bool
    t_ns: int
    uncertainty_ns: int
    flags: tuple[str, ...] = ()


def uncertainty_ns(interval_ns: int) -> int:
    """Return the uncertainty of a press: half of the time before its timestamp in which the contact closed."""
    return interval_ns // 2 + TRANSFER_NS + DEBOUNCE_SPREAD_NS


def disconnected(what: Text) -> Text:
    return msg("{what} is disconnected. Plug it into the same socket again", what=what)


def open_input(here: Here) -> InputDevice:
    """Open a device. Raise DeviceError or OSError."""
    try:
        import evdev  # noqa: PLC0415  an extra: few tables have input devices
    except ImportError as error:
        raise DeviceError(msg("evdev is not installed: {get}", get=get_evdev())) from error
    device: Any = evdev.InputDevice(str(here.path))
    try:
        fcntl.ioctl(device, _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
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
        return disconnected(what)
    return msg("{what}: {why}. Unplug it and plug it in again", what=what, why=reason(error))


class InputReader:
    """Reads an open device. `half_ns` is the uncertainty of its presses, `down` has the keys that are pressed."""

    def __init__(self, device: InputDevice, clock: Clock, half_ns: int) -> None:
        self.half_ns = half_ns
        self._device = device
        self._clock = clock
        self._speaks = False
        self.begin_anew()

    def fileno(self) -> int:
        return self._device.fileno()

    def begin_anew(self) -> None:
        """Drop waiting events. Keys that are down are not presses. Raise OSError."""
        self.down = set(self._device.active_keys())
        self._last_ns = self._clock.now_ns()

    def grab(self) -> None:
        self._device.grab()

    def close(self) -> None:
        self._device.close()

    def changes(self) -> Iterator[Change]:
        """Yield what is new. Raise OSError if the device is gone."""
        dropped_since_ns = None
        for event in self._waiting():
            stamp_ns = event.sec * 1_000_000_000 + event.usec * 1_000
            if (event.type, event.code) == (_SYN, _SYN_DROPPED):
                self._speaks = False
                if dropped_since_ns is None:  # a second loss extends the first
                    dropped_since_ns = self._last_ns
            elif (event.type, event.code) == (_SYN, _SYN_REPORT) and self._speaks:
                self._speaks = False
                self._reported(stamp_ns)
            elif event.type == _KEY and event.value != _REPEATED:  # the kernel repeats keys, not the device
                self._speaks = True
                self._last_ns = stamp_ns
                pressed = event.value != 0
                (self.down.add if pressed else self.down.discard)(event.code)
                # The contact changed before the timestamp, never after it.
                yield Change(event.code, pressed, stamp_ns - self.half_ns, self.half_ns)
            elif event.type in {_REL, _ABS}:
                self._speaks = True
        if dropped_since_ns is not None:
            yield from self._look_again(dropped_since_ns)

    def _reported(self, stamp_ns: int) -> None:
        """Note that the device has sent a report."""

    def _waiting(self) -> Iterator[InputEvent]:
        """Yield waiting events, but not endlessly."""
        read = 0
        while read < PAD_EVENTS_AT_ONCE:
            try:
                for event in self._device.read():
                    read += 1
                    yield event
            except BlockingIOError:
                return

    def _look_again(self, since_ns: int) -> list[Change]:
        """After lost events, return the keys that are now otherwise."""
        now_ns = self._clock.now_ns()
        down = set(self._device.active_keys())
        changed, self.down = down ^ self.down, down
        log.warning("an input device was read too late: keys that were pressed and released meanwhile are lost")
        half_ns = (now_ns - since_ns) // 2 + self.half_ns
        return [Change(code, code in down, now_ns - half_ns, half_ns, (MERGED,)) for code in sorted(changed)]
