"""Tests which release runs, despite failures and power cuts."""

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
"""The commands by which the script changes the disk."""

KILLER = """#!/bin/sh
echo >>{steps}
[ $(wc -l <{steps}) != {last} ] || kill -9 $PPID
[ {command} = sync ] || exec /bin/{command} "$@"
"""
"""Kills the script at one step; unsynced data survives a kill."""


class Machine(release_bench.Machine):
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


def test_first_release_is_not_on_trial(machine: Machine) -> None:
    for _ in range(TRIES + 1):
        assert machine.do("before") == ""
    assert machine.current == OLD


def test_good_release_stays(machine: Machine) -> None:
    updated(machine)
    for act in ("before", "good"):
        machine.do(act)
    for _ in range(TRIES + 1):
        assert machine.do("before") == ""
    assert machine.current == NEW


def test_release_failing_three_times_is_replaced(machine: Machine) -> None:
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
def test_damaged_release_is_replaced_at_once(machine: Machine, lost: str) -> None:
    updated(machine)
    (machine.opt / "releases" / NEW / lost).unlink()
    assert "is damaged: going back" in machine.do("before")
    assert machine.current == OLD


def test_missing_link_is_restored_to_earlier_release(machine: Machine) -> None:
    updated(machine)
    (machine.opt / "current").unlink()
    machine.do("before")
    assert machine.current == OLD


def test_damaged_only_release_still_starts(machine: Machine) -> None:
    (machine.opt / "releases" / OLD / "release.json").unlink()
    assert "there is none before it" in machine.do("before")
    assert machine.current == OLD


def test_people_can_go_back_and_forth(machine: Machine) -> None:
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


def test_at_most_two_releases_are_stored(machine: Machine) -> None:
    updated(machine).do("good")
    updated(machine, NEWER)
    assert machine.there == {NEW, NEWER}


def test_release_on_trial_cannot_be_updated(machine: Machine) -> None:
    refused = updated(machine).attempt("clear")
    assert (refused.returncode, "is on trial" in refused.stderr) == (1, True)
    assert machine.there == {OLD, NEW}


def test_incomplete_release_is_not_chosen(machine: Machine) -> None:
    machine.do("clear")
    machine.add(NEW)
    (machine.opt / "releases" / NEW / "release.json").unlink()
    assert machine.attempt("take", NEW).returncode == 1
    assert machine.current == OLD


@pytest.mark.parametrize("text", ["", "\n", NEW, f"{NEW} x\n", f"{NEW} 1 2\n"])
def test_damaged_trial_count_does_not_prevent_starting(machine: Machine, text: str) -> None:
    updated(machine)
    (machine.opt / "trial").write_text(text)
    machine.do("before")
    assert machine.current == NEW


# --- A full disk ------------------------------------------------------------------------------------------


FULL = ("sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh")
"""Runs a command that can create files and links but write no data."""


def test_damaged_release_is_replaced_on_a_full_disk(machine: Machine) -> None:
    updated(machine).do("good")
    (machine.opt / "releases" / NEW / "release.json").unlink()
    done = machine.attempt("before", by=FULL)
    assert (done.returncode, "is damaged: going back" in done.stderr) == (0, True)
    assert machine.current == OLD
    assert not (machine.opt / "failed").exists()


def test_uncountable_trial_is_ended(machine: Machine) -> None:
    """Otherwise it might fail at each start without end."""
    updated(machine).do("before")
    assert f"going back to {OLD}" in machine.attempt("before", by=FULL).stderr
    assert machine.current == OLD
    machine.do("before")
    assert machine.current == OLD
    assert not (machine.opt / "trial").exists()


def test_refused_switch_keeps_the_earlier_release(machine: Machine) -> None:
    updated(machine).do("good")
    assert machine.attempt("take", OLD, by=FULL).returncode == 1
    assert machine.current == NEW
    machine.do("back")
    assert machine.current == OLD


# --- Power cuts -------------------------------------------------------------------------------------------


def fallen(machine: Machine) -> None:
    """Let a new release fail until its last start."""
    updated(machine)
    for _ in range(TRIES):
        machine.do("before")


JOURNEYS: dict[str, tuple[Callable[[Machine], object], list[str], set[str]]] = {
    # Preparation, interrupted command, and the releases that may run afterwards.
    "take": (lambda machine: (machine.do("clear"), machine.add(NEW)), ["take", NEW], {OLD, NEW}),
    "first try": (updated, ["before"], {NEW}),
    "going back": (fallen, ["before"], {OLD}),
    "back": (updated, ["back"], {OLD, NEW}),
    "good": (updated, ["good"], {NEW}),
    "clear": (lambda machine: updated(machine).do("good"), ["clear"], {NEW}),
}


@pytest.mark.parametrize("journey", JOURNEYS)
def test_script_killed_at_each_step_leaves_whole_release(tmp_path: Path, journey: str) -> None:
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
"""Ends an endless wait."""


@pytest.mark.parametrize(
    ("state", "age_s", "good"),
    [("active", 61, True), ("active", 50, False), ("activating", 100, False), ("failed", 100, False)],
)
def test_trial_ends_after_a_minute_of_running(
    machine: Machine, tmp_path: Path, state: str, age_s: int, good: bool
) -> None:
    updated(machine)
    machine.do("before")  # the new release is started
    watch(machine, tmp_path, state, age_s)
    assert (machine.opt / "slept").exists() is not good
    assert not (machine.opt / "trial").exists()


def test_earlier_releases_uptime_does_not_end_trial(machine: Machine, tmp_path: Path) -> None:
    updated(machine)
    watch(machine, tmp_path, "active", 10_000)
    assert (machine.opt / "slept").exists()


def watch(machine: Machine, tmp_path: Path, state: str, age_s: int) -> None:
    """Watch a trial up to its first wait."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, text in {"systemctl": SYSTEMCTL, "sleep": SLEEP}.items():
        (tools / name).write_text(text.format(state=state, age_s=age_s, opt=machine.opt))
        (tools / name).chmod(0o755)
    done = machine.attempt("watch", PATH=f"{tools}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
