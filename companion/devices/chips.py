"""Queries the GPIO chips through the kernel, without any library.

Chips are chosen by label, since their numbers change between kernels.
"""

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.errors import nearest
from companion.core.text import msg, reason
from companion.devices.errors import DeviceError

PI_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chips of the 40-pin header: Pi 5, Pi 4, and earlier ones."""

_DEV: Final = Path("/dev")
_PROC: Final = Path("/proc")

# From the kernel's include/uapi/linux/gpio.h: the requests and their structures.
_GET_CHIPINFO: Final = 0x8044B401
_CHIPINFO: Final = struct.Struct("32s32sI")
_GET_LINEINFO: Final = 0xC100B405
_LINEINFO: Final = struct.Struct("32s32sIIQ176x")
_LINE_USED: Final = 1


class Chip(NamedTuple):
    """A GPIO chip, with its number of lines."""

    path: Path
    label: str
    lines: int

    @property
    def number(self) -> int:
        """The kernel's number, which may change."""
        return int(self.path.name.removeprefix("gpiochip"))


class ChipLine(NamedTuple):
    """A line's name, and the program that uses it."""

    name: str
    taken_by: str | None


def chip_files(folder: Path = _DEV) -> list[Path]:
    """Return the device files, without symbolic links."""
    files = [path for path in folder.glob("gpiochip*") if path.name.removeprefix("gpiochip").isdecimal()]
    return sorted((path for path in files if not path.is_symlink()), key=lambda path: (len(path.name), path.name))


def read_chip(path: Path) -> Chip:
    """Query a chip. Raise OSError."""
    with path.open("rb") as file:
        answer = fcntl.ioctl(file, _GET_CHIPINFO, bytes(_CHIPINFO.size))
    _, label, lines = _CHIPINFO.unpack(answer)
    return Chip(path, _text(label), lines)


def read_line(chip: Chip, pin: int) -> ChipLine:
    """Query a line. Raise OSError."""
    with chip.path.open("rb") as file:
        answer = fcntl.ioctl(file, _GET_LINEINFO, _LINEINFO.pack(b"", b"", pin, 0, 0))
    name, consumer, _, _, flags = _LINEINFO.unpack(answer)
    return ChipLine(_text(name), (_text(consumer) or "?") if flags & _LINE_USED else None)


def find_chip(label: str = "", folder: Path = _DEV) -> Chip:
    """Return the chip with a label, by default that of a Pi's header. Raise DeviceError."""
    files = chip_files(folder)
    if not files:
        raise DeviceError(
            msg("there is no GPIO chip on this machine; without a Raspberry Pi try `companion play --virtual`")
        )
    chips, refused = [], []
    for path in files:
        try:
            chips.append(read_chip(path))
        except OSError as error:
            refused.append(explain(error, str(path)))
    for wanted in (label,) if label else PI_LABELS:
        for chip in chips:
            if chip.label == wanted:
                return chip
    if refused:
        raise refused[0]
    labels = [chip.label for chip in chips]
    if label:
        near = nearest(label, labels)
        raise DeviceError(msg("there is no GPIO chip {label!r}; {near}. [buzzers] chip", label=label, near=near))
    found = ", ".join(labels)
    raise DeviceError(
        msg("none of the GPIO chips here is a Raspberry Pi's: {found}. Name yours: [buzzers] chip", found=found)
    )


def explain(error: OSError, what: str) -> DeviceError:
    """Return a DeviceError with the remedy for a kernel error."""
    text = msg("{what}: {why}. See `companion doctor`", what=what, why=reason(error))
    if error.errno in {errno.EACCES, errno.EPERM}:
        text = msg(
            "{what}: no permission. Join the group gpio: sudo usermod -aG gpio $USER, then log in again", what=what
        )
    elif error.errno == errno.EBUSY:
        text = msg("{what}: taken by another program. End it; `companion doctor` says which", what=what)
    elif error.errno in {errno.ENODEV, errno.ENOENT, errno.ENXIO}:
        text = msg("{what}: disconnected. Plug it in again; `companion doctor` lists what is there", what=what)
    return DeviceError(text)


def holders(proc: Path = _PROC) -> list[tuple[int, str]]:
    """Return (pid, name) of processes that use GPIO lines. Only root sees those of others."""
    return [(pid, name) for pid, name in _processes(proc) if pid != os.getpid() and _holds_lines(proc / str(pid))]


def _processes(proc: Path) -> Iterator[tuple[int, str]]:
    for folder in sorted(proc.glob("[0-9]*"), key=lambda folder: int(folder.name)):
        try:
            yield int(folder.name), (folder / "comm").read_text().strip()
        except OSError:
            continue  # it has ended


def _holds_lines(process: Path) -> bool:
    try:
        return any(str(file.readlink()).startswith("anon_inode:gpio-") for file in (process / "fd").iterdir())
    except OSError:
        return False  # it has ended, or belongs to another user


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")
