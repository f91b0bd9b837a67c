"""A disk's log of writes by QEMU's blklogwrites, and the disk as a power cut would leave it.

The format is Linux's dm-log-writes: a sector with the number of entries, then each entry's sector and data. Writes
before a flush are durable; a power cut may lose any of the later ones.
"""

import os
import random
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

MAGIC: Final = 0x6A736677736872
HEAD: Final = struct.Struct("<QQQI")
"""Magic, version, number of entries, sector size."""

ENTRY: Final = struct.Struct("<QQQQ")
"""First sector, number of sectors, flags, and a field for marks only."""

FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


class LogError(Exception):
    """Raised for a file that is not a log, or is truncated."""


class Write(NamedTuple):
    """One entry: its place on the disk and in the log."""

    offset: int
    size: int
    data_at: int
    flags: int

    @property
    def flushes(self) -> bool:
        """Whether everything before it is durable."""
        return bool(self.flags & FLUSH)

    @property
    def stays(self) -> bool:
        """Whether it is durable without a flush."""
        return bool(self.flags & FUA)


def read_log(log: BinaryIO) -> list[Write]:
    """Return all entries. Raise LogError for other files."""
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
    """The disk before the log, which moves forwards."""

    def __init__(self, image: Path, log: BinaryIO, writes: Sequence[Write]) -> None:
        """`image` is changed: pass a copy."""
        self._image = image
        self._log = log
        self._writes = writes
        self._done = 0

    def cut(self, place: int, target: Path, luck: random.Random | None) -> None:
        """Write to `target` what a cut after `place` entries leaves; with `luck` some unflushed writes are lost.

        Cuts must come in order.
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
        self._log.seek(write.data_at)
        return self._log.read(write.size)

    def _apply(self, write: Write, disk: BinaryIO) -> None:
        if write.flags & MARK or not write.size:
            return
        disk.seek(write.offset)
        disk.write(bytes(write.size) if write.flags & DISCARD else self.data(write))


def _copy_data(source: Path, target: Path) -> None:
    """Copy a sparse file."""
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
