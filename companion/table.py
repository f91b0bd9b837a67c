"""The table: what is known of a match besides its moves; a match, its referee and its devices in virtual time."""

import secrets
from collections.abc import Callable, Iterable
from typing import Final

from companion import lobby
from companion.core.dealer import Dealer, Draws
from companion.core.errors import RecordError
from companion.core.game import Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import Seat
from companion.core.rules import Rulings
from companion.core.signal import Signal
from companion.core.text import msg
from companion.devices.virtual import VirtualDevices
from companion.referee.arbiter import SETTLE_MOST_NS
from companion.referee.clock import VirtualClock
from companion.referee.journal import Store, Unkept
from companion.referee.loop import run_virtual
from companion.referee.referee import Referee

DEAL_TAG: Final = "Deal"
ORIGIN_TAG: Final = "SeedOrigin"
EVENT_TAG: Final = "Event"
PLACES_TAG: Final = "Places"
DEMO: Final = "demo"
LESSON: Final = "lesson"

NAMES: Final = lobby.NAMES[: lobby.PLACES]
"""A name for each seat where nobody has said theirs."""


def new_match(
    game: Game,
    names: Iterable[str],
    *,
    rulings: Rulings = None,
    deal: str = "pi",
    seed: str | None = None,
    demo: bool = False,
    lesson: bool = False,
    places: Iterable[int] = (),
) -> Match:
    """Return a match before its first move; a `demo` or a `lesson` is marked as one; `places` say who sits where.

    Without `seed` the dealer's seed is 128 random bits; one that was given is marked as not secret. A lesson has
    none: what is dealt in it is known.
    """
    event = LESSON if lesson else DEMO if demo else None
    tags = {**({EVENT_TAG: event} if event else {}), DEAL_TAG: deal}
    if deal == "pi" and not lesson:
        tags[SEED_TAG] = secrets.token_hex(16) if seed is None else seed
        tags[ORIGIN_TAG] = "drawn" if seed is None else "given"
    where = " ".join(str(place + 1) for place in places)
    if where:
        tags[PLACES_TAG] = where
    return Match(game, names, rulings=rulings, tags=tags)


def is_demo(match: Match) -> bool:
    """Tell whether a match is one that robots play for show."""
    return match.tags.get(EVENT_TAG) == DEMO


def is_lesson(match: Match) -> bool:
    """Tell whether a match is the beginning of one, played to learn the game."""
    return match.tags.get(EVENT_TAG) == LESSON


def places_of(match: Match, places: int) -> tuple[int, ...]:
    """Return the place of each seat, of so many places; the first ones where the record does not say.

    Raise RecordError: at another place somebody would read what is another's secret.
    """
    seats = len(match.names)
    said = match.tags.get(PLACES_TAG)
    if said is None:
        return tuple(range(seats))
    found = tuple(int(word) - 1 for word in said.split() if word.isdecimal())
    if len(found) != seats or sorted(set(found) & set(range(places))) != list(found):
        raise RecordError(
            msg(
                "[{tag} {said!r}]; allowed: the places of {seats} seats, clockwise, each 1 to {places}",
                tag=PLACES_TAG,
                said=said,
                seats=seats,
                places=places,
            )
        )
    return found


def dealer_of(match: Match) -> Dealer | None:
    """Return the dealer of a match; None when the table deals."""
    seed = match.tags.get(SEED_TAG)
    return None if seed is None else Dealer(seed)


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
