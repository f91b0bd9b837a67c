"""The toy game with leaks of its secrets, added to FAULTS."""

from typing import Any

from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move, SecretMove
from companion.core.rules import Outcome
from companion.core.text import msg
from tests.free_events import event
from tests.sealed import SEALED, Console, DeclaredRules, Notation, RealDieRules, Rules
from tests.testing.broken import FAULTS, Fault, breaks


@breaks(r"the view of everybody tells of the secret of seat 1")
class PublicView(Rules):
    def view(self, state: Any, seat: Any) -> Any:
        return super().view(state, seat)._replace(locked=state.bids)


@breaks(r"the view of seat 2 tells of the secret of seat 1")
class NeighboursView(Rules):
    def view(self, state: Any, seat: Any) -> Any:
        view = super().view(state, seat)
        return view if seat is None else view._replace(bid=state.bids[seat - 1])


@breaks(r"the view of the house tells of the secret of seat \d")
class HouseView(Rules):
    def view(self, state: Any, seat: Any) -> Any:
        view = super().view(state, seat)
        return view._replace(bid=state.bids[-1]) if seat == TABLE else view


class TellsBid(Rules):
    seen_by: Any = None
    told = "commit"

    def play(self, state: Any, move: Move) -> Any:
        following, told = super().play(state, move)
        number = sum(bid or 0 for bid in (state if self.told == "retract" else following).bids)
        extra = event("sum", n=number, seen_by=self.seen_by)
        return following, (*told, extra) if move.verb == self.told else told


@breaks(r"an event for everybody tells of the secret of seat 1")
class PublicEvent(TellsBid): ...


@breaks(r"an event for seat 1 tells of the secret of seat 2")
class EventForTheWrongSeat(TellsBid):
    seen_by = (0,)


@breaks(r"an event for everybody tells of the secret of seat \d")
class LaterEvent(TellsBid):
    told = "retract"


@breaks(r"an event for everybody tells of the secret of seat \d")
class RemembersRetracted(DeclaredRules):
    def play(self, state: Any, move: Move) -> Any:
        following, told = super().play(state, move)
        if move.verb == "retract":
            return following._replace(shown=(state.bids[move.seat],)), told
        return following, (*told, event("before", bids=state.shown)) if len(state.shown) == 1 else told

    def view(self, state: Any, seat: Any) -> Any:
        return super().view(state._replace(shown=()) if len(state.shown) == 1 else state, seat)


class Loud(SecretMove):
    __slots__ = ()

    def __repr__(self) -> str:
        return f"Loud{tuple(self)}"


class LoudNotation(Notation):
    def parse_move(self, box: Any, text: str) -> Move:
        move = super().parse_move(box, text)
        return Loud(*move) if move.verb == "commit" else move


class LoudRules(Rules):
    def legal(self, state: Any, seat: int) -> Any:
        return [Loud(*move) if move.verb == "commit" else move for move in super().legal(state, seat)]


FAULTS["LoudMove"] = Fault(
    SEALED._replace(rules=LoudRules(), notation=LoudNotation()), r"the repr of the secret move 1 commit 0 shows it"
)


@breaks(r"refusing \d commit \S+ .*tells what was tried")
class RefusalQuotes(Rules):
    def refusal(self, state: Any, move: Move) -> IllegalMove:
        return IllegalMove(move.seat, "SB-R1", msg("{args} is too much", args=move.args))


@breaks(r"refusing .* tells of the secret of seat \d")
class RefusalTells(Rules):
    def refusal(self, state: Any, move: Move) -> IllegalMove:
        return IllegalMove(move.seat, "SB-R1", msg("bids are {bids}", bids=state.bids))


@breaks(r"what may be drawn tells of the secret of seat \d")
class DrawsTell(RealDieRules):
    def draws(self, state: Any) -> Any:
        return self.legal(state, TABLE)[:1] if 0 in state.bids else ()


@breaks(r"the outcome tells of the secret of seat \d")
class OutcomeTells(RealDieRules):
    def outcome(self, state: Any) -> Any:
        found = super().outcome(state)
        return found and Outcome(found.ranking, msg("{bids}", bids=state.bids))


@breaks(r"what is legal for seat 2 tells of the secret of seat 1")
class LegalTells(Rules):
    def legal(self, state: Any, seat: int) -> Any:
        moves = super().legal(state, seat)
        return [move for move in moves if move.verb != "commit" or move.args[0] not in state.bids] or moves


@breaks(r"to_act tells of the secret of seat 1")
class ActorsTell(Rules):
    def to_act(self, state: Any) -> Any:
        return tuple(seat for seat in super().to_act(state) if seat == TABLE or state.bids[seat] != 0)


@breaks(r"the prompt of seat 1 tells of the secret of seat 1", "console")
class PromptTells(Console):
    def prompt(self, view: Any) -> Any:
        return super().prompt(view) if view.bid is None else msg("You bid {n}", n=view.bid)
