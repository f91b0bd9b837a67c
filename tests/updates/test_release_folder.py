"""Tests installing a release beside the running one."""

import argparse
import io
import os
import shutil
from pathlib import Path

import pytest

from companion.cli import update
from companion.core.errors import OptionError
from companion.core.text import Text
from companion.updates import release_folder
from companion.updates.release_file import UpdateError, write_list
from companion.updates.release_folder import HERE, fits
from tests.updates.release_bench import DAY_S, FILES, NEW, OLD, OWN, Machine, Made


def quiet(percent: int, what: Text) -> None:
    pass


def refused(machine: Machine, file: Path, *, older: bool = False) -> str:
    before = machine.content(OLD)
    with pytest.raises(UpdateError) as raised:
        update.install(machine.releases, file, quiet, older=older)
    assert (machine.current, machine.there, machine.content(OLD)) == (OLD, {OLD}, before)
    assert machine.releases.installed().trial is None
    return str(raised.value)


def test_release_is_installed_and_put_on_trial(machine: Machine, made: Made) -> None:
    told: list[int] = []
    update.install(machine.releases, made.file(), lambda percent, _: told.append(percent))
    assert (machine.current, machine.there) == (NEW, {OLD, NEW})
    installed = machine.releases.installed()
    assert installed.current
    assert (installed.current.version, installed.current.date) == (NEW, 2 * DAY_S)
    assert installed.previous
    assert (installed.previous.version, installed.trial) == (OLD, 0)
    assert told == sorted(told)
    new = machine.content(NEW)
    assert {"release.json", "appliance.md", "table.toml.default", "venv/bin/companion"} <= new.keys()
    assert not any(name.startswith("wheels") for name in new)
    table = (machine.opt / "current/table.toml.default").read_text()
    assert table == 'folder = "/var/lib/companion/matches"\n'


def test_packages_are_installed_by_hash_without_network(machine: Machine, made: Made) -> None:
    update.install(machine.releases, made.file(), quiet)
    locked, own = [said for said in machine.ran if " -m pip " in said]
    assert "--no-index --find-links" in locked
    assert "--require-hashes --only-binary :all:" in locked
    assert "--no-index --no-deps" in own
    assert own.endswith(OWN)


def test_failed_update_keeps_the_running_release(machine: Machine, made: Made) -> None:
    update.install(machine.releases, made.file(), quiet)
    machine.choose("good")
    newer = "0.3.0+g0000000003"
    shutil.copytree(machine.opt / "releases" / NEW, machine.opt / "releases/left-behind")
    machine.command = lambda words: (
        None if "companion-release" not in str(words) else release_folder.run_command(words)
    )
    made.file(write_list(made.release(newer)))
    with pytest.raises(UpdateError):  # that command installed nothing
        update.install(
            release_folder.ReleaseFolder(machine.root, machine.command), made.folder / "made.release", quiet
        )
    assert machine.current == NEW
    assert machine.there <= {NEW}


# --- Refusals ---------------------------------------------------------------------------------------------


def test_older_release_is_refused_unless_allowed(machine: Machine, made: Made) -> None:
    file = made.file(write_list(made.release("0.0.9+g0000000009")))
    assert "is older than" in refused(machine, file)
    file = made.file(write_list(made.release("0.1.0+g0000000009", date=DAY_S - 1)))
    assert "--allow-older" in refused(machine, file)
    update.install(machine.releases, file, quiet, older=True)
    assert machine.current == "0.1.0+g0000000009"


def test_running_release_is_refused(machine: Machine, made: Made) -> None:
    assert "is already running" in refused(machine, made.file(write_list(made.release(OLD))))


def test_release_for_a_newer_system_is_refused(machine: Machine, made: Made) -> None:
    said = refused(machine, made.file(write_list(made.release(system=2))))
    assert "level 2, here 1" in said
    assert "installer" in said


def test_system_without_a_level_has_level_0(machine: Machine, made: Made) -> None:
    (machine.root / "etc/companion/system").unlink()
    assert "here 0" in refused(machine, made.file())


def test_release_for_other_machines_is_refused(machine: Machine, made: Made) -> None:
    assert HERE in refused(machine, made.file(write_list(made.release(systems=("cp27-riscv64",)))))


def test_full_disk_is_reported_before_writing(
    machine: Machine, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_folder.shutil, "disk_usage", lambda path: argparse.Namespace(free=100))
    assert "0 MB are free, 1 MB are needed" in refused(machine, made.file())


def test_update_during_a_trial_is_refused(machine: Machine, made: Made) -> None:
    update.install(machine.releases, made.file(), quiet)
    with pytest.raises(UpdateError, match="is on trial"):
        update.install(machine.releases, made.file(write_list(made.release("0.3.0+g0000000003"))), quiet)
    assert machine.there == {OLD, NEW}


def test_altered_file_changes_nothing(machine: Machine, made: Made) -> None:
    assert "does not match its signature" in refused(machine, made.file(files={**FILES, OWN: b"the p_ogram"}))


def test_two_updates_at_once_are_refused(machine: Machine, made: Made) -> None:
    with machine.releases._alone():
        assert "another update is running" in refused(machine, made.file())


@pytest.mark.parametrize("step", [" -m venv ", " -m pip ", "config init"])
@pytest.mark.parametrize("error", [UpdateError(Text("refused")), OSError(28, "No space left"), KeyboardInterrupt()])
def test_interrupted_update_leaves_the_old_release_whole(
    machine: Machine, made: Made, step: str, error: BaseException
) -> None:
    def stop(words: object) -> None:
        if step in " ".join(map(str, words)):
            raise error
        machine.command(words)

    before = machine.content(OLD)
    with pytest.raises((UpdateError, KeyboardInterrupt)):
        update.install(release_folder.ReleaseFolder(machine.root, stop), made.file(), quiet)
    assert (machine.current, machine.there, machine.content(OLD)) == (OLD, {OLD}, before)
    update.install(machine.releases, made.file(), quiet)
    assert machine.current == NEW


# --- The command ------------------------------------------------------------------------------------------


def command(machine: Machine, **given: object) -> str:
    out = io.StringIO()
    usual = dict.fromkeys(("file", "offer"), None) | dict.fromkeys(
        ("status", "back", "offered", "allow_older"), False
    )
    usual["no_start"] = True
    update.run(argparse.Namespace(**usual | given), out, machine.releases)
    return out.getvalue()


@pytest.fixture
def _as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.mark.usefixtures("_as_root")
def test_command_installs_reports_and_goes_back(machine: Machine, made: Made) -> None:
    said = command(machine, file=made.file())
    assert "   5%  checking and unpacking\n" in said
    assert said.endswith(f"{NEW} is installed; it runs from the next start\n")
    said = command(machine, status=True)
    assert f"{NEW} (1970-01-03): running, on trial: started 0 times\n" in said
    assert f"{OLD} (1970-01-02): the previous one (--back)\n" in said
    assert "trusted signer: companion namespaces" in said
    command(machine, back=True)
    assert machine.current == OLD
    for _ in range(4):
        machine.choose("before")
    assert machine.current == OLD


@pytest.mark.usefixtures("_as_root")
def test_status_reports_a_release_that_failed(machine: Machine, made: Made) -> None:
    command(machine, file=made.file())
    for _ in range(4):
        machine.choose("before")
    said = command(machine, status=True)
    assert f"{OLD} (1970-01-02): running\n" in said
    assert f"{NEW}: failed to start; the table went back to the previous one\n" in said
    with pytest.raises(UpdateError, match="there is no release before"):
        command(machine, back=True)


def test_update_without_root_suggests_sudo(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(OptionError, match="sudo"):
        command(machine, back=True)
    assert OLD in command(machine, status=True)


@pytest.mark.usefixtures("_as_root")
def test_missing_file_is_named(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match=r"no\.release: No such file"):
        command(machine, file=tmp_path / "no.release")


@pytest.mark.usefixtures("_as_root")
def test_going_back_needs_an_installed_release(machine: Machine) -> None:
    shutil.rmtree(machine.releases.opt)
    with pytest.raises(UpdateError, match=r"^no release is installed here; sudo systemd/install\.sh"):
        command(machine, back=True)


def test_only_files_for_this_machine_fit() -> None:
    python, machine = HERE.split("-")
    other = "cp39" if python != "cp39" else "cp38"
    assert fits("requirements.lock")
    assert fits("segno-1.6.6-py3-none-any.whl")
    assert fits("six-1-py2.py3-none-any.whl")
    assert fits(f"a-1-{python}-{python}-manylinux2014_{machine}.manylinux_2_17_{machine}.whl")
    assert fits(f"a-1-cp39-abi3-manylinux_2_28_{machine}.whl")
    assert not fits(f"a-1-{other}-{other}-manylinux_2_28_{machine}.whl")
    assert not fits(f"a-1-{python}-{python}-manylinux_2_28_riscv64.whl")
