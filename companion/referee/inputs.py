"""What the referee uses of the devices: interfaces that the real ones and their virtual twins share."""

from collections.abc import Iterable
from typing import Protocol

from companion.core.console import Lamp
from companion.core.move import Seat
from companion.core.rules import View
from companion.core.signal import Signal
from companion.core.text import Text


class Inputs(Protocol):
    """All devices that report signals, as one."""

    @property
    def settle_ns(self) -> int:
        """How late a report of the slowest of them may arrive."""

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened has been reported by now.

        That is `settle_ns` ago, or later when they can prove it; then a level reading comes with the proof.
        """

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return what is still waiting to be read, and then a level reading of every buzzer.

        What waits will be reported by itself too: to hear it twice changes nothing.
        """


class Lamps(Protocol):
    """The lamps of all seats."""

    def show(self, seat: Seat, lamp: Lamp) -> None:
        """Switch one seat's lamp."""


class Screen(Protocol):
    """The display that everybody sees."""

    def show(self, view: View, prompt: Text) -> int | None:
        """Show the public view.

        Return when it became visible, or None when a VISIBLE signal will tell.
        """
