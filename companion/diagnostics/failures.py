"""The last failures of the program, in a file for the safe mode.

They omit the texts of unexpected errors, which could quote a secret.
"""

import logging
import os
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.errors import CompanionError
from companion.core.text import Text, msg, printable
from companion.referee import durable

FILE_NAME: Final = "last-failures.txt"

RECENT_S: Final = 600.0

KEPT: Final = 5
"""Maximum failures in the file."""

BETWEEN: Final = "  "

UNFORESEEN: Final = "-"
"""The kind of an unexpected failure, which a restart would not cure."""

log = logging.getLogger(__name__)


class Failure(NamedTuple):
    """A failure. `kind` is the name of a CompanionError, or UNFORESEEN."""

    when: str
    kind: str
    text: str


def described(error: BaseException) -> str:
    """Return the type of an error, and its text if that cannot quote a secret."""
    kind = type(error).__qualname__
    return f"{kind}: {error}" if isinstance(error, CompanionError | OSError) else kind


def keep(text: str, folder: Path, kind: str = UNFORESEEN) -> None:
    """Add a failure to the file. Log a warning if that fails."""
    newest = Failure(time.strftime("%Y-%m-%d %H:%M"), kind, printable(" ".join(text.split())))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines = (f"{BETWEEN.join(failure)}\n" for failure in [*last(folder), newest][-KEPT:])
        os.close(durable.write_whole(folder / FILE_NAME, "".join(lines).encode()))
    except OSError as error:
        log.warning("a failure could not be kept: %s: %s", error.filename or folder, error.strerror)


def last(folder: Path) -> list[Failure]:
    """Return the failures, oldest first."""
    try:
        lines = (folder / FILE_NAME).read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return []  # missing or unreadable
    parts = [line.split(BETWEEN, 2) for line in lines]
    return [Failure(*each) for each in parts if len(each) == len(Failure._fields)]


def is_recent(folder: Path) -> bool:
    """Return True if the last failure is at most RECENT_S ago."""
    try:
        return abs(time.time() - (folder / FILE_NAME).stat().st_mtime) < RECENT_S
    except OSError:
        return False


class Keeper(logging.Handler):
    """Stores logged errors."""

    def __init__(self, folder: Path) -> None:
        super().__init__(logging.ERROR)
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        """Store the message, and the type and place of an exception."""
        error = record.exc_info[1] if record.exc_info else None
        where = traceback.extract_tb(error.__traceback__)[-1:] if error else ()
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in where]
        text = " ".join([record.getMessage(), *([described(error)] if error else []), *places])
        keep(text, self._folder, getattr(record, "ended_by", UNFORESEEN))


def ended_by(environ: Mapping[str, str]) -> Text | None:
    """Return why systemd ended the table (systemd.exec(5), MONITOR_SERVICE_RESULT), if known."""
    return {
        "watchdog": msg("It stopped responding, and its watchdog ended it"),
        "timeout": msg("It took too long to start"),
        "signal": msg("It crashed ({why})", why=environ.get("MONITOR_EXIT_STATUS", "?")),
        "core-dump": msg("It crashed ({why})", why=environ.get("MONITOR_EXIT_STATUS", "?")),
        "oom-kill": msg("It ran out of memory"),
        "protocol": msg("It ended by itself before it had started, again and again"),
        "start-limit-hit": msg("It ended by itself, again and again"),
    }.get(environ.get("MONITOR_SERVICE_RESULT", ""))
