"""Copies MicroPython onto a Pico in its boot loader."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from companion.core.text import msg, reason
from companion.devices.errors import DeviceError

DRIVE: Final = Path("/dev/disk/by-label/RPI-RP2")
"""A Pico that was plugged in with BOOTSEL held."""

MOUNTS: Final = Path("/proc/self/mounts")

OLDEST: Final = (1, 24)
"""The oldest MicroPython that runs the firmware."""

_BLOCK: Final = 512
_BEGIN: Final = b"UF2\nWQ]\x9e"
_RP2040: Final = 0xE48BFF56
_VERSION: Final = re.compile(rb"MicroPython v(\d+)\.(\d+)")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


class Image(NamedTuple):
    """A UF2 file with MicroPython."""

    path: Path
    version: str


def read_image(path: Path) -> Image:
    """Read a UF2 file. Raise DeviceError if it is for another chip, or without a recent MicroPython."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DeviceError(msg("{path}: {why}", path=path, why=reason(error))) from error
    blocks = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]
    if not blocks or any(len(block) < _BLOCK or not block.startswith(_BEGIN) for block in blocks):
        raise _refused(path, "?")
    ours = [block for block in blocks if int.from_bytes(block[28:32], "little") == _RP2040]
    found = _VERSION.search(b"".join(block[32 : 32 + int.from_bytes(block[16:20], "little")] for block in ours))
    version = tuple(map(int, found.groups())) if found else ()
    told = ".".join(map(str, version))
    if version < OLDEST:
        raise _refused(path, told or "?")
    return Image(path, told)


def _refused(path: Path, found: str) -> DeviceError:
    return DeviceError(
        msg(
            "{path}: MicroPython {found}; needed: a UF2 of MicroPython {oldest} or later for the Raspberry Pi "
            "Pico, from micropython.org/download/RPI_PICO",
            path=path,
            found=found,
            oldest=".".join(map(str, OLDEST)),
        )
    )


def put(image: Image, run: Run = subprocess.run) -> None:
    """Copy the image onto the waiting Pico, which then starts it. Raise DeviceError."""
    if not DRIVE.exists():
        raise DeviceError(
            msg("no Pico is ready for MicroPython: hold its BOOTSEL button while you plug it in, then try again")
        )
    if shutil.which("picotool") and not _mounted():
        _must(run, "picotool", "load", "-x", str(image.path))
        return
    with _folder(run) as folder:
        try:
            with Path(folder, "micropython.uf2").open("wb") as copied:
                copied.write(image.path.read_bytes())
                copied.flush()
                os.fsync(copied.fileno())
        except OSError as error:
            if DRIVE.exists():  # otherwise the copy is complete and the Pico has started
                raise DeviceError(msg("{path}: {why}", path=folder, why=reason(error))) from error


def _mounted() -> Path | None:
    device = os.path.realpath(DRIVE)
    rows = (line.split() for line in MOUNTS.read_text("utf-8").splitlines())
    return next((Path(row[1].replace("\\040", " ")) for row in rows if os.path.realpath(row[0]) == device), None)


@contextmanager
def _folder(run: Run) -> Iterator[Path]:
    mounted = _mounted()
    if mounted:
        yield mounted
        return
    if os.geteuid() == 0:
        with TemporaryDirectory() as folder:
            _must(run, "mount", str(DRIVE), folder)
            try:
                yield Path(folder)
            finally:
                run(["umount", "--lazy", folder], capture_output=True, text=True, check=False)  # it may have left
        return
    if shutil.which("udisksctl"):
        _must(run, "udisksctl", "mount", "--no-user-interaction", "--block-device", str(DRIVE))
        if mounted := _mounted():
            yield mounted
            return
    raise DeviceError(
        msg(
            "{drive} is not mounted, and you are not allowed to mount it: sudo mount -o uid=$USER {drive} /mnt, "
            "then try again",
            drive=DRIVE,
        )
    )


def _must(run: Run, *command: str) -> None:
    done = run(list(command), capture_output=True, text=True, check=False)
    if done.returncode:
        why = (done.stderr or done.stdout).strip() or done.returncode
        raise DeviceError(msg("{command}: {why}", command=" ".join(command), why=why))
