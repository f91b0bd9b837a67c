"""Puts right a move that was keyed wrongly: asks which one, and what it was really, in a menu or by keys."""

from collections.abc import Callable
from typing import Final

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import AmendError, IllegalMove, SecretPendingError
from companion.core.menu import Choice, Item
from companion.core.move import TABLE, Move
from companion.core.text import msg
from companion.match import centre
from companion.match.rekeying import Rekeying
from companion.match.session import Session
from companion.table.overlays import any_press
from companion.table.showing import Showing

CORRECTABLE: Final = 6
"""How many of the last decisions can be corrected from the menu."""

_MOST_LINES: Final = 9


class Corrections:
    """Corrects the moves of a paused match; `done` goes back to where corrections begin."""

    def __init__(self, session: Session, showing: Showing, done: Callable[[], None]) -> None:
        self._session = session
        self._match = session.match
        self._showing = showing
        self._done = done

    @property
    def numbers(self) -> list[int]:
        """The numbers of the last moves that somebody decided, newest first."""
        dealt = self._match.game.rules.DRAWS if self._session.referee.dealer else ()
        numbers = [
            number
            for number, move in enumerate(self._match.moves, 1)
            if not (move.seat == TABLE and move.verb in dealt)
        ]
        return numbers[: -CORRECTABLE - 1 : -1]

    def ask(self) -> None:
        """Ask which move was wrong."""
        items = [
            Item(msg("{number}. {move}", number=number, move=self._match.move_text(number)), "replace", number)
            for number in self.numbers
        ]
        menu = Choice(msg("Correct which move?"), tuple(items))
        self._showing.ask(menu, lambda item: self._replace(item.value), self._done)

    def _replace(self, number: int) -> None:
        """Ask what a move was really: from a menu, or by keys if it is secret or has too many others."""
        match = self._match
        moves = match.alternatives(number)
        if not 1 <= len(moves) <= _MOST_LINES:
            self._session.rekeying = Rekeying(match, number)
            poster = centre.rekeying(self._session.rekeying, self._session.read)
            self._showing.say(poster, self._press)
            return
        items = [
            Item(msg("{move}", move=match.game.notation.format_move(match.box, move)), "amend", (number, move))
            for move in moves
        ]
        menu = Choice(msg("What was it really?"), tuple(items))
        self._showing.ask(menu, lambda item: self._amend(*item.value), self.ask)

    def _press(self, place: int, control: str) -> None:
        """Take a key of who keys a move again; a control of the house gives up."""
        rekeying = self._session.rekeying
        assert rekeying
        if place == TABLE and control in HOUSE_CONTROLS:
            self._session.rekeying = None
            self.ask()
            return
        its_place = TABLE if rekeying.seat == TABLE else self._session.places[rekeying.seat]
        move = rekeying.key(control) if place == its_place and control in KEYS else None
        if move is None:
            self._showing.refresh_panels(always=True)  # only the own line: a new request would tell
            return
        self._session.rekeying = None
        self._amend(rekeying.number, move)

    def _amend(self, number: int, move: Move) -> None:
        """Replace a move, if everything after it allows that."""
        try:
            self._session.amend(number, move, self._session.clock.now_ns())
        except (IllegalMove, AmendError, SecretPendingError) as error:
            poster = centre.wrong(error.text, msg("Nothing was changed. Press any button"), self._session.read)
            self._showing.say(poster, any_press(self._done))
            return
        self._done()
