"""What is to be done with the real pieces, by whom: it stands on their strips until they say that it is done."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from companion.core.console import BUZZ, Console, Keyed, Lamp, LightsByHand, PromptsByHand, Race, Stage
from companion.core.event import Event
from companion.core.game import Order, Ordering
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.rules import View, narrated
from companion.core.text import LANGUAGES, Text, msg, reader
from companion.core.units import MS
from companion.match.wrapped_console import WrappedConsole
from companion.referee.events import Amended, Start, Undone

DONE_KEYS: Final = (BUZZ, "#")
"""The controls of a seat that say that its orders are carried out."""

ROOM: Final = 45
"""How many letters of orders stand on a strip at once; a longer one stands there alone."""

BETWEEN: Final = ". "
"""What stands between two orders."""

ECHO_NS: Final = 2_000 * MS
"""So long after somebody has done what was everybody's to do, others still mean that when they say so."""

FIRST: Final = msg("first move the pieces, then # or the buzzer")
WAIT: Final = msg("Wait until all pieces are moved")
"""What a seat is told that has nothing to move itself, but the table has as soon as others are done."""

AS_SHOWN: Final = Order(TABLE, msg("Put the pieces as on the screen"))
"""What is to be done when moves were taken back or corrected, or a match is gone on with."""

OWN_SCREEN: Final = msg("Pay what your own screen says")


def orders_of(match: Match, happened: Sequence[Event]) -> Iterator[Order]:
    """Return what is to be done with real pieces because of a step; nothing in a game that orders nothing.

    What was taken back or corrected may have been carried out, or not, or half, and so may what was ordered before
    the table was switched off: then all has to lie as it is shown.
    """
    teller = match.game.teller
    if not isinstance(teller, Ordering):
        return
    changed = next((told.data for told in happened if isinstance(told.data, Undone | Amended | Start)), None)
    if changed and not (isinstance(changed, Start) and not changed.moves):
        yield AS_SHOWN
    if isinstance(changed, Amended) and all(map(match.is_draw, match.moves[changed.number :])):
        _, happened = narrated(match.game.rules, match.before(changed.number), match.moves[changed.number - 1])
    yield from teller.orders(happened, match.names)


class Orders:
    """The orders of a match that are not done yet.

    `names` are those of the seats, `people` the seats of persons: for a robot whoever sits there does it. What a
    step orders is heard before it may be shown, and stands from `turn_over` on. `changed` is called when somebody
    has done something; `now_ns` tells the time.
    """

    def __init__(
        self,
        names: Sequence[str],
        people: AbstractSet[Seat],
        changed: Callable[[], None],
        now_ns: Callable[[], int],
    ) -> None:
        self._names = names
        self._people = people
        self._changed = changed
        self._now_ns = now_ns
        self._echoes_ns: dict[Seat, int] = {}  # until when a seat may mean what another has done
        self._heard: list[Order] = []
        self._due: list[Order] = []
        self._older: list[Order] = []  # from before the card that is called for
        self._race: int | None = None

    def __bool__(self) -> bool:
        return bool(self._older or self._due or self._heard)

    @property
    def seats(self) -> set[Seat]:
        """The seats that still have something to do which is nobody else's."""
        return {order.seat for order in self._older + self._due} - {TABLE}

    def hear(self, ordered: Iterable[Order]) -> None:
        """Keep what a step orders, until the step is shown."""
        for order in ordered if self._people else ():
            if order.seat == TABLE or order.seat in self._people:
                if not order.made:
                    self._heard.append(order)
            elif not order.secret:  # the hand of a robot is nobody's
                others = Order(TABLE, msg("{name}: {order}", name=self._names[order.seat], order=order.text))
                if not (order.made and others in self._heard + self._due):
                    self._heard.append(others)

    def turn_over(self, race: Race | None) -> None:
        """Note that what was ordered is shown from now on.

        What was ordered before a card was open, in a `race` for it, must have been done when it is called.
        """
        number = race.number if race else None
        if number != self._race:
            self._older.clear()
        self._due += self._heard
        self._heard.clear()
        if race and number != self._race:
            self._older, self._due = self._due, []
        self._race = number

    def clear(self) -> None:
        """Forget all: the pieces lie otherwise now."""
        self._older.clear()
        self._due.clear()
        self._heard.clear()

    def of(self, seat: Seat) -> Text | None:
        """Say what everybody may read of what a seat has to do; who has nothing to do shares the TABLE's."""
        mine = self._mine(seat)
        if not mine:
            return None
        orders = _in_turn([order.text for order in mine if not order.secret] or [OWN_SCREEN])
        return msg("{orders}. #: done", orders=orders)

    def waits(self, seat: Seat) -> bool:
        """Tell whether a seat waits for others to be done, since what the table has to do comes after that."""
        waiting = any(order.seat == TABLE for order in self._older + self._due)
        return waiting and seat in self._people and not self._mine(seat)

    def secret(self, seat: Seat) -> Text | None:
        """Say what only this seat may read of what it has to do."""
        texts = [order.text for order in self._mine(seat) if order.secret]
        return _in_turn(texts) if texts else None

    def done(self, seat: Seat) -> bool:
        """Take what a seat has to do as done; tell whether that was meant, also if another has just done it."""
        if self._now_ns() < self._echoes_ns.pop(seat, 0):
            return True
        mine = self._mine(seat)
        if mine and mine[0].seat == TABLE:
            until_ns = self._now_ns() + ECHO_NS
            self._echoes_ns = {other: until_ns for other in self._people - {seat} if self._mine(other) == mine}
        for order in mine:
            (self._older if order in self._older else self._due).remove(order)
        if mine:
            self._changed()
        return bool(mine)

    def go_on(self, seat: Seat) -> None:
        """Note that a seat presses for something else: it knows what it is asked."""
        self._echoes_ns.pop(seat, None)

    def all_done(self) -> bool:
        """Take all as done, as the house says; tell whether there was something."""
        was = bool(self._older or self._due)
        self._older.clear()
        self._due.clear()
        return was

    def _mine(self, seat: Seat) -> list[Order]:
        """Return the first orders of a seat: as many as a strip has room for, and the secret ones among them."""
        if seat not in self._people:
            return []
        standing = self._ready()
        own = [order for order in standing if order.seat == seat]
        mine: list[Order] = []
        room = ROOM
        for order in own or [order for order in standing if order.seat == TABLE]:
            if not order.secret:
                if room < ROOM and room < _letters(order.text):
                    break
                room -= _letters(order.text) + len(BETWEEN)
            mine.append(order)
        return mine

    def _ready(self) -> list[Order]:
        """Return the orders that can be carried out.

        One that comes after all waits, and with it those of the TABLE behind it.
        """
        ready: list[Order] = []
        waits = False
        for order in self._older + self._due:
            waits = waits or (order.after_all and bool(ready))
            if not (waits and order.seat == TABLE):
                ready.append(order)
        return ready


def _letters(text: Text) -> int:
    """Return how long a sentence is in the language in which it is longest: all have done the same at once."""
    return max(len(reader(language)(text)) for language in LANGUAGES)


def is_answered(stage: Stage) -> bool:
    """Tell whether a clock runs for an answer: no order keeps anybody from giving it, or is read meanwhile."""
    return stage.limit is not None and stage.race is None


class OrderingConsole(WrappedConsole):
    """The console of a game with real pieces: who still has to move some does that before anything else."""

    def __init__(self, console: Console, orders: Orders) -> None:
        super().__init__(console)
        self._orders = orders
        self._prompt = console.prompt_by_hand if isinstance(console, PromptsByHand) else console.prompt
        self._lamps = console.lamps_by_hand if isinstance(console, LightsByHand) else console.lamps

    def key(self, view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return what a key means: that the orders are done, or what it means in the game when there are none."""
        stage = self._console.stage(view)
        if is_answered(stage):
            return self._console.key(view, seat, key, entries)
        if key in DONE_KEYS and self._orders.done(seat):
            return Keyed(entries.get(seat, ""))
        self._orders.go_on(seat)
        if self._orders.of(seat) and not stage.race:
            return Keyed(entries.get(seat, ""), why=FIRST)
        if self._orders.waits(seat) and not stage.race:
            return Keyed(entries.get(seat, ""), why=WAIT)
        return self._console.key(view, seat, key, entries)

    def prompt(self, view: View) -> Text:
        """Say that pieces are to be moved, before what may be done then."""
        orders = None if view.you is None or is_answered(self._console.stage(view)) else self._orders.of(view.you)
        if orders is None and view.you is not None and self._orders.waits(view.you):
            return WAIT
        return orders or self._prompt(view)

    def lamps(self, view: View) -> tuple[Lamp, ...]:
        return self._lamps(view)

    def private(self, view: View, entry: str) -> Text | None:
        """Say which pieces, where that is a secret; else what the game says."""
        secret = None if view.you is None else self._orders.secret(view.you)
        return secret or self._console.private(view, entry)


def _in_turn(texts: Sequence[Text]) -> Text:
    """Return sentences one after the other as one."""
    first, *others = texts
    for then in others:
        first = msg("{order}. {then}", order=first, then=then)
    return first
