"""`companion doctor --fairness`: a table presses its own buzzers at known distances and judges itself."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO, Any, Final, NamedTuple

from companion.config.table_file import TableConfig
from companion.core.errors import OptionError
from companion.core.files import nearest_folder
from companion.core.install import NAME
from companion.core.text import Text, msg, printable_lines, shortest
from companion.devices import line_driver
from companion.devices.buzzers.choice import Kind, choose
from companion.devices.chips import Chip, find_chip
from companion.devices.contacts import ContactMove, DrivenContacts
from companion.devices.errors import DeviceError
from companion.devices.findings import Machine, Severity, board
from companion.devices.lines import BuzzerWiring
from companion.diagnostics import doctor, report
from companion.match.fairness.figures import cell_of, cell_text, markdown, quantile_ms
from companion.match.fairness.judge import PairJudge, limit_ns
from companion.match.fairness.pairs import CLOSED, DISTANCES_MS, Pair
from companion.match.fairness.rows import WARM_UP, rows
from companion.match.fairness.wires import Wire, check_wires, choose_wires, position

FILE: Final = Path("fairness.txt")

PAIRS: Final = 50
"""Pairs of each distance and condition."""

SEED: Final = 46

BUSY: Final = """
import os
parent = os.getppid()
while os.getppid() == parent:
    sum(range(100_000))
"""
"""A program that keeps a processor busy until its parent ends."""


class Condition(NamedTuple):
    """`busy`: the number of busy processes."""

    bounce: bool
    busy: int

    @property
    def told(self) -> Text:
        bounce = msg("with bounce") if self.bounce else msg("clean")
        return msg("{bounce}, {n} busy process", "{bounce}, {n} busy processes", bounce=bounce, n=self.busy)


class Measured(NamedTuple):
    """The judged pairs of a condition."""

    condition: Condition
    rows: Sequence[Mapping[str, Any]]


class Circumstances(NamedTuple):
    """The conditions of a result, apart from the machine."""

    kind: Kind
    limit_ns: int
    is_realtime: bool
    loads: tuple[float, float]
    """The load average before and after."""


def run(
    config: TableConfig,
    machine: Machine,
    answers: IO[str],
    out: IO[str],
    file: Path = FILE,
    *,
    pairs: int = PAIRS,
    distances_ms: Sequence[float] = DISTANCES_MS,
) -> bool:
    """Ask, measure, print, and write a file. Return False if something must be fixed first.

    Raise OptionError, DeviceError.
    """
    wiring = config.wiring
    buzzers = wiring.of(BuzzerWiring)
    _check(buzzers, file)
    findings = list(line_driver.DRIVER.look(wiring, machine, ()))
    if any(finding.severity is Severity.BAD for finding in findings):
        doctor.show(findings, out)
        return False
    kind, _ = choose(buzzers.source)
    chip = find_chip(buzzers.chip)

    def say(text: Text) -> None:
        print(text, file=out, flush=True)

    wires = choose_wires(chip, buzzers, (pin for _, pin in wiring.lines), say)
    for text in _demand(chip, buzzers, wires):
        say(text)
    if not answers.readline():
        raise DeviceError(msg("the input ended without Enter, and nothing was driven. Start it in a terminal"))
    check_wires(chip, buzzers, wires, say)
    say(msg("Do not press now. It takes about four minutes; Ctrl-C ends it"))
    before = os.getloadavg()[0]
    outputs = [wire.output for wire in wires]
    folder, _ = nearest_folder(config.journal.path)  # a verdict waits for the disk of the records
    with (
        tempfile.TemporaryDirectory(prefix="fairness-", dir=folder) as records,
        PairJudge(wiring, Path(records), lambda: (line_driver.DRIVER,)) as judging,
        DrivenContacts(chip, outputs, closed_high=not buzzers.active_low) as contacts,
    ):
        measured = []
        for each in measure(judging, contacts, limit_ns(wiring), pairs, distances_ms):
            say(msg("{condition}: done", condition=each.condition.told))
            measured.append(each)
        circumstances = Circumstances(kind, limit_ns(wiring), contacts.is_realtime, (before, os.getloadavg()[0]))
    print(f"\n{table(machine, kind, measured)}\n", file=out)
    report.write_text(file, told(config, machine, circumstances, measured))
    say(msg("{file} written. Please attach it to an issue: docs/fairness.md lists such tables", file=file))
    say(msg("Take the jumper wires off before anybody plays"))
    return True


def _check(buzzers: BuzzerWiring, file: Path) -> None:
    if len(buzzers.pins) < 2:
        raise OptionError(msg("[buzzers] pins: --fairness needs the lines of two buzzers"))
    if buzzers.source == "mock":
        raise OptionError(msg("[buzzers] source: --fairness cannot measure a mock; choose another source"))
    if buzzers.normally_closed:
        raise OptionError(
            msg("[buzzers] normally_closed: --fairness cannot measure these buttons: at rest they hold their lines")
        )
    if file.exists():
        raise OptionError(msg("{file} already exists; name another file: --report FILE", file=file))


def _demand(chip: Chip, buzzers: BuzzerWiring, wires: Sequence[Wire]) -> Iterator[Text]:
    yield msg("This table will press its own buzzers, 0.05 to 5 ms apart, and judge itself as in a match.")
    yield msg("It needs two jumper wires. Leave the buttons where they are.")
    for wire in wires:
        yield msg(
            "Wire {n}: from {output} to the buzzer of seat {n}, {buzzer}",
            n=wire.seat,
            output=position(chip, wire.output),
            buzzer=position(chip, wire.buzzer),
        )
    one, two = (position(chip, wire.output) for wire in wires)
    if buzzers.active_low:
        yield msg("It will connect {one} and {two} to ground, as a pressed button does.", one=one, two=two)
    else:
        yield msg("It will connect {one} and {two} to 3.3 V, as a pressed button does.", one=one, two=two)
    yield msg("Nothing is driven before each buzzer was seen through its wire.")
    yield msg("Put the wires in, then press Enter. Ctrl-C leaves.")


# --- Measuring --------------------------------------------------------------------------------------------


def conditions() -> Iterator[Condition]:
    """Yield idle and busy, each without and with bounce."""
    for busy in (0, os.cpu_count() or 1):
        for bounce in (False, True):
            yield Condition(bounce, busy)


def measure(
    judging: PairJudge, contacts: DrivenContacts, limit: int, pairs: int, distances_ms: Sequence[float]
) -> Iterator[Measured]:
    """Yield the pairs of each condition."""
    luck = random.Random(SEED)

    def play(pair: Pair) -> list[tuple[int, int]]:
        return contacts.play(ContactMove(wait_ns, place, level == CLOSED) for wait_ns, place, level in pair.moves)

    for condition in conditions():
        with keeping_busy(condition.busy):
            rows(judging, play, luck, WARM_UP, bounce=condition.bounce)
            found = rows(judging, play, luck, list(distances_ms) * pairs, bounce=condition.bounce, limit_ns=limit)
        yield Measured(condition, found)


@contextmanager
def keeping_busy(processes: int) -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-ISc", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


# --- The result -------------------------------------------------------------------------------------------


def table(machine: Machine, kind: Kind, measured: Sequence[Measured]) -> str:
    """Return the rows for docs/fairness.md."""
    distances_ms = list(dict.fromkeys(row["distance_ms"] for row in measured[0].rows))
    head = ["board", "kernel", "read by", "bounce", "busy", *(f"{ms:g} ms" for ms in distances_ms), "press to lamp"]
    return markdown(head, (_line(machine, kind, each, distances_ms) for each in measured))


def _line(machine: Machine, kind: Kind, measured: Measured, distances_ms: Sequence[float]) -> list[str]:
    cells = [cell_of([row for row in measured.rows if row["distance_ms"] == ms]) for ms in distances_ms]
    lamp_ns = [row["press_to_lamp_ns"] for row in measured.rows if "press_to_lamp_ns" in row]
    lamp = f"{quantile_ms(lamp_ns, 0.5)}, {quantile_ms(lamp_ns, 0.99)} ms" if lamp_ns else "-"
    bounce, busy = "yes" if measured.condition.bounce else "no", str(measured.condition.busy or "no")
    return [board(machine), os.uname().release, kind.name, bounce, busy, *map(cell_text, cells), lamp]


def told(config: TableConfig, machine: Machine, circumstances: Circumstances, measured: Sequence[Measured]) -> str:
    """Return the text to send in, without private data."""
    every = [row for each in measured for row in each.rows]
    parts = [
        str(msg("Table companion, fairness of {when}", when=time.strftime("%Y-%m-%d %H:%M"))),
        str(report.left_out()),
        *report.part(msg("Machine"), report.rows(report.machine_facts(machine))),
        *report.part(msg("Who was first"), report.rows(_facts(machine, circumstances, every))),
        "",
        table(machine, circumstances.kind, measured),
    ]
    redactor = report.Redactor(report.private_words(config))
    return printable_lines("\n".join(map(redactor.left_out, parts))) + "\n"


def _facts(
    machine: Machine, circumstances: Circumstances, every: Sequence[Mapping[str, Any]]
) -> Iterator[report.Fact]:
    kind, bounds_ns = circumstances.kind, [row["most_ns"] - row["least_ns"] for row in every]
    yield msg("version"), machine.version(NAME)
    yield msg("buzzers read by"), msg("{name}, ±{ms} ms", name=kind.name, ms=shortest(kind.uncertainty_ns / 1e6))
    yield msg("a tie within"), msg("{ms} ms", ms=shortest(circumstances.limit_ns / 1e6))
    yield msg("pairs"), len(every)
    yield msg("pairs judged otherwise than they were made"), sum(row["failed"] for row in every)
    yield (
        msg("distance known to"),
        msg(
            "{median} µs, at worst {most} µs",
            median=round(median(bounds_ns) / 1000),
            most=round(max(bounds_ns) / 1000),
        ),
    )
    yield (
        msg("lines moved by"),
        msg("a process with real-time priority")
        if circumstances.is_realtime
        else msg("a process with ordinary priority"),
    )
    yield msg("load before and after"), " ".join(f"{load:.2f}" for load in circumstances.loads)
