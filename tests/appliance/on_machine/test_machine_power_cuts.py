"""Tests that a power cut at any write of the disk loses nothing acknowledged.

The records are on a separate disk, and QEMU logs its writes and flushes in order. Three kinds of matches run at
once: scripts through `companion headless`, which prints a line when its move is durable; the table, where a robot
calls and a lamp is lit; and the control, a script without syncing.

After each printed line and each lit lamp, inside/acknowledged.py writes a mark past all caches to the same disk. In
the log, everything acknowledged before a mark must therefore be flushed before it; no clock is needed.

After any cut, the records must hold everything that the earlier marks stand for, even when some unflushed writes
are lost, and nothing that the final records lack. The control has to lose something, otherwise this test could not
fail.

Killed machines also lose what their kernel had not written.
"""

import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.core.errors import RecordError
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.devices.lines import LampWiring
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.referee.journal import Opened, open_record
from tests.appliance.disk_images import Images
from tests.appliance.disk_log import Disk, Write, read_log
from tests.appliance.hands import MATCHES, WIRING, Hands
from tests.appliance.looks import assert_shows, photograph, resume
from tests.appliance.machine import Build, Machine, copy_of, kept, logged
from tests.noted import game_events, recorded, script_of_robots

POINTS = 200
KILLS = 3
PATIENCE_S = 240

FILE_SYSTEM_MB = 48
MARKS_AT = FILE_SYSTEM_MB << 20

COMMAND = "/opt/companion/current/venv/bin/companion"
PYTHON = "/opt/companion/current/venv/bin/python"
UNSYNCED = (
    "import os, sys; os.fsync = os.fdatasync = lambda fd: None;"
    " from companion.cli.commands import main; sys.exit(main())"
)

ROBOTS = "table"
CONTROL = "control"


class Script(NamedTuple):
    game: str
    undo_s: Sequence[int] = ()

    def begin(self) -> Match:
        return new_match(load(self.game), NAMES[:3], seed="cut")


SCRIPTS = {
    "buntherum": Script("buntherum", (7, 15, 23)),
    "buro_crazy": Script("buro_crazy"),
    CONTROL: Script("buntherum"),
}


class Run(NamedTuple):
    """Initial disk, log, and each match's printed lines and final record."""

    before: Path
    log: Path
    printed: dict[str, list[str]]
    finals: dict[str, Match]


@pytest.fixture(scope="module")
def run(images: Images, shots: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("logged")
    before, records, log = folder / "before.img", folder / "records.img", folder / "log"
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-b", "4096", "-E", "root_owner=0:0", before, f"{FILE_SYSTEM_MB}M"],
        check=True,
    )
    with before.open("r+b") as disk:
        disk.truncate(MARKS_AT + 4096)
    shutil.copyfile(before, records)
    log.touch()
    disk = copy_of(images.disk, folder)
    build = Build(images.kernel, [kept(disk), logged(records, log, 1)], sound=True)
    with Machine.start(build, folder) as machine:
        hands = Hands(machine, folder)
        machine.wait_for_table()
        machine.run(f"mkdir -p {MATCHES} && mount /dev/vdb {MATCHES} && chown companion: {MATCHES}")
        turn_cards_by_themselves(machine)
        watch_lamps(machine)
        hands.buzz(0, 1)
        hands.keys(0, "B")  # add a robot
        hands.begin("buntherum")
        for name, script in SCRIPTS.items():
            start(machine, name, script)
        for name in SCRIPTS:
            machine.wait_until(f"test -e /run/{name}.done", f"the match {name} is over", PATIENCE_S)
            assert machine.run(f"cat /run/{name}.done") == "0", machine.run(f"cat /run/{name}.errors")
        # At least three: after that many wrong rows the robot is out, and the match may be over.
        machine.wait_until("test $(wc -l </run/table.lines) -ge 3", "the robot calls", PATIENCE_S)
        machine.shot(shots / "logged.png")
        printed = {name: machine.run(f"cat /run/{name}.lines").splitlines() for name in [*SCRIPTS, ROBOTS]}
        finals = {name: final(machine, name, folder) for name in [*SCRIPTS, ROBOTS]}
        machine.pull_the_plug()
    disk.unlink()
    return Run(before, log, printed, finals)


def turn_cards_by_themselves(machine: Machine) -> None:
    """Turn cards without waiting, so that a lit lamp always means a call."""
    machine.run("sed -i '/^.pace.$/a next_card = \"auto\"' /var/lib/companion/table.toml")
    machine.run("systemctl restart companion")
    machine.wait_for_table()


def watch_lamps(machine: Machine) -> None:
    pins = " ".join(map(str, WIRING.of(LampWiring).pins))
    machine.run(f"(python3 /opt/table/lit.py {pins} | {marking(ROBOTS)} >/run/{ROBOTS}.lines) >/dev/null 2>&1 &")


def start(machine: Machine, name: str, script: Script) -> None:
    """Start a script on the logged disk."""
    text = "".join(script_of_robots(script.begin(), ["strong", "random"], script.undo_s))
    folder = f"{MATCHES}/{name}"
    program = f'{PYTHON} -c "{UNSYNCED}"' if name == CONTROL else COMMAND
    words = f"headless {script.game} --seats {','.join(NAMES[:3])} --seed cut --journal {folder}/match.record"
    machine.run(
        f"cat >/run/{name}.script <<'END'\n{text}END\n"
        f"cat >/run/{name}.sh <<'END'\n{program} {words}\necho $? >&3\nEND\n"
        f"mkdir {folder}; chown companion: {folder}"
    )
    played = f"runuser -u companion -- sh /run/{name}.sh </run/{name}.script 3>/run/{name}.status"
    machine.run(
        f"(cd /; {played} 2>/run/{name}.errors | {marking(name)} >/run/{name}.lines; "
        f"mv /run/{name}.status /run/{name}.done) >/dev/null 2>&1 &"
    )


def marking(name: str) -> str:
    return f"python3 /opt/table/acknowledged.py /dev/vdb {MARKS_AT} {name}"


def final(machine: Machine, name: str, folder: Path) -> Match:
    """Return a match as finally recorded."""
    path = machine.run(f"ls {MATCHES}/{'' if name == ROBOTS else name + '/'}*.record")
    kept = folder / f"{name}.record"
    kept.write_bytes(machine.read(path))
    opened = open_record(kept, all_games())
    assert opened.damage is None
    return opened.match


# --- The log ----------------------------------------------------------------------------------------------


def test_power_cut_at_any_write_loses_nothing_acknowledged(run: Run, tmp_path: Path) -> None:
    with run.log.open("rb") as log:
        writes = read_log(log)
        disk = Disk(run.before, log, writes)
        marks = marks_of(disk, writes)
        first = next(number for number, mark in enumerate(marks) if mark)
        luck = random.Random(1)
        places = sorted(luck.choices(range(first, len(writes) + 1), k=POINTS))
        found = Counter[str]()
        with ThreadPoolExecutor(2) as pool:
            jobs = []
            for number, place in enumerate(places):
                due = marks[place - 1]
                for lossy in (None, luck):
                    target = tmp_path / f"{number}-{'some' if lossy else 'all'}.img"
                    disk.cut(place, target, lossy)
                    jobs.append(pool.submit(judge, target, due, run))
                while len(jobs) > 8:
                    found.update(jobs.pop(0).result())
            for job in jobs:
                found.update(job.result())
    flushes = sum(write.flushes for write in writes)
    print(f"{len(writes)} writes, {flushes} flushes, {sum(marks[-1].values())} marks; {dict(found)}")
    assert found["cuts"] == 2 * POINTS
    assert found["held"] > POINTS
    assert found["lost by the control"] > POINTS // 4


def marks_of(disk: Disk, writes: Sequence[Write]) -> list[dict[str, int]]:
    """Return for each log entry how much of each match was acknowledged."""
    marks: list[dict[str, int]] = []
    due: dict[str, int] = {}
    for write in writes:
        if write.offset == MARKS_AT and write.size and disk.data(write).startswith(b"acknowledged "):
            _, name, number = disk.data(write).rstrip(b"\0").split()
            due = due | {name.decode(): int(number)}
        marks.append(due)
    return marks


def judge(image: Path, due: dict[str, int], run: Run) -> Counter[str]:
    """Check and remove a cut disk; return the counts."""
    found = Counter(cuts=1)
    # Replay the journal like the kernel when it mounts the disk, and check the file system.
    recovered = subprocess.run(["e2fsck", "-fy", "-E", "journal_only", image], capture_output=True, check=False)
    assert recovered.returncode in {0, 1}, recovered.stdout
    checked = subprocess.run(["e2fsck", "-fn", image], capture_output=True, check=False)
    assert checked.returncode == 0, checked.stdout
    folder = image.with_suffix("")
    folder.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump / {folder}", image], capture_output=True, check=True)
    for name, final in run.finals.items():
        record = next((folder / ("" if name == ROBOTS else name)).glob("*.record"), None)
        lines = run.printed[name][: due.get(name, 0)]
        try:
            opened = open_record(record, all_games()) if record else None
        except RecordError:
            if name != CONTROL:
                raise
            opened = None
        if name == CONTROL:
            found["lost by the control"] += not holds(opened, name, lines)
            continue
        assert holds(opened, name, lines), f"{name} lost something of {lines[-3:]}"
        found["held"] += bool(lines)
        if opened:
            entries = opened.match.entries
            assert entries == final.entries[: len(entries)], f"{name} invented something"
    shutil.rmtree(folder)
    image.unlink()
    return found


def holds(opened: Opened | None, name: str, lines: Sequence[str]) -> bool:
    """Return whether a record holds everything acknowledged."""
    if not lines:
        return True
    if opened is None:
        return False
    match = opened.match
    if name == ROBOTS:
        calls = Counter(str(move.args[0]) for move in match.moves if move.verb == "call")
        return all(calls[seat] >= lit for seat, lit in Counter(lines).items())
    told = game_events(lines)
    undone = sum('"undone"' in line for line in lines)
    return recorded(match)[: len(told)] == told and undone <= sum(entry.kind == "undo" for entry in match.entries)


# --- Killed machines --------------------------------------------------------------------------------------


def test_killed_machine_resumes_where_it_was(images: Images, shots: Path, tmp_path: Path) -> None:
    """Pull the plug once a lamp has acknowledged a call; three times."""
    disk = copy_of(images.disk, tmp_path)
    acknowledged: tuple[Move, ...] = ()
    for number in range(KILLS + 1):
        folder = tmp_path / f"machine{number}"
        with Machine.start(Build(images.kernel, [kept(disk)]), folder) as machine:
            hands = Hands(machine, folder)
            machine.wait_for_table()
            if number == 0:
                hands.sit_down(2, "buntherum")
            else:
                opened = hands.opened()
                assert opened.match.moves[: len(acknowledged)] == acknowledged
                assert opened.damage is None
                assert_shows(photograph(machine, shots / f"killed-{number}.png"), resume(hands, folder))
                hands.house("ok", "ok")  # resume, and end its pause
                hands.name_row(1 - number % 2, 0)  # without a time limit the earlier call waits for its row
            caller = number % 2
            match = hands.call(caller)
            hands.wait_for_lamps(caller)
            acknowledged = match.moves
            machine.pull_the_plug()
            assert acknowledged[-1] == Move(TABLE, "call", (caller,))
    assert [move.verb for move in acknowledged].count("call") == KILLS + 1
    disk.unlink()
