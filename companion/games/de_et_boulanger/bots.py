"""Dé et Boulanger's robots, from random to planning."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.game import Bot
from companion.core.move import Move, Seat
from companion.games.de_et_boulanger import console, walks
from companion.games.de_et_boulanger.rules import View, legal, position, to_act
from companion.games.de_et_boulanger.rules.board import Kind, Square
from companion.games.de_et_boulanger.rules.components import (
    FACES,
    INCIDENT,
    NO_SIDE,
    NOBODY,
    Phase,
    in_shop,
    under_marker,
)
from companion.games.de_et_boulanger.rules.goods import Goods, Products, left_after, put_away
from companion.games.de_et_boulanger.rules.start import offered_side
from companion.games.typist import Typist

_WANTED: Final = Products(3, 1)

_ROLL_EXPECTED: Final = 4
"""Steps that a planner expects from a future roll."""


@dataclass(frozen=True)
class Random:
    """Plays a random legal move that can be keyed."""

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        moves = legal(position(view), seat)
        if not moves:
            return None
        while True:
            move = moves[luck.randrange(len(moves))]
            if console.keys_for(view, move):
                return move


@dataclass(frozen=True)
class Planner:
    """Fetches what its products need, comes home if it can, and bakes what will probably sell.

    `wanted` are the products per round, `kept` is the value in sous of a measure kept for later. `hopes`, from 0 to
    1, weighs the best tile against the average. `forgets` is the probability of leaving a place without the goods.
    """

    wanted: Products = _WANTED
    kept: float = 1.5
    hopes: float = 0
    forgets: float = 0

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        if seat not in to_act(position(view)):
            return None
        if view.phase == Phase.SETUP:
            return _set_up(view, seat)
        if view.phase == Phase.PRODUCE:
            return self._bake(view, seat)
        here = legal(position(view), seat)
        act = self._act(view, seat)
        if act in here and not (self.forgets and luck.random() < self.forgets):
            return act
        return Move(seat, "home", (1,)) if view.turn == NOBODY else self._turn(view, seat, here)

    def _act(self, view: View, seat: Seat) -> Move | None:
        if view.turn == NOBODY:  # one honest trip: sous, flour or butter, water, and home
            act = None if any(view.loads[seat]) else self._load(view, seat)
            return act or self._trade(view, seat)
        return self._load(view, seat) if in_shop(position(view), seat) else self._trade(view, seat)

    def _turn(self, view: View, seat: Seat, here: Sequence[Move]) -> Move:
        route = self._way(view, seat) if view.die else ()
        step = Move(seat, "step", (route[0],)) if route else None
        if step is not None and step in here:
            return step
        stay = Move(seat, "stay")
        if stay in here and self._is_day_over(view, seat):
            return stay
        return Move(seat, "end" if view.die else "ready")

    def _load(self, view: View, seat: Seat) -> Move | None:
        load, missing = view.loads[seat], self._missing(view, seat)
        if load.flour or load.water or load.butter:
            return Move(seat, "unload", load)
        if 2 * missing.water > view.box.load_limit:
            return None  # water first: later purchases arrive even if the baker does not get home
        costs = missing.flour * view.box.price.flour + missing.butter * view.box.price.butter
        sous = min(costs - load.sous, view.cash[seat], view.box.load_limit - load.sous)
        return Move(seat, "load", (sous,)) if sous > 0 else None

    def _trade(self, view: View, seat: Seat) -> Move | None:
        missing = self._missing(view, seat)
        wanted = {"flour": missing.flour, "butter": missing.butter, "water": missing.water}
        for move in reversed(legal(position(view), seat)):  # the largest amounts come last
            if move.verb in wanted and move.args[0] <= wanted[move.verb]:
                return move
        return None

    def _missing(self, view: View, seat: Seat) -> Goods:
        there = put_away(view.labs[seat], view.loads[seat])
        left = left_after(there, view.box.recipes, *self.wanted)
        return Goods(*(max(0, -n) for n in left))

    def _is_day_over(self, view: View, seat: Seat) -> bool:
        """Return True if the remaining rolls cannot lead a baker at home to anything missing."""
        launches = view.box.rolls_per_round - view.series + (not view.die)
        board, stops = view.box.board, self._stops(view, seat)
        way = walks.shortest(board, view.sides[seat], view.places[seat], stops, ())
        return not way or len(way) > FACES * launches

    def _way(self, view: View, seat: Seat) -> Sequence[Square]:
        state, board = position(view), view.box.board
        reach = view.steps + _ROLL_EXPECTED * (view.box.rolls_per_round - view.series)
        home = _route(view, seat, (board.shops[view.sides[seat]],))
        stop = _route(view, seat, self._stops(view, seat))
        if in_shop(state, seat):
            return stop if len(stop) <= reach else ()
        return stop if stop and len(stop) <= reach else home

    def _stops(self, view: View, seat: Seat) -> Sequence[Square]:
        """Return the squares that offer something missing; () to go home."""
        load, missing, board = view.loads[seat], self._missing(view, seat), view.box.board
        if load.sous and missing.flour:
            return board.of_kind(Kind.MILL)
        if load.sous and missing.butter:
            return board.of_kind(Kind.FARM)
        if missing.water and sum(load) < view.box.load_limit:
            return (board.fountain,)
        return ()

    def _bake(self, view: View, seat: Seat) -> Move:
        best = max(
            (view.products[seat], *(move.args for move in legal(position(view), seat) if move.verb == "bake")),
            key=lambda args: self._worth(view, seat, Products(*args)),
        )
        return Move(seat, "validate") if best == view.products[seat] else Move(seat, "bake", tuple(best))

    def _worth(self, view: View, seat: Seat, baked: Products) -> float:
        """Return the expected sales minus the value of the goods used."""
        state, sell = position(view), view.box.sell
        earned = []
        for roll in range(1, FACES + 1):
            tile = view.box.tiles[view.tiles[seat][under_marker(state, seat, roll)]]
            bread, croissant = (0, 0) if tile == INCIDENT else map(min, baked, tile)
            earned.append(bread * sell.bread + croissant * sell.croissant)
        expected = (1 - self.hopes) * sum(earned) / FACES + self.hopes * max(earned)
        if view.round == view.box.rounds:
            return expected
        made = left_after(Goods(), view.box.recipes, -baked.bread, -baked.croissant)
        return expected - self.kept * sum(made)


def _set_up(view: View, seat: Seat) -> Move:
    if view.sides[seat] == NO_SIDE:
        return Move(seat, "bakery", (offered_side(position(view), seat),))
    # Tiles with many breads first: the markers reach the end of the row, with the incident, late.
    tiles = view.box.tiles
    row = sorted(range(len(tiles)), key=lambda tile: (tiles[tile] == INCIDENT, [-n for n in tiles[tile]]))
    return Move(seat, "tiles", tuple(row))


def _route(view: View, seat: Seat, goals: Sequence[Square]) -> Sequence[Square]:
    return walks.shortest(view.box.board, view.sides[seat], view.places[seat], goals, walks.closed(view))


BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Typist(Planner(kept=0, hopes=1, forgets=0.75), console),
    "middle": Typist(Planner(kept=1, forgets=0.4), console),
    "strong": Typist(Planner(wanted=Products(3, 2), kept=1), console),
    "random": Typist(Random(), console),
}
