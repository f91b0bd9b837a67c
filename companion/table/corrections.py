"""Corrects a wrong move, by menu or keys."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from textwrap import shorten
from typing import Final

from companion.core.console import BACK, HOUSE_CONTROLS, HOUSE_KEY, KEYS
from companion.core.errors import AmendError
from companion.core.menu import MOST_LINES, WORDY_LINES, Choice, Item, sure_menu
from companion.core.move import TABLE, Move
from companion.core.place import HOUSE, Place
from companion.core.text import Text, msg, with_names
from companion.display.frame import Poster
from companion.match import centre, match_screens
from companion.match.rekeying import Rekeying
from companion.match.session import Session
from companion.referee.sentences import tell_move, write_move
from companion.screens.overlays import Card, MenuOverlay, Overlay, Overlays

CORRECTABLE: Final = 2 * MOST_LINES
"""Number of decisions that the menu offers."""

MOST_SIGNS: Final = 52
"""Maximum characters of a list entry. A longer sentence is shown in full below the list."""


class Corrections:
    """Corrects moves of a paused match. `pause` makes its menu."""

    def __init__(self, session: Session, overlays: Overlays, pause: Callable[[], Overlay]) -> None:
        self._session = session
        self._match = session.match
        self._overlays = overlays
        self._pause = pause

    @property
    def numbers(self) -> list[int]:
        """Numbers of the last decisions, newest first."""
        dealt = self._match.game.rules.DRAWS if self._session.referee.dealer else ()
        moves = self._match.moves
        numbers = (
            number
            for number in range(self._match.length, 0, -1)
            if not (moves[number - 1].seat == TABLE and moves[number - 1].verb in dealt)
            and not self._match.came_by_itself(number)
        )
        return list(islice(numbers, CORRECTABLE))

    def ask(self) -> None:
        match = self._match
        items = []
        for number in self.numbers:
            move = match.moves[number - 1]
            label, detail = self._in_words(move, tell_move(match, number, move))
            numbered = msg("{number}. {move}", number=number, move=label)
            items.append(Item(numbered, partial(self._ask_what_it_was, number), detail=detail))
        self._open(Choice(msg("Correct which move?"), tuple(items), most=WORDY_LINES))

    def _in_words(self, move: Move, said: Text | None) -> tuple[Text, Text | None]:
        if said is None:
            return write_move(self._match, move), None
        whole = self._session.read(said)
        if len(whole) <= MOST_SIGNS:
            return said, None
        return msg("{move}", move=shorten(whole, MOST_SIGNS, placeholder=" \N{HORIZONTAL ELLIPSIS}")), said

    def _open(self, choice: Choice) -> None:
        self._overlays.ask(MenuOverlay(lambda: choice, self._session.read))

    def _ask_what_it_was(self, number: int) -> None:
        """Ask for the real move: by keys if it is secret or has many alternatives, else by menu."""
        match = self._match
        moves = match.alternatives(number)
        # Verdicts are not keyed, so they always get a list.
        if not moves or (len(moves) > MOST_LINES and not match.was_ruled(number)):
            self._overlays.ask(_RekeyingCard(self._session, number, self._amend))
        else:
            self._ask_which(number, moves)

    def _ask_which(self, number: int, moves: Sequence[Move]) -> None:
        match = self._match
        told = [tell_move(match, number, move) for move in (match.moves[number - 1], *moves)]
        items = []
        for move, said in zip(moves, told[1:], strict=True):
            label, detail = self._in_words(move, said)
            if told.count(said) > 1:  # equal sentences: show the notation
                label, detail = write_move(match, move), said
            items.append(Item(label, partial(self._amend, number, move), detail=detail))
        self._open(Choice(msg("What was it really?"), tuple(items), most=WORDY_LINES))

    def _amend(self, number: int, move: Move, without: int | None = None) -> None:
        """Replace a move. Ask about later moves that become illegal; drop them if `without` is their first."""
        refusal = self._session.amend(number, move, self._session.clock.now_ns(), without)
        self._overlays.lay(self._pause())
        if isinstance(refusal, AmendError):
            self._ask_without(number, move, refusal)
        elif refusal:
            text = with_names(refusal.text, self._match.names)
            poster = centre.wrong(text, msg("Nothing was changed. Press any button"), self._session.read)
            self._overlays.lay(self._pause(), Card(lambda: poster))

    def _ask_without(self, number: int, move: Move, error: AmendError) -> None:
        entries = len(self._match.entries)

        def agreed() -> None:
            self._session.tick(self._session.clock.now_ns())
            if entries == len(self._match.entries):
                self._amend(number, move, error.number)
            else:  # the position has changed since the question
                self._overlays.lay(self._pause())

        first, last = error.number, self._match.length
        choice = sure_menu(
            msg(
                "Take back move {first} and correct?",
                "Take back moves {first} to {last} and correct?",
                first=first,
                last=last,
                n=last - first + 1,
            ),
            agreed,
        )
        items = tuple(item._replace(detail=with_names(error.text, self._match.names)) for item in choice.items)
        self._overlays.ask(MenuOverlay(lambda: choice._replace(items=items), self._session.read))


class _RekeyingCard(Overlay):
    """Asks a player to key a move again, then calls `amend`.

    A move of the house is keyed on its keypad, or on a lent one.
    """

    def __init__(self, session: Session, number: int, amend: Callable[[int, Move], None]) -> None:
        self._session = session
        self._amend = amend
        self._rekeying = Rekeying(session.match, number)
        session.rekey(self._rekeying)
        self._places = {session.seating.place_of(self._rekeying.seat)}
        self._poster = match_screens.rekeying(self._rekeying, session.read, lends=session.lent.needed)

    def screen(self) -> Poster:
        """Return the question. The keys appear only on the private screen."""
        return self._poster

    def press(self, place: Place, control: str) -> bool:
        """Add a key to the move.

        The house, or BACK of another seat, cancels. BACK of the same seat does not: that would reveal whether a
        secret was keyed.
        """
        if place == HOUSE and control in HOUSE_CONTROLS:
            return False
        rekeying = self._rekeying
        if rekeying.seat == TABLE and place != HOUSE and control == HOUSE_KEY:
            was_its = place in self._places
            self._places = {HOUSE, place}
            return not was_its
        if place not in self._places:
            return control != BACK
        move = rekeying.key(control) if control in KEYS else None
        if move is None:
            return True
        self._session.rekey(None)
        self._amend(rekeying.number, move)
        return True

    def leave(self) -> None:
        self._session.rekey(None)
