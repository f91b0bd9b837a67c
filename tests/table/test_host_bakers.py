"""Dé et Boulanger at a table: one undo takes back all moves of a key."""

from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.move import Move
from companion.games import load
from companion.games.de_et_boulanger.console import ENTER
from companion.games.de_et_boulanger.rules.components import Phase
from companion.match.new_match import NAMES, new_match
from companion.records.history import new_path
from companion.referee.journal import Journal
from tests.host_bench import Bench, entries

BAKERS = load("de_et_boulanger")

pytestmark = pytest.mark.usefixtures("fixed_secrets")


def begin(bench: Bench, *answers: tuple[int, str]) -> None:
    bench.sit(2, "Start")
    for place, keys in answers:
        bench.answer(place, *keys)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A table with two bakers; one is about to roll."""
    bench = Bench(tmp_path, game="de_et_boulanger")
    begin(bench, (0, "#"), (1, "#"))
    assert bench.until(lambda: bench.view.turn >= 0 and bench.view.round == 1, 60)
    return bench


def own_prompt(bench: Bench, place: int) -> str:
    return bench.frame.panels[place].lines[0]


def line(bench: Bench, begun: int = 0) -> list[str]:
    return [str(bench.match.public_text(move)) for move in bench.match.moves[begun:]]


def undone(bench: Bench) -> str:
    """Undo as the house; return what the pause menu said."""
    bench.house("undo")
    said = bench.menu.detail
    bench.take("Undo", "Go on")
    return said


# --- Who rolls --------------------------------------------------------------------------------------------


def test_companion_rolls_without_asking_for_a_face(bench: Bench) -> None:
    baker = bench.view.turn
    assert own_prompt(bench, baker).startswith("# rolls.")
    bench.answer(baker, ENTER)
    assert own_prompt(bench, baker) == "Your roll"


def test_real_die_may_be_keyed_at_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="de_et_boulanger", deal="table")
    begin(bench, (0, "#"), (1, "#"), (1, "#"))
    assert own_prompt(bench, 0) == "Roll your die, then press 1-6"
    bench.answer(0, "6")
    bench.answer(1, "1")
    assert own_prompt(bench, 0).startswith("#, 1-6: roll.")
    bench.answer(0, "4")
    assert line(bench)[-1] == "T roll 4"


def test_six_presses_lead_to_the_first_die(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.press(0, BUZZ, "C", "#")
    number = next(number for number, line in enumerate(bench.menu.items, 1) if line == str(BAKERS.title))
    bench.press(0, str(number), "#")
    bench.answer(0, ENTER)
    assert bench.until(lambda: bench.view.phase == Phase.START, 20)


# --- Undo -------------------------------------------------------------------------------------------------


def test_each_undo_takes_back_one_key(bench: Bench) -> None:
    begun, baker = len(line(bench)), bench.view.turn
    bench.answer(baker, "C", "4", ENTER)
    bench.wait(3)
    before = line(bench, begun)
    assert [text.split()[1] for text in before] == ["load", "ready", "roll"]
    bench.answer(baker, "5")
    walked = line(bench, begun)[len(before) :]
    assert len(walked) > 1
    who = bench.match.names[baker]
    assert undone(bench).startswith("Takes")
    assert line(bench, begun) == before
    assert undone(bench) == f"Takes back: {who} rolls a {before[-1].split()[-1]}"
    assert line(bench, begun) == before[:1]
    assert undone(bench) == f"Takes back: {who} loads 4 sous, 6 left"
    assert line(bench, begun) == []
    assert entries(bench)[-3:] == [f"undo {len(walked)}", "undo 2", "undo 1"]


# --- Again ------------------------------------------------------------------------------------------------


def test_rematch_of_an_old_match_keeps_its_rulings(tmp_path: Path) -> None:
    older = new_match(BAKERS, NAMES[:2], rulings=BAKERS.rulings(bonus_needs_trip=False))
    with Journal.create(new_path(tmp_path, older), older) as journal:
        step = older.prepare(Move(0, "bakery", (2,)))
        journal.append(step.entry)
        older.take(step)
    bench = Bench(tmp_path)
    bench.take("Resume it")
    assert bench.match.rulings == older.rulings
    bench.take("Start again", "Yes")
    assert bench.match.rulings == BAKERS.rulings(bonus_needs_trip=False)
