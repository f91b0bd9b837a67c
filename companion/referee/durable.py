"""Files and folders that survive a power cut and that nobody else can redirect; files of sealed lines.

Each line of an append-only sealed file is durable before anything shows its content, or it is not there. A line
ends with a blank, `;` and a seal, which proves it and all lines before it. Seals are a chain of hashes: each is
the first 128 bits of the SHA-256 of the previous seal and the line.
"""

import errno
import fcntl
import os
import pwd
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final

from companion.core import limits
from companion.core.errors import CompanionError, RecordError
from companion.core.files import UnfitError, open_regular, read_open
from companion.core.text import msg, reason


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can read, and its parents, durably. An existing one stays as it is."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(0o700, exist_ok=True)
        with _opened_folder(each) as fd:
            _give_to_owner(fd, each.parent)
        _sync_folder(each.parent)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def open_lock(path: Path) -> int:
    """Open the file of a lock. Raises OSError, and UnfitError for a link in its place."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        fd = open_regular(path, os.O_RDWR | os.O_NOFOLLOW)
        if os.fstat(fd).st_nlink != 1:  # it has another name, so it is somebody's file
            os.close(fd)
            raise UnfitError(path, msg("this is no regular file")) from None
    else:
        _give_to_owner(fd, path.parent)
    return fd


def make_mark(path: Path) -> None:
    """Make an empty file, durably. Raises OSError, and UnfitError for a link."""
    os.close(open_lock(path))
    _sync_folder(path.parent)


def foreign_owner(path: Path) -> str | None:
    """Return the owner of a file in our folder; None if that is us, or the folder is not ours."""
    try:
        owner = path.lstat().st_uid
        ours = path.parent.stat().st_uid == os.geteuid() != owner
    except OSError:
        return None
    return user_name(owner) if ours else None


def user_name(number: int) -> str:
    """Return the name of a user, or the number."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> int:
    """Write a file completely or not at all; return it open and locked. Raises OSError."""
    draft = path.with_name(f".{path.name}.new")
    with suppress(FileNotFoundError):  # what a kill has left, or somebody has laid there
        draft.unlink()
    fd = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _give_to_owner(fd, path.parent)
        with suppress(PermissionError):  # a file system without permissions, such as FAT, refuses to change them
            os.fchmod(fd, mode)
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        write_all(fd, data, 0)
        os.fsync(fd)
        draft.rename(path)
        _sync_folder(path.parent)
    except OSError:
        os.close(fd)
        with suppress(OSError):  # a disk that refuses may refuse this, too
            draft.unlink()
        raise
    return fd


def write_new(path: Path, text: str) -> None:
    """Write a new text file, completely or not at all, readable by everybody. Raises OSError."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    os.close(write_whole(path, text.encode(), 0o644))


def write_all(fd: int, data: bytes, offset: int) -> None:
    """Write all of `data` at a position in a file."""
    while data:
        written = os.pwrite(fd, data, offset)
        data, offset = data[written:], offset + written


def _give_to_owner(fd: int, folder: Path) -> None:
    """chown files that root created to the folder's owner, who could not use them otherwise."""
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
"""The start of the chain of seals."""

SECRET_BYTES: Final = 512
"""Length of each line of a secret, without its seal: longer than any bid."""

_SEAL: Final = re.compile(rb" ;[0-9a-f]{32}$", re.MULTILINE)


class JournalError(CompanionError, OSError):
    """Error raised when a journal cannot be opened, locked or written."""


class DiskError(JournalError):
    """Error raised when the disk is full, read-only, broken, or not ours."""


class LostRecordError(DiskError):
    """Error raised when somebody has deleted, replaced or changed the record of a running match."""


class SealedFile:
    """A file of sealed lines, open and locked. Before each line it is checked for changes from outside."""

    def __init__(self, path: Path, fd: int, size_bytes: int, seal: str | None) -> None:
        """Continue after `size_bytes`, whose last line has this seal; None for a file without seals."""
        self.path = path
        self._fd = fd
        self._size = size_bytes
        self._seal = seal or CHAIN
        self._refused = False
        """Whether bytes may follow the end that the disk could neither write nor remove."""

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
            self._refused = True  # a whole line that stays would be a move that nobody has seen
            with suppress(OSError):
                self._take_back()
            raise unusable(self.path, error) from error
        self._size += len(data)
        self._seal = seal

    def _look(self) -> None:
        """Raise LostRecordError unless the name still leads to the same file with the same length."""
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
        """Cut off bytes of a failed write. Raises OSError."""
        os.ftruncate(self._fd, self._size)
        self._refused = False

    def close(self) -> None:
        """Close the file and its lock."""
        os.close(self._fd)  # and write nothing: this has to work on a disk that refuses, too


_MAKE_ROOM: Final = msg("make room on that disk")
_BEGIN_ANEW: Final = msg("start the machine again; a disk that stays so is worn out")

_REMEDIES: Final = {
    errno.ENOSPC: _MAKE_ROOM,
    errno.EDQUOT: _MAKE_ROOM,
    errno.EROFS: _BEGIN_ANEW,
    errno.EIO: _BEGIN_ANEW,
}
"""Remedies by error of the disk. A kernel makes a failing disk read-only."""


def unusable(path: Path, error: OSError) -> DiskError:
    """Return the error for a file that the disk refuses, with its remedy if there is one."""
    if error.errno == errno.EACCES and (owner := foreign_owner(path)):
        return DiskError(
            msg(
                "{path} belongs to {owner}, since a run as {owner}; this gives it to you: {command}",
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
    os.close(write_whole(aside, rest))
    os.ftruncate(fd, good_bytes)
    return aside


# --- Seals ------------------------------------------------------------------------------------------------


def is_sealed(data: bytes) -> bool:
    """Return True if a record has seals. Any line counts: the first seal may be damaged."""
    return _SEAL.search(data) is not None


def sealed(body: str, before: str) -> tuple[bytes, str]:
    """Return a line with its seal, and that seal."""
    data = body.encode()
    seal = _following(data, before)
    return b"%s ;%s\n" % (data, seal.encode()), seal


def unsealed(raw: bytes, before: str, torn: bool) -> tuple[str, str]:
    """Return a line without its seal, and that seal. Raises RecordError if the seal does not fit."""
    data, _, seal = raw.rpartition(b" ;")
    following = _following(data, before)
    if torn:
        raise RecordError(msg("it is torn off"))
    if seal == following.encode():
        return text_of(data).rstrip(" "), following
    raise RecordError(msg("its seal does not fit: it was altered, or lines before it are missing or moved"))


def text_of(raw: bytes) -> str:
    """Decode a line. Raises RecordError."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise RecordError(msg("it is no text")) from error


def evened(body: str) -> str:
    """Pad the line of a secret with blanks, so that its length tells nothing."""
    return body + " " * (-len(body.encode()) % SECRET_BYTES)


def _following(data: bytes, before: str) -> str:
    return sha256(before.encode() + data).hexdigest()[: len(CHAIN)]
