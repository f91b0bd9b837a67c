"""Entering a wrong move again."""

from dataclasses import dataclass

from companion.core.console import TURN, Keyed, SaysTyped
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import View
from companion.core.text import Text, msg, with_names


@dataclass
class Rekeying:
    """The new entry of a wrong move by its seat. `why` says why the last key was refused."""

    match: Match
    number: int
    entry: str = ""
    why: Text | None = None

    @property
    def seat(self) -> Seat:
        return self.match.moves[self.number - 1].seat

    def key(self, control: str) -> Move | None:
        """Handle one key; return the move when it is complete. TURN after a refusal only confirms it."""
        if self.why and control == TURN:
            self.why = None
            return None
        keyed = self.match.game.console.key(self._view(), self.seat, control, {self.seat: self.entry})
        if keyed.move and any(move.verb == keyed.move.verb for move in keyed.then):
            keyed = Keyed(self.entry, why=msg("only one move can be corrected here, not several"))
        self.entry = keyed.entry if keyed.accepted else ""
        self.why = keyed.why and with_names(keyed.why, self.match.names)
        return keyed.move

    def private(self) -> Text | None:
        return self.match.game.console.private(self._view(), self.entry)

    def typed(self) -> Text | None:
        console = self.match.game.console
        if self.why:
            return self.why
        return console.typed(self._view(), self.entry) if isinstance(console, SaysTyped) else None

    def prompt(self) -> Text:
        return with_names(self.match.game.console.prompt(self._view()), self.match.names)

    def _view(self) -> View:
        seat = None if self.seat == TABLE else self.seat
        return self.match.game.rules.view(self.match.before(self.number), seat)
