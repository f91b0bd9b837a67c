"""The notice that a release failed and the previous one is back."""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.core.text import Text, msg

FAILED: Final = Path("/opt/companion/failed")  # where companion-release writes the version that failed

_TOLD: Final = "switched-back"  # the failure that was already announced, in the table's state folder

log = logging.getLogger(__name__)


def notice(state: Path, failed: Path = FAILED) -> tuple[Text, Callable[[], None]] | None:
    """Return a notice, and a callback that marks it as read. None if there is nothing new."""
    try:
        version = failed.read_text(encoding="utf-8").strip()
        which = f"{version} {failed.stat().st_mtime_ns}"
    except (OSError, ValueError):
        return None
    told = state / _TOLD
    with suppress(OSError, ValueError):
        if told.read_text(encoding="utf-8") == which:
            return None
    text = msg(
        "Version {version} failed to start. The previous version is back, and nothing is lost", version=version
    )
    log.warning("%s", text)

    def note() -> None:
        try:
            told.write_text(which, encoding="utf-8")
        except OSError as error:  # it is announced again, which does no harm
            log.warning("%s: %s", told, error.strerror)

    return text, note
