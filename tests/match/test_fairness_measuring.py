"""Tests what a measurement refuses, counts and writes, without lines."""

import io
import random
import socket
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.config.table_file import read_config
from companion.core.errors import OptionError
from companion.devices.buzzers.choice import KINDS
from companion.devices.findings import Machine
from companion.games import all_games
from companion.match.fairness.measuring import Circumstances, Condition, Measured, run, table, told
from companion.match.fairness.pairs import MS, Pair, PairVerdict
from companion.match.fairness.rows import rows
from tests.gpio_fakes import FakeClock

LIMIT_NS = MS


class FirstSeatWins:
    """A judge that names seat 0 after 7 ms, whoever pressed."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock, self.made = clock, list[PairVerdict]()
        self.wrong: Counter[float] = Counter()

    def reset(self) -> None: ...

    def decisions(self) -> list[PairVerdict]:
        return self.made

    def play(self, pair: Pair) -> Sequence[tuple[int, int]]:
        times = []
        for wait_ns, _place, _level in pair.moves:
            self.clock.t_ns += wait_ns
            times.append((self.clock.t_ns, self.clock.t_ns + 2_000))
        self.wrong[pair.distance_ms] += pair.first == 1
        pressed_ns = times[0][0]
        self.made.append(PairVerdict((0,), pressed_ns + 7 * MS, {"lamp_at_ns": pressed_ns + 6 * MS}))
        return times

    def sleep(self, seconds: float) -> None:
        self.clock.t_ns += round(seconds * 1e9)


def measured(judge: FirstSeatWins) -> Measured:
    found = rows(
        judge, judge.play, random.Random(1), [0.05, 5] * 20, bounce=True, limit_ns=LIMIT_NS, sleep=judge.sleep
    )
    return Measured(Condition(bounce=True, busy=4), found)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "proc" / "device-tree").mkdir(parents=True)
    (tmp_path / "proc" / "device-tree" / "model").write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    return Machine(proc=tmp_path / "proc", sys=tmp_path / "sys", etc=tmp_path / "etc")


@pytest.fixture
def judge() -> FirstSeatWins:
    return FirstSeatWins(FakeClock())


def test_wrong_verdicts_are_counted(machine: Machine, judge: FirstSeatWins) -> None:
    head, _, line = table(machine, KINDS["gpiod"], [measured(judge)]).splitlines()
    assert "| busy | 0.05 ms | 5 ms | press to lamp |" in head
    assert line.startswith("| Raspberry Pi 4 Model B Rev 1.4 | ")
    near, far = judge.wrong.values()
    assert 0 < near < 20
    assert line.endswith(f"| gpiod | yes | 4 | {near} wrong | {far} wrong | 6.0, 6.0 ms |")


def test_file_has_conditions_and_no_host_name(
    machine: Machine, judge: FirstSeatWins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "lindenhof")
    monkeypatch.setattr("platform.version", lambda: "#1 SMP built on lindenhof")
    config = tmp_path / "table.toml"
    config.write_text('[seats]\nnames = ["Wilhelmine", "Otto"]\n')
    circumstances = Circumstances(KINDS["gpiod"], LIMIT_NS, False, (0.25, 4.5))
    text = told(read_config(config, all_games()), machine, circumstances, [measured(judge)])
    for line in (
        "model: Raspberry Pi 4 Model B Rev 1.4",
        "buzzers read by: gpiod, ±0.15 ms",
        "a tie within: 1 ms",
        "pairs: 40",
        f"pairs judged otherwise than they were made: {20 + judge.wrong[5]}",
        "distance known to: 4 µs, at worst 4 µs",
        "lines moved by: a process with ordinary priority",
        "load before and after: 0.25 4.50",
    ):
        assert f"\n{line}\n" in text
    assert "lindenhof" not in text
    assert "built on <...>" in text


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("pins = [17]", "[buzzers] pins: --fairness needs the lines of two buzzers"),
        ('source = "mock"', "[buzzers] source: --fairness cannot measure a mock; choose another source"),
        ("normally_closed = true", "[buzzers] normally_closed: --fairness cannot measure these buttons"),
        ("", "fairness.txt already exists; name another file: --report FILE"),
    ],
)
def test_unfit_table_is_refused(tmp_path: Path, options: str, why: str) -> None:
    file = tmp_path / "fairness.txt"
    file.touch()
    config = tmp_path / "table.toml"
    config.write_text(f"[buzzers]\n{options}\n")
    with pytest.raises(OptionError) as refused:
        run(read_config(config, all_games()), Machine(), io.StringIO("\n"), io.StringIO(), file)
    assert why in str(refused.value)
