"""Positions of Büro Crazy from random matches, and their frames."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random

import pytest

from companion.core.move import TABLE, Move, SecretMove
from companion.display.frame import Frame
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.box import BuroCrazyBox
from companion.games.buro_crazy.game import GAME
from companion.games.buro_crazy.rules import Phase, Rulings, State, components
from tests.display import gallery

BOX = BuroCrazyBox.read(GAME.box_text, "box.toml")

SHOWN = 4
"""Number of positions per phase."""

TRACKING = ("cards", "points")


def played(seats: int, seed: int, tracking: str, *, report: bool = False) -> Iterator[State]:
    """Return all positions of a random match with many tied, low or empty bids."""
    luck = Random(seed)
    state = rules.setup(BOX, Rulings(tracking=tracking, zero_tie_limit=2), seats)
    yield state
    while rules.to_act(state):
        state = rules.apply(state, some_move(state, luck, report=report))
        yield state


def some_move(state: State, luck: Random, *, report: bool) -> Move:
    drawn = rules.draws(state)
    if drawn and not (report and state.phase == Phase.ROOF):
        return drawn[luck.randrange(len(drawn))]
    seats = [seat for seat in rules.to_act(state) if seat != TABLE or luck.random() < 0.1]
    if not seats:
        return some_move(state, luck, report=report)
    moves = rules.legal(state, luck.choice(seats))
    move = moves[luck.randrange(len(moves))]
    if move.verb not in {"commit", "total"} or luck.random() < 0.4:
        return move
    others = [bid for bid in state.bids if bid is not None]
    bid = others[0] if others else tuple(count // 3 * (luck.random() < 0.5) for count in move.args)
    same = move._replace(args=tuple(map(min, bid, state.hands[move.seat])))
    assert isinstance(same, SecretMove)
    return same


@cache
def positions(seats: int, tracking: str) -> tuple[State, ...]:
    """Return positions of every phase, and some with extreme values."""
    found: dict[tuple[str, bool], list[State]] = {}
    for seed in range(6):
        for state in played(seats, seed, tracking, report=seed % 2 == 0):
            found.setdefault((state.phase, any(bid is not None for bid in state.bids)), []).append(state)
    assert {phase for phase, _ in found} == set(Phase)
    assert any(0 < state.reports.count(None) < seats for states in found.values() for state in states)
    return (
        *gallery.spread(found.values(), SHOWN),
        *map(_rare, (found[Phase.BID, False][-1], found[Phase.COIN, False][0], found[Phase.OVER, False][0])),
    )


def _rare(state: State) -> State:
    many, some, few = (9,) * 5, (9, 5, 4, 2, 1), (1, 2, 1, 1, 0)
    if not state.terms.by_cards:
        many, some, few = (342,), (80,), (20,)
    last = components.Result(
        state.last.pair, state.last.seats, (many, many), (342, 342), state.last.seats[1], (342, 342), 20, few
    )
    return state._replace(
        last=last,
        attempt=99,
        zeros=98,
        terms=state.terms._replace(rulings=replace(state.terms.rulings, zero_tie_limit=99)),
        kitchen=some,
        stock=many,
        roof=(30,) * 5 if state.terms.by_cards else (900,),
        told=150,
        hands=tuple(many for _ in state.hands),
    )


def frame_of(state: State) -> Frame:
    return gallery.frame_of(GAME, partial(rules.view, state), state.terms.seats)


def pixels(state: State, size: tuple[int, int] = (800, 480)) -> int:
    return gallery.pixels(frame_of(state), size)


every_tracking = pytest.mark.parametrize("tracking", TRACKING)
every_table = pytest.mark.parametrize("seats", rules.SEATS)
