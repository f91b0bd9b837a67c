"""Models of beginners: they know the rules, do not plan ahead, and sometimes slip."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.core.move import Move, Seat, SecretMove
from companion.games.boese_buben.rules import Phase as RacePhase
from companion.games.boese_buben.rules import View as Races
from companion.games.boese_buben.rules.cards import CARDS, lane_result, value
from companion.games.buro_crazy.console import may_bid
from companion.games.buro_crazy.rules import View as House
from companion.games.buro_crazy.rules import bid_verb
from companion.games.buro_crazy.rules.change import fewest, sums, worth
from companion.games.de_et_boulanger import walks
from companion.games.de_et_boulanger.rules import Phase, legal, position, to_act
from companion.games.de_et_boulanger.rules import View as Town
from companion.games.de_et_boulanger.rules.board import Kind
from companion.games.de_et_boulanger.rules.goods import how_many
from tests.attacks.blind_presses import Looking, Player

SLIPS: Final = 0.15
"""The share of decisions that are random or end a turn early."""


@dataclass(frozen=True)
class Racer:
    """Takes leads cheaply, else plays its lowest card; buys back cheap cards."""

    def decide(self, view: Races, seat: Seat, luck: Random) -> Move | None:
        if not view.moves:
            return None
        if luck.random() < SLIPS:
            return luck.choice(view.moves)
        if view.phase == RacePhase.BRIBERY:
            cheap = 1 if view.price <= 1 else -1
            return max(view.moves, key=lambda move: cheap * move.args[0])
        return max(view.moves, key=lambda move: (self._likes(view, seat, move), luck.random()))

    def _likes(self, view: Races, seat: Seat, move: Move) -> int:
        if view.phase != RacePhase.TURN:
            return 0
        index, lane = move.args
        card, track = seat * CARDS + index, view.tracks[lane - 1]
        after = (*track, card)[-view.box.track_limit :]
        leads = [lane_result(each, view.rulings.monochrome_lane).winner == seat for each in (track, after)]
        return 10 * (leads[1] - leads[0]) - value(card)


@dataclass(frozen=True)
class Bidder:
    """Bids a random share of its hand, more on a higher floor."""

    def decide(self, view: House, seat: Seat, luck: Random) -> Move | None:
        if not may_bid(view, seat):
            return None
        hand = view.hand
        least, most = {"P": (0, 0.4), "G": (0, 0.5), "F": (0.1, 0.7), "T": (0.2, 1)}[view.pair[0]]
        wish = worth(hand, view.values) * luck.uniform(least, most)
        total = max(total for total in range(int(wish) + 1) if sums(hand, view.values) >> total & 1)
        return SecretMove(seat, bid_verb(view.rulings), fewest(total, hand, view.values))


@dataclass(frozen=True)
class Baker:
    """Makes trips for the ingredients of bread, and bakes all it can."""

    def decide(self, view: Town, seat: Seat, luck: Random) -> Move | None:
        state = position(view)
        if seat not in to_act(state):
            return None
        moves = {move.verb: move for move in legal(state, seat)}  # the last of each verb is the largest
        if view.phase == Phase.SETUP:
            return moves.get("bakery") or Move(seat, "tiles", tuple(range(len(view.box.tiles))))
        if view.phase == Phase.PRODUCE:
            if any(view.products[seat]):
                return moves["validate"]
            bread = how_many(view.labs[seat], view.box.recipes[0])
            return Move(seat, "bake", (bread, 0)) if bread else moves["validate"]
        if luck.random() < SLIPS:
            return moves.get("end") or moves["ready"]
        return self._trade(view, seat, moves) or self._walk(view, seat) or moves.get("end") or moves["ready"]

    def _trade(self, view: Town, seat: Seat, moves: Mapping[str, Move]) -> Move | None:
        load = view.loads[seat]
        if load.flour or load.water:
            return moves.get("unload") or moves.get("water")
        if load.sous or "load" not in moves:
            return moves.get("flour") or moves.get("water")
        return Move(seat, "load", (min(4, view.cash[seat]),))

    def _walk(self, view: Town, seat: Seat) -> Move | None:
        board, load = view.box.board, view.loads[seat]
        goals = board.of_kind(Kind.MILL) if load.sous else (board.fountain,)
        if sum(load) == view.box.load_limit and not load.sous:
            goals = (board.shops[view.sides[seat]],)
        way = walks.shortest(board, view.sides[seat], view.places[seat], goals, walks.closed(view))
        return Move(seat, "step", (way[0],)) if way and view.steps else None


BEGINNERS: Final = {
    "boese_buben": Racer(),
    "buntherum": Player(Looking(first_s=2.8, row_s=0.5, errors=0.12)),
    "buro_crazy": Bidder(),
    "de_et_boulanger": Baker(),
}
"""A beginner at each game; at Buntherum it finds a row in 3 to 5 s."""
