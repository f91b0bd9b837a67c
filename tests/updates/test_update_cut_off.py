"""Tests that an update killed at any step leaves a whole release."""

import json
import subprocess
import sys
from pathlib import Path

from companion.cli import update
from tests.running import environment
from tests.updates.release_bench import NEW, OLD, Machine, Made

TRIES = 3
CUTS = 100
"""The least number of steps."""


def test_update_killed_at_each_step_leaves_whole_release(made: Made, signer: str, tmp_path: Path) -> None:
    file, folder = made.file(), tmp_path / "cuts"
    folder.mkdir()
    here = Path(__file__).parent
    words = [sys.executable, here / "cut_off.py", folder, file, signer]
    path = f"{here}:{here.parent}:{here.parents[1]}"
    told = subprocess.run(
        words, capture_output=True, text=True, check=False, env=environment(tmp_path) | {"PYTHONPATH": path}
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    killed = found["killed"]
    assert killed >= CUTS
    undisturbed = Machine(folder / str(killed + 1))
    whole = {OLD: found["old"], NEW: undisturbed.content(NEW)}
    assert undisturbed.current == NEW
    left, looked_at = {}, {}
    for last in range(1, killed + 1):
        disk = on_disk(folder / str(last))
        if disk not in looked_at:  # equal disks start equally
            looked_at[disk] = look(Machine(folder / str(last)), file, whole)
        left[last] = looked_at[disk]
    switched = [last for last, current in left.items() if current == NEW]
    assert switched == list(range(min(switched), killed + 1))  # from one step on


def on_disk(root: Path) -> frozenset[tuple[Path, int, Path | bytes | None]]:
    """Return each path with its mode and its content or target."""
    found = set()
    for path in root.rglob("*"):
        held = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found.add((path.relative_to(root), path.lstat().st_mode, held))
    return frozenset(found)


def look(machine: Machine, file: Path, whole: dict[str, dict[str, str]]) -> str:
    """Check that the next start finds a whole release, and repeat the update; return the release."""
    machine.choose("before")
    current = machine.current
    assert machine.content(current) == whole[current]
    if current == OLD:
        update.install(machine.releases, file, lambda *_: None)
        assert machine.content(NEW) == whole[NEW]
        machine.choose("before")
    assert (machine.current, machine.there) == (NEW, {OLD, NEW})
    for _ in range(TRIES):
        machine.choose("before")
    assert machine.current == OLD
    assert machine.content(OLD) == whole[OLD]
    return current
