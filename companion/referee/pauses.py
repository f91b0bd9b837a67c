"""Why a match waits, and for whose device."""

import sys
from collections.abc import Iterator

from companion.core.event import event
from companion.core.move import Seat
from companion.core.signal import SeatSignal
from companion.referee import events
from companion.referee.calls import Calls
from companion.referee.input_gate import InputGate
from companion.referee.pacing import Pacing
from companion.referee.position import LivePosition
from companion.referee.step_result import Pause, Reason, Steps


class Pauses:
    """The reasons why a match waits; true while there is one."""

    def __init__(self, position: LivePosition, pacing: Pacing, calls: Calls, gate: InputGate, steps: Steps) -> None:
        self._position = position
        self._pacing = pacing
        self._calls = calls
        self._gate = gate
        self._steps = steps
        self._reasons: list[Pause] = []
        self._away: set[Seat] = set()
        self._lost_ns: dict[Seat, range] = {}  # when each seat's device was last unplugged

    def __iter__(self) -> Iterator[Pause]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def begin(self, pause: Pause) -> None:
        if pause in self._reasons:
            return
        self._reasons.append(pause)
        self._pacing.pause(self._steps.now_ns)
        self._steps.add(event(events.Paused(pause.reason.value), pause.about))

    def end(self, pause: Pause) -> None:
        if pause not in self._reasons:
            return
        now_ns, by_house = self._steps.now_ns, pause.reason is Reason.HOUSE
        if by_house and self._pacing.held:
            self._pacing.let_go(now_ns)  # somebody has pressed to go on
        self._reasons.remove(pause)
        went_on = event(events.WentOn(pause.reason.value, bool(self._reasons)), pause.about)
        if self._reasons:
            self._steps.add(went_on)
            return
        self._calls.go_on(now_ns)
        self._pacing.go_on(now_ns)
        for seat in self._pacing.people if by_house else ():
            self._gate.renew(seat, now_ns)  # a menu covered the question
        self._steps.add(went_on, shows=True, reacts=self._calls.race is None)

    def lose(self, seat: Seat) -> None:
        self._away.add(seat)
        self._lost_ns[seat] = range(self._steps.now_ns, sys.maxsize)
        self.update()

    def find(self, seat: Seat) -> None:
        """Note that a seat's device is back. It may still report what it has stored."""
        now_ns = self._steps.now_ns
        self._away.discard(seat)
        if seat in self._lost_ns:
            self._lost_ns[seat] = range(self._lost_ns[seat].start, now_ns + 1)
        self._calls.plugged(seat, now_ns)
        self.end(Pause(Reason.UNPLUGGED, seat))

    def update(self) -> None:
        """Pause for each unplugged device, except of players who are out (BH-A7), and not after the end."""
        waited_for = set[Seat]() if self._position.over else self._away.difference(self._position.stage.out)
        for pause in tuple(self._reasons):
            if pause.reason is Reason.UNPLUGGED and pause.seat not in waited_for:
                self.end(pause)
        for seat in sorted(waited_for):
            self.begin(Pause(Reason.UNPLUGGED, seat))

    def cover(self, signal: SeatSignal) -> bool:
        """Return True if a key was pressed in a pause.

        A pause for its own device does not count: stored presses were meant for the position in which it was lost.
        """
        is_stored = signal.t_ns in self._lost_ns.get(signal.seat, range(0))
        return not is_stored and self._calls.was_paused(signal.t_ns)
