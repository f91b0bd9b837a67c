"""Böse Buben's robots: one plays by lot, others look one move ahead. They know what their seat may see."""

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
    """Makes any of its legal moves, each equally likely."""

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        """Return a move drawn by lot; None when the seat has nothing to do."""
        return luck.choice(view.moves) if view.moves else None


@dataclass(frozen=True)
class Planner:
    """Makes the move after which the lanes stand best for its seat. Everything is weighed in ducats.

    `settled` is what a lead is worth while the race goes on, as a share of the prize; `spent` what a point played
    from the hand costs, `lost` what a point that falls costs. `overlooks` is the share of its moves that it
    does not think of, as people do not; one it always finds.
    """

    settled: float = 0.55
    spent: float = 0.3
    lost: float = 0.1
    overlooks: float = 0

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        """Return the best move, by lot among equals; None when the seat has nothing to do."""
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
        """Return by how much the seat is ahead in these lanes; `fallen` cards lie in one of the penalty zones."""
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
    """Weigh giving an own one away: it goes where it costs most."""
    if move.verb == "decline":
        return 0
    giver, taker = move.args
    return _next_mc(view, Seat(taker)) if giver == seat else -1


def _answer(view: View, seat: Seat, move: Move) -> float:
    """Weigh buying a card back: it is worth half a ducat a point while cards for the next races are short."""
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
    return worth - view.price + 0.1  # rather a card than the ducats that it is worth


def _after_action(view: View, move: Move) -> Tracks:
    """Return the tracks after an action."""
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
