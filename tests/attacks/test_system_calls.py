"""The program prints nothing that a failing disk did not store.

strace injects the errors; without it these tests are skipped.
"""

import random
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from companion.core.match import Match
from companion.games import all_games
from companion.referee.journal import LOCK_NAME, open_record
from tests.noted import game_events, recorded
from tests.running import COMMAND, Here, environment

SCRIPT: Final = "2 seat 1 buzz\n2.4 seat 1 keys 3\n6 seat 2 buzz\n6.4 seat 2 keys 1\n9 wait\n"
FURTHER: Final = "6 seat 1 buzz\n6.01 seat 2 buzz\n6.02 seat 3 buzz\n6.2 wait\n"
CALLS: Final = ("fdatasync", "fsync", "pwrite64", "ftruncate")

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def strace() -> str:
    found = shutil.which("strace")
    if found is None:
        pytest.skip("there is no strace here")
    tried = subprocess.run([found, "-o", "/dev/null", "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"strace may not trace here: {tried.stderr.strip()}")
    return found


def played(strace: str, path: Path, *faults: str) -> "subprocess.CompletedProcess[str]":
    """Play a script while system calls fail, the first one always; return the finished process."""
    calls = path.parent.with_suffix(".calls")
    injected = [word for fault in faults for word in ("-e", f"inject={fault}")]
    traced = [strace, "-f", "-qq", "-o", str(calls), "-e", f"trace={','.join(CALLS)}", *injected]
    words = [*traced, *COMMAND, "headless", "buntherum", "--seed", "7", "--journal", str(path)]
    home = environment(path.parent)
    done = subprocess.run(words, input=SCRIPT, capture_output=True, text=True, check=False, env=home, timeout=120)
    answered = [line for line in calls.read_text().splitlines() if line.endswith("(INJECTED)")]
    assert not faults or any(f" {faults[0].partition(':')[0]}(" in line for line in answered)
    return done


@pytest.fixture(scope="module")
def undisturbed(strace: str, tmp_path_factory: pytest.TempPathFactory) -> Match:
    path = tmp_path_factory.mktemp("undisturbed") / "match.record"
    assert played(strace, path).returncode == 0
    return open_record(path, all_games()).match


REFUSALS: Final = (
    ("fdatasync:error=EIO:when={n}", "Input/output error"),
    ("pwrite64:error=ENOSPC:when={n}", "No space left on device"),
    ("fdatasync:error=EIO:when={n}+ ftruncate:error=EROFS:when=2+", "Input/output error"),
    ("pwrite64:error=EROFS:when={n}+ ftruncate:error=EROFS:when=2+", "Read-only file system"),
    ("fsync:error=EIO:when={n}", "Input/output error"),
)


@pytest.mark.parametrize(("faults", "why"), REFUSALS)
def test_refused_system_call_prints_nothing_unsaved(
    strace: str, undisturbed: Match, tmp_path: Path, soak_count, faults: str, why: str, companion_here: Here
) -> None:
    luck, most = random.Random(faults), 2 if faults.startswith("fsync") else len(undisturbed.entries)
    for number in range(soak_count(20)):
        path = tmp_path / str(number) / "match.record"
        path.parent.mkdir()
        done = played(strace, path, *faults.format(n=luck.randint(1, most)).split())
        assert done.returncode == 1, done.stderr
        assert why in done.stderr
        assert len(done.stderr.splitlines()) == 1
        told = game_events(done.stdout.splitlines())
        if not path.exists():
            assert told == []
            assert [left.name for left in path.parent.iterdir()] == [LOCK_NAME]
            continue
        before = open_record(path, all_games()).match
        assert recorded(before)[: len(told)] == told
        assert before.entries == undisturbed.entries[: len(before.entries)], "and nothing was made up"
        done = companion_here("headless", "buntherum", "--journal", path, "--resume", stdin=FURTHER)
        assert done.returncode == 0, done.stderr
        after = open_record(path, all_games())
        assert after.damage is None
        assert after.match.entries[: len(before.entries)] == before.entries


def test_interrupted_system_calls_are_retried(strace: str, undisturbed: Match, tmp_path: Path) -> None:
    path = tmp_path / "match" / "match.record"
    path.parent.mkdir()
    done = played(strace, path, *(f"{call}:error=EINTR:when=1+2" for call in CALLS))
    assert (done.returncode, done.stderr) == (0, "")
    opened = open_record(path, all_games())
    assert opened.damage is None
    assert opened.match.entries == undisturbed.entries
    assert recorded(opened.match) == game_events(done.stdout.splitlines())
