"""Tests the tools around the machine."""

import io
import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from tests.appliance import disk_images, machine
from tests.appliance.disk_log import DISCARD, ENTRY, FLUSH, FUA, HEAD, MAGIC, Disk, LogError, read_log
from tests.appliance.machine import Build, Machine, MachineError
from tests.kernel.guest_images import ImageError

SECTOR = 512

# --- The log of writes ------------------------------------------------------------------------------------


def log_of(*entries: tuple[int, bytes, int]) -> io.BytesIO:
    """Return a log of (first sector, a letter for each sector, flags)."""
    log = io.BytesIO()
    log.write(HEAD.pack(MAGIC, 1, len(entries), SECTOR).ljust(SECTOR, b"\0"))
    for first, letters, flags in entries:
        log.write(ENTRY.pack(first, len(letters), flags, 0).ljust(SECTOR, b"\0"))
        if not flags & DISCARD:
            log.write(b"".join(bytes([letter]) * SECTOR for letter in letters))
    return log


def left(tmp_path: Path, log: io.BytesIO, *places: int, luck: random.Random | None = None) -> list[str]:
    """Return the first letter of each sector after cuts."""
    before, target = tmp_path / "before", tmp_path / "target"
    before.write_bytes(b"." * SECTOR * 4)
    disk = Disk(before, log, read_log(log))
    found = []
    for place in places:
        disk.cut(place, target, luck)
        found.append(target.read_bytes()[::SECTOR].replace(b"\0", b"0").decode())
    return found


def test_cut_leaves_everything_written_before_it(tmp_path: Path) -> None:
    log = log_of((0, b"ab", 0), (0, b"", FLUSH), (1, b"c", 0), (3, b"d", 0))
    assert left(tmp_path, log, 0, 1, 2, 3, 4) == ["....", "ab..", "ab..", "ac..", "ac.d"]


def test_cut_may_lose_any_unflushed_write(tmp_path: Path) -> None:
    log = log_of((0, b"a", 0), (0, b"", FLUSH), (1, b"b", 0), (2, b"c", 0))
    cuts = {left(tmp_path, log, 4, luck=random.Random(seed))[0] for seed in range(40)}
    assert cuts == {"a...", "ab..", "a.c.", "abc."}


def test_forced_write_survives_without_a_flush(tmp_path: Path) -> None:
    log = log_of((0, b"a", FUA), (1, b"b", 0))
    cuts = {left(tmp_path, log, 2, luck=random.Random(seed))[0] for seed in range(20)}
    assert cuts == {"a...", "ab.."}


def test_discarded_sectors_are_zero(tmp_path: Path) -> None:
    assert left(tmp_path, log_of((1, b"xx", DISCARD), (2, b"a", 0)), 2) == [".0a."]


def test_holes_of_a_disk_stay_holes(tmp_path: Path) -> None:
    before, target = tmp_path / "before", tmp_path / "target"
    with before.open("wb") as image:
        image.truncate(64 << 20)
        image.seek(32 << 20)
        image.write(b"a" * 4096)
    log = log_of()
    Disk(before, log, read_log(log)).cut(0, target, None)
    assert target.stat().st_size == before.stat().st_size
    assert target.stat().st_blocks < 1000
    assert target.read_bytes() == before.read_bytes()


def test_cuts_must_come_in_order(tmp_path: Path) -> None:
    log = log_of((0, b"a", 0), (0, b"", FLUSH), (0, b"b", 0), (0, b"", FLUSH), (0, b"c", 0))
    with pytest.raises(ValueError, match="further"):
        left(tmp_path, log, 5, 2)


@pytest.mark.parametrize("damage", [lambda data: b"x" * 600, lambda data: data[: SECTOR + 8]])
def test_damaged_or_truncated_log_is_refused(damage) -> None:
    log = log_of((0, b"a", 0))
    with pytest.raises(LogError):
        read_log(io.BytesIO(damage(log.getvalue())))


# --- QEMU's arguments -------------------------------------------------------------------------------------


def test_first_disk_is_the_boot_disk(tmp_path: Path) -> None:
    disks = [machine.kept(Path("/a,b")), machine.logged(Path("/c"), Path("/d"), 1)]
    words = machine.command_line(Build(Path("/kernel"), disks), tmp_path)
    told = [json.loads(word) for name, word in pairwise(words) if name == "-blockdev"]
    assert [disk["node-name"] for disk in told] == ["disk0", "disk1"]
    assert told[0]["file"] == {"driver": "file", "filename": "/a,b"}
    assert told[1]["log"]["file"]["filename"] == "/d"
    devices = [word for name, word in pairwise(words) if name == "-device" and "blk" in word]
    assert devices == ["virtio-blk-pci,drive=disk0", "virtio-blk-pci,drive=disk1"]


def test_screen_can_be_absent_and_sound_added(tmp_path: Path) -> None:
    words = " ".join(machine.command_line(Build(Path("/kernel"), [], screen=False, sound=True), tmp_path))
    assert "virtio-gpu" not in words
    assert "AC97,audiodev=sound" in words


def test_machine_that_ends_at_once_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        machine, "command_line", lambda build, folder: ["sh", "-c", "echo no such disk >&2; exit 1"]
    )
    with Machine.start(Build(Path("/kernel"), []), tmp_path) as broken:
        assert broken._process
        broken._process.wait()
        with pytest.raises(MachineError, match="QEMU does not run; it said last:\nno such disk"):
            broken.run("true")


# --- Images -----------------------------------------------------------------------------------------------


def test_disk_name_depends_on_everything_installed() -> None:
    sources = {str(path.relative_to(disk_images.CHECKOUT)) for path in disk_images.sources()}
    assert {
        "companion/cli/commands.py",
        "systemd/install.sh",
        "systemd/companion.service",
        "pyproject.toml",
    } <= sources
    assert not [path for path in sources if path.endswith((".pyc", ".mo"))]


def test_locks_include_what_builds_the_wheel() -> None:
    told = [line for lock in disk_images.locks() for line in lock.read_text().splitlines()]
    assert {"hatchling", "babel", "pygame-ce", "gpiod"} <= {line.partition("==")[0] for line in told}


def test_disk_needs_the_other_images_first(tmp_path: Path) -> None:
    images = disk_images.wanted({"COMPANION_IMAGES": str(tmp_path)})
    with pytest.raises(ImageError, match=r"there is no .*kernel-.*; run `make images` first, as root"):
        disk_images.build_disk(images)
