"""The notice of a release that failed and was switched back from, until somebody has read it."""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.core.text import Text, msg

FAILED: Final = Path("/opt/companion/failed")
"""Where companion-release writes which one it was."""

_TOLD: Final = "switched-back"
"""Which one has been told, in the folder of the table's own state."""

log = logging.getLogger(__name__)


def notice(state: Path, failed: Path = FAILED) -> tuple[Text, Callable[[], None]] | None:
    """Return what is to be told, and what notes that it was; None if there is nothing, or it was."""
    try:
        version = failed.read_text(encoding="utf-8").strip()
        which = f"{version} {failed.stat().st_mtime_ns}"
    except (OSError, ValueError):
        return None
    told = state / _TOLD
    with suppress(OSError, ValueError):
        if told.read_text(encoding="utf-8") == which:
            return None
    text = msg("Version {version} did not run: the one before it is back, and nothing is lost", version=version)
    log.warning("%s", text)

    def note() -> None:
        try:
            told.write_text(which, encoding="utf-8")
        except OSError as error:  # it is told once more, which harms nobody
            log.warning("%s: %s", told, error.strerror)

    return text, note
