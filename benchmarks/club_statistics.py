"""Measures the statistics of a large club: `python -m benchmarks.club_statistics FOLDER [N]`.

N (100,000) records are made below FOLDER and kept. The statistics run once without an index and then with it, each
in a separate process.
"""

import random
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

from companion.core.dealer import DEALS
from companion.games import all_games
from companion.match.simulation import Simulation, run
from companion.records import index, stats_text

NAMES = tuple(f"Player {number:02}" for number in range(64))
SEATS = ("Anna", "Ben", "Cleo", "Dan")
KINDS = {"buntherum": ("strong", "middle", "middle", "easy")}


def make(folder: Path, count: int) -> None:
    games, luck = all_games(), random.Random(1)
    tables = [folder / f"table-{number}" for number in range(1, 5)]
    for table in tables:
        table.mkdir(parents=True)
    texts = []
    for game in games.values():
        if game.no_robots(game.rulings(), DEALS[0]):
            continue
        kinds = KINDS.get(game.name, (next(iter(game.bots)),))
        list(run(Simulation(game, SEATS, kinds, game.rulings(), "club", folder / game.name), 100))
        texts += [(game.name, path.read_text("utf-8")) for path in sorted((folder / game.name).iterdir())]
    for number in range(count):
        game, text = texts[number % len(texts)]
        others = dict(zip(SEATS, luck.sample(NAMES, len(SEATS)), strict=True))
        changed = re.sub(r'"(Anna|Ben|Cleo|Dan)"', lambda found: f'"{others[found[1]]}"', text)  # noqa: B023
        (tables[number % 4] / f"{number:06}-{game}.record").write_text(changed, "utf-8")


def measure(folders: list[Path]) -> None:
    began, used = time.perf_counter(), time.process_time()
    found = index.statistics(folders, all_games())
    told = stats_text.report(found, "the club")
    seconds, used = time.perf_counter() - began, time.process_time() - used
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    counted = f"{found.matches} matches, {len(found.players)} players, {found.verdicts} verdicts"
    print(f"{counted}, {len(told)} signs: {seconds:.1f} s, {used:.1f} s of a core, {most:.0f} MB", flush=True)


def main() -> None:
    folder, *more = sys.argv[1:]
    if more == ["measure"]:
        measure(sorted(Path(folder).glob("table-*")))
        return
    if not Path(folder).exists():
        make(Path(folder), int(more[0]) if more else 100_000)
    for _ in range(3):
        subprocess.run([sys.executable, "-m", "benchmarks.club_statistics", folder, "measure"], check=True)


if __name__ == "__main__":
    main()
