"""A cache of the facts of each record, so that it is not replayed again.

It is an SQLite file beside the records. An entry is valid while the record's size, times and inode are the same. A
missing, damaged, outdated or unwritable index only costs time.
"""

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.limits import RECORD_BYTES
from companion.core.text import msg
from companion.records.facts import Facts, facts_of, from_json
from companion.records.history import listed
from companion.records.stats import Counted, Damaged, Statistics
from companion.referee.journal import SUFFIX, open_record

NAME: Final = ".companion.index"

FORMAT: Final = 7
"""Increase this whenever the facts of a record change."""

_AT_ONCE: Final = 1000

_TOLD_EACH: Final = 50

_COLUMNS: Final = "records (name text primary key, stamp text, said text) without rowid"
_TABLE: Final = f"create table if not exists {_COLUMNS}"
_SCHEMA: Final = [("table", "records", f"CREATE TABLE {_COLUMNS}")]
"""The only accepted schema: SQLite would run the views and triggers of somebody else's index."""

log = logging.getLogger(__name__)

Said = Facts | Damaged


def statistics(
    folders: Iterable[Path],
    games: Mapping[str, Game],
    game: str | None = None,
    *,
    demos: bool = False,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Statistics:
    """Return the statistics of several folders. For duplicates, the first folder wins.

    Raises OSError for an unreadable folder.
    """
    counted = Counted()
    paths = {folder.resolve(): listed(folder) for folder in folders}
    total, done = sum(map(len, paths.values())), 0
    for folder, found in paths.items():
        for name, said in facts_in(folder, found, games):
            done += 1
            if done % _TOLD_EACH == 0 or done == total:
                progress(done, total)
            if isinstance(said, Damaged):
                counted.damaged.append(said)
            elif game in {None, said.game}:
                counted.count_facts(name, said, games[said.game].title, demos=demos)
    return counted.statistics()


def facts_in(folder: Path, paths: Iterable[Path], games: Mapping[str, Game]) -> Iterator[tuple[str, Said]]:
    """Yield the facts of each record; read and update the index."""
    with closing(_opened(folder / NAME)) as index:
        new: list[tuple[str, str, str]] = []
        for path in paths:
            name, stamp = path.name.removesuffix(SUFFIX), _stamp(path)
            said = _looked_up(index, name, stamp, games)
            if said is None:
                said = _read(name, path, games)
                new.append((_key(name), stamp, json.dumps(said, separators=(",", ":"))))
            yield name, said
            if len(new) == _AT_ONCE:
                _keep(index, folder, new)
        _keep(index, folder, new)


def _key(name: str) -> str:
    """Return the key of a record; a file's name may not be valid text."""
    return name.encode("utf-8", "backslashreplace").decode()


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


def _read(name: str, path: Path, games: Mapping[str, Game]) -> Said:
    try:
        opened = open_record(path, games)
    except CompanionError:
        return Damaged(name, None)
    return Damaged(name, opened.damage.line) if opened.damage else facts_of(opened.match)


# --- SQLite -----------------------------------------------------------------------------------------------


def _opened(path: Path) -> sqlite3.Connection:
    """Return the index: made anew if invalid, in memory if unwritable."""
    for again in (False, True):
        try:
            if again:
                path.unlink(missing_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
            return _of_this_version(path)
        except (OSError, sqlite3.Error) as error:
            why = error
            if isinstance(error, (OSError, sqlite3.OperationalError)):
                break  # not writable, or in use by another program
    log.warning("%s", msg("{path}: the index cannot be used: {why}", path=path, why=why))
    memory = sqlite3.connect(":memory:")
    memory.execute(_TABLE)
    return memory


def _of_this_version(path: Path) -> sqlite3.Connection:
    index = sqlite3.connect(path, timeout=1)
    index.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, RECORD_BYTES)
    try:
        if index.execute("select type, name, sql from sqlite_master").fetchall() not in ([], _SCHEMA):
            raise sqlite3.DatabaseError
        if index.execute("pragma user_version").fetchone() != (FORMAT,):
            index.execute("drop table if exists records")
            index.execute(f"pragma user_version = {FORMAT}")
        index.execute(_TABLE)
    except sqlite3.Error:
        index.close()
        raise
    return index


def _looked_up(index: sqlite3.Connection, name: str, stamp: str, games: Mapping[str, Game]) -> Said | None:
    try:
        found = index.execute(
            "select said from records where name = ? and stamp = ?", (_key(name), stamp)
        ).fetchone()
        if found is None:
            return None
        said = json.loads(found[0])
        if len(said) == len(Damaged._fields):
            return None  # damaged records are read again: they may be fixed, or their game installed
        facts = from_json(said)
    except (sqlite3.Error, ValueError, TypeError, RecursionError):
        return None
    return facts if facts.game in games else None


def _keep(index: sqlite3.Connection, folder: Path, new: list[tuple[str, str, str]]) -> None:
    try:
        with index:  # all or nothing
            index.executemany("insert or replace into records values (?, ?, ?)", new)
    except sqlite3.Error as error:
        log.warning("%s", msg("{path}: the index cannot be used: {why}", path=folder / NAME, why=error))
    new.clear()
