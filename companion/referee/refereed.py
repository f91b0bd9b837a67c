"""A match under its referee: signals and time go in, what happened is presented, one step after the other."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from companion.core.console import BUZZ
from companion.core.event import event
from companion.core.move import TABLE, Move, Seat
from companion.core.signal import SeatSignal
from companion.core.text import Text
from companion.referee.events import Refused
from companion.referee.happened import Happened, Pause, Reason
from companion.referee.referee import Referee


class Refereed(ABC):
    """The loop around a referee. What presents a step may tell the referee to wait, before the next one is done."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.match = referee.match

    @abstractmethod
    def present(self, happened: Happened) -> None:
        """Show, light and tell a step that is durable."""

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due; None when only a signal can change something."""
        return self.referee.deadline_ns

    def signal(self, signal: SeatSignal) -> None:
        """Act on what a device reports, by seat; what was due before its arrival is done first."""
        if signal.control == BUZZ:  # what a busy machine judges only now knows of it: its stamp may be in time
            self.referee.calls.hear([signal])
        self.tick(signal.received_ns)
        self.do(partial(self.referee.signal, signal), signal.received_ns)
        self.tick(signal.received_ns)

    def visible(self, shown_ns: int, now_ns: int) -> None:
        """Open the call that the position is about, if there is one: it could be seen since `shown_ns`."""
        self.do(partial(self.referee.visible, shown_ns), now_ns)

    def tick(self, now_ns: int) -> None:
        """Do all that is due by now."""
        while (due_ns := self.referee.deadline_ns) is not None and due_ns <= now_ns:
            for happened in self.referee.tick(now_ns):
                self.present(happened)

    def do(self, act: Callable[[], object], now_ns: int) -> None:
        """Have the referee do something at a time; present what happened, one step after the other."""
        for happened in self.referee.do(act, now_ns):
            self.present(happened)

    # --- What the house does ----------------------------------------------------------------------------

    def pause(self, now_ns: int, reason: Reason = Reason.HOUSE, seat: Seat = TABLE) -> None:
        """Stop the match's time."""
        self.tick(now_ns)
        self.do(partial(self.referee.pause, Pause(reason, seat)), now_ns)

    def resume(self, now_ns: int, reason: Reason = Reason.HOUSE, seat: Seat = TABLE) -> None:
        """End one reason to wait; the match goes on when there is no other."""
        self.tick(now_ns)
        self.do(partial(self.referee.resume, Pause(reason, seat)), now_ns)

    def undo(self, now_ns: int) -> None:
        """Take back what `takeback` tells; who calls this has shown it, and it was confirmed."""
        self.tick(now_ns)
        self.do(self.referee.undo, now_ns)

    def amend(self, number: int, move: Move, now_ns: int, without: int | None = None) -> None:
        """Correct an earlier move, `without` the moves from that number on.

        Raise IllegalMove, AmendError, SecretPendingError or ValueError.
        """
        self.tick(now_ns)
        self.do(partial(self.referee.amend, number, move, without), now_ns)

    def table_move(self, move: Move, now_ns: int) -> None:
        """Make a move of the TABLE that the house reads off the table: a real card, a real die."""
        self.tick(now_ns)
        self.do(partial(self.referee.table_move, move, now_ns), now_ns)

    def refuse(self, now_ns: int, text: Text, rule: str | None = None) -> None:
        """Refuse something of the house, before everybody."""
        self.present(Happened(now_ns, (event(Refused(rule, text)),)))
