"""Tasks for players who move real pieces ("pay 10 to the roof"). They stay on a player's strip until done."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from companion.core.console import BUZZ, Console, Keyed, Lamp, LightsByHand, PromptsByHand, Race, Stage
from companion.core.event import Event
from companion.core.game import PieceTask, PieceTasking
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.rules import View, narrated
from companion.core.text import LANGUAGES, Text, msg, reader
from companion.core.units import MS
from companion.match.wrapped_console import WrappedConsole
from companion.referee.events import Amended, Start, Undone

DONE_KEYS: Final = (BUZZ, "#")
"""Controls that mark a player's tasks as done."""

ROOM: Final = 45

BETWEEN: Final = ". "

ECHO_NS: Final = 2_000 * MS
"""After one player finishes a task for everybody, others may still confirm it for this long."""

FIRST: Final = msg("first move the pieces, then # or the buzzer")
WAIT: Final = msg("Wait until all pieces are moved")
"""Shown to a seat without tasks while others still have some."""

AS_SHOWN: Final = PieceTask(TABLE, msg("Arrange the pieces as on the screen"))

OWN_SCREEN: Final = msg("Pay what your own screen says")


def piece_tasks_of(match: Match, events: Sequence[Event]) -> Iterator[PieceTask]:
    """Yield the tasks that follow from the events of one step.

    When a match was changed or is resumed, pieces may lie anywhere: the first task is to arrange them as shown.
    """
    teller = match.game.teller
    if not isinstance(teller, PieceTasking):
        return
    changed = next((told.data for told in events if isinstance(told.data, Undone | Amended | Start)), None)
    if changed and not (isinstance(changed, Start) and not changed.moves):
        yield AS_SHOWN
    if isinstance(changed, Amended) and all(map(match.is_draw, match.moves[changed.number :])):
        _, events = narrated(match.game.rules, match.before(changed.number), match.moves[changed.number - 1])
    yield from teller.piece_tasks(events, match.names)


class PieceTasks:
    """The open tasks of a match.

    `hear` collects the tasks of a step; `turn_over` shows them once the step is visible. Robots do not move pieces:
    their tasks go to everybody. `changed` is called when tasks are completed.
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
        self._echoes_ns: dict[Seat, int] = {}  # until when a press may confirm what another player has done
        self._heard: list[PieceTask] = []
        self._due: list[PieceTask] = []
        self._older: list[PieceTask] = []  # from before the card that is called for
        self._race: int | None = None

    def __bool__(self) -> bool:
        return bool(self._older or self._due or self._heard)

    @property
    def seats(self) -> set[Seat]:
        """Seats with tasks of their own."""
        return {task.seat for task in self._older + self._due} - {TABLE}

    def hear(self, ordered: Iterable[PieceTask]) -> None:
        for task in ordered if self._people else ():
            if task.seat == TABLE or task.seat in self._people:
                if not task.made:
                    self._heard.append(task)
            elif not task.secret:  # nobody may see a robot's hand
                others = PieceTask(TABLE, msg("{name}: {task}", name=self._names[task.seat], task=task.text))
                if not (task.made and others in self._heard + self._due):
                    self._heard.append(others)

    def turn_over(self, race: Race | None) -> None:
        """Show the collected tasks.

        Tasks from before a card was open are dropped when the `race` for that card is over.
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
        self._older.clear()
        self._due.clear()
        self._heard.clear()

    def of(self, seat: Seat) -> Text | None:
        """Return the public text of a seat's tasks. A seat without any shares those for everybody."""
        mine = self._mine(seat)
        if not mine:
            return None
        tasks = _in_turn([task.text for task in mine if not task.secret] or [OWN_SCREEN])
        if self._race is not None:  # a buzzer may call for the next card, so it does not confirm
            return msg("{laid}. Buzzer: call", laid=tasks)
        return msg("{tasks}. #: done", tasks=tasks)

    def waits(self, seat: Seat) -> bool:
        waiting = any(task.seat == TABLE for task in self._older + self._due)
        return waiting and seat in self._people and not self._mine(seat)

    def secret(self, seat: Seat) -> Text | None:
        """Return the text of a seat's tasks that only this seat may read."""
        texts = [task.text for task in self._mine(seat) if task.secret]
        return _in_turn(texts) if texts else None

    def done(self, seat: Seat) -> bool:
        """Complete the seat's visible tasks. Return True if it had any, or if somebody else just did so."""
        if self._now_ns() < self._echoes_ns.pop(seat, 0):
            return True
        mine = self._mine(seat)
        if mine and mine[0].seat == TABLE:
            until_ns = self._now_ns() + ECHO_NS
            self._echoes_ns = {other: until_ns for other in self._people - {seat} if self._mine(other) == mine}
        for task in mine:
            (self._older if task in self._older else self._due).remove(task)
        if mine:
            self._changed()
        return bool(mine)

    def go_on(self, seat: Seat) -> None:
        """Note another press of a seat, so that its next press no longer confirms a task of everybody."""
        self._echoes_ns.pop(seat, None)

    def all_done(self) -> bool:
        was = bool(self._older or self._due)
        self._older.clear()
        self._due.clear()
        return was

    def _mine(self, seat: Seat) -> list[PieceTask]:
        """Return the first tasks of a seat that fit on a strip, and the secret ones among them."""
        if seat not in self._people:
            return []
        standing = self._ready()
        own = [task for task in standing if task.seat == seat]
        mine: list[PieceTask] = []
        room = ROOM
        for task in own or [task for task in standing if task.seat == TABLE]:
            if not task.secret:
                if room < ROOM and room < _letters(task.text):
                    break
                room -= _letters(task.text) + len(BETWEEN)
            mine.append(task)
        return mine

    def _ready(self) -> list[PieceTask]:
        ready: list[PieceTask] = []
        waits = False
        for task in self._older + self._due:
            waits = waits or (task.after_all and bool(ready))
            if not (waits and task.seat == TABLE):
                ready.append(task)
        return ready


def _letters(text: Text) -> int:
    """Return the length in the longest language, so that every strip shows the same tasks."""
    return max(len(reader(language)(text)) for language in LANGUAGES)


def is_answered(stage: Stage) -> bool:
    """Return True if a time limit for an answer is running. Tasks must not delay that answer."""
    return stage.limit is not None and stage.race is None


class PieceTaskConsole(WrappedConsole):
    """A game's console that first has a seat complete its tasks."""

    def __init__(self, console: Console, piece_tasks: PieceTasks) -> None:
        super().__init__(console)
        self._tasks = piece_tasks
        self._prompt = console.prompt_by_hand if isinstance(console, PromptsByHand) else console.prompt
        self._lamps = console.lamps_by_hand if isinstance(console, LightsByHand) else console.lamps

    def key(self, view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        stage = self._console.stage(view)
        if is_answered(stage):
            return self._console.key(view, seat, key, entries)
        if key in DONE_KEYS and self._tasks.done(seat):
            return Keyed(entries.get(seat, ""))
        self._tasks.go_on(seat)
        if self._tasks.of(seat) and not stage.race:
            return Keyed(entries.get(seat, ""), why=FIRST)
        if self._tasks.waits(seat) and not stage.race:
            return Keyed(entries.get(seat, ""), why=WAIT)
        return self._console.key(view, seat, key, entries)

    def prompt(self, view: View) -> Text:
        tasks = None if view.you is None or is_answered(self._console.stage(view)) else self._tasks.of(view.you)
        if tasks is None and view.you is not None and self._tasks.waits(view.you):
            return WAIT
        return tasks or self._prompt(view)

    def lamps(self, view: View) -> tuple[Lamp, ...]:
        return self._lamps(view)

    def private(self, view: View, entry: str) -> Text | None:
        secret = None if view.you is None else self._tasks.secret(view.you)
        return secret or self._console.private(view, entry)


def _in_turn(texts: Sequence[Text]) -> Text:
    first, *others = texts
    for then in others:
        first = msg("{task}. {then}", task=first, then=then)
    return first
