"""Tests a machine whose screen is switched on late. The tests share one boot, in order."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.disk_images import Images
from tests.appliance.looks import assert_shows, attract, photograph
from tests.appliance.machine import BOOT_S, PC, Build, Machine, copy_of, kept

OFF = PC._replace(kernel_words=f"{PC.kernel_words} video=Virtual-1:d")
CONNECTOR = "/sys/class/drm/card0-Virtual-1/status"

LATE_STARTS = 2
"""The limit in usual starts from the disk, since this machine takes twenty times as long for one as a PC."""


@pytest.fixture(scope="module")
def machine(images: Images, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine that was started with its screen off."""
    folder = tmp_path_factory.mktemp("machine")
    disk = copy_of(images.disk, folder)
    with Machine.start(Build(images.kernel, [kept(disk)], board=OFF), folder) as machine:
        yield machine
    disk.unlink()


def test_log_says_that_there_is_no_screen(machine: Machine) -> None:
    failed = "journalctl --boot --unit=companion-safe --grep='cannot open the screen' --quiet"
    machine.wait_until(failed, "the safe mode finds no screen", BOOT_S)
    assert machine.run("systemctl show companion --property=Result --value") != "success"
    assert "cannot open the screen" in machine.run("cat /var/lib/companion/last-failures.txt")


def test_table_begins_by_itself_once_the_screen_is_on(machine: Machine, shots: Path, tmp_path: Path) -> None:
    machine.run(f"echo on >{CONNECTOR}")
    began_s = time.monotonic()
    machine.wait_for_table()
    late_s = time.monotonic() - began_s
    assert_shows(photograph(machine, shots / "late-screen.png"), attract(tmp_path))
    begun = "journalctl --boot --unit=companion-safe --grep='^Starting companion-safe' --output=cat --quiet | wc -l"
    assert machine.run(begun) == "1", "it waited in one process"
    machine.run("systemctl stop companion; sync; echo 3 >/proc/sys/vm/drop_caches")
    began_s = time.monotonic()
    machine.run("systemctl start companion")
    usual_s = time.monotonic() - began_s
    print(f"the table began after {late_s:.1f} s; a start takes {usual_s:.1f} s here")
    assert late_s < LATE_STARTS * usual_s
