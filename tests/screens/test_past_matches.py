"""The list of past matches: its pages, its marks, and the screens of each match."""

import shutil
from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.place import HOUSE
from companion.display.frame import Beat, Menu, PastMatches, Poster, Result
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.referee import journal
from companion.referee.journal import Journal, open_record
from companion.screens import replay
from companion.screens.past_matches import PAGE, played_at
from tests.host_bench import Bench
from tests.stats_matches import play

GAME = load("buntherum")


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of each game, played by robots."""
    folder = tmp_path_factory.mktemp("robots")
    assert len(list(play(folder, 4))) == 4
    return folder


@pytest.fixture
def many(robots: Path, tmp_path: Path) -> Path:
    """Seventeen finished matches on consecutive days."""
    folder = tmp_path / "many"
    folder.mkdir()
    (first,) = robots.glob("*boese_buben*")
    for day in range(1, 18):
        shutil.copy(first, folder / f"2026-12-{day:02}-183000-boese_buben.record")
    return folder


def past(folder: Path) -> Bench:
    return Bench(folder).visit("Past matches")


def listed(bench: Bench) -> PastMatches:
    assert isinstance(bench.screen, PastMatches), bench.screen
    return bench.screen


def read(bench: Bench) -> PastMatches:
    assert bench.until(lambda: all(line.note != "…" for line in listed(bench).lines), 60)
    return listed(bench)


def days(page: PastMatches) -> list[str]:
    return [line.when for line in page.lines]


def keep(folder: Path, day: str, match: Match) -> Path:
    path = folder / f"{day}-183000-{match.game.name}.record"
    Journal.create(path, match).close()
    return path


def test_file_name_tells_when_a_match_began() -> None:
    assert played_at("2026-12-24-183059-buntherum") == ("2026-12-24", "18:30")
    assert played_at("00017-2026-12-24-183059-buntherum") == ("2026-12-24", "18:30")
    assert played_at("friends") == ("", "")


# --- The list ---------------------------------------------------------------------------------------------


def test_empty_list_shows_a_poster(tmp_path: Path) -> None:
    bench = past(tmp_path)
    assert isinstance(bench.screen, Poster)
    bench.press(0, BUZZ)
    assert isinstance(bench.screen, Menu)


def test_newest_match_comes_first(robots: Path) -> None:
    page = read(past(robots))
    assert [line.when for line in page.lines] == ["2026-01-01"] * 4
    matches = [open_record(path, all_games()).match for path in sorted(robots.glob("*.record"), reverse=True)]
    for line, match in zip(page.lines, matches, strict=True):
        assert match.outcome
        assert line.winners == tuple(match.names[seat] for seat in match.outcome.winners)
        assert sorted((*line.winners, *line.others)) == sorted(match.names)
        assert line.signs == ()


def test_pages_list_every_match_once(many: Path) -> None:
    bench = past(many)
    seen = []
    for _ in range(3):
        seen += days(listed(bench))
        bench.house("8")
    assert seen == [f"2026-12-{day:02}" for day in range(17, 0, -1)]
    assert listed(bench).older == ""
    bench.house("9", "9")
    assert days(listed(bench))[0] == "2026-12-17"
    assert listed(bench).newer == ""


def test_buzzer_visits_the_lines_and_turns_pages(many: Path) -> None:
    bench = past(many)
    for wanted in ("2", "3", "4", "5", "6", "7", "8", "1"):
        bench.press(0, BUZZ)
        assert listed(bench).selected == wanted
    bench.press(0, *[BUZZ] * 7, "#")
    assert days(listed(bench))[0] == "2026-12-10"


def test_only_the_current_page_is_loaded(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    real = journal.read_regular

    def spy(path: Path, most_bytes: int) -> bytes:
        opened.append(path)
        return real(path, most_bytes)

    monkeypatch.setattr(journal, "read_regular", spy)
    bench = past(many)
    opened.clear()
    assert [line.note for line in listed(bench).lines] == ["…"] * PAGE
    read(bench)
    assert len(opened) == PAGE
    bench.wait(60)
    assert len(opened) == PAGE


def test_leaving_stops_the_loading(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = past(many)
    bench.hand(HOUSE, "*")
    monkeypatch.setattr(journal, "read_regular", lambda path, _: pytest.fail(f"{path} is read"))
    bench.wait(60)
    assert isinstance(bench.screen, Menu)


def test_match_chosen_early_opens_once_loaded(many: Path) -> None:
    bench = past(many)
    bench.hand(HOUSE, "7")
    assert isinstance(bench.screen, PastMatches)
    assert bench.until(lambda: isinstance(bench.screen, Menu), 60)


def test_lines_mark_damaged_unfinished_and_robot_matches(robots: Path, tmp_path: Path) -> None:
    folder = tmp_path / "marked"
    folder.mkdir()
    shutil.copy(next(robots.glob("*boese_buben*")), folder / "2026-12-24-183000-boese_buben.record")
    assert list(play(tmp_path, 6))
    whole = open_record(max(tmp_path.glob("*buntherum*")), all_games()).match
    assert replay.contested(whole)
    damaged = keep(folder, "2026-12-23", whole)
    damaged.write_bytes(b"\n".join(damaged.read_bytes().split(b"\n")[:-6]))
    keep(folder, "2026-12-22", new_match(GAME, NAMES[:2], demo=True))
    (folder / "2026-12-21-183000-buntherum.record").write_text("milk\n")
    bench = past(folder)
    page = read(bench)
    assert [line.signs for line in page.lines] == [(), ("wrench", "clock"), ("clock", "robot"), ("wrench",)]
    assert page.lines[3].note == "cannot be read"
    bench.house("4")
    assert isinstance(bench.screen, PastMatches)
    bench.house("2")
    assert bench.menu.items == ("Replay", "Photo finishes", "Resume it", "Back")
    bench.house("*", "3")
    assert bench.menu.items == ("Replay", "Back")


# --- One match --------------------------------------------------------------------------------------------


def test_past_match_shows_its_result(robots: Path) -> None:
    bench = past(robots)
    line = read(bench).lines[0]
    bench.house("1")
    bench.take("Result")
    assert isinstance(bench.screen, Result)
    assert ", ".join(line.winners) in bench.screen.title
    bench.press(0, BUZZ)
    assert bench.menu.items[0] == "Replay"
    bench.house("*")
    assert isinstance(bench.screen, PastMatches)
    bench.house("*")
    assert bench.menu.title == "The table"


def test_photo_finishes_are_shown_in_turn(tmp_path: Path) -> None:
    bench = past(contested(tmp_path))
    read(bench)
    bench.house("1")
    bench.take("Photo")
    margins = []
    for _ in range(3):
        assert bench.beat == Beat.FINISH
        assert bench.screen.finish
        margins.append(bench.screen.finish.margin_ns)
        bench.press(0, BUZZ)
    assert margins[0] == margins[2] != margins[1]
    bench.house("*")
    assert bench.menu.items[0] == "Replay"


def contested(tmp_path: Path) -> Path:
    """Abandon a match with two contested calls."""
    bench = Bench(tmp_path / "contested")
    bench.play()
    for after_ms in (4, 9):
        bench.wait(1)
        bench.hand(1, BUZZ)
        bench.wait(after_ms / 1000)
        bench.hand(0, BUZZ)
        bench.wait(0.2)
        for place in (0, 1):
            bench.hand(place, BUZZ, pressed=False)
        bench.press(1, str(bench.fitting()[0]))
        bench.next_card()
    bench.host.close()
    return bench.folder
