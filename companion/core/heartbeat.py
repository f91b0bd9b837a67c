"""Signs of life: what runs in a thread of its own beats, and whoever watches over it asks whether it did."""

from typing import Final

BEAT_S: Final = 4.0
"""What sleeps wakes at least so often to beat; a quarter of a wake-up a second costs nothing."""


class Heartbeat:
    """The sign of life of one thread, which beats; another one asks."""

    def __init__(self, name: str) -> None:
        """`name` is what a log calls it. What has just begun lives."""
        self.name = name
        self._beats = True

    def beat(self) -> None:
        """Show life. It may be done as often as one likes."""
        self._beats = True

    def beaten(self) -> bool:
        """Tell whether there was a beat since this was asked last."""
        beats, self._beats = self._beats, False
        return beats
