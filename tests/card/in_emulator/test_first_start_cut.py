"""Tests that a power cut at any moment of the first start does no harm.

All its writes are logged. A cut keeps flushed writes, and any part of later ones (disk_log.py).
"""

import os
import random
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tests.appliance.disk_log import Disk, read_log
from tests.appliance.machine import Machine, copy_of
from tests.card.in_emulator.card import NO_WIRES, Card
from tests.card.in_emulator.test_card_boots import wait_for_picture

CUTS = 50 if os.environ.get("COMPANION_SOAK") else 2
AT_ONCE = 2
SETTINGS = "language = fr\nhost name = stammtisch\n"


def test_power_cuts_during_the_first_start_are_harmless(inserted: Card, tmp_path: Path) -> None:
    inserted.write_boot("companion.txt", SETTINGS)
    before, log = tmp_path / "before.img", tmp_path / "log"
    copy_of(inserted.path, tmp_path).rename(before)
    log.touch()
    with Machine.start(inserted.build(log), tmp_path / "first") as machine:
        wait_for_picture(machine, tmp_path / "first.png")
        machine.pull_the_plug()
    with log.open("rb") as file, ThreadPoolExecutor(AT_ONCE) as pool:
        writes = read_log(file)
        disk = Disk(before, file, writes)
        luck = random.Random(23)
        places = sorted(luck.sample(range(len(writes) + 1), CUTS))
        print(f"{len(writes)} writes, {sum(write.flushes for write in writes)} flushes", flush=True)
        starts: deque[Future[None]] = deque()
        for place in places:
            folder = tmp_path / str(place)
            folder.mkdir()
            disk.cut(place, folder / "cut.img", luck)
            starts.append(pool.submit(start, folder, f"after {place} writes"))
            if len(starts) == AT_ONCE:
                starts.popleft().result()
        for begun in starts:
            begun.result()


def start(folder: Path, told: str) -> None:
    """Check that a cut card starts with its settings and a grown data partition."""
    card = Card(folder / "cut.img", folder)
    (folder / "cut.img").unlink()
    with Machine.start(card.build(), folder / "machine") as machine:
        wait_for_picture(machine, folder / "picture.png")
        assert machine.run("cat /etc/companion/table.toml") == NO_WIRES.rstrip()
        assert machine.run("cat /etc/hostname").strip() == "stammtisch"
        assert len(machine.run("cat /etc/machine-id").strip()) == 32
        assert int(machine.run("df --output=size /var/lib/companion | tail -n 1")) > 1 << 20
        assert machine.run("systemctl list-units --failed --plain --no-legend").strip() == ""
        print(f"{told}: whole, {machine.age_s:.0f} s", flush=True)
    card.path.unlink()
