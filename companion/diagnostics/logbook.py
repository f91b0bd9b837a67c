"""The log: in journald for a service, else in a file of the user. It contains no secrets.

Warnings also go to the terminal. Unexpected errors are logged with a traceback but without their text, which could
quote a card or a bid.
"""

import copy
import json
import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from companion.config.sections import LogOptions
from companion.core.errors import CompanionError
from companion.core.event import Event, to_json
from companion.core.files import state_folder
from companion.core.text import _, printable, printable_lines, reason
from companion.diagnostics.failures import Keeper, described

FILE_NAME: Final = "companion.log"
FILE_BYTES: Final = 1_000_000
FILES: Final = 3
"""Number of old log files."""

JOURNALD: Final = "/run/systemd/journal/socket"

EVIDENCE: Final = frozenset({"verdict", "late_report", "stamp_refused", "paused", "went_on"})
"""Event kinds to log: verdicts and pauses. All are the referee's, since a game's event could be a secret bid."""

_PRIORITIES: Final = {logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}

log = logging.getLogger(__name__)


class Discreet(logging.Formatter):
    """Escapes control characters and omits texts of exceptions that could quote a secret."""

    def format(self, record: logging.LogRecord) -> str:
        """Ignore exception text that another formatter may have cached."""
        record = copy.copy(record)
        record.msg, record.args = printable(record.getMessage()), None
        record.exc_text = None
        return printable_lines(super().format(record))

    def formatException(self, ei: object) -> str:  # noqa: N802  logging's own name
        assert isinstance(ei, tuple)
        return _told(ei[1])


class Journald(logging.Handler):
    """Sends records to journald, or to standard error without it. A traceback stays one entry."""

    def __init__(self, address: str = JOURNALD) -> None:
        super().__init__()
        self._address = address
        import socket  # noqa: PLC0415  only a service needs it

        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def emit(self, record: logging.LogRecord) -> None:
        text, priority = self.format(record), _PRIORITIES.get(record.levelno, 6)
        fields = {
            "MESSAGE": text,
            "PRIORITY": str(priority),
            "SYSLOG_IDENTIFIER": "companion",
            "LOGGER": record.name,
            "THREAD_NAME": record.threadName or "",
            "CODE_FILE": record.pathname,
            "CODE_LINE": str(record.lineno),
            "COMPANION_KIND": getattr(record, "kind", ""),
        }
        try:
            self._line.sendto(b"".join(_field(name, value) for name, value in fields.items()), self._address)
        except OSError:
            print(f"<{priority}>{text}", file=sys.stderr)  # noqa: T201  what systemd reads of a service

    def close(self) -> None:
        self._line.close()
        super().close()


class LogFile(logging.Handler):
    """A file of the user, opened with the first record: what rotates it is slow to load."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        try:
            (self._file or self._open()).emit(record)
        except OSError:  # it could be opened before
            self.handleError(record)

    def _open(self) -> logging.Handler:
        from logging.handlers import RotatingFileHandler  # noqa: PLC0415

        self._file = RotatingFileHandler(self._path, maxBytes=FILE_BYTES, backupCount=FILES, encoding="utf-8")
        self._file.setFormatter(self.formatter)
        return self._file

    def close(self) -> None:
        if self._file:
            self._file.close()
        super().close()


def begin() -> None:
    """Print warnings on the terminal, unless journald receives standard error."""
    if _is_journal(os.environ):
        return
    terminal = logging.StreamHandler()
    terminal.setFormatter(Discreet("companion: %(message)s"))
    terminal.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[terminal], level=logging.WARNING)


class Book:
    """The open log. `where` says where it is."""

    def __init__(self, handlers: Sequence[logging.Handler], where: str) -> None:
        self.handlers = handlers
        self.where = where

    def write(self, text: str, error: BaseException | None = None) -> None:
        """Log what ended the program, but not on the terminal."""
        info = (type(error), error, error.__traceback__) if error else None
        ended_by = {"ended_by": type(error).__name__} if isinstance(error, CompanionError) else {}
        told = None if ended_by else info
        record = log.makeRecord(log.name, logging.ERROR, __file__, 0, "%s", (text,), told, extra=ended_by)
        for handler in self.handlers:
            handler.handle(record)


@contextmanager
def kept(options: LogOptions, environ: Mapping[str, str] = os.environ) -> Iterator[Book]:
    """Keep the log and the file of failures open.

    CompanionErrors that end the program are also logged.
    """
    folder = state_folder(environ)
    keeps, where = _book(folder, environ)
    book = Book((keeps, Keeper(folder)), where)
    root, own = logging.getLogger(), logging.getLogger("companion")
    with ExitStack() as ending:
        for handler in book.handlers:
            root.addHandler(handler)
            ending.callback(handler.close)
            ending.callback(root.removeHandler, handler)
        ending.callback(own.setLevel, own.level)
        own.setLevel(options.level.upper())
        ending.callback(setattr, threading, "excepthook", threading.excepthook)
        threading.excepthook = _thread_ended
        try:
            yield book
        except CompanionError as error:
            book.write(str(error), error)
            raise


def crash(error: Exception) -> str:
    """Log the error that ended the program. Return where."""
    with kept(LogOptions()) as book:
        book.write(f"command {sys.argv[1:2]}", error)
    return book.where


def follow(t_ns: int, event: Event) -> None:
    """Log a public event of a kind in EVIDENCE."""
    if event.kind in EVIDENCE and event.visible_to(None):
        told = json.dumps(to_json(t_ns, event), ensure_ascii=False)
        log.info("%s", told, extra={"kind": event.kind})


def _book(folder: Path, environ: Mapping[str, str]) -> tuple[logging.Handler, str]:
    if _is_journal(environ):
        book: logging.Handler = Journald()
        book.setFormatter(Discreet("%(message)s"))
        return book, _("the details are in the journal: journalctl -u companion")
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600))
        book = LogFile(path)
    except OSError as error:
        why = _("its details could not be saved in {path}: {why}").format(path=path, why=reason(error))
        return logging.NullHandler(), why
    book.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s (%(threadName)s): %(message)s"))
    return book, _("the details are in {path}").format(path=path)


def _is_journal(environ: Mapping[str, str]) -> bool:
    """Return True if standard error goes to journald (systemd.exec(5), JOURNAL_STREAM)."""
    found = os.fstat(2)
    return environ.get("JOURNAL_STREAM", "") == f"{found.st_dev}:{found.st_ino}"


def _field(name: str, value: str) -> bytes:
    """Return a field in journald's native protocol, with its length for multiple lines."""
    data = value.encode("utf-8", "replace")
    return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"


def _told(error: BaseException | None) -> str:
    if error is None:
        return ""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{_told(earlier)}\n\nWhich led to this:\n\n" if earlier else ""
    lines = "".join(traceback.format_tb(error.__traceback__))
    return f"{before}Traceback (most recent call last):\n{lines}{described(error)}"


def _thread_ended(ended: threading.ExceptHookArgs) -> None:
    name = ended.thread.name if ended.thread else "?"
    log.error("the thread %s has ended", name, exc_info=ended.exc_value)
