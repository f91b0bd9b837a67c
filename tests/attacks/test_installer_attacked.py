"""The installer, run as root, follows and believes nothing that the service's user left.

A small root file system stands for the machine; commands within it are only written down.
"""

import os
import stat
import subprocess
from pathlib import Path

import pytest

INSTALLER = Path(__file__).parents[2] / "systemd" / "install.sh"

CHROOT = """#!/bin/sh
root=$1
shift
echo "$PWD $*" >>"$root/ran"
find "$root" -type f -perm /077 -exec grep -l a-hash {} + >>"$root/copies"
case $1 in
    dpkg) echo amd64 ;;
    getent) grep "^$3:" "$root/etc/$2" ;;
esac
"""
"""Stands for chroot(8), and copies secrets that others may read."""

SECRET = "root:$6$a-hash:::::::\n"
NOTED = "etc/companion/groups"
STATE = "var/lib/companion"
USER = 4242

TIMEOUT_S = 30

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the installer wants root, and files of two users")


class Machine:
    """A machine with the companion installed, as far as uninstalling needs it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.tools = folder / "tools"
        self.write("etc/os-release", "ID=debian\nVERSION_ID=12\n")
        self.write("etc/shadow", SECRET).chmod(0o600)
        self.write("etc/passwd", "companion:x:999:999::/var/lib/companion:/usr/sbin/nologin\n")
        groups = ("audio", "gpio", "input", "shadow", "sudo")
        self.write("etc/group", "".join(f"{name}:x:{number}:\n" for number, name in enumerate(groups, 50)))
        self.write("opt/companion/current/table.toml.default", "# as installed\n")
        self.write(f"{STATE}/table.toml", "# as installed\n")
        (self.root / "etc/sudoers.d").mkdir(mode=0o750)
        (self.root / "etc/companion").mkdir()
        self.tools.mkdir()
        (self.tools / "chroot").write_text(CHROOT)
        (self.tools / "chroot").chmod(0o755)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def plant(self, name: str, target: str) -> Path:
        """Link to a path of this machine, as the service's user may."""
        path = self.root / name
        path.unlink(missing_ok=True)
        path.symlink_to(self.root / target)
        os.chown(path, USER, USER, follow_symlinks=False)
        return path

    def keep(self) -> None:
        """Leave a record, for which uninstalling keeps the state."""
        self.write(f"{STATE}/matches/2026-01-01-000000-buntherum.record", "a match")

    def uninstall(self, *options: str, within: Path | None = None) -> None:
        done = subprocess.run(
            [INSTALLER, "--root", self.root, "--uninstall", *options],
            env={"PATH": f"{self.tools}:{os.environ['PATH']}"},
            cwd=within,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        assert (done.returncode, done.stderr) == (0, "")

    @property
    def ran(self) -> list[str]:
        return [line.partition(" ")[2] for line in (self.root / "ran").read_text().splitlines()]

    @property
    def removed_groups(self) -> list[str]:
        return [line.partition(" ")[2] for line in self.ran if line.startswith("groupdel ")]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_link_to_the_passwords_is_not_copied(machine: Machine) -> None:
    machine.plant(f"{STATE}/groups", "etc/shadow")
    machine.uninstall("--purge")
    assert (machine.root / "copies").read_text() == ""
    shadow = machine.root / "etc/shadow"
    assert (shadow.read_text(), stat.S_IMODE(shadow.stat().st_mode)) == (SECRET, 0o600)
    assert machine.removed_groups == []


def test_group_list_of_the_services_user_is_ignored(machine: Machine) -> None:
    machine.write(f"{STATE}/groups", "sudo\nshadow\naudio\n")
    machine.uninstall("--purge")
    assert "userdel companion" in machine.ran
    assert machine.removed_groups == []


def test_link_to_a_root_folder_is_not_followed(machine: Machine) -> None:
    machine.write(NOTED, "gpio\n")
    machine.plant(f"{STATE}/groups", "etc/sudoers.d")
    machine.keep()
    machine.uninstall()
    assert list((machine.root / "etc/sudoers.d").iterdir()) == []
    assert (machine.root / NOTED).read_text() == "gpio\n"
    assert machine.removed_groups == []
    machine.uninstall("--purge")
    assert machine.removed_groups == ["gpio"]
    assert not (machine.root / "etc/companion").exists()
    assert not (machine.root / STATE).exists()


def test_only_device_groups_are_removed(machine: Machine) -> None:
    machine.write(NOTED, "sudo\ngpio\n-f\ngpio; reboot\naudio extra\n")
    machine.uninstall("--purge")
    assert machine.removed_groups == ["gpio"]


def test_note_not_owned_by_root_is_ignored(machine: Machine) -> None:
    os.chown(machine.write(NOTED, "gpio\n"), USER, USER)
    machine.uninstall("--purge")
    assert machine.removed_groups == []


def test_note_that_is_a_link_is_ignored(machine: Machine) -> None:
    machine.write("etc/list", "gpio\n")
    machine.plant(NOTED, "etc/list")
    machine.uninstall("--purge")
    assert machine.removed_groups == []
    assert (machine.root / "etc/list").read_text() == "gpio\n"


def test_pipe_instead_of_the_table_does_not_block(machine: Machine) -> None:
    table = machine.root / STATE / "table.toml"
    table.unlink()
    os.mkfifo(table)
    machine.uninstall()
    assert stat.S_ISFIFO(table.lstat().st_mode)


@pytest.mark.parametrize("folder", [STATE, f"{STATE}/matches"])
def test_purge_does_not_follow_links(machine: Machine, folder: str) -> None:
    (machine.root / folder).mkdir(exist_ok=True)
    machine.plant(f"{folder}/more", "etc")
    machine.uninstall("--purge")
    assert not (machine.root / STATE).exists()
    assert (machine.root / "etc/shadow").read_text() == SECRET


def test_commands_never_run_in_a_writable_folder(machine: Machine) -> None:
    """Python would import modules from there."""
    machine.uninstall(within=machine.root / STATE)
    places = {line.partition(" ")[0] for line in (machine.root / "ran").read_text().splitlines()}
    assert places == {"/"}


def test_os_release_is_read_and_never_executed(machine: Machine) -> None:
    machine.write("etc/os-release", f'ID="debian"\nVERSION_ID="12"\ntouch {machine.root}/was-run\n')
    machine.uninstall()
    assert not (machine.root / "was-run").exists()
