"""An update that is killed at each of its steps: the old release or the new one is whole, and starts."""

import json
import subprocess
import sys
from pathlib import Path

from companion.cli import update
from tests.running import environment
from tests.updates.release_bench import NEW, OLD, Machine, Made

TRIES = 3
CUTS = 100
"""So many at least."""


def test_an_update_is_killed_at_each_step(made: Made, signer: str, tmp_path: Path) -> None:
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
        if disk not in looked_at:  # from the same disk the same start follows
            looked_at[disk] = look(Machine(folder / str(last)), file, whole)
        left[last] = looked_at[disk]
    switched = [last for last, current in left.items() if current == NEW]
    assert switched == list(range(min(switched), killed + 1))  # from one step on, and never before


def on_disk(root: Path) -> frozenset[tuple[Path, int, Path | bytes | None]]:
    """Return all that is there: each path, its mode, and what it holds or where it leads."""
    found = set()
    for path in root.rglob("*"):
        held = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found.add((path.relative_to(root), path.lstat().st_mode, held))
    return frozenset(found)


def look(machine: Machine, file: Path, whole: dict[str, dict[str, str]]) -> str:
    """See that the next start comes to a whole release, and the update can be made again; return which it was."""
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
