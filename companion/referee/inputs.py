"""What the referee uses of the devices: an interface that the real ones and their virtual twins share."""

from collections.abc import Iterable
from typing import Protocol

from companion.core.signal import SeatSignal


class Inputs(Protocol):
    """All devices that report signals, as one."""

    @property
    def settle_ns(self) -> int:
        """How late a report of the slowest of them may arrive."""

    @property
    def settle_most_ns(self) -> int:
        """How long a verdict waits for them at most."""

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened has been reported by now.

        That is `settle_ns` ago, or later when they can prove it; then a level reading comes with the proof.
        """

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        """Return what is still waiting to be read, and then a level reading of every buzzer.

        What waits will be reported by itself too: to hear it twice changes nothing.
        """
