"""Finds input devices in sysfs, which needs no permission and no library."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

SYSFS: Final = Path("/sys/class/input")
_DEV: Final = Path("/dev/input")

INTERVAL_NS: Final = 8_000_000
"""The default polling interval, usual for slow USB keyboards."""

_WORD_BITS: Final = 8 * struct.calcsize("l")
"""The kernel writes masks in words of a C long."""


class Here(NamedTuple):
    """A device with keys.

    `phys` is its USB path, `uniq` its serial number, `model` the vendor and product, `interval_ns` the polling
    interval that it declares.
    """

    path: Path
    name: str
    phys: str
    uniq: str
    interval_ns: int = INTERVAL_NS
    keys: frozenset[int] = frozenset()
    model: str = ""

    def answers_to(self, bound: str) -> bool:
        """Return True if `bound` is its path, with or without the interface, or serial number."""
        return bound in {self.phys, self.phys.rpartition("/")[0], self.uniq}

    @property
    def identity(self) -> str:
        """Its USB path, which distinguishes devices of one model. All Bluetooth devices have the same path."""
        return self.phys if self.phys.startswith("usb-") else self.uniq or self.phys

    def __str__(self) -> str:
        return f"{self.phys or self.uniq} ({self.name})"


def inputs_here(sysfs: Path = SYSFS) -> list[Here]:
    """Return the plugged-in devices that have keys."""
    folders = sorted(sysfs.glob("event[0-9]*"), key=lambda folder: int(folder.name.removeprefix("event")))
    return list(_described(folders))


def _described(folders: list[Path]) -> Iterator[Here]:
    for folder in folders:
        device = folder / "device"
        try:
            keys = _bits(_said(device / "capabilities" / "key"))
            if keys:
                name, phys, uniq = (_said(device / file) for file in ("name", "phys", "uniq"))
                model = ":".join(_said(device / "id" / file) for file in ("vendor", "product"))
                yield Here(_DEV / folder.name, name, phys, uniq, _interval_ns(device), keys, model)
        except OSError:
            continue  # it has been unplugged


def _bits(mask: str) -> frozenset[int]:
    """Return the set bits of a mask in hexadecimal words, the highest first."""
    value = 0
    for word in mask.split():
        value = value << _WORD_BITS | int(word, 16)
    return frozenset(bit for bit in range(value.bit_length()) if value >> bit & 1)


def _interval_ns(device: Path) -> int:
    for folder in device.resolve().parents:
        for endpoint in folder.glob("ep_8*"):
            said = re.fullmatch(r"(\d+)(ms|us)", _said(endpoint / "interval"))
            return int(said[1]) * {"ms": 1_000_000, "us": 1_000}[said[2]] if said else INTERVAL_NS
    return INTERVAL_NS


def _said(file: Path) -> str:
    return file.read_text("utf-8", "replace").strip()  # a name may have any bytes
