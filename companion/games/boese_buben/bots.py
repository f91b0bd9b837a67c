"""Böse Buben's robots, from random to one move ahead. They know only their seat's view."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.game import Bot
from companion.core.move import Move, Seat
from companion.games.boese_buben import console
from companion.games.boese_buben.rules import FREE, LEAVE, Phase, View, mc_cost
from companion.games.boese_buben.rules.cards import CARDS, NOBODY, Tracks, lane_result, lying, owner, value
from companion.games.typist import Typist


@dataclass(frozen=True)
class Random:
    """Plays a random legal move."""

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        return luck.choice(view.moves) if view.moves else None


@dataclass(frozen=True)
class Planner:
    """Plays the move that leaves the lanes best for its seat, weighed in ducats.

    `settled` is the value of a lead during a race, as a share of the prize. `spent` is the cost of a point played,
    `lost` of a point that falls. `overlooks` is the share of moves not considered.
    """

    settled: float = 0.55
    spent: float = 0.3
    lost: float = 0.1
    overlooks: float = 0

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        """Return the best move, drawn among equals."""
        if not view.moves:
            return None
        worth = {
            Phase.TURN: self._play,
            Phase.ACTION: self._action,
            Phase.MC: _move_mc,
            Phase.BRIBERY: _answer,
        }[view.phase]
        found: Sequence[Move] = view.moves
        if self.overlooks:
            found = [move for move in found if luck.random() >= self.overlooks] or [luck.choice(found)]
        return max(found, key=lambda move: (worth(view, seat, move), luck.random()))

    def _play(self, view: View, seat: Seat, move: Move) -> float:
        index, lane = move.args
        card, track, fallen = seat * CARDS + index, view.tracks[lane - 1], len(view.zones[lane - 1])
        cost = self.spent * value(card)
        track = (*track, card)
        if len(track) > view.box.track_limit:
            fallen += 1
            cost += self.lost * value(track[0]) * (owner(track[0]) == seat)
            track = track[1:]
        tracks = (*view.tracks[: lane - 1], track, *view.tracks[lane:])
        return self._standing(view, seat, tracks, fallen) - cost

    def _action(self, view: View, seat: Seat, move: Move) -> float:
        tracks = _after_action(view, move)
        if move.verb != "eject":
            return self._standing(view, seat, tracks)
        return 1 + self._standing(view, seat, tracks, len(view.zones[move.args[0] - 1]) + 1)

    def _standing(self, view: View, seat: Seat, tracks: Tracks, fallen: int = 0) -> float:
        ahead, rivals = 0.0, len(view.counts) - 1
        for track in tracks:
            winner = lane_result(track, view.rulings.monochrome_lane).winner
            if winner != NOBODY:
                ahead += view.box.lane_prize * (1 if winner == seat else -1 / rivals)
        if fallen < view.box.penalty_limit:
            return self.settled * ahead
        return ahead - _next_mc(view, seat)


def _next_mc(view: View, seat: Seat) -> int:
    return mc_cost(view.box, view.mc[seat] + 1) - mc_cost(view.box, view.mc[seat])


def _move_mc(view: View, seat: Seat, move: Move) -> float:
    if move.verb == "decline":
        return 0
    giver, taker = move.args
    return _next_mc(view, Seat(taker)) if giver == seat else -1


def _answer(view: View, seat: Seat, move: Move) -> float:
    """Return the value of an answer: half a ducat per point while cards are short."""
    (said,) = move.args
    if said == LEAVE:
        return 0
    worth = value(view.card) / 2 or 0.5
    if said == FREE:
        any_card = view.rulings.kostenlos == "all"
        return worth if any_card or view.price == max(view.box.goblins) else -1
    short = view.counts[seat] < 4 * (view.box.races - view.race)
    rest = (view.purse or 0) - view.price - mc_cost(view.box, view.mc[seat])
    if view.price and not (short and rest >= 0):
        return -1
    return worth - view.price + 0.1  # prefer the card to ducats of equal value


def _after_action(view: View, move: Move) -> Tracks:
    lanes = [list(track) for track in view.tracks]
    if move.verb == "exchange":
        one, other = move.args[:2], move.args[2:]
        for (lane, place), spot in ((one, other), (other, one)):
            if place > 0:
                lanes[lane - 1][place - 1] = lying(view.tracks, view.zones, spot)
    elif move.verb == "eject":
        lane, place = move.args
        del lanes[lane - 1][place - 1]
    elif move.verb == "reorder":
        lane, *order = move.args
        lanes[lane - 1] = [lanes[lane - 1][place - 1] for place in order]
    return tuple(map(tuple, lanes))


BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Typist(Planner(overlooks=0.67), console),
    "middle": Typist(Planner(overlooks=0.4), console),
    "strong": Typist(Planner(), console),
    "random": Typist(Random(), console),
}
