"""An append-only file of sealed lines: each is durable before anything shows what it says, or is not there."""

import errno
import fcntl
import os
import shlex
from contextlib import suppress
from itertools import count
from pathlib import Path

from companion.core import limits
from companion.core.errors import CompanionError
from companion.core.files import open_regular, read_open
from companion.core.text import msg
from companion.referee import durable, seals


class JournalError(CompanionError, OSError):
    """Error raised when a journal cannot be opened, locked or written."""


class DiskError(JournalError):
    """Error raised when the disk refuses: it is full, read-only, broken, or not ours."""


class LostRecordError(DiskError):
    """Error raised when the record of a running match was deleted, replaced, cut off or added to by somebody."""


class SealedFile:
    """A file of sealed lines, open and locked. Before each line we look whether it is what was written."""

    def __init__(self, path: Path, fd: int, size_bytes: int, seal: str | None) -> None:
        """Go on behind so many bytes, of which the last line has this seal; None where there is none."""
        self.path = path
        self._fd = fd
        self._size = size_bytes
        self._seal = seal or seals.CHAIN
        self._refused = False
        """Whether something may stand behind the end that the disk has refused, and refused to take back."""

    def write(self, body: str) -> None:
        """Write one line and wait until it is durable. Raise JournalError; the file is unchanged then."""
        data, seal = seals.sealed(body, self._seal)
        self._look()
        try:
            if self._refused:
                self._take_back()
            durable.write_all(self._fd, data, self._size)
            os.fdatasync(self._fd)
        except OSError as error:
            self._refused = True  # a whole line that stays would be a move that nobody has seen
            with suppress(OSError):
                self._take_back()
            raise unusable(self.path, error) from error
        self._size += len(data)
        self._seal = seal

    def _look(self) -> None:
        """Raise LostRecordError unless the name still leads to the file that was written, and it is as long."""
        own = os.fstat(self._fd)
        try:
            there = self.path.lstat()
        except FileNotFoundError:
            raise LostRecordError(msg("{path}: somebody has deleted this record", path=self.path)) from None
        except OSError as error:
            raise unusable(self.path, error) from error
        if (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino):
            raise LostRecordError(msg("{path}: somebody has put another file in its place", path=self.path))
        if own.st_size < self._size:
            raise LostRecordError(msg("{path}: somebody has cut this record off", path=self.path))
        if own.st_size > self._size and not self._refused:
            raise LostRecordError(msg("{path}: somebody has written into this record", path=self.path))

    def _take_back(self) -> None:
        """Cut off what the disk has refused. Raise OSError."""
        os.ftruncate(self._fd, self._size)
        self._refused = False

    def close(self) -> None:
        """Close the file, and give it back to other programs."""
        os.close(self._fd)  # and write nothing: this has to work on a disk that refuses, too


def unusable(path: Path, error: OSError) -> DiskError:
    """Return what is told of a file that the disk refuses, with the remedy where we know one."""
    if error.errno == errno.EACCES and (owner := durable.foreign_owner(path)):
        return DiskError(
            msg(
                "{path} belongs to {owner}, since a run as {owner}; this gives it to you: {command}",
                path=path,
                owner=owner,
                command=f"sudo chown {durable.user_name(os.geteuid())} {shlex.quote(str(path))}",
            )
        )
    return DiskError(msg("{path}: {why}", path=path, why=error.strerror or error))


def locked_file(path: Path) -> int:
    """Return a record open and locked. Raise OSError, JournalError when another program has it by another name."""
    fd = open_regular(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        raise JournalError(
            msg("{path}: another program goes on with this record; end it first", path=path)
        ) from None
    except OSError:
        os.close(fd)
        raise
    return fd


def set_aside(path: Path, fd: int, good_bytes: int) -> Path:
    """Keep what follows the good part of an open file in one beside it, cut it off, and return where it is.

    Raise OSError.
    """
    rest = read_open(fd, path, limits.RECORD_BYTES)[good_bytes:]
    numbers = (path.with_name(f"{path.name}.{number}.damaged") for number in count(1))
    aside = next(path for path in numbers if not path.exists())
    os.close(durable.write_whole(aside, rest))
    os.ftruncate(fd, good_bytes)
    return aside
