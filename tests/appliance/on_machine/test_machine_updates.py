"""Tests renamed copies of the installed release on trial. The tests share one boot, in order."""

from pathlib import Path

from tests.appliance.hands import Hands
from tests.appliance.looks import ALIKE, assert_shows, attract, likeness, photograph
from tests.appliance.machine import Machine

OPT = "/opt/companion"
TRIAL_S = 240
"""A trial lasts a minute after the first picture, and the emulated machine is slow."""


def current(machine: Machine) -> str:
    return machine.run(f"readlink {OPT}/current").removeprefix("releases/")


def lay(machine: Machine, version: str) -> None:
    """Add a copy of the running release."""
    machine.run(
        f"cd {OPT}/releases && cp -a {current(machine)} {version}"
        f' && sed -i "1s|releases/[^/]*|releases/{version}|" {version}/venv/bin/companion'
    )


def take(machine: Machine, version: str) -> None:
    """Switch to a release like an update."""
    machine.run(f"companion-release take {version}; systemctl reset-failed companion")
    machine.run("systemctl --no-block restart companion")


def test_working_release_is_kept(machine: Machine, shots: Path, tmp_path: Path) -> None:
    machine.wait_for_table()
    old = current(machine)
    lay(machine, "99.0")
    take(machine, "99.0")
    assert machine.run(f"cat {OPT}/trial").split()[0] == "99.0"
    machine.wait_until(f"test ! -e {OPT}/trial", "it is good", TRIAL_S)
    assert current(machine) == "99.0"
    assert machine.run(f"readlink {OPT}/previous") == f"releases/{old}"
    process = machine.run("systemctl show companion --property=MainPID --value")
    assert f"{OPT}/releases/99.0/" in machine.run(f"tr '\\0' ' ' </proc/{process}/cmdline")
    assert_shows(photograph(machine, shots / "new-release.png"), attract(tmp_path))


def test_release_failing_three_times_is_replaced_and_announced(
    machine: Machine, hands: Hands, shots: Path, tmp_path: Path
) -> None:
    lay(machine, "99.1")
    machine.run(f"rm {OPT}/releases/99.1/venv/lib/python3*/site-packages/companion/cli/commands.py")
    take(machine, "99.1")
    machine.wait_until(f"test -e {OPT}/failed", "it is given up", TRIAL_S)
    machine.wait_for_table()
    assert machine.run(f"cat {OPT}/failed") == "99.1"
    assert current(machine) == "99.0"
    assert machine.attempt(f"test -e {OPT}/trial")[0] == 1
    assert machine.attempt("systemctl is-active --quiet companion-safe")[0] != 0
    notice = photograph(machine, shots / "switched-back.png")
    assert likeness(notice, attract(tmp_path)) < ALIKE
    hands.house("ok")  # dismisses the notice
    assert_shows(photograph(machine, shots / "after-it.png"), attract(tmp_path / "again"))
