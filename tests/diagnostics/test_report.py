"""Tests the doctor's report, and that nothing private is in it."""

import getpass
import json
import logging
import socket
from pathlib import Path

import pytest

from companion.config.sections import LogOptions
from companion.config.table_file import TableConfig, read_config
from companion.core.errors import OptionError
from companion.core.text import msg
from companion.devices.findings import Finding, Machine, Severity
from companion.diagnostics import failures, logbook, report
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.referee.journal import Journal
from tests.running import companion

PASSWORD = "Grünkohl mit Pinkel"
TOKEN = "h7Kq0ZtV3xWb9LmPyR2sDw"
KEY = "9f86d081884c7d659a2feaa0c55ad015"
SSH_KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIJb1bWjmTh0"
PLANTED = (
    "Wilhelmine", "Ottokar", "Theodora",  # who sits there
    "Kunigunde",  # who has played once
    "Lindenhof", "broker.lindenhof.example", "192.168.7.21", "wirt", PASSWORD,  # the club
    "E66138935F4C2A27", "usb-0000:01:00.0-1.2", "phones.lindenhof.example",  # devices
    TOKEN, KEY, SSH_KEY, "b8:27:eb:12:34:56", "fe80::ba27:ebff:fe12:3456", "wilhelmine@lindenhof.example",
    "my secret bid",
)  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Raspberry Pi made of files."""
    root = tmp_path / "root"
    for name, text in {
        "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
        "proc/meminfo": "MemTotal:         437520 kB\nMemFree: 1 kB\n",
        "proc/asound/cards": " 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi\n                      vc4-hdmi\n",
        "etc/os-release": 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter\n",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "50000\n",
        "sys/class/drm/card1-HDMI-A-1/status": "connected\n",
        "sys/class/drm/card1-HDMI-A-1/modes": "800x480\n640x480\n",
        "sys/class/drm/card1-HDMI-A-2/status": "disconnected\n",
        "sys/class/drm/card1-HDMI-A-2/modes": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Machine(proc=root / "proc", sys=root / "sys", etc=root / "etc")


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    """A table with private data in its options and records."""
    (tmp_path / "password").write_text(f"{PASSWORD}\n", "utf-8")
    path = tmp_path / "table.toml"
    path.write_text(
        f"""
        # The password is {PASSWORD}.
        [seats]
        names = ["Wilhelmine", "Ottokar", "Theodora"]
        languages = ["fr", "en"]
        [journal]
        folder = "{tmp_path}/Lindenhof"
        [display]
        turn = 1
        contrast = "high"
        [club]
        broker = "broker.lindenhof.example"
        table = "Lindenhof"
        user = "wirt"
        password_file = "{tmp_path}/password"
        [buzzers]
        pins = [17, 27]
        chip = "pinctrl-bcm2835"
        [pods]
        seats = ["", "", "E66138935F4C2A27"]
        [pads]
        house = "usb-0000:01:00.0-1.2"
        [phones]
        address = "phones.lindenhof.example"
        [rulings.buntherum]
        call_input = "direct"
        """,
        "utf-8",
    )
    (tmp_path / "Lindenhof").mkdir()
    match = new_match(load("buntherum"), ["Kunigunde", "Ottokar"])
    Journal.create(tmp_path / "Lindenhof" / "2026-01-01-200000-buntherum.record", match).close()
    return read_config(path, all_games())


FINDINGS = (
    Finding(msg("gpiochip0"), Severity.OK, msg("pinctrl-bcm2835, 54 lines")),
    Finding(msg("[pods]"), Severity.BAD, msg("pod {pod} of Wilhelmine does not answer", pod="E66138935F4C2A27")),
    Finding(msg("[club]"), Severity.WEAK, msg("the broker 192.168.7.21 does not answer")),
)
SAID = (
    f"the password {PASSWORD} is wrong", f"token {TOKEN}", f"key {KEY}", f"ssh-ed25519 {SSH_KEY} anna",
    "card b8:27:eb:12:34:56 at fe80::ba27:ebff:fe12:3456", "wilhelmine@lindenhof.example", "KUNIGUNDE left",
    "not understood: 'my secret bid'",
)  # fmt: skip


def system_says(*command: str) -> str | None:
    if command[0] == "systemctl":
        return "ExecMainStartTimestampMonotonic=18400000\nActiveEnterTimestampMonotonic=21310000\nNRestarts=2\n"
    line = {"MESSAGE": f"{' '.join(SAID)}\nTraceback", "LOGGER": "companion.host"}
    return json.dumps(line | {"__REALTIME_TIMESTAMP": "1764057600000000"}) + "\n"


def told(config: TableConfig, machine: Machine, state: Path) -> str:
    environ = {"STATE_DIRECTORY": str(state)}
    return report.told(config, machine, FINDINGS, ask=system_says, environ=environ)


def test_report_has_the_facts_for_repairs(config: TableConfig, machine: Machine, tmp_path: Path) -> None:
    text = told(config, machine, tmp_path / "state")
    for line in (
        "model: Raspberry Pi Zero 2 W Rev 1.0",
        "memory: 427 MB",
        "operating system: Debian GNU/Linux 13 (trixie)",
        "clock source: arch_sys_counter",
        "temperature: 48.3 °C",
        "throttled, 0 if never: 50000",
        "from program start to first picture: 2.9 s",
        "from kernel start to first picture: 21.3 s",
        "restarted by itself: 2",
        "card1-HDMI-A-1: connected 800x480",
        " 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi",
        "ok: gpiochip0: pinctrl-bcm2835, 54 lines",
        "bad: [pods]: pod <...> of <...> does not answer",
        "[display] turn = 1",
        '[display] contrast = "high"',
        '[buzzers] chip = "pinctrl-bcm2835"',
        "[buzzers] pins = [17, 27]",
        '[seats] languages = ["fr", "en"]',
        '[rulings.buntherum] call_input = "direct"',
        "[club] broker = <...>",
        "[pods] seats = <...>",
    ):
        assert line in text.splitlines()


def test_report_contains_nothing_private(config: TableConfig, machine: Machine, tmp_path: Path) -> None:
    state = tmp_path / "state"
    with logbook.kept(LogOptions(), {"STATE_DIRECTORY": str(state)}):
        for said in SAID:
            logging.getLogger("companion.devices").warning("%s", said)
            failures.keep(said, state)
    text = told(config, machine, state)
    assert text.count("companion.devices") == len(SAID)
    assert [word for word in PLANTED if word.lower() in text.lower()] == []


def test_machine_without_facts_has_a_report(tmp_path: Path) -> None:
    nowhere = Machine(proc=tmp_path, sys=tmp_path, etc=tmp_path)
    text = report.told(TableConfig(), nowhere, (), ask=lambda *_: None, environ={"STATE_DIRECTORY": str(tmp_path)})
    assert "temperature" not in text
    assert "\nLast start\n----------\nnothing\n" in text


def test_names_of_user_and_machine_are_removed() -> None:
    private = report.Redactor({"Al", "/home/al"})
    assert private.left_out("Al: /home/al/matches, also Also") == "<...>: <...>/matches, also Also"
    assert {getpass.getuser(), socket.gethostname()} - report.COMMON <= report.private_words(TableConfig())


def test_default_host_name_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    hostname = (Path(__file__).parents[2] / "systemd/card/tree/etc/hostname").read_text().strip()
    monkeypatch.setattr(socket, "gethostname", lambda: hostname)
    line = "Table companion: table.toml, where it differs from the defaults"
    assert report.Redactor(report.private_words(TableConfig())).left_out(line) == line


@pytest.mark.parametrize(
    "address", ["fe80::1", "2001:db8::7", "2a02:1210:1::5", "fd00:1:2:3:4:5:6:7", "::ffff:192.168.7.21"]
)
def test_ip_address_is_removed_in_each_notation(address: str) -> None:
    assert report.Redactor(()).left_out(f"at [{address}]:1883, {address}.") == "at [<...>]:1883, <...>."


def test_damaged_record_still_gives_its_names(config: TableConfig) -> None:
    head = '[Seat1 "Bru\\qnhilde"]\n[Seat2 "Kriem\nhild"]\n[Seat3 "Gernot"]\n'
    (config.journal.path / "2026-01-02-200000-buntherum.record").write_text(head)
    assert {"Bruqnhilde", "Gernot", "Kunigunde"} <= report.private_words(config)


def test_newest_records_have_the_highest_numbers(config: TableConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    (config.journal.path / "00001-2025-01-02-200000-buntherum.record").write_text('[Seat1 "Gernot"]\n')
    monkeypatch.setattr(report, "RECORDS", 1)
    assert "Gernot" in report.private_words(config)


def test_versions_are_not_removed_as_addresses() -> None:
    text = "lgpio 0.2.2.0, gpiozero 2.0.1.post3, pygame-ce 2.5.8, Linux 6.12.57+rpt-rpi-v8, at 2026-11-25 07:50:12"
    assert report.Redactor(()).left_out(text) == text


def test_report_is_written_beside_the_output(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    done = companion(tmp_path, "doctor", "--no-walk", "--report", str(path))
    assert f"{path} written" in done.stdout
    assert "The doctor's findings" in path.read_text("utf-8")


def test_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text("mine")
    with pytest.raises(OptionError, match="already exists"):
        report.write(path, TableConfig(), Machine(), ())
    assert path.read_text() == "mine"
    with pytest.raises(OptionError, match="No such file or directory"):
        report.write(tmp_path / "gone" / "report.txt", TableConfig(), Machine(), ())


def test_missing_or_failing_program_gives_no_answer() -> None:
    assert report.asked("no-such-program-here") is None
    assert report.asked("false") is None
    assert report.asked("printf", "yes") == "yes"
