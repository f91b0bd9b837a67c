"""Dé et Boulanger's robots: one does anything, one fetches what it can bake and sell."""

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

_MS: Final = 1_000_000
_WANTED: Final = Products(3, 1)
"""What a planner wants to be able to bake in each round."""

_ROLL_EXPECTED: Final = 4
"""The steps a planner counts on for each roll to come."""

_KEPT_WORTH: Final = 1.5
"""What one measure is worth in a laboratory, in sous, while there are rounds to come."""


@dataclass(frozen=True)
class Random:
    """Makes any move for which the console has keys, each equally likely."""

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        """Draw a legal move by lot."""
        moves = legal(position(view), seat)
        if not moves:
            return None
        while True:
            move = moves[luck.randrange(len(moves))]
            if console.keys_for(view, move):
                return move


@dataclass(frozen=True)
class Planner:
    """Fetches what is missing for its products, comes home where it can, and bakes what will probably be sold."""

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        """Return the move that fits its plan."""
        if seat not in to_act(position(view)):
            return None
        if view.phase == Phase.SETUP:
            return _set_up(view, seat)
        if view.phase == Phase.PRODUCE:
            return _bake(view, seat)
        return _errand(view, seat) if view.turn == NOBODY else _turn(view, seat)


def _set_up(view: View, seat: Seat) -> Move:
    if view.sides[seat] == NO_SIDE:
        return Move(seat, "bakery", (offered_side(position(view), seat),))
    # Tiles of many breads first: the markers pass the end of the row, with the incident, late.
    tiles = view.box.tiles
    row = sorted(range(len(tiles)), key=lambda tile: (tiles[tile] == INCIDENT, [-n for n in tiles[tile]]))
    return Move(seat, "tiles", tuple(row))


def _missing(view: View, seat: Seat) -> Goods:
    """Return what is missing for the products wanted, with what is stored and carried."""
    there = put_away(view.labs[seat], view.loads[seat])
    left = left_after(there, view.box.recipes, *_WANTED)
    return Goods(*(max(0, -n) for n in left))


def _trade(view: View, seat: Seat) -> Move | None:
    """Return what to buy or take where the baker stands; None for nothing."""
    missing = _missing(view, seat)
    wanted = {"flour": missing.flour, "butter": missing.butter, "water": missing.water}
    for move in reversed(legal(position(view), seat)):  # the largest amounts come last
        if move.verb in wanted and move.args[0] <= wanted[move.verb]:
            return move
    return None


def _load(view: View, seat: Seat) -> Move | None:
    """Return what to put away or to load in the shop; None for nothing."""
    load, missing = view.loads[seat], _missing(view, seat)
    if load.flour or load.water or load.butter:
        return Move(seat, "unload", load)
    if 2 * missing.water > view.box.load_limit:
        return None  # water first: what is bought later comes home even if its baker does not
    costs = missing.flour * view.box.price.flour + missing.butter * view.box.price.butter
    sous = min(costs - load.sous, view.cash[seat], view.box.load_limit - load.sous)
    return Move(seat, "load", (sous,)) if sous > 0 else None


def _turn(view: View, seat: Seat) -> Move:
    here = legal(position(view), seat)
    act = _load(view, seat) if in_shop(position(view), seat) else _trade(view, seat)
    if act is not None and act in here:
        return act
    route = _way(view, seat) if view.die else ()
    step = Move(seat, "step", (route[0],)) if route else None
    if step is not None and step in here:
        return step
    stay = Move(seat, "stay")
    if stay in here and _is_day_over(view, seat):
        return stay
    return Move(seat, "end" if view.die else "ready")


def _is_day_over(view: View, seat: Seat) -> bool:
    """Tell whether no dice to come can lead a baker who is at home to anything that he misses."""
    launches = view.box.rolls_per_round - view.series + (not view.die)
    board, stops = view.box.board, _stops(view, seat)
    way = walks.shortest(board, view.sides[seat], view.places[seat], stops, ())
    return not way or len(way) > FACES * launches


def _way(view: View, seat: Seat) -> Sequence[Square]:
    """Return the squares to the next stop; () to stay."""
    state, board = position(view), view.box.board
    reach = view.steps + _ROLL_EXPECTED * (view.box.rolls_per_round - view.series)
    home = _route(view, seat, (board.shops[view.sides[seat]],))
    stop = _route(view, seat, _stops(view, seat))
    if in_shop(state, seat):
        return stop if len(stop) <= reach else ()
    return stop if stop and len(stop) <= reach else home


def _stops(view: View, seat: Seat) -> Sequence[Square]:
    """Return the squares where something missing can be had now; () when it is time to go home."""
    load, missing, board = view.loads[seat], _missing(view, seat), view.box.board
    if load.sous and missing.flour:
        return board.of_kind(Kind.MILL)
    if load.sous and missing.butter:
        return board.of_kind(Kind.FARM)
    if missing.water and sum(load) < view.box.load_limit:
        return (board.fountain,)
    return ()


def _route(view: View, seat: Seat, goals: Sequence[Square]) -> Sequence[Square]:
    """Return the squares of a shortest free way to one of the goals; () when there is none."""
    return walks.shortest(view.box.board, view.sides[seat], view.places[seat], goals, walks.closed(view))


def _errand(view: View, seat: Seat) -> Move:
    """Return the next trade of one honest trip: sous, flour or butter, water, and home."""
    act = None if any(view.loads[seat]) else _load(view, seat)
    return act or _trade(view, seat) or Move(seat, "home", (1,))


def _bake(view: View, seat: Seat) -> Move:
    best = max(
        (view.products[seat], *(move.args for move in legal(position(view), seat) if move.verb == "bake")),
        key=lambda args: _worth(view, seat, Products(*args)),
    )
    return Move(seat, "validate") if best == view.products[seat] else Move(seat, "bake", tuple(best))


def _worth(view: View, seat: Seat, baked: Products) -> float:
    """Return what some products will earn on the average, and what is left in the laboratory is worth."""
    state, sell = position(view), view.box.sell
    earned = 0
    for roll in range(1, FACES + 1):
        tile = view.box.tiles[view.tiles[seat][under_marker(state, seat, roll)]]
        if tile != INCIDENT:
            earned += min(baked.bread, tile[0]) * sell.bread + min(baked.croissant, tile[1]) * sell.croissant
    if view.round == view.box.rounds:
        return earned / FACES
    made = left_after(Goods(), view.box.recipes, -baked.bread, -baked.croissant)
    return earned / FACES - _KEPT_WORTH * sum(made)


BOTS: Final[dict[str, Bot[View]]] = {
    "random": Typist(Random(), console),
    "planner": Typist(Planner(), console),
}
