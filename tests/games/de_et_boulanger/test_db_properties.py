"""What holds in every match of Dé et Boulanger, DB-P1 to DB-P6, and the contract of its engine."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice, product
from random import Random

import contract
import db_laws
import pytest
from contract import any_moves
from db_table import BOX, DEAR, Play, box_with, some_rulings, wander
from hypothesis import given
from hypothesis import strategies as st

from companion.core.event import Event
from companion.core.move import TABLE, Move
from companion.core.rules import narrated
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules.components import Phase, State
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products

MATCHES = 1_200

BOXES = (BOX, DEAR, box_with(load_limit=9, home_bonus=5, start_sous=3, rounds=2, rolls_per_round=3))

soak = pytest.mark.soak
each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


def matches(count: int, seats: int) -> Iterator[Iterator[tuple[State, Move, State, tuple[Event, ...]]]]:
    """Yield the steps of `count` random matches; half of them with the printed box."""
    for number in range(count):
        luck = Random(f"{seats} {number}")
        box = BOXES[luck.choice((0, 0, 1, 2))]
        yield wander(rules.setup(box, some_rulings(luck), seats), luck)


@pytest.fixture(scope="module", params=rules.SEATS)
def failed(request, soak_count) -> dict[str, AssertionError]:
    """Of each law that does not hold in a long series of matches, by its name, where it failed first."""
    found: dict[str, AssertionError] = {}
    for match in matches(soak_count(MATCHES), request.param):
        for before, move, after, events in match:
            old, new = rules.view(before, None), rules.view(after, None)
            for law in db_laws.LAWS:
                try:
                    law(old, move, new, events)
                except AssertionError as error:
                    found.setdefault(law.__name__, error)
    return found


def hold(law, failed) -> None:
    if law.__name__ in failed:
        raise failed[law.__name__]


@soak
def test_db_p1_no_pawn_carries_more_than_it_may(failed):
    hold(db_laws.p1_load, failed)


@soak
def test_db_p2_no_step_beyond_the_roll_and_no_square_with_two_bakers(failed):
    hold(db_laws.p2_squares, failed)


@soak
def test_db_p3_sous_and_ingredients_are_accounted_for(failed):
    hold(db_laws.p3_sous, failed)


@soak
def test_db_p4_a_tile_a_round_and_none_twice(failed):
    hold(db_laws.p4_tiles, failed)


@soak
def test_db_p5_products_exist_for_production_and_sale_only(failed):
    hold(db_laws.p5_products, failed)


@soak
def test_db_p6_after_the_moving_phase_all_pawns_are_home_and_empty(failed):
    hold(db_laws.p6_home, failed)


@each_number_of_seats
def test_random_matches_go_where_the_laws_matter(seats):
    met = set()
    for match in matches(20, seats):
        for before, move, after, events in match:
            met |= {move.verb, *(happened.kind for happened in events)}
            if move.verb == "incident":
                met |= {before.setting.box.effects[move.args[0] - 1]}
            if any(map(all, after.products)):
                met |= {"both products"}
            if len({*after.places} - {BOX.board.fountain}) < seats - 1:
                met |= {"company in the fountain"}
    assert met >= {
        *("load", "unload", "flour", "butter", "water", "step", "home", "bake", "bonus", "carried", "sold", "lost"),
        "locked_in",
        *("flood", "earthquake", "gift", "both products", "step", "end", "ready", "roll", "validate", "sale"),
    }
    assert seats == 2 or "company in the fountain" in met


def standing(*, phase: Phase = Phase.MOVE) -> State:
    """Return a position in which nothing is wrong."""
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
def test_the_laws_find_what_is_wrong(broken):
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
def test_the_laws_find_who_is_not_at_home_and_empty(broken):
    state, validate = standing(phase=Phase.PRODUCE), Move(0, "validate")
    after, events = narrated(rules, state, validate)
    db_laws.check(state, validate, after, events)
    with pytest.raises(AssertionError):
        db_laws.check(state, validate, broken(after), events)


def position(seats: int, seed: int, length: int) -> State:
    """Return where a random match stands after `length` moves, or at its end."""
    luck = Random(seed)
    start = rules.setup(luck.choice(BOXES), some_rulings(luck), seats)
    return [start, *(state for *_, state, _ in islice(wander(start, luck), length))][-1]


VERBS = (
    *("bakery", "tiles", "start", "load", "unload", "flour", "butter", "water", "ready", "roll", "step", "end"),
    *("home", "bake", "validate", "sale", "incident"),
)
positions = st.builds(position, st.sampled_from(rules.SEATS), st.integers(0, 60), st.integers(0, 400))
numbers = st.integers(-3, 12) | st.integers(0, 121) | st.integers()
moves = any_moves(VERBS, numbers)


def accepted(state: State, move: Move) -> bool:
    return contract.accepted(rules, state, move, "DB")


def every_legal(state: State) -> list[Move]:
    return [move for seat in range(TABLE, state.setting.seats) for move in rules.legal(state, seat)]


@given(positions, moves)
def test_any_move_is_legal_exactly_when_it_is_accepted(state, move):
    assert (move in rules.legal(state, move.seat)) == accepted(state, move)


@given(positions, st.data())
def test_a_legal_move_changed_a_little_is_legal_exactly_when_it_is_accepted(state, data):
    legal = every_legal(state)
    if not legal:
        assert rules.to_act(state) == ()
        return
    move = data.draw(st.sampled_from(legal))
    assert accepted(state, move)
    changed = contract.changed(data, move, VERBS, numbers)
    assert (changed in rules.legal(state, changed.seat)) == accepted(state, changed)


@given(positions)
def test_every_legal_move_of_a_position_keeps_every_law(state):
    for move in every_legal(state)[-60:]:
        db_laws.check(state, move, *narrated(rules, state, move))


@given(positions)
def test_legal_moves_are_a_sequence_without_repeats(state):
    for seat in range(TABLE, state.setting.seats):
        legal = rules.legal(state, seat)
        listed = list(legal)
        assert len(legal) == len(listed) == len(set(listed))
        assert bool(listed) == (seat in rules.to_act(state))
        assert all(move in legal and move.seat == seat for move in listed)
        if listed:
            assert [legal[0], legal[len(legal) - 1], legal[-1]] == [listed[0], listed[-1], listed[-1]]
        with pytest.raises(IndexError):
            legal[len(listed)]


@given(positions)
def test_the_draws_are_six_rolls_that_are_legal(state):
    drawn = list(rules.draws(state))
    assert all(move in rules.legal(state, TABLE) and move.verb in rules.DRAWS for move in drawn)
    assert [move.args for move in drawn] in ([], [(die,) for die in range(1, 7)])
    only_the_table = rules.to_act(state) == (TABLE,)
    assert bool(drawn) == only_the_table


@given(positions)
def test_everybody_sees_everything(state):
    views = [rules.view(state, seat) for seat in (None, *range(state.setting.seats))]
    assert [view.you for view in views] == [None, *range(state.setting.seats)]
    assert len({view._replace(you=None) for view in views}) == 1
    assert views[0].outcome == rules.outcome(state)


def test_the_matches_have_every_house_rule():
    found = {tuple(asdict(some_rulings(Random(number))).values()) for number in range(5_000)}
    assert found == set(
        product(("full", "trust"), *[(True, False)] * 2, ("after_all", "after_own"), (1, 2, 3), *[(0,)] * 4)
    )
