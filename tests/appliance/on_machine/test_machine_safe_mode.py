"""Whatever the table does instead of playing ends in the safe mode, by the unit's own numbers at a tenth.

That it is given up at all says that the numbers fit: a start too late begins to count anew, and so without an end.

What is tried stands in for the program; the game that kills is met by the program itself, with the real numbers.
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
"""An emulated processor that is shared with others needs longer for the program than a Pi does."""

SCALE = 10
TIMES = ("StartLimitIntervalSec", "RestartSec", "WatchdogSec", "TimeoutStartSec", "TimeoutStopSec")

READY = "import os, socket, time; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); " + (
    "s.sendto(b'READY=1', os.environ['NOTIFY_SOCKET']); "
)
TRIED = {
    # What is done instead of playing, and what the service manager says of it.
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
    """The machine with its table stopped; what was tried is forgotten at the end."""
    machine.run("systemctl stop companion companion-safe")
    machine.run("systemctl is-system-running --wait || true", BOOT_S)  # its drivers are there
    machine.run(f"mkdir -p {Path(PATIENT).parent}; printf '[Service]\\nTimeoutStartSec={BOOT_S}\\n' >{PATIENT}")
    yield machine
    machine.run(f"systemctl stop companion companion-safe; rm -rf {Path(DROP_IN).parent}; systemctl daemon-reload")


def fail_until_safe(machine: Machine, text: str) -> float:
    """Start the table as it is told to fail; return after how long the safe mode is begun."""
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
def test_whatever_it_does_ends_in_the_safe_mode(tried: Machine, shots: Path, what: str) -> None:
    command, result = TRIED[what]
    took_s = fail_until_safe(tried, drop_in(["ExecStart=", f"ExecStart={command}"], scaled=True))
    print(f"{what}: given up after {took_s:.0f} s")
    assert tried.run("systemctl show companion --property=Result --value") == result
    said = tried.run("xargs -0n1 </proc/$(systemctl show companion-safe --property=MainPID --value)/environ")
    told = dict(line.partition("=")[::2] for line in said.splitlines())
    assert ended_by(told) is not None
    assert colours(photograph(tried, shots / f"safe-mode-{what.replace(' ', '-')}.png")) > 100


def test_a_game_that_kills_ends_in_the_safe_mode(tried: Machine, shots: Path) -> None:
    kills = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    tried.run(f"mkdir -p {KILLER}/killer; echo '{kills}' >{KILLER}/killer/__init__.py")
    fail_until_safe(tried, drop_in([f"Environment=COMPANION_GAMES={KILLER}"], scaled=False))
    assert tried.run("systemctl show companion --property=Result --value") == "signal"
    assert colours(photograph(tried, shots / "safe-mode-a-game-that-kills.png")) > 100


def test_a_table_that_was_mended_is_started_at_once(tried: Machine) -> None:
    """Not only after the ten minutes for which systemd starts it no more, with no picture at all meanwhile."""
    fail_until_safe(tried, drop_in(["ExecStart=", "ExecStart=/bin/false"], scaled=False))
    tried.run(f"rm {DROP_IN}; systemctl daemon-reload; systemctl --no-block restart companion")
    wait(tried, "systemctl is-active --quiet companion", "the table")
    assert tried.run("systemctl is-active companion-safe || true") == "inactive"
