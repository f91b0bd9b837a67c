"""A table's results: sent to its club, or still to send.

A file beside the records lists confirmed results, so each is sent once. Without it, existing records are not sent.
"""

import json
import logging
import threading
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from companion.club.topics import Message, result
from companion.config.table_file import replace_file
from companion.core.errors import CompanionError
from companion.core.files import read_regular
from companion.core.game import Game
from companion.core.match import Match
from companion.records import history
from companion.referee.durable import make_folder
from companion.referee.journal import SUFFIX, open_record

FILE_NAME: Final = "club.json"

LAST: Final = 30
"""Maximum results that the broker retains."""

REMEMBERED: Final = 500
"""Maximum results in the file, and records to check."""

PAUSE_S: Final = 0.005
"""Pause between pieces of a record, to spare the running match."""

FILE_BYTES: Final = 4_000_000

TOLD_AGAIN: Final = ("game", "players", "scores", "ranking")
"""A result is sent again if one of these changed."""

log = logging.getLogger(__name__)


class Results:
    """The results of a table with records in `folder`."""

    def __init__(self, folder: Path, games: Mapping[str, Game]) -> None:
        self._folder, self._games = folder, games
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()
        self._told: dict[str, Message] | None = self._read()
        """Confirmed results by record, {} if not to be sent. None without the file."""
        self._new: dict[str, Message] = {}

    @property
    def last(self) -> list[Message]:
        """The newest results, oldest first."""
        with self._lock:
            both = {**(self._told or {}), **self._new}
        return [found for found in both.values() if found][-LAST:]

    def note(self, record: str, match: Match) -> Message | None:
        """Return a finished match's result if it is new or corrected, with a higher revision then."""
        found = result(record, match, ended_s=int(time.time()))
        return self._news(record, found) if found else None

    def look_through(self) -> Iterator[Message]:
        """Yield unconfirmed results, slowly."""
        try:
            names = [path.name.removesuffix(SUFFIX) for path in history.records(self._folder)[-REMEMBERED:]]
        except CompanionError as error:
            log.warning("%s", error)
            return
        if self._told is None:
            self._told = {record: {} for record in names}
            self._keep()
            return
        for record in names:
            if record in self._told or record in self._new:
                continue
            path = self._folder / f"{record}{SUFFIX}"
            try:
                match = open_record(path, self._games, partial(time.sleep, PAUSE_S)).match
                found = result(record, match, ended_s=int(path.stat().st_mtime))
            except (CompanionError, OSError) as error:
                log.warning("%s", error)
                continue
            if found and (news := self._news(record, found)):
                yield news

    def confirm(self, found: Message) -> None:
        record = str(found["match"])
        with self._lock:
            self._told = {**(self._told or {}), record: found}
            if self._new.get(record) == found:
                del self._new[record]
        self._keep()

    def _news(self, record: str, found: Message) -> Message | None:
        with self._lock:
            earlier = self._new.get(record) or (self._told or {}).get(record)
            if earlier and all(earlier.get(key) == found[key] for key in TOLD_AGAIN):
                return None
            revision = earlier.get("revision", 0) if earlier else 0
            found["revision"] = revision + 1 if isinstance(revision, int) else 1
            self._new[record] = found
            return found

    def _read(self) -> dict[str, Message] | None:
        try:
            found = json.loads(read_regular(self._path, FILE_BYTES))
            return {str(record): dict(message) for record, message in found.items()}
        except FileNotFoundError:
            return None
        except (OSError, ValueError, AttributeError, TypeError) as error:
            log.warning("%s: %s; its results count as told", self._path, error)
            return None

    def _keep(self) -> None:
        with self._lock:
            self._told = dict([*(self._told or {}).items()][-REMEMBERED:])
            text = json.dumps(self._told, ensure_ascii=False, separators=(",", ":"))
        try:
            make_folder(self._folder)
            replace_file(self._path, text)
        except OSError as error:
            log.warning("%s: %s", self._path, error)
