"""Files and folders that a power cut leaves whole, and that nobody else can lead elsewhere. All raise OSError."""

import errno
import fcntl
import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.core.files import UnfitError, open_regular
from companion.core.text import msg


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


def write_whole(path: Path, data: bytes) -> int:
    """Write a new file so that it is there completely or not at all; return it, open and locked."""
    draft = path.with_name(f".{path.name}.new")
    with suppress(FileNotFoundError):  # what a kill has left, or somebody has laid there
        draft.unlink()
    fd = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _give_to_owner(fd, path.parent)
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
