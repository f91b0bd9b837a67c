"""Hints for newcomers at a PC: which key to press next."""

import json
import os
from pathlib import Path

import pygame
import pytest

from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.display import virtual_seats
from companion.display.frame import Hint, Panel, Result
from companion.games import load
from companion.games.buntherum.rules import Phase
from companion.match.hints import FILE_NAME, Hints
from companion.match.match_hints import named
from companion.match.new_match import NAMES, new_match
from companion.match.seat_lines import waited_for
from tests.host_bench import Bench, fits, robots

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, newcomer=True, by_hand=True)


def hint(bench: Bench) -> str:
    return bench.frame.hint.text if bench.frame.hint else ""


def kept(bench: Bench) -> object:
    return json.loads((bench.folder / FILE_NAME).read_text("utf-8"))


def begin(bench: Bench) -> None:
    bench.press(0, BUZZ, "C", "C", "#")
    bench.take("Buntherum", "Start")
    bench.read()


# --- What is said -----------------------------------------------------------------------------------------


def test_hints_lead_from_first_screen_to_a_row(bench: Bench) -> None:
    said = [hint(bench)]
    for control in (BUZZ, "C", "C", "#"):
        bench.press(0, control)
        said.append(hint(bench))
    assert said == [
        "Press [buzz] to sit down",
        "Press [C] to add a robot",
        "Press [#] to begin, or [C] to add a robot",
        "Press [#] to begin, or [C] to add a robot",
        "[#] chooses the bright line, [buzz] moves to the next one, [A] shows how to play",
    ]
    bench.take("Buntherum", "Start")
    bench.read()
    assert hint(bench) == "Press [buzz] if that is you, [ok] to draw lots"
    bench.press(0, BUZZ)
    assert bench.until(lambda: bench.view.phase == Phase.READY, 5)
    bench.read()
    assert hint(bench) == "Press [buzz]: you turn the next card"
    bench.press(0, BUZZ)
    assert bench.until(bench.open, 5)
    assert hint(bench) == "Know the answer? Put a finger on its key, then press [buzz], before the others"
    bench.hand(0, BUZZ)
    bench.wait(0.1)
    assert hint(bench) == "Your row: 1 to 6, 0 for impossible. Press [0]–[6]"
    assert bench.frame.hint.place == 0


def test_following_each_hint_plays_a_row(bench: Bench) -> None:
    begin(bench)
    for _ in range(3):
        control = hint(bench).partition("[")[2].partition("]")[0]
        bench.press(0, control)
        bench.wait(0.6)
    assert bench.match.length > 8


def test_waiting_player_has_no_hint(bench: Bench) -> None:
    begin(bench)
    bench.press(0, BUZZ)
    assert bench.until(lambda: bench.view.phase == Phase.READY, 5)
    bench.press(0, BUZZ)
    assert bench.until(lambda: bench.match.state.phase == Phase.LOCKED, 60)
    assert bench.match.state.caller != 0  # a robot was first
    assert hint(bench) == ""


def test_hint_names_the_player_who_must_press(tmp_path: Path) -> None:
    game = load("boese_buben")
    match = new_match(game, NAMES[:3], seed="hint")
    bench = Bench(tmp_path, newcomer=True, match=match)
    assert bench.until(lambda: bool(hint(bench)), 30)
    place = bench.frame.hint.place
    assert place in waited_for(bench.host.session.moment())
    assert hint(bench).startswith(f"{match.names[place]}: ")


@pytest.mark.parametrize(
    ("controls", "said"),
    [
        ("0123456", "[0]–[6]"),
        ("12#", "[1] [2] [#]"),
        ("1357A*", "[1] [3] [5] [7] [*] [A]"),
        ((BUZZ,), ""),
    ],
)
def test_consecutive_keys_are_written_as_a_range(controls: str, said: str) -> None:
    assert named(controls) == said


# --- How long hints are shown -----------------------------------------------------------------------------


def play_buntherum_to_its_end(bench: Bench) -> None:
    bench.press(0, BUZZ, "C", "#")
    bench.take("Buntherum", "Start")
    match = bench.host.session.match
    for _ in range(3000):
        if match.state.phase == Phase.LOCKED and match.state.caller == 0:
            bench.press(0, str(next(row for row in (1, 2, 3, 4, 5, 6, 0) if fits(match.state, row))))
        if isinstance(bench.screen, Result):
            break
        if bench.open():
            bench.press(0, BUZZ)
        bench.wait(0.3)
    assert isinstance(bench.screen, Result)


def test_menu_key_does_not_end_the_hints(bench: Bench) -> None:
    before = hint(bench)
    bench.hand(HOUSE, "menu")
    bench.press(0, "*")
    assert before
    assert hint(bench) == before
    assert not (bench.folder / FILE_NAME).exists()


def test_settings_turn_hints_off_and_on(bench: Bench) -> None:
    begin(bench)
    bench.press(0, BUZZ)
    assert bench.until(lambda: bench.view.phase == Phase.READY, 5)
    bench.read()
    assert hint(bench)
    for shown in (False, True):
        bench.hand(HOUSE, "menu")
        bench.take("Settings", "Notes")
        bench.hand(HOUSE, "menu")
        bench.hand(HOUSE, "menu")
        assert bool(hint(bench)) == shown


def test_first_match_ends_the_hints_of_its_game(tmp_path: Path) -> None:
    bench = Bench(tmp_path, newcomer=True)
    play_buntherum_to_its_end(bench)
    (anna,) = bench.host.session.names_of_people
    assert kept(bench) == {"known": {anna: ["buntherum"]}}
    bench.press(0, "2")
    assert hint(bench) == ""
    hints = Hints(bench.folder, lambda: True)
    assert [hints.helps(anna, game) for game in ("buntherum", "boese_buben")] == [False, True]
    assert hints.helps("Zoé", "buntherum")
    assert not Hints(bench.folder, lambda: False).helps("Zoé", "buntherum")


def test_second_game_has_its_own_hints(tmp_path: Path) -> None:
    bench = Bench(tmp_path, newcomer=True)
    play_buntherum_to_its_end(bench)
    bench.press(0, "2")
    bench.take("Böse Buben", "Start")
    assert bench.until(lambda: bool(hint(bench)), 60)


def test_file_and_folder_are_private_to_their_owner(tmp_path: Path) -> None:
    Hints(tmp_path / "new" / "matches", lambda: True).learnt(["Anna"], "buntherum")
    made = [tmp_path / "new", tmp_path / "new" / "matches", tmp_path / "new" / "matches" / FILE_NAME]
    assert [path.stat().st_mode & 0o777 for path in made] == [0o700, 0o700, 0o600]
    assert not Hints(tmp_path / "new" / "matches", lambda: True).helps("Anna", "buntherum")


def test_named_pipe_is_ignored_without_waiting(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / FILE_NAME)
    assert Hints(tmp_path, lambda: True).helps("Anna", "buntherum")
    assert "this is not a regular file" in caplog.text


def test_interrupted_first_match_keeps_hints(bench: Bench) -> None:
    begin(bench)
    bench.host.close()
    assert bench.records
    assert Hints(bench.folder, lambda: True).for_newcomers


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"known": ["Anna"]}', '{"known": {"Anna": 3}}', "\0"])
def test_damaged_file_is_logged_and_hints_restart(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    hints = Hints(tmp_path, lambda: True)
    assert hints.helps("Anna", "buntherum")
    assert str(tmp_path / FILE_NAME) in caplog.text
    hints.learnt(["Anna"], "buntherum")
    assert not Hints(tmp_path, lambda: True).helps("Anna", "buntherum")


def test_unwritable_folder_is_logged_and_hints_continue(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    hints = Hints(tmp_path / "file" / "matches", lambda: True)
    hints.learnt(["Anna"], "buntherum")
    assert not hints.helps("Anna", "buntherum")
    assert "hints are given again" in caplog.text


def test_robots_alone_have_no_hints(tmp_path: Path) -> None:
    bench = robots(tmp_path, newcomer=True, match=new_match(load("buntherum"), NAMES[:3], seed="1", demo=True))
    bench.wait(5)
    assert hint(bench) == ""


def test_table_with_real_devices_has_no_pc_hints(tmp_path: Path) -> None:
    from tests.match.test_non_interference import FakeHardware, Noticed  # noqa: PLC0415

    bench = Bench(tmp_path, newcomer=True, hardware=FakeHardware(Noticed()))
    assert bench.host.frames.hints is None
    assert hint(bench) == ""


# --- On the PC --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("digits", "Z RETURN BACKSPACE 3 A F5"),
        ("", "Z RETURN BACKSPACE 3 A F5"),
        ("number pad", "Z ENTER * 3 / F5"),
    ],
)
def test_hints_name_the_keys_of_their_place(monkeypatch: pytest.MonkeyPatch, keys: str, said: str) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("LANGUAGE", "en")
    pygame.display.init()
    text = virtual_seats.with_keys(Hint("[buzz] [#] [*] [3] [A] [ok]", 0), (Panel(0, keys=keys, name="Bo"),), str)
    assert text.upper().replace("[", "").replace("]", "") == said
