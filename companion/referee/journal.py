"""The journal: one append-only record file a match, each line durable before anything shows what it says.

Each line ends in `;` and eight hexadecimal digits, the CRC-32 of the line and of all lines before it, which any
reader of records takes for a remark. So a torn, damaged, lost or moved line is detected and named; everything
before it stands.
"""

import errno
import fcntl
import logging
import os
import sys
import zlib
from collections.abc import Generator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from companion.core.errors import CompanionError, RecordError
from companion.core.game import Game
from companion.core.match import SEED_TAG, Match, new_from_tags, replay
from companion.core.move import HIDDEN
from companion.core.record import Entry, parse_entry, parse_tag, print_tag, without_remark
from companion.core.text import Text, msg

LAST_TAG: Final = "Box"
"""The tag that ends the head of every journal."""

SUFFIX: Final = ".record"
LOCK_NAME: Final = ".companion.lock"

PIECE: Final = 25
"""So many entries are read at a time where something else has to go on meanwhile."""

log = logging.getLogger(__name__)


class JournalError(CompanionError, OSError):
    """Error raised when a journal cannot be opened, locked or written."""


class DiskError(JournalError):
    """Error raised when the disk refuses: it is full, read-only, broken, or not ours."""


class Damage(NamedTuple):
    """Where a record stops being trustworthy: the line, counted from 1, and what is wrong with it."""

    line: int
    why: Text

    @property
    def text(self) -> Text:
        """The damage in a sentence."""
        return msg("line {line} is damaged: {why}. What stands before it is kept", line=self.line, why=self.why)


class Opened(NamedTuple):
    """What a file of records held: the match up to the damage, if there is one."""

    match: Match
    damage: Damage | None
    good_bytes: int
    checksum: int
    sealed: bool = True


class FolderLock:
    """Keeps a folder of records to one running program, as long as it is held."""

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raise JournalError naming who holds it, DiskError when the disk refuses."""
        path = folder / LOCK_NAME
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _unusable(path, error) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()} ({' '.join(sys.argv)})\n".encode(), 0)
        except BlockingIOError:
            holder = os.read(self._fd, 500).decode(errors="replace").strip()
            os.close(self._fd)
            raise JournalError(
                msg(
                    "the records in {folder} are in use by process {holder}; end it, or choose another folder",
                    folder=folder,
                    holder=holder or "?",
                )
            ) from None
        except OSError as error:
            os.close(self._fd)
            raise _unusable(path, error) from error

    def release(self) -> None:
        """Give the folder back to other programs."""
        os.close(self._fd)  # and write nothing: this has to work on a disk that refuses, too


class Journal:
    """The record file of the running match. Use it as a context manager; it holds its folder's lock."""

    def __init__(self, path: Path, lock: FolderLock, size: int, checksum: int) -> None:
        """Go on behind the first `size` bytes of a file; use `create` or `resume` instead."""
        self.path = path
        self._lock = lock
        self._size = size
        self._checksum = checksum
        self._fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)

    @classmethod
    def create(cls, path: Path, match: Match) -> Self:
        """Begin the record of a match that has no moves yet, readable by its owner only.

        Raise JournalError when the file exists, the folder is in use or cannot be written.
        """
        lock = _locked(path)
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if path.exists():
                raise JournalError(
                    msg(
                        "{path} exists; name another file, or go on with it by companion headless --resume",
                        path=path,
                    )
                )
            head, checksum = _sealed_whole(match)
            _write_whole(path, head.encode())
            return cls(path, lock, len(head.encode()), checksum)
        except OSError as error:
            lock.release()
            raise error if isinstance(error, JournalError) else _unusable(path, error) from error

    @classmethod
    def resume(cls, path: Path, games: Mapping[str, Game]) -> tuple[Self, Opened]:
        """Go on with the record of an unfinished match.

        What follows a damage is kept beside the record, in a file that ends in `.damaged`, and cut off.
        Raise JournalError, and RecordError when not even the head can be read.
        """
        if not path.exists():
            raise _unusable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
        lock = _locked(path)
        try:
            opened = open_record(path, games)
            _check_seed(path, opened.match)
            if opened.damage:
                _set_aside(path, opened)
            if not opened.sealed:
                opened = _seal(path, opened)
            return cls(path, lock, opened.good_bytes, opened.checksum), opened
        except OSError as error:
            lock.release()
            raise error if isinstance(error, JournalError) else _unusable(path, error) from error
        except RecordError:
            lock.release()
            raise

    def append(self, entry: Entry) -> None:
        """Write one entry and wait until it is durable. Raise JournalError; the file is unchanged then."""
        line, checksum = _sealed(str(entry), self._checksum)
        data = line.encode()
        try:
            _write_all(self._fd, data, self._size)
            os.fdatasync(self._fd)
        except OSError as error:
            with suppress(OSError):  # half a line that stays is found by its checksum
                os.ftruncate(self._fd, self._size)
            raise _unusable(self.path, error) from error
        self._size += len(data)
        self._checksum = checksum

    def close(self) -> None:
        """Close the file and release the folder."""
        try:
            os.close(self._fd)
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Unkept:
    """A journal for a match that nobody wants to keep: asked for, never a fallback."""

    def append(self, entry: Entry) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """Do nothing: nothing is open."""


Store = Journal | Unkept


def open_record(path: Path, games: Mapping[str, Game]) -> Opened:
    """Return the match of a record, a journal or an exported one, up to its first damage.

    Raise JournalError when there is no such file, RecordError when its head cannot be read.
    """
    return _whole(opening(path, games))


def opening(path: Path, games: Mapping[str, Game]) -> Generator[None, None, Opened]:
    """Open a record as `open_record` does, a piece at each step: to replay a long match takes its time."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        return (yield from _reading(data, games))
    except (CompanionError, ValueError) as error:
        why = error.text if isinstance(error, CompanionError) else str(error)
        raise RecordError(msg("{path}: {why}", path=path, why=why)) from error


def _whole(reading: Generator[None, None, Opened]) -> Opened:
    """Return what a reading comes to, without a pause."""
    while True:
        try:
            next(reading)
        except StopIteration as end:
            opened: Opened = end.value
            return opened


def _reading(data: bytes, games: Mapping[str, Game]) -> Generator[None, None, Opened]:
    lines = data.split(b"\n")
    sealed = _is_sealed(lines[0])
    tags: dict[str, str] = {}
    match: Match | None = None
    checksum = good_bytes = 0
    damage: Damage | None = None
    for number, raw in enumerate(lines, 1):
        if number == len(lines) and not raw:
            break
        torn = number == len(lines)
        try:
            body, following = _unsealed(raw, checksum, torn) if sealed else (_remarkless(raw), 0)
            if body.startswith("[") and match is None:
                name, value = parse_tag(body, number)
                tags[name] = value
            elif body:
                match = match or new_from_tags(tags, games)
                replay(match, parse_entry(body, number), match_place(match))
        except RecordError as error:
            damage = Damage(number, error.text)
            break
        checksum = following
        good_bytes += len(raw) + 1
        if number % PIECE == 0:
            yield
    if match is None:
        if LAST_TAG not in tags and (sealed or damage):
            why = damage.why if damage else msg("it ends before its {tag} tag", tag=LAST_TAG)
            line = damage.line if damage else len(lines)
            raise RecordError(msg("its head cannot be read, line {line}: {why}", line=line, why=why), line)
        match = new_from_tags(tags, games)
    return Opened(match, damage, good_bytes, checksum, sealed)


def match_place(match: Match) -> int:
    """Return the place of the next entry, counted from 1."""
    return len(match.entries) + 1


def _sealed(body: str, checksum: int) -> tuple[str, int]:
    checksum = zlib.crc32(body.encode(), checksum)
    return f"{body} ;{checksum:08x}\n", checksum


def _is_sealed(line: bytes) -> bool:
    body, remark, seal = line.rpartition(b" ;")
    return bool(remark and body and len(seal) == 8)


def _unsealed(raw: bytes, before: int, torn: bool) -> tuple[str, int]:
    body, _, seal = raw.rpartition(b" ;")
    checksum = zlib.crc32(body, before)
    if torn or seal != f"{checksum:08x}".encode():
        raise RecordError(msg("it is torn off") if torn else msg("its checksum does not fit"))
    return body.decode(), checksum


def _remarkless(raw: bytes) -> str:
    try:
        return without_remark(raw.decode()).strip()
    except UnicodeDecodeError as error:
        raise RecordError(msg("it is no text")) from error


def _locked(path: Path) -> FolderLock:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(path.parent, error) from error
    return FolderLock(path.parent)


def _write_whole(path: Path, data: bytes) -> None:
    """Write a new file so that it is there completely or not at all."""
    draft = path.with_name(f".{path.name}.new")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        _write_all(fd, data, 0)
        os.fsync(fd)
        draft.rename(path)
    except OSError:
        with suppress(OSError):  # a disk that refuses may refuse this, too
            draft.unlink()
        raise
    finally:
        os.close(fd)
    _sync_folder(path.parent)


def _check_seed(path: Path, match: Match) -> None:
    if match.tags.get(SEED_TAG) == HIDDEN:
        raise RecordError(
            msg("{path}: its seed is hidden ({hidden}): nobody can deal on", path=path, hidden=HIDDEN)
        )


def _set_aside(path: Path, opened: Opened) -> None:
    rest = path.read_bytes()[opened.good_bytes :]
    numbers = (path.with_name(f"{path.name}.{number}.damaged") for number in count(1))
    aside = next(path for path in numbers if not path.exists())
    _write_whole(aside, rest)
    os.truncate(path, opened.good_bytes)
    log.warning("%s: %s; it is in %s", path, opened.damage and opened.damage.text, aside.name)


def _seal(path: Path, opened: Opened) -> Opened:
    """Give a record that somebody exported or wrote its checksums, so that it can go on as a journal."""
    whole, checksum = _sealed_whole(opened.match)
    _write_whole(path, whole.encode())
    return opened._replace(good_bytes=len(whole.encode()), checksum=checksum, sealed=True)


def _sealed_whole(match: Match) -> tuple[str, int]:
    """Return a match as a journal holds it, and the checksum of its last line."""
    whole, checksum = "", 0
    for body in [*(print_tag(name, value) for name, value in match.tags.items()), *map(str, match.entries)]:
        line, checksum = _sealed(body, checksum)
        whole += line
    return whole, checksum


def _write_all(fd: int, data: bytes, offset: int) -> None:
    while data:
        written = os.pwrite(fd, data, offset)
        data, offset = data[written:], offset + written


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _unusable(path: Path, error: OSError) -> DiskError:
    return DiskError(msg("{path}: {why}", path=path, why=error.strerror or error))
