"""Tests renamed copies of the installed release on trial. The tests share one boot, in order."""

from base64 import b64encode
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from tests.appliance.hands import Hands
from tests.appliance.looks import ALIKE, assert_shows, attract, likeness, photograph
from tests.appliance.machine import BOOT_S, Machine
from tests.kernel.guest_images import CHECKOUT

OPT = "/opt/companion"
STATE = "/var/lib/companion"
USER = f"cd / && runuser -u companion -- env HOME={STATE} COLUMNS=400"
DRIVER = "the driver udp_buzzer of companion-udp-buzzer 1.0, in /var/lib/companion/plugins"
TRIAL_S = 240
"""A trial lasts a minute after the first picture, and the emulated machine is slow."""


def current(machine: Machine) -> str:
    return machine.run(f"readlink {OPT}/current").removeprefix("releases/")


def lay(machine: Machine, version: str) -> None:
    """Add a copy of the running release."""
    machine.run(
        f"cd {OPT}/releases && cp -a {current(machine)} {version}"
        f' && sed -i "1s|releases/[^/]*|releases/{version}|" {version}/venv/bin/companion'
    )


def take(machine: Machine, version: str) -> None:
    """Switch to a release like an update."""
    machine.run(f"companion-release take {version}; systemctl reset-failed companion")
    machine.run("systemctl --no-block restart companion")


def add_driver(machine: Machine, folder: Path) -> None:
    """Unpack the example's wheel as docs/adding-a-device.md says, and use its section."""
    [wheel] = WheelBuilder(str(CHECKOUT / "docs/examples/udp_buzzer")).build(
        directory=str(folder), versions=["standard"]
    )
    there = f"/tmp/{Path(wheel).name}"
    machine.run(f"base64 -d >{there} <<'END'\n{b64encode(Path(wheel).read_bytes()).decode()}\nEND")
    pip = f"{OPT}/current/venv/bin/pip install --quiet --no-deps --target {STATE}/plugins"
    machine.run(f"{USER} {pip} {there}", BOOT_S)
    machine.run(f"printf '\\n[udp]\\n' >>{STATE}/table.toml")


def test_working_release_is_kept_with_plug_ins(machine: Machine, shots: Path, tmp_path: Path) -> None:
    machine.wait_for_table()
    add_driver(machine, tmp_path)
    old = current(machine)
    lay(machine, "99.0")
    take(machine, "99.0")
    assert machine.run(f"cat {OPT}/trial").split()[0] == "99.0"
    machine.wait_until(f"test ! -e {OPT}/trial", "it is good", TRIAL_S)
    assert current(machine) == "99.0"
    assert machine.run(f"readlink {OPT}/previous") == f"releases/{old}"
    process = machine.run("systemctl show companion --property=MainPID --value")
    assert f"{OPT}/releases/99.0/" in machine.run(f"tr '\\0' ' ' </proc/{process}/cmdline")
    assert_shows(photograph(machine, shots / "new-release.png"), attract(tmp_path))
    assert DRIVER in machine.attempt(f"{USER} companion doctor --no-walk --table {STATE}/table.toml", BOOT_S)[1]


def test_release_failing_three_times_is_replaced_and_announced(
    machine: Machine, hands: Hands, shots: Path, tmp_path: Path
) -> None:
    lay(machine, "99.1")
    machine.run(f"rm {OPT}/releases/99.1/venv/lib/python3*/site-packages/companion/cli/commands.py")
    take(machine, "99.1")
    machine.wait_until(f"test -e {OPT}/failed", "it is given up", TRIAL_S)
    machine.wait_for_table()
    assert machine.run(f"cat {OPT}/failed") == "99.1"
    assert current(machine) == "99.0"
    assert machine.attempt(f"test -e {OPT}/trial")[0] == 1
    assert machine.attempt("systemctl is-active --quiet companion-safe")[0] != 0
    notice = photograph(machine, shots / "switched-back.png")
    assert likeness(notice, attract(tmp_path)) < ALIKE
    hands.house("ok")  # dismisses the notice
    assert_shows(photograph(machine, shots / "after-it.png"), attract(tmp_path / "again"))
