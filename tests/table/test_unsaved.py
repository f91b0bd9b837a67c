"""Unsaved matches, clocks that jump back, and switching off."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.text import msg
from companion.display.frame import HelpPage
from companion.games.buntherum.rules import Phase
from companion.records import history
from companion.referee import durable, journal
from companion.table.system import System
from tests.host_bench import Bench, dropped, failing, position

pytestmark = pytest.mark.usefixtures("fixed_secrets")

TITLE = "This match cannot be saved"
NOT_KEPT = "This match is not being saved"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_disk_that_is_still_full_is_reported_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    failing(monkeypatch, errno.ENOSPC)
    bench.press(1, BUZZ)
    bench.take("Leave")
    bench.sit(2, "Buntherum", "Start")
    assert bench.menu.title == TITLE
    assert bench.lamps == [Lamp.OFF] * 5
    bench.press(0, BUZZ, BUZZ)
    assert (bench.menu.items[bench.menu.selected], bench.menu.detail) == ("Leave", NOT_KEPT)


def test_match_continues_unsaved_only_when_confirmed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bench.play()
    kept, was = bench.records[-1].read_bytes(), position(bench)
    failing(monkeypatch, errno.ENOSPC)
    bench.press(1, BUZZ)
    bench.take("Play on", "Yes")
    assert (bench.menu.title, bench.menu.detail) == ("Pause", NOT_KEPT)
    bench.press(0, *[BUZZ] * (len(bench.menu.items) - 1))
    assert (bench.menu.items[bench.menu.selected], bench.menu.detail) == ("Leave", NOT_KEPT)
    bench.take("Go on")
    assert (bench.view.phase, bench.view.card) == (Phase.OPEN, was.card)
    bench.press(1, BUZZ)
    assert bench.view.caller == 1
    bench.press(1, str(bench.wrong()))
    bench.next_card()
    assert bench.records[-1].read_bytes() == kept
    bench.host.close()
    assert Bench(tmp_path).menu.title == "A match was interrupted"  # as it was saved until then


def test_key_meant_for_the_match_confirms_no_loss(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    failing(monkeypatch, errno.ENOSPC)
    bench.press(1, BUZZ, "2")
    assert bench.menu.items[bench.menu.selected] == "No"
    bench.press(1, "1")
    assert bench.menu.title == TITLE
    assert "No space left" in bench.menu.detail


def test_lesson_needs_no_writable_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, errno.EROFS)
    bench = Bench(tmp_path, game="buntherum", lesson=True)
    assert isinstance(bench.screen, HelpPage)
    assert bench.records == []


def test_next_match_is_saved_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    with monkeypatch.context() as full:
        failing(full, errno.EIO)
        bench.press(1, BUZZ)
    bench.take("Play on", "Yes", "Start again", "Yes")
    assert bench.until(bench.open)
    assert len(bench.records) == 2
    bench.house("pause")
    assert bench.menu.detail != NOT_KEPT


def test_new_match_begins_once_the_disk_has_room(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.sit(2, "Buntherum")
    with monkeypatch.context() as full:
        failing(full, errno.ENOSPC)
        bench.take("Start")
        assert bench.menu.title == TITLE
        bench.take("Try again")
        assert bench.menu.title == TITLE
        assert bench.records == []
    bench.take("Try again")
    assert bench.until(bench.open)
    assert len(bench.records) == 1


def test_match_resumes_unsaved_on_a_read_only_disk(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play()
    was = position(bench)
    path = dropped(bench)
    kept = path.read_bytes()
    again = Bench(tmp_path)

    def refuse(*_: object) -> None:
        raise durable.DiskError(msg("read-only"))

    monkeypatch.setattr(journal, "FolderLock", refuse)
    again.take("Resume it")
    assert (again.menu.title, again.menu.detail) == (TITLE, "read-only")
    again.take("Play on", "Yes", "Go on")
    assert again.view.card == was.card
    again.press(1, BUZZ)
    assert again.view.caller == 1
    assert path.read_bytes() == kept


def gone(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make the disk of a folder fail."""

    def refusing(really: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(path: Any, *rest: Any, **named: Any) -> Any:
            if not isinstance(path, int) and Path(path).is_relative_to(folder):
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
            return really(path, *rest, **named)

        return refuse

    for name in ("stat", "scandir", "open"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))


def test_lost_disk_is_named_but_play_is_possible(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play()
    dropped(bench)
    gone(monkeypatch, tmp_path)
    again = Bench(tmp_path, newcomer=True)
    assert again.poster.title == "Something is wrong"
    assert "Input/output error; restart the machine" in again.poster.lines[0]
    again.press(0, BUZZ)
    assert again.poster.title == "The table companion"
    again.sit(2, "Buntherum", "Start")
    assert (again.menu.title, again.menu.items) == (TITLE, ("Try again", "Play on unsaved", "Leave"))
    assert "Input/output error; restart the machine" in again.menu.detail
    again.take("Try again", "Play on", "Yes", "Go on")
    assert again.until(again.open)


@pytest.mark.parametrize("line", ["Past matches", "Statistics"])
def test_screens_of_the_past_name_a_lost_disk(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    gone(monkeypatch, tmp_path)
    bench.choose(line)
    assert "Input/output error; restart the machine" in bench.poster.lines[0]
    bench.press(0, BUZZ, BUZZ)
    assert bench.poster.title == "The table companion"


def test_lesson_needs_no_disk_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone(monkeypatch, tmp_path)
    assert isinstance(Bench(tmp_path, game="buntherum", lesson=True).screen, HelpPage)


def test_clock_that_jumps_back_overwrites_no_record(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history.time, "strftime", lambda _: "1970-01-01-000000")
    bench.play()
    first = bench.records[-1].read_bytes()
    bench.choose("Start again", "Yes")
    assert bench.until(bench.open)
    assert len(bench.records) == 2
    assert bench.records[0].read_bytes().startswith(first)  # followed by the comment that the match was left


# --- Switching the table off ------------------------------------------------------------------------------


def test_table_switches_off_after_a_confirmation(tmp_path: Path) -> None:
    asked: list[str] = []
    bench = Bench(tmp_path, system=System(power_off=lambda: asked.append("off")))
    bench.choose("Switch off", "No")
    assert asked == []
    bench.house("off")
    assert bench.menu.title == "Switch the table off?"
    bench.take("Yes")
    assert asked == ["off"]
    assert bench.poster.title == "The table is switching off"


def test_table_cannot_be_switched_off_in_a_match(tmp_path: Path) -> None:
    bench = Bench(tmp_path, system=System(power_off=lambda: pytest.fail("it was switched off")))
    bench.play()
    bench.house("off")
    assert bench.open()


def test_menu_ends_a_program_without_a_service_manager(tmp_path: Path) -> None:
    ended: list[str] = []
    bench = Bench(tmp_path, system=System(end=lambda: ended.append("end")))
    bench.choose("End")
    assert ended == ["end"]


def test_menu_does_not_end_a_service(tmp_path: Path) -> None:
    bench = Bench(tmp_path, system=System(power_off=lambda: None))
    bench.house("menu")
    assert "End" not in bench.menu.items


def test_program_without_a_service_offers_no_switch(bench: Bench) -> None:
    bench.house("off", "menu")
    assert not any("off" in item.lower() for item in bench.menu.items)
