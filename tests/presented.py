"""A match on arbitrary devices, with everything visible at once."""

from collections.abc import Callable
from typing import Any

from companion.core.clock import Clock
from companion.core.event import Event
from companion.core.match import Match
from companion.core.place import each_place
from companion.core.signal import Signal
from companion.core.tags import dealer_of
from companion.match.seat_devices import Seated
from companion.match.virtual_table import in_order
from companion.referee.journal import Unkept
from companion.referee.loop import RefereeLoop
from companion.referee.referee import Referee
from companion.referee.step_result import StepResult


class Presented(RefereeLoop):
    """A referee loop that switches lamps and reports events to the replaceable `tell`."""

    def __init__(
        self, match: Match, devices: Any, clock: Clock, tell: Callable[[int, Event], None], lamps: Any = None
    ):
        inputs = Seated(devices, each_place(len(match.names)))
        super().__init__(Referee(match, Unkept(), inputs=inputs, dealer=dealer_of(match)))
        self.tell = tell
        self._lamps = lamps or devices
        self._clock = clock

    def start(self) -> None:
        self.do(self.referee.start, self._clock.now_ns())

    def signal(self, signal: Signal) -> None:  # type: ignore[override]
        super().signal(in_order(signal))

    def present(self, happened: StepResult) -> None:
        for seat, lamp in happened.lamps:
            self._lamps.show(seat, lamp)
        for told in happened.events:
            self.tell(happened.t_ns, told)
        if happened.shows:
            now_ns = self._clock.now_ns()
            self.visible(now_ns, now_ns)
