"""Files and folders that a power cut leaves whole, and that nobody else can lead elsewhere; files of sealed lines.

Of an append-only file of sealed lines each is durable before anything shows what it says, or is not there. A line
ends in a blank, `;` and a seal, which proves it and all lines before it. Seals are a chain of hashes: each is the
first 128 bits of the SHA-256 of the seal before and the line.
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
    """Make a folder that only its owner may look into, and those above it, durably; one that is there stays."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(0o700, exist_ok=True)
        with _opened_folder(each) as fd:
            _give_to_owner(fd, each.parent)
        _sync_folder(each.parent)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def open_lock(path: Path) -> int:
    """Return the file of a lock, open. Raise OSError, UnfitError for a link that has been laid in its place."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        fd = open_regular(path, os.O_RDWR | os.O_NOFOLLOW)
        if os.fstat(fd).st_nlink != 1:  # it is another file, too, which is not to be written into
            os.close(fd)
            raise UnfitError(path, msg("this is no regular file")) from None
    else:
        _give_to_owner(fd, path.parent)
    return fd


def make_mark(path: Path) -> None:
    """Make an empty file that is still there after a power cut. Raise OSError, UnfitError for a link."""
    os.close(open_lock(path))
    _sync_folder(path.parent)


def foreign_owner(path: Path) -> str | None:
    """Return who owns a file in a folder of ours, None where that is us, or the folder is not ours."""
    try:
        owner = path.lstat().st_uid
        ours = path.parent.stat().st_uid == os.geteuid() != owner
    except OSError:
        return None
    return user_name(owner) if ours else None


def user_name(number: int) -> str:
    """Return the name of a user, the number where the user has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> int:
    """Write a file so that it is there completely or not at all; return it, open and locked. Raise OSError."""
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
    """Write a text where no file is yet, completely or not at all; all users may read it. Raise OSError."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    os.close(write_whole(path, text.encode(), 0o644))


def write_all(fd: int, data: bytes, offset: int) -> None:
    """Write all of `data` at a place of a file."""
    while data:
        written = os.pwrite(fd, data, offset)
        data, offset = data[written:], offset + written


def _give_to_owner(fd: int, folder: Path) -> None:
    """Give what root has just made in somebody's folder to that somebody, who could not use it else."""
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
"""What the seal of a record's first line goes on from."""

SECRET_BYTES: Final = 512
"""So long is each line of a secret, without its seal: more than any bid of all the cards that there are."""

_SEAL: Final = re.compile(rb" ;[0-9a-f]{32}$", re.MULTILINE)


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
        self._seal = seal or CHAIN
        self._refused = False
        """Whether something may stand behind the end that the disk has refused, and refused to take back."""

    def write(self, body: str) -> None:
        """Write one line and wait until it is durable. Raise JournalError; the file is unchanged then."""
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


_MAKE_ROOM: Final = msg("make room on that disk")
_BEGIN_ANEW: Final = msg("start the machine again; a disk that stays so is worn out")

_REMEDIES: Final = {
    errno.ENOSPC: _MAKE_ROOM,
    errno.EDQUOT: _MAKE_ROOM,
    errno.EROFS: _BEGIN_ANEW,
    errno.EIO: _BEGIN_ANEW,
}
"""What helps against what a disk refuses: a kernel makes one read-only that fails."""


def unusable(path: Path, error: OSError) -> DiskError:
    """Return what is told of a file that the disk refuses, with the remedy where we know one."""
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
    os.close(write_whole(aside, rest))
    os.ftruncate(fd, good_bytes)
    return aside


# --- Seals ------------------------------------------------------------------------------------------------


def is_sealed(data: bytes) -> bool:
    """Tell whether a record has seals. Any line tells, for the first one may have lost a digit."""
    return _SEAL.search(data) is not None


def sealed(body: str, before: str) -> tuple[bytes, str]:
    """Return a line with its seal, and that seal."""
    data = body.encode()
    seal = _following(data, before)
    return b"%s ;%s\n" % (data, seal.encode()), seal


def unsealed(raw: bytes, before: str, torn: bool) -> tuple[str, str]:
    """Return a line without its seal, and that seal. Raise RecordError where it does not fit, or is no text."""
    data, _, seal = raw.rpartition(b" ;")
    following = _following(data, before)
    if torn:
        raise RecordError(msg("it is torn off"))
    if seal == following.encode():
        return text_of(data).rstrip(" "), following
    raise RecordError(msg("its seal does not fit: it was altered, or lines before it are missing or moved"))


def text_of(raw: bytes) -> str:
    """Return the text of a line. Raise RecordError where it is none."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise RecordError(msg("it is no text")) from error


def evened(body: str) -> str:
    """Return the line of a secret with blanks behind it, so that its length tells nothing."""
    return body + " " * (-len(body.encode()) % SECRET_BYTES)


def _following(data: bytes, before: str) -> str:
    return sha256(before.encode() + data).hexdigest()[: len(CHAIN)]
