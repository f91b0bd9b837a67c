"""The log of a disk's writes, as QEMU's blklogwrites keeps it, and the disk as a power cut would have left it.

The log has the form of Linux's dm-log-writes: a sector that says how many entries there are, then each entry's
own sector and its data. A flush is an entry: what was written before it is on the disk for good, what comes after
it and before the next flush may or may not be when the power goes, each write for itself.
"""

import os
import random
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

MAGIC: Final = 0x6A736677736872
HEAD: Final = struct.Struct("<QQQI")
"""Magic, version, number of entries, size of a sector."""

ENTRY: Final = struct.Struct("<QQQQ")
"""First sector, number of sectors, flags, and what only marks use."""

FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


class LogError(Exception):
    """Raised for a file that is no log, or one that is cut off."""


class Write(NamedTuple):
    """One entry: where its data goes on the disk, where it is in the log, and what it is."""

    offset: int
    size: int
    data_at: int
    flags: int

    @property
    def flushes(self) -> bool:
        """Whether all before it is on the disk for good."""
        return bool(self.flags & FLUSH)

    @property
    def stays(self) -> bool:
        """Whether it does not wait for a flush itself."""
        return bool(self.flags & FUA)


def read_log(log: BinaryIO) -> list[Write]:
    """Return all entries. Raise LogError for what is no log."""
    log.seek(0)
    magic, _, count, sector = HEAD.unpack(log.read(HEAD.size))
    if magic != MAGIC:
        raise LogError("this is no log of writes")
    return list(_entries(log, count, sector))


def _entries(log: BinaryIO, count: int, sector: int) -> Iterator[Write]:
    at = sector
    for _ in range(count):
        log.seek(at)
        head = log.read(ENTRY.size)
        if len(head) < ENTRY.size:
            raise LogError(f"cut off at {at}")
        first, sectors, flags, _ = ENTRY.unpack(head)
        at += sector
        yield Write(first * sector, sectors * sector, at, flags)
        if not flags & DISCARD:
            at += sectors * sector


class Disk:
    """The disk as it was before the log, and forwards from there; a power cut is made into another file."""

    def __init__(self, image: Path, log: BinaryIO, writes: Sequence[Write]) -> None:
        """The image is changed: give it a copy."""
        self._image = image
        self._log = log
        self._writes = writes
        self._done = 0

    def cut(self, place: int, target: Path, luck: random.Random | None) -> None:
        """Leave in `target` what a power cut leaves after so many entries: all of it, or with luck only some.

        What was flushed is there, of what was written since then each write is or is not. Cuts are to be made in
        order.
        """
        flushed = max((number for number in range(place) if self._writes[number].flushes), default=0)
        if flushed < self._done:
            raise ValueError("the disk is further than that already")
        with self._image.open("r+b") as image:
            for write in self._writes[self._done : flushed]:
                self._apply(write, image)
        self._done = flushed
        _copy_data(self._image, target)
        with target.open("r+b") as disk:
            for write in self._writes[flushed:place]:
                if luck is None or write.stays or luck.random() < 0.5:
                    self._apply(write, disk)

    def data(self, write: Write) -> bytes:
        """Return what was written."""
        self._log.seek(write.data_at)
        return self._log.read(write.size)

    def _apply(self, write: Write, disk: BinaryIO) -> None:
        if write.flags & MARK or not write.size:
            return
        disk.seek(write.offset)
        disk.write(bytes(write.size) if write.flags & DISCARD else self.data(write))


def _copy_data(source: Path, target: Path) -> None:
    """Copy a file of which most is a hole."""
    with source.open("rb") as old, target.open("wb") as new:
        end = os.fstat(old.fileno()).st_size
        new.truncate(end)
        place = 0
        while place < end:
            try:
                begins = os.lseek(old.fileno(), place, os.SEEK_DATA)
            except OSError:
                return  # only a hole follows
            place = os.lseek(old.fileno(), begins, os.SEEK_HOLE)
            old.seek(begins)
            new.seek(begins)
            new.write(old.read(place - begins))
