"""Reads one number pad through evdev, with the kernel's timestamps."""

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
from companion.devices.keypads.plugged_pads import Here

get_evdev = partial(install_command, "usb", "python3-evdev")

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

    def grab(self) -> None:
        """Hide its keys from other programs. Raise OSError."""

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


def disconnected(what: Text) -> Text:
    return msg("{what} is disconnected. Plug it into the same socket again", what=what)


def open_pad(here: Here) -> InputDevice:
    """Open a pad. Raise DeviceError or OSError."""
    try:
        import evdev  # noqa: PLC0415  an extra: few tables have number pads
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


class Pad:
    """Reads presses from an open pad."""

    def __init__(self, device: InputDevice, half_ns: int, clock: Clock) -> None:
        """`half_ns` is the uncertainty of a press."""
        self._device = device
        self._half_ns = half_ns
        self._clock = clock
        self._down = set(device.active_keys())
        self._last_ns = clock.now_ns()
        self.other_key_ns = 0
        """When a key was last pressed that number pads lack."""

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

    def grab(self) -> None:
        self._device.grab()

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
            else:
                self.other_key_ns = stamp_ns

    def _look_again(self, since_ns: int) -> list[KeyPress]:
        """After lost events, return keys that are down but were not."""
        now_ns = self._clock.now_ns()
        down = set(self._device.active_keys())
        new, self._down = down - self._down, down
        log.warning("a keypad was read too late: keys that were pressed and released meanwhile are lost")
        half_ns = (now_ns - since_ns) // 2 + self._half_ns
        return [KeyPress(KEY_OF[code], now_ns - half_ns, half_ns, (MERGED,)) for code in new if code in KEY_OF]
