"""Tests that power cuts during an update and its trial leave a whole release on ext4.

QEMU's storage daemon logs the disk's writes and flushes. A cut keeps flushed writes, and any part of later ones
(tests/appliance/disk_log.py).
"""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.appliance.disk_log import Disk, Write, read_log
from tests.appliance.machine import logged
from tests.running import environment
from tests.updates.release_bench import NEW, OLD, OLDER, Machine, Made

CUTS: Final = 100
DISK_MB: Final = 32
PATIENCE_S: Final = 60
MENDED: Final = 1
"""e2fsck may fix something, such as replaying its journal."""

TOOLS: Final = ("qemu-storage-daemon", "mke2fs", "e2fsck", "debugfs", "losetup")

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/fuse").exists() or None in map(shutil.which, TOOLS),
    reason=f"it mounts a disk: it needs root, /dev/fuse and {', '.join(TOOLS)}",
)


def run(*words: object, **how: object) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@contextmanager
def plugged(disk: Path, log: Path, folder: Path) -> Iterator[None]:
    """Mount a disk, and log its writes."""
    export = disk.with_name("export")
    export.touch()
    words = ["qemu-storage-daemon", "--blockdev", logged(disk, log, 0)]
    words += ["--export", f"type=fuse,id=disk,node-name=disk0,mountpoint={export},writable=on"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as daemon:
        try:
            end_s = time.monotonic() + PATIENCE_S
            while export.stat().st_size == 0:
                if daemon.poll() is not None:
                    pytest.skip(f"the storage daemon cannot export a disk here: {daemon.communicate()[1]}")
                assert time.monotonic() < end_s
                time.sleep(0.01)
            mounted = subprocess.run(["mount", "-o", "loop", export, folder], capture_output=True, check=False)
            if mounted.returncode:
                pytest.skip(f"nothing can be mounted here: {mounted.stderr.decode()}")
            try:
                yield
            finally:
                run("umount", folder)
        finally:
            daemon.terminate()


def taken_out(disk: Path, root: Path) -> Machine:
    """Return a disk's machine after the check at a start."""
    shutil.rmtree(root / "opt", ignore_errors=True)
    opt = root / "opt/companion"
    opt.mkdir(parents=True)
    checked = subprocess.run(["e2fsck", "-p", disk], capture_output=True, text=True, check=False)
    assert checked.returncode <= MENDED, checked.stdout
    run("debugfs", "-R", f"rdump / {opt}", disk)
    return Machine(root)


def test_power_cuts_during_an_update_leave_whole_release(
    machine: Machine, made: Made, tmp_path: Path, soak_count: Callable[..., int]
) -> None:
    file, disk, before, log = made.file(), tmp_path / "disk", tmp_path / "before", tmp_path / "log"
    machine.add(OLDER)
    (machine.opt / "previous").symlink_to(f"releases/{OLDER}")
    whole = {version: machine.content(version) for version in (OLDER, OLD)}
    run("mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", machine.opt, disk, f"{DISK_MB}M")
    shutil.copy(disk, before)
    log.touch()
    with plugged(disk, log, machine.opt):
        here = Path(__file__).parent
        environ = environment(tmp_path) | {"PYTHONPATH": f"{here}:{here.parent}:{here.parents[1]}"}
        environ["PATH"] = os.environ["PATH"].partition(":")[2]  # without the stand-in for sync
        run(sys.executable, here / "power_cut.py", machine.root, file, env=environ)
        whole[NEW] = machine.content(NEW)
        assert machine.current == OLD
    with log.open("rb") as written:
        writes = read_log(written)
        assert_cuts(Disk(before, written, writes), writes, tmp_path, whole, soak_count(100 * CUTS, CUTS))


def assert_cuts(
    disk: Disk, writes: list[Write], tmp_path: Path, whole: dict[str, dict[str, str]], cuts: int
) -> None:
    luck, ran = random.Random(23), {OLD: 0, NEW: 0}
    for place in sorted(luck.choices(range(len(writes) + 1), k=cuts)):
        disk.cut(place, tmp_path / "cut", luck)
        machine = taken_out(tmp_path / "cut", tmp_path / "root")
        machine.choose("before")
        current = machine.current
        assert machine.content(current) == whole[current], place
        ran[current] += 1
    assert all(ran.values())
