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
"""Characters of task text that fit on a strip. A longer task is shown alone."""

BETWEEN: Final = ". "
"""The separator of two tasks."""

ECHO_NS: Final = 2_000 * MS
"""After one player finishes a task for everybody, others may still confirm it for this long."""

FIRST: Final = msg("first move the pieces, then # or the buzzer")
WAIT: Final = msg("Wait until all pieces are moved")
"""For a seat with nothing to move itself, while the tasks of others come before those for everybody."""

AS_SHOWN: Final = PieceTask(TABLE, msg("Put the pieces as on the screen"))
"""The only task after an undo, a correction, or when a match is resumed."""

OWN_SCREEN: Final = msg("Pay what your own screen says")


def piece_tasks_of(match: Match, events: Sequence[Event]) -> Iterator[PieceTask]:
    """Yield the tasks that follow from the events of one step.

    After an undo or a correction, pieces may have been moved, half moved or not at all; the only task is then to
    arrange everything as shown on the display. The same applies when an interrupted match is resumed.
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

    The tasks of a step are collected by `hear` and shown by `turn_over`, once the step is visible. Robots do not
    move pieces: their tasks go to everybody. `names` are the names of all seats, `people` the seats with human
    players. `changed` is called whenever a task is completed; `now_ns` tells the time.
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
        """Collect the tasks of a step until the step is shown."""
        for task in ordered if self._people else ():
            if task.seat == TABLE or task.seat in self._people:
                if not task.made:
                    self._heard.append(task)
            elif not task.secret:  # the hand of a robot is nobody's
                others = PieceTask(TABLE, msg("{name}: {task}", name=self._names[task.seat], task=task.text))
                if not (task.made and others in self._heard + self._due):
                    self._heard.append(others)

    def turn_over(self, race: Race | None) -> None:
        """Show the collected tasks.

        PieceTasks from before a card was open must be done when the `race` for that card is over.
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
        """Drop all tasks: the pieces lie in another way now."""
        self._older.clear()
        self._due.clear()
        self._heard.clear()

    def of(self, seat: Seat) -> Text | None:
        """Return the public text of a seat's tasks. A seat without any shares those for everybody."""
        mine = self._mine(seat)
        if not mine:
            return None
        tasks = _in_turn([task.text for task in mine if not task.secret] or [OWN_SCREEN])
        if self._race is not None:  # the next card may be called: a buzzer does not say that the last one is laid
            return msg("{laid}. Buzzer: call", laid=tasks)
        return msg("{tasks}. #: done", tasks=tasks)

    def waits(self, seat: Seat) -> bool:
        """Return True if the seat has nothing to do until others have finished."""
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
        """Note that a seat presses for something else, so that its next press confirms no order of everybody."""
        self._echoes_ns.pop(seat, None)

    def all_done(self) -> bool:
        """Complete everything, as the house does. Return True if anything was open."""
        was = bool(self._older or self._due)
        self._older.clear()
        self._due.clear()
        return was

    def _mine(self, seat: Seat) -> list[PieceTask]:
        """Return the first tasks of a seat: as many as fit on a strip, and the secret ones among them."""
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
        """Return the tasks that can be carried out now.

        An task that comes after all others waits, and so do the tasks for everybody behind it.
        """
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
    """Return True if a time limit for an answer is running: then no task delays the answer."""
    return stage.limit is not None and stage.race is None


class PieceTaskConsole(WrappedConsole):
    """The console of a game with real pieces: a seat completes its tasks before it does anything else."""

    def __init__(self, console: Console, piece_tasks: PieceTasks) -> None:
        super().__init__(console)
        self._tasks = piece_tasks
        self._prompt = console.prompt_by_hand if isinstance(console, PromptsByHand) else console.prompt
        self._lamps = console.lamps_by_hand if isinstance(console, LightsByHand) else console.lamps

    def key(self, view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return what a key means: that the tasks are done, or without any what it means in the game."""
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
        """Ask for pieces to be moved, before anything else."""
        tasks = None if view.you is None or is_answered(self._console.stage(view)) else self._tasks.of(view.you)
        if tasks is None and view.you is not None and self._tasks.waits(view.you):
            return WAIT
        return tasks or self._prompt(view)

    def lamps(self, view: View) -> tuple[Lamp, ...]:
        return self._lamps(view)

    def private(self, view: View, entry: str) -> Text | None:
        """Return the secret tasks, or what the game says."""
        secret = None if view.you is None else self._tasks.secret(view.you)
        return secret or self._console.private(view, entry)


def _in_turn(texts: Sequence[Text]) -> Text:
    """Join sentences."""
    first, *others = texts
    for then in others:
        first = msg("{task}. {then}", task=first, then=then)
    return first
