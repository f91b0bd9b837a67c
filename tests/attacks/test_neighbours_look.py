"""Another user of the machine sees the same of two matches that differ in a secret."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.neighbour import as_root, open_the_way, seen_by
from tests.running import COMMAND, environment

RECORD: Final = "match.record"
BIDS: Final = (("1 #", "* 5 5 #"), ("1 2 3 4 5 1 2 3 #", "* 1 #"))
"""Two bids of seat 1 in its first duel: few cards and many."""

pytestmark = as_root


@contextmanager
def match_after(folder: Path, bids: Sequence[str]) -> Iterator[int]:
    """Start a match with locked bids; yield its process id."""
    words = [*COMMAND, "headless", "buro_crazy", "--seed", "7", "--journal", RECORD]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, text=True, cwd=folder, env=environment(folder)
    ) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.writelines(f"{at_s} seat 1 keys {bid}\n" for at_s, bid in enumerate(bids, 3))
        program.stdin.flush()
        for _ in bids:
            while '"kind": "locked"' not in (line := program.stdout.readline()):
                assert line, "the program has ended"
        yield program.pid
        program.stdin.close()
        program.stdout.read()
    assert program.returncode == 0


def looked_at(folder: Path, pid: int) -> dict[str, str]:
    """Return a neighbour's findings about files and process, "refused" where access is denied."""
    path = folder / RECORD
    commands = {
        "files": ["stat", "-c", "%n %s %b %h %a %U", path, folder / ".companion.lock"],
        "folder": ["ls", "-lA", "--time-style=+", folder],
        "ps": ["ps", "-o", "args=,stat=,nlwp=", "-p", pid],
        "commandline": ["cat", f"/proc/{pid}/cmdline"],
        "record": ["cat", path],
        "lock": ["cat", folder / ".companion.lock"],
        **{name: ["cat", f"/proc/{pid}/{name}"] for name in ("environ", "io", "maps", "mem", "stack", "syscall")},
        "files open": ["ls", f"/proc/{pid}/fd"],
        "folder of the process": ["readlink", f"/proc/{pid}/cwd"],
    }
    lock_size = f" {(folder / '.companion.lock').stat().st_size} "  # as the process number's digits
    found = {}
    for name, words in commands.items():
        done = seen_by(*words)
        seen = done.stdout.decode().replace(str(folder), "FOLDER").replace(lock_size, " LOCK ")
        found[name] = seen if done.returncode == 0 else "refused"
    return found


OPEN: Final = {"files", "folder", "ps", "commandline"}
"""The findings that anybody may see in a readable folder."""


def test_neighbour_sees_the_same_for_any_bid(tmp_path: Path) -> None:
    seen = []
    for number, bids in enumerate(BIDS):
        folder = tmp_path / str(number)
        folder.mkdir(mode=0o755)
        open_the_way(folder / RECORD)
        with match_after(folder, bids) as pid:
            seen.append(looked_at(folder, pid))
    assert {name for name, what in seen[0].items() if what != "refused"} == OPEN
    assert all(seen[0][name] for name in OPEN)
    assert seen[0] == seen[1]
