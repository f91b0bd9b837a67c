"""Runs in the guest: simulates presses, lets a program judge them, and records the results."""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from benchmarks.calls import idle, ours
from benchmarks.calls.peers import PEERS, Peer
from companion.match.fairness.judge import PairJudge, limit_ns
from companion.match.fairness.pairs import DISTANCES_MS, Pair
from companion.match.fairness.rows import WARM_UP, rows
from tests.kernel.inside.gpiosim import Chip, Move, Moved, World, load

CHECKOUT: Final = Path(__file__).parents[2]

SOURCES: Final = ("gpiod", "lgpio", "rpigpio")
METHODS: Final = (*SOURCES, *PEERS)

IDLE: Final = "idle"
IDLE_SOURCES: Final = ("gpiod", "lgpio")
IDLE_S: Final = 20

BUSY: Final = 2

KEEP_AWAKE: Final = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nwhile True: pass"


@contextmanager
def awake() -> Iterator[None]:
    """Keep the guest from idling with a process of the lowest priority.

    An idle guest sleeps in the host's time and wakes milliseconds late if the host is busy.
    """
    process = subprocess.Popen([sys.executable, "-ISc", KEEP_AWAKE])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def judge(method: str, folder: Path) -> PairJudge | Peer:
    return ours.judge(method, folder) if method in SOURCES else PEERS[method]()


def measure(
    method: str, world: World, folder: Path, distances_ms: Sequence[float], *, busy: int, bounce: bool, pairs: int
) -> dict[str, Any]:
    luck = random.Random(f"{method} {bounce} {busy}")
    limit = limit_ns(ours.wiring(method)) if method in SOURCES else None

    def play(pair: Pair) -> list[Moved]:
        return world.play(Move(wait_ns, ours.PINS[place], level) for wait_ns, place, level in pair.moves)

    with judge(method, folder) as judging, load(busy) if busy else nullcontext():
        rows(judging, play, luck, WARM_UP, bounce=bounce)
        found = rows(judging, play, luck, list(distances_ms) * pairs, bounce=bounce, limit_ns=limit)
    return {"method": method, "bounce": bounce, "load": busy, "rows": found, "odd": judging.odd}


def at_rest() -> list[dict[str, Any]]:
    found = []
    for source in IDLE_SOURCES:
        for beside in idle.WITH:
            words = [sys.executable, "-m", idle.__name__, source, beside, str(IDLE_S)]
            done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT)
            figures = json.loads(done.stdout.splitlines()[-1])
            print(source, beside, figures)
            found.append({"source": source, "beside": beside, **figures})
    return found


def main(method: str, pairs: int, busy: int, out: Path) -> None:
    chip = Chip()
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)  # lgpio makes a pipe in the working folder
    os.environ["LG_WD"] = str(folder)
    if method == IDLE:
        out.write_text(json.dumps(at_rest()))
        return
    found = []
    with World(chip) as world, awake():
        for bounce in (False, True):
            within = folder / str(bounce)
            within.mkdir()
            found.append(measure(method, world, within, DISTANCES_MS, busy=busy, bounce=bounce, pairs=pairs))
            print(method, f"load {busy} bounce {bounce}: {len(found[-1]['rows'])} pairs")
    out.write_text(json.dumps(found))
