"""Links, leftovers and files of root in a folder of records are neither followed nor overwritten."""

import multiprocessing
import os
import pwd
import shlex
import stat
import subprocess
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import pytest

from companion.config.table_file import keep_option
from companion.core.match import Match
from companion.core.record import Entry
from companion.diagnostics import failures
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.referee.journal import LOCK_NAME, Journal, JournalError, open_record
from tests.neighbour import NOBODY, as_root, open_the_way

GAMES = all_games()
GAME = load("buntherum")


@pytest.fixture
def match() -> Match:
    return new_match(GAME, ("Anna", "Ben", "Cleo"), seed="7")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches" / "match.record"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_record_is_locked_under_every_link(match: Match, path: Path, tmp_path: Path, link) -> None:
    Journal.create(path, match).close()
    other = tmp_path / "elsewhere" / "other.record"
    other.parent.mkdir()
    link(path, other)
    journal, _ = Journal.resume(path, GAMES)
    with journal:
        with pytest.raises(JournalError, match=r"another program is using this record|in use by process"):
            Journal.resume(other, GAMES)
        journal.append(Entry("move", 1, "T youngest 1"))
    assert open_record(path, GAMES).match.length == 1


def test_link_at_the_draft_is_not_followed(match: Match, path: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("somebody's notes")
    path.parent.mkdir()
    path.with_name(f".{path.name}.new").symlink_to(victim)
    Journal.create(path, match).close()
    assert victim.read_text() == "somebody's notes"
    assert not path.is_symlink()
    assert open_record(path, GAMES).match.tags == match.tags


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_link_at_the_lock_is_not_followed(match: Match, path: Path, tmp_path: Path, link) -> None:
    victim = tmp_path / "victim"
    victim.write_text("somebody's notes")
    path.parent.mkdir()
    link(victim, path.with_name(LOCK_NAME))
    with pytest.raises(JournalError):
        Journal.create(path, match)
    assert victim.read_text() == "somebody's notes"


def test_links_at_other_drafts_are_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("somebody's notes")
    (tmp_path / "table.toml").write_text("[sound]\nmute = false\n")
    for draft in ("table.toml.new", f".{failures.FILE_NAME}.new"):
        (tmp_path / draft).symlink_to(victim)
    keep_option(tmp_path / "table.toml", "sound", "mute", True)
    failures.keep("it failed", tmp_path)
    assert victim.read_text() == "somebody's notes"
    assert [failure.text for failure in failures.last(tmp_path)] == ["it failed"]


def test_pipe_instead_of_a_record_is_refused(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(JournalError, match="this is not a regular file"):
        Journal.resume(path, GAMES)


def test_new_folders_are_private_and_durable(match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really, synced = os.fsync, []

    def fsync(fd: int) -> None:
        synced.append(Path(f"/proc/self/fd/{fd}").resolve())
        really(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    folder = tmp_path / "new" / "matches"
    Journal.create(folder / "match.record", match).close()
    assert {tmp_path, tmp_path / "new", folder} <= set(synced)
    for each in (folder, folder.parent):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700


@pytest.fixture
def nobodys(path: Path) -> Path:
    """A record in another user's accessible folder."""
    path.parent.mkdir()
    os.chown(path.parent, NOBODY, NOBODY)
    open_the_way(path)
    return path


def _refusals_as_nobody(path: Path, told: SimpleQueue[str]) -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    for begin in (
        lambda: Journal.create(path, new_match(GAME, ("Anna", "Ben"), seed="7")),
        lambda: Journal.resume(path.with_name("first.record"), GAMES)[0],
    ):
        try:
            begin().close()
        except JournalError as error:
            told.put(str(error))
    told.put("done")


def refusals_as_nobody(path: Path) -> list[str]:
    """Create and resume a record as another user; return the errors."""
    told: SimpleQueue[str] = multiprocessing.get_context("fork").SimpleQueue()
    other = multiprocessing.get_context("fork").Process(target=_refusals_as_nobody, args=(path, told))
    other.start()
    found = [told.get()]
    while found[-1] != "done":
        found.append(told.get())
    other.join()
    return found[:-1]


@as_root
def test_run_as_root_locks_nobody_out(match: Match, nobodys: Path) -> None:
    Journal.create(nobodys.with_name("first.record"), match).close()
    assert refusals_as_nobody(nobodys) == []


@as_root
@pytest.mark.parametrize("left", [LOCK_NAME, "first.record"])
def test_files_left_by_root_are_reported_with_remedy(match: Match, nobodys: Path, left: str) -> None:
    Journal.create(nobodys.with_name("first.record"), match).close()
    os.chown(nobodys.with_name(left), 0, 0)
    command = f"sudo chown {pwd.getpwuid(NOBODY).pw_name} {nobodys.with_name(left)}"
    why = "because the companion once ran as root; to make it yours"
    told = f"{nobodys.with_name(left)} belongs to root, {why}: {command}"
    assert set(refusals_as_nobody(nobodys)) == {told}
    subprocess.run(shlex.split(command.removeprefix("sudo ")), check=True)
    nobodys.unlink(missing_ok=True)
    assert refusals_as_nobody(nobodys) == []
