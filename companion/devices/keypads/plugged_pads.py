"""Finds number pads in sysfs, which needs no permission and no library."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.text import Text, msg
from companion.devices.errors import DeviceError

SYSFS: Final = Path("/sys/class/input")
_DEV: Final = Path("/dev/input")

INTERVAL_NS: Final = 8_000_000
"""The default polling interval, usual for slow USB keyboards."""

# Key codes of digits from the kernel's include/uapi/linux/input-event-codes.h: in a row, and on a pad.
_ROW_DIGITS: Final = frozenset(range(2, 12))
_PAD_DIGITS: Final = frozenset((71, 72, 73, 75, 76, 77, 79, 80, 81, 82))

_WORD_BITS: Final = 8 * struct.calcsize("l")
"""The kernel writes masks in words of a C long."""


class Here(NamedTuple):
    """A device with all digits. `phys` is its USB path, `uniq` its serial number."""

    path: Path
    name: str
    phys: str
    uniq: str
    interval_ns: int = INTERVAL_NS

    def answers_to(self, bound: str) -> bool:
        """Return True if `bound` is its path, with or without the interface, or serial number."""
        return bound in {self.phys, self.phys.rpartition("/")[0], self.uniq}

    @property
    def identity(self) -> str:
        """Its USB path, which distinguishes pads of one model. All Bluetooth pads have the same path."""
        return self.phys if self.phys.startswith("usb-") else self.uniq or self.phys

    def __str__(self) -> str:
        return f"{self.phys or self.uniq} ({self.name})"


def pads_here(sysfs: Path = SYSFS) -> list[Here]:
    folders = sorted(sysfs.glob("event[0-9]*"), key=lambda folder: int(folder.name.removeprefix("event")))
    return list(_described(folders))


def find_pad(bound: str, what: Text, sysfs: Path = SYSFS) -> Here:
    """Return the device that `table.toml` names. Raise DeviceError."""
    pads = pads_here(sysfs)
    meant = [pad for pad in pads if pad.answers_to(bound)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise DeviceError(
            msg(
                "{what}: {n} devices match {bound!r}: {pads}. Name one by its path: [pads]",
                what=what,
                n=len(meant),
                bound=bound,
                pads=", ".join(map(str, meant)),
            )
        )
    found = ", ".join(map(str, pads)) or msg("none")
    raise DeviceError(
        msg(
            "{what}: there is no {bound!r}; found: {found}. Plug it in, or name yours: [pads]",
            what=what,
            bound=bound,
            found=found,
        )
    )


def _described(folders: list[Path]) -> Iterator[Here]:
    for folder in folders:
        device = folder / "device"
        try:
            keys = _bits(_said(device / "capabilities" / "key"))
            if keys >= _PAD_DIGITS or keys >= _ROW_DIGITS:
                name, phys, uniq = (_said(device / file) for file in ("name", "phys", "uniq"))
                yield Here(_DEV / folder.name, name, phys, uniq, _interval_ns(device))
        except OSError:
            continue  # it has been unplugged


def _bits(mask: str) -> set[int]:
    """Return the set bits of a mask in hexadecimal words, the highest first."""
    value = 0
    for word in mask.split():
        value = value << _WORD_BITS | int(word, 16)
    return {bit for bit in range(value.bit_length()) if value >> bit & 1}


def _interval_ns(device: Path) -> int:
    for folder in device.resolve().parents:
        for endpoint in folder.glob("ep_8*"):
            said = re.fullmatch(r"(\d+)(ms|us)", _said(endpoint / "interval"))
            return int(said[1]) * {"ms": 1_000_000, "us": 1_000}[said[2]] if said else INTERVAL_NS
    return INTERVAL_NS


def _said(file: Path) -> str:
    return file.read_text("utf-8", "replace").strip()  # a name may have any bytes
