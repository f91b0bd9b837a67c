"""Tests `companion doctor --fairness` on simulated lines that a process ties together."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from companion.devices.chips import read_chip, read_line
from companion.devices.contacts import ContactMove, DrivenContacts
from tests.kernel.inside.gpiosim import COUNTED, Chip, Move, World

MS: Final = 1_000_000

BUZZERS: Final = (17, 27)
OUTPUTS: Final = (26, 25)
"""The lines that the doctor chooses."""

TABLE: Final = """
    [buzzers]
    pins = [17, 27]
    [lamps]
    pins = [5, 6]
    siren = 18
    [house]
    ok = 16
    undo = -1
    pause = -1
    skip = -1"""

DOCTOR: Final = ("-m", "companion", "doctor", "--fairness", "--table", "table.toml")

FEW_PAIRS: Final = """
import sys
from pathlib import Path
from companion.config.table_file import read_config
from companion.devices.findings import Machine
from companion.games import all_games
from companion.match.fairness.measuring import run
config = read_config(Path("table.toml"), all_games())
sys.exit(not run(config, Machine(), sys.stdin, sys.stdout, pairs=3, distances_ms=(0.05, 2.1, 5)))
"""
"""Three pairs a cell; 2.1 ms is beyond the limit of lgpio."""

TIE: Final = """
import json, os, sys, gpiod
from gpiod.line import Direction
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(80))
pulls = {int(output): os.open(file, os.O_WRONLY) for output, file in json.loads(sys.argv[2]).items()}
was = dict.fromkeys(pulls, Direction.INPUT)
with gpiod.Chip(sys.argv[1]) as chip:
    for output in pulls:
        chip.watch_line_info(output)
    print("tied", flush=True)
    while True:
        info = chip.read_info_event().line_info
        if info.direction is not was[info.offset]:
            was[info.offset] = info.direction
            os.pwrite(pulls[info.offset], b"pull-down" if info.direction is Direction.OUTPUT else b"pull-up", 0)
"""
"""The jumper wires: an output that is driven, low, pulls the buzzer's line low."""

THIEF: Final = """
import sys, gpiod
with gpiod.request_lines(sys.argv[1], consumer="thief", config={int(sys.argv[2]): None}):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def running(*command: str) -> Iterator[None]:
    """Run a helper that says when it is ready."""
    with subprocess.Popen(
        [sys.executable, "-c", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline()
        yield
        process.kill()


@pytest.fixture
def wires(chip: Chip) -> Iterator[dict[int, int]]:
    """Tie each output to the line of a buzzer."""
    tied = dict(zip(OUTPUTS, BUZZERS, strict=True))
    files = {output: str(chip.pull_file(buzzer)) for output, buzzer in tied.items()}
    with running(TIE, chip.path, json.dumps(files)):
        yield tied


class Owner:
    """A person who obeys; `carried` are the lines that a buzzer's press reaches through the wires."""

    def __init__(self, chip: Chip, world: World, folder: Path) -> None:
        self.chip, self.world, self.folder = chip, world, folder
        self.carried = {17: (17, 26), 27: (27, 25)}
        self.said: list[str] = []

    def measure(
        self,
        *command: str,
        table: str = TABLE,
        answers: str = "\n",
        watch: Callable[[subprocess.Popen[str], str], None] | None = None,
    ) -> int:
        (self.folder / "table.toml").write_text(table)
        environment = os.environ | {"XDG_DATA_HOME": str(self.folder), "COLUMNS": "250", "LANGUAGE": "C"}
        with subprocess.Popen(
            [sys.executable, *command],
            cwd=self.folder,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write(answers)
            process.stdin.close()
            for line in process.stdout:
                print(line, end="")
                self.said.append(line.rstrip("\n"))
                if match := re.match(r"Press the buzzer of seat (\d)", line):
                    self.press(BUZZERS[int(match[1]) - 1])
                if watch:
                    watch(process, line)
        return process.returncode

    def press(self, buzzer: int) -> None:
        lines = self.carried[buzzer]
        down = [Move(50 * MS, lines[0], 0), *(Move(MS, line, 0) for line in lines[1:])]
        up = [Move(200 * MS, lines[0], 1), *(Move(MS, line, 1) for line in lines[1:])]
        self.world.play([*down, *up])

    def is_taken(self, output: int) -> bool:
        return read_line(read_chip(Path(self.chip.path)), output).taken_by is not None

    def direction(self, output: int) -> str:
        command = [sys.executable, "-c", DIRECTION, self.chip.path, str(output)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def is_driven(self, output: int) -> bool:
        """Whether a line is in use or still an output."""
        return self.is_taken(output) or self.direction(output) != "INPUT"


DIRECTION: Final = """
import sys, gpiod
with gpiod.Chip(sys.argv[1]) as chip:
    print(chip.get_line_info(int(sys.argv[2])).direction.name)
"""


@pytest.fixture
def owner(chip: Chip, world: World, tmp_path: Path) -> Owner:
    return Owner(chip, world, tmp_path)


@pytest.mark.skipif(not COUNTED, reason="distances hold only where time is counted in instructions")
@pytest.mark.usefixtures("wires")
@pytest.mark.parametrize("source", ["gpiod", "lgpio"])
def test_own_presses_are_judged_right(owner: Owner, source: str) -> None:
    table = TABLE.replace("[buzzers]", f'[buzzers]\n    source = "{source}"')
    assert owner.measure("-c", FEW_PAIRS, table=table) == 0
    text = (owner.folder / "fairness.txt").read_text()
    lines = [line for line in text.splitlines() if f"| {source} |" in line]
    assert len(lines) == 4
    for line in lines:
        assert line.split(" | ")[5:8] == ["3 tie", "right", "right"], line
    assert [line.split(" | ")[3:5] for line in lines] == [["no", "no"], ["yes", "no"], ["no", "1"], ["yes", "1"]]
    assert "pairs judged otherwise than they were made: 0" in text
    assert "lines moved by: a process with real-time priority" in text
    assert not any(owner.is_driven(output) for output in OUTPUTS)


def test_closed_contact_opens_at_the_end(owner: Owner) -> None:
    described = read_chip(Path(owner.chip.path))
    for closed_high in (False, True):
        for output in OUTPUTS if closed_high else ():
            owner.chip.hang_lamp(output)
        with DrivenContacts(described, OUTPUTS, closed_high=closed_high) as contacts:
            contacts.play([ContactMove(0, 0, True)])
            assert [owner.chip.level(output) for output in OUTPUTS] == [closed_high, not closed_high]
            assert [owner.direction(output) for output in OUTPUTS] == ["OUTPUT", "INPUT"]
        assert not any(owner.is_driven(output) for output in OUTPUTS)


def test_wire_at_wrong_buzzer_is_not_driven(owner: Owner) -> None:
    owner.carried = {17: (17, 25), 27: (27, 26)}
    assert owner.measure(*DOCTOR) == 2
    assert "the buzzer of seat 1 was seen at line 25 (pin 22 of the header) instead of line 26" in owner.said[-1]
    assert owner.said[-1].endswith("Check both wires; nothing was driven")


def test_nothing_is_driven_before_enter(owner: Owner) -> None:
    assert owner.measure(*DOCTOR, answers="") == 2
    assert (
        "Wire 1: from line 26 (pin 37 of the header) to the buzzer of seat 1, line 17 (pin 11 of the header)"
        in (owner.said)
    )
    assert (
        owner.said[-1] == "companion: the input ended without Enter, and nothing was driven. Start it in a terminal"
    )


def test_line_in_use_is_never_chosen(owner: Owner) -> None:
    with running(THIEF, owner.chip.path, "26"):
        owner.measure(*DOCTOR, answers="")
        assert "Wire 1: from line 25" in "\n".join(owner.said)
    owner.said.clear()
    with running(THIEF, owner.chip.path, "17"):
        assert owner.measure(*DOCTOR) == 1
        assert any("line 17 (GPIO17), taken by 'thief'" in line for line in owner.said)


@pytest.mark.usefixtures("wires")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_measurement_leaves_nothing_driven(owner: Owner, ending: signal.Signals) -> None:
    was_driven = []

    def end(process: subprocess.Popen[str], line: str) -> None:
        if line.startswith("Do not press now"):
            owner.world.play([Move(3_000 * MS, 4, 1)])  # it presses by now
            was_driven.append(any(owner.is_taken(output) for output in OUTPUTS))
            process.send_signal(ending)

    status = owner.measure(*DOCTOR, watch=end)
    assert status == (130 if ending is signal.SIGINT else -signal.SIGKILL)
    assert was_driven == [True]
    owner.world.play([Move(1_000 * MS, 4, 1)])
    assert not any(owner.is_driven(output) for output in OUTPUTS)
    assert [owner.chip.level(buzzer) for buzzer in BUZZERS] == [1, 1]
