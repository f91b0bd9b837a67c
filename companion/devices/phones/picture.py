"""The picture of the display for remote viewers, made on request."""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

WATCHED_NS: Final = 5_000_000_000
"""How long after a request somebody counts as watching."""


class Picture(NamedTuple):
    """A PNG with a unique number."""

    number: int
    png: bytes


class LatestPicture:
    """Makes the newest picture on request. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._number = secrets.randbits(48)  # differs from the numbers before a restart
        self._make: Callable[[], bytes] | None = None
        self._made: Picture | None = None
        self._asked_ns: int | None = None

    @property
    def watched(self) -> bool:
        """Whether a picture was requested recently; otherwise `put` is not needed."""
        return self._asked_ns is not None and time.monotonic_ns() - self._asked_ns < WATCHED_NS

    def put(self, make: Callable[[], bytes] | None) -> None:
        """Set the function that makes the picture; None hides it."""
        with self._lock:
            self._make = make
            self._number += 1

    def picture(self) -> Picture | None:
        self._asked_ns = time.monotonic_ns()
        with self._making:  # concurrent requests wait for the same picture
            with self._lock:
                number, make = self._number, self._make
            if make is None:
                return None
            if self._made is None or self._made.number != number:
                self._made = Picture(number, make())
            return self._made
