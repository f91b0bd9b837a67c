"""The journal: creation, resume, locks and failing disks."""

import errno
import fcntl
import os
import re
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ
from companion.core.errors import RecordError
from companion.core.match import SEED_TAG, Match
from companion.core.move import HIDDEN, TABLE, Move
from companion.core.replay import loads
from companion.games import all_games, load
from companion.games.buntherum.rules import UNKNOWN
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable
from companion.referee import durable
from companion.referee.journal import LOCK_NAME, Journal, JournalError, mark_of, open_record
from tests.running import COMMAND, Here, companion, environment, whole_match

GAMES = all_games()
GAME = load("buntherum")
NAMES = ("Anna", "Ben", "Cleo")
close = Journal.close


@pytest.fixture
def match() -> Match:
    return new_match(GAME, NAMES, seed="7", rulings=GAME.rulings(tie_margin_ms=2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.record"


def draw(match: Match, journal: Journal, count: int) -> None:
    """Make the first legal move of the table, after its journal entry."""
    for _ in range(count):
        step = match.prepare(GAME.rules.legal(match.state, TABLE)[0])
        journal.append(step.entry)
        match.take(step)


def test_match_is_marked_open_until_it_is_left(match: Match, path: Path) -> None:
    with Journal.create(path, match) as journal:
        draw(match, journal, 3)
    assert mark_of(path).read_bytes() == b""
    journal, _ = Journal.resume(path, GAMES)
    journal.leave()
    assert not mark_of(path).exists()
    journal.close()
    Journal.resume(path, GAMES)[0].close()
    assert mark_of(path).exists()


def test_mark_stays_until_the_finished_journal_closes(path: Path) -> None:
    marked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "close", lambda journal: (marked.append(mark_of(path).exists()), close(journal)))
        whole_match(path, GAME)
    assert marked == [True]
    assert not mark_of(path).exists()


# --- Create, append, resume -------------------------------------------------------------------------------


def test_new_record_is_private_to_its_owner(match: Match, path: Path) -> None:
    before = os.umask(0)
    try:
        Journal.create(path, match).close()
    finally:
        os.umask(before)
    for written in (path, path.with_name(LOCK_NAME)):
        assert stat.S_IMODE(written.stat().st_mode) == 0o600


def test_new_record_holds_all_tags(match: Match, path: Path) -> None:
    with Journal.create(path, match):
        assert loads(path.read_text("utf-8"), GAMES).tags == match.tags


def test_every_appended_entry_is_in_the_file(match: Match, path: Path) -> None:
    with Journal.create(path, match) as journal:
        for _ in range(9):
            draw(match, journal, 1)
            assert loads(path.read_text("utf-8"), GAMES).dumps() == match.dumps()


def test_undo_and_correction_are_also_appended(match: Match, path: Path) -> None:
    with Journal.create(path, match) as journal:
        draw(match, journal, 8)
        for prepare in (
            lambda: match.prepare_undo(2),
            lambda: match.prepare_amend(1, Move(TABLE, "youngest", (2,))),
        ):
            step = prepare()
            journal.append(step.entry)
            match.take(step)
    opened = open_record(path, GAMES)
    assert opened.damage is None
    assert opened.match.entries == match.entries
    assert opened.match.state == match.state


def test_resume_continues_where_the_record_ends(match: Match, path: Path) -> None:
    with Journal.create(path, match) as journal:
        draw(match, journal, 4)
    for _ in range(3):
        journal, opened = Journal.resume(path, GAMES)
        with journal:
            assert opened.match.dumps() == match.dumps()
            match = opened.match
            draw(match, journal, 2)
    assert open_record(path, GAMES).match.dumps() == match.dumps()
    assert open_record(path, GAMES).damage is None


def test_create_refuses_an_existing_file(match: Match, path: Path) -> None:
    path.write_text("somebody's notes")
    with pytest.raises(
        JournalError, match=f"^{path} already exists; choose another file, or continue it with .* --resume"
    ):
        Journal.create(path, match)
    assert path.read_text() == "somebody's notes"


def test_resume_of_a_missing_file_names_it(path: Path) -> None:
    with pytest.raises(JournalError, match=f"{path}: No such file"):
        Journal.resume(path, GAMES)


def test_record_of_ten_thousand_moves_can_be_resumed(match: Match, path: Path) -> None:
    with Journal.create(path, match) as journal:
        draw(match, journal, 7)
        while match.length < 10_000:
            verb = ("nobody", ()) if GAME.rules.view(match.state, None).phase == "open" else ("flip", (UNKNOWN,))
            step = match.prepare(Move(TABLE, *verb))
            journal.append(step.entry)
            match.take(step)
    journal, opened = Journal.resume(path, GAMES)
    with journal:
        assert opened.match.length == 10_000
        assert opened.match.state == match.state
        draw(opened.match, journal, 1)


# --- The lock ---------------------------------------------------------------------------------------------


@pytest.fixture
def other_program(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A second program that plays in the same folder."""
    path = tmp_path / getattr(request, "param", "other.record")
    words = [*COMMAND, "headless", "buntherum", "--journal", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=environment(tmp_path)) as program:
        assert program.stdout
        assert "start" in program.stdout.readline()
        yield program
        program.kill()


@pytest.mark.parametrize(
    "other_program", ["other.record", os.fsdecode(b"\xff.record")], ids=["text", "no text"], indirect=True
)
def test_locked_folder_error_names_the_other_process(
    match: Match, path: Path, other_program: subprocess.Popen[str]
) -> None:
    with pytest.raises(JournalError) as refused:
        Journal.create(path, match)
    assert f"in use by process {other_program.pid} " in str(refused.value)
    assert "headless buntherum --journal" in str(refused.value)
    assert str(path.parent) in str(refused.value)
    assert not path.exists()


def test_killed_program_releases_the_folder(match: Match, path: Path, other_program: subprocess.Popen[str]) -> None:
    other_program.send_signal(signal.SIGKILL)
    other_program.wait()
    Journal.create(path, match).close()
    Journal.resume(path.with_name("other.record"), GAMES)[0].close()


def test_locked_folder_stops_a_second_command(match: Match, path: Path, tmp_path: Path) -> None:
    with Journal.create(path, match):
        for words in (("--journal", path, "--resume"), ("--journal", tmp_path / "new.record")):
            done = companion(tmp_path, "headless", "buntherum", *words)
            assert done.returncode == 1
            assert f"in use by process {os.getpid()} " in done.stderr
            assert done.stdout == ""
    assert companion(tmp_path, "headless", "buntherum", "--journal", path, "--resume").returncode == 0


def test_failed_lock_is_an_error_and_is_released(match: Match, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", raising(errno.ENOLCK))
        with pytest.raises(JournalError, match="No locks available"):
            Journal.create(path, match)
    Journal.create(path, match).close()
    answers = iter((lambda *_: None, raising(errno.ENOLCK)))  # for the folder's lock, then for the record's

    def flock(*asked: int) -> None:
        next(answers)(*asked)

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", flock)
        with pytest.raises(JournalError, match=f"^{path}: No locks available$"):
            Journal.resume(path, GAMES)
    Journal.resume(path, GAMES)[0].close()


def test_read_only_disk_still_releases_the_folder(
    match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal.create(path, match)
    with monkeypatch.context() as patch:
        for writes in ("ftruncate", "pwrite", "fsync", "fdatasync"):
            patch.setattr(os, writes, raising(errno.EROFS))
        journal.close()
    Journal.resume(path, GAMES)[0].close()


def test_unopenable_record_releases_the_folder(match: Match, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really, full, draft = os.open, raising(errno.EMFILE), path.with_name(f".{path.name}.new")
    with monkeypatch.context() as patch:
        patch.setattr(durable, "foreign_owner", lambda _: "somebody")  # the owner does not matter here
        patch.setattr(os, "open", lambda name, *rest: full() if name == draft else really(name, *rest))
        with pytest.raises(JournalError, match="Too many open files"):
            Journal.create(path, match)
    Journal.create(path, match).close()


def raising(code: int) -> Callable[..., Any]:

    def fails(*_: object) -> Any:
        raise OSError(code, os.strerror(code))

    return fails


def test_stick_without_permissions_still_stores_a_match(
    match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fchmod", raising(errno.EPERM))
    with Journal.create(path, match) as journal:
        draw(match, journal, 3)
    assert open_record(path, GAMES).match.dumps() == match.dumps()


def test_directory_instead_of_record_is_named_and_unlocked(match: Match, path: Path) -> None:
    path.mkdir()
    for begin in (partial(Journal.create, path, match), partial(Journal.resume, path, GAMES)):
        with pytest.raises(JournalError, match=f"^{path}: Is a directory$"):
            begin()
    Journal.create(path.with_name("other.record"), match).close()


def test_damage_that_cannot_be_saved_changes_nothing(
    match: Match, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Journal.create(path, match) as journal:
        draw(match, journal, 3)
    path.write_bytes(path.read_bytes() + b"1. somebody's")
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", raising(errno.ENOSPC))
        with pytest.raises(JournalError, match=f"^{path}: No space left on device; free some space on that disk$"):
            Journal.resume(path, GAMES)
    assert sorted(left.name for left in path.parent.iterdir()) == [LOCK_NAME, path.name, mark_of(path).name]
    assert path.read_bytes() == before
    journal, opened = Journal.resume(path, GAMES)
    with journal:
        assert opened.damage
        assert caplog.messages == [f"{path}: {opened.damage.text}; it is in {path.name}.1.damaged"]


def test_reading_needs_no_lock(match: Match, path: Path) -> None:
    with Journal.create(path, match):
        assert open_record(path, GAMES).match.tags == match.tags


def test_failed_operations_release_the_folder(match: Match, path: Path) -> None:
    path.write_text("no record\n")
    with pytest.raises(JournalError):
        Journal.create(path, match)
    with pytest.raises(RecordError):
        Journal.resume(path, GAMES)
    with pytest.raises(JournalError):
        Journal.resume(path.with_name("missing.record"), GAMES)
    Journal.create(path.with_name("new.record"), match).close()


# --- A disk that fails ------------------------------------------------------------------------------------

Break = Callable[[pytest.MonkeyPatch], None]


def full_half_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write half a line, then fail once with a full disk."""
    really, calls = os.pwrite, iter((True, False))

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        if (half := next(calls, None)) is False:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return really(fd, data[: len(data) // 2] if half else data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)


def not_durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a whole line, then fail once to sync it."""
    really, failures = os.fdatasync, iter([OSError(errno.EIO, os.strerror(errno.EIO))])

    def fdatasync(fd: int) -> None:
        if failure := next(failures, None):
            raise failure
        really(fd)

    monkeypatch.setattr(os, "fdatasync", fdatasync)


@pytest.mark.parametrize("broken", [full_half_way, not_durable])
def test_failed_write_leaves_no_trace(
    broken: Break, match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    with Journal.create(path, match) as journal:
        table = VirtualTable(match, journal, tell=lambda _, event: told.append(event))
        table.start()
        table.run(1_000_000_000)
        table.devices.press(0, BUZZ)
        before = (path.read_bytes(), match.dumps(), list(told), list(table.devices.lamps))
        with monkeypatch.context() as patch:
            broken(patch)
            with pytest.raises(JournalError, match=f"{path}: "):
                table.run(2_000_000_000)
        assert (path.read_bytes(), match.dumps(), told, table.devices.lamps) == before
        draw(match, journal, 1)
    assert open_record(path, GAMES).match.dumps() == match.dumps()


@pytest.mark.parametrize("broken", [full_half_way, not_durable])
def test_failed_rollback_is_cleared_before_the_next_line(
    broken: Break, match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starter(card: str) -> Move:
        return GAME.notation.parse_move(match.box, f"T starter 1 {card}")

    with Journal.create(path, match) as journal:
        draw(match, journal, 1)
        with monkeypatch.context() as patch:
            broken(patch)
            patch.setattr(os, "ftruncate", lambda fd, size: (_ for _ in ()).throw(OSError(errno.EIO, "broken")))
            with pytest.raises(JournalError):
                journal.append(match.prepare(starter("purple telephone")).entry)
        step = match.prepare(starter("red car"))  # shorter, so remains of the other line would follow it
        journal.append(step.entry)
        match.take(step)
    opened = open_record(path, GAMES)
    assert (opened.match.dumps(), opened.damage) == (match.dumps(), None)


def test_record_that_cannot_be_begun_does_not_exist(
    match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        full_half_way(patch)
        with pytest.raises(JournalError, match="No space left"):
            Journal.create(path, match)
    assert [left.name for left in path.parent.iterdir()] == [LOCK_NAME]
    Journal.create(path, match).close()
    assert open_record(path, GAMES).damage is None


class Disk:
    """What a power cut leaves, by the names at the folder's last sync."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._bytes: dict[int, bytes] = {}  # by inode, as of each file's last sync
        self._names: dict[str, int] = {}
        self.cuts: list[dict[str, bytes]] = []
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, partial(self._sync, getattr(os, name)))
        monkeypatch.setattr(os, "ftruncate", partial(self._acted, os.ftruncate))

    def _sync(self, really: Callable[[int], None], fd: int) -> None:
        really(fd)
        path = Path(f"/proc/self/fd/{fd}").resolve()
        if path == self._folder:
            self._names = {entry.name: entry.stat().st_ino for entry in path.iterdir()}
        else:
            self._bytes[path.stat().st_ino] = path.read_bytes()

    def _acted(self, really: Callable[..., None], fd: int, *arguments: Any) -> None:
        """Store the state before a record changes in place."""
        if Path(f"/proc/self/fd/{fd}").resolve().name != LOCK_NAME:
            self.cuts.append(self.cut())
        really(fd, *arguments)

    def cut(self) -> dict[str, bytes]:
        return {name: self._bytes.get(number, b"") for name, number in self._names.items()}


def test_power_cut_after_the_beginning_leaves_the_head(
    match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(path.parent, monkeypatch)
    with Journal.create(path, match) as journal:
        assert disk.cut()[path.name] == path.read_bytes()
        draw(match, journal, 3)
        assert disk.cut()[path.name] == path.read_bytes()


def test_power_cut_after_cutting_damage_leaves_both_parts(
    match: Match, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.create(path, match) as journal:
        draw(match, journal, 3)
    good = path.read_bytes()
    path.write_bytes(good + b"1. somebody's")
    disk = Disk(path.parent, monkeypatch)
    Journal.resume(path, GAMES)[0].close()
    assert path.read_bytes() == good
    assert [cut[f"{path.name}.1.damaged"] for cut in disk.cuts] == [b"1. somebody's"], "not kept before it was cut"


def test_exported_record_resumes_durably(match: Match, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(match.dumps(), "utf-8")
    disk = Disk(path.parent, monkeypatch)
    Journal.resume(path, GAMES)[0].close()
    assert disk.cut()[path.name] == path.read_bytes() != match.dumps().encode()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "small", folder], check=False).returncode
    ):
        pytest.skip("a real small file system needs the right to mount one")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_really_full_disk_loses_nothing(match: Match, small_disk: Path) -> None:
    path = small_disk / "match.record"
    with Journal.create(path, match) as journal:
        draw(match, journal, 8)
        with pytest.raises(JournalError, match="No space left"):  # noqa: PT012
            while True:
                step = match.prepare_undo(1, "x" * 1000)
                journal.append(step.entry)
                match.take(step)
                draw(match, journal, 1)
        assert open_record(path, GAMES).damage is None
        assert open_record(path, GAMES).match.dumps() == match.dumps()
        subprocess.run(["mount", "-o", "remount,size=64k", small_disk], check=True)
        draw(match, journal, 1)
    assert open_record(path, GAMES).match.dumps() == match.dumps()


# --- Records that are not journals ------------------------------------------------------------------------


def test_resume_handles_a_missing_last_line_feed(match: Match, path: Path) -> None:
    """New entries must not run into its last line."""
    with Journal.create(path, match) as journal:
        draw(match, journal, 8)
    path.write_text(match.dumps().rstrip("\n"), "utf-8")
    journal, opened = Journal.resume(path, GAMES)
    with journal:
        draw(opened.match, journal, 2)
    again = open_record(path, GAMES)
    assert again.damage is None
    assert again.match.dumps() == opened.match.dumps()


def test_match_with_a_hidden_seed_cannot_be_resumed(path: Path, tmp_path: Path, companion_here: Here) -> None:
    companion_here("headless", "buntherum", "--seed", "7", "--journal", path, stdin="2 wait\n")
    public = tmp_path / "public.record"
    public.write_text(companion_here("export", path).stdout)
    before = public.read_bytes()
    done = companion_here("headless", "buntherum", "--journal", public, "--resume", stdin="2 wait\n")
    assert done.returncode == 2
    assert "seed" in done.stderr.lower()
    assert public.read_bytes() == before


def test_hidden_seed_error_names_record_and_releases_folder(match: Match, path: Path) -> None:
    path.write_text(match.dumps().replace(f'"{match.tags[SEED_TAG]}"', f'"{HIDDEN}"'), "utf-8")
    with pytest.raises(RecordError, match=re.escape(f"{path}: its seed is hidden ({HIDDEN}), ")):
        Journal.resume(path, GAMES)
    Journal.create(path.with_name("other.record"), match).close()


def test_finished_match_is_exported_with_its_seed(path: Path, tmp_path: Path, companion_here: Here) -> None:
    match = whole_match(path, GAME)
    exported = companion_here("export", path).stdout
    assert exported == match.dumps()
    assert loads(exported, GAMES).outcome == match.outcome
