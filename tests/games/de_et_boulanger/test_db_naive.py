"""The naive Dé et Boulanger knows the worked examples by itself, and the engine plays as it does, move by move."""

from dataclasses import asdict, replace
from functools import cache
from random import Random

import pytest
from db_naive import NaiveMatch
from db_table import BOX, place_text, some_rulings, wander

from companion.core.move import TABLE, Move, seat_text
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import VERBS, View
from companion.games.de_et_boulanger.rules.components import Phase, Rulings, State

MATCHES = 10_000
MANY = 720  # of so many moves, the orders of the tiles, all are compared in the first match, later some


def started(players: int = 2, first: str = "1", order: str = "1 2 3 4 5 6", **rulings) -> NaiveMatch:
    """Return a match in which player 1 has the north bakery and `first` begins."""
    match = NaiveMatch(players, **rulings)
    for line in ["1 bakery N", *(["2 bakery E", "3 bakery S", "4 bakery W"] if players == 4 else [])]:
        match.play(line)
    for who in match.bakers:
        match.play(f"{who} tiles {order}")
    for who in match.bakers:
        match.play(f"T start {6 if who == first else 1}")
    return match


def turn(match: NaiveMatch, roll: int, *lines: str) -> None:
    who = match.turn
    for line in (f"T roll {roll}", *(f"{who} {line}" for line in lines), f"{who} end"):
        match.play(line)


def test_the_naive_game_plays_the_first_example():
    match = started()
    match.play("1 load 4")
    turn(match, 5, *(f"step {at}" for at in ("1,5", "1,4", "1,3", "1,2", "2,2")), "flour 3")
    turn(match, 1)
    turn(match, 4, "step 2,3", "step 2,4", "step 3,4", "step fountain", "water 2")
    turn(match, 1)
    turn(match, 4, "step 3,5", "step 2,5", "step 1,5", "step N", "unload 3 2 0 1")
    for die in (1, 4, 1, 5, 1):
        turn(match, die)
    one = match.bakers["1"]
    assert (match.phase, one.cash, one.laboratory) == ("produce", 9, {"flour": 3, "water": 2, "butter": 0})
    for line in ("1 bake 1 0", "1 validate", "2 validate", "T sale 3"):
        match.play(line)
    assert (one.cash, one.tiles, one.tiles[one.marker]) == (19, [1, 2, 3, 5, 6], 5)
    assert match.bakers["2"].cash == 10


def test_the_naive_game_plays_four_against_the_clock():
    match = started(4, first="3")
    assert match.order == ["3", "2", "1", "4"]
    assert [match.bakers[who].side for who in match.order] == ["S", "E", "N", "W"]


def test_the_naive_game_moves_the_marker_as_in_the_example():
    match = started(movement="trust")
    one = match.bakers["1"]
    used = []
    for die in (6, 5, 3, 4, 1):
        for line in ("1 home no", "2 home no", "1 validate", "2 validate"):
            match.play(line)
        before = list(one.tiles)
        match.play(f"T sale {die}")
        if match.incident_due:
            match.play("T incident 1")
        used += [tile for tile in before if tile not in one.tiles]
        match.play("T sale 6")
        if match.incident_due:
            match.play("T incident 1")
    assert (used, one.tiles, match.phase) == ([1, 2, 6, 4, 3], [5], "over")
    assert match.ranking() == [["1", "2"]]


@cache
def line_of(move: Move) -> str:
    """Return a move as text; and hold, once for each, that the text is read as that move."""
    line = VERBS.format_move(BOX, move)
    assert VERBS.parse_move(BOX, line) == move
    return line


def facts(view: View) -> dict[str, object]:
    """Return what the naive match says of itself, from a view."""
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
def test_the_engine_plays_as_the_naive_game(soak_count, seats):
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
