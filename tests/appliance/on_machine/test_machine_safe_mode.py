"""Tests that every failure ends in the safe mode, with the unit's limits scaled to a tenth.

The limits must fit each other: a start that comes too late would begin a new count, endlessly. Stand-ins replace
the program; only the crashing game runs in it, unscaled.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.diagnostics.failures import ended_by
from tests.appliance.looks import colours, photograph
from tests.appliance.machine import BOOT_S, Machine
from tests.kernel.guest_images import CHECKOUT

UNIT = CHECKOUT / "systemd" / "companion.service"
DROP_IN = "/run/systemd/system/companion.service.d/tried.conf"
PATIENT = "/run/systemd/system/companion-safe.service.d/patient.conf"
"""A busy emulated processor is slower than a Pi."""

SCALE = 10
TIMES = ("StartLimitIntervalSec", "RestartSec", "WatchdogSec", "TimeoutStartSec", "TimeoutStopSec")

READY = "import os, socket, time; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); " + (
    "s.sendto(b'READY=1', os.environ['NOTIFY_SOCKET']); "
)
TRIED = {
    # Stand-ins for the program, and the service manager's result.
    "hangs before it is ready": ("/bin/sh -c 'trap \"\" TERM; while :; do sleep 1; done'", "timeout"),
    "hangs when it is ready": (f'/usr/bin/python3 -c "{READY} time.sleep(3600)"', "watchdog"),
    "crashes": ("/bin/sh -c 'ulimit -c 0; kill -SEGV $$$$'", "signal"),
    "ends with 0": (f'/usr/bin/python3 -c "{READY}"', "start-limit-hit"),
    "ends with 0 before it is ready": ("/bin/true", "protocol"),
}
KILLER = "/opt/table/games"


def value(key: str) -> int:
    (found,) = re.findall(rf"^{key}=(\d+)$", UNIT.read_text(), re.MULTILINE)
    return int(found)


def drop_in(lines: list[str], *, scaled: bool) -> str:
    tenths = {key: f"{value(key) * 1000 // SCALE}ms" for key in TIMES} if scaled else {}
    unit = [f"{key}={text}" for key, text in tenths.items() if key == "StartLimitIntervalSec"]
    service = [f"{key}={text}" for key, text in tenths.items() if key != "StartLimitIntervalSec"]
    return "\n".join(["[Unit]", *unit, "[Service]", *service, *lines])


@pytest.fixture
def tried(machine: Machine) -> Iterator[Machine]:
    """Stop the table; remove the test's settings at the end."""
    machine.run("systemctl stop companion companion-safe")
    machine.run("systemctl is-system-running --wait || true", BOOT_S)  # its drivers are loaded
    machine.run(f"mkdir -p {Path(PATIENT).parent}; printf '[Service]\\nTimeoutStartSec={BOOT_S}\\n' >{PATIENT}")
    yield machine
    machine.run(f"systemctl stop companion companion-safe; rm -rf {Path(DROP_IN).parent}; systemctl daemon-reload")


def fail_until_safe(machine: Machine, text: str) -> float:
    """Start the failing table; return the seconds until it is given up."""
    machine.run(f"mkdir -p {Path(DROP_IN).parent}; cat >{DROP_IN} <<'END'\n{text}\nEND\nsystemctl daemon-reload")
    machine.run("systemctl --no-block start companion")
    began_s = time.monotonic()
    wait(machine, "test $(systemctl show companion --property=ActiveState --value) = failed", "given up")
    took_s = time.monotonic() - began_s
    wait(machine, "systemctl is-active --quiet companion-safe", "the safe mode")
    assert machine.run("systemctl show companion --property=NRestarts --value") == str(value("StartLimitBurst"))
    return took_s


def wait(machine: Machine, command: str, what: str) -> None:
    log = "journalctl --boot --no-pager --output=short-monotonic --lines=40 --unit=companion --unit=companion-safe"
    machine.wait_until(f"{command} || {{ {log}; false; }}", what, BOOT_S)


@pytest.mark.parametrize("what", TRIED)
def test_every_failure_ends_in_the_safe_mode(tried: Machine, shots: Path, what: str) -> None:
    command, result = TRIED[what]
    took_s = fail_until_safe(tried, drop_in(["ExecStart=", f"ExecStart={command}"], scaled=True))
    print(f"{what}: given up after {took_s:.0f} s")
    assert tried.run("systemctl show companion --property=Result --value") == result
    said = tried.run("xargs -0n1 </proc/$(systemctl show companion-safe --property=MainPID --value)/environ")
    told = dict(line.partition("=")[::2] for line in said.splitlines())
    assert ended_by(told) is not None
    assert colours(photograph(tried, shots / f"safe-mode-{what.replace(' ', '-')}.png")) > 100


def test_crashing_game_ends_in_the_safe_mode(tried: Machine, shots: Path) -> None:
    kills = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    tried.run(f"mkdir -p {KILLER}/killer; echo '{kills}' >{KILLER}/killer/__init__.py")
    fail_until_safe(tried, drop_in([f"Environment=COMPANION_GAMES={KILLER}"], scaled=False))
    assert tried.run("systemctl show companion --property=Result --value") == "signal"
    assert colours(photograph(tried, shots / "safe-mode-a-game-that-kills.png")) > 100


def test_repaired_table_starts_at_once(tried: Machine) -> None:
    """And not only after systemd's limit of ten minutes."""
    fail_until_safe(tried, drop_in(["ExecStart=", "ExecStart=/bin/false"], scaled=False))
    tried.run(f"rm {DROP_IN}; systemctl daemon-reload; systemctl --no-block restart companion")
    wait(tried, "systemctl is-active --quiet companion", "the table")
    assert tried.run("systemctl is-active companion-safe || true") == "inactive"
