"""Tests `companion doctor` on simulated lines."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.kernel.inside.gpiosim import COUNTED, LABEL, Chip, Move, Moved, World

MS: Final = 1_000_000
HOLD_NS: Final = 150 * MS

STAMP_LATE_NS: Final = 100_000
"""How late the kernel's timestamp may be, including rounding."""

BUZZERS: Final = (17, 27)
LAMPS: Final = (5, 6)
OK: Final = 16

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

UNPULLED: Final = TABLE.replace("[buzzers]", '[buzzers]\n    pull = "none"')
"""Requesting a pull-up would move a simulated line, unlike a stuck button."""

BOUNCE: Final = [(370_000, level) for level in (1, 0, 1, 0)]
"""Waits and levels after the first edge of a press."""

THIEF: Final = """
import sys, gpiod
with gpiod.request_lines(sys.argv[1], consumer="thief", config={17: None}):
    print("held", flush=True)
    sys.stdin.read()
"""


class Said(NamedTuple):
    status: int
    lines: list[str]

    def finding(self, name: str) -> str:
        """Return the last line about a device."""
        return next(
            line for line in reversed(self.lines) if re.match(rf"(ok|weak|bad|skipped) +{re.escape(name)}  ", line)
        )

    def __contains__(self, text: str) -> bool:
        return any(text in line for line in self.lines)


class Person:
    """A person who obeys the doctor; `lines` is the real wiring."""

    def __init__(self, chip: Chip, world: World, folder: Path, lines: tuple[int, ...] = BUZZERS) -> None:
        self.chip, self.world, self.folder, self.lines = chip, world, folder, lines
        self.bounced: dict[int, list[Moved]] = {}

    def consult(self, table: str = TABLE, obey: Callable[[str], None] | None = None) -> Said:
        (self.folder / "table.toml").write_text(table)
        environment = os.environ | {
            "SDL_VIDEODRIVER": "dummy",
            "XDG_DATA_HOME": str(self.folder),
            "COLUMNS": "250",
            "LANGUAGE": "C",
        }
        command = [sys.executable, "-m", "companion", "doctor", "--table", "table.toml"]
        with subprocess.Popen(
            command, cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout
            said = []
            for line in process.stdout:
                print(line, end="")
                said.append(line.rstrip("\n"))
                if line.startswith("*  "):
                    (obey or self.obey)(line)
        return Said(process.returncode, said)

    def obey(self, demand: str) -> None:
        if match := re.search(r"Press the buzzer of seat (\d)", demand):
            self.press(self.lines[int(match[1]) - 1], bounce=BOUNCE)
        elif match := re.search(r"lamp of seat (\d) is on", demand):
            seat = int(match[1]) - 1
            assert [self.chip.level(lamp) for lamp in LAMPS] == [int(lamp == seat) for lamp in range(len(LAMPS))]
            self.press(self.lines[seat])
        elif "siren" in demand:
            self.press(self.lines[0])
        else:
            assert {self.chip.level(lamp) for lamp in LAMPS} == {0}
            self.press(OK)  # skips the button's test, waits and the last picture

    def press(self, line: int, bounce: list[tuple[int, int]] | None = None) -> None:
        moves = [Move(50 * MS, line, 0)]
        moves += [Move(wait_ns, line, level) for wait_ns, level in bounce or ()]
        moved = self.world.play([*moves, Move(HOLD_NS, line, 1)])
        if bounce:
            self.bounced[line] = moved[:-1]


@pytest.fixture
def person(chip: Chip, world: World, tmp_path: Path) -> Person:
    return Person(chip, world, tmp_path)


def test_healthy_table_passes_and_bounce_is_measured(person: Person) -> None:
    said = person.consult()
    assert said.status == 0
    assert said.lines[-1] == "Nothing to fix: start with `companion play`"
    assert f"{LABEL}, 28 lines" in said
    assert "is used: the one behind a Raspberry Pi's header" in said
    assert "ok       gpiod             reads the buzzers; timestamps by the kernel, in the interrupt" in said
    assert "line 17 (GPIO17), free" in said.finding("[buzzers] seat 1")
    for name in ("lamp of seat 1", "lamp of seat 2", "siren", "button ok"):
        assert said.finding(name).startswith("ok "), name
    for seat, pin in enumerate(BUZZERS, 1):
        match = re.search(rf"line {pin}: bounce of ([\d.]+) ms, (\d) edges", said.finding(f"buzzer of seat {seat}"))
        assert match
        first, *_, last = person.bounced[pin]
        if COUNTED:
            assert int(match[2]) == 1 + len(BOUNCE)
            least_ns, most_ns = last.before_ns - first.after_ns, last.after_ns - first.before_ns
            assert least_ns - STAMP_LATE_NS <= float(match[1]) * MS <= most_ns + STAMP_LATE_NS


def test_swapped_wires_get_the_right_order(person: Person) -> None:
    person.lines = BUZZERS[::-1]
    said = person.consult()
    assert said.status == 1
    assert "it triggers line 27, which table.toml gives to seat 2" in said.finding("buzzer of seat 1")
    assert "-> In table.toml, [buzzers]: pins = [27, 17]" in said
    assert said.finding("lamp of seat 1").startswith("ok ")
    assert said.lines[-1] == "3 things to fix: buzzer of seat 1, buzzer of seat 2, [buzzers] pins"


def test_stuck_line_is_named(person: Person) -> None:
    person.world.play([Move(0, 27, 0)])

    def obey(demand: str) -> None:
        if "any buzzer that works" in demand:
            person.press(17)
        else:
            person.obey(demand)

    said = person.consult(UNPULLED, obey)
    assert said.status == 1
    assert "   line 27 of seat 2 stays pressed" in said.lines
    assert said.finding("buzzer of seat 1").startswith("ok ")
    assert said.lines[-1] == "1 thing to fix: buzzer of seat 2"


@pytest.fixture
def thief(chip: Chip) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", THIEF, str(chip.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_process_holding_a_line_is_named(person: Person, thief: subprocess.Popen[str]) -> None:
    said = person.consult()
    assert said.status == 1
    assert said.finding("[buzzers] seat 1").endswith("line 17 (GPIO17), taken by 'thief'")
    assert f"-> End the process that holds GPIO lines: {thief.pid} (python" in said
    assert "line 27 (GPIO27), free" in said.finding("[buzzers] seat 2")
    assert said.finding("walk").endswith("first fix what is bad above")


def test_missing_chip_error_names_those_present(person: Person) -> None:
    said = person.consult(TABLE.replace("[buzzers]", '[buzzers]\nchip = "pinctrl-rp1"'))
    assert said.status == 1
    assert f"-> In table.toml, [buzzers], set chip to one of: {LABEL}" in said


def test_lgpio_alone_is_weak(person: Person) -> None:
    said = person.consult(TABLE.replace("[buzzers]", '[buzzers]\nsource = "lgpio"'))
    assert said.status == 0
    assert said.finding("lgpio").startswith("weak ")
    assert "bounce of" in said.finding("buzzer of seat 1")
