"""The law of people's keys: what people are asked and since when, what they have typed, what they surely mean."""

from collections.abc import Hashable, Sequence
from typing import Final

from companion.core.console import TURN, Keyed, Stage
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.units import MS
from companion.referee.pacing import Pacing
from companion.referee.undo import is_final

READ_NS: Final = 400 * MS
"""Nobody reads a question, and answers it, in less."""


class InputGate:
    """What each seat is asked, and what it has typed of its answer.

    `entries` is what is typed so far: for the seat's own screen only, since it may be a secret. By `typed_ns` each
    has typed that.
    """

    def __init__(self, match: Match, pacing: Pacing) -> None:
        self.entries: dict[Seat, str] = {}
        self.typed_ns: dict[Seat, int] = {}
        self._match = match
        self._pacing = pacing
        self._asked: dict[Seat, Hashable] = {}  # None where every press counts
        self._since_ns: dict[Seat, int] = {}  # a press just after that was meant for what stood before
        self._sure: dict[Seat, str] = {}  # who was just asked whether that key is meant
        self._waiting: dict[Seat, Keyed] = {}  # moves that were keyed before their turn, while that stays typed
        self._keying: int | None = None

    # --- What is asked --------------------------------------------------------------------------------

    def turn_to(self, stage: Stage, now_ns: int, *, over: bool, made: Sequence[Move] | None) -> None:
        """Ask people what a position asks them, or nothing when it is over.

        What those have typed whose moves were `made` is gone; None: neither a move nor an undo has made it. What
        the house has keyed of a card outlives that somebody calls it.
        """
        for move in made or ():
            if move.seat != TABLE:
                self.entries.pop(move.seat, None)
        if stage.keying is None or stage.keying != self._keying:
            self.entries.clear()
            self._waiting.clear()
        self._keying = stage.keying
        self._sure.clear()
        match = self._match
        due = () if over else match.game.rules.to_act(match.state)
        moved = match.last.seat if match.last and made is not None and stage.question is None else None
        place = len(match.entries) if stage.keying is None else stage.keying
        asked = ("asked", place if stage.question is None else stage.question)
        hurries = stage.race is not None or stage.limit is not None  # where time runs whoever hurries is right
        for seat in self._pacing.people:
            question = None if hurries else asked if seat in due else ("waits",)
            if self._asked.get(seat) != question or (seat == moved and not hurries):
                self._since_ns[seat] = now_ns
            self._asked[seat] = question

    def renew(self, seat: Seat, now_ns: int) -> None:
        """Ask a seat anew what it is asked: something else stood there."""
        self._since_ns[seat] = now_ns

    # --- What is answered -----------------------------------------------------------------------------

    def takes(self, seat: Seat, t_ns: int) -> bool:
        """Tell whether a press, at the latest at `t_ns`, can be an answer to what a seat is asked."""
        return self._asked.get(seat) is None or t_ns >= self._since_ns[seat] + READ_NS

    def admits(self, seat: Seat, t_ns: int, now_ns: int) -> bool:
        """Tell whether a press can be meant for what is asked now; else neither is what follows it at once."""
        if self.takes(seat, t_ns):
            return True
        self.renew(seat, max(t_ns, now_ns))
        return False

    def is_sure(self, seat: Seat, control: str, move: Move, *, typed: bool) -> bool:
        """Tell whether a person means a move; a key that makes one alone for good has to be pressed twice."""
        sure = self._sure.pop(seat, None) == control
        if typed or seat not in self._pacing.people or sure or not is_final(self._match, move):
            return True
        self._sure[seat] = control
        return False

    def unsure(self, seat: Seat) -> None:
        """Ask again before a key counts that cannot be taken back: who wants something back did not mean it."""
        self._sure.pop(seat, None)

    def keep(self, seat: Seat, keyed: Keyed, t_ns: int, now_ns: int) -> None:
        """Keep what a seat has typed by a key at `t_ns`.

        What asks once more, or follows an answer that was no move, is a question.
        """
        people, entry = self._pacing.people, keyed.entry
        if keyed.for_house and keyed.accepted:
            for one in people if entry.endswith(TURN) else (seat,):
                self.renew(one, now_ns)
            seat = TABLE
        if not keyed.moves:
            self._sure.pop(seat, None)
        if not keyed.accepted and people and seat in {*people, TABLE}:
            entry = ""  # nobody remembers what was typed before something went wrong
        if not keyed.moves and (entry.endswith(TURN) or not (entry or self.entries.get(seat))):
            self.renew(seat, now_ns)
        if entry != self.entries.get(seat):
            self.typed_ns[seat] = t_ns
        self.entries[seat] = entry

    def after(self, rest: Keyed) -> Keyed:
        """Return what needs no key after a move: the rest of it if that is due, or what has waited."""
        due = self._match.game.rules.to_act(self._match.state)
        if rest.move and (rest.move.seat in due or not rest.entry):
            return rest
        if rest.move:
            self._waiting[rest.move.seat] = rest
            self.entries[rest.move.seat] = rest.entry
        for seat in due:
            waiting = self._waiting.pop(seat, None)
            if waiting and waiting.entry == self.entries.get(seat):
                return waiting
        return Keyed()
