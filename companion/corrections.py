"""Puts right a move that was keyed wrongly: asks which one, and what it was really, in a menu or by keys."""

from collections.abc import Callable
from typing import Final

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import AmendError, IllegalMove, SecretPendingError
from companion.core.move import TABLE, Move
from companion.core.text import Text, msg
from companion.lobby import Choice, Item
from companion.running import Rekeying, Running

CORRECTABLE: Final = 6
"""How many of the last decisions can be corrected from the menu."""

_MOST_LINES: Final = 9


class Corrections:
    """Corrects the moves of a paused match.

    `ask` opens a menu and takes what goes back from it, `show` says that a move is keyed again, `typed` shows own
    lines that have changed, `refuse` says why nothing was changed, and `done` goes back to where corrections begin.
    """

    def __init__(
        self,
        running: Running,
        *,
        ask: Callable[[Choice, Callable[[], None]], None],
        show: Callable[[Rekeying], None],
        typed: Callable[[], None],
        refuse: Callable[[Text], None],
        done: Callable[[], None],
    ) -> None:
        self._running = running
        self._match = running.match
        self._ask = ask
        self._show = show
        self._typed = typed
        self._refuse = refuse
        self._done = done

    @property
    def asking(self) -> bool:
        """Whether somebody keys a move again."""
        return self._running.rekeying is not None

    @property
    def numbers(self) -> list[int]:
        """The numbers of the last moves that somebody decided, newest first."""
        dealt = self._match.game.rules.DRAWS if self._running.referee.dealer else ()
        numbers = [
            number
            for number, move in enumerate(self._match.moves, 1)
            if not (move.seat == TABLE and move.verb in dealt)
        ]
        return numbers[: -CORRECTABLE - 1 : -1]

    def take(self, item: Item) -> None:
        """Do what a line of a menu says about corrections."""
        if item.act == "correct":
            self._choose()
        elif item.act == "replace":
            self._replace(item.value)
        else:
            self._amend(*item.value)

    def press(self, place: int, control: str) -> None:
        """Take a key of who keys a move again; a control of the house gives up."""
        rekeying = self._running.rekeying
        assert rekeying
        if place == TABLE and control in HOUSE_CONTROLS:
            self._running.rekeying = None
            self._choose()
            return
        its_place = TABLE if rekeying.seat == TABLE else self._running.places[rekeying.seat]
        move = rekeying.key(control) if place == its_place and control in KEYS else None
        if move is None:
            self._typed()  # only the own line has changed: no new picture, which would tell
            return
        self._running.rekeying = None
        self._amend(rekeying.number, move)

    def _choose(self) -> None:
        """Ask which move was wrong."""
        items = [
            Item(msg("{number}. {move}", number=number, move=self._match.move_text(number)), "replace", number)
            for number in self.numbers
        ]
        self._ask(Choice(msg("Correct which move?"), tuple(items)), self._done)

    def _replace(self, number: int) -> None:
        """Ask what a move was really: from a menu, or by keys if it is secret or has too many others."""
        match = self._match
        moves = match.alternatives(number)
        if not 1 <= len(moves) <= _MOST_LINES:
            self._running.rekeying = Rekeying(match, number)
            self._show(self._running.rekeying)
            return
        items = [
            Item(msg("{move}", move=match.game.notation.format_move(match.box, move)), "amend", (number, move))
            for move in moves
        ]
        self._ask(Choice(msg("What was it really?"), tuple(items)), self._choose)

    def _amend(self, number: int, move: Move) -> None:
        """Let a move be another one, if everything after it allows that."""
        try:
            self._running.referee.amend(number, move, self._running.clock.now_ns())
        except (IllegalMove, AmendError, SecretPendingError) as error:
            self._refuse(error.text)
            return
        self._done()
