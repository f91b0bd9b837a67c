"""Sealed: a toy game of secret simultaneous bids, for tests of the core; `broken.py` breaks it in many ways.

Each round every seat secretly bids 0 to 3, and may retract until the last bid (SB-R1, SB-R2). The highest unique
number wins a point (SB-R3); without one, a die names the winner (SB-R4). Three points win the match (SB-R5).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.console import Deal, Keyed, Lamp, Race, Stage
from companion.core.errors import BoxError, IllegalMove, NotationError, OptionError, nearest
from companion.core.event import Event
from companion.core.game import Game
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.options import option
from companion.core.rules import Outcome
from companion.core.seats import parse_seat, seat_text
from companion.core.text import Render, Text, msg
from companion.core.verbs import NOT_ACCEPTED
from tests.free_events import event


@dataclass(frozen=True)
class Rulings:
    goal: int = option(3, msg("points that win"), minimum=1, maximum=4)
    ties: str = option("die", msg("who wins a round without a single highest bid"), choices=("die", "nobody"))
    low: bool = option(False, msg("the lowest single bid wins"))


class Box(NamedTuple):
    highest: int


class State(NamedTuple):
    """`bids` of this round, None where missing; `shown` has the public ones of the last round."""

    box: Box
    rulings: Rulings
    bids: tuple[int | None, ...]
    points: tuple[int, ...]
    shown: tuple[int, ...] = ()
    rolling: bool = False


class View(NamedTuple):
    you: Seat | None
    bid: int | None
    locked: tuple[bool, ...]
    points: tuple[int, ...]
    shown: tuple[int, ...]
    rolling: bool
    outcome: Outcome | None


class Rules:
    SEATS = range(2, 5)
    DRAWS = frozenset({"roll"})
    SECRETS = frozenset({"commit"})

    def setup(self, box: Box, rulings: Rulings, seats: int) -> State:
        if seats not in self.SEATS:
            raise OptionError(msg("no board for {n}", n=seats))
        return State(box, rulings, (None,) * seats, (0,) * seats)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if self.outcome(state):
            return ()
        return (TABLE,) if state.rolling else tuple(range(len(state.bids)))

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat not in self.to_act(state):
            return ()
        if seat == TABLE:
            return [Move(TABLE, "roll", (winner,)) for winner in range(len(state.bids))]
        if state.bids[seat] is not None:
            return [Move(seat, "retract")]
        return [SecretMove(seat, "commit", (bid,)) for bid in range(state.box.highest + 1)]

    def draws(self, state: State) -> Sequence[Move]:
        return self.legal(state, TABLE)

    def apply(self, state: State, move: Move, told: list[Event] | None = None) -> State:
        if move not in self.legal(state, move.seat):
            raise self.refusal(state, move)
        following, happened = self.play(state, move)
        if told is not None:
            told += happened
        return following

    def refusal(self, state: State, move: Move) -> IllegalMove:
        return IllegalMove(move.seat, "SB-R1", msg("not accepted"))

    def play(self, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
        if move.verb == "roll":
            return self.point(state._replace(rolling=False), move.args[0])
        bid = move.args[0] if move.args else None
        bids = (*state.bids[: move.seat], bid, *state.bids[move.seat + 1 :])
        told = (event(move.verb, move.seat), event("yours", move.seat, bid=bid, seen_by=(move.seat,)))
        if None in bids:
            return state._replace(bids=bids), told
        state, shown = self.reveal(state._replace(bids=bids))
        return state, told + shown

    def reveal(self, state: State) -> tuple[State, tuple[Event, ...]]:
        bids = state.bids
        shown = event("reveal", bids=bids)
        state = state._replace(bids=(None,) * len(bids), shown=bids)
        single = sorted(bid for bid in bids if bids.count(bid) == 1)
        if single:
            state, told = self.point(state, bids.index(single[0 if state.rulings.low else -1]))
            return state, (shown, *told)
        return state._replace(rolling=state.rulings.ties == "die"), (shown,)

    def point(self, state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
        points = tuple(count + (place == seat) for place, count in enumerate(state.points))
        return state._replace(points=points), (event("point", seat, points=points[seat]),)

    def view(self, state: State, seat: Seat | None) -> View:
        seat = None if seat == TABLE else seat
        return View(
            you=seat,
            bid=None if seat is None else state.bids[seat],
            locked=tuple(bid is not None for bid in state.bids),
            points=state.points,
            shown=state.shown,
            rolling=state.rolling,
            outcome=self.outcome(state),
        )

    def outcome(self, state: State) -> Outcome | None:
        if max(state.points) < state.rulings.goal:
            return None
        places = sorted(set(state.points), reverse=True)
        ranking = tuple(tuple(s for s, has in enumerate(state.points) if has == points) for points in places)
        return Outcome(ranking, msg("{n} points", n=state.rulings.goal))


class DeclaredRules(Rules):
    """Rules that declare what they make public."""

    def released(self, state: State, move: Move) -> Hashable:
        following = self.apply(state, move)
        return following.shown if move.verb == "commit" and following.bids == (None,) * len(state.bids) else None


class StickyRules(Rules):
    """Rules under which a bid of nothing is final: legal moves depend on a secret."""

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        moves = super().legal(state, seat)
        return () if Move(seat, "retract") in moves and state.bids[seat] == 0 else moves


class RealDieRules(Rules):
    """Rules with a real die: the TABLE may roll at any time, for a point, or report it lost."""

    def to_act(self, state: State) -> tuple[Seat, ...]:
        actors = super().to_act(state)
        return actors if TABLE in actors or not actors else (TABLE, *actors)

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat != TABLE or not self.to_act(state):
            return super().legal(state, seat)
        return [*(Move(TABLE, "roll", (winner,)) for winner in range(len(state.bids))), Move(TABLE, "lost")]

    def draws(self, state: State) -> Sequence[Move]:
        return self.legal(state, TABLE)[:-1] if state.rolling else ()

    def play(self, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
        return (state, ()) if move.verb == "lost" else super().play(state, move)


class Notation:
    def format_move(self, box: Box, move: Move) -> str:
        return " ".join((seat_text(move.seat), move.verb, *map(str, move.args)))

    def parse_move(self, box: Box, text: str) -> Move:
        seat, _, rest = text.partition(" ")
        verb, *args = rest.split(" ")
        if verb not in {"commit", "retract", "roll", "lost"}:
            raise NotationError(
                msg("no move {verb!r}; {near}", verb=verb, near=nearest(verb, ("commit", "retract")))
            )
        if len(args) != (verb in {"commit", "roll"}) or not all(len(arg) == 1 and arg in "0123" for arg in args):
            raise NotationError(msg("{text!r} lacks its number, or it is hidden", text=text))
        kind = SecretMove if verb == "commit" else Move
        return kind(parse_seat(seat), verb, tuple(map(int, args)))


class Console:
    def stage(self, view: View) -> Stage:
        return Stage(deal=Deal(500) if view.rolling else None, keying=sum(view.points))

    def called(self, view: View, winners: Sequence[object]) -> Move:
        raise NotImplementedError(Race)

    def early(self, view: View, seat: Seat) -> Move | None:
        return None

    def key(self, view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        entry = entries.get(seat, "")
        if key == "*" and view.locked[seat]:
            return Keyed(move=Move(seat, "retract"))
        if key == "#" and entry:
            return Keyed(move=SecretMove(seat, "commit", (int(entry),)))
        return Keyed(key) if key in "0123" and not view.locked[seat] else Keyed(entry, why=NOT_ACCEPTED)

    def house(self, view: View, control: str) -> Move | None:
        return None

    def keys_for(self, view: View, move: Move) -> tuple[str, ...]:
        return (str(move.args[0]), "#") if move.verb == "commit" else ("*",)

    def prompt(self, view: View) -> Text:
        return msg("The die decides") if view.rolling else msg("Bid 0 to 3, then #")

    def private(self, view: View, entry: str) -> Text | None:
        return msg("Your bid: {bid}", bid=entry if view.bid is None else view.bid)

    def lamps(self, view: View) -> tuple[Lamp, ...]:
        return tuple(Lamp.ON if locked else Lamp.OFF for locked in view.locked)


class Teller:
    SCORE = msg("Points")

    def score(self, view: View) -> tuple[int | None, ...]:
        return view.points

    def stands(self, view: View, seat: Seat) -> Text:
        return msg("{n} points", n=view.points[seat])

    def colours(self, view: View) -> tuple[str, ...]:
        return ("red", "sky", "yellow", "green", "purple")[: len(view.points)]

    def picture(self, view: View, names: Sequence[str], render: Render) -> str:
        return "\n".join(f"{name} {points}" for name, points in zip(names, view.points, strict=True))


def read_box(text: str, where: str) -> Box:
    key, _, number = text.strip().partition(" = ")
    if key != "highest" or not number.isdecimal():
        raise BoxError(msg("{where}: highest: allowed: a whole number", where=where))
    return Box(int(number))


SEALED = Game(
    name="sealed",
    title=Text("Sealed"),
    rules=Rules(),
    notation=Notation(),
    rulings=Rulings,
    box_text="highest = 3\n",
    read_box=read_box,
    console=Console(),
    teller=Teller(),
    bots={},
)
