"""Stored matches: listed, found, replayed and exported."""

import io
import os
import re
import shutil
import time
from pathlib import Path

import pytest

from companion.core.replay import loads
from companion.games import all_games, load
from companion.records import history, index
from companion.records.history import LOOKED_AT, find, interrupted, new_path, open_named, records, replay
from companion.records.match_list import show
from companion.referee.journal import Journal, mark_of, open_record, opening
from tests.host_bench import Bench
from tests.running import Here, companion, whole_match

GAME = load("buntherum")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "companion" / "matches"


@pytest.fixture(scope="module")
def two_matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole match and an unfinished one."""
    folder = tmp_path_factory.mktemp("matches")
    whole_match(folder / "2026-01-02-180000-buntherum.record", GAME)
    words = ("headless", "buntherum", "--seed", "7", "--journal", folder / "2026-01-03-180000-buntherum.record")
    assert companion(folder, *words, stdin="2 wait\n").returncode == 0
    return folder


@pytest.fixture
def kept(two_matches: Path, folder: Path) -> Path:
    """Copies of both in the user's folder."""
    folder.mkdir(parents=True)
    for path in two_matches.glob("*.record"):
        shutil.copy(path, folder)
    return folder


def test_empty_folder_is_named(folder: Path, companion_here: Here) -> None:
    assert companion_here("history").stdout == f"no matches in {folder}\n"


def test_matches_are_listed_oldest_first(kept: Path, companion_here: Here) -> None:
    done = companion_here("history")
    first, second = done.stdout.splitlines()
    name, game, length, players, result = re.split("  +", first)
    assert (name, game, players) == ("2026-01-02-180000-buntherum", "Buntherum", "Anna, Ben, Cleo")
    assert re.fullmatch(r"\d+ min", length)
    assert result.split(":")[0] in {"Anna", "Ben", "Cleo"}
    assert re.split("  +", second) == [
        "2026-01-03-180000-buntherum",
        "Buntherum",
        "1 min",
        "Anna, Ben, Cleo",
        "not over",
    ]


def test_demo_is_marked_and_columns_are_aligned(kept: Path, companion_here: Here) -> None:
    assert companion_here("demo", "--text", "--seed", "7").returncode == 0
    lines = companion_here("history").stdout.splitlines()
    assert len(lines) == 3
    assert len({line.index("Buntherum") for line in lines}) == 1
    assert len({line.index("Anna, Ben") for line in lines}) == 1
    assert [line.endswith("(robot demo)") for line in lines] == [False, False, True]


def test_damaged_match_is_marked_and_hides_no_other(kept: Path, companion_here: Here) -> None:
    first, second = sorted(kept.glob("*.record"))
    first.write_bytes(first.read_bytes()[:-5])
    (kept / "2026-01-04-180000-buntherum.record").write_text("milk\n")
    lines = companion_here("history").stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("not over  (damaged)")
    assert lines[1].endswith("not over")
    assert "2026-01-04-180000-buntherum" in lines[2]
    assert "cannot read its header" in lines[2]
    assert second.exists()


def test_listing_changes_no_record(kept: Path, companion_here: Here) -> None:
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    companion_here("history")
    assert {path.name: path.read_bytes() for path in kept.iterdir() if path.name != index.NAME} == before


def test_second_listing_replays_no_match(kept: Path, companion_here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    assert companion_here("demo", "--text", "--seed", "7").returncode == 0
    first = companion_here("history").stdout
    monkeypatch.setattr(index, "open_record", None)
    assert companion_here("history").stdout == first
    french = companion_here("history", language="fr").stdout
    assert first.endswith(": the last card!  (robot demo)\n")
    assert french.endswith(" : la dernière carte !  (démonstration des robots)\n")


@pytest.mark.parametrize("words", ["history", "stats", "replay last", "export last"])
def test_unreadable_folder_does_not_look_empty(words: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "table.toml").write_text('[journal]\nfolder = "file"\n')
    done = companion(tmp_path, *words.split(), "--table", "table.toml")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "companion: file: Not a directory\n")


# --- Finding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["2026-01-03-180000-buntherum", "last"])
def test_match_is_found_by_id_or_as_last(name: str, kept: Path, companion_here: Here) -> None:
    done = companion_here("replay", name)
    assert done.returncode == 0
    assert done.stdout.endswith("not over\n")


def test_match_is_found_by_its_file(kept: Path, companion_here: Here) -> None:
    path = kept / "2026-01-03-180000-buntherum.record"
    assert companion_here("replay", path).stdout == companion_here("replay", "last").stdout


def test_unknown_match_is_named_with_the_nearest(kept: Path, companion_here: Here) -> None:
    for command in ("replay", "export"):
        done = companion_here(command, "2026-01-03-180000-bunterum")
        assert (done.returncode, done.stdout) == (2, "")
        assert "unknown match '2026-01-03-180000-bunterum'" in done.stderr
        assert "did you mean '2026-01-03-180000-buntherum'?" in done.stderr


def test_search_in_an_empty_folder_names_the_folder(folder: Path, companion_here: Here) -> None:
    done = companion_here("replay", "last")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"unknown match 'last'; {folder} contains no matches" in done.stderr


def test_damaged_match_is_replayed_and_its_damage_reported(kept: Path, companion_here: Here) -> None:
    path = kept / "2026-01-02-180000-buntherum.record"
    whole = companion_here("replay", path).stdout
    path.write_bytes(path.read_bytes()[:-5])
    done = companion_here("replay", path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == whole.splitlines()[0]
    assert done.stderr.startswith(f"companion: {path}: ")
    assert str(path) not in done.stdout


def test_search_for_interrupted_match_logs_unreadable_records(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    going_on = kept / "2026-01-03-180000-buntherum.record"
    (kept / "2026-01-04-180000-buntherum.record").write_text("milk\n")
    path, _opened = interrupted(kept, all_games()) or pytest.fail("nothing to go on with")
    assert path == going_on
    [told] = caplog.messages
    assert "2026-01-04-180000-buntherum.record" in told


def test_only_newest_records_are_searched_for_interrupted_matches(kept: Path) -> None:
    for number in range(LOOKED_AT):
        assert interrupted(kept, all_games())
        (kept / f"2026-01-04-{number:06}-buntherum.record").write_text("milk\n")
    assert interrupted(kept, all_games()) is None


def test_record_written_by_hand_may_begin_with_bom(kept: Path, companion_here: Here) -> None:
    exported = companion_here("export", "2026-01-02-180000-buntherum").stdout
    path = kept / "by hand.record"
    path.write_text(exported, "utf-8-sig")
    assert open_record(path, all_games()).match.dumps() == exported
    path.write_text(exported.replace('[Format "1"]', '[Format "9"]'), "utf-8-sig")
    assert history.of_newer(kept)
    path.write_text(exported.rpartition("\n18.")[0], "utf-8-sig")
    with Journal.resume(path, all_games())[0]:
        assert path.read_bytes().startswith(b"[Format")


def test_output_goes_to_the_given_streams(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kept / "2026-01-04-180000-buntherum.record").write_text("milk\n")
    listed, told = io.StringIO(), io.StringIO()
    show(kept, all_games(), listed)
    replay(open_named("last", kept, all_games(), told), told)
    assert len(listed.getvalue().splitlines()) == 3
    assert told.getvalue().startswith(f"companion: {kept}/2026-01-04-180000-buntherum.record: ")
    assert told.getvalue().endswith("not over\n")
    assert capsys.readouterr() == ("", "")


# --- Clock changes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("2026-03-01-200000", "2025-05-13-000500", id="set back"),
        pytest.param("2025-05-13-000500", "2099-12-31-235959", id="set forward"),
        pytest.param("2026-10-25-025900", "2026-10-25-020100", id="end of summer time"),
        pytest.param("2026-03-01-200000", "2026-03-01-200000", id="equal"),
    ],
)
def test_matches_keep_their_order_when_clocks_change(
    before: str, after: str, two_matches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, begun = sorted(two_matches.glob("*.record"))
    opened = open_record(begun, all_games())
    made = []
    for said in [before] + [after] * 25:
        monkeypatch.setattr(time, "strftime", lambda _, said=said: said)
        made.append(new_path(tmp_path, opened.match))
        if len(made) == 1:
            Journal.create(made[0], opened.match).close()
        else:
            shutil.copy(whole, made[-1])
    assert records(tmp_path) == made
    assert find("last", tmp_path) == made[::-1]
    bench = Bench(tmp_path)
    assert (bench.menu.title, bench.menu.items[0]) == ("A match was interrupted", "Resume it")
    bench.press(0, "1")
    assert bench.host.session
    assert bench.host.session.match.dumps() == opened.match.dumps()


def test_only_the_interrupted_record_is_read(
    two_matches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, begun = sorted(two_matches.glob("*.record"))
    path = tmp_path / "00001-2025-05-13-000500-buntherum.record"
    Journal.create(path, open_record(begun, all_games()).match).close()
    for number in range(2, 2002):
        os.link(whole, tmp_path / f"{number:05}-2025-05-13-000500-buntherum.record")
    read = []
    monkeypatch.setattr(history, "opening", lambda path, games: read.append(path) or opening(path, games))
    found = interrupted(tmp_path, all_games())
    assert found
    assert found[0] == path
    assert read == [path]


def test_stale_open_mark_is_removed(two_matches: Path, tmp_path: Path) -> None:
    whole, begun = sorted(two_matches.glob("*.record"))
    over, open_ = tmp_path / "b.record", tmp_path / "a.record"
    shutil.copy(whole, over)
    shutil.copy(begun, open_)
    for path in (over, open_):
        mark_of(path).touch()
    found = interrupted(tmp_path, all_games())
    assert found
    assert found[0] == open_
    assert [path.name for path in tmp_path.glob("*.open")] == [mark_of(open_).name]


# --- Replay and export ------------------------------------------------------------------------------------


def test_replay_prints_every_entry(kept: Path, companion_here: Here) -> None:
    path = kept / "2026-01-02-180000-buntherum.record"
    done = companion_here("replay", path)
    match = loads(companion_here("export", path).stdout, all_games())
    told = [line for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert told == [str(entry._replace(comment="")) for entry in match.entries]
    assert "\n9. T call 2\n    Ben was first\n10. 2 declare 1\n    Ben says: row 1\n    Wrong\n" in done.stdout
    assert f"\n\n{match.game.teller.picture(match.view(), match.names, str)}\n" in done.stdout
    assert match.outcome
    winners = ", ".join(match.names[seat] for seat in match.outcome.winners)
    assert done.stdout.splitlines()[-1] == f"{winners}: {match.outcome.reason}"


def test_export_of_a_running_match_hides_the_seed(kept: Path, companion_here: Here) -> None:
    for audience in ((), ("--as", "1")):
        exported = companion_here("export", "last", *audience).stdout
        assert '[Seed "??"]' in exported
        assert '[Seed "7"]' not in exported


def test_export_of_a_finished_match_is_complete(kept: Path, companion_here: Here) -> None:
    path = kept / "2026-01-02-180000-buntherum.record"
    exported = companion_here("export", "2026-01-02-180000-buntherum").stdout
    journal = path.read_text("utf-8").splitlines()
    assert [line for line in exported.splitlines() if line] == [line.rpartition(" ;")[0] for line in journal]


def test_export_for_a_missing_seat_is_refused(kept: Path, companion_here: Here) -> None:
    done = companion_here("export", "last", "--as", "4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--as 4: allowed: 1 to 3" in done.stderr


def test_unusable_journal_folder_is_reported(folder: Path, companion_here: Here) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file where the folder would be")
    done = companion_here("demo", "--seed", "7")
    assert done.returncode == 1
    assert str(folder) in done.stderr
    assert len(done.stderr.splitlines()) == 1
