"""Statistics from the results that a broker stores; invalid ones are logged and skipped."""

import json
from pathlib import Path

import pytest

from companion.club import topics
from companion.club.evening import read_results
from companion.club.reported_results import statistics
from companion.games import all_games
from tests.stats_matches import played


def results(moves: str) -> bytes:
    one = {"match": "m", "game": "buntherum", "players": ["Anna", "Ben"], "ranking": [[1], [2]], "moves": "?"}
    return json.dumps({"v": topics.VERSION, "results": [one]}).replace('"?"', moves).encode()


def test_each_match_counts_with_its_moves() -> None:
    (game,) = statistics({"c/a/results": results("7"), "c/b/results": results("8")}, all_games()).games
    assert game.matches == 2


def test_match_under_two_table_names_counts_once() -> None:
    (game,) = statistics({"c/new/results": results("7"), "c/old/results": results("7")}, all_games()).games
    assert game.matches == 1


def test_name_with_a_lone_surrogate_counts() -> None:
    assert statistics({"c/a/results": results("7").replace(b'"Ben"', rb'"\ud800"')}, all_games()).matches == 1


@pytest.mark.parametrize("players", [[], ["Anna"], ["Anna", "Anna"], list("ABCDEF"), ["Anna", 7]])
def test_invalid_players_are_skipped_and_logged(players: list[object], caplog: pytest.LogCaptureFixture) -> None:
    ranking = [[seat + 1] for seat in range(len(players))]
    odd = {"match": "m", "game": "buntherum", "players": players, "ranking": ranking}
    assert not statistics({"c/a/results": topics.payload({"results": [odd]})}, all_games()).games
    assert "these are not the names of players" in caplog.text


@pytest.mark.parametrize("moves", ["Infinity", "1e999", "NaN", "7.5", "true", "-1", '"7"', "9" * 400, "9" * 5_000])
def test_invalid_number_costs_only_its_own_message(moves: str, caplog: pytest.LogCaptureFixture) -> None:
    (game,) = statistics({"c/a/results": results(moves), "c/b/results": results("8")}, all_games()).games
    assert game.matches == 1
    assert "c/a/results" in caplog.text
    assert len(caplog.messages[0]) < 500


def of_three(broken: dict[str, object]) -> bytes:
    """Return a table's last three results; `broken` changes the second."""
    one = {"game": "buntherum", "players": ["Anna", "Ben"], "ranking": [[1], [2]], "moves": 9}
    return topics.payload({"results": [one | {"match": "a"}, one | {"match": "b"} | broken, one | {"match": "c"}]})


def test_invalid_result_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    told = of_three({"players": ["Anna", "Anna"]})
    (game,) = statistics({"c/a/results": told}, all_games()).games
    assert game.matches == 2
    assert [each.match for each in read_results("c/a/results", topics.read_payload(told))] == ["a", "c"]
    assert [message.split(": ")[1] for message in caplog.messages] == ["c/a/results"] * 2
    broken = topics.payload({"results": ["?"] * 90})
    assert read_results("c/a/results", topics.read_payload(broken)) == ()
    assert len(caplog.messages) == 3, "the first of a message is logged, not all"


def test_match_with_handicaps_counts_for_nobody() -> None:
    found = statistics({"c/a/results": of_three({"handicapped": True})}, all_games())
    assert (found.matches, found.handicapped) == (3, 1)
    assert [(wins.who, wins.matches) for wins in found.players] == [("Anna", 2), ("Ben", 2)]


@pytest.mark.parametrize("handicap", [0, 9])
def test_result_says_whether_a_handicap_was_used(handicap: int, tmp_path: Path) -> None:
    [match] = played(tmp_path / "folder", "boese_buben", 1, handicap_2=handicap)
    told = topics.result("m", match)
    assert told is not None
    assert told["handicapped"] is bool(handicap)
    counted = statistics({"c/a/results": topics.payload({"results": [told]})}, all_games())
    assert (counted.matches, counted.handicapped) == (1, bool(handicap))
