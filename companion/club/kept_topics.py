"""Clears retained topics that the table no longer uses, such as after a new name.

Brokers retain messages for ever, so a file beside the records lists all topics.
"""

import logging
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.club.broker import Sent
from companion.config.table_file import replace_file
from companion.core.files import read_regular
from companion.referee.durable import make_folder

FILE_NAME: Final = "club-topics.txt"
FILE_BYTES: Final = 65_536

log = logging.getLogger(__name__)


class KeptTopics:
    """The retained topics of a table with records in `folder`."""

    def __init__(self, folder: Path, used: Iterable[str], once: Iterable[str]) -> None:
        """`used` are the current topics, `once` possible former ones if there is no file."""
        self._path, self._used = folder / FILE_NAME, frozenset(used)
        self._lock = threading.Lock()
        self._kept = self._read(once) | self._used
        self._write()

    def emptied(self) -> list[Sent]:
        """Return messages that clear unused topics."""
        with self._lock:
            return [Sent(topic, b"", kept=True, sure=True) for topic in sorted(self._kept - self._used)]

    def confirm(self, topic: str) -> None:
        with self._lock:
            self._kept -= {topic}
            self._write()

    def _read(self, once: Iterable[str]) -> frozenset[str]:
        try:
            return frozenset(read_regular(self._path, FILE_BYTES).decode().splitlines())
        except FileNotFoundError:
            return frozenset(once)
        except (OSError, UnicodeDecodeError) as error:
            log.warning("%s: %s", self._path, error)
            return frozenset()

    def _write(self) -> None:
        try:
            make_folder(self._path.parent)
            replace_file(self._path, "".join(f"{topic}\n" for topic in sorted(self._kept)))
        except OSError as error:
            log.warning("%s: %s", self._path, error)
