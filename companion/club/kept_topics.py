"""The topics under which a broker keeps messages of this table; unused ones are emptied.

A broker keeps such a message for ever, even when the table has another name or Home Assistant is switched off.
Only the table can tell what it once said there, so a small file beside the records has these topics, one a line.
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
    """The topics of one table; its records are in `folder`."""

    def __init__(self, folder: Path, used: Iterable[str], once: Iterable[str]) -> None:
        """`used` are the present topics, `once` those that may have been used if the file does not say."""
        self._path, self._used = folder / FILE_NAME, frozenset(used)
        self._lock = threading.Lock()
        self._kept = self._read(once) | self._used
        self._write()

    def emptied(self) -> list[Sent]:
        """Return the messages that make a broker forget the topics no longer used."""
        with self._lock:
            return [Sent(topic, b"", kept=True, sure=True) for topic in sorted(self._kept - self._used)]

    def confirm(self, topic: str) -> None:
        """Note that the broker has emptied a topic."""
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
