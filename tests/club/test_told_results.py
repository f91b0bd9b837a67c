"""Statistics from what a broker keeps: what is no message is logged, and all others count."""

import json

import pytest

from companion.club import topics
from companion.club.told_results import statistics
from companion.games import all_games


def results(moves: str) -> bytes:
    """Return the last results of a table, of one match with so many moves."""
    one = {"match": "m", "game": "buntherum", "players": ["Anna", "Ben"], "ranking": [[1], [2]], "moves": "?"}
    return json.dumps({"v": topics.VERSION, "results": [one]}).replace('"?"', moves).encode()


def test_each_match_counts_with_its_moves() -> None:
    (game,) = statistics({"c/a/results": results("7"), "c/b/results": results("8")}, all_games()).games
    assert game.matches == 2


@pytest.mark.parametrize("players", [[], ["Anna"], ["Anna", "Anna"], list("ABCDEF"), ["Anna", 7]])
def test_a_match_has_two_players_or_more(players: list[object], caplog: pytest.LogCaptureFixture) -> None:
    ranking = [[seat + 1] for seat in range(len(players))]
    odd = {"match": "m", "game": "buntherum", "players": players, "ranking": ranking}
    assert not statistics({"c/a/results": topics.payload({"results": [odd]})}, all_games()).games
    assert "these are not the names of players" in caplog.text


@pytest.mark.parametrize("moves", ["Infinity", "1e999", "NaN", "7.5", "true", "-1", '"7"', "9" * 400, "9" * 5_000])
def test_a_number_that_is_none_costs_only_its_own_message(moves: str, caplog: pytest.LogCaptureFixture) -> None:
    (game,) = statistics({"c/a/results": results(moves), "c/b/results": results("8")}, all_games()).games
    assert game.matches == 1
    assert "c/a/results" in caplog.text
    assert len(caplog.messages[0]) < 500
