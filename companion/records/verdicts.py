"""The judged calls of a match that was kept, from the evidence in its record."""

from typing import Final, NamedTuple

from companion.core.match import Match
from companion.core.move import Move, Seat, each_seat
from companion.core.record import Evidence
from companion.referee.events import Verdict

_TIE: Final = "tie"
"""The verb of every verdict that nobody was first."""


class JudgedCall(NamedTuple):
    """A call that was judged: by which move of the line, counted from 1, on what evidence, and for whom.

    `seats` are those of the verdict that stands, several for a `tie`, and none where a correction says that nobody
    called, or pressed too early.
    """

    number: int
    evidence: Evidence
    seats: tuple[Seat, ...]
    tie: bool

    @property
    def verdict(self) -> Verdict:
        """What was announced then."""
        evidence = self.evidence
        return Verdict(self.seats, evidence.margin_ns, evidence.open_ns or 0, evidence.calls)


def verdicts(match: Match) -> list[JudgedCall]:
    """Return the judged calls of the current line.

    What was taken back does not count; a correction changes the verdict and not what was pressed. Nor does what
    somebody has written by hand that names a seat at which nobody plays.
    """
    there = set(each_seat(len(match.names)))
    line: list[tuple[Evidence, str]] = []  # with what was judged then
    for entry in match.entries:
        if entry.kind == "undo":
            del line[len(line) - entry.number :]
        elif entry.kind == "move":
            line.append((entry.evidence, entry.move.split()[1]))
    found = []
    for number, ((evidence, judged), move) in enumerate(zip(line, match.moves, strict=True), 1):
        tie = move.verb == _TIE
        stands = judged == move.verb or (judged == _TIE and not _is_early(match, number, move))
        seats = tuple(map(Seat, move.args if tie else move.args[:1] if stands else ()))
        if evidence.calls and there.issuperset([*seats, *(call.seat for call in evidence.calls + evidence.early)]):
            found.append(JudgedCall(number, evidence, seats, tie))
    return found


def _is_early(match: Match, number: int, move: Move) -> bool:
    """Tell whether a move of the line, counted from 1, is that of a press before its card."""
    view = match.game.rules.view(match.before(number), None)
    return any(match.game.console.early(view, seat) == move for seat in each_seat(len(match.names)))
