"""Tests that the units are valid, hardened and known to the installer."""

import re
import shutil
import subprocess
from fnmatch import fnmatch
from ipaddress import ip_network
from pathlib import Path

import pytest

from companion.cli import usage
from companion.diagnostics.service import POWER_OFF, START_AGAIN
from companion.updates.offers import REQUEST

FOLDER = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path.name for pattern in ("*.service", "*.path", "*.timer") for path in FOLDER.glob(pattern))
TABLES = ("companion.service", "companion-safe.service")

EXPOSURE_MOST = 2.0

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here"
)


def lines(name: str) -> list[str]:
    return [line for line in (FOLDER / name).read_text().splitlines() if line and not line.startswith("#")]


def values(name: str, key: str) -> list[str]:
    return [line.partition("=")[2] for line in lines(name) if line.startswith(f"{key}=")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root file system with the units and their programs."""
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    for name in UNITS:
        shutil.copy(FOLDER / name, units)
    for command in (
        "opt/companion/current/venv/bin/companion",
        "usr/local/sbin/companion-release",
        "usr/bin/rm",
        "usr/bin/systemctl",
    ):
        path = tmp_path / command
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return tmp_path


def run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@analyze
def test_units_are_valid_for_systemd(root: Path) -> None:
    told = run("systemd-analyze", f"--root={root}", "--man=no", "--recursive-errors=no", "verify", *UNITS)
    # systemd's own units are missing here, so recursion would report them.
    assert told == ""


@analyze
@pytest.mark.parametrize("name", TABLES)
def test_table_is_hardened(name: str) -> None:
    told = run("systemd-analyze", "security", "--offline=true", "--no-pager", FOLDER / name)
    found = re.search(r"Overall exposure level for \S+ ([\d.]+)", told)
    assert found, told
    assert float(found[1]) <= EXPOSURE_MOST


@pytest.mark.parametrize("name", TABLES)
def test_table_has_limited_memory_and_tasks(name: str) -> None:
    assert values(name, "MemoryMax") == ["400M"]
    assert values(name, "TasksMax") == ["64"]


def test_safe_mode_has_no_more_rights_than_table() -> None:
    own = {"ExecStart", "ExecStartPre", "ExecStopPost", "RestartSec", "StartLimitIntervalSec"}
    own |= {"Description", "OnFailure"}
    own |= {"RestrictAddressFamilies", "IPAddressAllow"}  # without phones and club
    kept = [
        [line for line in lines(name)[lines(name).index("[Service]") :] if line.partition("=")[0] not in own]
        for name in TABLES
    ]
    table, safe = kept
    assert table[: table.index("[Install]")] == safe


@pytest.mark.parametrize("name", TABLES)
def test_table_may_light_the_lamps_of_buzz_handsets(name: str) -> None:
    assert values(name, "ReadWritePaths") == ["/sys/devices"]  # read-only by ProtectKernelTunables otherwise
    [rule] = [line for line in lines("60-companion.rules") if line.startswith('SUBSYSTEM=="leds"')]
    device, *programs = re.findall(r'KERNEL=="([^"]*)"|RUN\+="([^"]*)"', rule)
    assert fnmatch("0003:054C:0002.0001::buzz3", device[0])
    assert not fnmatch("input3::capslock", device[0])
    assert [program for _, program in programs] == [
        "/bin/chgrp input /sys%p/brightness",
        "/bin/chmod 0664 /sys%p/brightness",
    ]


def test_table_reaches_only_private_networks() -> None:
    table, safe = TABLES
    assert [values(name, "IPAddressDeny") for name in TABLES] == [["any"], ["any"]]
    (allowed,) = values(table, "IPAddressAllow")
    named = {"localhost", "link-local"}
    networks = [ip_network(word) for word in allowed.split() if word not in named]
    assert set(allowed.split()) >= named
    assert networks
    assert all(network.is_private for network in networks)
    assert {"AF_INET", "AF_INET6"} <= {*" ".join(values(table, "RestrictAddressFamilies")).split()}
    assert values(safe, "IPAddressAllow") == []
    assert "AF_INET" not in " ".join(values(safe, "RestrictAddressFamilies"))


@pytest.mark.parametrize("name", TABLES)
def test_table_has_a_watchdog_and_stop_timeout(name: str) -> None:
    assert values(name, "Type") == ["notify"]
    assert values(name, "TimeoutStopSec") == ["8"]
    assert values(name, "WatchdogSec") == ["15"]


def seconds(name: str, key: str) -> int:
    (value,) = values(name, key)
    return int(value)


STOPS = 3
"""TimeoutStopSec may pass after STOPPING, after its signal, and for remaining processes."""


def hangs_s() -> list[int]:
    """Return how long a hanging start takes, with its pause."""
    table = TABLES[0]
    stop, pause = seconds(table, "TimeoutStopSec"), seconds(table, "RestartSec")
    beginning, watchdog = seconds(table, "TimeoutStartSec"), seconds(table, "WatchdogSec")
    return [
        beginning + STOPS * stop + pause,  # before READY
        watchdog + STOPS * stop + pause,  # just after it
        beginning + watchdog + STOPS * stop + pause,  # after a READY at the last moment
    ]


def refused_at_s(name: str, cycle_s: int, within_s: int) -> int | None:
    """Return when systemd refuses another start of a unit started every `cycle_s`, or None.

    Like its ratelimit.c: a start after the interval begins the next one.
    """
    interval_s = seconds(name, "StartLimitIntervalSec")
    began_s, count = 0, 0
    for now_s in range(0, within_s if interval_s else 0, cycle_s):
        if count == 0 or now_s - began_s > interval_s:
            began_s, count = now_s, 0
        count += 1
        if count > seconds(name, "StartLimitBurst"):
            return now_s
    return None


@pytest.mark.parametrize("cycle_s", [seconds(TABLES[0], "RestartSec"), *hangs_s()])
def test_hanging_table_ends_in_the_safe_mode(cycle_s: int) -> None:
    refused = refused_at_s(TABLES[0], cycle_s, 3600)
    assert refused == seconds(TABLES[0], "StartLimitBurst") * cycle_s
    assert values(TABLES[0], "OnFailure") == ["companion-safe.service"]


@pytest.mark.parametrize("name", TABLES)
def test_clean_exit_also_restarts_the_table(name: str) -> None:
    assert values(name, "Restart") == ["always"]


def test_safe_mode_is_never_given_up() -> None:
    assert refused_at_s(TABLES[1], seconds(TABLES[1], "RestartSec"), 3600) is None


@pytest.mark.parametrize("name", TABLES)
def test_units_commands_are_valid(name: str) -> None:
    (command,) = values(name, "ExecStart")
    arguments = usage.parse(command.split()[1:])
    assert str(arguments.table) == "/var/lib/companion/table.toml"
    assert arguments.safe is (name == "companion-safe.service")


@pytest.mark.parametrize(
    ("name", "file"),
    [("companion-poweroff", POWER_OFF), ("companion-again", START_AGAIN), ("companion-update", REQUEST)],
)
def test_requests_of_the_program_have_path_units(name: str, file: str) -> None:
    assert values(f"{name}.path", "PathExists") == [f"/run/companion/{file}"]
    assert values(f"{name}.path", "Unit") == [f"{name}.service"]
    assert values(f"{name}.service", "ExecStartPre")[0] == f"rm -f /run/companion/{file}"


def test_installer_knows_every_unit() -> None:
    script = (FOLDER / "system.sh").read_text()
    named = re.search(r'^UNITS="([^"]*)"', script, re.MULTILINE)
    assert named
    assert sorted(named[1].split()) == UNITS


def test_installer_is_valid_shell() -> None:
    run("sh", "-n", FOLDER / "install.sh")


def test_trial_is_watched_by_an_independent_unit() -> None:
    """systemd counts a start twice if another unit is bound to the table."""
    assert values("companion-good.path", "PathExists") == ["/opt/companion/trial"]
    assert values("companion-good.service", "ExecStart") == ["companion-release watch"]
    for name in TABLES:
        assert values(name, "ExecStartPre") == ["-+companion-release before"]
    for name in UNITS:
        bound = [value for key in ("BindsTo", "PartOf", "WantedBy") for value in values(name, key)]
        assert name == TABLES[0] or TABLES[0] not in bound


def test_units_start_nothing_beside_the_running_table() -> None:
    """A program that a unit starts hangs up the table's terminal."""
    for name in TABLES:
        assert [values(name, key) for key in ("ExecStartPost", "ExecReload")] == [[], []]


def test_trial_ends_before_the_table_is_given_up() -> None:
    """Three hanging starts of a new release, and one of the old."""
    assert seconds(TABLES[0], "StartLimitBurst") == 4
    assert max(hangs_s()) * 3 < seconds(TABLES[0], "StartLimitIntervalSec")
