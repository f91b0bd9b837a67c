"""A match, its referee and virtual devices in virtual time."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from companion.core.clock import VirtualClock
from companion.core.console import HOUSE_CONTROLS, Lamp
from companion.core.dealer import Draws
from companion.core.event import Event, event
from companion.core.game import Bot
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.place import Place
from companion.core.signal import SeatSignal, Signal
from companion.core.tags import dealer_of
from companion.core.text import msg
from companion.devices.virtual import VirtualDevices
from companion.match.robots import Robots
from companion.match.seat_devices import Seated
from companion.referee.arbiter import SETTLE_MOST_NS
from companion.referee.events import UndoAsked, Undone
from companion.referee.journal import Store, Unkept
from companion.referee.loop import RefereeLoop
from companion.referee.referee import Referee
from companion.referee.serving import run_virtual
from companion.referee.step_result import Pause, Reason, StepResult

Tell = Callable[[int, Event], None]
"""Receives each durable event and its time in nanoseconds."""

ROBOTS_SETTLE_NS: Final = 5_000_000
"""The delay of robots' buzzers, which report at once."""

_UNDO: Final = Pause(Reason.UNDO)


def in_order(signal: Signal) -> SeatSignal:
    return signal.of(Seat(signal.place))


class VirtualTable(RefereeLoop):
    """A match on virtual devices, with seats numbered like places. Everything is visible at once.

    `settle_ns` is the delay of the devices, `dealer` replaces the match's one, `tell` receives the events. The
    house confirms an undo with ok.
    """

    def __init__(
        self,
        match: Match,
        store: Store | None = None,
        *,
        settle_ns: int = SETTLE_MOST_NS,
        dealer: Draws | None = None,
        tell: Tell | None = None,
    ) -> None:
        self.clock = VirtualClock()
        self.devices = VirtualDevices(len(match.names), self.clock, self.hear, settle_ns)
        store = Unkept() if store is None else store
        inputs = Seated(self.devices, self.devices.places)
        super().__init__(Referee(match, store, inputs=inputs, dealer=dealer or dealer_of(match)))
        self.tell = tell
        self._robots: Robots | None = None
        self._asked_ns = self._asked_standing = 0  # when an undo was proposed, and the length after it

    def seat_robots(self, bots: Sequence[Bot | None], seed: str) -> None:
        self._robots = Robots.seated(self, bots, seed)

    @property
    def listens(self) -> bool:
        return not self.referee.pauses

    def start(self) -> None:
        self.do(self.referee.start, self.clock.now_ns())

    def run(self, until_ns: int | None = None) -> None:
        run_virtual(self, self.clock, until_ns)

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        self.clock.at(t_ns, action)

    def press(self, seat: Seat, control: str) -> None:
        self.devices.press(Place(seat), control)

    def buzz(self, seat: Seat, t_ns: int) -> None:
        self.devices.buzzers[seat].press(t_ns)

    def present(self, result: StepResult) -> None:
        for seat, lamp in result.lamps:
            self.light(seat, lamp)
        if self.tell:
            for told in result.events:
                self.tell(result.t_ns, told)
        if result.shows:
            self.show()
        if result.reacts:
            self.react(result.t_ns)
        undoing = any(isinstance(told.data, Undone) for told in result.events)
        asked = result.made and _UNDO in self.referee.pauses and not undoing
        if asked and self._standing() != self._asked_standing:
            # The undo would now take back something other than was proposed.
            self.do(partial(self.referee.pauses.end, _UNDO), result.t_ns)

    def light(self, seat: Seat, lamp: Lamp) -> None:
        self.devices.show(Place(seat), lamp)

    def show(self) -> None:
        now_ns = self.clock.now_ns()
        self.visible(now_ns, now_ns)

    def react(self, now_ns: int) -> None:
        if self._robots:
            self._robots.look(now_ns)

    # --- The house --------------------------------------------------------------------------------------

    def hear(self, signal: Signal) -> None:
        self.signal(in_order(signal))

    def signal(self, signal: SeatSignal) -> None:
        if signal.seat != TABLE or signal.control not in HOUSE_CONTROLS:
            super().signal(signal)
            return
        self.tick(signal.received_ns)
        if not signal.pressed:
            return
        if _UNDO in self.referee.pauses:
            self.settle(signal.received_ns)  # the proposal may be about an older position
        if _UNDO in self.referee.pauses and self._answer(signal):
            return
        if signal.control == "pause":
            change = self.resume if Pause(Reason.HOUSE) in self.referee.pauses else self.pause
            change(signal.received_ns)
        elif signal.control == "undo":
            self._ask_undo(signal.received_ns)
        else:
            super().signal(signal)

    def _answer(self, signal: SeatSignal) -> bool:
        if signal.control == "ok":
            self.undo(signal.received_ns, self._asked_ns)
        self.resume(signal.received_ns, Reason.UNDO)
        return signal.control in {"ok", "undo"}

    def _ask_undo(self, now_ns: int) -> None:
        """Ask the house first if others have seen the move."""
        self.settle(now_ns)
        undo = self.next_undo(now_ns)
        if not undo.moves:
            self.refuse(now_ns, msg("there is nothing to undo"))
        elif undo.seen:
            self.present(StepResult(now_ns, (event(UndoAsked(undo.moves)),)))
            self._asked_ns = now_ns
            self._asked_standing = self._standing()
            self.pause(now_ns, Reason.UNDO)
        else:
            self.undo(now_ns, now_ns)

    def _standing(self) -> int:
        return self.match.length - len(self.next_undo(self._asked_ns).moves)
