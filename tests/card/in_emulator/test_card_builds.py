"""Tests a new card whose companion.txt names a build."""

from pathlib import Path

import pytest
from conftest import image

from companion.config.card_file import build_table
from tests.appliance.machine import Machine
from tests.card.in_emulator.card import Card
from tests.card.in_emulator.test_card_boots import wait_for_picture

TABLE = "/var/lib/companion/table.toml"


@pytest.mark.parametrize("build", ["no-solder", "phones"])
def test_named_build_needs_no_login(build: str, shots: Path, tmp_path: Path) -> None:
    inserted = Card(image(), tmp_path)
    shipped = inserted.take("companion.txt").read_text(encoding="utf-8")
    inserted.write_boot("companion.txt", shipped.replace("#build = no-solder", f"build = {build}"))
    with Machine.start(inserted.build(), tmp_path / "machine") as machine:
        wait_for_picture(machine, shots / f"build-{build}.png")
        assert machine.run("cat /run/companion-card/notices") == ""
        assert machine.run(f"cat {TABLE}").startswith(build_table(build).read_text(encoding="utf-8"))
        assert machine.run("ls -d /var/lib/companion/table.toml*").split() == [TABLE]
        machine.run(f"companion config check {TABLE}")
        assert machine.run("systemctl show -p NRestarts --value companion.service").strip() == "0"
    inserted.path.unlink()
