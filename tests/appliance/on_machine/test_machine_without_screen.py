"""Tests that a machine without a screen says so in the log."""

from pathlib import Path

import pytest

from tests.appliance.disk_images import Images
from tests.appliance.machine import BOOT_S, Build, Machine, copy_of, kept


@pytest.fixture
def blind(images: Images, tmp_path: Path) -> Path:
    return copy_of(images.disk, tmp_path)


def test_log_says_that_there_is_no_screen(images: Images, blind: Path, tmp_path: Path) -> None:
    with Machine.start(Build(images.kernel, [kept(blind)], screen=False), tmp_path) as machine:
        failed = "journalctl --boot --unit=companion-safe --grep='cannot open the screen' --quiet"
        machine.wait_until(failed, "the safe mode finds no screen", BOOT_S)
        assert machine.run("systemctl show companion --property=Result --value") != "success"
        assert "cannot open the screen" in machine.run("cat /var/lib/companion/last-failures.txt")
    blind.unlink()
