"""Tests a machine with the Debian package of `make deb`. The tests share one boot, in order."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.disk_images import RECIPES, Images
from tests.appliance.looks import assert_shows, attract, photograph
from tests.appliance.machine import BOOT_S, Build, Machine, kept
from tests.deb.debians import PACKAGES, package
from tests.kernel.guest_images import CHECKOUT


@pytest.fixture(scope="module")
def machine(images: Images, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    if os.geteuid() != 0 or not PACKAGES.is_dir():
        pytest.skip("a disk with the package needs root, and `make deb`")
    folder = tmp_path_factory.mktemp("package")
    disk = folder / "disk.img"
    words = [RECIPES / "build_disk.sh", CHECKOUT, images.system, folder, disk, package()]
    subprocess.run(words, capture_output=True, check=True)
    with Machine.start(Build(images.kernel, [kept(disk)]), folder) as machine:
        yield machine
    disk.unlink()


def process(machine: Machine) -> str:
    return machine.run("systemctl show companion --property=MainPID --value")


def test_package_boots_to_the_attract_screen(machine: Machine, shots: Path, tmp_path: Path) -> None:
    machine.wait_for_table()
    assert_shows(photograph(machine, shots / "attract.png"), attract(tmp_path))
    assert machine.run("systemctl --failed --no-legend") == ""


def test_configuring_the_package_restarts_the_table(machine: Machine) -> None:
    before = process(machine)
    machine.run("dpkg-reconfigure table-companion", BOOT_S)
    machine.wait_until(f"test $(systemctl show companion --property=MainPID --value) != {before}", "it restarts")
    machine.wait_for_table()


def test_removing_the_package_returns_the_login_prompt(machine: Machine) -> None:
    assert machine.run("dpkg --remove table-companion 2>&1 >/dev/null", BOOT_S) == ""
    machine.wait_until("systemctl --quiet is-active getty@tty1", "the login prompt is back")
    assert machine.attempt("systemctl is-active companion companion-safe companion-good.path")[0]
    assert machine.run("systemctl --failed --no-legend") == ""
