"""The picture of the display for people who look from elsewhere: it is only made when somebody asks."""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

WATCHED_NS: Final = 5_000_000_000
"""How long after a request somebody is taken to be watching."""


class Picture(NamedTuple):
    """A picture as PNG; another one has another number."""

    number: int
    png: bytes


class LatestPicture:
    """Takes what makes the newest picture, and makes it when it is asked for. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._number = secrets.randbits(48)  # differs from the numbers before a restart
        self._make: Callable[[], bytes] | None = None
        self._made: Picture | None = None
        self._asked_ns: int | None = None

    @property
    def watched(self) -> bool:
        """Whether somebody has asked lately; else `put` is not needed."""
        return self._asked_ns is not None and time.monotonic_ns() - self._asked_ns < WATCHED_NS

    def put(self, make: Callable[[], bytes] | None) -> None:
        """Take what makes the picture that is shown from now on; None: this one is not for everybody."""
        with self._lock:
            self._make = make
            self._number += 1

    def picture(self) -> Picture | None:
        """Return the newest picture, None without one."""
        self._asked_ns = time.monotonic_ns()
        with self._making:  # concurrent requests wait for the same picture
            with self._lock:
                number, make = self._number, self._make
            if make is None:
                return None
            if self._made is None or self._made.number != number:
                self._made = Picture(number, make())
            return self._made
