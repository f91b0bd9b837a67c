"""A tournament's file: one sealed JSON line per event, durable before it is announced.

Seals (`companion.referee.durable`) reveal lines that were torn, changed, moved or lost. A torn last line was never
announced and is moved to a file beside it.
"""

import json
import logging
import os
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, get_args

from companion.club.topics import NO_MESSAGE
from companion.club.tournament import LedgerEvent, Plan, Tournament
from companion.core import limits
from companion.core.errors import CompanionError, OptionError, RecordError
from companion.core.files import read_open, read_regular
from companion.core.names import one_form
from companion.core.text import msg
from companion.referee import durable
from companion.referee.durable import (
    CHAIN,
    JournalError,
    SealedFile,
    is_sealed,
    locked_file,
    sealed,
    set_aside,
    unsealed,
    unusable,
)

FORMAT: Final = 1

KINDS: Final[dict[str, Any]] = {kind.__name__.lower(): kind for kind in get_args(LedgerEvent)}

log = logging.getLogger(__name__)


class Read(NamedTuple):
    """A parsed file. `seal` is that of the last good line."""

    tournament: Tournament
    good_bytes: int
    seal: str
    torn: bool


class Ledger:
    """An open, locked tournament file. Use it as a context manager."""

    def __init__(self, file: SealedFile, tournament: Tournament) -> None:
        """Use `create` or `open` instead."""
        self._file = file
        self.tournament = tournament

    @classmethod
    def create(cls, path: Path, plan: Plan) -> Self:
        """Create a file atomically. Raise OptionError for an impossible plan or an existing file, JournalError."""
        tournament = Tournament(plan)
        if path.exists():
            raise OptionError(msg("{file} already exists; it was not changed", file=path))
        data, seal = sealed(printed(plan), CHAIN)
        try:
            durable.make_folder(path.parent)
            fd = durable.write_whole(path, data)
        except OSError as error:
            raise unusable(path, error) from error
        return cls(SealedFile(path, fd, len(data), seal), tournament)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file. Raise JournalError if it is in use, RecordError if damaged."""
        try:
            fd = locked_file(path)
        except OSError as error:
            raise error if isinstance(error, JournalError) else unusable(path, error) from error
        try:
            found = _read(path, read_open(fd, path, limits.RECORD_BYTES))
            if found.torn:
                aside = set_aside(path, fd, found.good_bytes)
                log.warning("%s: %s; %s", path, msg("its last line was incomplete and was not counted"), aside.name)
        except BaseException as error:
            os.close(fd)
            if isinstance(error, OSError):
                raise unusable(path, error) from error
            raise
        return cls(SealedFile(path, fd, found.good_bytes, found.seal), found.tournament)

    def take(self, event: LedgerEvent) -> None:
        """Write an event, then apply it. OptionError and JournalError prevent both."""
        self.tournament.check(event)
        self._file.write(printed(event))
        self.tournament.take(event)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path) -> Tournament:
    """Read a file, which may be in use. Raise JournalError, RecordError."""
    try:
        data = read_regular(path, limits.RECORD_BYTES)
    except OSError as error:
        raise unusable(path, error) from error
    return _read(path, data).tournament


def printed(event: LedgerEvent) -> str:
    """Return the line of an event, without its seal."""
    found: dict[str, object] = {"event": type(event).__name__.lower(), **event._asdict()}
    if isinstance(event, Plan):
        found = {"format": FORMAT} | found
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _read(path: Path, data: bytes) -> Read:
    lines = data.split(b"\n") if is_sealed(data) else [b""]
    torn, seal, good_bytes = bool(lines.pop()), CHAIN, 0
    tournament: Tournament | None = None
    for number, raw in enumerate(lines, 1):
        try:
            body, seal = unsealed(raw, seal, torn=False)
            event = _parsed(body)
            if tournament is not None:
                tournament.take(event)
            elif isinstance(event, Plan):
                tournament = Tournament(event)
            else:
                raise RecordError(msg("it does not start a tournament"))
        except (CompanionError, *NO_MESSAGE) as error:
            why = error.text if isinstance(error, CompanionError) else msg("it is not a tournament event")
            raise RecordError(
                msg(
                    "{path}: line {n} is damaged: {why}. Nothing was changed. Use an intact copy of the file, or "
                    "delete this line and all after it",
                    path=path,
                    n=number,
                    why=why,
                ),
                number,
            ) from error
        good_bytes += len(raw) + 1
    if tournament is None:
        raise RecordError(msg("{path}: not a tournament file; companion club new starts one", path=path))
    return Read(tournament, good_bytes, seal, torn)


def _parsed(body: str) -> LedgerEvent:
    try:
        found = json.loads(body)
        kind = KINDS[found.pop("event")]
        if kind is Plan and found.pop("format") != FORMAT:
            raise RecordError(msg("it was written by a newer version of this program"))
        event: LedgerEvent = kind(**{key: _tuples(value) for key, value in found.items()})
        hash(event)
    except (*NO_MESSAGE, RecursionError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(msg("it is not a tournament event")) from error
    return event


def _tuples(value: Any) -> Any:
    if isinstance(value, str):
        return one_form(value)
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
