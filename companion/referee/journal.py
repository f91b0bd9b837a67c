"""The journal: one append-only record file for each match. Each line is durable before its content is shown.

Each line ends in a seal (`companion.referee.durable`), a comment to other readers. A torn, damaged, altered, lost
or moved line is detected and named; everything before it stays valid.
"""

import errno
import fcntl
import logging
import os
import re
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from companion.core import limits
from companion.core.errors import CompanionError, NewerRecordError, RecordError
from companion.core.files import BOM, read_open, read_regular
from companion.core.game import Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import HIDDEN
from companion.core.record import Entry, parse_entry, parse_tag, print_tag, without_remark
from companion.core.replay import check_format, new_from_tags, replay
from companion.core.text import Text, msg
from companion.referee import durable
from companion.referee.durable import (
    CHAIN,
    JournalError,
    SealedFile,
    evened,
    is_sealed,
    locked_file,
    sealed,
    set_aside,
    text_of,
    unsealed,
    unusable,
)

LAST_TAG: Final = "Box"
"""The tag that ends the head of every journal."""

FORMAT_TAG: Final = "Format"

LEFT: Final = "; left"
"""The last line of a match that was left on purpose; a comment to other readers."""

SUFFIX: Final = ".record"
LOCK_NAME: Final = ".companion.lock"

OPEN_SUFFIX: Final = ".open"
"""The suffix of an empty file that marks the record beside it as resumable.

It may survive a kill, so the record itself decides.
"""

_NUMBER: Final = re.compile(r"([0-9]{5,9})-[0-9]{4}-")

PIECE: Final = 25
"""Entries read at a time while other work goes on."""

log = logging.getLogger(__name__)


class Damage(NamedTuple):
    """The first damage of a record; lines count from 1."""

    line: int
    why: Text

    @property
    def text(self) -> Text:
        return msg("line {line} is damaged: {why}. All lines before it are kept", line=self.line, why=self.why)


class Opened(NamedTuple):
    """The content of a record, up to its first damage.

    `seal` is that of the last valid line, None without seals. `left`: players ended the match early, and have not
    resumed it.
    """

    match: Match
    damage: Damage | None
    good_bytes: int
    seal: str | None
    left: bool = False


def mark_of(path: Path) -> Path:
    return path.with_name(path.name + OPEN_SUFFIX)


def number_of_record(name: str) -> int:
    found = _NUMBER.match(name)
    return int(found[1]) if found else 0


def order(name: str) -> tuple[int, str]:
    """Return the sort key of records, oldest first. Numbers only grow; a clock may go back."""
    return number_of_record(name), name.removesuffix(SUFFIX)


class FolderLock:
    """Reserves a folder of records for one running program."""

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raises JournalError that names its holder, and DiskError."""
        path = folder / LOCK_NAME
        try:
            self._fd = durable.open_lock(path)
        except OSError as error:
            raise unusable(path, error) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, os.fsencode(f"{os.getpid()} ({' '.join(sys.argv)})\n"), 0)
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
            raise unusable(path, error) from error

    def release(self) -> None:
        os.close(self._fd)  # writes nothing: this has to work on a failing disk, too


class Journal:
    """The record file of the running match, as a context manager.

    It locks its folder against other programs that play there, and itself against those that reach it by another
    name.
    """

    def __init__(self, path: Path, lock: FolderLock, fd: int, opened: Opened) -> None:
        self.path = path
        self._lock = lock
        self._match = opened.match
        self._file = SealedFile(path, fd, opened.good_bytes, opened.seal)

    @classmethod
    def create(cls, path: Path, match: Match) -> Self:
        """Create the record of a match with all its entries so far, readable by its owner only.

        Raises JournalError if the file exists, or the folder is in use or unwritable.
        """
        lock = _locked(path)
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if path.exists():
                raise JournalError(
                    msg(
                        "{path} already exists; choose another file, "
                        "or continue it with companion headless --resume",
                        path=path,
                    )
                )
            durable.make_mark(mark_of(path))
            try:
                return cls(path, lock, *_write_whole(path, match))
            except OSError:
                unmark(path)
                raise
        except OSError as error:
            lock.release()
            raise error if isinstance(error, JournalError) else unusable(path, error) from error

    @classmethod
    def resume(cls, path: Path, games: Mapping[str, Game], entries: int | None = None) -> tuple[Self, Opened]:
        """Continue the record of an unfinished match; a link is followed.

        If only `entries` entries were acknowledged, one after them is from a failed write. It is cut off, like
        everything after a damage, and saved beside the record as `.damaged`. Raises JournalError, and RecordError
        if the head cannot be read.
        """
        path = _real(path)
        lock = _locked(path)
        fd = -1
        try:
            fd = locked_file(path)
            opened = _whole(_opening(path, read_open(fd, path, limits.RECORD_BYTES), games, entries))
            _check_seed(path, opened.match)
            if opened.damage:
                aside = set_aside(path, fd, opened.good_bytes)
                log.warning("%s: %s; it is in %s", path, opened.damage.text, aside.name)
            if opened.seal is None:  # an exported or hand-written record
                unsealed = fd
                fd, whole = _write_whole(path, opened.match)
                opened = whole._replace(damage=opened.damage)
                os.close(unsealed)
            durable.make_mark(mark_of(path))
            return cls(path, lock, fd, opened), opened
        except (OSError, RecordError) as error:
            if fd >= 0:
                os.close(fd)
            lock.release()
            raise error if isinstance(error, JournalError | RecordError) else unusable(path, error) from error

    def append(self, entry: Entry) -> None:
        """Write one entry and wait until it is durable. Raises JournalError; the file is unchanged then.

        LostRecordError means that the file was changed from outside.
        """
        self._file.write(_line(self._match, entry))

    def leave(self) -> None:
        """Mark the match as left on purpose. Raises as `append` does."""
        self._file.write(LEFT)
        unmark(self.path)

    def close(self) -> None:
        try:
            self._file.close()
            if _is_over(self._match):
                unmark(self.path)
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Unkept:
    """A journal that stores nothing: only on request, never a fallback."""

    def append(self, entry: Entry) -> None:
        pass

    def leave(self) -> None:
        pass

    def close(self) -> None:
        pass


Store = Journal | Unkept


def open_record(path: Path, games: Mapping[str, Game], pause: Callable[[], None] = lambda: None) -> Opened:
    """Return the match of a journal or an exported record, up to its first damage.

    Calls `pause` after each piece. Raises JournalError without a file, RecordError if its head cannot be read.
    """
    return _whole(opening(path, games), pause)


def opening(path: Path, games: Mapping[str, Game]) -> Generator[None, None, Opened]:
    """Open a record as `open_record` does, and yield after each piece."""
    try:
        data = read_regular(path, limits.RECORD_BYTES)
    except OSError as error:
        raise unusable(path, error) from error
    return (yield from _opening(path, data, games))


def _opening(
    path: Path, data: bytes, games: Mapping[str, Game], entries: int | None = None
) -> Generator[None, None, Opened]:
    try:
        opened = yield from _reading(data, games, entries)
        _look_through(opened.match)
    except (CompanionError, ValueError) as error:
        why = error.text if isinstance(error, CompanionError) else str(error)
        kind = NewerRecordError if isinstance(error, NewerRecordError) else RecordError
        raise kind(msg("{path}: {why}", path=path, why=why)) from error
    except (Exception, SystemExit) as error:  # an error of a game must not stop other records
        why = type(error).__name__
        raise RecordError(msg("{path}: the game crashed on this record ({why})", path=path, why=why)) from error
    return opened


def _look_through(match: Match) -> None:
    """Ask a game for the usual values, so that its errors show here."""
    outcome = match.outcome
    if outcome:
        [match.names[seat] for seat in outcome.winners]
    match.view()


def _whole(reading: Generator[None, None, Opened], pause: Callable[[], None] = lambda: None) -> Opened:
    while True:
        try:
            next(reading)
        except StopIteration as end:
            opened: Opened = end.value
            return opened
        pause()


def _reading(data: bytes, games: Mapping[str, Game], entries: int | None = None) -> Generator[None, None, Opened]:
    lines = data.split(b"\n", limits.RECORD_ENTRIES)
    seal = CHAIN if is_sealed(data) else None
    tags: dict[str, str] = {}
    match: Match | None = None
    good_bytes = effort = 0
    damage: Damage | None = None
    left = False
    for number, raw in enumerate(lines, 1):
        if number == len(lines) and not raw:
            break
        torn = number == len(lines)
        try:
            _hold(number, raw, match, entries)
            body, following = (_remarkless(number, raw), None) if seal is None else unsealed(raw, seal, torn)
            if body.startswith("[") and match is None:
                name, value = parse_tag(body, number)
                tags[name] = value
                if name == FORMAT_TAG:
                    check_format(value)  # a newer format may look different from here on
            elif body and body != LEFT:
                match = match or new_from_tags(tags, games)
                replay(match, parse_entry(body, number))
        except NewerRecordError:
            raise
        except RecordError as error:
            damage = Damage(number, error.text)
            break
        seal, left = following, body == LEFT
        good_bytes += len(raw) + 1
        if number % PIECE == 0:
            yield
        while match and match.effort >= effort + PIECE:
            effort += PIECE
            yield
    if match is None:
        if LAST_TAG not in tags and (seal or damage):
            why = damage.why if damage else msg("the {tag} tag is missing", tag=LAST_TAG)
            line = damage.line if damage else len(lines)
            raise RecordError(msg("cannot read its header, line {line}: {why}", line=line, why=why), line)
        match = new_from_tags(tags, games)
    return Opened(match, damage, good_bytes, seal, left)


def _hold(number: int, raw: bytes, match: Match | None, entries: int | None) -> None:
    if number > limits.RECORD_ENTRIES:
        raise RecordError(msg("the record has too many lines ({n})", n=number))
    if len(raw) > limits.RECORD_LINE_BYTES:
        raise RecordError(msg("it is over the limit of {n} bytes", n=limits.RECORD_LINE_BYTES))
    head = match is None and raw.startswith(b"[")
    if entries is not None and not head and (len(match.entries) if match else 0) >= entries:
        raise RecordError(msg("the disk refused it"))
    if match and match.effort > limits.REPLAYED_MOVES:
        raise RecordError(msg("the corrections before it replay more than {n} moves", n=limits.REPLAYED_MOVES))


def _remarkless(number: int, raw: bytes) -> str:
    text = text_of(raw)
    return without_remark(text.removeprefix(BOM) if number == 1 else text).strip()


def _locked(path: Path) -> FolderLock:
    try:
        durable.make_folder(path.parent)
    except OSError as error:
        raise unusable(path.parent, error) from error
    return FolderLock(path.parent)


def _is_over(match: Match) -> bool:
    try:
        return match.outcome is not None
    except (Exception, SystemExit):  # an error of a game must not keep the folder locked
        log.exception("%s: the match stays marked as open", match.game.name)
        return False


def unmark(path: Path) -> None:
    with suppress(OSError):  # a mark that stays only makes the next start look at the record
        mark_of(path).unlink(missing_ok=True)


def _real(path: Path) -> Path:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise unusable(path, error if isinstance(error, OSError) else OSError(str(error))) from error


def _check_seed(path: Path, match: Match) -> None:
    if match.tags.get(SEED_TAG) == HIDDEN:
        raise RecordError(
            msg("{path}: its seed is hidden ({hidden}), so the match cannot go on", path=path, hidden=HIDDEN)
        )


def _write_whole(path: Path, match: Match) -> tuple[int, Opened]:
    whole, seal = [], CHAIN
    for body in [
        *(print_tag(name, value) for name, value in match.tags.items()),
        *(_line(match, entry) for entry in match.entries),
    ]:
        line, seal = sealed(body, seal)
        whole.append(line)
    data = b"".join(whole)
    return durable.write_whole(path, data), Opened(match, None, len(data), seal)


def _line(match: Match, entry: Entry) -> str:
    return evened(str(entry)) if match.is_secret(entry) else str(entry)
