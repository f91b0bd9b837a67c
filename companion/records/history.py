"""Matches that were kept: listing, finding, telling them again."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from companion.core.errors import CompanionError, OptionError, nearest
from companion.core.game import Game
from companion.core.match import Match, replay_entries
from companion.core.tags import is_demo, is_lesson
from companion.core.text import _, msg
from companion.records.stats import Kept, played_minutes
from companion.referee.journal import SUFFIX, Opened, open_record
from companion.referee.words import tell

log = logging.getLogger(__name__)

LAST: Final = "last"
"""Names the newest match."""


def new_path(folder: Path, match: Match) -> Path:
    """Return a path for a new record: its name is when it began and what is played."""
    stem = time.strftime("%Y-%m-%d-%H%M%S") + "-" + match.game.name
    path = folder / (stem + SUFFIX)
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number:02}{SUFFIX}"
    return path


def records(folder: Path) -> list[Path]:
    """Return the records of a folder, oldest first."""
    return sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.name.removesuffix(SUFFIX))


def listed(folder: Path) -> list[Path]:
    """Return the same to somebody who asks. Raise OSError for a folder that cannot be read: it only looks empty."""
    with suppress(FileNotFoundError):
        next(folder.iterdir(), None)
    return records(folder)


def interrupted(folder: Path, games: Mapping[str, Game]) -> tuple[Path, Opened] | None:
    """Return the last match that was no demo and no lesson, with its record, if it has begun and is not over."""
    for path in reversed(records(folder)):
        try:
            opened = open_record(path, games)
        except CompanionError as error:
            log.warning("%s", error)
            return None
        if not (is_demo(opened.match) or is_lesson(opened.match)):
            return None if opened.match.outcome or not opened.match.length else (path, opened)
    return None


def find(name: str, folder: Path) -> Path:
    """Return the record of a file name or a match's id.

    Raise OptionError with the nearest, OSError for a folder that cannot be read.
    """
    with suppress(OSError):  # a name may be too long for a file's
        if Path(name).is_file():
            return Path(name)
    known = {path.name.removesuffix(SUFFIX): path for path in listed(folder)}
    if name == LAST and known:
        return known[max(known)]
    if name not in known:
        near = nearest(name, known) if known else msg("there are no matches in {folder}", folder=folder)
        raise OptionError(msg("there is no match {name!r}; {near}", name=name, near=near))
    return known[name]


def open_named(path: Path, games: Mapping[str, Game], errors: IO[str]) -> Opened:
    """Return the match of a record and name its damage. Raise RecordError when nothing can be read."""
    opened = open_record(path, games)
    if opened.damage:
        print(f"companion: {path}: {opened.damage.text}", file=errors)
    return opened


def kept(
    folder: Path, games: Mapping[str, Game], progress: Callable[[int, int], None] = lambda *_: None
) -> Iterator[Kept]:
    """Open the records of a folder one after the other, oldest first; a damaged one is named, none is changed.

    Raise OSError for a folder that cannot be read.
    """
    paths = listed(folder)
    for number, path in enumerate(paths, 1):
        name = path.name.removesuffix(SUFFIX)
        try:
            yield Kept(name, open_record(path, games))
        except CompanionError:
            yield Kept(name, None)
        progress(number, len(paths))


def show(folder: Path, games: Mapping[str, Game], out: IO[str]) -> None:
    """List the matches of a folder: each with its game, how long it was, its players, and how it ended.

    Raise OSError for a folder that cannot be read.
    """
    paths = listed(folder)
    if not paths:
        print(_("no matches in {folder}").format(folder=folder), file=out)
    names = [path.name.removesuffix(SUFFIX) for path in paths]
    wide = max(map(len, names), default=0)
    for name, path in zip(names, paths, strict=True):
        print(f"{name.ljust(wide)}  {_summary(path, games)}", file=out)


def replay(path: Path, games: Mapping[str, Game], out: IO[str], errors: IO[str]) -> int:
    """Tell a match again from its record; return 0, or 1 when the record is damaged."""
    opened = open_named(path, games, errors)
    match = opened.match
    for entry, events in replay_entries(match):
        print(entry._replace(comment=""), file=out)
        for happened in events:
            sentence = tell(match.game, happened, match.names) if happened.visible_to(None) else None
            if sentence is not None:
                print(f"    {sentence}", file=out)
    print(file=out)
    print(match.game.teller.picture(match.view(), match.names, str), file=out)
    print(_result(match), file=out)
    return 1 if opened.damage else 0


def _summary(path: Path, games: Mapping[str, Game]) -> str:
    try:
        opened = open_record(path, games)
    except CompanionError as error:
        return str(error)
    match = opened.match
    title = match.game.title.ljust(max(len(game.title) for game in games.values()))
    minutes = played_minutes(match)
    length = _("{n} min").format(n=minutes) if minutes else ""
    kind = _("  (robots for show)") if is_demo(match) else _("  (a lesson)") if is_lesson(match) else ""
    damaged = _("  (damaged)") if opened.damage else ""
    return f"{title}  {length:>7}  {', '.join(match.names)}  {_result(match)}{kind}{damaged}"


def _result(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return _("not over")
    winners = ", ".join(match.names[seat] for seat in outcome.winners)
    return _("{winners}: {reason}").format(winners=winners, reason=outcome.reason)
