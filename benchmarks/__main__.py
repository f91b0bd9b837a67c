"""Runs the benchmarks and prints each figure with its target."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import brokers, display, engines, floods, frames, keys, paths, phone_floods, reveal, thinking
from benchmarks.quiet import quiet
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.core.record import Entry
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.simulation import Simulation
from companion.match.simulation import run as simulate
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Journal, open_record

ROUNDS = 5
"""The median of the rounds is reported."""

STARTS = 15

GAME = load("buntherum")
NAMES = ("Anna", "Ben", "Cleo")


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median(work: Callable[[], float]) -> float:
    return statistics.median(work() for _ in range(ROUNDS))


def report(what: str, figure: str, target: str = "") -> None:
    print(f"{what:58} {figure:>22}  {target}")


def refereed() -> None:
    def whole() -> float:
        *_, tally = simulate(Simulation(GAME, NAMES, ("middle",), GAME.rulings(), "bench"), 40)
        return tally.moves / tally.seconds

    report("referee and robots in virtual time: moves a second", f"{median(whole):,.0f}")


def blank_match() -> Match:
    return new_match(GAME, NAMES, seed="bench")


def long_match(moves: int) -> Match:
    match = blank_match()
    dealt = 0
    while match.length < moves:
        draws = GAME.rules.draws(match.state)
        match.push(draws[dealt % len(draws)] if draws else Move(TABLE, "nobody"))
        dealt += 1
    return match


def growth() -> None:
    """Measure moves in short and long matches, and resuming a long match."""

    def cost(match: Match) -> float:
        def some() -> None:
            for _ in range(200):
                draws = GAME.rules.draws(match.state)
                match.push(draws[0] if draws else Move(TABLE, "nobody"))

        return seconds(some)

    short, long = long_match(100), long_match(10_000)
    costs = [(cost(short), cost(long)) for _ in range(ROUNDS)]
    ratio = statistics.median(late / early for early, late in costs)
    report("a move after 10,000 moves : a move after 100", f"{ratio:.2f}", "target: 1")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.record"
        with Journal.create(path, blank_match()) as journal:
            for entry in long_match(10_000).entries:
                journal.append(entry)
        took = median(lambda: seconds(lambda: open_record(path, all_games())))
        report("resume of a 10,000-move match", f"{took:.2f} s", "target: below 1 s")


def commit() -> None:
    """Compare the journal with bare writes."""
    ours, theirs = [], []
    entries = long_match(100).entries
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            with Journal.create(Path(folder) / "a.record", blank_match()) as journal:
                ours.append(seconds(lambda: [journal.append(entry) for entry in entries]))
            theirs.append(seconds(lambda: _bare_writes(Path(folder) / "bare", entries)))
    report("commit of a move to the journal", f"{statistics.median(ours) / len(entries) * 1e3:.2f} ms")
    ratio = statistics.median(our / their for our, their in zip(ours, theirs, strict=True))
    report("  ratio to bare write and fdatasync", f"{ratio:.2f}", "target: near 1")


def _bare_writes(path: Path, entries: list[Entry]) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    for entry in entries:
        os.write(fd, f"{entry} ;{'0' * 32}\n".encode())
        os.fdatasync(fd)
    os.close(fd)


def press_to_lamp() -> None:
    spans: dict[str, list[float]] = {"with commit": [], "beyond commit": []}
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for number in range(100):
            match = new_match(GAME, NAMES, seed=f"lamp {number}")
            with Journal.create(Path(folder) / f"{number}.record", match) as journal:
                _measure_lamp(VirtualTable(match, journal), journal, spans)
    for name, found in spans.items():
        found.sort()
        p99 = found[int(len(found) * 0.99)] * 1e3
        target = "target: p99 below 5 ms" if name == "beyond commit" else ""
        report(
            f"verdict to lamp, {name}: median, p99", f"{statistics.median(found) * 1e3:.2f}, {p99:.2f} ms", target
        )


def _measure_lamp(table: VirtualTable, journal: Journal, spans: dict[str, list[float]]) -> None:
    table.start()
    table.run(1_000_000_000)
    table.devices.buzzers[1].press()
    spent = []
    append = journal.append
    journal.append = lambda entry: spent.append(seconds(lambda: append(entry)))  # type: ignore[method-assign]
    lit = []
    show = table.devices.show

    def stamped(seat: int, lamp: object) -> None:
        lit.append(time.perf_counter())
        show(seat, lamp)  # type: ignore[arg-type]

    table.devices.show = stamped  # type: ignore[method-assign]
    began = time.perf_counter()
    table.run(1_100_000_000)
    spans["with commit"].append(lit[0] - began)
    spans["beyond commit"].append(lit[0] - began - spent[0])


def process() -> None:
    for what, words, bare, target in (
        ("companion --version : bare Python", "--version", "pass", "target: below 2.5"),
        ("start of the command : bare Python with argparse", "config --help", "import argparse, gettext", ""),
    ):
        pairs = [
            [seconds(lambda: _python(*each)) for each in (("-m", "companion", *words.split()), ("-c", bare))]  # noqa: B023
            for _ in range(STARTS)
        ]
        report(what, f"{statistics.median(ours / theirs for ours, theirs in pairs):.2f}", target)
    # getrusage would also count what the parent had used before the fork.
    memory = "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    code = f"from companion.table.app import load_rest; load_rest(); {memory}"
    memory = int(_python("-c", code))
    report("resident memory with everything imported", f"{memory / 1024:.0f} MB", "target: below 120 MB")


def _python(*arguments: str) -> str:
    # Bytecode is allowed, since otherwise the compiler would be measured.
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    words = [sys.executable, *arguments]
    return subprocess.run(words, check=True, capture_output=True, text=True, env=environ).stdout


def main() -> None:
    engines.run(report)
    for part in (refereed, growth, commit, press_to_lamp, process):
        part()
    keys.run(report)
    thinking.run(report)
    floods.run(report)
    phone_floods.run(report)
    brokers.run(report)
    paths.run(report)
    reveal.run(report)
    display.run(report)
    frames.run(report)


if __name__ == "__main__":
    with quiet():
        main()
