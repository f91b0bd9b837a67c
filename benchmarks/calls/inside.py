"""Runs in the guest: simulates presses, lets a program judge them, and records the results."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from benchmarks.calls import idle, ours
from benchmarks.calls.ours import Ours
from benchmarks.calls.pairs import DISTANCES_MS, LEAD_NS, REST_NS, Truth, assign, plan, row, truth
from benchmarks.calls.peers import PEERS, Peer
from tests.kernel.inside.gpiosim import Chip, Move, World, load

CHECKOUT: Final = Path(__file__).parents[2]

SOURCES: Final = ("gpiod", "lgpio", "rpigpio")
METHODS: Final = (*SOURCES, *PEERS)

IDLE: Final = "idle"
IDLE_SOURCES: Final = ("gpiod", "lgpio")
IDLE_S: Final = 20

BUSY: Final = 2

WARM_UP: Final = (5.0,) * 3
"""Pairs that do not count: they load everything."""

LAST_S: Final = 0.3
"""Longer than the slowest verdict takes."""


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


def judge(method: str, folder: Path) -> Ours | Peer:
    return Ours(method, folder) if method in SOURCES else PEERS[method]()


def rows(
    method: str,
    judging: Ours | Peer,
    world: World,
    luck: random.Random,
    distances_ms: Iterable[float],
    *,
    bounce: bool,
) -> Iterator[dict[str, Any]]:
    pairs = [plan(luck, distance_ms, bounce=bounce) for distance_ms in distances_ms]
    truths: list[Truth] = []
    for pair in pairs:
        time.sleep(REST_NS / 1e9)
        judging.reset()
        truths.append(truth(pair, world.play(Move(*move) for move in pair.moves)))
    time.sleep(LAST_S)
    began_ns = truths[0].press_ns - LEAD_NS[0]
    decisions = [decision for decision in judging.decisions() if decision.t_ns > began_ns]
    limit_ns = ours.limit_ns(method) if method in SOURCES else None
    for pair, true, made in zip(pairs, truths, assign([true.press_ns for true in truths], decisions), strict=True):
        yield row(pair, true, made, limit_ns)


def measure(
    method: str, world: World, folder: Path, distances_ms: Sequence[float], *, busy: int, bounce: bool, pairs: int
) -> dict[str, Any]:
    luck = random.Random(f"{method} {bounce} {busy}")
    with judge(method, folder) as judging, load(busy) if busy else nullcontext():
        list(rows(method, judging, world, luck, WARM_UP, bounce=bounce))
        found = list(rows(method, judging, world, luck, list(distances_ms) * pairs, bounce=bounce))
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
