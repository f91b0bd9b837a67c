"""Records at a table: interruptions, damage, failing disks."""

import errno
import os
from pathlib import Path
from random import Random

import pytest

from companion.config.sections import JournalOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, Lamp
from companion.core.match import Match
from companion.core.move import TABLE
from companion.core.place import HOUSE
from companion.core.record import Entry
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match import centre
from companion.match.new_match import NAMES, new_match
from companion.records.history import new_path
from companion.referee.journal import Journal, open_record
from tests.host_bench import Bench, demo, dropped, ended, entries, failing, fits, position, robots, started

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# --- Interruptions ----------------------------------------------------------------------------------------


def test_interrupted_match_is_offered_and_resumes(bench: Bench, tmp_path: Path) -> None:
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


def test_interrupted_match_of_robots_resumes_to_its_result(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    bench.until(lambda: bench.match.length > 25)
    dropped(bench)
    again = robots(tmp_path)
    again.press(HOUSE, "1", "1")
    ended(again)
    assert len(again.records) == 1
    assert again.match.outcome


def test_resumed_match_deals_the_roof_only_when_told(tmp_path: Path) -> None:
    """BC-R23 is due at once, but the match stays paused."""
    game = load("buro_crazy")
    match = new_match(game, NAMES[:3], seed="cut off", places=range(3))
    rng = Random(1)
    while not (TABLE in match.to_act and match.last and match.last.verb == "commit"):
        moves = game.rules.legal(match.state, rng.choice(match.to_act))
        match.push(moves[rng.randrange(len(moves))])
    Journal.create(new_path(tmp_path, match), match).close()
    bench = Bench(tmp_path)
    bench.press(HOUSE, "1")
    assert bench.menu.title == "Pause"
    bench.wait(60)
    assert bench.match.length == match.length
    bench.press(HOUSE, "1")
    assert ended(bench)
    assert bench.match.moves[match.length].verb == "roof"


def test_later_keeps_an_interrupted_match(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    path = dropped(bench)
    kept = path.read_bytes()
    again = Bench(tmp_path)
    again.press(0, "2")
    assert again.poster.hint == centre.attract().hint
    assert path.read_bytes() == kept


def test_abandoned_match_is_not_offered_again(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    path = dropped(bench)
    again = Bench(tmp_path)
    again.take("Abandon it")
    assert again.poster.hint == centre.attract().hint
    assert Bench(tmp_path).poster.hint == centre.attract().hint
    assert open_record(path, all_games()).left


def test_abandoning_a_match_offers_the_previous_one(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    first = dropped(bench)
    bench = Bench(tmp_path)
    bench.take("Later")
    bench.play()
    dropped(bench)
    again = Bench(tmp_path)
    again.take("Abandon it")
    assert again.menu.title == "A match was interrupted"
    again.take("Resume it")
    assert again.host.session
    assert again.host.session.match.dumps() == open_record(first, all_games()).match.dumps()


def test_finished_match_is_not_offered(tmp_path: Path) -> None:
    bench = started(robots(tmp_path))
    ended(bench)
    dropped(bench)
    assert Bench(tmp_path).poster.hint == centre.attract().hint


def test_match_without_moves_is_not_offered(bench: Bench, tmp_path: Path) -> None:
    bench.sit(2)
    bench.press(1, "1")
    bench.hand(1, "1")
    assert bench.match.length == 0
    dropped(bench)
    assert Bench(tmp_path).poster.hint == centre.attract().hint


def test_demo_is_not_offered(tmp_path: Path) -> None:
    bench = demo(tmp_path)
    assert bench.until(lambda: bench.match.length > 20)
    dropped(bench)
    assert Bench(tmp_path).poster.hint == centre.attract().hint


def test_demo_does_not_hide_an_interrupted_match(bench: Bench, tmp_path: Path) -> None:
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


def test_match_after_a_demo_is_not_a_demo(tmp_path: Path) -> None:
    bench = demo(tmp_path)
    ended(bench)
    bench.press(HOUSE, "2")
    bench.take("Buntherum", "Start")
    assert "Event" not in bench.match.tags


def test_demo_restarts_as_a_demo(tmp_path: Path) -> None:
    bench = demo(tmp_path)
    ended(bench)
    bench.press(HOUSE, "1")
    assert bench.until(bench.open)
    assert bench.match.tags["Event"] == "demo"


def test_damaged_journal_resumes_before_its_damage(
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


def test_invalid_record_does_not_stop_the_table(tmp_path: Path) -> None:
    (tmp_path / "2026-01-01-000000-buntherum.record").write_bytes(b"\x00\xff no record\n")
    assert Bench(tmp_path).poster.hint == centre.attract().hint


def test_match_of_another_program_is_not_resumed(bench: Bench, tmp_path: Path) -> None:
    bench.play()
    other = Bench(tmp_path)
    other.press(0, "1")
    assert other.poster.trouble
    assert "in use by process" in other.poster.lines[0]
    bench.press(0, BUZZ)
    assert bench.view.caller == 0


# --- A journal that fails ---------------------------------------------------------------------------------


def test_missing_folder_is_reported_before_a_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is no folder")
    config = TableConfig(journal=JournalOptions(str(tmp_path / "file" / "matches")))
    bench = Bench(tmp_path, config=config)
    bench.sit(2)
    bench.press(1, "1", "1")
    assert bench.menu.title == "This match cannot be saved"
    assert str(tmp_path / "file") in bench.menu.detail
    bench.press(0, "3")
    assert bench.poster.hint == centre.attract().hint


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_full_disk_pauses_the_match_without_a_loss(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    bench.play()
    was = position(bench)
    with monkeypatch.context() as full:
        failing(full, number)
        bench.press(1, BUZZ)
        assert bench.menu.title == "This match cannot be saved"
        assert os.strerror(number) in bench.menu.detail
        assert bench.lamps == [Lamp.OFF] * 5  # nothing shows a move that is not durable
        bench.wait(60)
        assert position(bench) == was
    bench.take("Try again")
    assert bench.menu.title == "Pause"
    assert bench.menu.detail != "This match is not being saved"
    bench.take("Go on")
    assert bench.view.phase == Phase.OPEN
    assert position(bench) == was
    bench.press(1, BUZZ)
    assert bench.view.caller == 1


def test_disk_full_at_a_deal_is_reported(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    failing(monkeypatch, errno.ENOSPC)
    bench.wait(5)
    assert bench.menu.title == "This match cannot be saved"


def test_disk_full_at_a_correction_changes_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    bench.call(1, bench.wrong())
    before = entries(bench)
    failing(monkeypatch, errno.ENOSPC)
    bench.house("undo", "ok")
    assert bench.menu.title == "This match cannot be saved"
    assert entries(bench) == before


@pytest.mark.logs_errors
def test_internal_error_is_reported_without_its_details(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench.play()

    def broken(*_: object) -> Entry:
        raise ZeroDivisionError

    monkeypatch.setattr(Match, "prepare", broken)
    bench.press(1, BUZZ)
    assert bench.poster.trouble
    assert bench.poster.lines == ("An internal error; the details are in the log. The match is saved.",)
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info
    caplog.clear()


def test_fits_agrees_with_the_rules(bench: Bench) -> None:
    """`fits` is the tests' separate implementation."""
    bench.play()
    for _ in range(5):
        rows = [row for row in range(7) if fits(bench.match.state, row)]
        bench.call(0, rows[-1])
        assert bench.frame.sides[0].tone == "good"
        bench.next_card()
