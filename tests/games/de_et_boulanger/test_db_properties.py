"""Tests of the laws of every match, DB-P1 to DB-P6."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.event import Event
from companion.core.move import TABLE, Move
from companion.core.rules import narrated
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import VERBS
from companion.games.de_et_boulanger.rules.components import Phase, State
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products
from tests.games.de_et_boulanger import db_laws
from tests.games.de_et_boulanger.db_table import BOX, DEAR, Play, box_with, some_rulings, wander

MATCHES = 1_200

BOXES = (BOX, DEAR, box_with(load_limit=9, home_bonus=5, start_sous=3, rounds=2, rolls_per_round=3))

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


def matches(count: int, seats: int) -> Iterator[Iterator[tuple[State, Move, State, tuple[Event, ...]]]]:
    """Yield the steps of random matches, half with the printed box."""
    for number in range(count):
        luck = Random(f"{seats} {number}")
        box = BOXES[luck.choice((0, 0, 1, 2))]
        yield wander(rules.setup(box, some_rulings(luck), seats), luck)


@soak
@each_number_of_seats
def test_db_p1_db_p2_db_p3_db_p4_db_p5_db_p6_every_move_keeps_the_laws(soak_count, seats):
    met = set()
    for match in matches(max(40, soak_count(MATCHES)), seats):
        for before, move, after, events in match:
            db_laws.check(before, move, after, events)
            met |= {move.verb, *(happened.kind for happened in events)}
            if move.verb == "incident":
                met |= {before.setting.box.effects[move.args[0] - 1]}
            if any(map(all, after.products)):
                met |= {"both products"}
            if len({*after.places} - {BOX.board.fountain}) < seats - 1:
                met |= {"company in the fountain"}
    assert met >= {*VERBS.names} - {"bakery", "tiles", "start"}
    assert met >= {"bonus", "carried", "sold", "lost", "flood", "earthquake", "gift", "both products"}
    assert seats == 2 or "company in the fountain" in met


def standing(*, phase: Phase = Phase.MOVE) -> State:
    play = Play()
    play.do("1 load 2")
    if phase != Phase.MOVE:
        play.rest()
    return play.state


BROKEN = {
    "seven tokens": lambda state: state._replace(loads=(Load(3, 2, 1, 1), Load())),
    "less than no token": lambda state: state._replace(loads=(Load(-1, 0, 0, 3), Load())),
    "two on a square": lambda state: state._replace(places=(16, 16)),
    "in a rival's shop": lambda state: state._replace(places=(state.places[1], 16)),
    "more steps than rolled": lambda state: state._replace(steps=1),
    "a sou from nowhere": lambda state: state._replace(cash=(8, 11)),
    "a sou in debt": lambda state: state._replace(cash=(8, -1)),
    "flour from nowhere": lambda state: state._replace(labs=(Goods(flour=1), Goods())),
    "a tile too few": lambda state: state._replace(tiles=(state.tiles[0][1:], state.tiles[1])),
    "a tile twice": lambda state: state._replace(tiles=((0, 0, 1, 2, 3, 4), state.tiles[1])),
    "the marker beyond the row": lambda state: state._replace(markers=(6, 0)),
    "a bread on the way": lambda state: state._replace(products=(Products(), Products(bread=1))),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_laws_detect_broken_positions(broken):
    state, ready = standing(), Move(0, "ready")
    after, events = narrated(rules, state, ready)
    db_laws.check(state, ready, after, events)
    with pytest.raises(AssertionError):
        db_laws.check(state, ready, BROKEN[broken](after), events)


@pytest.mark.parametrize(
    "broken",
    [
        lambda state: state._replace(places=(16, state.places[1])),
        lambda state: state._replace(loads=(Load(sous=1), Load()), cash=(state.cash[0] - 1, state.cash[1])),
    ],
)
def test_laws_detect_loaded_or_absent_pawns(broken):
    state, validate = standing(phase=Phase.PRODUCE), Move(0, "validate")
    after, events = narrated(rules, state, validate)
    db_laws.check(state, validate, after, events)
    with pytest.raises(AssertionError):
        db_laws.check(state, validate, broken(after), events)


def position(seats: int, seed: int, length: int) -> State:
    """Return a random match's position after `length` moves."""
    luck = Random(seed)
    start = rules.setup(luck.choice(BOXES), some_rulings(luck), seats)
    return [start, *(state for *_, state, _ in islice(wander(start, luck), length))][-1]


positions = st.builds(position, st.sampled_from(rules.SEATS), st.integers(0, 60), st.integers(0, 400))


def every_legal(state: State) -> list[Move]:
    return [move for seat in range(TABLE, state.setting.seats) for move in rules.legal(state, seat)]


@given(positions)
def test_legal_moves_keep_every_law(state):
    for move in every_legal(state)[-60:]:
        db_laws.check(state, move, *narrated(rules, state, move))


@given(positions)
def test_all_seats_see_the_same(state):
    views = [rules.view(state, seat) for seat in (None, *range(state.setting.seats))]
    assert [view.you for view in views] == [None, *range(state.setting.seats)]
    assert len({view._replace(you=None) for view in views}) == 1
    assert views[0].outcome == rules.outcome(state)
