"""A match that is killed at any instant loses nothing that was printed, and can be resumed."""

import io
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep
from typing import NamedTuple

import pytest

from companion.cli.headless import Printer, run_script
from companion.core.match import Match
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import open_record
from tests.noted import game_events, recorded, script_of_robots
from tests.running import COMMAND, Here, environment

GAME = load("buntherum")
RULINGS = ("late_declare=skip",)
UNDO_S = (7, 15, 23, 31)
FURTHER = "6 seat 1 buzz\n6.01 seat 2 buzz\n6.02 seat 3 buzz\n6.2 wait\n"


def fresh() -> Match:
    return new_match(GAME, NAMES[:3], rulings=GAME.rulings(late_declare="skip"), seed="kill")


class Played(NamedTuple):
    """`printed[n]` counts the lines printed for the script's first `n` lines."""

    script: Sequence[str]
    printed: Sequence[int]


@pytest.fixture(scope="module")
def played() -> Played:
    script = script_of_robots(fresh(), ["middle", "random"], UNDO_S)
    return Played(script, [lines_printed(script[:count]) for count in range(len(script))])


def lines_printed(script: Sequence[str]) -> int:
    out = io.StringIO()
    run_script(VirtualTable(fresh()), script, "script", Printer(out, None))
    return len(out.getvalue().splitlines()) - 1  # the result comes at the end of the input


def killed(path: Path, played: Played, luck: random.Random) -> list[str]:
    """Run a part of the script, kill the program, and return its printed lines."""
    fed = luck.randrange(1, len(played.script))
    words = ["headless", "buntherum", "--seed", "kill", "--ruling", *RULINGS, "--journal", str(path)]
    with subprocess.Popen(
        [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(path.parent)
    ) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write("".join(played.script[:fed]))
        program.stdin.flush()
        lines = [program.stdout.readline() for _ in range(luck.randint(1, played.printed[fed]))]
        sleep(luck.choice((0, luck.random() / 100)))
        program.kill()
        lines += program.stdout.readlines()
    return [line for line in lines if line.endswith("\n")]


@pytest.mark.soak
def test_killed_match_keeps_everything_it_printed(
    played: Played, tmp_path: Path, soak_count: Callable[[int], int], companion_here: Here
) -> None:
    for number in range(soak_count(1_000)):
        path = tmp_path / str(number) / "match.record"
        path.parent.mkdir()
        printed = killed(path, played, random.Random(number))
        before = open_record(path, all_games())
        told = game_events(printed)
        assert recorded(before.match)[: len(told)] == told
        undone = sum('"undone"' in line for line in printed)
        assert undone <= sum(entry.kind == "undo" for entry in before.match.entries)

        done = companion_here("headless", "buntherum", "--journal", path, "--resume", stdin=FURTHER)
        assert done.returncode == 0, done.stderr
        after = open_record(path, all_games())
        assert after.damage is None
        kept = len(before.match.entries)
        assert after.match.entries[:kept] == before.match.entries
        assert after.match.entries[-1].move.startswith("T call ")
        assert recorded(after.match)[-1] == game_events(done.stdout.splitlines())[-1]


def test_early_kill_leaves_a_whole_head_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    for part in range(10):
        with subprocess.Popen(
            [*COMMAND, "headless", "buntherum", "--journal", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=environment(tmp_path),
        ) as program:
            sleep(part / 50)
            program.kill()
        if path.exists():
            assert open_record(path, all_games()).damage is None
            path.unlink()
