"""Matches at a table: robots, results, refusals, strips."""

from pathlib import Path

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.move import TABLE, Move
from companion.core.place import HOUSE
from companion.display import screens
from companion.display.frame import Result
from companion.display.geometry import ScreenGeometry
from companion.display.layout import LEFT, TOP
from companion.games import load
from companion.match.new_match import NAMES, new_match
from companion.match.seating import Sitter
from tests.host_bench import Bench, ended, robots, started

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# --- Robots and results -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_robots_play_to_the_result(tmp_path: Path, seats: int) -> None:
    bench = started(robots(tmp_path, seats))
    result = ended(bench)
    outcome = bench.match.outcome
    assert outcome
    names = bench.match.names
    assert result.title == f"{names[outcome.winners[0]]} wins"
    assert result.reason == str(outcome.reason)
    assert sorted(line.name for line in result.standings) == sorted(names)
    places = [line.place for line in result.standings]
    assert places == sorted(places)
    assert places[0] == 1
    bench.wait(60)
    assert all(lamp == Lamp.OFF for lamp in bench.lamps)
    assert bench.host.deadline_ns is None  # the result waits for people, without work


def test_shared_ranks_leave_a_gap(tmp_path: Path) -> None:
    bench = started(robots(tmp_path, 5, "random"))
    result = ended(bench)
    places = [line.place for line in result.standings]
    assert len(places) == 5
    assert places == [places.index(place) + 1 for place in places]


def test_rematch_has_a_new_record_and_same_players(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    ended(bench)
    names = bench.match.names
    bench.press(HOUSE, "1")
    assert bench.until(bench.open)
    assert len(bench.records) == 2
    assert bench.match.names == names


def test_another_game_keeps_the_same_robots(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    ended(bench)
    bench.press(HOUSE, "2")
    assert bench.menu.title == "Which game?"
    assert [side.name for side in bench.frame.sides] == ["Anna", "Ben", "Cleo", "", ""]
    assert bench.frame.sides[0].note == "robot: middle"
    assert len(bench.records) == 1


def test_robot_levels_are_offered_from_easy_to_strong(tmp_path: Path) -> None:
    bench = Bench(tmp_path, sitters=[Sitter("Robot 1", "random")])
    bench.press(HOUSE, "ok")
    notes = []
    for _ in range(5):
        bench.press(1, "B")
        notes.append(bench.frame.sides[1].note)
    assert notes == ["robot: easy", "robot: middle", "robot: strong", "robot: random", ""]
    bench.press(1, "C")
    assert bench.frame.sides[2].note == "robot: easy"


def test_robots_play_at_chosen_places(tmp_path: Path) -> None:
    sitters = [None, Sitter("Anna", "strong"), None, None, Sitter("Ben", "strong")]
    bench = Bench(tmp_path, sitters=sitters, game="buntherum")
    bench.press(2, BUZZ, "#", "1")
    assert bench.until(bench.open)
    assert bench.match.names == ("Anna", "Cleo", "Ben")
    assert bench.people() == [2]
    assert bench.until(lambda: bench.match.length > 30)
    callers = {move.args[0] for move in bench.match.moves if move.verb == "call"}
    assert callers == {0, 2}  # the robots; the person between them has not pressed


def test_robot_is_added_on_the_screen(bench: Bench) -> None:
    bench.press(0, BUZZ)
    bench.press(1, "B")
    assert bench.frame.sides[1].note == "robot: easy"
    bench.press(0, "#", "2", "1")
    assert bench.until(lambda: any(move.verb == "call" for move in bench.match.moves), 30)


def test_press_on_a_robots_buzzer_calls_nothing(tmp_path: Path) -> None:
    """See play.md, "The house"."""
    sitters = [Sitter("Anna"), Sitter("Ben"), Sitter("Robot 3", "easy")]
    bench = started(Bench(tmp_path, sitters=sitters))
    before = bench.match.entries
    bench.hand(2, BUZZ)
    bench.hand(2, BUZZ, pressed=False)
    bench.wait(0.1)
    assert bench.match.entries == before
    bench.call(0, None)
    assert [entry.move for entry in bench.match.entries[len(before) :]] == ["T call 1"]


def test_press_on_a_robots_keypad_opens_the_house(tmp_path: Path) -> None:
    sitters = [Sitter("Anna"), Sitter("Robot 2", "easy"), Sitter("Robot 3", "easy")]
    bench = Bench(tmp_path, sitters=sitters, match=new_match(load("buro_crazy"), NAMES[:3], seed="hands"))
    assert bench.until(lambda: bench.match.to_act != (TABLE,) and bench.match.to_act[-1] > 0)
    seat = bench.match.to_act[-1]
    before = bench.match.entries
    for key in "15#":
        bench.hand(seat, key)
    assert bench.match.entries == before
    assert bench.frame.panels[seat].lines[1] == ""
    bench.hand(seat, "D")
    assert bench.menu.title == "The house"
    bench.hand(seat, "*")
    assert not bench.host.session.referee.pauses  # type: ignore[union-attr]


def test_verdict_stays_until_the_next_card(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    wrong = [(side.tone, side.note) for side in bench.frame.sides]
    assert wrong[1] == ("bad", "A red chip for Ben: 1")
    assert bench.frame.sides[1].older == ("Wrong",)
    assert wrong[0][0] == wrong[2][0] == ""
    bench.press(2, "5")  # another press does not end it
    assert [(side.tone, side.note) for side in bench.frame.sides] == wrong
    assert wrong[0][1] == wrong[2][1] == "A red chip for Ben: 1"
    bench.next_card()
    assert [side.tone for side in bench.frame.sides] == ["", "", ""]
    bench.call(2, bench.fitting()[0])
    assert bench.frame.sides[2].tone == "good"
    assert bench.frame.sides[2].older == ("Right",)


def test_refusal_is_private_and_brief(bench: Bench) -> None:
    bench.play()
    bench.press(1, "7")
    why = "Buzz first, then the row; *: give up"
    assert [panel.lines[1] for panel in bench.frame.panels] == ["", why, "", "", ""]
    bench.press(0, BUZZ)
    assert [panel.lines[1] for panel in bench.frame.panels] == [""] * 5


def test_story_shows_the_refusals_of_the_house(bench: Bench) -> None:
    bench.play()
    sides = bench.frame.sides
    bench.house("right")
    assert bench.frame.story[-1] == "Refused: right does nothing now; the house can use: skip, pause"
    assert bench.frame.sides == sides
    bench.press(1, "7")
    assert "gives up" not in bench.frame.story[-1]  # a seat's refusal is private


def test_card_is_skipped_when_all_callers_give_up(bench: Bench) -> None:
    bench.play()
    for place in (0, 1, 2):
        assert bench.open()
        bench.press(place, "*")
    assert bench.match.moves[-1] == Move(TABLE, "nobody")


def test_house_skips_a_card(bench: Bench) -> None:
    bench.play()
    bench.house("skip")
    assert bench.match.moves[-1] == Move(TABLE, "nobody")


def test_strips_keep_their_edges_until_the_result(tmp_path: Path) -> None:
    bench = Bench(tmp_path, next_s=0)

    def edges() -> dict[int, int]:
        plan = screens.plan_of((800, 480), bench.frame, ScreenGeometry())
        sides = zip(bench.frame.sides, plan.strips, strict=True)
        return {side.place: strip.turn for side, strip in sides if side.name}

    for place in (1, 3):
        bench.press(place, BUZZ)
    joined = edges()
    assert joined == {1: LEFT, 3: TOP}
    bench.press(1, "#")
    assert edges() == joined
    bench.take("Buntherum", "Start")
    assert bench.until(bench.open)
    assert edges() == joined
    while not isinstance(bench.screen, Result):
        bench.call(1, bench.fitting()[0]) if bench.open() else bench.wait(1)
    assert edges() == joined
