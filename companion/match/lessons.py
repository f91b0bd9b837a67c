"""A lesson: a match that follows a script, accepts only its next move, and has pages to read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeVar, cast

from companion.core.console import BUZZ, KEYS, Call, Console, Keyed, Stage
from companion.core.errors import OptionError
from companion.core.game import Act, Bot, Game
from companion.core.guide import LessonStep, Page, Row
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import View
from companion.core.signal import LEVEL, SeatSignal
from companion.core.text import Text, msg
from companion.core.units import MS
from companion.match.new_match import new_match
from companion.match.robots import Hands
from companion.match.wrapped_console import WrappedConsole

if TYPE_CHECKING:
    import random


T = TypeVar("T")

LEARNER: Final = Seat(0)

THINK_MS: Final = 1500
KEY_MS: Final = 400
"""How long a partner waits before its first key and between keys, so that the learner can follow."""

AGAIN_MS: Final = 500
"""A press this soon after another may be contact bounce, so the rivals ignore it."""


class Tutor:
    """One lesson of a game, played with the built-in box: its match, the due move, and the pages to read.

    If the table has an `own_box`, the last page says so. Raises OptionError for a game without a lesson, or if the
    number of names differs from the lesson's seats.
    """

    def __init__(self, game: Game, names: Sequence[str], own_box: str = "") -> None:
        if game.lesson is None:
            raise OptionError(msg("{game} does not have a lesson", game=game.title))
        if len(names) != game.lesson.seats:
            raise OptionError(
                msg("the lesson of {game} is for {seats} seats", game=game.title, seats=game.lesson.seats)
            )
        self._lesson, self._console = game.lesson, game.console
        self._last = _with_own_box(game.lesson.last, own_box) if own_box else game.lesson.last
        rulings = game.rulings(**game.lesson.rulings)
        self.match = new_match(
            game._replace(console=cast("Console", _Strict(self))), names, rulings=rulings, lesson=True
        )
        parse = game.notation.parse_move
        self._moves = tuple(parse(self.match.box, step.move) for step in game.lesson.steps)
        self._read = 0  # number of steps whose pages were read
        self._answered_ns: int | None = None

    # --- Due moves --------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return not self._left()

    def due(self, seat: Seat) -> Move | None:
        """Return the move that a seat, or the TABLE, has to make now; None while it has to wait."""
        left = [self._moves[number] for number in self._left()]
        if not left or TABLE in {seat, left[0].seat}:
            return left[0] if left and left[0].seat == seat else None
        own = next((move for move in left if move.seat == seat), None)
        is_legal = own is not None and own in self.match.legal(seat)
        return own if is_legal else None  # a locked bid may be withdrawn, but not made again

    def holds_back(self, seat: Seat | None) -> bool:
        """Return True if keys of a seat have a meaning now although none of its moves is due."""
        if seat is None or self.due(seat):
            return False
        view = self.match.view(seat)
        tries = (self._console.key(view, seat, key, {}) for key in KEYS)
        return any(keyed.move or keyed.entry for keyed in tries)

    def are_due(self, moves: tuple[Move, ...]) -> bool:
        """Return True if the moves of one key are the next ones of the script."""
        left = [self._moves[number] for number in self._left()]
        return self.due(moves[0].seat) == moves[0] and (len(moves) == 1 or tuple(left[: len(moves)]) == moves)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that lead to the move that is due: one call, or several for a tie."""
        move, view = self.due(TABLE), self.match.view()
        race = self._console.stage(view).race
        if move is None or race is None:
            return ()
        for count in range(1, len(race.callers) + 1):
            for seats in combinations(race.callers, count):
                for control in sorted(race.controls):
                    calls = tuple(Call(seat, 0, control=control) for seat in seats)
                    if self._console.called(view, calls) == move:
                        return calls
        return ()

    def controls(self, seat: Seat) -> tuple[str, ...]:
        """Return what a seat presses for its move; () while it has to wait."""
        move, first = self.due(seat), self.calls[:1]
        if move:
            return self._console.keys_for(self.match.view(seat), move)
        return tuple(call.control for call in first if call.seat == seat)

    @property
    def rivals(self) -> tuple[Seat, ...]:
        """The seats that call besides the winner: for a tie, or too late."""
        left = self._left()
        late = self._lesson.steps[left[0]].rivals if left else ()
        return (*(call.seat for call in self.calls[1:]), *(seat for seat, _ in late))

    @property
    def hint(self) -> Text | None:
        task = self._task()
        return task and task.hint

    @property
    def steps(self) -> tuple[int, int]:
        return len(self._moves) - len(self._left()), len(self._moves)

    def _left(self) -> list[int]:
        made, left = Counter(self.match.moves), []
        for number, move in enumerate(self._moves):
            if made[move]:
                made[move] -= 1
            else:
                left.append(number)
        return left

    def _task(self) -> LessonStep | None:
        left = self._left()
        if self.due(TABLE) is None:
            left = [number for number in left if self._moves[number].seat == LEARNER]
            if self.due(LEARNER) is None:
                return None
        step = self._lesson.steps[left[0]] if left else None
        return step if step and step.hint else None

    # --- Pages ------------------------------------------------------------------------------------------

    @property
    def pages(self) -> tuple[Page, ...]:
        every = [*(step.pages for step in self._lesson.steps), self._last]
        return tuple(page for pages in every[self._read : self._reached()] for page in pages)

    def reads_before(self, seat: Seat) -> bool:
        left = self._left()
        calls = any(call.seat == seat for call in self.calls[:1])
        own = left[0] if calls else next((at for at in left if self._moves[at].seat == seat), len(self._moves))
        return any(step.pages for step in self._lesson.steps[self._read : own + 1])

    def turn_over(self) -> None:
        self._read = max(self._read, self._reached())

    def _reached(self) -> int:
        """Return the number of steps that have begun; the end counts as one."""
        left = self._left()
        return left[0] + 1 if left else len(self._moves) + 1

    # --- Dealer and robots ------------------------------------------------------------------------------

    @property
    def dealer(self) -> "Dealt":
        draws = self.match.game.rules.DRAWS
        return Dealt(tuple(move for move in self._moves if move.seat == TABLE and move.verb in draws))

    @property
    def partners(self) -> list[Bot | None]:
        return [None if seat == LEARNER else Partner(self) for seat in range(self._lesson.seats)]

    def hear(self, signal: SeatSignal, table: Hands) -> None:
        """Let the rivals call after the call that is due: at the same time for a tie, otherwise later."""
        calls = self.calls[:1]
        if not calls or (signal.seat, signal.control) != (calls[0].seat, BUZZ) or not self.rivals:
            return
        is_again = self._answered_ns is not None and signal.t_ns < self._answered_ns + AGAIN_MS * MS
        is_press = signal.pressed and LEVEL not in signal.flags
        open_ns = table.referee.open_since_ns
        if not is_press or is_again or open_ns is None or signal.t_ns < open_ns:
            return
        self._answered_ns = signal.t_ns
        for call in self.calls[1:]:
            table.buzz(call.seat, signal.t_ns)
        for seat, after_ms in self._lesson.steps[self._left()[0]].rivals:
            t_ns = signal.t_ns + signal.uncertainty_ns + after_ms * MS
            table.plan(t_ns, partial(table.buzz, seat, t_ns))


def _with_own_box(last: tuple[Page, ...], name: str) -> tuple[Page, ...]:
    *before, page = last
    row = Row(
        "star",
        msg("The lesson used the built-in box. Yours, {name}, may have other numbers: see How to play.", name=name),
    )
    return (*before, page._replace(rows=(*page.rows, row)))


@dataclass(frozen=True)
class Dealt:
    """Deals the scripted draws."""

    line: tuple[Move, ...]
    commitment: None = None

    def choose(self, draw: int, choices: Sequence[T], again: int = 0) -> T:
        """Return the scripted draw. Raises ValueError if it is not one of the choices."""
        return choices[choices.index(self.line[draw])]


@dataclass(frozen=True)
class Partner:
    """A robot that follows the script once the pages before its step were read."""

    tutor: Tutor

    def acts(self, view: View, seat: Seat, luck: "random.Random") -> Sequence[Act]:
        controls = () if self.tutor.reads_before(seat) else self.tutor.controls(seat)
        return [Act((THINK_MS + place * KEY_MS) * MS, control) for place, control in enumerate(controls)]


class _Strict(WrappedConsole):
    def __init__(self, tutor: Tutor) -> None:
        super().__init__(tutor._console)
        self._tutor = tutor

    def stage(self, view: View) -> Stage:
        """Wait only for the move that is due. A limit runs only if the script lets it expire."""
        stage, due = self._console.stage(view), self._tutor.due(TABLE)
        callers = (*(call.seat for call in self._tutor.calls[:1]), *self._tutor.rivals)
        return stage._replace(
            deal=stage.deal if due else None,
            race=stage.race._replace(callers=callers) if stage.race and not self._tutor.over else None,
            limit=stage.limit if stage.limit and stage.limit.move == due else None,
        )

    def called(self, view: View, winners: tuple[Call, ...]) -> Move | None:
        return self._if_due(self._console.called(view, winners))

    def early(self, view: View, seat: Seat) -> Move | None:
        return self._if_due(self._console.early(view, seat))

    def house(self, view: View, control: str) -> Move | None:
        return self._if_due(self._console.house(view, control))

    def key(self, view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Accept a key that leads to the due move, either after the keys already typed or alone.

        A key that completes another move clears what was typed.
        """
        typed = entries.get(seat, "")
        if self._tutor.pages:
            return Keyed(typed, why=msg("first read the page"))
        tries = [self._console.key(view, seat, key, {**entries, seat: begun}) for begun in (typed, "")]
        for keyed in tries:
            if self._leads_on(seat, keyed):
                return keyed
        why = tries[0].why or self._tutor.hint or msg("the lesson needs a different move")
        return Keyed("" if tries[0].move else typed, why=why)

    def _leads_on(self, seat: Seat, keyed: Keyed) -> bool:
        if keyed.move:
            return self._tutor.are_due(keyed.moves)
        controls = () if seat == TABLE else self._tutor.controls(seat)
        return keyed.accepted and not Counter(keyed.entry) - Counter(controls)

    def prompt(self, view: View) -> Text:
        if view.you == LEARNER and self._tutor.hint:
            return self._tutor.hint
        if view.you == LEARNER and self._tutor.calls:
            return msg("Watch: this one is not for you")
        return self._console.prompt(self._tutor.match.view() if self._tutor.holds_back(view.you) else view)

    def _if_due(self, move: Move | None) -> Move | None:
        return move if move is not None and move == self._tutor.due(move.seat) else None
