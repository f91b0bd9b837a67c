"""Büro Crazy at a table: choosing a colour, and robots with real cards."""

from pathlib import Path

import pytest

from companion.core.place import HOUSE
from companion.games.buro_crazy.console import CHOOSE_MS, COLOUR, PLACE_MS
from companion.match.seating import Sitter
from tests.host_bench import Bench, entries, robots

pytestmark = pytest.mark.usefixtures("fixed_secrets")

NOW_S = 0.3
"""Longer than a press, much shorter than the time to choose."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A table with three people who have not chosen colours."""
    bench = Bench(tmp_path, game="buro_crazy")
    bench.sit(3, "Start")
    return bench


def test_bc_r2_people_have_time_to_choose_a_colour(bench: Bench) -> None:
    bench.wait(CHOOSE_MS / 1000 - NOW_S)
    assert entries(bench) == []
    bench.wait(NOW_S)
    assert entries(bench)[0].startswith("move 1 T place")


def test_bc_r2_each_choice_restarts_the_time_to_choose(bench: Bench) -> None:
    for seat, colour in ((1, "green"), (2, "yellow")):
        bench.wait(CHOOSE_MS / 1000 - 2 * NOW_S)
        bench.press(seat, COLOUR)
        assert entries(bench)[-1] == f"move {seat} T colour {seat + 1} {colour}"
    bench.wait(CHOOSE_MS / 1000 - 2 * NOW_S)
    assert len(entries(bench)) == 2
    bench.wait(2 * NOW_S)
    assert len(entries(bench)) == 3


def test_bc_r2_pause_costs_no_time_to_choose(bench: Bench) -> None:
    bench.house("pause")
    bench.wait(60)
    bench.take("Go on")
    bench.wait(CHOOSE_MS / 1000 - 2)
    assert entries(bench) == []
    bench.press(1, COLOUR)
    assert entries(bench) == ["move 1 T colour 2 green"]


def test_bc_r2_undo_takes_back_the_colour_and_the_figures(bench: Bench) -> None:
    bench.read()
    bench.press(1, COLOUR)
    assert bench.until(lambda: bench.match.state.phase == "bid", 10)
    bench.undo()
    assert entries(bench)[-1] == "undo 2"
    bench.wait(CHOOSE_MS / 1000 - 2)
    assert bench.match.length == 0


def test_bc_r2_robots_alone_wait_for_no_choice(tmp_path: Path) -> None:
    bench = robots(tmp_path, kind="strong", game="buro_crazy")
    bench.press(HOUSE, "ok", "ok")
    bench.take("Start")
    bench.wait(PLACE_MS / 1000)
    assert entries(bench)[0].startswith("move 1 T place")


def test_bc_r23_robots_cannot_play_with_real_cards(tmp_path: Path) -> None:
    sitters = [Sitter("Anna"), Sitter("Ben"), Sitter("Cleo", "strong")]
    bench = Bench(tmp_path, sitters=sitters, game="buro_crazy", deal="table")
    bench.press(0, "1", "#")
    bench.take("Start")
    assert bench.menu.title == "Robots cannot count real cards"
    bench.take("Back")
    assert bench.records == []
    bench = Bench(tmp_path, sitters=sitters, game="buro_crazy")
    bench.press(0, "1", "#")
    bench.take("Start")
    assert bench.view.phase == "setup"
