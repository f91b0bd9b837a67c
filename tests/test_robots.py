"""Robots at the whole virtual table: every match ends, nothing is refused to the TABLE, every record replays."""

from collections.abc import Callable
from pathlib import Path

import pytest
from running import robot_table

from companion.core.event import Event
from companion.core.match import loads
from companion.games import all_games, load
from companion.referee.journal import open_record

GAMES = all_games()


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_matches_by_any_rulings_end_and_replay(name: str, soak_count: Callable[[int], int]) -> None:
    game = load(name)
    for number in range(soak_count(6_000)):
        refused: list[Event] = []

        def note(_: int, told: Event, refused: list[Event] = refused) -> None:
            if told.kind == "refused" and told.seat is None:
                refused.append(told)

        match = robot_table(game, f"robots {number}", note).match
        assert match.outcome, number
        assert not refused, number
        again = loads(match.dumps(), GAMES)
        assert again.outcome == match.outcome, number
        assert again.state == match.state, number
        assert again.dumps() == match.dumps(), number


@pytest.mark.parametrize("name", GAMES)
def test_the_journal_of_a_match_by_any_rulings_replays(name: str, tmp_path: Path) -> None:
    for number in range(10):
        path = tmp_path / f"{number}.record"
        match = robot_table(load(name), f"journal {number}", journal=path).match
        opened = open_record(path, GAMES)
        assert opened.damage is None
        assert opened.match.dumps() == match.dumps()
        assert opened.match.outcome == match.outcome
