"""The program as a systemd service: reports its state and requests actions of root.

Without systemd, nothing is reported.
"""

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from companion.core.errors import CompanionError
from companion.core.heartbeat import Heartbeat
from companion.core.text import Text, msg, reason

LOOK_NS: Final = 1_000_000_000
"""Interval of the watchdog's checks."""

POWER_OFF: Final = "poweroff"
START_AGAIN: Final = "again"
"""Request files, watched by companion-poweroff.path and companion-again.path of `systemd/`."""

log = logging.getLogger(__name__)


class ServiceError(CompanionError, OSError):
    """A failed request. The text contains the remedy."""


class Service:
    """The service manager named by the environment (sd_notify(3), systemd.exec(5))."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        self._requests = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        usual_pid = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._notices = environ.get("COMPANION_NOTICES", "")
        self._told_ready = False
        self.watchdog_ns = int(environ.get("WATCHDOG_USEC", "0")) * 1000 if usual_pid else 0
        """systemd's watchdog timeout; 0 if it has none."""

    @property
    def is_there(self) -> bool:
        return bool(self._address)

    def notices(self) -> list[Text]:
        """Return the system's notices for the first screen, the lines of the file COMPANION_NOTICES."""
        if not self._notices:
            return []
        try:
            lines = Path(self._notices).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            return [msg("{file}: {why}", file=self._notices, why=str(error))]
        return [Text("{line}", (("line", line),)) for line in lines]  # already translated

    def ready(self) -> None:
        """Report, once, that the table is visible and usable."""
        if not self._told_ready:
            self._told_ready = True
            self._tell("READY=1")

    def alive(self) -> None:
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def ask(self, request: str) -> None:
        """Request POWER_OFF or START_AGAIN. Raise ServiceError if nobody can do it."""
        path = Path(self._requests) / request
        try:
            if not self._requests:
                raise FileNotFoundError
            path.touch()
        except OSError as error:
            raise ServiceError(
                msg("The system could not be asked to do this: {path}: {why}", path=path, why=reason(error))
            ) from error

    def _tell(self, state: str) -> None:
        if not self._address:
            return
        import socket  # noqa: PLC0415  only a service needs it

        # @ marks an abstract socket.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            try:
                line.sendto(state.encode(), address)
            except OSError as error:  # the table continues; systemd may end it
                log.warning("the service manager does not hear %s: %s", state, error.strerror)


class Watchdog:
    """Feeds systemd's watchdog while all threads are alive.

    The display's loop calls `look`, so the watchdog also notices if that hangs.
    """

    def __init__(self, service: Service, signs: Callable[[], Iterable[Heartbeat]]) -> None:
        """`signs` returns the heartbeats to wait for now, without those of unplugged devices."""
        self._service = service
        self._signs = signs
        self._heard: set[Heartbeat] = set()  # since the last feeding
        self._next_ns = 0
        self._fed_ns: int | None = None

    def look(self, now_ns: int) -> None:
        """Feed the watchdog if all heartbeats came since the last time."""
        if now_ns < self._next_ns or not self._service.watchdog_ns:
            return
        self._next_ns = now_ns + LOOK_NS
        signs = list(self._signs())
        self._heard.update(sign for sign in signs if sign.beaten())
        silent = [sign.name for sign in signs if sign not in self._heard]
        if not silent:
            self._service.alive()
            self._fed_ns = now_ns
            self._heard.clear()
        elif self._fed_ns is not None and now_ns - self._fed_ns > self._service.watchdog_ns // 2:
            log.error("no sign of life of %s: the table will be started again", ", ".join(silent))
            self._fed_ns = None  # log it once
