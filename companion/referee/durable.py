"""Durable files and folders that nobody else can redirect, and files of sealed lines.

A sealed line ends with a blank, `;` and a seal: the first 128 bits of the SHA-256 of the previous seal and the
line. The seal proves the line and all lines before it.
"""

import errno
import fcntl
import os
import pwd
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

from companion.core import limits
from companion.core.errors import CompanionError, RecordError
from companion.core.files import UnfitError, open_regular, read_open
from companion.core.text import msg, reason


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can read, and its parents, durably."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(0o700, exist_ok=True)
        with _opened_folder(each) as fd:
            _give_to_owner(fd, each.parent)
        _sync_folder(each.parent)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def open_lock(path: Path) -> int:
    """Open or create a lock file. Raises OSError, and UnfitError for a link."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        fd = open_regular(path, os.O_RDWR | os.O_NOFOLLOW)
        if os.fstat(fd).st_nlink != 1:  # a hard link to somebody's file
            os.close(fd)
            raise UnfitError(path, msg("this is not a regular file")) from None
    else:
        _give_to_owner(fd, path.parent)
    return fd


def make_mark(path: Path) -> None:
    """Make an empty file, durably. Raises as `open_lock` does."""
    os.close(open_lock(path))
    _sync_folder(path.parent)


def foreign_owner(path: Path) -> str | None:
    """Return who owns a file in our folder; None if it is ours or the folder is not."""
    try:
        owner = path.lstat().st_uid
        ours = path.parent.stat().st_uid == os.geteuid() != owner
    except OSError:
        return None
    return user_name(owner) if ours else None


def user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> int:
    """Write a file completely or not at all; return it open and locked. Raises OSError."""
    draft = path.with_name(f".{path.name}.new")
    with suppress(FileNotFoundError):  # left by a kill, or planted
        draft.unlink()
    fd = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _give_to_owner(fd, path.parent)
        with suppress(PermissionError):  # a file system such as FAT does not have permissions
            os.fchmod(fd, mode)
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        write_all(fd, data, 0)
        os.fsync(fd)
        draft.rename(path)
        _sync_folder(path.parent)
    except OSError:
        os.close(fd)
        with suppress(OSError):  # a failing disk may refuse this, too
            draft.unlink()
        raise
    return fd


def write_new(path: Path, text: str) -> None:
    """Write a new text file for everybody to read, completely or not at all. Raises OSError."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    os.close(write_whole(path, text.encode(), 0o644))


def write_all(fd: int, data: bytes, offset: int) -> None:
    while data:
        written = os.pwrite(fd, data, offset)
        data, offset = data[written:], offset + written


def _give_to_owner(fd: int, folder: Path) -> None:
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(fd, owner.st_uid, owner.st_gid)


def _sync_folder(folder: Path) -> None:
    with _opened_folder(folder) as fd:
        os.fsync(fd)


@contextmanager
def _opened_folder(folder: Path) -> Iterator[int]:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


CHAIN: Final = "0" * 32
"""The seal before the first line."""

SECRET_BYTES: Final = 512
"""Length of a secret's line: longer than any bid."""

_SEAL: Final = re.compile(rb" ;[0-9a-f]{32}$", re.MULTILINE)


class JournalError(CompanionError, OSError):
    """Raised when a journal cannot be opened, locked or written."""


class DiskError(JournalError):
    """Raised when the disk is full, read-only, broken, or not ours."""


class LostRecordError(DiskError):
    """Raised when somebody has deleted, replaced or changed the record of a running match."""


class SealedFile:
    """An open, locked file of sealed lines. Before each line it is checked for changes from outside."""

    def __init__(self, path: Path, fd: int, size_bytes: int, seal: str | None) -> None:
        """Continue after `size_bytes`; `seal` is that of the last line, None without seals."""
        self.path = path
        self._fd = fd
        self._size = size_bytes
        self._seal = seal or CHAIN
        self._refused = False
        """Whether bytes of a failed write may follow the end."""

    def write(self, body: str) -> None:
        """Write one line and wait until it is durable. Raises JournalError and leaves the file unchanged."""
        data, seal = sealed(body, self._seal)
        self._look()
        try:
            if self._refused:
                self._take_back()
            write_all(self._fd, data, self._size)
            os.fdatasync(self._fd)
        except OSError as error:
            self._refused = True  # a line that stays would be a move that nobody has seen
            with suppress(OSError):
                self._take_back()
            raise unusable(self.path, error) from error
        self._size += len(data)
        self._seal = seal

    def _look(self) -> None:
        own = os.fstat(self._fd)
        try:
            there = self.path.lstat()
        except FileNotFoundError:
            raise LostRecordError(msg("{path}: this record has been deleted", path=self.path)) from None
        except OSError as error:
            raise unusable(self.path, error) from error
        if (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino):
            raise LostRecordError(msg("{path}: another file has replaced this record", path=self.path))
        if own.st_size < self._size:
            raise LostRecordError(msg("{path}: this record has been cut short", path=self.path))
        if own.st_size > self._size and not self._refused:
            raise LostRecordError(msg("{path}: another program has written to this record", path=self.path))

    def _take_back(self) -> None:
        os.ftruncate(self._fd, self._size)
        self._refused = False

    def close(self) -> None:
        os.close(self._fd)  # writes nothing: this has to work on a failing disk, too


_MAKE_ROOM: Final = msg("free some space on that disk")
_BEGIN_ANEW: Final = msg("restart the machine; if this happens again, the disk is worn out")

_REMEDIES: Final = {
    errno.ENOSPC: _MAKE_ROOM,
    errno.EDQUOT: _MAKE_ROOM,
    errno.EROFS: _BEGIN_ANEW,
    errno.EIO: _BEGIN_ANEW,
}


def unusable(path: Path, error: OSError) -> DiskError:
    if error.errno == errno.EACCES and (owner := foreign_owner(path)):
        return DiskError(
            msg(
                "{path} belongs to {owner}, because the companion once ran as {owner}; to make it yours: {command}",
                path=path,
                owner=owner,
                command=f"sudo chown {user_name(os.geteuid())} {shlex.quote(str(path))}",
            )
        )
    remedy = _REMEDIES.get(error.errno or 0)
    if remedy:
        return DiskError(msg("{path}: {why}; {remedy}", path=path, why=reason(error), remedy=remedy))
    return DiskError(msg("{path}: {why}", path=path, why=reason(error)))


def locked_file(path: Path) -> int:
    """Open and lock a record. Raises OSError, and JournalError if another program has it open."""
    fd = open_regular(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        raise JournalError(msg("{path}: another program is using this record; close it first", path=path)) from None
    except OSError:
        os.close(fd)
        raise
    return fd


def set_aside(path: Path, fd: int, good_bytes: int) -> Path:
    """Move what follows `good_bytes` of an open file to a new one; return its path. Raises OSError."""
    rest = read_open(fd, path, limits.RECORD_BYTES)[good_bytes:]
    numbers = (path.with_name(f"{path.name}.{number}.damaged") for number in count(1))
    aside = next(path for path in numbers if not path.exists())
    os.close(write_whole(aside, rest))
    os.ftruncate(fd, good_bytes)
    return aside


# --- Seals ------------------------------------------------------------------------------------------------


def is_sealed(data: bytes) -> bool:
    """Return True if any line has a seal, since the first one may be damaged."""
    return _SEAL.search(data) is not None


def sealed(body: str, before: str) -> tuple[bytes, str]:
    data = body.encode()
    seal = _following(data, before)
    return b"%s ;%s\n" % (data, seal.encode()), seal


def unsealed(raw: bytes, before: str, torn: bool) -> tuple[str, str]:
    """Return a line without its seal, and its seal. Raises RecordError."""
    data, _, seal = raw.rpartition(b" ;")
    following = _following(data, before)
    if torn:
        raise RecordError(msg("it is incomplete"))
    if seal == following.encode():
        return text_of(data).rstrip(" "), following
    raise RecordError(msg("its seal does not match: it was altered, or lines before it are missing or moved"))


def text_of(raw: bytes) -> str:
    """Decode a line. Raises RecordError."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise RecordError(msg("it is not text")) from error


def evened(body: str) -> str:
    """Pad a secret's line with blanks, so that its length reveals nothing."""
    return body + " " * (-len(body.encode()) % SECRET_BYTES)


def _following(data: bytes, before: str) -> str:
    from hashlib import sha256  # noqa: PLC0415  it loads OpenSSL, and the first picture does not wait for it

    return sha256(before.encode() + data).hexdigest()[: len(CHAIN)]
