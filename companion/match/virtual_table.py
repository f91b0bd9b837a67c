"""A match, its referee and virtual devices in virtual time."""

from collections.abc import Callable

from companion.core.clock import VirtualClock
from companion.core.dealer import Draws
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.signal import Signal
from companion.core.tags import dealer_of
from companion.devices.virtual import VirtualDevices
from companion.referee.arbiter import SETTLE_MOST_NS
from companion.referee.journal import Store, Unkept
from companion.referee.loop import run_virtual
from companion.referee.referee import Referee


class VirtualTable:
    """A referee with virtual devices in virtual time.

    `settle_ns` is how late the devices' reports may arrive; by default as late as the arbiter ever waits for.
    `dealer` draws in place of that of the match's seed, and the `listeners` hear every signal before the referee.
    """

    def __init__(
        self,
        match: Match,
        store: Store | None = None,
        *,
        settle_ns: int = SETTLE_MOST_NS,
        dealer: Draws | None = None,
    ) -> None:
        self.listeners: list[Callable[[Signal], None]] = []
        self.clock = VirtualClock()
        self.devices = VirtualDevices(len(match.names), self.clock, self._deliver, settle_ns)
        self.referee = Referee(
            match,
            Unkept() if store is None else store,
            inputs=self.devices,
            lamps=self.devices.lamps,
            screen=self.devices.screen,
            dealer=dealer or dealer_of(match),
        )

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.referee.match

    @property
    def listens(self) -> bool:
        """Whether a press would be heard now."""
        return not self.referee.paused

    def start(self) -> None:
        """Begin, or go on with, the match."""
        self.referee.start(self.clock.now_ns())

    def run(self, until_ns: int | None = None) -> None:
        """Let time pass until `until_ns`, or until nothing is due any more."""
        run_virtual(self.referee, self.clock, until_ns)

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Do something at a virtual time."""
        self.clock.at(t_ns, action)

    def press(self, seat: Seat, control: str) -> None:
        """Press a seat's buzzer or one of its keys."""
        self.devices.press(seat, control)

    def buzz(self, seat: Seat, t_ns: int) -> None:
        """Press a seat's buzzer, stamped `t_ns`, which is not later than now."""
        self.devices.buzzers[seat].press(t_ns)

    def _deliver(self, signal: Signal) -> None:
        for listener in self.listeners:
            listener(signal)
        self.referee.signal(signal)
