"""Matches at a table: robots, pauses, corrections, what is kept, interruptions, and journals that fail."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from test_host import Bench, fits, no_error_in_the_log  # noqa: F401  the fixture is used by being there

from companion.config import JournalOptions, TableConfig
from companion.core.console import BUZZ, Lamp
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.core.record import Entry
from companion.display.frame import Play, Result
from companion.games import load
from companion.games.buntherum.rules import Phase
from companion.lobby import Sitter
from companion.referee import journal
from companion.table import NAMES, new_match

pytestmark = pytest.mark.usefixtures("fixed_secrets")

GAME = load("buntherum")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def robots(folder: Path, seats: int = 3, kind: str = "human", **options: Any) -> Bench:
    return Bench(folder, sitters=[Sitter(name, kind) for name in NAMES[:seats]], **options)


def demo(folder: Path) -> Bench:
    match = new_match(GAME, NAMES[:3], demo=True)
    return robots(folder, match=match)


def started(bench: Bench) -> Bench:
    """Begin a match with those who sit there already."""
    bench.press(TABLE, "ok", "ok", "1", "1")
    assert bench.until(bench.open)
    return bench


def ended(bench: Bench) -> Result:
    assert bench.until(lambda: isinstance(bench.screen, Result), 3600)
    assert isinstance(bench.screen, Result)
    return bench.screen


def entries(bench: Bench) -> list[str]:
    return [f"{entry.kind} {entry.number} {entry.move}".strip() for entry in bench.match.entries]


def position(bench: Bench) -> Any:
    return bench.match.state


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
    assert sorted(name for line in result.standings for name in line.names.split(", ")) == sorted(names)
    places = [line.place for line in result.standings]
    assert places == sorted(places)
    assert places[0] == 1
    assert all(lamp == Lamp.OFF for lamp in bench.lamps)
    bench.wait(60)
    assert bench.host.deadline_ns is None  # the result waits for people, without work


def test_shared_places_leave_a_gap(tmp_path: Path) -> None:
    bench = started(robots(tmp_path, 5, "random"))
    result = ended(bench)
    due = 1
    for line in result.standings:
        assert line.place == due
        due += len(line.names.split(", "))


def test_again_begins_a_new_record_with_the_same_players(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    ended(bench)
    names = bench.match.names
    bench.press(TABLE, "1")
    assert bench.until(bench.open)
    assert len(bench.records) == 2
    assert bench.match.names == names


def test_another_game_goes_to_attract_and_robots_stay_seated(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    ended(bench)
    bench.press(TABLE, "2")
    assert bench.poster.hint == "Press a buzzer to sit down"
    assert [side.name for side in bench.frame.sides] == ["Anna", "Ben", "Cleo", "", ""]
    assert bench.frame.sides[0].note == "robot: human"
    assert len(bench.records) == 1


def test_robots_at_chosen_places(tmp_path: Path) -> None:
    sitters = [None, Sitter("Anna", "human-quick"), None, None, Sitter("Ben", "human-quick")]
    bench = Bench(tmp_path, sitters=sitters)
    bench.press(2, BUZZ, "#", "1", "1")
    assert bench.until(bench.open)
    assert bench.match.names == ("Anna", "Cleo", "Ben")
    assert bench.people() == [2]
    assert bench.until(lambda: bench.match.length > 30)
    callers = {move.args[0] for move in bench.match.moves if move.verb == "call"}
    assert callers == {0, 2}  # the robots; the person in between has not pressed


def test_a_robot_chosen_on_the_screen(bench: Bench) -> None:
    bench.press(0, BUZZ)
    bench.press(1, "B")
    assert bench.frame.sides[1].note == "robot: random"
    bench.press(0, "#", "1", "1")
    assert bench.until(lambda: any(move.verb == "call" for move in bench.match.moves), 30)


def test_the_verdict_stays_until_the_next_card(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    wrong = [(side.tone, side.note) for side in bench.frame.sides]
    assert wrong[1] == ("bad", "Wrong")
    assert wrong[0][0] == wrong[2][0] == ""
    bench.press(2, "5")  # whatever else happens meanwhile
    assert [(side.tone, side.note) for side in bench.frame.sides] == wrong
    bench.next_card()
    assert [side.tone for side in bench.frame.sides] == ["", "", ""]
    bench.call(2, bench.fitting()[0])
    assert (bench.frame.sides[2].tone, bench.frame.sides[2].note) == ("good", "Right")


def test_what_was_refused_is_said_in_private_and_only_for_now(bench: Bench) -> None:
    bench.play()
    bench.press(1, "7")
    assert [panel.lines[1] for panel in bench.frame.panels] == ["", "not accepted", "", "", ""]
    bench.press(0, BUZZ)
    assert [panel.lines[1] for panel in bench.frame.panels] == [""] * 5


def test_all_who_may_call_give_the_card_up(bench: Bench) -> None:
    bench.play()
    for place in (0, 1, 2):
        assert bench.open()
        bench.press(place, "*")
    assert bench.match.moves[-1] == Move(TABLE, "nobody")


def test_the_house_skips_a_card(bench: Bench) -> None:
    bench.play()
    bench.house("skip")
    assert bench.match.moves[-1] == Move(TABLE, "nobody")


# --- Pause ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("control", ["pause", "menu"])
def test_a_pause_stops_the_clocks(bench: Bench, control: str) -> None:
    bench.play()
    bench.press(0, BUZZ)
    assert bench.view.phase == Phase.LOCKED
    bench.house(control)
    assert bench.menu.title == "Pause"
    bench.wait(600)
    assert bench.match.state.phase == Phase.LOCKED
    bench.press(0, "1")
    bench.wait(1.5)
    assert bench.match.state.phase == Phase.LOCKED
    bench.wait(3)
    assert bench.match.moves[-1].verb in {"late", "flip"}


@pytest.mark.parametrize("control", ["pause", "menu"])
def test_the_same_control_goes_on(bench: Bench, control: str) -> None:
    bench.play()
    bench.house(control, control)
    assert bench.open()
    bench.press(1, BUZZ)
    assert bench.view.caller == 1


def test_nobody_calls_in_a_pause(bench: Bench) -> None:
    bench.play()
    bench.house("pause")
    bench.press(2, BUZZ)
    bench.wait(5)
    assert bench.menu.selected == 1  # a buzzer goes to the next line instead
    bench.house("pause")
    bench.wait(5)
    assert bench.open()
    bench.press(1, BUZZ)
    assert bench.view.caller == 1


def test_robots_do_nothing_in_a_pause(tmp_path: Path) -> None:
    """What they were about to press must reach neither the match nor the menu."""
    bench = started(robots(tmp_path))
    for _ in range(20):
        bench.house("pause")
        bench.press(TABLE, "skip")
        before = entries(bench), bench.menu
        bench.wait(30)
        assert (entries(bench), bench.menu) == before
        bench.house("pause")
        bench.wait(0.7)
        assert isinstance(bench.screen, Play)
    assert sum(len(standing.names.split(", ")) for standing in ended(bench).standings) == 3


def test_robots_of_a_match_that_was_left_do_nothing(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    bench.house("pause")
    bench.press(TABLE, str(bench.menu.items.index("Leave") + 1), "2")
    assert bench.poster.hint == "Press a buzzer to sit down"
    bench.wait(30)
    assert bench.poster.hint == "Press a buzzer to sit down"


def test_robots_of_the_match_before_do_not_play_in_the_new_one(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    bench.house("pause")
    bench.press(TABLE, str(bench.menu.items.index("Start again") + 1), "2")
    assert isinstance(bench.screen, Play)
    pressed: list[int] = []
    press = bench.host.devices.press

    def counted(place: int, control: str) -> None:
        pressed.append(place)
        press(place, control)

    bench.host.devices.press = counted  # type: ignore[method-assign]
    bench.until(bench.open)
    assert pressed == []


# --- Losing a device --------------------------------------------------------------------------------------


def test_losing_a_device_pauses_and_names_the_seat(bench: Bench) -> None:
    bench.play()
    bench.wait(1)
    bench.hand(1, "fault unplug")
    assert bench.frame.sides[1].note == "unplugged!"
    assert bench.frame.sides[1].tone == "bad"
    assert bench.frame.sides[0].note == "The match is paused"
    bench.wait(1)
    bench.press(0, BUZZ)
    bench.wait(10)
    assert bench.open()
    bench.hand(1, "fault unplug")
    assert bench.frame.sides[1].note == "First buzzer counts"
    bench.press(1, BUZZ)
    assert bench.view.caller == 1


def test_a_device_lost_in_a_pause_is_not_forgotten(bench: Bench) -> None:
    bench.play()
    bench.house("pause")
    bench.hand(1, "fault unplug")
    bench.house("pause")
    assert bench.frame.sides[1].note == "unplugged!"
    bench.press(0, BUZZ)
    assert bench.open()
    bench.house("pause")
    bench.hand(1, "fault unplug")
    bench.house("pause")
    bench.press(0, BUZZ)
    assert bench.view.caller == 0


# --- Undo and correction ----------------------------------------------------------------------------------


def test_undo_says_what_it_takes_back_and_does(bench: Bench) -> None:
    bench.play()
    row = bench.wrong()
    bench.call(1, row)
    bench.house("menu")
    bench.press(0, BUZZ)
    said = "impossible" if row == 0 else str(row)
    assert bench.menu.detail == f"Takes back: 2 declare {said}"
    bench.press(0, "#")
    assert bench.menu.title == "Pause"
    assert entries(bench)[-1] == "undo 1"
    bench.take("Go on")
    assert bench.view.phase == Phase.LOCKED
    assert bench.view.caller == 1
    assert bench.view.chips == (0, 0, 0)


def test_undo_past_a_card_says_so_first(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.next_card()
    before = entries(bench)
    bench.house("undo")
    assert bench.menu.items[bench.menu.selected] == "Undo"
    assert bench.menu.detail.startswith("Takes back: 2 declare ")
    assert "T flip" in bench.menu.detail
    assert entries(bench) == before
    bench.house("ok")
    assert entries(bench)[-1] == "undo 2"


def test_undo_can_be_called_off(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    before = entries(bench)
    bench.house("undo", "undo")
    assert isinstance(bench.screen, Play)
    assert entries(bench) == before


def test_the_setup_cannot_be_undone(bench: Bench) -> None:
    bench.play()
    bench.house("undo")
    assert "Undo" not in bench.menu.items
    assert bench.menu.items[bench.menu.selected] == "Go on"


def test_a_wrong_row_is_corrected(bench: Bench) -> None:
    bench.play()
    right = bench.fitting()[0]
    bench.call(1, bench.wrong())
    assert bench.view.chips == (0, 1, 0)
    bench.house("menu")
    bench.take("Correct")
    assert bench.menu.title == "Correct which move?"
    assert bench.menu.items[0].split(". ")[1].startswith("2 declare")
    bench.press(0, "1")
    assert bench.menu.title == "What was it really?"
    said = "impossible" if right == 0 else str(right)
    bench.take(f"2 declare {said}")
    assert bench.menu.title == "Pause"
    assert entries(bench)[-1].startswith("amend ")
    bench.take("Go on")
    assert bench.view.chips == (0, 0, 0)
    assert bench.match.state.chips == (0, 0, 0)


def test_who_called_is_corrected(bench: Bench) -> None:
    bench.play()
    bench.press(1, BUZZ)
    bench.house("menu")
    bench.take("Correct")
    bench.press(0, "1")
    bench.take("T call 3")
    bench.take("Go on")
    assert bench.view.caller == 2
    assert bench.lamps[:3] == [Lamp.OFF, Lamp.OFF, Lamp.ON]


def test_an_impossible_correction_says_why_and_changes_nothing(bench: Bench) -> None:
    """Another caller cannot have declared what the first one did: the later move would be illegal."""
    bench.play()
    bench.call(1, bench.wrong())
    before, was = entries(bench), bench.match.state
    bench.house("menu")
    bench.take("Correct")
    call = next(place for place, item in enumerate(bench.menu.items, 1) if "T call 2" in item)
    bench.press(0, str(call))
    bench.take("T call 1")
    assert bench.poster.trouble
    assert "the correction makes move" in bench.poster.lines[0]
    assert bench.poster.hint == "Nothing was changed. Press any button"
    assert (entries(bench), bench.match.state) == (before, was)
    bench.press(2, BUZZ)
    assert bench.menu.title == "Pause"
    bench.take("Go on")
    bench.next_card()
    bench.press(0, BUZZ)
    assert bench.view.caller == 0


def test_correcting_goes_back_step_by_step(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.house("menu")
    bench.take("Correct")
    bench.press(0, "1")
    titles = []
    for _ in range(3):
        bench.press(0, "*")
        titles.append(getattr(bench.screen, "title", ""))
    assert titles == ["Correct which move?", "Pause", ""]
    assert isinstance(bench.screen, Play)


# --- Starting again and leaving ---------------------------------------------------------------------------


def test_restart_asks_first_and_keeps_the_record(bench: Bench) -> None:
    bench.play((0, 2))
    bench.call(1, 1)
    kept = bench.records[0].read_bytes()
    bench.house("menu")
    bench.take("Start again")
    assert bench.menu.title == "Start again?"
    assert bench.menu.items == ("No", "Yes")
    bench.press(0, "#")
    assert bench.menu.title == "Pause"
    bench.take("Start again")
    bench.press(0, "2")
    assert bench.until(bench.open)
    assert len(bench.records) == 2
    assert bench.records[0].read_bytes() == kept
    assert bench.match.names == ("Anna", "Cleo")
    assert bench.people() == [0, 2]


def test_leave_asks_first_and_keeps_the_record(bench: Bench) -> None:
    bench.play()
    kept = bench.records[0].read_bytes()
    bench.house("menu")
    bench.take("Leave")
    assert bench.menu.title == "Leave the match?"
    bench.press(0, "1")
    assert bench.menu.title == "Pause"
    bench.take("Leave")
    bench.press(0, "2")
    assert bench.poster.hint == "Press a buzzer to sit down"
    assert bench.records[0].read_bytes() == kept
    assert bench.lamps == [Lamp.OFF] * 5
    bench.play((3, 4))  # and the folder is free again
    assert len(bench.records) == 2


# --- Interruptions ----------------------------------------------------------------------------------------


def dropped(bench: Bench) -> Path:
    """Leave a journal as a program leaves it that is killed; its lock goes with its process."""
    running = bench.host._running
    assert running
    running.journal.close()
    bench.host._running = None
    return bench.records[-1]


def test_an_interrupted_match_is_offered_and_goes_on(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.next_card()
    was, names, length = position(bench), bench.match.names, bench.match.length
    path = dropped(bench)
    again = Bench(tmp_path)
    assert again.menu.title == "A match was interrupted"
    assert again.menu.detail == f"Buntherum: {', '.join(names)}, {length} moves"
    again.press(2, "#")
    assert again.menu.title == "Pause"
    again.wait(60)
    assert position(again) == was
    again.press(2, "#")
    assert again.view.phase == Phase.OPEN
    assert [side.name for side in again.frame.sides] == list(names)
    again.call(2, again.fitting()[0])
    assert again.records == [path]
    assert again.match.length == length + 2
    assert again.match.moves[-1].seat == 2


def test_an_interrupted_match_against_robots_goes_on_to_its_result(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    bench.until(lambda: bench.match.length > 25)
    dropped(bench)
    again = robots(tmp_path)
    again.press(TABLE, "1", "1")
    ended(again)
    assert len(again.records) == 1
    assert again.match.outcome


def test_later_leaves_it_in_the_history(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    path = dropped(bench)
    kept = path.read_bytes()
    again = Bench(tmp_path)
    again.press(0, "2")
    assert again.poster.hint == "Press a buzzer to sit down"
    assert path.read_bytes() == kept


def test_a_match_that_is_over_is_not_offered(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    ended(bench)
    dropped(bench)
    assert Bench(tmp_path).poster.hint == "Press a buzzer to sit down"


def test_a_match_without_moves_is_not_offered(bench: Bench, tmp_path: Path) -> None:
    bench.press(0, BUZZ)
    bench.press(1, BUZZ, "#", "1")
    bench.hand(1, "1")
    assert bench.match.length == 0
    dropped(bench)
    assert Bench(tmp_path).poster.hint == "Press a buzzer to sit down"


def test_a_demo_is_not_offered(tmp_path: Path) -> None:
    bench = demo(tmp_path)
    assert bench.until(lambda: bench.match.length > 20)
    dropped(bench)
    assert Bench(tmp_path).poster.hint == "Press a buzzer to sit down"


def test_a_demo_does_not_hide_what_was_interrupted_before_it(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    path = dropped(bench)
    shown = demo(tmp_path)
    assert shown.until(lambda: shown.match.length > 20)
    dropped(shown)
    again = Bench(tmp_path)
    assert again.menu.title == "A match was interrupted"
    length = len(path.read_bytes())
    again.press(0, "1", "1")
    again.call(0, 1)
    assert len(path.read_bytes()) > length


def test_a_match_of_people_after_a_demo_is_no_demo(tmp_path: Path) -> None:
    bench = demo(tmp_path)
    ended(bench)
    bench.press(TABLE, "2")
    started(bench)
    assert "Event" not in bench.match.tags


def test_a_demo_again_is_a_demo(tmp_path: Path) -> None:
    bench = demo(tmp_path)
    ended(bench)
    bench.press(TABLE, "1")
    assert bench.until(bench.open)
    assert bench.match.tags["Event"] == "demo"


def test_a_damaged_journal_goes_on_from_before_its_damage(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.next_card()
    length = bench.match.length
    path = dropped(bench)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-1] = lines[-1].replace(b"T flip", b"T flop")
    path.write_bytes(b"".join(lines))
    again = Bench(tmp_path)
    assert again.menu.title == "A match was interrupted"
    assert f"{length - 1} moves" in again.menu.detail
    assert f"line {len(lines)} is damaged" in again.menu.detail
    again.press(0, "1", "1")
    again.next_card()
    assert again.match.length == length
    assert again.opened().damage is None
    assert list(tmp_path.glob("*.damaged"))


def test_a_file_that_is_no_record_does_not_stop_the_table(tmp_path: Path) -> None:
    (tmp_path / "2026-01-01-000000-buntherum.record").write_bytes(b"\x00\xff no record\n")
    assert Bench(tmp_path).poster.hint == "Press a buzzer to sit down"


def test_a_match_that_another_program_plays_is_not_taken_from_it(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    other = Bench(tmp_path)
    other.press(0, "1")
    assert other.poster.trouble
    assert "in use by process" in other.poster.lines[0]
    bench.press(0, BUZZ)
    assert bench.view.caller == 0


# --- A journal that fails ---------------------------------------------------------------------------------


def test_no_folder_to_write_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is no folder")
    config = TableConfig(journal=JournalOptions(str(tmp_path / "file" / "matches")))
    bench = Bench(tmp_path, config=config)
    bench.press(0, BUZZ)
    bench.press(1, BUZZ, "#", "1", "1")
    assert bench.poster.trouble
    assert str(tmp_path / "file") in bench.poster.lines[0]
    bench.press(0, BUZZ)
    assert bench.poster.hint == "Press a buzzer to sit down"


def failing(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let every write of a journal fail with an error number."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(journal, "_write_all", refuse)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_is_full_in_a_match(bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    bench.play()
    was = position(bench)
    with monkeypatch.context() as full:
        failing(full, number)
        bench.press(1, BUZZ)
        assert bench.poster.trouble
        assert os.strerror(number) in bench.poster.lines[0]
        assert bench.lamps == [Lamp.OFF] * 5  # nothing tells of what is not durable
        bench.wait(60)
        assert position(bench) == was
    bench.press(1, BUZZ)
    assert bench.menu.title == "A match was interrupted"
    bench.press(1, "1", "1")
    assert bench.view.phase == Phase.OPEN
    assert position(bench) == was
    bench.press(1, BUZZ)
    assert bench.view.caller == 1


def test_a_disk_that_is_full_when_the_dealer_deals(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    failing(monkeypatch, errno.ENOSPC)
    bench.wait(5)
    assert bench.poster.trouble


def test_a_disk_that_is_full_when_something_is_corrected(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    before = entries(bench)
    failing(monkeypatch, errno.ENOSPC)
    bench.house("undo", "ok")
    assert bench.poster.trouble
    assert entries(bench) == before


def test_an_error_of_the_program_is_told_without_its_details(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench.play()

    def broken(*_: object) -> Entry:
        raise ZeroDivisionError

    monkeypatch.setattr(Match, "prepare", broken)
    bench.press(1, BUZZ)
    assert bench.poster.trouble
    assert bench.poster.lines == ("An internal error; the details are in the log. The match is kept.",)
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info
    caplog.clear()


def test_closing_keeps_the_match(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    bench.host.close()
    assert Bench(tmp_path).menu.title == "A match was interrupted"


def test_words_for_what_fits(bench: Bench) -> None:
    """The tests' own second opinion on what fits agrees with the rules."""
    bench.play()
    for _ in range(5):
        rows = [row for row in range(7) if fits(bench.match.state, row)]
        bench.call(0, rows[-1])
        assert bench.frame.sides[0].tone == "good"
        bench.next_card()
