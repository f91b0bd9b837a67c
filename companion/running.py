"""A match that is played at the table: its referee and journal, who sits where, what was last told of each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from companion.core.console import Lamp
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.signal import Signal
from companion.core.text import msg, with_names
from companion.devices.virtual import VirtualDevices
from companion.display.frame import told
from companion.lobby import Seating
from companion.referee.clock import PlanningClock
from companion.referee.journal import Journal
from companion.referee.referee import Referee
from companion.telling import tell


@dataclass
class Seated:
    """The devices of the places that play, as the referee knows them: by seat."""

    devices: VirtualDevices
    places: tuple[int, ...]

    @property
    def settle_ns(self) -> int:
        """How late a report of the slowest may arrive."""
        return self.devices.settle_ns

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return what waits to be read, and levels, of the places that play."""
        return [
            signal._replace(seat=self.places.index(signal.seat))
            for signal in self.devices.flush(now_ns)
            if signal.seat in self.places
        ]

    def show(self, seat: Seat, lamp: Lamp) -> None:
        """Switch one seat's lamp."""
        self.devices.lamps.show(self.places[seat], lamp)


@dataclass
class Running:
    """The match that is played: its referee and journal, who sits where, what was last told of each seat.

    `ended_ns` is (length of the match, time) of its end, once it has ended.
    """

    match: Match
    journal: Journal
    seating: Seating
    clock: PlanningClock
    devices: VirtualDevices
    referee: Referee = field(init=False)
    left: bool = False
    ended_ns: tuple[int, int] | None = None
    news: dict[Seat, tuple[str, str]] = field(default_factory=dict)
    tones: dict[Seat, tuple[str, str]] = field(default_factory=dict)
    refused: dict[Seat, str] = field(default_factory=dict)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat."""
        return self.seating.taken

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Do something at a time."""
        self.clock.at(t_ns, action)

    def press(self, seat: Seat, control: str) -> None:
        """Press as a robot does; in a pause, or when the match was left, it does not do what it had planned."""
        if not self.left and not self.referee.paused:
            self.devices.press(self.places[seat], control)

    def prompt(self, seat: Seat) -> str:
        """Say what a seat may do now."""
        if self.referee.paused:
            return told(msg("The match is paused"))
        prompt = self.match.game.console.prompt(self.match.view(seat))
        return told(with_names(prompt, self.match.names))

    def turn_over(self) -> None:
        """Forget what was told of the move before the last one."""
        self.tones, self.news = self.news, {}
        self.refused.clear()

    def follow(self, _: int, happened: Event) -> None:
        """Remember what a seat's strip and private screen say of the last move."""
        tone = self.match.game.teller.TONES.get(happened.kind)
        if tone and happened.seat is not None:
            self.news[happened.seat] = (tone, told(tell(self.match.game, happened, self.match.names)))
        if happened.kind == "refused" and happened.seat is not None:
            self.refused[happened.seat] = told(happened.facts["text"])
