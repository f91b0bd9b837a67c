"""companion.api keeps the promises of docs/python.md for every game."""

import re
from pathlib import Path

import pytest

from companion import api
from tests.running import for_robots

ALL = pytest.mark.parametrize("name", api.game_names())


@ALL
def test_legal_moves_play_a_whole_match_that_replays(name: str) -> None:
    game = api.load(name)
    match = api.begin(game, [f"P{n}" for n in range(min(game.rules.SEATS))], seed="1")
    for number in range(2000):
        if match.outcome:
            break
        if not api.deal(match):
            moves = [moves for seat in match.to_act if (moves := match.legal(seat))]
            offered = moves[number % len(moves)]
            match.push(offered[number % len(offered)])
    again = api.replay(match.dumps())
    assert (again.moves, again.state) == (match.moves, match.state)
    assert [entry for entry, _events in api.steps(match)] == match.entries


@ALL
def test_simulation_repeats_by_seed(name: str) -> None:
    game = api.load(name)
    rulings = vars(for_robots(game, game.rulings()))
    one, other = (api.simulate(game, 2, robots=["middle", "easy"], rulings=rulings, seed="1") for _ in range(2))
    assert one.seats == other.seats
    assert one.moves == other.moves
    assert sum(one.kinds.values()) == 2


def test_robot_repeats_its_choices_by_seed() -> None:
    game = api.load("boese_buben")
    records = []
    for _ in range(2):
        match = api.begin(game, ["Anna", "Ben"], seed="7")
        robots = [api.Robot(game, "random", seed=str(seat)) for seat in range(2)]
        while match.outcome is None:
            if not api.deal(match):
                match.push(next(move for seat in match.to_act if (move := robots[seat].choose(match, seat))))
        records.append(match.dumps())
    assert records[0] == records[1]


def test_robot_that_races_is_refused() -> None:
    with pytest.raises(api.CompanionError, match="use simulate instead"):
        api.Robot(api.load("buntherum"))


def test_unknown_robot_and_ruling_are_refused() -> None:
    game = api.load("buro_crazy")
    with pytest.raises(api.CompanionError, match="strong"):
        api.Robot(game, "stronk")
    with pytest.raises(api.CompanionError, match="zero_tie_limit"):
        api.begin(game, ["Anna", "Ben", "Cleo"], rulings={"zero_tie_limits": 1})


def test_custom_box_is_played() -> None:
    game = api.load("buro_crazy")
    box = game.box_text.replace("forfeit = 10", "forfeit = 20")
    match = api.begin(game, ["Anna", "Ben", "Cleo"], box=box, seed="1")
    assert api.replay(match.dumps()).box_text == match.box_text != game.box_text


@pytest.mark.parametrize("page", ["python.md", "reference.rst"])
def test_pages_name_the_public_interface(page: str) -> None:
    text = (Path(__file__).parents[1] / "docs" / page).read_text("utf-8")
    assert [name for name in api.__all__ if not re.search(rf"\b{name}\b", text)] == []
