"""A referee that acts when something is due, and presents each of its steps."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from companion.core.console import BUZZ
from companion.core.errors import Uncorrected
from companion.core.event import event
from companion.core.move import Move
from companion.core.signal import SeatSignal
from companion.core.text import Text
from companion.referee import events
from companion.referee.referee import Referee
from companion.referee.step_result import Pause, Reason, StepResult
from companion.referee.undo import Undo


class RefereeLoop(ABC):
    """Gives a referee the time and signals, and presents each step before the next one."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.match = referee.match

    @abstractmethod
    def present(self, result: StepResult) -> None:
        """Show and announce a step, which is already durable."""

    @property
    def deadline_ns(self) -> int | None:
        due = self.referee.due
        return due[0] if due else None

    def signal(self, signal: SeatSignal) -> None:
        """Act on a seat's signal, after everything that was due before its arrival."""
        if signal.control == BUZZ:  # it may be in time for a call that a busy machine judges only now
            self.referee.calls.log.hear([signal])
        self.tick(signal.received_ns)
        self.do(partial(self.referee.signal, signal), signal.received_ns)
        self.tick(signal.received_ns)

    def visible(self, shown_ns: int, now_ns: int) -> None:
        """Open the position's call, if any: it could be seen since `shown_ns`."""
        self.do(partial(self.referee.dealing.visible, shown_ns), now_ns)

    def tick(self, now_ns: int) -> None:
        while (due := self.referee.due) and due[0] <= now_ns:
            at_ns, act = due
            self.do(act, at_ns)

    def do(self, act: Callable[[], object], now_ns: int) -> None:
        for result in self.referee.do(act, now_ns):
            self.present(result)

    # --- What the house does ----------------------------------------------------------------------------

    def pause(self, now_ns: int, reason: Reason = Reason.HOUSE) -> None:
        self.tick(now_ns)
        self.do(partial(self.referee.pauses.begin, Pause(reason)), now_ns)

    def resume(self, now_ns: int, reason: Reason = Reason.HOUSE) -> None:
        self.tick(now_ns)
        self.do(partial(self.referee.pauses.end, Pause(reason)), now_ns)

    def settle(self, now_ns: int) -> None:
        """Decide, before an undo, what does not depend on reports still to come.

        The undo takes back a call that would have been judged had its report come at once. It drops later calls,
        and keys pressed before the undo, in any order of reports.
        """
        self.tick(now_ns)
        self.do(self.referee.judge.hasten, now_ns)

    def next_undo(self, asked_ns: int | None = None) -> Undo:
        return self.referee.committer.next_undo(asked_ns)

    def undo(self, now_ns: int, asked_ns: int | None = None) -> None:
        """Take back what `next_undo` returns; it was shown since `settle`, and confirmed."""
        self.tick(now_ns)
        self.do(partial(self.referee.committer.undo, asked_ns), now_ns)

    def amend(self, number: int, move: Move, now_ns: int, without: int | None = None) -> Uncorrected | None:
        refused: list[Uncorrected | None] = []
        self.tick(now_ns)
        self.do(lambda: refused.append(self.referee.committer.amend(number, move, without)), now_ns)
        return refused[0]

    def table_move(self, move: Move, now_ns: int) -> None:
        self.tick(now_ns)
        self.do(partial(self.referee.table_move, move), now_ns)

    def refuse(self, now_ns: int, text: Text, rule: str | None = None) -> None:
        self.present(StepResult(now_ns, (event(events.Refused(rule, text)),)))
