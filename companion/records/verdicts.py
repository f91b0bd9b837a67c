"""The judged calls of a stored match, from the evidence in its record."""

from typing import Final, NamedTuple

from companion.core.match import Match
from companion.core.move import Move, Seat, each_seat
from companion.core.record import Evidence
from companion.referee.events import Verdict

_TIE: Final = "tie"


class JudgedCall(NamedTuple):
    """A judged call; `number` is its move, counted from 1.

    `seats` are those of the verdict after corrections; () if nobody called, or too early.
    """

    number: int
    evidence: Evidence
    seats: tuple[Seat, ...]
    tie: bool

    @property
    def verdict(self) -> Verdict:
        evidence = self.evidence
        return Verdict(self.seats, evidence.margin_ns, evidence.open_ns or 0, evidence.calls)


def verdicts(match: Match) -> list[JudgedCall]:
    """Return the judged calls of the current line. Undone moves do not count, nor do verdicts for empty seats."""
    there = set(each_seat(len(match.names)))
    line: list[tuple[Evidence, str]] = []  # evidence, and the verb of the announced verdict
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
    view = match.game.rules.view(match.before(number), None)
    return any(match.game.console.early(view, seat) == move for seat in each_seat(len(match.names)))
