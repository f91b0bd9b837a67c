"""Public views as a table sends them are read back unchanged, and invalid ones are refused."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club import views
from companion.core.errors import OptionError
from companion.core.move import Seat
from companion.core.rules import View
from companion.core.text import Text
from companion.games import all_games, load
from companion.testing.conformance import some_rulings
from companion.testing.playout import playout, random_move
from tests.club_line import ANYTHING

MOST_BYTES = 12_288


def views_of(name: str, seed: int) -> list[View]:
    game, pick = load(name), random.Random(seed)
    state = game.rules.setup(
        game.read_box(game.box_text, ""), some_rulings(game, pick.randrange), pick.choice(list(game.rules.SEATS))
    )
    found = [game.rules.view(state, None)]
    for _ in range(400):
        if game.rules.outcome(state):
            break
        state = game.rules.apply(state, random_move(game.rules, state, pick.randrange))
        found.append(game.rules.view(state, None))
    return pick.sample(found, min(20, len(found))) + found[-1:]


def without_sentences(view: View) -> View:
    outcome = view.outcome  # type: ignore[attr-defined]  each game's view has one
    return view._replace(outcome=outcome and outcome._replace(reason=Text("")))  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", all_games())
@pytest.mark.parametrize("seed", range(6))
def test_view_is_read_back_unchanged(name: str, seed: int) -> None:
    for view in views_of(name, seed):
        sent = json.dumps(views.as_json(view))
        assert views.read(load(name), json.loads(sent)) == without_sentences(view)
        assert len(sent) < MOST_BYTES


def test_final_view_keeps_the_ranking() -> None:
    game, pick = load("buntherum"), random.Random(1)
    state, _ = playout(
        game.rules, game.rules.setup(game.read_box(game.box_text, ""), game.rulings(), 3), pick.randrange
    )
    view = game.rules.view(state, None)
    back = views.read(game, json.loads(json.dumps(views.as_json(view))))
    assert back.outcome.ranking == view.outcome.ranking  # type: ignore[attr-defined]


def test_view_of_a_seat_is_never_sent() -> None:
    game = load("boese_buben")
    state = game.rules.setup(game.read_box(game.box_text, ""), game.rulings(), 3)
    with pytest.raises(ValueError, match="a seat's own"):
        views.as_json(game.rules.view(state, Seat(0)))


@pytest.mark.parametrize("name", all_games())
def test_view_with_extra_or_missing_key_is_refused(name: str) -> None:
    found = views.as_json(views_of(name, 0)[0])
    for other in (found | {"more": 1}, {key: value for key, value in found.items() if key != "rulings"}):
        with pytest.raises(ValueError, match="this is no view of this game"):
            views.read(load(name), other)


@pytest.mark.parametrize("name", all_games())
@given(data=st.data())
def test_invalid_value_in_a_view_is_refused(name: str, data: st.DataObject) -> None:
    game = load(name)
    found = views.as_json(
        game.rules.view(
            game.rules.setup(game.read_box(game.box_text, ""), game.rulings(), max(game.rules.SEATS)), None
        )
    )
    key = data.draw(st.sampled_from(sorted(found.keys() - {"rulings"})))
    found[key] = data.draw(ANYTHING)
    try:
        back = views.read(game, found)
    except (ValueError, OptionError):
        return
    assert json.dumps(views.as_json(back)) == json.dumps(found)
