"""The last failures of the program, as sentences in a small file: what the safe mode shows when it did not start.

A failure is told without what was being played: the text of an error that nobody foresaw could quote a secret.
"""

import logging
import os
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.core.errors import CompanionError
from companion.core.text import Text, msg
from companion.referee import durable

FILE_NAME: Final = "last-failures.txt"

KEPT: Final = 5
"""How many failures the file holds, the newest last."""

BETWEEN: Final = "  "
"""Stands between the time of a failure and what it was."""

log = logging.getLogger(__name__)


def described(error: BaseException) -> str:
    """Return the last line of an error's traceback; only of errors that never quote a secret with its text."""
    kind = type(error).__qualname__
    return f"{kind}: {error}" if isinstance(error, CompanionError | OSError) else kind


def keep(text: str, folder: Path) -> None:
    """Add a failure of now to the file; where that cannot be done the log says so."""
    newest = (time.strftime("%Y-%m-%d %H:%M"), " ".join(text.split()))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines = (f"{when}{BETWEEN}{what}\n" for when, what in [*last(folder), newest][-KEPT:])
        os.close(durable.write_whole(folder / FILE_NAME, "".join(lines).encode()))
    except OSError as error:
        log.warning("a failure could not be kept: %s: %s", error.filename or folder, error.strerror)


def last(folder: Path) -> list[tuple[str, str]]:
    """Return the kept failures, when each was and what, oldest first."""
    try:
        lines = (folder / FILE_NAME).read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return []  # none was kept, or nobody can know
    return [(when, what) for when, _, what in (line.partition(BETWEEN) for line in lines)]


class Keeper(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self, folder: Path) -> None:
        super().__init__(logging.ERROR)
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message, and of an exception what it was and where it was raised."""
        error = record.exc_info[1] if record.exc_info else None
        where = traceback.extract_tb(error.__traceback__)[-1:] if error else ()
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in where]
        keep(" ".join([record.getMessage(), *([described(error)] if error else []), *places]), self._folder)


def ended_by(environ: Mapping[str, str]) -> Text | None:
    """Say why the service manager gave the table up, where it tells (systemd.exec(5), MONITOR_SERVICE_RESULT)."""
    return {
        "watchdog": msg("It stopped answering, and its watchdog ended it"),
        "timeout": msg("It took too long to begin"),
        "signal": msg("It crashed ({why})", why=environ.get("MONITOR_EXIT_STATUS", "?")),
        "core-dump": msg("It crashed ({why})", why=environ.get("MONITOR_EXIT_STATUS", "?")),
        "oom-kill": msg("It had no memory left"),
        "protocol": msg("It ended by itself before it had begun, again and again"),
        "start-limit-hit": msg("It ended by itself, again and again"),
    }.get(environ.get("MONITOR_SERVICE_RESULT", ""))
