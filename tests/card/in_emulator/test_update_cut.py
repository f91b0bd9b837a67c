"""Tests that power cuts during an update leave a whole release.

All its writes are logged. A cut keeps flushed writes, and any part of later ones (disk_log.py). Each cut is
examined from outside, and some are started. The release is the last one of `make release`, with a future version
and the test's signature.
"""

import hashlib
import io
import json
import os
import random
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Final

import pytest

from tests.appliance.disk_log import Disk, read_log
from tests.appliance.machine import Build, Machine, copy_of
from tests.card.in_emulator.card import CHECKOUT, Card
from tests.card.in_emulator.test_card_boots import wait_for_picture

CUTS: Final = 100 if os.environ.get("COMPANION_SOAK") else 10
STARTED: Final = 5 if os.environ.get("COMPANION_SOAK") else 1

UPDATE_S: Final = 1800
"""An emulated processor is slow."""

NEW: Final = "99.0+g0123456789"
RELEASES: Final = CHECKOUT / "build" / "release"
SIGNERS: Final = "/etc/companion/allowed_signers"
PATIENT: Final = "/run/systemd/system/companion.service.d/patient.conf"
STICK_MB: Final = 128
FSCK_MENDED: Final = 1


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stick with the release; its signer's line is beside it."""
    made = sorted(RELEASES.glob("*.release"), key=lambda path: path.stat().st_mtime)
    if not made:
        pytest.skip("there is no release; `make release KEY=...` makes one")
    folder = tmp_path_factory.mktemp("stick")
    key = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signer = " ".join(key.with_suffix(".pub").read_text().split()[:2])
    (folder / "signer").write_text(f'companion namespaces="table-companion" {signer}\n')
    release, stick = folder / "new.release", folder / "stick.img"
    sign_anew(made[-1], release, key)
    with stick.open("wb") as file:
        file.truncate(STICK_MB << 20)
    subprocess.run(["sfdisk", "--quiet", stick], input="start=1MiB, type=c\n", text=True, check=True)
    subprocess.run(["mformat", "-i", f"{stick}@@1M", "-F", "::"], check=True)
    subprocess.run(["mcopy", "-i", f"{stick}@@1M", release, "::"], check=True)
    return stick


def sign_anew(source: Path, target: Path, key: Path) -> None:
    """Write a release with another version and signature."""
    with tarfile.open(source) as old, tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as new:
        for head in old:
            file = old.extractfile(head)
            assert file
            data = file.read()
            if head.name == "manifest.json":
                listed = data = json.dumps(json.loads(data) | {"version": NEW}).encode()
            elif head.name == "manifest.json.sig":
                words = ["ssh-keygen", "-q", "-Y", "sign", "-n", "table-companion", "-f", key]
                data = subprocess.run(words, input=listed, capture_output=True, check=True).stdout
            head.size = len(data)
            new.addfile(head, io.BytesIO(data))


def with_stick(build: Build, stick: Path) -> Build:
    drive = json.dumps({"driver": "raw", "node-name": "stick", "file": {"driver": "file", "filename": str(stick)}})
    plugged = ["-blockdev", drive, "-device", "usb-storage,drive=stick"]
    return build._replace(more=[*build.more, *plugged])


def update(machine: Machine, signer: str) -> None:
    """Install the stick's release, like a person at the table."""
    machine.run(f"printf '%s' '{signer}' >>{SIGNERS}")
    machine.run(f"mkdir -p {Path(PATIENT).parent}; printf '[Service]\\nTimeoutStartSec=600\\n' >{PATIENT}")
    machine.run("systemctl daemon-reload; systemctl restart 'companion-stick@*'")
    machine.wait_until(f"grep {NEW} /run/companion-update/offer-*.json", "the stick is offered", 300)
    machine.run("touch /run/companion/update")
    running = f"test $(basename $(readlink /opt/companion/current)) = {NEW}"
    machine.wait_until(f"{running} || {{ cat /run/companion-update/progress.json; false; }}", "updated", UPDATE_S)
    machine.wait_until("test ! -e /opt/companion/trial", "good", 900)


def test_power_cuts_during_an_update_leave_whole_release(inserted: Card, signed: Path, tmp_path: Path) -> None:
    with Machine.start(inserted.build(), tmp_path / "first") as machine:
        wait_for_picture(machine, tmp_path / "first.png")
        old = machine.run("basename $(readlink /opt/companion/current)")
        machine.power_off()
    before, log = tmp_path / "before.img", tmp_path / "log"
    copy_of(inserted.path, tmp_path).rename(before)
    log.touch()
    with Machine.start(with_stick(inserted.build(log), signed), tmp_path / "update") as machine:
        wait_for_picture(machine, tmp_path / "old.png")
        update(machine, (signed.parent / "signer").read_text().strip())
        machine.run("sync")
        machine.pull_the_plug()
    whole = opt_of(inserted, tmp_path / "whole")
    assert whole["current"] == f"releases/{NEW}"
    with log.open("rb") as file:
        writes = read_log(file)
        disk = Disk(before, file, writes)
        luck = random.Random(23)
        # Half of them near the end, where the release is switched.
        near = len(writes) * 19 // 20
        places = sorted(
            [*luck.sample(range(near), CUTS // 2), *luck.sample(range(near, len(writes) + 1), CUTS // 2)]
        )
        started = set(luck.sample(places, STARTED))
        print(f"{len(writes)} writes, {sum(write.flushes for write in writes)} flushes")
        seen = set()
        for place in places:
            disk.cut(place, inserted.path, luck)
            there = opt_of(inserted, tmp_path / "cut")
            chosen = there.get("current", f"releases/{old}")
            assert chosen in {f"releases/{old}", f"releases/{NEW}"}, place
            if chosen == f"releases/{NEW}":
                assert part(there, chosen) == part(whole, chosen), place
            print(f"after {place} writes: {chosen}", flush=True)
            seen.add(chosen)
            if place in started:
                start(inserted, chosen, tmp_path / str(place))
    assert len(seen) == 2, "the power went only on one side of the switch"


def start(card: Card, chosen: str, folder: Path) -> None:
    """Check that the card starts with its chosen release."""
    with Machine.start(card.build(), folder) as machine:
        wait_for_picture(machine, folder / "picture.png")
        assert machine.run("readlink /opt/companion/current") == chosen
        assert machine.run("companion update --status")
        print(f"started with {chosen}, {machine.age_s:.0f} s", flush=True)


def opt_of(card: Card, folder: Path) -> dict[str, str]:
    """Return link targets and SHA-256 of files in the card's /opt/companion."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    data = folder / "data.img"  # e2fsck cannot repair a partition at an offset
    where = [f"if={card.path}", f"of={data}", f"skip={card.data.start >> 20}"]
    subprocess.run(["dd", *where, "bs=1M", "conv=sparse", "status=none"], check=True)
    mended = subprocess.run(["e2fsck", "-p", data], capture_output=True, text=True, check=False)
    assert mended.returncode <= FSCK_MENDED, mended.stdout
    subprocess.run(["debugfs", "-R", f"rdump /opt/upper {folder}", data], check=True, capture_output=True)
    data.unlink()
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder / "upper")) if path != folder / "upper" else "."
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def part(content: dict[str, str], folder: str) -> dict[str, str]:
    return {name: what for name, what in content.items() if name.startswith(f"{folder}/")}
