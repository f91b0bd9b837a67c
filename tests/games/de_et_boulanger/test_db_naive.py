"""Tests that the engine and the naive game agree after every move."""

from dataclasses import asdict, replace
from functools import cache
from random import Random

import pytest

from companion.core.move import TABLE, Move
from companion.core.seats import seat_text
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import VERBS, View
from companion.games.de_et_boulanger.rules.components import Phase, Rulings, State
from tests.games.de_et_boulanger.db_naive import NaiveMatch
from tests.games.de_et_boulanger.db_table import BOX, place_text, some_rulings, wander

MATCHES = 10_000
MANY = 720  # with this many moves, later matches compare only a sample


@cache
def line_of(move: Move) -> str:
    """Return a move as text; assert that it parses back."""
    line = VERBS.format_move(BOX, move)
    assert VERBS.parse_move(BOX, line) == move
    return line


def facts(view: View) -> dict[str, object]:
    """Return a view's facts as the naive match gives them."""
    moving = view.phase == Phase.MOVE and view.rulings.movement == "full"
    selling = view.phase == Phase.SALE
    placed = view.phase != Phase.SETUP
    return {
        "phase": str(view.phase),
        "round": view.round,
        "series": view.series if moving else None,
        "order": [seat_text(seat) for seat in view.order],
        "turn": seat_text(view.turn) if moving or selling else "",
        "steps": view.steps if moving else None,
        "roll": view.die or None if moving else None,
        "sides": ["NESW"[side] if side >= 0 else "" for side in view.sides],
        "places": [place_text(BOX, square) for square in view.places] if placed else [],
        "cash": list(view.cash),
        "laboratories": [tuple(laboratory) for laboratory in view.labs],
        "loads": [tuple(carried) for carried in view.loads],
        "products": [tuple(baked) for baked in view.products],
        "tiles": [[tile + 1 for tile in row] for row in view.tiles],
        "markers": list(view.markers),
        "ranking": view.outcome and [[seat_text(seat) for seat in shared] for shared in view.outcome.ranking],
    }


def compare(state: State, naive: NaiveMatch, seats: int, sampling: Random | None) -> None:
    assert facts(rules.view(state, None)) == naive.facts()
    assert bool(len(rules.draws(state))) == naive.die_due
    for seat in (*range(seats), TABLE):
        moves = rules.legal(state, seat)
        due = naive.legal(seat_text(seat))
        assert len(moves) == len(due)
        if sampling and len(moves) >= MANY:
            assert {line_of(move) for move in sampling.sample(moves, 20)} < due
        else:
            assert {line_of(move) for move in moves} == due
        assert bool(due) == (seat in rules.to_act(state))


@pytest.mark.soak
@pytest.mark.parametrize("seats", rules.SEATS)
def test_engine_agrees_with_the_naive_game(soak_count, seats):
    for number in range(soak_count(MATCHES, 40) // len(rules.SEATS)):
        luck = Random(f"naive {seats} {number}")
        more = {
            f"handicap_{seat}": Random(f"{seats} {number} {seat}").choice((0, 0, 5, 50)) for seat in range(1, 5)
        }
        rulings = replace(some_rulings(luck), **more) if number else Rulings()
        naive = NaiveMatch(seats, **asdict(rulings))
        start = rules.setup(BOX, rulings, seats)
        sampling = Random(number) if number else None
        compare(start, naive, seats, sampling)
        for _, move, state, _ in wander(start, luck):
            naive.play(line_of(move))
            compare(state, naive, seats, sampling)
        assert naive.phase == "over"
