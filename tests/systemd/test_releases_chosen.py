"""companion-release: which release runs, whatever the new one does, and wherever the power goes."""

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.updates import release_bench
from tests.updates.release_bench import NEW, OLD, SCRIPT

NEWER = "0.3.0+g0000000003"
TRIES = 3
COMMANDS = ("ln", "mv", "rm", "sync")
"""What the script changes the disk by."""

KILLER = """#!/bin/sh
echo >>{steps}
[ $(wc -l <{steps}) != {last} ] || kill -9 $PPID
[ {command} = sync ] || exec /bin/{command} "$@"
"""
"""Stands in for a command: at one step the script is killed instead. A kill loses nothing that is not synced."""


class Machine(release_bench.Machine):
    """A root file system with releases, on which the script chooses."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.add(OLD)
        self.do("take", OLD)

    def attempt(self, *words: str, by: Sequence[str] = (), **environ: str) -> "subprocess.CompletedProcess[str]":
        env = {"PATH": os.environ["PATH"], "COMPANION_ROOT": str(self.root), **environ}
        how = {"capture_output": True, "text": True, "timeout": 60}
        return subprocess.run([*by, SCRIPT, *words], check=False, env=env, umask=0o077, **how)

    def do(self, *words: str) -> str:
        done = self.attempt(*words)
        assert done.returncode == 0, done.stderr
        return done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def updated(machine: Machine, version: str = NEW) -> Machine:
    machine.do("clear")
    machine.add(version)
    machine.do("take", version)
    return machine


def test_the_first_one_is_on_no_trial(machine: Machine) -> None:
    for _ in range(TRIES + 1):
        assert machine.do("before") == ""
    assert machine.current == OLD


def test_one_that_is_good_stays(machine: Machine) -> None:
    updated(machine)
    for act in ("before", "good"):
        machine.do(act)
    for _ in range(TRIES + 1):
        assert machine.do("before") == ""
    assert machine.current == NEW


def test_one_that_fails_three_times_is_switched_back(machine: Machine) -> None:
    updated(machine)
    for _ in range(TRIES):
        machine.do("before")
        assert machine.current == NEW
    assert f"release {NEW} did not run 3 times: going back to {OLD}" in machine.do("before")
    assert machine.current == OLD
    assert (machine.opt / "failed").read_text() == f"{NEW}\n"
    assert (machine.opt / "failed").stat().st_mode & 0o777 == 0o644
    assert [machine.do("before") for _ in range(TRIES + 1)] == [""] * (TRIES + 1)
    assert machine.current == OLD


@pytest.mark.parametrize("lost", ["release.json", "venv/bin/companion"])
def test_one_that_is_damaged_is_switched_back_at_once(machine: Machine, lost: str) -> None:
    updated(machine)
    (machine.opt / "releases" / NEW / lost).unlink()
    assert "is damaged: going back" in machine.do("before")
    assert machine.current == OLD


def test_a_link_that_leads_nowhere_is_laid_anew(machine: Machine) -> None:
    updated(machine)
    (machine.opt / "current").unlink()
    machine.do("before")
    assert machine.current == OLD


def test_where_there_is_none_before_it_says_so_and_lets_it_start(machine: Machine) -> None:
    (machine.opt / "releases" / OLD / "release.json").unlink()
    assert "there is none before it" in machine.do("before")
    assert machine.current == OLD


def test_people_go_back_and_forth(machine: Machine) -> None:
    updated(machine).do("back")
    assert (machine.current, machine.there) == (OLD, {OLD, NEW})
    for _ in range(TRIES + 1):
        machine.do("before")
    assert machine.current == OLD
    machine.do("back")
    assert machine.current == NEW
    machine.do("clear")
    refused = machine.attempt("back")
    assert (refused.returncode, "there is no release before" in refused.stderr) == (1, True)


def test_never_more_than_two_are_kept(machine: Machine) -> None:
    updated(machine).do("good")
    updated(machine, NEWER)
    assert machine.there == {NEW, NEWER}


def test_one_on_trial_is_not_updated(machine: Machine) -> None:
    refused = updated(machine).attempt("clear")
    assert (refused.returncode, "is on trial" in refused.stderr) == (1, True)
    assert machine.there == {OLD, NEW}


def test_one_without_all_of_it_is_not_taken(machine: Machine) -> None:
    machine.do("clear")
    machine.add(NEW)
    (machine.opt / "releases" / NEW / "release.json").unlink()
    assert machine.attempt("take", NEW).returncode == 1
    assert machine.current == OLD


@pytest.mark.parametrize("text", ["", "\n", NEW, f"{NEW} x\n", f"{NEW} 1 2\n"])
def test_a_torn_count_keeps_nothing_from_starting(machine: Machine, text: str) -> None:
    updated(machine)
    (machine.opt / "trial").write_text(text)
    machine.do("before")
    assert machine.current == NEW


# --- A full disk ------------------------------------------------------------------------------------------


FULL = ("sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh")
"""Runs a command where files and links can be made, but nothing written into a file."""


def test_one_that_is_damaged_is_switched_back_on_a_full_disk(machine: Machine) -> None:
    updated(machine).do("good")
    (machine.opt / "releases" / NEW / "release.json").unlink()
    done = machine.attempt("before", by=FULL)
    assert (done.returncode, "is damaged: going back" in done.stderr) == (0, True)
    assert machine.current == OLD
    assert not (machine.opt / "failed").exists()


def test_one_whose_starts_cannot_be_counted_is_switched_back(machine: Machine) -> None:
    """It may fail at each start, and nothing would ever end that."""
    updated(machine).do("before")
    assert f"going back to {OLD}" in machine.attempt("before", by=FULL).stderr
    assert machine.current == OLD
    machine.do("before")
    assert machine.current == OLD
    assert not (machine.opt / "trial").exists()


def test_the_way_back_stays_when_a_full_disk_refuses_another_one(machine: Machine) -> None:
    updated(machine).do("good")
    assert machine.attempt("take", OLD, by=FULL).returncode == 1
    assert machine.current == NEW
    machine.do("back")
    assert machine.current == OLD


# --- Power cuts -------------------------------------------------------------------------------------------


def fallen(machine: Machine) -> None:
    """Let a new release fail as often as it may."""
    updated(machine)
    for _ in range(TRIES):
        machine.do("before")


JOURNEYS: dict[str, tuple[Callable[[Machine], object], list[str], set[str]]] = {
    # What was before, what is cut off, and which release may run then.
    "take": (lambda machine: (machine.do("clear"), machine.add(NEW)), ["take", NEW], {OLD, NEW}),
    "first try": (updated, ["before"], {NEW}),
    "going back": (fallen, ["before"], {OLD}),
    "back": (updated, ["back"], {OLD, NEW}),
    "good": (updated, ["good"], {NEW}),
    "clear": (lambda machine: updated(machine).do("good"), ["clear"], {NEW}),
}


@pytest.mark.parametrize("journey", JOURNEYS)
def test_it_is_killed_at_each_step(tmp_path: Path, journey: str) -> None:
    """However it ends, the next start comes to a whole release, and the same can be done again."""
    prepare, words, allowed = JOURNEYS[journey]
    for last in range(1, 50):
        machine = Machine(tmp_path / str(last))
        prepare(machine)
        tools, steps = tmp_path / f"tools{last}", tmp_path / f"steps{last}"
        tools.mkdir()
        for name in COMMANDS:
            (tools / name).write_text(KILLER.format(steps=steps, last=last, command=name))
            (tools / name).chmod(0o755)
        done = machine.attempt(*words, PATH=f"{tools}:{os.environ['PATH']}")
        machine.do("before")
        assert machine.current in allowed
        assert (machine.opt / "current/release.json").exists()
        if done.returncode == 0:
            assert last > 1
            return
        again = machine.attempt(*words)
        assert again.returncode == 0 or words == ["back"], again.stderr
        assert machine.current in allowed
    pytest.fail("it never comes to an end")


# --- The end of a trial -----------------------------------------------------------------------------------

SYSTEMCTL = """#!/bin/sh
case $2 in
    *ActiveState) echo {state} ;;
    *) read -r now _ </proc/uptime; echo $(((${{now%.*}} - {age_s}) * 1000000)) ;;
esac
"""
SLEEP = """#!/bin/sh
rm -f {opt}/trial
echo slept >>{opt}/slept
"""
"""Ends what would wait for ever."""


@pytest.mark.parametrize(
    ("state", "age_s", "good"),
    [("active", 61, True), ("active", 50, False), ("activating", 100, False), ("failed", 100, False)],
)
def test_a_trial_ends_when_the_table_has_lived_for_a_minute(
    machine: Machine, tmp_path: Path, state: str, age_s: int, good: bool
) -> None:
    updated(machine)
    machine.do("before")  # the new one is started
    watch(machine, tmp_path, state, age_s)
    assert (machine.opt / "slept").exists() is not good
    assert not (machine.opt / "trial").exists()


def test_how_long_the_one_before_has_lived_ends_no_trial(machine: Machine, tmp_path: Path) -> None:
    """An update is taken where the table has run for hours, and is started a moment later."""
    updated(machine)
    watch(machine, tmp_path, "active", 10_000)
    assert (machine.opt / "slept").exists()


def watch(machine: Machine, tmp_path: Path, state: str, age_s: int) -> None:
    """Watch a trial, but no further than to where it is waited."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, text in {"systemctl": SYSTEMCTL, "sleep": SLEEP}.items():
        (tools / name).write_text(text.format(state=state, age_s=age_s, opt=machine.opt))
        (tools / name).chmod(0o755)
    done = machine.attempt("watch", PATH=f"{tools}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
