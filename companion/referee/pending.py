"""Presses that wait for a verdict, or for earlier presses."""

from typing import NamedTuple

from companion.core.console import KEYS, Call, Keyed
from companion.core.move import TABLE, Move, Seat
from companion.core.signal import SeatSignal
from companion.referee.calls import Calls
from companion.referee.step_result import Steps


class Held(NamedTuple):
    """A press, a complete entry of the house, or a move read off the table, made at `t_ns`.

    `ends`: it is known to end the open card.
    """

    t_ns: int
    what: SeatSignal | Keyed | Move
    ends: bool = True

    @property
    def order(self) -> tuple[int, Seat, bool]:
        """The sort key. Keys of one seat with equal timestamps stay in order of arrival."""
        if self.ends or not isinstance(self.what, SeatSignal):
            return self.t_ns, TABLE, False
        return self.t_ns, self.what.seat, self.what.control in KEYS


class Pending:
    """The presses that wait.

    `held` ones wait since an earlier call comes first. `owed` are false starts that eliminate their seat; they wait
    until all earlier presses are reported.
    """

    def __init__(self, calls: Calls, steps: Steps) -> None:
        self.held: list[Held] = []
        self.owed: list[Call] = []
        self._calls = calls
        self._steps = steps
        self._unread = False

    def hold(self, signal: SeatSignal) -> None:
        self.held.append(Held(signal.t_ns, signal, ends=False))
        self._unread = True

    def waits(self, t_ns: int, what: SeatSignal | Keyed | Move) -> bool:
        """Hold what would end an open card until every earlier call is reported (BH-R16). Return True if held."""
        if self._calls.race is None or not self._calls.give_up(t_ns, self._steps.now_ns):
            return False
        self.held.append(Held(t_ns, what))
        return True

    def take_unread(self) -> list[SeatSignal]:
        """Return the held presses, earliest first, unless they are the same as last time."""
        unread, self._unread = self._unread, False
        held = sorted(self.held, key=lambda held: held.order) if unread else []
        return [one.what for one in held if isinstance(one.what, SeatSignal) and not one.ends]

    def take_first(self) -> Held:
        first = min(self.held, key=lambda held: held.order)
        self.held.remove(first)
        return first

    def clear(self) -> None:
        self.held.clear()
        self.owed.clear()
