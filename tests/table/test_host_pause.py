"""Pauses, lost devices, undo and correction, restarting and leaving."""

import errno
from pathlib import Path

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.place import HOUSE, Place
from companion.core.signal import PC, Signal
from companion.display.frame import Play
from companion.games.buntherum.rules import Phase
from companion.match import centre
from companion.records.history import interrupted
from tests.host_bench import GAME, MS, Bench, ended, entries, failing, robots, started

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# --- Pause ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("control", ["pause", "menu"])
def test_pause_stops_the_clocks(bench: Bench, control: str) -> None:
    bench.play()
    bench.press(0, BUZZ)
    assert bench.view.phase == Phase.LOCKED
    bench.house(control)
    assert bench.menu.title == "Pause"
    bench.wait(600)
    assert bench.match.state.phase == Phase.LOCKED
    bench.press(0, "1")
    bench.wait(0.5)
    assert bench.match.state.phase == Phase.LOCKED
    bench.wait(3)
    assert bench.match.moves[-1].verb in {"late", "flip"}


@pytest.mark.parametrize("control", ["pause", "menu"])
def test_same_control_ends_the_pause(bench: Bench, control: str) -> None:
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
    assert bench.menu.selected == 1  # in a pause, a buzzer selects the next line
    bench.house("pause")
    bench.wait(5)
    assert bench.open()
    bench.press(1, BUZZ)
    assert bench.view.caller == 1


def test_buzzer_released_in_a_pause_presses_nothing(bench: Bench) -> None:
    """The release may bounce."""
    bench.play()
    bench.hand(0, BUZZ)
    bench.wait(0.2)
    bench.house("pause")
    for after_ns, closed in ((0, False), (300_000, True), (1_800_000, False)):
        t_ns = bench.clock.t_ns + after_ns
        bench.host.signal(Signal("virtual", Place(0), BUZZ, t_ns, 0, t_ns, closed))
    bench.wait(0.1)
    assert bench.menu.selected == 0
    bench.press(0, BUZZ)
    assert bench.menu.selected == 1


def test_robots_do_nothing_in_a_pause(tmp_path: Path) -> None:
    """Pending presses are also dropped."""
    bench = started(robots(tmp_path))
    for _ in range(20):
        bench.house("pause")
        bench.press(HOUSE, "skip")
        before = entries(bench), bench.menu
        bench.wait(30)
        assert (entries(bench), bench.menu) == before
        bench.house("pause")
        bench.wait(0.7)
        assert isinstance(bench.screen, Play)
    assert len(ended(bench).standings) == 3


def test_robots_of_an_abandoned_match_do_nothing(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    bench.house("pause")
    bench.press(HOUSE, str(bench.menu.items.index("Leave") + 1), "2")
    assert bench.poster.hint == centre.attract().hint
    bench.wait(30)
    assert bench.poster.hint == centre.attract().hint


def test_old_robots_do_not_play_in_the_rematch(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    bench.house("pause")
    bench.press(HOUSE, str(bench.menu.items.index("Start again") + 1), "2")
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
    assert bench.frame.story[-1] == "Ben is unplugged: the match waits"
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


def test_device_lost_in_a_pause_is_reported_afterwards(bench: Bench) -> None:
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


def test_undo_names_what_it_takes_back(bench: Bench) -> None:
    bench.play()
    row = bench.wrong()
    bench.call(1, row)
    bench.house("menu")
    bench.press(0, BUZZ)
    said = "impossible" if row == 0 else str(row)
    assert bench.menu.detail == f"Takes back: Ben says: {said}"
    bench.press(0, "#")
    assert bench.menu.title == "Pause"
    assert entries(bench)[-1] == "undo 1"
    assert bench.frame.story[-1] == f"Undone: Ben says: {said}"
    assert (bench.menu.items[bench.menu.selected], bench.menu.detail) == ("Go on", bench.frame.story[-1])
    bench.press(0, BUZZ)
    assert bench.menu.detail == "Takes back: Ben was first"
    bench.press(0, BUZZ, *[BUZZ] * (len(bench.menu.items) - 2))
    assert bench.menu.items[bench.menu.selected] == "Go on"
    bench.take("Go on")
    assert bench.view.phase == Phase.LOCKED
    assert bench.view.caller == 1
    assert bench.view.chips == (0, 0, 0)


def test_undo_past_a_turned_card_says_so_first(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.next_card()
    before = entries(bench)
    bench.house("undo")
    assert bench.menu.items[bench.menu.selected] == "Undo"
    assert bench.menu.detail.startswith("Takes back: Ben says: ")
    assert " turns over the " in bench.menu.detail
    assert entries(bench) == before
    bench.house("ok")
    assert entries(bench)[-1] == "undo 2"
    assert bench.frame.story[-1].startswith("Undone, although already seen: Ben says: ")


def test_call_judged_by_the_undo_is_named_first(bench: Bench) -> None:
    """A busy host judges the call only when the key arrives."""
    bench.play()
    bench.call(1, bench.wrong())
    bench.next_card()
    bench.hand(2, BUZZ)
    bench.clock.t_ns += 5 * MS
    bench.hand(HOUSE, "undo")
    was = bench.menu.detail
    bench.clock.t_ns += 60 * MS
    bench.host.signal(Signal(PC, Place(0), "#", bench.clock.t_ns, 0, bench.clock.t_ns))
    bench.wait(0.1)
    assert entries(bench)[-1].endswith("T call 3")
    bench.press(0, BUZZ)
    assert bench.menu.detail == "Takes back: Cleo was first" != was


def test_undo_can_be_cancelled(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    before = entries(bench)
    bench.house("undo", "undo")
    assert isinstance(bench.screen, Play)
    assert entries(bench) == before


def test_setup_cannot_be_undone(bench: Bench) -> None:
    bench.play()
    bench.house("undo")
    assert "Undo" not in bench.menu.items
    assert bench.menu.items[bench.menu.selected] == "Go on"


def test_wrong_row_is_corrected(bench: Bench) -> None:
    bench.play()
    right = bench.fitting()[0]
    wrong = bench.wrong()
    bench.call(1, wrong)
    assert bench.view.chips == (0, 1, 0)
    bench.correct()
    assert bench.menu.title == "Correct which move?"
    was = "impossible" if wrong == 0 else str(wrong)
    assert bench.menu.items[0] == f"10. Ben says: {was}"
    bench.press(0, "1")
    assert bench.menu.title == "What was it really?"
    told = "impossible" if right == 0 else f"row {right}"
    bench.take(f"Ben says: {told}")
    assert bench.menu.title == "Pause"
    assert entries(bench)[-1].startswith("amend ")
    assert bench.frame.story[-1] == f"Corrected: Ben says: {told} (before: Ben says: {was})"
    bench.take("Go on")
    assert bench.view.chips == (0, 0, 0)
    assert bench.match.state.chips == (0, 0, 0)


def test_wrong_caller_is_corrected(bench: Bench) -> None:
    bench.play()
    bench.press(1, BUZZ)
    bench.correct()
    bench.press(0, "1")
    bench.take("Cleo was first", "Go on")
    assert bench.view.caller == 2
    assert bench.lamps[:3] == [Lamp.OFF, Lamp.OFF, Lamp.ON]


def correct(bench: Bench, was: str, really: str) -> None:
    """Correct the newest move that contains `was`."""
    bench.correct()
    bench.press(0, str(next(place for place, item in enumerate(bench.menu.items, 1) if was in item)))
    bench.take(really)


def test_correction_names_the_moves_it_makes_illegal(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    before, was = entries(bench), bench.match.state
    correct(bench, "Ben was first", "Anna was first")  # Anna cannot have made Ben's declaration
    assert bench.menu.title == "Take back move 10 and correct?"
    assert bench.menu.items == ("No", "Yes")
    assert "the correction makes move 10 (2 declare " in bench.menu.detail
    assert (entries(bench), bench.match.state) == (before, was)
    bench.press(2, "#")
    assert bench.menu.title == "Pause"
    assert (entries(bench), bench.match.state) == (before, was)
    bench.take("Go on")
    bench.next_card()
    bench.press(0, BUZZ)
    assert bench.view.caller == 0


def test_confirmed_correction_takes_back_the_illegal_moves(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.next_card()
    bench.call(2, bench.wrong())
    correct(bench, "Ben was first", "Anna was first")
    assert bench.menu.title == "Take back moves 10 to 13 and correct?"
    bench.take("Yes")
    assert entries(bench)[-2:] == ["undo 4", "amend 9 T call 1"]
    assert bench.menu.title == "Pause"
    bench.take("Go on")
    assert (bench.view.phase, bench.view.caller) == (Phase.LOCKED, 0)
    assert bench.view.chips == (0, 0, 0)
    bench.press(0, "1")
    assert entries(bench)[-1] == "move 10 1 declare 1"


def test_skipped_card_is_corrected_into_a_call(bench: Bench) -> None:
    bench.play()
    bench.house("skip", "menu")
    bench.take("Correct")
    bench.press(0, "1")
    shown = set(bench.menu.items)
    bench.press(0, "0")
    assert {"Anna was first", "Cleo was first", "A tie: Anna, Ben, Cleo"} <= shown | set(bench.menu.items)
    bench.take("Cleo was first", "Go on")
    assert (bench.view.phase, bench.view.caller) == (Phase.LOCKED, 2)


def test_late_declaration_is_corrected_into_one_in_time(bench: Bench) -> None:
    bench.play()
    bench.call(1, None)
    bench.wait(5)
    correct(bench, "Ben named no row in time", "Ben says: 1" if bench.wrong() == 1 else "Ben says: row 1")
    assert entries(bench)[-1] == "amend 10 2 declare 1"


@pytest.mark.parametrize("said", ["right", "wrong"])
def test_house_overrules_a_verdict_with_one_key(bench: Bench, said: str) -> None:
    bench.play()
    row = bench.wrong() if said == "right" else bench.fitting()[0]
    bench.call(1, row)
    bench.house(said)
    assert bench.view.chips == (0, int(said == "wrong"), 0)
    assert entries(bench)[-1] == f"amend 10 T judge {row or 'impossible'} {said}"


def test_overruled_verdict_is_corrected_to_the_declared_row(bench: Bench) -> None:
    bench.play()
    wrong, row = bench.wrong(), bench.fitting()[1]
    bench.call(1, wrong)
    bench.house("right")
    correct(bench, f"Ben says: row {wrong}" if wrong else "Ben says: impossible", f"Ben says: row {row}")
    assert entries(bench)[-1] == f"amend 10 2 declare {row}"


# --- The end ----------------------------------------------------------------------------------------------


@pytest.fixture
def over(bench: Bench) -> Bench:
    """A finished match of two people: one has three chips."""
    bench.play((0, 1))
    for _ in range(2):
        bench.call(0, bench.wrong())
        bench.next_card()
    bench.call(0, bench.wrong())
    ended(bench)
    return bench


@pytest.mark.parametrize("how", ["undo", "3"])
def test_undo_from_the_result_takes_back_the_end(over: Bench, how: str) -> None:
    before = entries(over)
    over.press(HOUSE if how == "undo" else 1, how)
    assert over.menu.items[over.menu.selected] == "Undo"
    assert over.menu.detail.startswith("Takes back: Anna says: ")
    assert entries(over) == before
    over.house("ok")
    assert entries(over) == [*before, "undo 1"]
    assert over.match.outcome is None
    over.wait(60)
    assert over.menu.title == "Pause"
    over.take("Go on")
    assert (over.view.phase, over.view.caller, over.view.chips) == (Phase.LOCKED, 0, (2, 0))
    over.press(0, str(over.fitting()[0]))
    assert over.match.outcome is None
    over.next_card()


def test_result_returns_when_the_undo_is_cancelled(over: Bench) -> None:
    before = entries(over)
    title = ended(over).title
    over.house("undo")
    over.take("Go on")
    assert ended(over).title == title
    assert entries(over) == before


@pytest.mark.parametrize(("place", "control"), [(0, BUZZ), (HOUSE, "skip")])
def test_late_buzz_does_not_change_the_result_keys(over: Bench, place: int, control: str) -> None:
    assert ended(over).hint.startswith("1 or #: rematch")
    over.press(place, control)
    over.press(1, "#")
    assert over.until(over.open)
    assert len(over.records) == 2


def test_corrections_are_listed_in_words(bench: Bench) -> None:
    bench.play()
    row = bench.fitting()[0]
    bench.call(0, row)
    bench.correct()
    said = f"row {row}" if row else "impossible"
    assert bench.menu.items[:2] == (f"10. Anna says: {said}", "9. Anna was first")
    assert bench.menu.detail == ""
    bench.press(0, "1", BUZZ)
    assert bench.menu.items[bench.menu.selected].startswith("Anna says: ")
    assert bench.menu.detail == ""
    assert len(set(bench.menu.items) - {f"Anna says: {said}"}) == len(bench.menu.items) == 6


def test_list_of_sentences_has_six_lines_a_page(bench: Bench) -> None:
    bench.play()
    bench.press(0, BUZZ)
    bench.correct()
    bench.press(0, "1")
    assert len(bench.menu.items) == 4, "of seven"
    assert bench.menu.pages == "0: next page (1 of 2). *: back"


def test_undone_moves_leave_the_strips(bench: Bench) -> None:
    bench.play()
    bench.call(0, bench.wrong())
    bench.wait(0.2)
    assert bench.frame.sides[1].note == "A red chip for Anna: 1"
    bench.house("undo", "ok")
    bench.take("Go on")
    assert bench.view.chips == (0, 0, 0)
    assert not [side for side in bench.frame.sides if "chip" in " ".join((side.note, *side.older))]


def test_match_with_its_end_undone_counts_as_interrupted(over: Bench) -> None:
    folder, games = over.folder, {"buntherum": GAME}
    assert interrupted(folder, games) is None
    over.house("undo", "ok")
    path, opened = interrupted(folder, games) or pytest.fail("nothing to go on with")
    assert path == over.records[-1]
    assert opened.match.outcome is None
    over.take("Go on")
    over.press(0, str(over.wrong()))
    assert over.match.outcome is not None
    assert interrupted(folder, games) is None
    assert ended(over).title == "Ben wins"


def test_back_leaves_a_correction_step_by_step(bench: Bench) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    bench.correct()
    bench.press(0, "1")
    titles = []
    for _ in range(3):
        bench.press(0, "*")
        titles.append(getattr(bench.screen, "title", ""))
    assert titles == ["Correct which move?", "Pause", ""]
    assert isinstance(bench.screen, Play)


# --- Restarting and leaving -------------------------------------------------------------------------------


def is_left(record: Path, kept: bytes) -> bool:
    """Return whether a record is `kept` and the sealed comment that it was left."""
    said, seal = record.read_bytes().removeprefix(kept).rsplit(b" ;", 1)
    return record.read_bytes().startswith(kept) and said == b"; left" and len(seal.split()) == 1


def test_restart_asks_first_and_keeps_the_record(bench: Bench) -> None:
    bench.play((0, 2))
    bench.call(1, 1)
    kept = bench.records[0].read_bytes()
    bench.choose("Start again")
    assert bench.menu.title == "Start again?"
    assert bench.menu.items == ("No", "Yes")
    bench.press(0, "#")
    assert bench.menu.title == "Pause"
    bench.take("Start again")
    bench.press(0, "2")
    assert bench.until(bench.open)
    assert len(bench.records) == 2
    assert is_left(bench.records[0], kept)
    assert bench.match.names == ("Anna", "Cleo")
    assert bench.people() == [0, 2]


def test_leave_asks_first_and_keeps_the_record(bench: Bench) -> None:
    bench.play()
    kept = bench.records[0].read_bytes()
    bench.choose("Leave")
    assert bench.menu.title == "Leave the match?"
    bench.press(0, "1")
    assert bench.menu.title == "Pause"
    bench.take("Leave")
    bench.press(0, "2")
    assert bench.poster.hint == centre.attract().hint
    assert is_left(bench.records[0], kept)
    assert bench.lamps == [Lamp.OFF] * 5
    bench.press(3, BUZZ)
    assert [side.name for side in bench.frame.sides] == ["Anna", "Ben", "Cleo", "Dan", ""]
    bench.press(0, BUZZ, "#")
    bench.take("Buntherum", "Start")  # the folder is unlocked again
    assert bench.until(bench.open)
    assert bench.match.names == ("Ben", "Cleo", "Dan")
    assert len(bench.records) == 2


@pytest.mark.parametrize("line", ["Leave", "Start again"])
def test_abandoned_match_resumes_only_from_past_matches(line: str, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play()
    was = bench.match.state
    bench.choose(line, "Yes")
    bench.host.close()
    (tmp_path / "later").mkdir()
    for later in bench.records[1:]:
        later.rename(tmp_path / "later" / later.name)
    bench = Bench(tmp_path)
    assert bench.poster.hint == centre.attract().hint
    bench.choose("Past matches")
    bench.wait(1)
    bench.house("1")
    bench.take("Resume it")
    assert bench.menu.title == "Pause"
    assert bench.match.state == was
    bench.take("Go on")
    assert bench.until(bench.open, 5)
    bench.press(1, BUZZ)
    bench.host.close()
    bench = Bench(tmp_path)
    assert bench.menu.title == "A match was interrupted"
    assert not bench.opened().damage
    assert bench.match.moves[-1].verb == "call"


def test_failing_disk_does_not_prevent_leaving(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    bench.house("menu")
    failing(monkeypatch, errno.ENOSPC)
    bench.take("Leave", "Yes")
    assert bench.poster.hint == centre.attract().hint


def test_resumed_match_is_shown_once(bench: Bench) -> None:
    """Calls count from the first flip after the pause."""
    bench.play()
    bench.house("pause")
    before = bench.frame.serial
    bench.hand(HOUSE, "pause")
    assert bench.frame.serial == before + 1
    assert bench.open()
    assert bench.host.session.referee.open_since_ns == bench.clock.t_ns
