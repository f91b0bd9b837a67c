"""Views, and what moves make public. The house alone reads texts and answers of the rounds to come."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from companion.core.move import TABLE, Move, Seat, with_item
from companion.core.rules import Outcome
from companion.games.any.rules.components import (
    SECOND_MS,
    UNKNOWN,
    Phase,
    Round,
    Rulings,
    State,
    asker,
    callers,
    lots_due,
)
from companion.games.any.rules.legality import VERBS
from companion.games.any.rules.rounds import outcome


class Rest(NamedTuple):
    """The time on a clock."""

    s: int
    ms: int

    @property
    def all_ms(self) -> int:
        return self.s * SECOND_MS + self.ms


class View(NamedTuple):
    """The view of a seat, of everybody (None) or of the house (TABLE).

    * `round` has text, answer and right number only if its reader may know them; `rounds` is their number.
    * `callers` may press now. `keyed`: whose secret number is locked; `bid` is the reader's own.
    * `last_answer`: the answer of the round before. `right`: the right one of the `shown` numbers.
    """

    you: Seat | None
    rulings: Rulings
    phase: Phase
    number: int
    rounds: int
    round: Round
    turn: int
    points: tuple[int, ...]
    callers: tuple[Seat, ...]
    asker: Seat
    locked: tuple[Seat, ...]
    tied: tuple[Seat, ...]
    caller: Seat
    keyed: tuple[bool, ...]
    bid: int | None
    shown: tuple[int, ...]
    won: tuple[Seat, ...]
    right: int
    rest: tuple[Rest, ...]
    drawn: tuple[int, ...]
    lots_due: int
    ticks: tuple[int, ...]
    changes: int
    last_answer: str
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    last = state.rounds[state.number - 1] if state.number else None
    return View(
        you=seat,
        rulings=state.rulings,
        phase=state.phase,
        number=state.number,
        rounds=len(state.rounds),
        round=state.round if seat == TABLE else _public(state.round),
        turn=state.turn,
        points=state.points,
        callers=(state.caller,) if state.phase == Phase.CLOCK else callers(state),
        asker=asker(state),
        locked=state.locked,
        tied=state.tied,
        caller=state.caller,
        keyed=tuple(bid is not None for bid in state.bids),
        bid=None if seat is None or seat == TABLE else state.bids[seat],
        shown=state.shown,
        won=state.won,
        right=state.right,
        rest=tuple(Rest(*divmod(ms, SECOND_MS)) for ms in state.rest_ms),
        drawn=state.drawn,
        lots_due=lots_due(state),
        ticks=state.ticks,
        changes=state.changes,
        last_answer=last.answer if last else "",
        outcome=outcome(state),
    )


def _public(this: Round) -> Round:
    return this._replace(text=this.text if this.show else "", answer="", number=UNKNOWN)


def _told(state: State) -> Hashable:
    """Return the texts that everybody has read by now."""
    shown = state.round.text if state.round.show else ""
    return shown, tuple(past.answer for past in state.rounds[: state.number])


def released(state: State, move: Move) -> Hashable:
    """Return what a move makes public: all numbers with the last one, texts of the next round, the last answer."""
    is_last = move.verb == "lock" and state.bids.count(None) == 1
    if move.verb == "lock" and not is_last:
        return None
    after = VERBS.apply(state, move)
    told = _told(after) if _told(after) != _told(state) else None
    return (told, after.right, with_item(state.bids, move.seat, move.args[0])) if is_last else told


def lookalikes(state: State, seat: Seat) -> Sequence[State]:
    """Return positions with other texts, answers and right numbers, as far as only the house knows them."""
    if seat != TABLE or state.phase == Phase.OVER:
        return ()
    ahead = [_other(this, secret=at > state.number) for at, this in enumerate(state.rounds) if at >= state.number]
    return (state._replace(rounds=(*state.rounds[: state.number], *ahead)),)


def _other(this: Round, *, secret: bool) -> Round:
    number = this.least if this.number > this.least else this.number
    text = this.text if this.show and not secret else this.text and f"not {this.text}"
    return this._replace(text=text, answer=this.answer and f"not {this.answer}", number=number)
