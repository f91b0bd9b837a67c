"""Decides which presses can answer the current question, and stores what players have typed."""

from collections.abc import Hashable, Sequence
from typing import Final

from companion.core.console import TURN, Keyed, Stage
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.units import MS
from companion.referee.pacing import Pacing
from companion.referee.undo import is_final

READ_NS: Final = 400 * MS
"""Minimum time to read a question and answer it."""


class InputGate:
    """Admits a press only if it can be meant for its seat's question.

    `entries` is what each seat has typed, for its own screen only: it may be a secret. `typed_ns` is when it was
    last changed.
    """

    def __init__(self, match: Match, pacing: Pacing) -> None:
        self.entries: dict[Seat, str] = {}
        self.typed_ns: dict[Seat, int] = {}
        self._match = match
        self._pacing = pacing
        self._asked: dict[Seat, Hashable] = {}  # None: every press counts
        self._since_ns: dict[Seat, int] = {}  # a press just after that answers the question before
        self._sure: dict[Seat, str] = {}  # the key that the seat must press again
        self._waiting: dict[Seat, Keyed] = {}  # moves keyed before their turn, valid while they stay typed
        self._keying: int | None = None

    # --- What is asked --------------------------------------------------------------------------------

    def turn_to(self, stage: Stage, now_ns: int, *, over: bool, made: Sequence[Move] | None) -> None:
        """Ask what a position asks, or nothing after the end.

        Clears the entries of the seats whose moves were `made`; None if neither a move nor an undo led here. A card
        that the house has partly keyed stays when somebody calls it.
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
        hurries = stage.race is not None or stage.limit is not None  # under a time limit, quick presses count
        for seat in self._pacing.people:
            question = None if hurries else asked if seat in due else ("waits",)
            if self._asked.get(seat) != question or (seat == moved and not hurries):
                self._since_ns[seat] = now_ns
            self._asked[seat] = question

    def renew(self, seat: Seat, now_ns: int) -> None:
        """Restart a seat's question, since something covered it."""
        self._since_ns[seat] = now_ns

    # --- What is answered -----------------------------------------------------------------------------

    def takes(self, seat: Seat, t_ns: int) -> bool:
        """Return True if a press made by `t_ns` can answer the seat's question."""
        return self._asked.get(seat) is None or t_ns >= self._since_ns[seat] + READ_NS

    def admits(self, seat: Seat, t_ns: int, now_ns: int) -> bool:
        """Return `takes`; a hasty press also restarts the question."""
        if self.takes(seat, t_ns):
            return True
        self.renew(seat, max(t_ns, now_ns))
        return False

    def is_sure(self, seat: Seat, control: str, move: Move, *, typed: bool) -> bool:
        """Return True if a player means a move: a single key that cannot be taken back must be pressed twice."""
        sure = self._sure.pop(seat, None) == control
        if typed or seat not in self._pacing.people or sure or not is_final(self._match, move):
            return True
        self._sure[seat] = control
        return False

    def unsure(self, seat: Seat) -> None:
        self._sure.pop(seat, None)

    def keep(self, seat: Seat, keyed: Keyed, t_ns: int, now_ns: int) -> None:
        """Store what a seat has typed. A request to confirm, or a key without effect, restarts the question."""
        people, entry = self._pacing.people, keyed.entry
        if keyed.for_house and keyed.accepted:
            for one in people if entry.endswith(TURN) else (seat,):
                self.renew(one, now_ns)
            seat = TABLE
        if not keyed.moves:
            self._sure.pop(seat, None)
        if not keyed.accepted and people and seat in {*people, TABLE}:
            entry = ""  # nobody remembers what they typed before a mistake
        if not keyed.moves and (entry.endswith(TURN) or not (entry or self.entries.get(seat))):
            self.renew(seat, now_ns)
        if entry != self.entries.get(seat):
            self.typed_ns[seat] = t_ns
        self.entries[seat] = entry

    def after(self, rest: Keyed) -> Keyed:
        """Return what follows a move without a key: the rest of its moves, or one that has waited."""
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
