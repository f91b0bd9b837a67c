"""Heartbeats: threads beat, and a watchdog checks that they did."""

from typing import Final

BEAT_S: Final = 4.0
"""A sleeping thread wakes at this interval to beat."""


class Heartbeat:
    """The heartbeat of one thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._beats = True

    def beat(self) -> None:
        self._beats = True

    def beaten(self) -> bool:
        """Return True if there was a beat since the last call."""
        beats, self._beats = self._beats, False
        return beats
