"""Finds and replays stored matches."""

import logging
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

from companion.core import limits
from companion.core.errors import CompanionError, NewerRecordError, OptionError, nearest
from companion.core.files import BOM, open_regular
from companion.core.game import Game
from companion.core.match import Match
from companion.core.record import parse_tag, without_remark
from companion.core.replay import check_format, replay_entries
from companion.core.tags import is_demo, is_lesson
from companion.core.text import Text, _, msg, printable
from companion.referee.durable import DiskError, unusable
from companion.referee.journal import (
    FORMAT_TAG,
    OPEN_SUFFIX,
    SUFFIX,
    Opened,
    mark_of,
    number_of_record,
    open_record,
    opening,
    order,
    unmark,
)

log = logging.getLogger(__name__)

LAST: Final = "last"
"""Names the newest match."""

LOOKED_AT: Final = 20
"""Newest records searched for an interrupted match, since a copy may lack its mark."""

MOST_PIECES: Final = 1_000
"""Maximum pieces of records read, since people are waiting."""


class KeptRecord(NamedTuple):
    """A record's name and content; None if it cannot be read."""

    name: str
    opened: Opened | None


def new_path(folder: Path, match: Match) -> Path:
    """Return a path for a new record. Raises DiskError."""
    number = 1 + max((number_of_record(name) for name in _files(folder)), default=0)
    return folder / f"{number:05}-{time.strftime('%Y-%m-%d-%H%M%S')}-{match.game.name}{SUFFIX}"


def records(folder: Path) -> list[Path]:
    """Return the records of a folder, oldest first. Raises DiskError."""
    return [folder / name for name in sorted(_files(folder), key=order) if name.endswith(SUFFIX)]


def _files(folder: Path) -> list[str]:
    try:
        # Not glob, which since Python 3.13 takes a failing folder for an empty one.
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise unusable(folder, error) from error


def listed(folder: Path) -> list[Path]:
    """Return the records of a folder, oldest first. Raises OSError if it cannot be read."""
    with suppress(FileNotFoundError):
        next(folder.iterdir(), None)
    return records(folder)


def interrupted(folder: Path, games: Mapping[str, Game]) -> tuple[Path, Opened] | None:
    """Return the last interrupted match with its record, unless people left it on purpose.

    Records with a mark come first, then the newest ones. Marks left by a kill are removed. Raises DiskError.
    """
    names = _files(folder)
    newest = [folder / name for name in sorted(names, key=order, reverse=True) if name.endswith(SUFFIX)]
    marks = {folder / name for name in names if name.endswith(OPEN_SUFFIX)}
    marked = [path for path in newest if mark_of(path) in marks]
    pieces = iter(range(MOST_PIECES))
    for path in dict.fromkeys((*marked, *newest[:LOOKED_AT])):
        try:
            opened = _opened_within(pieces, opening(path, games))
        except CompanionError as error:
            log.warning("%s", error)
            continue
        if opened is None:
            log.warning("%s: no match is looked for any further: these records are too long", folder)
            return None
        match = opened.match
        if match.length and not (opened.left or is_over_or_for_show(match)):
            return path, opened
        unmark(path)
    return None


def of_newer(folder: Path) -> Text | None:
    """Say how many of the newest records need a newer companion, or None."""
    try:
        count = sum(map(_is_newer, records(folder)[-LOOKED_AT:]))
    except DiskError:  # `interrupted` reports it
        return None
    if not count:
        return None
    return msg(
        "{n} match is from a newer version of the companion and stays unchanged. Update the companion to open it",
        "{n} matches are from a newer version of the companion and stay unchanged. Update the "
        "companion to open them",
        n=count,
    )


def _is_newer(path: Path) -> bool:
    try:
        with open(open_regular(path), "rb") as file:  # noqa: PTH123  pathlib opens no descriptor
            line = file.readline(limits.RECORD_LINE_BYTES).decode()
        name, value = parse_tag(without_remark(line.removeprefix(BOM)).strip())
        if name == FORMAT_TAG:
            check_format(value)
    except NewerRecordError:
        return True
    except (OSError, ValueError):  # other errors are reported when the record is opened
        return False
    return False


def is_over_or_for_show(match: Match) -> bool:
    """Return True for a match that nobody resumes."""
    return match.outcome is not None or is_demo(match) or is_lesson(match)


def _opened_within(pieces: Iterator[int], reading: Generator[None, None, Opened]) -> Opened | None:
    try:
        for _piece in pieces:
            next(reading)
    except StopIteration as end:
        opened: Opened = end.value
        return opened
    return None


def find(name: str, folder: Path) -> list[Path]:
    """Return the record with a file name or match id; for LAST all records, newest first.

    Raises OptionError that names the nearest, and OSError for an unreadable folder.
    """
    with suppress(OSError, ValueError):  # a name may be too long or invalid for a file
        if Path(name).is_file():
            return [Path(name)]
    known = {path.name.removesuffix(SUFFIX): path for path in listed(folder)}
    if name == LAST and known:
        return [*reversed(known.values())]
    if name not in known:
        near = nearest(name, known) if known else msg("{folder} contains no matches", folder=folder)
        raise OptionError(msg("unknown match {name!r}; {near}", name=name, near=near))
    return [known[name]]


def open_named(name: str, folder: Path, games: Mapping[str, Game], errors: IO[str]) -> Opened:
    """Return a match by its name or file; for LAST the newest that can be read.

    Prints damage to `errors`. Raises RecordError, and as `find` does.
    """
    *paths, oldest = find(name, folder)
    for path in paths:
        try:
            return _told(path, games, errors)
        except CompanionError as error:
            print(f"companion: {error}", file=errors)
    return _told(oldest, games, errors)


def _told(path: Path, games: Mapping[str, Game], errors: IO[str]) -> Opened:
    opened = open_record(path, games)
    if opened.damage:
        print(f"companion: {printable(str(path))}: {opened.damage.text}", file=errors)
    return opened


def kept(
    folder: Path, games: Mapping[str, Game], progress: Callable[[int, int], None] = lambda *_: None
) -> Iterator[KeptRecord]:
    """Open the records of a folder, oldest first. Raises OSError."""
    paths = listed(folder)
    for number, path in enumerate(paths, 1):
        name = path.name.removesuffix(SUFFIX)
        try:
            yield KeptRecord(name, open_record(path, games))
        except CompanionError:
            yield KeptRecord(name, None)
        progress(number, len(paths))


def replay(opened: Opened, out: IO[str]) -> None:
    """Print a match move by move; of a running one only the public part."""
    match = opened.match
    names = _names(match)
    for shown, (_entry, events) in zip(match.log().entries, replay_entries(match), strict=True):
        print(printable(str(shown._replace(comment=""))), file=out)
        for event in events:
            sentence = event.sentence(names) if event.visible_to(None) else None
            if sentence is not None:
                print(f"    {sentence}", file=out)
    print(file=out)
    print(match.game.teller.picture(match.view(), names, str), file=out)
    print(_result(match), file=out)


def _names(match: Match) -> tuple[str, ...]:
    """Return the players' names, safe for a terminal."""
    return tuple(map(printable, match.names))


def _result(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return _("not over")
    winners = ", ".join(_names(match)[seat] for seat in outcome.winners)
    return _("{winners}: {reason}").format(winners=winners, reason=outcome.reason)
